/* Whole trees: what only they can tell, the order of findings, and what hipify-perl gets wrong.
   Each of its faults was seen with ROCm/HIPIFY 014177bc on public code; the texts here are our own.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/hooks.h"
#include "port_source_fixture.h"

typedef struct {
    char dir[64];
    char *path[16];
    unsigned n;
} tree_t;

static void tree_open(tree_t *tree) {
    *tree = (tree_t){.n = 0};
    (void)snprintf(tree->dir, sizeof tree->dir, "/tmp/assay-port-XXXXXX");
    assert_non_null(mkdtemp(tree->dir));
}

static void tree_add(tree_t *tree, const char *name, const char *text) {
    char *path;
    assert_true(asprintf(&path, "%s/%s", tree->dir, name) > 0);
    tree->path[tree->n++] = path;
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void tree_close(tree_t *tree) {
    while (tree->n > 0) {
        (void)unlink(tree->path[--tree->n]);
        free(tree->path[tree->n]);
    }
    (void)rmdir(tree->dir);
}

static assay_port_scan_t *scan(port_fixture_t *f, const tree_t *tree, uint32_t threads) {
    const assay_port_options_t options = {.rocm = 700, .target = "gfx942", .threads = threads};
    assay_port_scan_t *result = NULL;
    assay_error_t err = {0};
    if (assay_port_scan(f->arena, tree->dir, &options, &result, &err) != ASSAY_OK) {
        print_error("%s: %s\n", err.file, err.what);
        fail();
    }
    return result;
}

static uint32_t count(const assay_port_scan_t *s, const char *rule) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_finding; i++) {
        n += strcmp(s->finding[i].rule, rule) == 0;
    }
    return n;
}

static void test_shim_of_the_tree(void **state) {
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a.cu",
             "__device__ float f(float v) {\n"
             "    return __shfl_xor_sync(0xffffffff, v, 1) + __vsub4(1, 2);\n}\n"
             "void g(float **p) { cudaMalloc(p, 1); cuTensorMapEncodeTiled(); }\n");
    assay_port_scan_t *s = scan(*state, &tree, 1);
    assert_int_equal(count(s, "warp-mask-32bit"), 1);
    assert_int_equal(count(s, "api-unsupported-device"), 1);
    assert_int_equal(count(s, "api-renamed"), 1);
    tree_add(&tree, "hip_shim.h",
             "#include <hip/hip_runtime.h>\n"
             "#define cudaMalloc hipMalloc\n"
             "#define __shfl_xor_sync(mask, v, d) __shfl_xor(v, d)\n"
             "static __device__ int __vsub4(int a, int b) { return a - b; }\n");
    s = scan(*state, &tree, 1);
    assert_int_equal(count(s, "warp-mask-32bit"), 0);
    assert_int_equal(count(s, "api-unsupported-device"), 0);
    assert_int_equal(count(s, "api-renamed"), 0);
    assert_int_equal(count(s, "api-unsupported"), 1); /* nobody defines it */
    tree_close(&tree);
}

static void test_macros_of_the_cuda_side(void **state) {
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a.cuh",
             "#if !defined(USE_ROCM)\n#define HAS_TILES\n#endif\n"
             "#define HAS_MORE 1\n"
             "#ifndef USE_ROCM\n#define HAS_MORE 2\n#endif\n");
    tree_add(&tree, "b.cu",
             "#ifdef HAS_TILES\nvoid f() { cuTensorMapEncodeTiled(); }\n#endif\n"
             "#if defined(HAS_MORE)\nvoid g() { cuTensorMapEncodeIm2col(); }\n#endif\n");
    const assay_port_scan_t *s = scan(*state, &tree, 1);
    assert_int_equal(s->n_finding, 1);
    assert_string_equal(s->finding[0].api, "cuTensorMapEncodeIm2col");
    assert_int_equal(assay_port_file_references(&s->file[1]).ported, 1);
    assert_int_equal(assay_port_file_references(&s->file[1]).cuda_only, 1);
    tree_close(&tree);
}

/* A HIP build has MY_USE_HIP where a CUDA build has MY_USE_CUDA. */
static void test_macros_with_a_twin(void **state) {
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a.cu",
             "#ifdef MY_USE_CUDA\nvoid f() { cuTensorMapEncodeTiled(); }\n#endif\n"
             "#ifdef MY_FAST\nvoid g() { cuTensorMapEncodeIm2col(); }\n#endif\n");
    assert_int_equal(scan(*state, &tree, 1)->n_finding, 2);
    tree_add(&tree, "b.h", "#if defined(MY_USE_HIP)\nvoid h();\n#endif\n");
    const assay_port_scan_t *s = scan(*state, &tree, 1);
    assert_int_equal(s->n_finding, 1);
    assert_string_equal(s->finding[0].api, "cuTensorMapEncodeIm2col");
    tree_close(&tree);
}

