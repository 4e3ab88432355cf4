#include "fuzz_host.h"

FUZZ_HOST("csv", "hip_api_stats.csv")
