#include "fuzz_host.h"

FUZZ_HOST("amd-smi monitor", "amd-smi-monitor.txt")
