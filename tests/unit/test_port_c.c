/* The rules of the C reader: for each a text that has it and one that has not. Lines are counted in
   the text beside them; what a rule means stands in data/port_rules.csv. */
#include "port_source_fixture.h"

/* --- identifiers and headers ---------------------------------------------------------------- */

static void test_renamed_and_counted(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#include <cuda_runtime.h>\n"
                      "void f(float **p) { cudaMalloc(p, 4); }\n");
    expect_lines(f, "api-renamed", 1, 2);
    assert_string_equal(port_fixture_find(f, "api-renamed", 1)->replacement, "hip/hip_runtime.h");
    const assay_port_finding_t *found = port_fixture_find(f, "api-renamed", 2);
    assert_string_equal(found->api, "cudaMalloc");
    assert_string_equal(found->replacement, "hipMalloc");
    assert_string_equal(found->status, "renamed");
    assert_int_equal(found->at.column, 21);
    assert_int_equal(found->length, 10);
    assert_int_equal(found->severity, ASSAY_SEVERITY_INFO);
    assert_int_equal(assay_port_file_references(&f->file).all, 2);
    assert_int_equal(assay_port_file_references(&f->file).ready, 2);
}

static void test_spmv_data_type(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#include <cusparse.h>\n"
                      "void mk(cusparseDnVecDescr_t *v, int n, float *p)\n"
                      "{\n"
                      "    cusparseCreateDnVec(v, n, p, CUDA_R_32F);\n"
                      "}\n");
    for (uint32_t i = 0; i < f->n; i++) {
        assert_null(strstr(f->finding[i].replacement, "HIPBLAS"));
        if (strcmp(f->finding[i].api, "CUDA_R_32F") == 0) {
            assert_string_equal(f->finding[i].replacement, "HIP_R_32F");
        }
    }
    expect_none(f, "api-unsupported");
    assert_int_equal(port_fixture_count(f, "api-renamed"), 4);
}

static void test_names_that_are_none(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "// cudaMalloc\n"
                      "/* cudaFree */ const char *s = \"cudaMemcpy\";\n"
                      "#define cudaCheck(x) check(x, __LINE__)\n"
                      "void f() { cudaCheck(1); mycudaMalloc(); cudaMallocMine(); x.cudaFree; }\n"
                      "void g() { obj->cudaFree(1); other::cudaFree(1); }\n"
                      "const char *r = R\"(cudaMalloc)\";\n"
                      "char c = 'cudaFree';\n");
    assert_int_equal(f->n, 0);
    assert_int_equal(assay_port_file_references(&f->file).all, 0);
}

static void test_unsupported_removed_too_new(void **state) {
    port_fixture_t *f = *state;
    const char *const source =
        "void f() { cuTensorMapEncodeTiled(); cudaLaunchKernelExC(a, b, c); }\n"
        "int a = CUDNN_ATTR_ENGINE_GLOBAL_INDEX;\n"
        "__device__ void g() { __nanosleep(9); __stcs(p, 1); }\n";
    port_fixture_c(f, source);
    expect_lines(f, "api-unsupported", 1);
    expect_lines(f, "api-renamed", 1, 2);
    expect_lines(f, "api-unsupported-device", 3);
    expect_lines(f, "cache-hint", 3);
    expect_none(f, "api-too-new");
    assert_int_equal(port_fixture_find(f, "api-unsupported", 0)->severity, ASSAY_SEVERITY_ERROR);
    port_fixture_read(f, port_read_c, source, "gfx942", 604);
    expect_lines(f, "api-too-new", 1); /* cudaLaunchKernelExC is there since 7.0 */
    expect_none(f, "api-removed");     /* and it is not the removed cudaLaunch */
}

static void test_headers_of_libraries(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#include <nccl.h>\n"
                      "#include <nvToolsExt.h>\n"
                      "#include <cub/block/block_reduce.cuh>\n"
                      "#include <nvml.h>\n"
                      "#include \"cutlass/gemm.h\"\n"
                      "#include <NvInferRuntime.h>\n"
                      "#include <mma.h>\n"
                      "#include <cudnn.h>\n"
                      "#include \"cuda/my_helpers.h\"\n"
                      "#include <cuda/std/array>\n"
                      "#include <vector>\n");
    expect_lines(f, "library-drop-in", 1, 10);
    expect_lines(f, "library-rename", 2, 3);
    expect_lines(f, "library-replacement", 4);
    expect_lines(f, "library-none", 5);
    expect_lines(f, "ecosystem-none", 6);
    expect_lines(f, "wmma", 7);
    expect_lines(f, "library-partial", 8);
    assert_int_equal(f->n, 9);
    assert_int_equal(assay_port_file_references(&f->file).cuda_only, 2);
}

