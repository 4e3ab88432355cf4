#include "fuzz_host.h"

FUZZ_HOST("rocm version", "rocm-version.txt")
