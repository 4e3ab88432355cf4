#include "fuzz_host.h"

FUZZ_HOST("lspci", "lspci.txt")