static void test_calls_of_libraries_without_table(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "void f() {\n"
                      "    nvmlInit();\n"
                      "    nvtxDomainCreateA(\"x\");\n"
                      "    ncclAllReduce(a, b);\n"
                      "    cuptiSubscribe(s);\n"
                      "    nvmlike(); nccl(); x.nvmlInit(); optional(1);\n"
                      "}\n");
    expect_lines(f, "nvml-call", 2);
    expect_lines(f, "nvtx-call", 3);
    expect_lines(f, "cupti-call", 5);
    assert_int_equal(f->n, 3);
    assert_int_equal(assay_port_file_references(&f->file).all, 4);
    assert_int_equal(assay_port_file_references(&f->file).ready, 1);
}

static void test_kernels_as_references(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__global__ void good(int *x) { x[0] = 1; }\n"
                      "__global__ void bad(int *x) { x[threadIdx.x / 32] = __shfl(1, 2); }\n");
    assert_int_equal(f->file.kernels, 2);
    assert_int_equal(assay_port_file_references(&f->file).all, 3); /* two kernels, one exchange */
    assert_int_equal(assay_port_file_references(&f->file).ready, 2);
}

static void test_guards_credit(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#ifdef USE_ROCM\n"
                      "#include <hip/hip_runtime.h>\n"
                      "#else\n"
                      "#include <cuda_runtime.h>\n"
                      "void f() { cuTensorMapEncodeTiled(); }\n"
                      "#endif\n"
                      "#if 0\n"
                      "void g() { cuTensorMapEncodeTiled(); }\n"
                      "#endif\n"
                      "void h() { cuTensorMapEncodeTiled(); }\n");
    expect_lines(f, "api-unsupported", 10);
    assert_int_equal(f->n, 1);
    assert_int_equal(assay_port_file_references(&f->file).all,
                     3); /* 4, 5 and 10; nobody compiles 8 */
    assert_int_equal(assay_port_file_references(&f->file).ported, 2);
    assert_int_equal(assay_port_file_references(&f->file).cuda_only, 1);
}

/* --- warps ---------------------------------------------------------------------------------- */

static void test_mask_of_32_bits(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#define ALL 0xffffffff\n"
                      "#define ALL64 0xffffffffffffffffull\n"
                      "__device__ float f(float v, unsigned m, unsigned long long w) {\n"
                      "    v += __shfl_down_sync(0xffffffffu, v, 1);\n"
                      "    v += __shfl_down_sync(~0ull, v, 1);\n"
                      "    v += __shfl_xor_sync(-1, v, 1);\n"
                      "    v += __shfl_sync(ALL, v, 0);\n"
                      "    v += __shfl_sync(ALL64, v, 0);\n"
                      "    v += __shfl_sync(m, v, 0);\n"
                      "    v += __shfl_sync(w, v, 0);\n"
                      "    v += __shfl_sync(__activemask(), v, 0);\n"
                      "    v += __shfl_sync((unsigned long long)0xffffffff, v, 0);\n"
                      "    return __any_sync(0xf, v > 0) ? v : 0;\n"
                      "}\n"
                      "/* __shfl_sync(0xffffffff, v, 0) */\n");
    expect_lines(f, "warp-mask-32bit", 4, 6, 7, 9, 13);
    const assay_port_finding_t *found = port_fixture_find(f, "warp-mask-32bit", 4);
    assert_string_equal(found->api, "__shfl_down_sync");
    assert_string_equal(found->replacement, "~0ull");
    assert_int_equal(found->severity, ASSAY_SEVERITY_ERROR);
    assert_int_equal(found->at.column, 27);
}

static void test_constants_of_32_lanes(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#define FULL_MASK 0xffffffff\n"
                      "#define HASH_MASK 0xffffffff\n"
                      "#define ALL_LANES_MASK 0xffffffffffffffffull\n"
                      "static const unsigned warp_mask = 0xffffffffu;\n"
                      "const unsigned long long kWarpMask = ~0ull;\n"
                      "int warpSize = 32;\n"
                      "__device__ void f(int lane, int dim) {\n"
                      "    if (lane > 31) dim = 0;\n"
                      "    int subwarp_size = 32;\n"
                      "}\n");
    expect_lines(f, "warp-mask-constant", 1, 4);
    expect_lines(f, "warp-size-assumed-32", 6, 8);
}

