#include "fuzz_host.h"

FUZZ_HOST("rdma link", "rdma-link.txt")
