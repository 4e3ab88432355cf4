#include "fuzz_host.h"

FUZZ_HOST("kernel configuration", "config-6.8.0")
