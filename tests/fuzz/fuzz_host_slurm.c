#include "fuzz_host.h"

FUZZ_HOST("slurm", "scontrol.txt")
