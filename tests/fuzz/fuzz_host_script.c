#include "fuzz_host.h"

FUZZ_HOST("script", "job.sh")
