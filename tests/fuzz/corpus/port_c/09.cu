#define WARP_SIZE 32
constexpr int kWarpSize = 32;
#define TILE 32
__global__ void k(int *x, int n) {
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    int word = n / 32, bit = n & 31;
    int w = tid / 32;
    x[lane] = __ballot(x[n % 32] >> 5);
    if (lane == 31) x[w] = warp;
}
int words(int bits) { return bits / 32 + (bits & 31); }