static void test_headers_of_the_cuda_side(void **state) {
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a.cu",
             "#ifdef USE_ROCM\n#include \"impl_amd.h\"\n#else\n#include \"impl_nv.cuh\"\n#endif\n");
    tree_add(&tree, "impl_nv.cuh", "__device__ void f() { asm(\"bar.sync 0;\"); }\n");
    const assay_port_scan_t *s = scan(*state, &tree, 1);
    assert_int_equal(s->n_finding, 0);
    tree_add(&tree, "b.cu", "#include \"impl_nv.cuh\"\n"); /* now a HIP build sees it */
    s = scan(*state, &tree, 1);
    assert_int_equal(count(s, "ptx-sync"), 1);
    tree_close(&tree);
}

/* What only such headers and files with a twin include is of the CUDA side as well. */
static void test_headers_of_the_cuda_side_of_others(void **state) {
    tree_t tree;
    tree_open(&tree);
    const char *const source = "__device__ void f() { asm(\"bar.sync 0;\"); }\n";
    tree_add(&tree, "a.cu", "#ifndef USE_ROCM\n#include \"nv.cuh\"\n#endif\n");
    tree_add(&tree, "nv.cuh", "#include \"nv_more.cuh\"\n");
    tree_add(&tree, "nv_more.cuh", "#include <deepest.cuh>\n");
    tree_add(&tree, "deepest.cuh",
             "#include <deepest.cuh>\n" /* somebody else's of the same name */
             "__device__ void f() { asm(\"bar.sync 0;\"); }\n");
    tree_add(&tree, "sum_cuda.cu", "#include \"sum_part.cuh\"\n");
    tree_add(&tree, "sum_part.cuh", source);
    tree_add(&tree, "nobody.cuh", source); /* not known who includes it */
    const assay_port_scan_t *s = scan(*state, &tree, 1);
    assert_int_equal(count(s, "ptx-sync"), 2);
    assert_string_equal(s->finding[0].at.file, "nobody.cuh");
    assert_string_equal(s->finding[1].at.file, "sum_part.cuh");
    tree_add(&tree, "sum_hip.cu", "");
    s = scan(*state, &tree, 2);
    assert_int_equal(count(s, "ptx-sync"), 1);
    tree_add(&tree, "b.cu", "#include <x/deepest.cuh>\n"); /* now a HIP build sees it */
    s = scan(*state, &tree, 1);
    assert_int_equal(count(s, "ptx-sync"), 2);
    assert_string_equal(s->finding[0].at.file, "deepest.cuh");
    tree_close(&tree);
}

/* What a build names in its CUDA branch alone is left out of its HIP build. */
static void test_sources_of_the_cuda_side(void **state) {
    tree_t tree;
    tree_open(&tree);
    const char *const source = "__device__ void f() { asm(\"bar.sync 0;\"); }\n";
    tree_add(&tree, "tensor.cu", source);
    tree_add(&tree, "plain.cu", source);
    tree_add(&tree, "both.cu", source);
    tree_add(&tree, "other.cu", source);
    tree_add(
        &tree, "CMakeLists.txt",
        "set(SOURCES both.cu)\n"
        "if(BUILD_CUDA)\n"
        "  if(75 IN_LIST ARCHS)\n    list(APPEND SOURCES \"csrc/tensor.cu\")\n  endif()\n"
        "  list(APPEND SOURCES plain.cu)\n"
        "elseif(BUILD_HIP)\n"
        "  enable_language(HIP)\n  list(APPEND SOURCES plain.cu)\n"
        "endif()\n"
        "if(USE_ROCM)\n  # nothing\nelse()\n  list(APPEND SOURCES other.cu) # CUDA\nendif()\n");
    const assay_port_scan_t *s = scan(*state, &tree, 1);
    assert_int_equal(count(s, "ptx-sync"), 2);
    for (uint32_t i = 0; i < s->n_finding; i++) {
        assert_true(strcmp(s->finding[i].at.file, "plain.cu") == 0 ||
                    strcmp(s->finding[i].at.file, "both.cu") == 0);
    }
    tree_close(&tree);
}

static void test_files_with_a_twin(void **state) {
    static const char make[] = "NVCC = nvcc\n",
                      source[] = "void f(float **p) { cudaMalloc(p, 1); }\n";
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "Makefile", make);
    tree_add(&tree, "sum_cuda.cu", source);
    tree_add(&tree, "other.cu", source);
    assert_int_equal(count(scan(*state, &tree, 1), "api-renamed"), 2);
    tree_add(&tree, "Makefile.rocm", "HIPCC = hipcc\n");
    tree_add(&tree, "sum_hip.cpp", "void f(float **p) { hipMalloc(p, 1); }\n");
    tree_add(&tree, "other-rocm.cu", ""); /* a source has its twin under the same name only */
    const assay_port_scan_t *s = scan(*state, &tree, 2);
    assert_int_equal(s->n_finding, 1);
    assert_string_equal(s->finding[0].at.file, "other.cu");
    tree_close(&tree);
}

