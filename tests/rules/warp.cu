// What is said at the end of a line is found there, and nothing else anywhere: gfx942, ROCm 6.4.
#define WARP_SIZE 32 //! warp-size-assumed-32
#define FULL 0xffffffff
__device__ float sum(float v) {
    for (int o = 16; o > 0; o >>= 1)            //! warp-size-assumed-32
        v += __shfl_down_sync(0xffffffff, v, o); //! warp-mask-32bit
    return v;
}
__device__ unsigned vote(int p) {
    unsigned m = __ballot_sync(~0ull, p); //! ballot-32bit
    return m;
}
__device__ unsigned long long vote64(int p) {
    unsigned long long m = __ballot_sync(~0ull, p);
    return m;
}
__device__ float shared_mask(float v) {
    return __shfl_sync(FULL, v, 0); //! warp-mask-32bit
}
__global__ void wait_for_warp(float *x) {
    __syncwarp(); //! syncwarp-version
    x[threadIdx.x] = 1.0f;
}
// __shfl_down_sync(0xffffffff, v, 16) in a comment
const char *text = "__shfl_down_sync(0xffffffff, v, 16)";
static int my_shfl_down_sync(int a) { return a & 31; } // a host function of another name
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__)
__device__ float ported(float v) { return __shfl_down_sync(0xffffffff, v, 16); }
#endif
