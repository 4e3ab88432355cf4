#include "fuzz_host.h"

FUZZ_HOST("xml", "nvidia-smi.xml")
