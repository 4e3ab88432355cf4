/* Bytes counted into 256 bins: shared memory, atomics, constants, half precision, the driver's
   types of complex numbers, and a branch for HIP that is there already. */
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifdef __HIP_PLATFORM_AMD__
#define WHERE "hip"
#else
#define WHERE "cuda"
#endif

#ifdef __CUDACC__
#define DEVICE __device__
#else
#define DEVICE
#endif

__constant__ float weight[256];

DEVICE inline float weigh(unsigned char byte) {
    return __half2float(__float2half(weight[byte]));
}

__global__ void histogram(const unsigned char *data, size_t n, unsigned *bin, float *sum) {
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[data[i]], 1u);
        atomicAdd(sum, weigh(data[i]));
    }
    __syncthreads();
    atomicAdd(&bin[threadIdx.x], local[threadIdx.x]);
}

extern "C" int histogram_run(const unsigned char *host, size_t n, unsigned *out, float *out_sum) {
    unsigned char *data = nullptr;
    unsigned *bin = nullptr;
    float *sum = nullptr, ones[256];
    cuFloatComplex z = make_cuFloatComplex(1.0f, 0.0f);
    for (int i = 0; i < 256; i++) {
        ones[i] = cuCrealf(z);
    }
    if (cudaMalloc((void **)&data, n) != cudaSuccess ||
        cudaMalloc((void **)&bin, 256 * sizeof *bin) != cudaSuccess ||
        cudaMalloc((void **)&sum, sizeof *sum) != cudaSuccess) {
        return 1;
    }
    cudaMemset(bin, 0, 256 * sizeof *bin);
    cudaMemset(sum, 0, sizeof *sum);
    cudaMemcpyToSymbol(weight, ones, sizeof ones);
    cudaMemcpy(data, host, n, cudaMemcpyHostToDevice);
    histogram<<<dim3(64), dim3(256)>>>(data, n, bin, sum);
    cudaError_t status = cudaDeviceSynchronize();
    cudaMemcpy(out, bin, 256 * sizeof *bin, cudaMemcpyDeviceToHost);
    cudaMemcpy(out_sum, sum, sizeof *sum, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(bin);
    cudaFree(sum);
    return status == cudaSuccess ? 0 : 2;
}
