# The command lines of seed article A: compiler flags and memory policy (A9), allocation (A11).
# Not to be run: "assay env examples/seed-a-build.sh --gpu mi250x" says what is wrong with them.
hipcc -O3 --amdgpu-target=gfx90a -ffast-math \
    -mllvm -amdgpu-early-inline-all=true \
    -mllvm -amdgpu-load-store-vectorizer=1 \
    -mllvm -amdgpu-scalar-ir-passes=1 \
    gemm.cpp -o gemm
export AMD_OCL_SC_LDS_NUM_BANKS=64
export HIP_ENABLE_NEW_BF16_OPS=1
export HSA_SIG_HANDLER=1
rocm-smi --setmempolicy interleave
rocm-smi --showmeminfo page_table
