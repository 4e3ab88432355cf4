#include "fuzz_host.h"

FUZZ_HOST("maps", "maps.txt")
