#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
#endif
using namespace nvcuda;
__global__ void k() {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    __pipeline_memcpy_async(a, b, 16);
    cuda::memcpy_async(a, b, 16, pipe);
    cuda::std::array<int, 4> x;
    cutlass::half_t h;
}
__managed__ int counter;
void f() { cudaGraphConditionalHandleCreate(&h, g); cub::Sum s; }
void g() { nvinfer1::IBuilder *b; }
