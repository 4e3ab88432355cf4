#include "fuzz_host.h"

FUZZ_HOST("limits", "limits")
