__global__ void k(float *x) {
    int t = threadIdx.x;
    float v = x[t];
    if (t < 64) v += __shfl_xor_sync(~0ull, v, 1);
    if (t < 16) v += __shfl_xor_sync(~0ull, v, 1);
    if (t < 16) { v *= 2; }
    v += __shfl_xor_sync(~0ull, v, 1);
    if (t < 16) { for (int i = 0; i < 4; i++) { v += __shfl_sync(~0ull, v, i); } }
    if (t == 0) v += __shfl_sync(0xfull, v, 1);
    if (blockIdx.x < 16) v += __shfl_sync(~0ull, v, 1);
    if (t / 64 == 0) v += __shfl_sync(~0ull, v, 1);
    x[t] = v;
}
