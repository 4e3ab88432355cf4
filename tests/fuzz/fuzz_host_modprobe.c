#include "fuzz_host.h"

FUZZ_HOST("modprobe.d", "modprobe.txt")
