#include "fuzz_host.h"

FUZZ_HOST("os-release", "os-release")
