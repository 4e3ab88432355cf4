#include "fuzz_host.h"

FUZZ_HOST("cmdline", "cmdline")
