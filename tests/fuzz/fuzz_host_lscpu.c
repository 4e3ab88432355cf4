#include "fuzz_host.h"

FUZZ_HOST("lscpu", "lscpu.txt")
