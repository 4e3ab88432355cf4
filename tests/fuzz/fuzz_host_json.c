#include "fuzz_host.h"

FUZZ_HOST("json", "metric.json")
