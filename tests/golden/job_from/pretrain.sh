#!/bin/bash
#SBATCH --job-name=llama-65b
#SBATCH --nodes=16
#SBATCH --gres=gpu:a100:8   # all of them
#SBATCH --time=2-00:00:00
#SBATCH --exclusive
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
TP_SIZE=${TP_SIZE:-8}
MODEL_ARGS=(
    --num-layers 80      # comment
    --hidden-size 8192
    --ffn-hidden-size 22016
    --num-attention-heads 64
    --seq-length 2048 --max-position-embeddings 2048
    --swiglu --untie-embeddings-and-output-weights
    --vocab-size 32000
)
TRAINING_ARGS="--micro-batch-size 1 --global-batch-size 2048 --train-iters 1000 --bf16 --frobnicate 3"
srun torchrun --nproc_per_node $GPUS_PER_NODE --nnodes 16 pretrain_gpt.py \
    ${MODEL_ARGS[@]} $TRAINING_ARGS --tensor-model-parallel-size $TP_SIZE \
    --pipeline-model-parallel-size 4 --sequence-parallel --use-distributed-optimizer \
    --recompute-granularity=selective --context-parallel-size 2
