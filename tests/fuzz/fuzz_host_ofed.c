#include "fuzz_host.h"

FUZZ_HOST("ofed_info", "ofed.txt")
