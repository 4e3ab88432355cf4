#include "fuzz_host.h"

FUZZ_HOST("lstopo", "lstopo.txt")