static void test_reduction_over_32_lanes(void **state) {
    port_fixture_t *f = *state;
    const char *const source = "__device__ float lane_sum(float v)\n"
                               "{\n"
                               "    for (int d = 16; d > 0; d >>= 1)\n"
                               "        v += __shfl_down_sync(0xffffffffu, v, d);\n"
                               "    for (int d = warpSize / 2; d > 0; d >>= 1)\n"
                               "        v += __shfl_down_sync(~0ull, v, d);\n"
                               "    for (int d = 1; d < 32; d *= 2) { v += __shfl_xor(v, d); }\n"
                               "    for (int d = 16; d > 0; d >>= 1)\n"
                               "        v += __shfl_down_sync(~0ull, v, d, 32);\n"
                               "    for (int i = 16; i > 0; i /= 2) v *= 2;\n"
                               "    v += __shfl_xor(v, 16);\n"
                               "    v += __shfl_xor(v, 16, 32);\n"
                               "    return v;\n"
                               "}\n";
    port_fixture_c(f, source);
    expect_lines(f, "warp-size-assumed-32", 3, 7, 11);
    assert_int_equal(port_fixture_find(f, "warp-size-assumed-32", 3)->effect, ASSAY_EFFECT_SILENT);
    assert_int_equal(port_fixture_find(f, "warp-size-assumed-32", 3)->severity,
                     ASSAY_SEVERITY_ERROR);
    port_fixture_read(f, port_read_c, source, "gfx1100", 700); /* 32 lanes */
    expect_none(f, "warp-size-assumed-32");
    expect_lines(f, "warp-mask-32bit", 4);
}

static void test_block_reduction(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__global__ void rows(const int *p, int n, int *out)\n"
                      "{\n"
                      "    __shared__ int part[32];\n"
                      "    int t = threadIdx.x, v = t < n ? p[t] : 0;\n"
                      "    for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0ull, v, o);\n"
                      "    if (t % 32 == 0) part[t / 32] = v;\n"
                      "    __syncthreads();\n"
                      "    if (t < 32) {\n"
                      "        v = t < blockDim.x / 32 ? part[t] : 0;\n"
                      "        for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0ull, v, o);\n"
                      "        if (t == 0) *out = v;\n"
                      "    }\n"
                      "}\n");
    assert_non_null(port_fixture_find(f, "warp-size-assumed-32", 5));
    assert_non_null(port_fixture_find(f, "warp-size-assumed-32", 6));
    expect_lines(f, "divergent-sync-shuffle", 10);
    assert_int_equal(port_fixture_find(f, "divergent-sync-shuffle", 10)->severity,
                     ASSAY_SEVERITY_WARNING);
    expect_none(f, "warp-mask-32bit");
    assert_int_equal(f->file.kernels, 1);
}

static void test_lane_numbers(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#define WARP_SIZE 32\n"
                      "constexpr int kWarpSize = 32;\n"
                      "#define TILE 32\n"
                      "__global__ void k(int *x, int n) {\n"
                      "    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;\n"
                      "    int tid = threadIdx.y * blockDim.x + threadIdx.x;\n"
                      "    int word = n / 32, bit = n & 31;\n"
                      "    int w = tid / 32;\n"
                      "    x[lane] = __ballot(x[n % 32] >> 5);\n"
                      "    if (lane == 31) x[w] = warp;\n"
                      "}\n"
                      "int words(int bits) { return bits / 32 + (bits & 31); }\n");
    expect_lines(f, "warp-size-assumed-32", 1, 2, 8, 10, 5, 5);
}

/* That a number of threads comes in 32s tells no lane apart, a thread's own number does. */
static void test_whole_warps_are_asked_for(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__global__ void k(float *x, int nthreads) {\n"
                      "    assert(blockDim.x % 32 == 0);\n"
                      "    if ((blockDim.x % 32) != 0) return;\n"
                      "    x[0] = __shfl_down_sync(~0ull, x[0], 1);\n"
                      "    if (threadIdx.x % 32 == 0) x[1] = 1;\n"
                      "}\n");
    expect_lines(f, "warp-size-assumed-32", 5);
    expect_lines(f, "warp-size-suspect", 2, 3);
}

