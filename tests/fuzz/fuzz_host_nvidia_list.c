#include "fuzz_host.h"

FUZZ_HOST("nvidia-smi -L", "nvidia-smi-l.txt")
