const char *source = R"(
__global__ void k(float *x) {
    float v = __shfl_down_sync(0xffffffff, x[0], 1);
}
)";
const char *text = R"(__shfl_down_sync(0xffffffff, 1, 1))";
