/* The readers beside C: for every rule a text that has it and one that has not. Expected lines are
   counted by hand in the text beside them; what a rule means stands in data/port_rules.csv. */
#include "assay/catalog.h"
#include "port/port_sink.h"
#include "port/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_test.h"

typedef struct {
    assay_arena_t *arena;
    const port_tables_t *tables;
} fixture_t;

static int setup(void **state) {
    static fixture_t fixture;
    fixture.arena = assay_arena_create(64 << 20);
    assay_error_t err = {0};
    if (port_tables_load(fixture.arena, ASSAY_LANG_EN, &fixture.tables, &err) != ASSAY_OK) {
        print_error("%s:%u: %s\n", err.file, err.line, err.what);
        return -1;
    }
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    assay_arena_destroy(((fixture_t *)*state)->arena);
    return 0;
}

typedef struct {
    assay_port_finding_t *item;
    uint32_t n;
    assay_port_file_t file;
    assay_arena_t *arena;
} result_t;

static void read_text(port_sink_t *sink, const port_text_t *text) {
    switch (text->language) {
    case ASSAY_PORT_PYTHON:
        port_read_python(sink, text);
        break;
    case ASSAY_PORT_NOTEBOOK:
        port_read_notebook(sink, text);
        break;
    case ASSAY_PORT_CMAKE:
    case ASSAY_PORT_MAKE:
        port_read_build(sink, text);
        break;
    case ASSAY_PORT_DOCKER:
        port_read_container(sink, text);
        break;
    case ASSAY_PORT_SHELL:
    case ASSAY_PORT_SLURM:
        port_read_shell(sink, text);
        break;
    case ASSAY_PORT_CONDA:
    case ASSAY_PORT_REQUIREMENTS:
    case ASSAY_PORT_PYPROJECT:
        port_read_packages(sink, text);
        break;
    default:
        fail_msg("%s is of no language that is tested here", text->path);
    }
}

static result_t scan(const fixture_t *fixture, const char *path, const char *data, uint32_t rocm,
                     const char *target) {
    result_t r = {.arena = assay_arena_create(8 << 20)};
    const assay_port_options_t options = {.rocm = rocm, .target = target};
    port_strings_t *strings = port_strings_create(r.arena);
    port_sink_t *sink = port_sink_create(fixture->tables, strings, &options);
    const size_t size = strlen(data);
    const port_text_t text = {.path = path,
                              .data = data,
                              .size = size,
                              .language = (uint8_t)port_language(path, data, size),
                              .line = 1};
    port_sink_begin(sink, &r.file);
    read_text(sink, &text);
    assert_false(port_sink_failed(sink));
    r.n = port_sink_count(sink);
    r.item = assay_arena_array(r.arena, r.n, sizeof *r.item);
    port_sink_copy(sink, r.item);
    port_sink_destroy(sink);
    port_strings_destroy(strings);
    return r;
}

typedef struct {
    const char *path, *text, *rule; /* rule NULL: nothing may be found */
    uint32_t line;
    const char *replacement; /* NULL: any */
} row_t;

static void print_all(const result_t *r) {
    for (uint32_t i = 0; i < r->n; i++) {
        print_error("  %s:%u:%u %s %s -> %s\n", r->item[i].at.file, r->item[i].at.line,
                    r->item[i].at.column, r->item[i].rule, r->item[i].api, r->item[i].replacement);
    }
}

static bool found(const result_t *r, const row_t *row) {
    for (uint32_t i = 0; i < r->n; i++) {
        const assay_port_finding_t *f = &r->item[i];
        if (strcmp(f->rule, row->rule) == 0 && f->at.line == row->line &&
            (!row->replacement || strstr(f->replacement, row->replacement))) {
            assert_true(f->source[0] && f->message[0]);
            return true;
        }
    }
    return false;
}

static void check(const fixture_t *fixture, const row_t *row, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const result_t r = scan(fixture, row[i].path, row[i].text, 604, "gfx942");
        if (row[i].rule ? !found(&r, &row[i]) : r.n != 0) {
            print_all(&r);
            fail_msg("%s: %s of\n%s", row[i].path, row[i].rule ? row[i].rule : "nothing",
                     row[i].text);
        }
        assay_arena_destroy(r.arena);
    }
}
#define CHECK(rows) check(*state, rows, sizeof(rows) / sizeof *(rows))

