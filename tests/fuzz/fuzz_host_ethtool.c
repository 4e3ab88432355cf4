#include "fuzz_host.h"

FUZZ_HOST("ethtool", "ethtool-eth2.txt")
