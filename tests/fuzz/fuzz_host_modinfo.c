#include "fuzz_host.h"

FUZZ_HOST("modinfo", "modinfo.txt")
