#include "fuzz_host.h"

FUZZ_HOST("ibstat", "ibstat.txt")
