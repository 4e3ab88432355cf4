#define STEP (2 * 8)
template <typename T, int PITCH> __global__ void k(float *x, int n) {
    __shared__ T tile[32][PITCH];
    extern __shared__ float raw[];
    float *mine = raw + n;
    int t = threadIdx.x, column = t; x[t] = tile[column][0];
    int far = t * STEP; x[far] = 1;
    mine[far] = 2;
    for (int i = t; i < n; i += blockDim.x) x[i * n] = mine[i];
}
template <typename T, int warp_size> __device__ T sum(T v) { return v; }
template <typename T, int N> struct lanes { static constexpr unsigned long long mask = ~0ull; };
__global__ void plain(float *x) {
    x[threadIdx.x] = sum<float, 16>(x[threadIdx.x]);
}
template <int N = 96> void start(float *x) { plain<<<1, N>>>(x); k<float, 32><<<1, 64>>>(x, 1); }
__device__ float warp(float v) { return sum<float, 32>(v); }
__device__ float most(float v) {
    return fmaxf(v,
        __shfl_xor_sync(lanes<float, 2>::mask, v, 16));
}
#ifndef USE_ROCM
__global__ void cuda_only(float *x) { int far = threadIdx.x * 64; x[far] = 1; }
#endif
#ifdef USE_CUDA
__global__ void has_twin(float *x) { int far = threadIdx.x * 64; x[far] = 1; }
#endif
#ifdef USE_HIP
#endif
