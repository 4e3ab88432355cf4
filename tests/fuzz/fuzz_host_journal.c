#include "fuzz_host.h"

FUZZ_HOST("journal", "journal.json")
