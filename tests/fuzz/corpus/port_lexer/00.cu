#include <cuda_runtime.h>
void f(float **p) { cudaMalloc(p, 4); }
