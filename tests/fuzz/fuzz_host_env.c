#include "fuzz_host.h"

FUZZ_HOST("environment", "env.txt")
