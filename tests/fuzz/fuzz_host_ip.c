#include "fuzz_host.h"

FUZZ_HOST("ip", "ip-link.txt")
