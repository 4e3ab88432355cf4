#include "fuzz_host.h"

FUZZ_HOST("nccl-tests", "all_reduce_perf.txt")
