#include "fuzz_host.h"

FUZZ_HOST("RAS report", "rccl-ras.txt")
