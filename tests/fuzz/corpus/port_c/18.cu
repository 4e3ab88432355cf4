struct body { float mass, charge; };
__global__ void k(float *x, const body *p, float4 *q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 0;
    x[i * n] = 0;
    x[n * i + 1] = 0;
    x[blockIdx.x * n + i] = 0;
    x[i * 4] = p[i].mass;
    x[i] = q[i].x;
    int local[4]; local[i * n] = 0;
}