static void test_arch_that_the_tree_defines_for_hip(void **state) {
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a.cu", "#if __CUDA_ARCH__ >= 700\n__device__ int f();\n#endif\n");
    assert_int_equal(count(scan(*state, &tree, 1), "cuda-arch"), 1);
    tree_add(&tree, "hip.h", "#include <hip/hip_runtime.h>\n#define __CUDA_ARCH__ 900\n");
    assert_int_equal(count(scan(*state, &tree, 1), "cuda-arch"), 0);
    tree_close(&tree);
}

static void test_same_result_on_any_number_of_threads(void **state) {
    tree_t tree;
    tree_open(&tree);
    static const char *const names[] = {"d.cu", "a.cu", "c.cuh", "b.cpp"};
    for (unsigned i = 0; i < 4; i++) {
        tree_add(&tree, names[i],
                 "void f(float **p) { cudaMalloc(p, 4); cudaFree(*p); }\n"
                 "__global__ void k() { asm(\"bar.sync 0;\"); }\n");
    }
    const assay_port_scan_t *one = scan(*state, &tree, 1), *four = scan(*state, &tree, 4);
    assert_int_equal(one->n_finding, 12);
    assert_int_equal(four->n_finding, 12);
    for (uint32_t i = 0; i < 12; i++) {
        const assay_port_finding_t *a = &one->finding[i], *b = &four->finding[i];
        assert_string_equal(a->at.file, b->at.file);
        assert_int_equal(a->at.line, b->at.line);
        assert_int_equal(a->at.column, b->at.column);
        assert_string_equal(a->rule, b->rule);
        assert_string_equal(a->api, b->api);
    }
    assert_string_equal(one->finding[0].at.file, "a.cu");
    assert_string_equal(one->finding[11].at.file, "d.cu");
    assert_true(one->lines == 8 && one->n_file == 4);
    tree_close(&tree);
}

static bool stop(void *ctx) {
    (void)ctx;
    return true;
}

static void test_cancel(void **state) {
    port_fixture_t *f = *state;
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a.cu", "int x;\n");
    const assay_hooks_t hooks = {.cancelled = stop};
    const assay_port_options_t options = {.hooks = &hooks};
    assay_port_scan_t *result = NULL;
    assert_int_equal(assay_port_scan(f->arena, tree.dir, &options, &result, NULL), ASSAY_CANCELLED);
    assert_null(result);
    tree_close(&tree);
}

/* --- what hipify-perl gets wrong ------------------------------------------------------------ */

static void test_fault_own_macros_are_no_leftovers(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#define cudaGuard(call) guard((call), __FILE__)\n"
                      "void f() { cudaGuard(run()); }\n");
    assert_int_equal(f->n, 0);
}

static void test_fault_names_end_where_words_end(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "void f() { cudaLaunchKernelExC(&c, k, a); }\n"
                      "int g(image_t texture) { return texture.width; }\n");
    expect_none(f, "api-removed"); /* neither cudaLaunch nor texture */
    expect_none(f, "texture-reference");
    expect_lines(f, "api-renamed", 1);
}

static void test_fault_comments_and_strings_are_no_code(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "/* then cudaMalloc(&p, n) */\n"
                      "const char *hint = \"call cudaFree first\";\n");
    assert_int_equal(f->n, 0);
    assert_int_equal(assay_port_file_references(&f->file).all, 0);
}

static void test_fault_kernel_code_is_not_silent(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#include <mma.h>\n#include <nccl.h>\n#include <nvToolsExt.h>\n"
                      "#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n#include <cuda/std/atomic>\n"
                      "#include <cute/tensor.hpp>\n"
                      "#define WARP_SIZE 32\n"
                      "__global__ void k(unsigned *x, float v) {\n"
                      "    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" ::);\n"
                      "    int lane = threadIdx.x & 31;\n"
                      "    v = __shfl_sync(0xffffffff, v, lane);\n"
                      "    x[0] = __popc(__ballot_sync(~0ull, v > 0));\n"
                      "}\n");
    for (uint32_t line = 1; line <= 8; line++) {
        bool found = false;
        for (uint32_t i = 0; i < f->n; i++) {
            found |= f->finding[i].at.line == line;
        }
        assert_true(found);
    }
    expect_lines(f, "ptx-async-copy", 10);
    expect_lines(f, "warp-size-assumed-32", 8, 11);
    expect_lines(f, "warp-mask-32bit", 12);
    expect_lines(f, "ballot-32bit", 13);
}