static void build_files(void **state) {
    static const row_t rows[] = {
        {"CMakeLists.txt", "\nfind_package(CUDA 11 REQUIRED)\n", "cmake-find-cuda", 2,
         "find_package(hip)"},
        {"CMakeLists.txt", "find_package( CUDAToolkit )", "cmake-find-cuda", 1, NULL},
        {"CMakeLists.txt", "find_package(Eigen3)\n# find_package(CUDA)\n", NULL, 0, NULL},
        {"CMakeLists.txt", "#[[ find_package(CUDA)\nenable_language(CUDA)\n]]\n", NULL, 0, NULL},
        {"CMakeLists.txt", "find_package(cuDNN)", "cmake-find-library", 1, "miopen"},
        {"CMakeLists.txt", "find_package(TensorRT)", "cmake-find-library-none", 1, NULL},
        {"CMakeLists.txt", "project(x LANGUAGES CXX CUDA)", "cmake-language-cuda", 1, "HIP"},
        {"CMakeLists.txt", "project(x\n  LANGUAGES CXX\n  CUDA)", "cmake-language-cuda", 3, NULL},
        {"CMakeLists.txt", "enable_language(CUDA)", "cmake-language-cuda", 1, NULL},
        {"CMakeLists.txt", "project(CUDATools C CXX)", NULL, 0, NULL},
        {"CMakeLists.txt", "project(x DESCRIPTION \"in C++/CUDA\" LANGUAGES CXX)", NULL, 0, NULL},
        {"CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80 90)", "cmake-cuda-variable", 1,
         "CMAKE_HIP_ARCHITECTURES"},
        {"CMakeLists.txt", "set(CMAKE_CUDA_HOST_LINK_LAUNCHER g++)", "cmake-cuda-variable", 1,
         "CMAKE_HIP_"},
        {"CMakeLists.txt", "target_link_libraries(a CUDA::cublas)", "cmake-link-cuda", 1,
         "roc::hipblas"},
        {"CMakeLists.txt", "cuda_add_library(a a.cu)", "cmake-cuda-command", 1, NULL},
        {"CMakeLists.txt", "set(X CUDA_SEPARABLE_COMPILATION ON)", "flag-rdc", 1, "-fgpu-rdc"},
        {"CMakeLists.txt", "set(F \"-gencode arch=compute_80,code=sm_80\")", "flag-gencode", 1,
         "--offload-arch"},
        {"CMakeLists.txt", "find_package(hip)\nfind_package(CUDA)\n", NULL, 0, NULL},
        {"Makefile", "NVCC = nvcc\n", "make-nvcc", 1, "hipcc"},
        {"Makefile", "CC = gcc\nall:\n\t$(CC) -O2 main.c\n", NULL, 0, NULL},
        {"Makefile", "X = 1\nF = -arch=sm_70\n", "flag-gencode", 2, NULL},
        {"Makefile", "F = -arch=armv8\n", NULL, 0, NULL},
        {"Makefile", "F = --use_fast_math", "flag-fast-math", 1, NULL},
        {"Makefile", "F = -maxrregcount=32", "flag-maxrregcount", 1, "__launch_bounds__"},
        {"Makefile", "F = --expt-extended-lambda", "flag-drop", 1, NULL},
        {"Makefile", "F = -Xcompiler -fPIC", "flag-host-option", 1, NULL},
        {"Makefile", "F = -rdc=true", "flag-rdc", 1, NULL},
        {"Makefile", "F = -cubin", "flag-device-object", 1, NULL},
        {"Makefile", "F = --default-stream per-thread", "flag-default-stream", 1, NULL},
        {"Makefile", "L = -lcublas -lm", "flag-link-cuda", 1, "-lhipblas"},
        {"Makefile", "L = -lnvinfer", "flag-link-none", 1, NULL},
        {"Makefile", "L = -lcurl -lcudd\n", NULL, 0, NULL},
        {"Makefile", "I = $(CUDA_HOME)/include", "env-cuda-home", 1, "ROCM_PATH"},
    };
    CHECK(rows);
}

