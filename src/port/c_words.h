/* Words that the C reader acts on. A group shares one treatment; see c_rules.h. */
#ifndef PORT_C_WORDS_H
#define PORT_C_WORDS_H

/* X(code, text) */
#define PORT_WORD_LIST(X)                                                \
    /* the language */                                                   \
    X(IF, "if")                                                          \
    X(ELSE, "else")                                                      \
    X(FOR, "for")                                                        \
    X(WHILE, "while")                                                    \
    X(SWITCH, "switch")                                                  \
    X(CASE, "case")                                                      \
    X(RETURN, "return")                                                  \
    X(STRUCT, "struct")                                                  \
    X(CLASS, "class")                                                    \
    X(UNION, "union")                                                    \
    X(ENUM, "enum")                                                      \
    X(NAMESPACE, "namespace")                                            \
    X(TEMPLATE, "template")                                              \
    X(EXTERN, "extern")                                                  \
    X(CONSTEXPR, "constexpr")                                            \
    X(CONST, "const")                                                    \
    X(STATIC, "static")                                                  \
    X(VOLATILE, "volatile")                                              \
    X(STATIC_ASSERT, "static_assert")                                    \
    X(STATIC_CAST, "static_cast")                                        \
    X(SIZEOF, "sizeof")                                                  \
    X(VOID, "void")                                                      \
    X(BOOL, "bool")                                                      \
    X(CHAR, "char")                                                      \
    X(SHORT, "short")                                                    \
    X(INT, "int")                                                        \
    X(LONG, "long")                                                      \
    X(UNSIGNED, "unsigned")                                              \
    X(SIGNED, "signed")                                                  \
    X(FLOAT, "float")                                                    \
    X(DOUBLE, "double")                                                  \
    X(AUTO, "auto")                                                      \
    X(INT32, "int32_t")                                                  \
    X(UINT32, "uint32_t")                                                \
    X(UINT, "uint")                                                      \
    X(INT64, "int64_t")                                                  \
    X(UINT64, "uint64_t")                                                \
    X(SIZE, "size_t")                                                    \
    X(INT16, "int16_t")                                                  \
    X(UINT16, "uint16_t")                                                \
    X(INT8, "int8_t")                                                    \
    X(UINT8, "uint8_t")                                                  \
    X(HALF, "half")                                                      \
    X(HALF_, "__half")                                                   \
    X(HALF2, "half2")                                                    \
    X(HALF2_, "__half2")                                                 \
    X(FLOAT2, "float2")                                                  \
    X(FLOAT4, "float4")                                                  \
    X(INT4, "int4")                                                      \
    X(USING, "using")                                                    \
    X(TYPEDEF, "typedef")                                                \
    X(OPERATOR, "operator")                                              \
    /* the preprocessor */                                               \
    X(P_INCLUDE, "include")                                              \
    X(P_DEFINE, "define")                                                \
    X(P_UNDEF, "undef")                                                  \
    X(P_IFDEF, "ifdef")                                                  \
    X(P_IFNDEF, "ifndef")                                                \
    X(P_ELIF, "elif")                                                    \
    X(P_ELIFDEF, "elifdef")                                              \
    X(P_ELIFNDEF, "elifndef")                                            \
    X(P_ENDIF, "endif")                                                  \
    X(P_PRAGMA, "pragma")                                                \
    X(DEFINED, "defined")                                                \
    X(ASM, "asm")                                                        \
    X(ASM_, "__asm")                                                     \
    X(ASM__, "__asm__")                                                  \
    /* CUDA: where code runs and what it stands on */                    \
    X(GLOBAL, "__global__")                                              \
    X(DEVICE, "__device__")                                              \
    X(HOST, "__host__")                                                  \
    X(SHARED, "__shared__")                                              \
    X(CONSTANT, "__constant__")                                          \
    X(MANAGED, "__managed__")                                            \
    X(LAUNCH_BOUNDS, "__launch_bounds__")                                \
    X(CLUSTER_DIMS, "__cluster_dims__")                                  \
    X(GRID_CONSTANT, "__grid_constant__")                                \
    X(THREAD_IDX, "threadIdx")                                           \
    X(BLOCK_IDX, "blockIdx")                                             \
    X(BLOCK_DIM, "blockDim")                                             \
    X(GRID_DIM, "gridDim")                                               \
    X(WARP_SIZE, "warpSize")                                             \
    X(DIM3, "dim3")                                                      \
    X(CUDA_ARCH, "__CUDA_ARCH__")                                        \
    X(SYNCTHREADS, "__syncthreads")                                      \
    X(CUDA_LAUNCH_KERNEL, "cudaLaunchKernel")                            \
    X(CUDA_LAUNCH_KERNEL_EX, "cudaLaunchKernelEx")                       \
    X(CUDA_LAUNCH_COOPERATIVE, "cudaLaunchCooperativeKernel")            \
    X(CU_LAUNCH_KERNEL, "cuLaunchKernel")                                \
    /* warp level */                                                     \
    X(SHFL_SYNC, "__shfl_sync")                                          \
    X(SHFL_UP_SYNC, "__shfl_up_sync")                                    \
    X(SHFL_DOWN_SYNC, "__shfl_down_sync")                                \
    X(SHFL_XOR_SYNC, "__shfl_xor_sync")                                  \
    X(SHFL, "__shfl")                                                    \
    X(SHFL_UP, "__shfl_up")                                              \
    X(SHFL_DOWN, "__shfl_down")                                          \
    X(SHFL_XOR, "__shfl_xor")                                            \
    X(ANY_SYNC, "__any_sync")                                            \
    X(ALL_SYNC, "__all_sync")                                            \
    X(BALLOT_SYNC, "__ballot_sync")                                      \
    X(MATCH_ANY_SYNC, "__match_any_sync")                                \
    X(MATCH_ALL_SYNC, "__match_all_sync")                                \
    X(REDUCE_ADD_SYNC, "__reduce_add_sync")                              \
    X(REDUCE_MIN_SYNC, "__reduce_min_sync")                              \
    X(REDUCE_MAX_SYNC, "__reduce_max_sync")                              \
    X(REDUCE_AND_SYNC, "__reduce_and_sync")                              \
    X(REDUCE_OR_SYNC, "__reduce_or_sync")                                \
    X(REDUCE_XOR_SYNC, "__reduce_xor_sync")                              \
    X(SYNCWARP, "__syncwarp")                                            \
    X(BALLOT, "__ballot")                                                \
    X(ACTIVEMASK, "__activemask")                                        \
    X(POPC, "__popc")                                                    \
    X(FFS, "__ffs")                                                      \
    X(CLZ, "__clz")                                                      \
    X(BREV, "__brev")                                                    \
    /* features, each with rules of its own */                           \
    X(TEXTURE, "texture")                                                \
    X(WMMA, "wmma")                                                      \
    X(CUTE, "cute")                                                      \
    X(CUTLASS, "cutlass")                                                \
    X(CUDA_NS, "cuda")                                                   \
    X(CUB_NS, "cub")                                                     \
    X(NVINFER, "nvinfer1")                                               \
    X(CG, "cg")                                                          \
    X(COOPERATIVE_GROUPS, "cooperative_groups")                          \
    X(INVOKE_ONE, "invoke_one")                                          \
    X(INVOKE_ONE_BROADCAST, "invoke_one_broadcast")                      \
    X(REDUCE_UPDATE_ASYNC, "reduce_update_async")                        \
    X(REDUCE_STORE_ASYNC, "reduce_store_async")                          \
    X(WAIT_PRIOR, "wait_prior")                                          \
    X(WAIT, "wait")                                                      \
    X(SYNCHRONIZE, "synchronize")                                        \
    X(CLUSTER_GROUP, "cluster_group")                                    \
    X(THIS_CLUSTER, "this_cluster")                                      \
    X(MULTI_GRID, "this_multi_grid")                                     \
    X(MULTI_GRID_GROUP, "multi_grid_group")                              \
    X(TILED_PARTITION, "tiled_partition")                                \
    X(THREAD_BLOCK_TILE, "thread_block_tile")                            \
    X(LABELED_PARTITION, "labeled_partition")                            \
    X(BINARY_PARTITION, "binary_partition")                              \
    X(MEMCPY_ASYNC, "memcpy_async")                                      \
    X(PIPELINE_MEMCPY_ASYNC, "__pipeline_memcpy_async")                  \
    X(PIPELINE_COMMIT, "__pipeline_commit")                              \
    X(PIPELINE_WAIT_PRIOR, "__pipeline_wait_prior")                      \
    X(PIPELINE, "pipeline")                                              \
    X(BARRIER, "barrier")                                                \
    X(ATOMIC_CAS, "atomicCAS")                                           \
    X(STCS, "__stcs")                                                    \
    X(STCG, "__stcg")                                                    \
    X(STWT, "__stwt")                                                    \
    X(STWB, "__stwb")                                                    \
    X(LDCV, "__ldcv")                                                    \
    X(LDLU, "__ldlu")                                                    \
    X(TEX1D, "tex1D")                                                    \
    X(TEX2D, "tex2D")                                                    \
    X(TEX3D, "tex3D")                                                    \
    X(TEX1DFETCH, "tex1Dfetch")                                          \
    X(TEX2DLOD, "tex2DLod")                                              \
    X(TEX2DLAYERED, "tex2DLayered")                                      \
    X(TEXCUBEMAP, "texCubemap")                                          \
    X(SURF1DREAD, "surf1Dread")                                          \
    X(SURF2DREAD, "surf2Dread")                                          \
    X(SURF3DREAD, "surf3Dread")                                          \
    X(SURF1DWRITE, "surf1Dwrite")                                        \
    X(SURF2DWRITE, "surf2Dwrite")                                        \
    X(SURF3DWRITE, "surf3Dwrite")                                        \
    X(MALLOC_MANAGED, "cudaMallocManaged")                               \
    X(FUNC_SET_ATTRIBUTE, "cudaFuncSetAttribute")                        \
    X(MAX_DYNAMIC_SHARED, "cudaFuncAttributeMaxDynamicSharedMemorySize") \
    X(FP8_E4M3, "__nv_fp8_e4m3")                                         \
    X(FP8_E5M2, "__nv_fp8_e5m2")                                         \
    X(FP8X2_E4M3, "__nv_fp8x2_e4m3")                                     \
    X(FP8X2_E5M2, "__nv_fp8x2_e5m2")                                     \
    X(FP8X4_E4M3, "__nv_fp8x4_e4m3")                                     \
    X(FP8X4_E5M2, "__nv_fp8x4_e5m2")                                     \
    X(FP8_STORAGE, "__nv_fp8_storage_t")                                 \
    X(FP4_E2M1, "__nv_fp4_e2m1")                                         \
    X(FP4X2_E2M1, "__nv_fp4x2_e2m1")                                     \
    X(FP4X4_E2M1, "__nv_fp4x4_e2m1")                                     \
    X(FP6_E2M3, "__nv_fp6_e2m3")                                         \
    X(FP6_E3M2, "__nv_fp6_e3m2")                                         \
    X(GRAPH_CONDITIONAL, "cudaGraphConditionalHandleCreate")             \
    X(GRAPH_SET_CONDITIONAL, "cudaGraphSetConditional")                  \
    X(GRAPH_CONDITIONAL_HANDLE, "cudaGraphConditionalHandle")            \
    X(DEVICE_SYNCHRONIZE, "cudaDeviceSynchronize")                       \
    /* macros that are __global__ in well-known libraries */             \
    X(RAFT_KERNEL, "RAFT_KERNEL")                                        \
    X(CUDF_KERNEL, "CUDF_KERNEL")                                        \
    X(CUML_KERNEL, "CUML_KERNEL")                                        \
    X(CUVS_KERNEL, "CUVS_KERNEL")

typedef enum {
    PORT_WORD_NONE,
#define PORT_WORD_ENUM(code, text) PORT_WORD_##code,
    PORT_WORD_LIST(PORT_WORD_ENUM)
#undef PORT_WORD_ENUM
        PORT_WORD_N
} port_word_t;

#endif