static void test_numbers_split_without_warps(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__global__ void unpack(float *y, const int *q) {\n"
                      "    const int tid = threadIdx.x;\n"
                      "    const int half = tid / 32;\n" /* the data's layout, perhaps */
                      "    y[tid] = q[half];\n"
                      "}\n"
                      "__global__ void bits(unsigned *m, int n) {\n"
                      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "    m[i / 32] = 0;\n" /* words of a bit mask */
                      "}\n");
    expect_none(f, "warp-size-assumed-32");
    expect_lines(f, "warp-size-suspect", 3);
    assert_true(port_fixture_find(f, "warp-size-suspect", 3)->heuristic);
}

static void test_ballot_into_32_bits(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__device__ unsigned f(bool p, int lane) {\n"
                      "    unsigned a = __ballot_sync(~0ull, p);\n"
                      "    unsigned long long b = __ballot_sync(~0ull, p);\n"
                      "    auto c = __ballot(p);\n"
                      "    int n = __popc(__ballot(p));\n"
                      "    int m = __popcll(__ballot(p));\n"
                      "    uint32_t d;\n"
                      "    uint64_t e = __activemask();\n"
                      "    if (__ballot(p) != 0) n++;\n"
                      "    unsigned g = (unsigned)__ballot(p);\n"
                      "    int s = static_cast<int>(__activemask());\n"
                      "    unsigned below = (1u << lane) - 1;\n"
                      "    unsigned long long above = 1ull << lane;\n"
                      "    return __match_any_sync(~0ull, n);\n"
                      "}\n");
    expect_lines(f, "ballot-32bit", 2, 5, 10, 11, 14);
    expect_lines(f, "lane-shift-32bit", 12);
}

static void test_divergence(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(
        f, "__global__ void k(float *x) {\n"
           "    int t = threadIdx.x;\n"
           "    float v = x[t];\n"
           "    if (t < 64) v += __shfl_xor_sync(~0ull, v, 1);\n" /* whole waves */
           "    if (t < 16) v += __shfl_xor_sync(~0ull, v, 1);\n"
           "    if (t < 16) { v *= 2; }\n"
           "    v += __shfl_xor_sync(~0ull, v, 1);\n"
           "    if (t < 16) { for (int i = 0; i < 4; i++) { v += __shfl_sync(~0ull, v, i); } }\n"
           "    if (t == 0) v += __shfl_sync(0xfull, v, 1);\n" /* a mask of its own */
           "    if (blockIdx.x < 16) v += __shfl_sync(~0ull, v, 1);\n"
           "    if (t / 64 == 0) v += __shfl_sync(~0ull, v, 1);\n"
           "    x[t] = v;\n"
           "}\n");
    expect_lines(f, "divergent-sync-shuffle", 5, 8);
}

static void test_warp_size_constant(void **state) {
    port_fixture_t *f = *state;
    const char *const source = "__global__ void norm(float *x)\n"
                               "{\n"
                               "    __shared__ float part[1024 / warpSize];\n"
                               "    constexpr int nw = 256 / warpSize;\n"
                               "    part[threadIdx.x / warpSize] = x[threadIdx.x] * nw;\n"
                               "    reduce<warpSize>(x);\n"
                               "    int n = prop.warpSize, m = p->warpSize;\n"
                               "    if (n < warpSize && m > 2) return;\n"
                               "    static_assert(warpSize == 64, \"\");\n"
                               "}\n";
    port_fixture_c(f, source);
    expect_lines(f, "warpsize-not-constexpr", 3, 4, 6, 9);
    port_fixture_read(f, port_read_c, source, "gfx942", 604);
    expect_none(f, "warpsize-not-constexpr");
}

static void test_syncwarp(void **state) {
    port_fixture_t *f = *state;
    const char *const source = "__global__ void tri(float *x)\n"
                               "{\n"
                               "    __shared__ float s[64];\n"
                               "    s[threadIdx.x] = x[threadIdx.x];\n"
                               "    __syncwarp();\n"
                               "    x[threadIdx.x] = s[63 - threadIdx.x];\n"
                               "}\n";
    port_fixture_read(f, port_read_c, source, "gfx942", 604);
    expect_lines(f, "syncwarp-version", 5);
    port_fixture_c(f, source);
    assert_int_equal(f->n, 0);
}

/* --- launches and memory -------------------------------------------------------------------- */

