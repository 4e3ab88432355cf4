#include "fuzz_host.h"

FUZZ_HOST("topology table", "topology.txt")
