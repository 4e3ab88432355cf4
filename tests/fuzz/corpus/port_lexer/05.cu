#ifdef USE_ROCM
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
void f() { cuTensorMapEncodeTiled(); }
#endif
#if 0
void g() { cuTensorMapEncodeTiled(); }
#endif
void h() { cuTensorMapEncodeTiled(); }
