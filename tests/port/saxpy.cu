/* y = a x + y, with errors checked and time taken: the runtime's everyday names. cudaMalloc in this
   comment and "cudaFree" in a string stay as they are. */
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "cudaFree or another: %s\n", cudaGetErrorString(status));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

int main() {
    const int n = 1 << 20;
    float *x, *y;
    cudaEvent_t start, stop;
    cudaStream_t stream;
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
    CHECK(cudaEventRecord(start, stream));
    saxpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 3.0f, x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("%s: y[0] = %g in %g ms\n", prop.name, y[0], ms);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    return 0;
}
