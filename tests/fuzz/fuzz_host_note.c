#include "fuzz_host.h"

FUZZ_HOST("note", "context.txt")
