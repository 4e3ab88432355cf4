#include "fuzz_host.h"

FUZZ_HOST("kubernetes", "pod.yaml")
