#include "fuzz_host.h"

FUZZ_HOST("systemctl", "systemctl.txt")
