#include "fuzz_host.h"

FUZZ_HOST("status", "proc-self-status.txt")