static void test_launches(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__global__ void __launch_bounds__(256, 4) a(int *x) { x[0] = 1; }\n"
                      "__global__ void __launch_bounds__(256) b(int *x) {\n"
                      "    a<<<1, 64>>>(x);\n"
                      "}\n"
                      "constexpr int N = 96;\n"
                      "void host(int *x, int n) {\n"
                      "    dim3 block(16, 16), odd(10, 3);\n"
                      "    a<<<n, 256>>>(x);\n"
                      "    a<<<n, N, 0, stream>>>(x);\n"
                      "    a<<<n, block>>>(x);\n"
                      "    a<<<dim3(n, 2), dim3(8, 4)>>>(x);\n"
                      "    a<<<n, unknown>>>(x);\n"
                      "}\n");
    assert_int_equal(f->file.launches, 6);
    assert_int_equal(f->file.kernels, 2);
    expect_lines(f, "dynamic-parallelism", 3);
    expect_lines(f, "launch-bounds-second-arg", 1);
    expect_lines(f, "block-size-not-wave-multiple", 9, 11);
}

static void test_kernels_behind_macros(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#define MY_KERNEL static __global__\n"
                      "MY_KERNEL void a(int *x) { x[threadIdx.x] = 1; }\n"
                      "RAFT_KERNEL b(int *x) { x[0] = 1; }\n"
                      "OTHERS_MACRO void c(int *x) { x[blockIdx.x] = 1; }\n"
                      "void host(int *x) { x[0] = 1; }\n"
                      "__device__ void d(int *x) { x[threadIdx.x] = 1; }\n"
                      "template <typename T>\n__global__ void e(T *x) {}\n"
                      "__global__ void declared(int *x);\n");
    assert_int_equal(f->file.kernels, 4); /* a, b, c, e */
}

static void test_shared_memory(void **state) {
    port_fixture_t *f = *state;
    const char *const source = "#define TILE 32\n"
                               "__global__ void k(float *out, const float *in, int n) {\n"
                               "    __shared__ float a[TILE][TILE], b[TILE][TILE + 1];\n"
                               "    __shared__ double big[96][96];\n"
                               "    a[threadIdx.y][threadIdx.x] = in[threadIdx.x];\n"
                               "    b[threadIdx.y][threadIdx.x] = in[threadIdx.x];\n"
                               "    __syncthreads();\n"
                               "    out[threadIdx.x] = a[threadIdx.x][threadIdx.y];\n"
                               "    out[threadIdx.x] = b[threadIdx.x][threadIdx.y];\n"
                               "}\n";
    port_fixture_c(f, source);
    expect_lines(f, "bank-conflict", 8);
    expect_lines(f, "lds-overflow", 4); /* 96 * 96 * 8 = 73,728 B */
    assert_true(port_fixture_find(f, "bank-conflict", 8)->heuristic);
    port_fixture_read(f, port_read_c, source, "gfx950", 700); /* 160 KiB */
    expect_none(f, "lds-overflow");
}

static void test_uncoalesced(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "struct body { float mass, charge; };\n"
                      "__global__ void k(float *x, const body *p, float4 *q, int n) {\n"
                      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "    x[i] = 0;\n"
                      "    x[i * n] = 0;\n"
                      "    x[n * i + 1] = 0;\n"
                      "    x[blockIdx.x * n + i] = 0;\n"
                      "    x[i * 4] = p[i].mass;\n"
                      "    x[i] = q[i].x;\n"
                      "    int local[4]; local[i * n] = 0;\n"
                      "}\n");
    expect_lines(f, "uncoalesced", 5, 6);
    expect_lines(f, "array-of-structs", 8);
}

/* --- features ------------------------------------------------------------------------------- */

static void test_cooperative_groups(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#include <cooperative_groups.h>\n"
                      "namespace cg = cooperative_groups;\n"
                      "__global__ void k() {\n"
                      "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
                      "    auto c = cg::this_cluster();\n"
                      "    cg::wait_prior<1>(tile);\n"
                      "    auto m = cg::this_multi_grid();\n"
                      "}\n"
                      "__global__ void __cluster_dims__(2, 1, 1) l() {}\n");
    expect_lines(f, "cg-tile-32", 4);
    expect_lines(f, "cluster", 5, 9);
    expect_lines(f, "cg-async", 6);
    expect_lines(f, "cg-multi-grid", 7);
    port_fixture_c(f, "void f(task *t) { t->wait_prior(1); this_cluster(); }\n");
    assert_int_equal(f->n, 0);
}