static void test_fault_shuffles_are_there(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "__device__ float f(float v) { return __shfl_down_sync(~0ull, v, 1); }\n");
    assert_int_equal(f->n, 0); /* HIP has them since 6.2, by default since 7.0 */
    port_fixture_read(f, port_read_c,
                      "__device__ float f(float v) {\n"
                      "    return __shfl_down_sync(~0ull, v, 1); }\n",
                      "gfx942", 600);
    expect_lines(f, "api-too-new", 2);
}

static void test_fault_odd_paths_do_not_stop_the_scan(void **state) {
    tree_t tree;
    tree_open(&tree);
    tree_add(&tree, "a b'c.cu", "void f(float **p) { cudaMalloc(p, 4); }\n");
    tree_add(&tree, "unreadable.cu", "");
    assert_int_equal(chmod(tree.path[1], 0), 0);
    tree_add(&tree, "z.cu", "void f(float **p) { cudaFree(*p); }\n");
    const assay_port_scan_t *s = scan(*state, &tree, 2);
    assert_int_equal(s->n_finding, 2);
    assert_string_equal(s->finding[0].at.file, "a b'c.cu");
    assert_string_equal(s->finding[1].at.file, "z.cu");
    tree_close(&tree);
}

/* It took out a second include of hip_runtime.h only where one stood before, and ended with 0
   whatever it found: our rewrite adds none to a file that has one, and --fail-on is the exit code
   (a test of the command, tests/cli/scan.sh). */
static void test_fault_no_second_include(void **state) {
    (void)state;
    static const char *const text[] = {
        "#include <cuda_runtime.h>\n#include <cuda.h>\nvoid f() { cudaFree(0); }\n",
        "#include <hip/hip_runtime.h>\n#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n",
        "void f() { cudaFree(0); }\n"};
    for (unsigned i = 0; i < 3; i++) {
        assay_arena_t *arena = assay_arena_create(64 << 20);
        const assay_port_options_t options = {.rocm = 700, .target = "gfx942"};
        assay_buf_t out;
        uint32_t changes;
        assay_error_t err = {0};
        assay_buf_init(&out, 1 << 16);
        assert_int_equal(assay_port_rewrite(arena, "a.cu", text[i], strlen(text[i]), &options, &out,
                                            &changes, &err),
                         ASSAY_OK);
        assay_buf_add(&out, "", 1);
        const char *first = strstr(out.data, "#include <hip/hip_runtime.h>");
        assert_non_null(first);
        assert_null(strstr(first + 1, "#include <hip/hip_runtime.h>"));
        assay_buf_done(&out);
        assay_arena_destroy(arena);
    }
}

static void test_fault_cudnn_is_miopen(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "cudnnHandle_t h;\n");
    assert_string_equal(port_fixture_find(f, "api-renamed", 1)->replacement, "miopenHandle_t");
}

static void test_fault_ported_code_is_no_work(void **state) {
    port_fixture_t *f = *state;
    port_fixture_c(f, "#if defined(GGML_USE_HIP)\n"
                      "#define MASK ~0ull\n"
                      "#else\n"
                      "#define MASK 0xffffffff\n"
                      "#define WARP_SIZE 32\n"
                      "__device__ int lane() { return threadIdx.x & 31; }\n"
                      "void f() { cudaMalloc(&p, 4); }\n"
                      "#endif\n");
    assert_int_equal(f->n, 0);
    assert_int_equal(assay_port_file_references(&f->file).all, 1);
    assert_int_equal(assay_port_file_references(&f->file).ported, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shim_of_the_tree),
        cmocka_unit_test(test_macros_of_the_cuda_side),
        cmocka_unit_test(test_macros_with_a_twin),
        cmocka_unit_test(test_headers_of_the_cuda_side),
        cmocka_unit_test(test_headers_of_the_cuda_side_of_others),
        cmocka_unit_test(test_sources_of_the_cuda_side),
        cmocka_unit_test(test_files_with_a_twin),
        cmocka_unit_test(test_arch_that_the_tree_defines_for_hip),
        cmocka_unit_test(test_same_result_on_any_number_of_threads),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_fault_own_macros_are_no_leftovers),
        cmocka_unit_test(test_fault_names_end_where_words_end),
        cmocka_unit_test(test_fault_comments_and_strings_are_no_code),
        cmocka_unit_test(test_fault_kernel_code_is_not_silent),
        cmocka_unit_test(test_fault_shuffles_are_there),
        cmocka_unit_test(test_fault_odd_paths_do_not_stop_the_scan),
        cmocka_unit_test(test_fault_no_second_include),
        cmocka_unit_test(test_fault_cudnn_is_miopen),
        cmocka_unit_test(test_fault_ported_code_is_no_work),
    };
    return cmocka_run_group_tests(tests, port_fixture_setup, port_fixture_teardown);
}
