#include "fuzz_host.h"

FUZZ_HOST("packages", "packages.txt")
