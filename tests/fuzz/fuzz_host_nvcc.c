#include "fuzz_host.h"

FUZZ_HOST("nvcc", "nvcc.txt")
