#include "fuzz_host.h"

FUZZ_HOST("mlxconfig", "mlxconfig.txt")
