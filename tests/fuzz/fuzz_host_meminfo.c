#include "fuzz_host.h"

FUZZ_HOST("meminfo", "meminfo.txt")
