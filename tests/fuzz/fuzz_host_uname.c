#include "fuzz_host.h"

FUZZ_HOST("uname", "uname.txt")
