#include "fuzz_host.h"

FUZZ_HOST("KFD node", "properties")
