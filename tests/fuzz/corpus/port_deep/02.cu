#ifdef A
#ifndef USE_ROCM
template <typename T, int N __global__ void k(T (*x)[N) { __shared__ T t[N][; x<<<1, N>>>(((
#endif
#else
