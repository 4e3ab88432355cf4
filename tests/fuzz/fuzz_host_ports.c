#include "fuzz_host.h"

FUZZ_HOST("RDMA ports", "ib-ports.txt")
