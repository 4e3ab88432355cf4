#include "fuzz_host.h"

FUZZ_HOST("nvidia-smi topo", "topo.txt")
