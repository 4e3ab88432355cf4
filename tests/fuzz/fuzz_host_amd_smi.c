#include "fuzz_host.h"

FUZZ_HOST("amd-smi", "amd-smi.txt")