static void test_textures(void **state) {
    port_fixture_t *f = *state;
    const char *const source = "texture<float, 2> reference;\n"
                               "void f(image texture) { use(texture); texture = other; }\n"
                               "__global__ void k(cudaTextureObject_t t, float *x) {\n"
                               "    x[0] = tex2D<float>(t, 0, 0);\n"
                               "}\n";
    port_fixture_c(f, source);
    expect_lines(f, "texture-reference", 1); /* and no variable of that name */
    expect_lines(f, "texture-no-image", 4);
    port_fixture_read(f, port_read_c, source, "gfx90a", 700);
    expect_none(f, "texture-no-image");
}

static void test_small_floats_by_target(void **state) {
    port_fixture_t *f = *state;
    const char *const source = "__nv_fp8_e4m3 a;\n__nv_fp4_e2m1 b;\n";
    static const struct {
        const char *target, *rule;
    } cases[] = {{"gfx942", "fp8-fnuz"},
                 {"gfx950", "fp8-ocp"},
                 {"gfx90a", "fp8-none"},
                 {"gfx1201", "fp8-ocp"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        port_fixture_read(f, port_read_c, source, cases[i].target, 700);
        expect_lines(f, cases[i].rule, 1);
        assert_int_equal(port_fixture_count(f, "fp8-fnuz") + port_fixture_count(f, "fp8-ocp") +
                             port_fixture_count(f, "fp8-none"),
                         1);
        assert_int_equal(port_fixture_count(f, "fp4-target"),
                         strcmp(cases[i].target, "gfx950") == 0 ? 0 : 1);
    }
}

static void test_other_features(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900\n"
                      "#endif\n"
                      "using namespace nvcuda;\n"
                      "__global__ void k() {\n"
                      "    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;\n"
                      "    __pipeline_memcpy_async(a, b, 16);\n"
                      "    cuda::memcpy_async(a, b, 16, pipe);\n"
                      "    cuda::std::array<int, 4> x;\n"
                      "    cutlass::half_t h;\n"
                      "}\n"
                      "__managed__ int counter;\n"
                      "void f() { cudaGraphConditionalHandleCreate(&h, g); cub::Sum s; }\n"
                      "void g() { nvinfer1::IBuilder *b; }\n");
    expect_lines(f, "cuda-arch", 1);
    assert_int_equal(port_fixture_count(f, "wmma"), 2);
    expect_lines(f, "async-copy", 6, 7);
    expect_lines(f, "cutlass", 9);
    expect_lines(f, "managed-memory", 11);
    expect_lines(f, "graph-conditional", 12);
    expect_lines(f, "cub-namespace", 12);
    expect_lines(f, "tensorrt", 13);
}

static void test_inline_ptx(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(
        f,
        "__device__ void f() {\n"
        "    asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));\n"
        "    asm(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1}, {%2}, {%3}, \"\n"
        "        \"{%0, %1};\\n\" : \"+f\"(a));\n"
        "    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\\n\" :: \"r\"(s));\n"
        "    asm volatile(\"{ .reg .pred p; setp.ne.b32 p, %1, 0; @p add.u32 %0, %0, 1; }\" : );\n"
        "    asm volatile(\"cp.async.bulk.tensor.2d.shared::cluster.global [%0];\" ::);\n"
        "    asm volatile(\"wgmma.fence.sync.aligned;\\n\" ::: \"memory\");\n"
        "    asm volatile(\"v_add_f32 %0, %1, %2\" : \"=v\"(y));\n" /* GCN */
        "    asm volatile(\"s_waitcnt vmcnt(0)\");\n"
        "    asm(\"rdtsc\" : \"=a\"(lo));\n" /* x86 */
        "    asm volatile(\"ld.global.nc.v4.f32 {%0,%1}, [%2];\" : );\n"
        "    asm volatile(\"\" ::: \"memory\");\n"
        "    // asm(\"bar.sync 0;\");\n"
        "}\n");
    expect_lines(f, "ptx-register", 2);
    expect_lines(f, "ptx-matrix", 3);
    expect_lines(f, "ptx-async-copy", 5);
    assert_int_equal(port_fixture_count(f, "ptx-scalar"), 2); /* setp, add */
    expect_lines(f, "ptx-tma", 7);
    expect_lines(f, "ptx-tensor-core-async", 8);
    expect_lines(f, "ptx-cache", 12);
    assert_int_equal(f->n, 8);
    assert_string_equal(port_fixture_find(f, "ptx-matrix", 3)->api, "mma.sync");
    assert_string_equal(port_fixture_find(f, "ptx-register", 2)->api, "laneid");
}

