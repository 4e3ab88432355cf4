# The command lines of seed article B: installation (B4), memory and variables for LLMs (B6, B7),
# troubleshooting (B9). Not to be run: "assay env examples/seed-b-serving.sh --gpu mi350x" says what
# is wrong with them.
wget -q -O - https://repo.radeon.com/rocm/rocm.gpg.key | sudo apt-key add -
sudo chmod 666 /dev/kfd

export HIP_COMPRESS_BUFFERS=1
export HIP_FAST_MATH=1
export HIP_LAUNCH_BLOCKING=1
export HIP_DEVICE_MAX_HW_QUEUES=8
export HSA_EMULATE_AQL=1
export HSA_OVERRIDE_GFX_VERSION=9.0.0
export HSA_OVERRIDE_THERMAL_LIMIT=95

python3 -c "import torch; torch.backends.quantized.engine = 'fbgemm'; torch.rand(4).to('hip')"
rocm-smi --setfan 80
