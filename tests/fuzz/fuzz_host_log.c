#include "fuzz_host.h"

FUZZ_HOST("log", "dmesg.txt")
