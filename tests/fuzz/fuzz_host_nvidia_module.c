#include "fuzz_host.h"

FUZZ_HOST("nvidia module", "version")
