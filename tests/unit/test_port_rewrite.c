/* The level-1 rewrite: what changes and what must not. The last test builds two programs for gfx90a
   where hipcc is installed. */
#include "port/rewrite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay_test.h"

static char *rewrite(assay_arena_t *arena, const char *path, const char *text, uint32_t rocm,
                     uint32_t *out_changes) {
    const assay_port_options_t options = {.rocm = rocm, .target = "gfx942"};
    assay_buf_t out;
    assay_error_t err = {0};
    assay_buf_init(&out, 1 << 20);
    const assay_status_t status =
        assay_port_rewrite(arena, path, text, strlen(text), &options, &out, out_changes, &err);
    if (status != ASSAY_OK) {
        fail_msg("%s", err.what);
    }
    char *copy = assay_arena_strndup(arena, out.n ? out.data : "", out.n);
    assay_buf_done(&out);
    return copy;
}

typedef struct {
    const char *path, *text, *expected; /* expected NULL: as it was */
    uint32_t rocm;
} row_t;

static void check(const row_t *row, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assay_arena_t *arena = assay_arena_create(64 << 20);
        const char *expected = row[i].expected ? row[i].expected : row[i].text;
        const uint32_t rocm = row[i].rocm ? row[i].rocm : 604;
        uint32_t changes = 0, again = 0;
        const char *once = rewrite(arena, row[i].path, row[i].text, rocm, &changes);
        if (strcmp(once, expected) != 0) {
            fail_msg("%s\n--- became\n%s\n--- expected\n%s", row[i].text, once, expected);
        }
        assert_int_equal(changes > 0, row[i].expected != NULL);
        if (strcmp(rewrite(arena, row[i].path, once, rocm, &again), once) != 0 || again) {
            fail_msg("not the same a second time:\n%s", once);
        }
        assay_arena_destroy(arena);
    }
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof *(rows))

static void names(void **state) {
    (void)state;
    static const row_t rows[] = {
        {"a.cpp", "cudaMalloc(&p, n); cudaFree(p);", "hipMalloc(&p, n); hipFree(p);", 0},
        {"a.cpp", "::cudaFree(p); return cudaSuccess;", "::hipFree(p); return hipSuccess;", 0},
        {"a.cpp", "// cudaFree\n/* cudaFree */ s = \"cudaFree\"; c = R\"(cudaFree)\";", NULL, 0},
        {"a.cpp", "cudaCheck(x); my_cudaFree(x); cudaFreeAll(x); CUDAFREE(x);", NULL, 0},
        {"a.cpp", "a.cudaFree(p); b->cudaFree(p); mine::cudaFree(p);", NULL, 0},
        {"a.cpp", "#define cudaFree my_free\nvoid f() { cudaFree(p); }\n", NULL, 0},
        {"a.cpp", "#define FREE(p) cudaFree(p)\n", "#define FREE(p) hipFree(p)\n", 0},
        {"a.cpp", "#error needs cudaFree\n#pragma cudaFree\n", NULL, 0},
        {"a.cpp", "cuda\\\nFree(p);\n", "hipFree(p);\n", 0},
        {"a.cpp", "k<<<g, b>>>(p);", NULL, 0},
        {"a.cpp", "cudaThreadSynchronize();", "hipDeviceSynchronize();", 0},
        {"a.cpp", "cudaFuncSetAttribute(f, a, b); cuTensorMapEncodeTiled(t);",
         "hipFuncSetAttribute(f, a, b); cuTensorMapEncodeTiled(t);", 0},
        {"a.cpp", "cudnnCreate(&h);", NULL, 0}, /* MIOpen takes other arguments */
        {"a.cpp", "CUdeviceptr p; cuMemFree(p);", "hipDeviceptr_t p; hipFree(p);", 0},
        {"a.c", "char *cuda = \"x\"; int cub = 1; cub++;", NULL, 0},
        {"a.cpp", "cub::BlockReduce<float, 128> r; using namespace cub;",
         "hipcub::BlockReduce<float, 128> r; using namespace hipcub;", 0},
        {"a.cpp", "thrust::sort(thrust::cuda::par.on(s), a, b);",
         "thrust::sort(thrust::hip::par.on(s), a, b);", 0},
        {"a.cpp", "cuda::std::atomic<int> a; torch::cuda::f();", NULL, 0},
    };
    CHECK(rows);
}

