#define MY_KERNEL static __global__
MY_KERNEL void a(int *x) { x[threadIdx.x] = 1; }
RAFT_KERNEL b(int *x) { x[0] = 1; }
OTHERS_MACRO void c(int *x) { x[blockIdx.x] = 1; }
void host(int *x) { x[0] = 1; }
__device__ void d(int *x) { x[threadIdx.x] = 1; }
template <typename T>
__global__ void e(T *x) {}
__global__ void declared(int *x);
