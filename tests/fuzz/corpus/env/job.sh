#!/bin/bash
#SBATCH --export=ALL,NCCL_DEBUG=INFO,HIP_LAUNCH_BLOCKING=1
CUDA_HOME=/usr/local/cuda CUDA_VERSION=12.4 HIP_PATH=/opt/rocm/hip
export ROCR_VISIBLE_DEVICES=2,3 CUDA_VISIBLE_DEVICES=2,3
export NCCL_SOCKET_IFNMAE=eth0 MASTER_PORT=29500 # NCCL_ALGO=Ring
echo "set HIP_LAUNCH_BLOCKING=1 to debug"
mpirun -np 8 -x NCCL_IB_DISABLE=1 -x NCCL_IB_HCA=mlx5_0 ./a.out ${HSA_ENABLE_SDMA:-0}
docker run --rm -e "HSA_ENABLE_SDMA=0" --env GPU_MAX_HW_QUEUES=four img
ENV AMD_LOG_LEVEL 4
os.environ["PYTORCH_HIP_ALLOC_CONF"] = "expandable_segments:True"
cmake -DHIP_FAST_MATH=ON ..
if [ "$HIP_FAST_MATH" = 1 ]; then :; fi
HIP_LOCAL_THING=3