static void headers(void **state) {
    (void)state;
    static const row_t rows[] = {
        {"a.cpp", "#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n", 0},
        {"a.cpp", "#include \"cuda.h\" // why\n", "#include \"hip/hip_runtime.h\" // why\n", 0},
        {"a.cpp", "# include  <cublas_v2.h>\n", "# include  <hipblas/hipblas.h>\n", 0},
        {"a.cpp", "#include <cub/block/block_scan.cuh>\n", "#include <hipcub/hipcub.hpp>\n", 0},
        {"a.cpp", "#include <cuda_bf16.h>\n", "#include <hip/hip_bf16.h>\n", 0},
        {"a.cpp", "#include <nccl.h>\n", "#include <rccl/rccl.h>\n", 0},
        {"a.cpp", "#include <thrust/sort.h>\n#include \"mine/cuda_runtime.h\"\n", NULL, 0},
        {"a.cpp", "#include <cudnn.h>\n#include <mma.h>\n#include <nvtx3/nvtx3.hpp>\n", NULL, 0},
        {"a.cpp", "#include <cuda.h>\n#include <cuda_runtime.h>\nint x;\n",
         "#include <hip/hip_runtime.h>\nint x;\n", 0},
        {"a.h", "#ifndef A\n#define A\n#include <cuda.h>\n  #include <cuda_runtime.h>\n#endif\n",
         "#ifndef A\n#define A\n#include <hip/hip_runtime.h>\n#endif\n", 0},
        {"a.h", "#ifdef X\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
         "#ifdef X\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
         0},
        {"a.cpp", "#include <cuda.h>\n#include <cuda_runtime.h> // both\n",
         "#include <hip/hip_runtime.h>\n#include <hip/hip_runtime.h> // both\n", 0},
        {"a.cpp", "#include <nvtx3/nvToolsExt.h>\nint i = nvtxRangePushA(\"a\");\n",
         "#include <roctracer/roctx.h>\nint i = roctxRangePushA(\"a\");\n", 0},
    };
    CHECK(rows);
}

static void guarded_code_is_ported_already(void **state) {
    (void)state;
    static const row_t rows[] = {
        {"a.cpp", "#ifdef USE_ROCM\nhipFree(p);\n#else\ncudaFree(p);\n#endif\n", NULL, 0},
        {"a.cpp",
         "#if defined(__HIP_PLATFORM_AMD__)\n#include <hip/hip_runtime.h>\n#else\n"
         "#include <cuda_runtime.h>\n#endif\n",
         NULL, 0},
        {"a.cpp", "#if 0\ncudaFree(p);\n#endif\n", NULL, 0},
        {"a.cpp", "#ifdef DEBUG\ncudaFree(p);\n#endif\n", "#ifdef DEBUG\nhipFree(p);\n#endif\n", 0},
        {"a.cpp", "#ifdef __CUDACC__\ncudaFree(p);\n#endif\n",
         "#ifdef __HIPCC__\nhipFree(p);\n#endif\n", 0},
        {"a.cpp", "#if defined(__CUDACC__) || defined(__HIPCC__)\nint x;\n#endif\n", NULL, 0},
        {"a.cpp", "#if CUDART_VERSION >= 11000\nint x;\n#endif\n", NULL, 0},
    };
    CHECK(rows);
}

/* The enumeration of data types served several libraries: it is hipDataType's member everywhere,
   and the calls that take it are those of hipBLAS that take hipDataType. */
static void data_types_by_library_and_release(void **state) {
    (void)state;
    static const row_t rows[] = {
        {"spmv.cu",
         "#include <cusparse.h>\nvoid mk(cusparseDnVecDescr_t *v, int n, float *p)\n{\n"
         "    cusparseCreateDnVec(v, n, p, CUDA_R_32F);\n}\n",
         "#include <hip/hip_runtime.h>\n#include <hipsparse/hipsparse.h>\n"
         "void mk(hipsparseDnVecDescr_t *v, int n, float *p)\n{\n"
         "    hipsparseCreateDnVec(v, n, p, HIP_R_32F);\n}\n",
         604},
        {"a.cpp", "cublasGemmEx(h, a, CUDA_R_32F, CUBLAS_COMPUTE_32F);",
         "hipblasGemmEx_v2(h, a, HIP_R_32F, HIPBLAS_COMPUTE_32F);", 604},
        {"a.cpp", "cublasGemmEx(h, a, CUDA_R_32F, CUBLAS_COMPUTE_32F);",
         "hipblasGemmEx(h, a, HIP_R_32F, HIPBLAS_COMPUTE_32F);", 700},
        {"a.cpp", "cublasGemmEx(h, a, CUDA_R_32F, CUBLAS_COMPUTE_32F);", NULL, 502},
    };
    CHECK(rows);
}

