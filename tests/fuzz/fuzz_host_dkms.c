#include "fuzz_host.h"

FUZZ_HOST("dkms", "dkms.txt")
