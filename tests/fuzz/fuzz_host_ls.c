#include "fuzz_host.h"

FUZZ_HOST("ls", "ls-dev.txt")
