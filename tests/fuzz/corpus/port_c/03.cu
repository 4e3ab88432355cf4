void f() { cuTensorMapEncodeTiled(); cudaLaunchKernelExC(a, b, c); }
int a = CUDNN_ATTR_ENGINE_GLOBAL_INDEX;
__device__ void g() { __nanosleep(9); __stcs(p, 1); }
