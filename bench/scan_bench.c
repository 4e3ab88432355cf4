#include "scan_bench.h"

#include <string.h>

#include "assay/text.h"
#include "port/port_sink.h"

#define FILES 128u
#define FILE_BYTES 65536u
#define TOKENS 65536u

/* Parts that a tree is put together from, in the proportion that public CUDA code has them: much
   host code and comments, some kernels, few warp exchanges and little PTX. @ becomes a number. */
static const char *const parts[] = {
    "/* Rows of block @ are summed by one thread each; the caller has checked the shape, and\n"
    "   cudaMalloc in a comment is nothing. */\n",
    "// part @: see the note on tiles above, and keep the order of the arguments\n\n",
    "static inline int round_up_@(int value, int multiple) {\n"
    "    const int rest = value % multiple;\n"
    "    return rest == 0 ? value : value + multiple - rest;\n"
    "}\n\n",
    "struct options_@ {\n    int batch, heads, length;\n    float scale;\n    bool causal;\n"
    "    std::vector<std::string> names;\n};\n\n",
    "static void run_@(const float *host, float *out, int n, cudaStream_t stream) {\n"
    "    float *device = nullptr;\n"
    "    CHECK(cudaMalloc(&device, n * sizeof(float)));\n"
    "    CHECK(cudaMemcpyAsync(device, host, n * sizeof(float), cudaMemcpyHostToDevice, stream));\n"
    "    scale_@<<<(n + 255) / 256, 256, 0, stream>>>(device, 0.5f, n);\n"
    "    CHECK(cudaGetLastError());\n"
    "    CHECK(cudaFree(device));\n"
    "    printf(\"ran part @ over %d values\\n\", n);\n"
    "}\n\n",
    "__global__ void scale_@(float *x, float factor, int n) {\n"
    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) {\n        x[i] *= factor;\n    }\n}\n\n",
    "__global__ void sum_@(const float *x, float *out, int n) {\n"
    "    __shared__ float part[32];\n"
    "    float value = 0.0f;\n"
    "    for (int i = threadIdx.x; i < n; i += blockDim.x) {\n        value += x[i];\n    }\n"
    "    for (int d = 16; d > 0; d >>= 1) {\n"
    "        value += __shfl_down_sync(0xffffffff, value, d);\n    }\n"
    "    if (threadIdx.x % 32 == 0) {\n        part[threadIdx.x / 32] = value;\n    }\n"
    "    __syncthreads();\n}\n\n",
    "template <typename T, int N>\nclass Pool@ {\npublic:\n"
    "    explicit Pool@(size_t bytes) : bytes_(bytes), used_(0) {}\n"
    "    T *take(size_t n) {\n        if (used_ + n > bytes_) {\n            return nullptr;\n"
    "        }\n        used_ += n;\n        return base_ + used_ - n;\n    }\n"
    "private:\n    T *base_ = nullptr;\n    size_t bytes_, used_;\n};\n\n",
    "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n\n",
    "static const unsigned table_@[] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f,\n"
    "                                   0x6f, 12u, 100'000u, 1u << 20, 0xffu};\n\n",
    "TEST(Part@, AgreesWithHost) {\n"
    "    std::vector<float> expected(1024), actual(1024);\n"
    "    for (size_t i = 0; i < expected.size(); ++i) {\n"
    "        expected[i] = std::sqrt(static_cast<float>(i)) + 0.25f;\n    }\n"
    "    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());\n"
    "    EXPECT_NEAR(expected[7], actual[7], 1e-5f);\n}\n\n",
    "__device__ unsigned lane_@() {\n    unsigned lane;\n"
    "    asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n    return lane;\n}\n\n",
};

/* Of every eight files five are CUDA, two Python and one builds them, as in public trees. */
static const char *const python_parts[] = {
    "class Layer@(torch.nn.Module):\n    \"\"\"Rows are normalised; cudaMalloc here is a "
    "word.\"\"\"\n\n"
    "    def __init__(self, width, device='cuda'):\n        super().__init__()\n"
    "        self.weight = torch.nn.Parameter(torch.empty(width, device=device))\n\n"
    "    def forward(self, x):\n        # part @ keeps the shape\n"
    "        return x * self.weight.rsqrt() + 0.5\n\n",
    "@triton.jit\ndef kernel_@(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
    "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n) * 2, mask=at < n)\n\n",
    "source_@ = r\"\"\"\nextern \"C\" __global__ void twice(float *x, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] *= "
    "2.0f;\n}\n\"\"\"\n\n",
    "def test_part_@(tmp_path):\n    rows = [{'name': f'row {i}', 'value': i ** 2} for i in "
    "range(@)]\n"
    "    assert sum(row['value'] for row in rows) > 0, 'all of them'\n\n",
};
static const char *const build_parts[] = {
    "# part @\nadd_library(part_@ STATIC part_@.cu part_@.cpp)\n"
    "target_include_directories(part_@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)\n\n",
    "if(CMAKE_VERSION VERSION_LESS 3.18)\n    message(FATAL_ERROR \"too old for part "
    "@\")\nendif()\n\n",
    "target_compile_options(part_@ PRIVATE\n"
    "    $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math -Xcompiler=-fPIC -O3>)\n"
    "target_link_libraries(part_@ PRIVATE CUDA::cublas fmt::fmt)\n\n",
};

