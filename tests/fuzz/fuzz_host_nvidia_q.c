#include "fuzz_host.h"

FUZZ_HOST("nvidia-smi -q", "nvidia-smi-q.txt")
