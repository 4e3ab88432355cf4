#include "fuzz_host.h"

FUZZ_HOST("counts", "count.txt")
