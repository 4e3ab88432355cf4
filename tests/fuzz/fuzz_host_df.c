#include "fuzz_host.h"

FUZZ_HOST("df", "df.txt")
