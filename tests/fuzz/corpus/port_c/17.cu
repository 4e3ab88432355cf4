#define TILE 32
__global__ void k(float *out, const float *in, int n) {
    __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
    __shared__ double big[96][96];
    a[threadIdx.y][threadIdx.x] = in[threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x][threadIdx.y];
    out[threadIdx.x] = b[threadIdx.x][threadIdx.y];
}
