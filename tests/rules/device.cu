// PTX, wmma, operators, launch bounds, textures: what has the rule and what only looks like it.
#include <mma.h> //! wmma
using namespace nvcuda;
__device__ int lane() {
    int l;
    asm("mov.u32 %0, %laneid;" : "=r"(l)); //! ptx-register
    return l;
}
__device__ void copy(void *to, const void *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)); //! ptx-async-copy
}
__device__ int three(int a, int b, int c) {
    asm("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(a) : "r"(b), "r"(c)); //! ptx-scalar
    return a;
}
__device__ void multiply(wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> *f) {} //! wmma
inline __device__ void operator+=(float4 &a, float4 b) { a.x += b.x; } //! vector-operator
inline __device__ float4 operator+(float4 a, float4 b) { return a; }
struct pair { pair &operator+=(const pair &o); };
__global__ void __launch_bounds__(256, 4) busy(float *x) { x[0] = 1; } //! launch-bounds-second-arg
__global__ void __launch_bounds__(256, 1) calm(float *x) { x[0] = 1; }
__global__ void __launch_bounds__(256) plain(float *x) { x[0] = 1; }
__global__ void parent(float *x) {
    plain<<<1, 64>>>(x); //! dynamic-parallelism
}
__device__ float fetch(cudaTextureObject_t t) {
    return tex2D<float>(t, 0, 0); //! texture-no-image
}
