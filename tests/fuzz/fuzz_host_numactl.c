#include "fuzz_host.h"

FUZZ_HOST("numactl", "numactl-H.txt")
