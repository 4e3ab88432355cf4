#include "fuzz_host.h"

FUZZ_HOST("sysctl", "numa_balancing")
