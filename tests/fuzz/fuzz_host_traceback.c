#include "fuzz_host.h"

FUZZ_HOST("traceback", "x.txt")
