#include "fuzz_host.h"

FUZZ_HOST("amd-smi overview", "amd-smi.txt")
