#include "fuzz_host.h"

FUZZ_HOST("governors", "scaling_governor.txt")
