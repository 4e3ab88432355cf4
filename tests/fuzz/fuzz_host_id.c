#include "fuzz_host.h"

FUZZ_HOST("id", "id.txt")
