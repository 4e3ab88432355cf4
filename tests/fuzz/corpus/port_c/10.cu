__global__ void unpack(float *y, const int *q) {
    const int tid = threadIdx.x;
    const int half = tid / 32;
    y[tid] = q[half];
}
__global__ void bits(unsigned *m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    m[i / 32] = 0;
}