static const struct {
    const char *path;
    uint8_t language;
    const char *const *part;
    uint32_t n_part;
    void (*read)(port_sink_t *sink, const port_text_t *text);
} kinds[] = {
    {"part.cu", ASSAY_PORT_CUDA, parts, sizeof parts / sizeof *parts, port_read_c},
    {"part.py", ASSAY_PORT_PYTHON, python_parts, sizeof python_parts / sizeof *python_parts,
     port_read_python},
    {"CMakeLists.txt", ASSAY_PORT_CMAKE, build_parts, sizeof build_parts / sizeof *build_parts,
     port_read_build},
};
static const uint8_t kind_of[8] = {0, 1, 0, 0, 2, 0, 1, 0};

struct scan_bench {
    const port_tables_t *tables;
    assay_port_options_t options;
    char *data[FILES];
    size_t size[FILES], bytes, lexical_bytes; /* lexical: of the CUDA files */
    port_token_t token[TOKENS];
};

static size_t add_part(char *out, const char *part, unsigned number) {
    size_t n = 0;
    for (; *part; part++) {
        if (*part == '@') {
            for (unsigned digit = 1000; digit > 0; digit /= 10) {
                out[n++] = (char)('0' + number / digit % 10);
            }
        } else {
            out[n++] = *part;
        }
    }
    return n;
}

assay_status_t scan_bench_create(assay_arena_t *arena, scan_bench_t **out_bench,
                                 assay_error_t *err) {
    scan_bench_t *bench = assay_arena_alloc(arena, sizeof *bench);
    if (!bench) {
        return assay_error_memory(err, NULL);
    }
    const assay_status_t status = port_tables_load(arena, ASSAY_LANG_EN, &bench->tables, err);
    if (status != ASSAY_OK) {
        return status;
    }
    bench->options = (assay_port_options_t){.rocm = 700, .target = "gfx942"};
    uint64_t seed = 7;
    for (unsigned i = 0; i < FILES; i++) {
        bench->data[i] = assay_arena_alloc(arena, FILE_BYTES);
        if (!bench->data[i]) {
            return assay_error_memory(err, NULL);
        }
        while (bench->size[i] < FILE_BYTES - 4096) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const unsigned pick = (unsigned)(seed >> 33);
            const unsigned kind = kind_of[i % 8];
            bench->size[i] +=
                add_part(bench->data[i] + bench->size[i],
                         kinds[kind].part[pick % kinds[kind].n_part], pick / 64 % 10000);
        }
        bench->bytes += bench->size[i];
        bench->lexical_bytes += kind_of[i % 8] == 0 ? bench->size[i] : 0;
    }
    *out_bench = bench;
    return ASSAY_OK;
}

size_t scan_bench_bytes(const scan_bench_t *bench) {
    return bench->bytes;
}

size_t scan_bench_lexical_bytes(const scan_bench_t *bench) {
    return bench->lexical_bytes;
}

bool scan_bench_lexical(scan_bench_t *bench) {
    for (unsigned i = 0; i < FILES; i++) {
        if (kind_of[i % 8] != 0) {
            continue;
        }
        port_lexer_t lexer;
        port_lexer_init(&lexer, bench->tables, bench->data[i], bench->size[i]);
        while (port_lex(&lexer, bench->token, TOKENS) > 0) {
        }
    }
    return true;
}

bool scan_bench_whole(scan_bench_t *bench) {
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    port_strings_t *strings = arena ? port_strings_create(arena) : NULL;
    port_sink_t *sink = strings ? port_sink_create(bench->tables, strings, &bench->options) : NULL;
    for (unsigned i = 0; sink && i < FILES; i++) {
        const unsigned kind = kind_of[i % 8];
        assay_port_file_t file = {.path = kinds[kind].path};
        const port_text_t text = {.path = file.path,
                                  .data = bench->data[i],
                                  .size = bench->size[i],
                                  .language = kinds[kind].language,
                                  .line = 1};
        port_sink_begin(sink, &file);
        kinds[kind].read(sink, &text);
    }
    const bool good = sink && !port_sink_failed(sink);
    port_sink_destroy(sink);
    port_strings_destroy(strings);
    assay_arena_destroy(arena);
    return good;
}
