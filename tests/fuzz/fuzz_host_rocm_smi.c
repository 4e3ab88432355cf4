#include "fuzz_host.h"

FUZZ_HOST("rocm-smi", "rocm-smi.txt")