/* hipcc does not bring the runtime by itself. */
static void sources_get_the_runtime_header_once(void **state) {
    (void)state;
    static const row_t rows[] = {
        {"a.cu", "// c\n#include <math.h>\n__global__ void k() {}\n",
         "// c\n#include <hip/hip_runtime.h>\n#include <math.h>\n__global__ void k() {}\n", 0},
        {"a.cu", "#include <cuda_runtime.h>\n__global__ void k() {}\n",
         "#include <hip/hip_runtime.h>\n__global__ void k() {}\n", 0},
        {"a.cu", "/* c */\n__global__ void k() {}\n",
         "/* c */\n#include <hip/hip_runtime.h>\n__global__ void k() {}\n", 0},
        {"a.cu", "#ifdef _WIN32\n#include <w.h>\n#endif\n#include <m.h>\ncudaFree(p);\n",
         "#ifdef _WIN32\n#include <w.h>\n#endif\n#include <hip/hip_runtime.h>\n"
         "#include <m.h>\nhipFree(p);\n",
         0},
        {"a.cu", "cudaFree(p);\n", "#include <hip/hip_runtime.h>\nhipFree(p);\n", 0},
        {"a.cu", "int x;\n", NULL, 0},
        {"a.cuh", "__global__ void k() {}\n", NULL, 0},
    };
    CHECK(rows);
}

static void build_files(void **state) {
    (void)state;
    static const row_t rows[] = {
        {"Makefile", "CC = nvcc\nL = -lcublas -lm # -lcublas\n",
         "CC = hipcc\nL = -lhipblas -lm # -lcublas\n", 0},
        {"Makefile", "CC = /usr/local/cuda/bin/nvcc\n", NULL, 0},
        {"Makefile", "F = -gencode arch=compute_80,code=sm_80\n", NULL, 0},
        {"CMakeLists.txt", "target_link_libraries(a CUDA::cublas CUDA::cudart)\n",
         "target_link_libraries(a roc::hipblas hip::host)\n", 0},
        {"CMakeLists.txt", "find_package(hip)\ntarget_link_libraries(a CUDA::cublas)\n", NULL, 0},
        {"run.sh", "nvcc a.cu -lcublas\n", NULL, 0},
        {"a.py", "cudaFree = 1\n", NULL, 0},
    };
    CHECK(rows);
}

static char *read_program(assay_arena_t *arena, const char *name) {
    assay_error_t err;
    char *data;
    size_t size;
    const char *path = assay_arena_printf(arena, "%s/tests/port/%s", ASSAY_SOURCE_DIR, name);
    assert_int_equal(assay_file_read(arena, path, 1 << 20, &data, &size, &err), ASSAY_OK);
    return data;
}

/* Exit status of "hipcc --offload-arch=gfx90a -x hip -c FILE", 127 when there is none. */
static int compile(const char *source, const char *object) {
    const pid_t pid = fork();
    if (pid == 0) {
        const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null < 0 || dup2(null, STDOUT_FILENO) < 0) {
            _exit(126);
        }
        execlp("hipcc", "hipcc", "--offload-arch=gfx90a", "-x", "hip", "-Wno-unused-result", "-c",
               source, "-o", object, (char *)NULL);
        _exit(127);
    }
    int result = 0;
    assert_int_equal(waitpid(pid, &result, 0), pid);
    return WIFEXITED(result) ? WEXITSTATUS(result) : 128;
}

static void rewritten_programs_compile_for_gfx90a(void **state) {
    (void)state;
    static const char *const program[] = {"saxpy.cu", "histogram.cu"};
    char folder[] = "/tmp/assay_rewrite_XXXXXX";
    assay_arena_t *arena = assay_arena_create(64 << 20);
    assert_non_null(mkdtemp(folder));
    int worst = 0;
    for (size_t i = 0; i < 2; i++) {
        uint32_t changes = 0;
        assay_error_t err;
        const char *text =
            rewrite(arena, program[i], read_program(arena, program[i]), 502, &changes);
        assert_true(changes > 10);
        const char *source = assay_arena_printf(arena, "%s/%s", folder, program[i]);
        const char *object = assay_arena_printf(arena, "%s.o", source);
        assert_int_equal(assay_file_write(source, text, strlen(text), &err), ASSAY_OK);
        const int result = compile(source, object);
        (void)unlink(source);
        (void)unlink(object);
        worst = worst ? worst : result;
    }
    assert_int_equal(rmdir(folder), 0);
    assay_arena_destroy(arena);
    if (worst == 127) {
        print_message("hipcc is not installed\n");
        skip();
    }
    assert_int_equal(worst, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(headers),
        cmocka_unit_test(guarded_code_is_ported_already),
        cmocka_unit_test(data_types_by_library_and_release),
        cmocka_unit_test(sources_get_the_runtime_header_once),
        cmocka_unit_test(build_files),
        cmocka_unit_test(rewritten_programs_compile_for_gfx90a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
