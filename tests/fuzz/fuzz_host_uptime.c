#include "fuzz_host.h"

FUZZ_HOST("uptime", "proc-uptime.txt")
