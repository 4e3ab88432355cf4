#include "fuzz_host.h"

FUZZ_HOST("driver", "driver.txt")
