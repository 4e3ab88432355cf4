#include "fuzz_host.h"

FUZZ_HOST("targets", "arch-list.txt")
