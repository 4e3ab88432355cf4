__device__ float lane_sum(float v)
{
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, d);
    for (int d = warpSize / 2; d > 0; d >>= 1)
        v += __shfl_down_sync(~0ull, v, d);
    for (int d = 1; d < 32; d *= 2) { v += __shfl_xor(v, d); }
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(~0ull, v, d, 32);
    for (int i = 16; i > 0; i /= 2) v *= 2;
    v += __shfl_xor(v, 16);
    v += __shfl_xor(v, 16, 32);
    return v;
}