static void test_ptx_module(void **state) {
    port_fixture_t *f = *state;
    port_fixture_read(f, port_read_ptx,
                      ".version 7.0\n.target sm_80\n.visible .entry k() {\n"
                      "  .reg .b32 %r<4>;\n"
                      "  mov.u32 %r1, %tid.x; // mma.sync in a comment\n"
                      "  add.s32 %r2, %r1, 1;\n"
                      "  add.s32 %r3, %r1, 2;\n"
                      "  bar.sync 0;\n"
                      "  ret;\n}\n",
                      "gfx942", 700);
    expect_lines(f, "ptx-file", 1);
    expect_lines(f, "ptx-scalar", 5, 6); /* an opcode once a module */
    expect_lines(f, "ptx-sync", 8);
    expect_lines(f, "ptx-control", 9);
    expect_none(f, "ptx-matrix");
}

static void test_source_in_raw_strings(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "const char *source = R\"(\n"
                      "__global__ void k(float *x) {\n"
                      "    float v = __shfl_down_sync(0xffffffff, x[0], 1);\n"
                      "}\n"
                      ")\";\n"
                      "const char *text = R\"(__shfl_down_sync(0xffffffff, 1, 1))\";\n");
    expect_lines(f, "warp-mask-32bit", 3);
    assert_int_equal(port_fixture_find(f, "warp-mask-32bit", 3)->at.column, 32);
    assert_int_equal(f->file.kernels, 1);
}

static void test_unfinished_texts(void **state) {
    port_fixture_t *f = *state;
    static const char *const texts[] = {
        "",
        "{",
        "}",
        "((((",
        "))))",
        "__global__",
        "__global__ void k(",
        "asm(\"",
        "asm volatile(",
        "#",
        "#if",
        "#ifdef",
        "#define",
        "#include",
        "#include <",
        "k<<<",
        "k<<<1,",
        "for (int i = 16",
        "__shared__",
        "__shared__ float a[",
        "__shfl_sync(",
        "dim3",
        "dim3 a",
        "dim3 a(",
        "x[",
        "=",
        "a=",
        "texture<",
        "R\"(",
        "1 <<",
        "& 31",
        "% 32",
        "#endif",
        "#else",
        "#elif",
        "__device__ {",
        "if (",
        "}}}}{{{{",
        "#define A (",
        "#define",
        "warpSize",
        "[warpSize]",
        "<warpSize>",
        "__launch_bounds__(",
        "cg::",
        "tiled_partition<",
        "~",
        "__syncwarp(~",
        "= 32",
        "32",
        "\\",
        "\\\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        port_fixture_c(f, texts[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_renamed_and_counted),
        cmocka_unit_test(test_spmv_data_type),
        cmocka_unit_test(test_names_that_are_none),
        cmocka_unit_test(test_unsupported_removed_too_new),
        cmocka_unit_test(test_headers_of_libraries),
        cmocka_unit_test(test_calls_of_libraries_without_table),
        cmocka_unit_test(test_kernels_as_references),
        cmocka_unit_test(test_guards_credit),
        cmocka_unit_test(test_mask_of_32_bits),
        cmocka_unit_test(test_constants_of_32_lanes),
        cmocka_unit_test(test_reduction_over_32_lanes),
        cmocka_unit_test(test_block_reduction),
        cmocka_unit_test(test_lane_numbers),
        cmocka_unit_test(test_whole_warps_are_asked_for),
        cmocka_unit_test(test_numbers_split_without_warps),
        cmocka_unit_test(test_ballot_into_32_bits),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_warp_size_constant),
        cmocka_unit_test(test_syncwarp),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_kernels_behind_macros),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_uncoalesced),
        cmocka_unit_test(test_cooperative_groups),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_small_floats_by_target),
        cmocka_unit_test(test_other_features),
        cmocka_unit_test(test_inline_ptx),
        cmocka_unit_test(test_ptx_module),
        cmocka_unit_test(test_source_in_raw_strings),
        cmocka_unit_test(test_unfinished_texts),
    };
    return cmocka_run_group_tests(tests, port_fixture_setup, port_fixture_teardown);
}