/* What a user met: a build for seven targets, and a device that is an eighth. */
static void offload_targets(void **state) {
    static const struct {
        const char *path, *text, *target;
        const char *replacement; /* NULL: complete or not known */
    } rows[] = {
        {"build_flags.txt",
         "--offload-arch=gfx900 --offload-arch=gfx906 --offload-arch=gfx908 "
         "--offload-arch=gfx90a --offload-arch=gfx942 --offload-arch=gfx1030 "
         "--offload-arch=gfx1100\n",
         "gfx928", "--offload-arch=gfx928"},
        {"build_flags.txt", "--offload-arch=gfx90a --offload-arch=gfx942\n", "gfx942", NULL},
        {"Makefile", "F = --offload-arch=gfx90a,gfx908\n", "gfx942", "--offload-arch=gfx942"},
        {"Makefile", "F = --offload-arch=gfx942:sramecc+:xnack-\n", "gfx942", NULL},
        {"Makefile", "F = --offload-arch=gfx90a --offload-arch=$(ARCH)\n", "gfx942", NULL},
        {"Makefile", "F = --offload-arch=native\n", "gfx942", NULL},
        {"Makefile", "F = --offload-arch=gfx9-4-generic\n", "gfx942", NULL},
        {"Makefile", "F = --offload-arch=gfx11-generic\n", "gfx942", "--offload-arch=gfx942"},
        {"CMakeLists.txt", "set(CMAKE_HIP_ARCHITECTURES gfx90a gfx1100)\n", "gfx942",
         "add gfx942 to the list"},
        {"CMakeLists.txt", "set(AMDGPU_TARGETS \"gfx90a;gfx942\")\n", "gfx942", NULL},
        {"run.sh", "export PYTORCH_ROCM_ARCH=\"gfx90a;gfx908\"\n", "gfx942",
         "add gfx942 to the list"},
        {"setup.py", "args = ['--offload-arch=gfx90a']\n", "gfx950", "--offload-arch=gfx950"},
        {"Dockerfile", "ENV PYTORCH_ROCM_ARCH=gfx942\n", "gfx942", NULL},
        {"Makefile", "F = -march=native # gfx90a\n", "gfx942", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const result_t r = scan(*state, rows[i].path, rows[i].text, 604, rows[i].target);
        const row_t row = {NULL, NULL, "offload-arch-missing", 1, rows[i].replacement};
        if (found(&r, &row) != (rows[i].replacement != NULL)) {
            print_all(&r);
            fail_msg("%s for %s", rows[i].text, rows[i].target);
        }
        for (uint32_t k = 0; rows[i].replacement && k < r.n; k++) {
            if (strcmp(r.item[k].rule, row.rule) == 0) {
                assert_int_equal(r.item[k].severity, ASSAY_SEVERITY_ERROR);
            }
        }
        assay_arena_destroy(r.arena);
    }
}

static void packages(void **state) {
    static const row_t rows[] = {
        {"requirements.txt", "numpy\ntorch==2.3.1+cu121\n", "package-cuda-wheel", 2, NULL},
        {"requirements.txt", "--extra-index-url https://example.org/whl/cu118\n",
         "package-cuda-wheel", 1, NULL},
        {"requirements.txt", "torchvision>=0.15\n", "package-native", 1, NULL},
        {"requirements.txt", "torch>=2.0\n", "framework-ready", 1, "PyTorch"},
        {"requirements.txt", "jax[cuda12]==0.4.31\n", "package-cuda-wheel", 1, NULL},
        {"requirements.txt", "tensorrt\n", "package-none", 1, "MIGraphX"},
        {"requirements.txt", "Transformer_Engine[pytorch]\n", "package-fork", 1, NULL},
        {"requirements.txt", "xformers==0.0.27\n", "package-partial", 1, NULL},
        {"requirements.txt", "nvidia-cublas-cu12==12.1.3.1\n", "package-drop", 1, NULL},
        {"requirements.txt", "nvidia-cublas-cu13\n", "package-drop", 1, NULL},
        {"requirements.txt", "nvidia-something-new\n", "package-unknown", 1, NULL},
        {"requirements.txt", "pynvml ; platform_system == 'Linux'\n", "package-replacement", 1,
         "amdsmi"},
        {"requirements.txt", "cupy-cuda12x\n", "package-partial", 1, NULL},
        {"requirements.txt", "vllm==0.2.3\n", "package-too-old", 1, "0.2.4"},
        {"requirements.txt", "# tensorrt\nnumpy==1.26 # torch+cu121\nscipy\n", NULL, 0, NULL},
        {"requirements.txt", "-r base.txt\n-e .\ngit+https://example.org/torch.git\n", NULL, 0,
         NULL},
        {"requirements.txt", "torchmetrics\ntensorrt-like\ntorch-custom-ops\n", NULL, 0, NULL},
        {"environment.yml",
         "dependencies:\n  - python=3.11\n  - pytorch::pytorch=2.1=py3.11_cuda\n",
         "framework-ready", 3, NULL},
        {"environment.yml", "dependencies:\n  - cudatoolkit=11.8\n", "container-cuda-package", 2,
         NULL},
        {"environment.yml", "dependencies:\n  - pip:\n    - flash-attn==2.5.6\n", "package-native",
         3, "CK backend"},
        {"environment.yml", "dependencies:\n  - python=3.11\n  - numpy\n", NULL, 0, NULL},
        {"pyproject.toml", "[project]\ndependencies = [\n  \"apex>=0.1\",\n]\n", "package-fork", 3,
         NULL},
        {"pyproject.toml", "[tool.poetry.dependencies]\ncupy-cuda11x = \"^12\"\n",
         "package-partial", 2, NULL},
        {"pyproject.toml",
         "[project]\nname = \"mine\"\nauthors = [{email = \"nemo-toolkit@example.org\"}]\n", NULL,
         0, NULL},
        {"setup.cfg", "[options]\ninstall_requires =\n    pycuda\n", "package-none", 3, NULL},
    };
    CHECK(rows);
}

static void containers(void **state) {
    static const row_t rows[] = {
        {"Dockerfile", "FROM nvidia/cuda:12.1.0-devel-ubuntu22.04 AS b\n", "container-base-cuda", 1,
         "rocm/"},
        {"Dockerfile", "ARG X=1\nFROM --platform=linux/amd64 nvcr.io/nvidia/pytorch:24.01-py3\n",
         "container-base-cuda", 2, NULL},
        {"Dockerfile", "FROM ubuntu:22.04\n# FROM nvidia/cuda\nRUN make\n", NULL, 0, NULL},
        {"Dockerfile", "RUN apt-get install -y \\\n    libcudnn8-dev cmake\n",
         "container-cuda-package", 2, "miopen"},
        {"Dockerfile", "RUN apt-get install -y cuda-toolkit-12-4\n", "container-cuda-package", 1,
         NULL},
        {"Dockerfile", "RUN apt-get install -y libnvinfer8\n", "container-cuda-package-none", 1,
         NULL},
        {"Dockerfile", "RUN pip install torch==2.1.0+cu118 numpy\n", "package-cuda-wheel", 1, NULL},
        {"Dockerfile",
         "RUN apt-get update && \\\n    pip install --no-cache-dir \\\n    tensorrt\n",
         "package-none", 3, NULL},
        {"Dockerfile", "ENV TORCH_CUDA_ARCH_LIST=\"8.0\"\n", "env-arch-list", 1, NULL},
        {"Dockerfile", "ENV NVIDIA_VISIBLE_DEVICES=all\n", "env-container", 1, NULL},
    };
    CHECK(rows);
}

static void scripts(void **state) {
    static const row_t rows[] = {
        {"a.sh", "#!/bin/sh\nexport CUDA_VISIBLE_DEVICES=0\n", "env-visible-devices", 2, NULL},
        {"a.sh", "CUDA_LAUNCH_BLOCKING=1 ./a\n", "env-debug", 1, NULL},
        {"a.sh", "export CUDA_DEVICE_MAX_CONNECTIONS=1\n", "env-no-effect", 1, NULL},
        {"a.sh", "export NCCL_DEBUG=INFO\n", "env-nccl", 1, NULL},
        {"a.sh", "export NCCL_NVLS_ENABLE=0\n", "env-no-effect", 1, NULL},
        {"a.sh", "export PYTORCH_CUDA_ALLOC_CONF=x:1\n", "env-alloc-conf", 1, NULL},
        {"a.sh", "nvidia-smi -L\n", "tool-nvidia", 1, "amd-smi"},
        {"a.sh", "/usr/local/cuda/bin/nvcc -o a a.cu\n", "tool-nvcc", 1, "hipcc"},
        {"a.sh", "nvidia-cuda-mps-control -d\n", "tool-mps", 1, NULL},
        {"a.sh", "systemctl start nvidia-fabricmanager\n", "tool-drop", 1, NULL},
        {"a.sh", "docker run --gpus all img\n", "container-gpus", 1, "/dev/kfd"},
        {"a.sh", "module load gcc/12 cuda/12.4\n", "shell-module-cuda", 1, NULL},
        {"a.sh", "module load gcc/12 openmpi\nmodule list cuda\n", NULL, 0, NULL},
        {"a.sh", "pip install -U flash-attn==2.5\n", "package-native", 1, NULL},
        {"a.sh", "echo done; pip3 install 'cupy-cuda12x>=12'\n", "package-partial", 1, NULL},
        {"a.sh", "# nvidia-smi\necho 'a # b'\nnvidia_smi_log=1\n", NULL, 0, NULL},
        {"a.sh", "rm -rf /usr/local/cuda/bin/nvcc libcudnn.so.8\n", NULL, 0, NULL},
        {"a.sh", "rm -f libcudnn.so.8 && nvcc a.cu\n", "tool-nvcc", 1, "hipcc"},
        {"job.sbatch", "#!/bin/bash\n#SBATCH --gres=gpu:a100:4\n", "slurm-gpu-type", 2, NULL},
        {"job.sbatch", "#SBATCH --constraint=h100\n", "slurm-gpu-type", 1, NULL},
        {"job.sbatch", "#SBATCH --gres=gpu:4\n#SBATCH -N 2\nsrun ./a\n", NULL, 0, NULL},
        {"job.sbatch", "#SBATCH --job-name=a100\n", NULL, 0, NULL},
    };
    CHECK(rows);
}

static void python(void **state) {
    static const row_t rows[] = {
        {"a.py", "import os\nimport tensorrt as trt\n", "package-none", 2, NULL},
        {"a.py", "from flash_attn_interface import f\n", "package-partial", 1, NULL},
        {"a.py", "import numpy, pynvml\n", "package-replacement", 1, "amdsmi"},
        {"a.py", "from numba import cuda\n", "package-partial", 1, "numba-hip"},
        {"a.py", "from numba import (njit, cuda)\n", "package-partial", 1, "numba-hip"},
        {"a.py", "from cuda import cudart\n", "package-replacement", 1, "hip-python"},
        {"a.py", "import torch\nx = torch.zeros(3, device=\"cuda\")\nx.cuda()\n", NULL, 0, NULL},
        {"a.py", "from .tensorrt import x\n# import tensorrt\n\"\"\"import apex\"\"\"\n", NULL, 0,
         NULL},
        {"a.py", "import apex_utils\nfrom apexlib import y\n", NULL, 0, NULL},
        {"a.py", "if torch.version.cuda:\n  pass\n", "torch-version-cuda", 1, "torch.version.hip"},
        {"a.py", "v = torch.version.cuda or torch.version.hip\n", NULL, 0, NULL},
        {"a.py", "\nif torch.cuda.get_device_capability() >= (8, 0):\n  pass\n", "torch-capability",
         2, "gcnArchName"},
        {"a.py", "torch.backends.cudnn.benchmark = True\n", "torch-cudnn", 1, NULL},
        {"a.py", "torch.backends.cuda.matmul.allow_tf32 = True\n", "torch-tf32", 1, NULL},
        {"a.py", "torch.cuda.nvtx.range_push('a')\n", "torch-nvtx", 1, NULL},
        {"a.py", "t = x.to(torch.float8_e4m3fn)\n", "torch-fp8-ocp", 1, "fnuz"},
        {"setup.py", "from torch.utils.cpp_extension import CUDAExtension\n", "torch-extension", 1,
         NULL},
        {"setup.py", "f = ['-O3', '--use_fast_math']\n", "flag-fast-math", 1, NULL},
        {"setup.py", "setup(install_requires=['torch', 'tensorrt>=8'])\n", "package-none", 1, NULL},
        {"a.py", "k = cupy.RawKernel(src, 'f')\n", "cupy-kernel", 1, NULL},
        {"a.py", "m = SourceModule(src)\n", "pycuda-kernel", 1, NULL},
        {"a.py", "os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n", "env-visible-devices", 1, NULL},
        {"a.py", "subprocess.run(['nvidia-smi'])\n", "tool-nvidia", 1, NULL},
        {"a.py", "print('no nvidia-smi here')\nf = {'nvcc': ['-O3']}\n", NULL, 0, NULL},
        {"a.py", "c = root + '/bin/nvcc'\n", "tool-nvcc", 1, NULL},
        {"a.py", "l = ctypes.CDLL('libcudart.so.12')\n", "python-cuda-library", 1, NULL},
        {"a.py", "s = Session(m, providers=['CUDAExecutionProvider'])\n", "onnx-provider", 1,
         "MIGraphX"},
        {"a.py", "WARP_SIZE = 32\n", "python-warp-32", 1, NULL},
        {"a.py", "WARP_SIZE = 64\nwarp_size == 32\nx.warp_size = 320\n", NULL, 0, NULL},
        {"a.py", "import triton\nc = triton.Config({}, num_warps=8)\n", "triton-retune", 2, NULL},
        {"a.py", "c = Config({}, num_warps=8)\n", NULL, 0, NULL},
        {"a.py",
         "from triton.language.extra.cuda import libdevice\nx = tl.extra.cuda.libdevice.f\n",
         "triton-cuda-extra", 2, NULL},
        {"a.py", "x = tl.inline_asm_elementwise(\"cvt.f32 $0, $1;\", a)\n", "triton-inline-asm", 1,
         NULL},
        {"a.py", "d = tl._experimental_descriptor_load(a)\n", "triton-tma", 1, NULL},
    };
    CHECK(rows);
}

static void kernels_and_references_are_counted(void **state) {
    const result_t r = scan(*state, "a.py",
                            "import torch\nimport tensorrt\nimport triton\n"
                            "@triton.jit\ndef f():\n    pass\n",
                            604, "gfx942");
    assert_int_equal(r.file.kernels, 1);
    const assay_port_references_t *package = &r.file.references[ASSAY_PORT_REFERENCE_PACKAGE];
    assert_int_equal(package->all, 3);
    assert_int_equal(package->ready, 2);
    assert_int_equal(package->cuda_only, 1);
    assert_int_equal(r.file.references[ASSAY_PORT_REFERENCE_KERNEL].all, 1);
    assert_int_equal(r.file.references[ASSAY_PORT_REFERENCE_KERNEL].ready, 1);
    assay_arena_destroy(r.arena);
}

/* CUDA C in a string of Python: the finding stands at the line of the file. */
static void cuda_in_strings(void **state) {
    static const row_t rows[] = {
        {"a.py",
         "src = r'''\n#include <cuda_runtime.h>\n__global__ void f(float *x) {\n"
         "    for (int d = 16; d; d >>= 1) x[0] += __shfl_down_sync(0xffffffffu, x[0], "
         "d);\n}\n'''\n",
         "warp-mask-32bit", 4, NULL},
    };
    CHECK(rows);
}

static void notebooks(void **state) {
    static const row_t rows[] = {
        {"n.ipynb",
         "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"source\": [\n    \"import "
         "os\\n\",\n"
         "    \"import tensorrt\"\n   ]\n  }\n ],\n \"nbformat\": 4\n}\n",
         "package-none", 7, NULL},
        {"n.ipynb",
         "{\"cells\": [{\"source\": \"import os\\nimport tensorrt\",\n\"metadata\": {},\n"
         "\"cell_type\": \"code\"}]}",
         "package-none", 1, NULL},
        {"n.ipynb",
         "{\n\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"x = 1\\n\",\n\"!pip install "
         "tensorrt\\n\",\n\"!nvidia-smi\"]}]}",
         "tool-nvidia", 5, NULL},
        {"n.ipynb",
         "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"import tensorrt\"]}]}", NULL, 0,
         NULL},
        {"n.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import tensorrt\"]}",
         NULL, 0, NULL},
        {"n.ipynb", "not JSON: import tensorrt", NULL, 0, NULL},
        {"n.ipynb",
         "{\"metadata\": {\"a\": [1, {\"cells\": []}], \"b\": \"]}\"},\n\"cells\": [{\"outputs\": "
         "[{\"text\": [\"import apex\"]}],\n\"cell_type\": \"code\", \"source\":\n[\"import "
         "torch\\n\",\n\"torch.version.cuda\"]}]}",
         "torch-version-cuda", 5, NULL},
    };
    CHECK(rows);
}

static void frameworks_by_rocm_and_target(void **state) {
    static const struct {
        uint32_t rocm;
        const char *target, *rule;
    } rows[] = {
        {604, "gfx942", "framework-ready"},      {700, "gfx950", "framework-ready"},
        {604, "gfx950", "framework-not-listed"}, {700, "gfx906", "framework-not-listed"},
        {604, "gfx928", "framework-not-listed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const result_t r = scan(*state, "requirements.txt", "vllm\n", rows[i].rocm, rows[i].target);
        const row_t row = {NULL, NULL, rows[i].rule, 1, NULL};
        if (!found(&r, &row)) {
            print_all(&r);
            fail_msg("vllm on %u for %s", rows[i].rocm, rows[i].target);
        }
        assay_arena_destroy(r.arena);
    }
}

static void packages_of_the_tree_itself(void **state) {
    static const char apex[] = "apex", rule[] = "package-fork";
    assay_port_file_t file[] = {
        {.path = "apex/__init__.py", .language = ASSAY_PORT_PYTHON},
        {.path = "tests/a.py",
         .language = ASSAY_PORT_PYTHON,
         .references = {[ASSAY_PORT_REFERENCE_PACKAGE] = {.all = 2}},
         .finding = {0, 2}},
        {.path = "tests/megatron/a.py", .language = ASSAY_PORT_PYTHON},
    };
    assay_port_finding_t finding[] = {
        {.rule = rule, .api = apex, .at = {"tests/a.py", 1, 1}, .effect = ASSAY_EFFECT_COMPILE},
        {.rule = rule,
         .api = "megatron-core",
         .at = {"tests/a.py", 2, 1},
         .effect = ASSAY_EFFECT_COMPILE},
    };
    assay_port_scan_t scan = {.file = file, .n_file = 3, .finding = finding, .n_finding = 2};
    port_packages_forget_own(port_tables_packages(((fixture_t *)*state)->tables), &scan);
    assert_int_equal(scan.n_finding, 1);
    assert_string_equal(scan.finding[0].api, "megatron-core");
    assert_int_equal(assay_port_file_references(&file[1]).all, 1);
    assert_int_equal(file[1].finding[ASSAY_EFFECT_COMPILE], 1);
}

/* Every rule that a term names exists, and every package status has its rule. */
static void tables_agree(void **state) {
    const fixture_t *fixture = *state;
    assay_csv_t csv;
    assay_error_t err;
    assert_int_equal(assay_data_table(fixture->arena, "port_terms.csv", NULL, 0, &csv, &err),
                     ASSAY_OK);
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const char *rule = assay_csv_cell(&csv, i, assay_csv_column(&csv, "rule"));
        if (!port_rule_find(fixture->tables, rule)) {
            fail_msg("%s of term %s", rule, assay_csv_cell(&csv, i, 0));
        }
    }
    static const char *const named[] = {
        "offload-arch-missing", "package-cuda-wheel", "package-too-old", "framework-ready",
        "framework-not-listed", "package-native",     "package-partial", "package-fork",
        "package-replacement",  "package-none",       "package-drop",    "package-unknown",
        "shell-module-cuda",    "slurm-gpu-type",     "python-warp-32",  "triton-retune",
        "container-base-cuda",  "cmake-language-cuda"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        assert_non_null(port_rule_find(fixture->tables, named[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_agree),
        cmocka_unit_test(build_files),
        cmocka_unit_test(offload_targets),
        cmocka_unit_test(packages),
        cmocka_unit_test(containers),
        cmocka_unit_test(scripts),
        cmocka_unit_test(python),
        cmocka_unit_test(kernels_and_references_are_counted),
        cmocka_unit_test(cuda_in_strings),
        cmocka_unit_test(notebooks),
        cmocka_unit_test(frameworks_by_rocm_and_target),
        cmocka_unit_test(packages_of_the_tree_itself),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
