#include "fuzz_host.h"

FUZZ_HOST("nvidia-smi", "nvidia-smi.txt")
