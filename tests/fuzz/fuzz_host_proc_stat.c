#include "fuzz_host.h"

FUZZ_HOST("proc stat", "proc-stat.txt")
