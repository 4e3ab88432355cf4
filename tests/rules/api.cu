// APIs: missing, removed, too new, and the longer names that contain one.
#include <cuda_runtime.h>
void f(void) {
    cudaCheck(cudaGetLastError()); // a macro of the program's own
    cudaLaunchConfig_t c;          //! api-too-new
    my_cudaMalloc_wrapper(0);
    float texture = 0; // a variable
    (void)texture;
    cudaGraphConditionalHandle h; //! graph-conditional
}
