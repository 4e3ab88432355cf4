#include "fuzz_host.h"

FUZZ_HOST("cpuinfo", "cpuinfo.txt")
