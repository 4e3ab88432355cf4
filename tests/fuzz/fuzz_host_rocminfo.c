#include "fuzz_host.h"

FUZZ_HOST("rocminfo", "rocminfo.txt")
