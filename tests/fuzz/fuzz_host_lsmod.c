#include "fuzz_host.h"

FUZZ_HOST("lsmod", "lsmod.txt")
