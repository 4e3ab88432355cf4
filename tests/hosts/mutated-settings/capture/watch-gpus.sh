#!/bin/bash
rocm-smi --showuse
amd-smi metric
srun python train.py
