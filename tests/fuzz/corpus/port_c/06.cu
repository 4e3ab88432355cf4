#define ALL 0xffffffff
#define ALL64 0xffffffffffffffffull
__device__ float f(float v, unsigned m, unsigned long long w) {
    v += __shfl_down_sync(0xffffffffu, v, 1);
    v += __shfl_down_sync(~0ull, v, 1);
    v += __shfl_xor_sync(-1, v, 1);
    v += __shfl_sync(ALL, v, 0);
    v += __shfl_sync(ALL64, v, 0);
    v += __shfl_sync(m, v, 0);
    v += __shfl_sync(w, v, 0);
    v += __shfl_sync(__activemask(), v, 0);
    v += __shfl_sync((unsigned long long)0xffffffff, v, 0);
    return __any_sync(0xf, v > 0) ? v : 0;
}
/* __shfl_sync(0xffffffff, v, 0) */
