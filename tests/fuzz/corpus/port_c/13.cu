__global__ void norm(float *x)
{
    __shared__ float part[1024 / warpSize];
    constexpr int nw = 256 / warpSize;
    part[threadIdx.x / warpSize] = x[threadIdx.x] * nw;
    reduce<warpSize>(x);
    int n = prop.warpSize, m = p->warpSize;
    if (n < warpSize && m > 2) return;
    static_assert(warpSize == 64, "");
}
