#include "fuzz_host.h"

FUZZ_HOST("show_gids", "show_gids.txt")
