#include "fuzz_host.h"

FUZZ_HOST("torch version", "version.py")
