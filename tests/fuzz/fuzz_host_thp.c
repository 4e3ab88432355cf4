#include "fuzz_host.h"

FUZZ_HOST("transparent huge pages", "thp.txt")
