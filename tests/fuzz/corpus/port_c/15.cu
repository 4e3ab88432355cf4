__global__ void __launch_bounds__(256, 4) a(int *x) { x[0] = 1; }
__global__ void __launch_bounds__(256) b(int *x) {
    a<<<1, 64>>>(x);
}
constexpr int N = 96;
void host(int *x, int n) {
    dim3 block(16, 16), odd(10, 3);
    a<<<n, 256>>>(x);
    a<<<n, N, 0, stream>>>(x);
    a<<<n, block>>>(x);
    a<<<dim3(n, 2), dim3(8, 4)>>>(x);
    a<<<n, unknown>>>(x);
}
