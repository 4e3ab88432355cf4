/* For every check a host on which it fires, one on which it is quiet, one on which it does not
   know; and more where a threshold or an exception has two sides. What is expected: the severity of
   a bad finding, or good, none (does not apply), unknown. Values stand just at and just beyond the
   rows of data/check_thresholds.csv. Facts as in host_facts.h. */
#ifndef CHECK_CASES_H
#define CHECK_CASES_H

typedef struct {
    const char *id, *expected, *facts;
} check_case_t;

/* clang-format off */
static const check_case_t check_case[] = {
    {"CLK-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=0.99 gfx_hz=60e6 gfx_hz_max=2.1e9 power_w=160 power_cap_w=750"},
    {"CLK-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=0.99 gfx_hz=1.9e9 gfx_hz_max=2.1e9"},
    {"CLK-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=0 gfx_hz=132e6 gfx_hz_max=2.1e9"},
    {"CLK-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=0.99 gfx_hz=9e8 gfx_hz_max=2.1e9 power_w=740 power_cap_w=750"},
    {"CLK-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_levels=1 perf_level=manual"},
    {"CLK-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_levels=3 perf_level=auto"},
    {"CLK-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_levels=1"},
    {"CLK-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 clock_locked=1"},
    {"CLK-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_levels=1 perf_level=auto"},
    {"CLK-003", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=1 mem_hz=9e8 mem_hz_max=1.3e9"},
    {"CLK-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=1 mem_hz=1.3e9 mem_hz_max=1.3e9"},
    {"CLK-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=0 mem_hz=9e8 mem_hz_max=1.3e9"},
    {"CNT-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host container=docker\n"
     "node path=/dev/kfd missing=1"},
    {"CNT-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host container=docker kfd_errno=0"},
    {"CNT-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"CNT-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_errno=1"},
    {"CNT-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host shm_bytes=67108864"},
    {"CNT-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host shm_bytes=1073741824"},
    {"CNT-002", "unknown",
     ""},
    {"CNT-002", "error",
     "event event=shm-extend"},
    {"CNT-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host shm_bytes=2147483647"},
    {"CNT-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host shm_bytes=2147483648"},
    {"CNT-003", "error",
     "host locked_bytes=65536\n"
     "port name=mlx5_0"},
    {"CNT-003", "good",
     "host locked_bytes=inf"},
    {"CNT-003", "unknown",
     "host locked_bytes=65536"},
    {"CNT-004", "info",
     "host container=docker seccomp=2"},
    {"CNT-004", "good",
     "host container=docker seccomp=0"},
    {"CNT-004", "unknown",
     ""},
    {"CNT-004", "none",
     "host container=none seccomp=2"},
    {"CNT-005", "error",
     "host container=docker\n"
     "node path=/dev/kfd mode=432 gid=109\n"
     "group gid=44\n"
     "seen groups"},
    {"CNT-005", "good",
     "host container=docker\n"
     "node path=/dev/kfd mode=432 gid=109\n"
     "group gid=109\n"
     "seen groups"},
    {"CNT-005", "unknown",
     ""},
    {"CNT-006", "error",
     "host container=docker\n"
     "env name=NVIDIA_VISIBLE_DEVICES value=void\n"
     "seen env"},
    {"CNT-006", "good",
     "host container=docker\n"
     "env name=NVIDIA_VISIBLE_DEVICES value=all\n"
     "seen env"},
    {"CNT-006", "unknown",
     ""},
    {"CNT-006", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host container=docker\n"
     "env name=NVIDIA_VISIBLE_DEVICES value=void\n"
     "seen env"},
    {"CNT-006", "warning",
     "host container=docker\n"
     "env name=NVIDIA_DRIVER_CAPABILITIES value=compute\n"
     "seen env"},
    {"CNT-006", "error",
     "host container=docker\n"
     "env name=NVIDIA_DRIVER_CAPABILITIES value=utility\n"
     "seen env"},
    {"COL-001", "critical",
     "communicator ranks=7 expected=8 status=INCOMPLETE"},
    {"COL-001", "good",
     "communicator ranks=8 expected=8 status=RUNNING"},
    {"COL-001", "unknown",
     ""},
    {"COL-002", "warning",
     "gpu vendor=AMD name='AMD Instinct MI300X' target=gfx942\n"
     "collective operation=all_reduce ranks=8 bytes=1073741824 bus_bytes_per_s=216e9"},
    {"COL-002", "good",
     "gpu vendor=AMD name='AMD Instinct MI300X' target=gfx942\n"
     "collective operation=all_reduce ranks=8 bytes=1073741824 bus_bytes_per_s=217e9"},
    {"COL-002", "unknown",
     "gpu vendor=AMD name='AMD Instinct MI300X' target=gfx942\n"
     "collective operation=all_reduce ranks=8 bytes=8388608 bus_bytes_per_s=161e9"},
    {"COL-002", "unknown",
     "gpu vendor=NVIDIA name='NVIDIA H100 PCIe'\n"
     "collective operation=all_reduce ranks=8 bytes=1073741824 bus_bytes_per_s=20e9"},
    {"COL-003", "info",
     "collective operation=all_reduce ranks=1"},
    {"COL-003", "good",
     "collective operation=all_reduce ranks=8"},
    {"COL-003", "unknown",
     ""},
    {"CPU-001", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host governor=powersave"},
    {"CPU-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host governor=performance"},
    {"CPU-001", "unknown",
     ""},
    {"CPU-002", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host idle_state=C2 idle_exit_s=800e-6"},
    {"CPU-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host idle_state=C1"},
    {"CPU-002", "unknown",
     ""},
    {"CPU-002", "none",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI210'\n"
     "host idle_state=C2"},
    {"CPU-003", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host smt=1"},
    {"CPU-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host smt=0"},
    {"CPU-003", "unknown",
     ""},
    {"CPU-003", "none",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI210'\n"
     "host smt=1"},
    {"CPU-004", "warning",
     "host steal=0.011"},
    {"CPU-004", "good",
     "host steal=0.01"},
    {"CPU-004", "unknown",
     ""},
    {"DEV-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_live=1\n"
     "node path=/dev/kfd missing=1"},
    {"DEV-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=432"},
    {"DEV-001", "unknown",
     ""},
    {"DEV-001", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_live=1 container=docker\n"
     "node path=/dev/kfd missing=1"},
    {"DEV-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=384 group=root"},
    {"DEV-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=432 group=render"},
    {"DEV-002", "unknown",
     ""},
    {"DEV-003", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "pci bdf=0000:15:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "host kfd_gpus=1\n"
     "seen pci"},
    {"DEV-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "host kfd_gpus=8 render_nodes=8\n"
     "seen pci"},
    {"DEV-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_gpus=1"},
    {"DEV-003", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "host kfd_gpus=0 container=docker\n"
     "seen pci"},
    {"DEV-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x0300\n"
     "host kfd_gpus=0\n"
     "seen pci"},
    {"DEV-004", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=432 group=render\n"
     "group name=video gid=44\n"
     "seen groups"},
    {"DEV-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=432 group=render\n"
     "group name=render gid=109\n"
     "seen groups"},
    {"DEV-004", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=432 group=render"},
    {"DEV-004", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_errno=13"},
    {"DEV-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=438 group=render"},
    {"DEV-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "node path=/dev/kfd mode=432 group=render"},
    {"DEV-005", "unknown",
     ""},
    {"DEV-006", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_errno=22"},
    {"DEV-006", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_errno=0"},
    {"DEV-006", "unknown",
     ""},
    {"DEV-006", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_errno=12\n"
     "event event=kfd-unsupported"},
    {"DEV-006", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kfd_errno=13"},
    {"DEV-007", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=kfd-unsupported device=0000:05:00.0"},
    {"DEV-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"DEV-007", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"DEV-008", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=kfd-atomics device=0000:05:00.0"},
    {"DEV-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"DEV-008", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"DEV-009", "critical",
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "host gpus_expected=8\n"
     "seen pci"},
    {"DEV-009", "good",
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "host gpus_expected=1\n"
     "seen pci"},
    {"DEV-009", "unknown",
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "host gpus_expected=8"},
    {"ENV-001", "warning",
     "env name=HIP_LAUNCH_BLOCKING value=1\n"
     "seen env"},
    {"ENV-001", "good",
     "env name=HIP_LAUNCH_BLOCKING value=0\n"
     "seen env"},
    {"ENV-001", "unknown",
     ""},
    {"ENV-002", "warning",
     "env name=HIP_COMPRESS_BUFFERS value=1\n"
     "seen env"},
    {"ENV-002", "good",
     "seen env"},
    {"ENV-002", "unknown",
     ""},
    {"ENV-003", "error",
     "env name=ROCR_VISIBLE_DEVICES value=1\n"
     "env name=CUDA_VISIBLE_DEVICES value=1\n"
     "seen env"},
    {"ENV-003", "good",
     "env name=ROCR_VISIBLE_DEVICES value=1\n"
     "env name=CUDA_VISIBLE_DEVICES value=0\n"
     "seen env"},
    {"ENV-003", "unknown",
     ""},
    {"ENV-003", "error",
     "env name=HIP_VISIBLE_DEVICES value=0,1\n"
     "env name=CUDA_VISIBLE_DEVICES value=2,3\n"
     "seen env"},
    {"ENV-003", "error",
     "env name=ROCR_VISIBLE_DEVICES value=0\n"
     "package name=ray value=2.46.0\n"
     "seen env"},
    {"ENV-003", "good",
     "env name=ROCR_VISIBLE_DEVICES value=0\n"
     "package name=ray value=2.44.1\n"
     "seen env"},
    {"ENV-003", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "env name=LOCAL_WORLD_SIZE value=4\n"
     "seen env"},
    {"ENV-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "env name=LOCAL_WORLD_SIZE value=2\n"
     "seen env"},
    {"ENV-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "env name=LOCAL_WORLD_SIZE value=8\n"
     "env name=HIP_VISIBLE_DEVICES value=0\n"
     "seen env"},
    {"ENV-003", "error",
     "mask name=b rocr=1 cuda=1"},
    {"ENV-003", "good",
     "mask name=c rocr=1 cuda=0"},
    {"ENV-004", "info",
     "env name=RCCL_MSCCL_ENABLE value=1\n"
     "seen env"},
    {"ENV-004", "good",
     "seen env"},
    {"ENV-004", "unknown",
     ""},
    {"ENV-005", "info",
     "env name=NCCL_ASYNC_ERROR_HANDLING value=1\n"
     "seen env"},
    {"ENV-005", "good",
     "seen env"},
    {"ENV-005", "unknown",
     ""},
    {"ENV-006", "warning",
     "env name=OMPI_ALLOW_RUN_AS_ROOT value=1\n"
     "seen env"},
    {"ENV-006", "good",
     "seen env"},
    {"ENV-006", "unknown",
     ""},
    {"ENV-007", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "seen env"},
    {"ENV-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "env name=HSA_FORCE_FINE_GRAIN_PCIE value=1\n"
     "seen env"},
    {"ENV-007", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0"},
    {"ENV-007", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen env"},
    {"ENV-007", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "link a=0 b=1 type=XGMI\n"
     "seen env"},
    {"ENV-008", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=GPU_MAX_HW_QUEUES value=8\n"
     "seen env"},
    {"ENV-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=GPU_MAX_HW_QUEUES value=4\n"
     "seen env"},
    {"ENV-008", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"ENV-009", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx950\n"
     "env name=NCCL_MIN_NCHANNELS value=112\n"
     "seen env"},
    {"ENV-009", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx950\n"
     "seen env"},
    {"ENV-009", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=NCCL_MIN_NCHANNELS value=112\n"
     "seen env"},
    {"ENV-009", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942\n"
     "env name=NCCL_MIN_NCHANNELS value=112\n"
     "seen env"},
    {"ENV-010", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "gpu vendor=AMD bdf=0000:15:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "package name=torch value=2.6.0+rocm6.2.4\n"
     "seen env"},
    {"ENV-010", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "package name=torch value=2.6.0+rocm6.2.4\n"
     "env name=GPU_MAX_HW_QUEUES value=2\n"
     "env name=TORCH_NCCL_HIGH_PRIORITY value=1\n"
     "seen env"},
    {"ENV-010", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "seen env"},
    {"ENV-010", "none",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx90a name='AMD Instinct MI210'"},
    {"IOM-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host iommu=DMA"},
    {"IOM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host iommu=identity"},
    {"IOM-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0"},
    {"IOM-001", "none",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host iommu=DMA"},
    {"IOM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host cmdline='ro iommu=pt'"},
    {"IOM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host cmdline=ro iommu_groups=0"},
    {"IOM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host cmdline=ro\n"
     "event event=iommu-passthrough\n"
     "event event=iommu-pt-missing"},
    {"IOM-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host cmdline=ro\n"
     "event event=iommu-pt-missing"},
    {"IOM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "config name=CONFIG_IOMMU_DEFAULT_PASSTHROUGH value=y\n"
     "host cmdline=ro\n"
     "event event=iommu-pt-missing"},
    {"IOM-001", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host cmdline=ro"},
    {"IOM-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "gpu vendor=AMD bdf=0000:15:00.0\n"
     "host cmdline=ro\n"
     "event event=iommu-translated"},
    {"IOM-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=io-page-fault device=0000:05:00.0"},
    {"IOM-002", "good",
     "seen kernel_log"},
    {"IOM-002", "unknown",
     ""},
    {"IOM-002", "warning",
     "event event=io-page-fault device=0000:01:00.0"},
    {"IOM-002", "warning",
     "event event=iommu-overflow"},
    {"IOM-003", "warning",
     "host threads=256 iommu_groups=0"},
    {"IOM-003", "good",
     "host threads=255"},
    {"IOM-003", "unknown",
     ""},
    {"IOM-003", "warning",
     "host threads=384 cmdline='ro amd_iommu=off'"},
    {"IOM-003", "good",
     "host threads=384 iommu_groups=90"},
    {"IOM-003", "unknown",
     "host threads=384"},
    {"KRN-001", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host rocm=6.2.4 os=ubuntu os_version=22.04 kernel=6.8.0-45-generic"},
    {"KRN-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host rocm=6.2.4 os=ubuntu os_version=22.04 kernel=5.15.0-144-generic"},
    {"KRN-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host rocm=6.2.4 os=ubuntu os_version=22.04 kernel=5.15.0 container=docker"},
    {"KRN-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx950\n"
     "host rocm=6.4.1"},
    {"KRN-001", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host rocm=6.2.4 os=fedora os_version=40 kernel=6.8.0"},
    {"KRN-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI210' target=gfx90a\n"
     "host rocm=6.2.4 os=ubuntu os_version=22.04 kernel=6.8.0-45-generic"},
    {"KRN-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx90a\n"
     "host rocm=6.2.0 os=sles os_version=15.6 kernel=6.4.0-150600-default"},
    {"KRN-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host rocm=7.2.0 os=ubuntu os_version=24.04 kernel=6.8.0"},
    {"KRN-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen modules"},
    {"KRN-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "module name=amdgpu\n"
     "seen modules"},
    {"KRN-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"KRN-003", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_version=6.3.6 rocm=6.3.1"},
    {"KRN-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_version=6.7.0 rocm=6.3.1"},
    {"KRN-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_version=5.13.0 rocm=6.3.1"},
    {"KRN-003", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_version=6.12.12 rocm=6.1"},
    {"KRN-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host amdgpu_version=6.16.13 rocm=7.2.3"},
    {"KRN-004", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kernel=5.15.0-91\n"
     "dkms kind=amdgpu version=6.8.5 path=5.15.0-90 state=installed"},
    {"KRN-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kernel=5.15.0-91\n"
     "dkms kind=amdgpu version=6.8.5 path=5.15.0-91 state=installed"},
    {"KRN-004", "unknown",
     ""},
    {"KRN-004", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host kernel=5.15.0-91 amdgpu_file=/lib/modules/5.15.0-91/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko\n"
     "dkms kind=amdgpu path=5.15.0-91 state=installed"},
    {"KRN-005", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host cmdline=ro\n"
     "event event=bar-no-space"},
    {"KRN-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host cmdline='ro pci=realloc=off'\n"
     "event event=bar-no-space"},
    {"KRN-005", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "event event=bar-no-space"},
    {"KRN-005", "none",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI210'\n"
     "host cmdline=ro"},
    {"KRN-006", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host numa_balancing=1"},
    {"KRN-006", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host numa_balancing=0"},
    {"KRN-006", "unknown",
     ""},
    {"KRN-006", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=numa-balancing"},
    {"KRN-007", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host cmdline='ro modprobe.blacklist=nouveau,amdgpu'"},
    {"KRN-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host cmdline='ro modprobe.blacklist=nouveau'"},
    {"KRN-007", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"KRN-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host cmdline='ro modprobe.blacklist=amdgpu' amdgpu_live=1"},
    {"KRN-007", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host cmdline='ro nomodeset'\n"
     "seen modules"},
    {"KRN-008", "critical",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=amdgpu-init-failed device=0000:05:00.0"},
    {"KRN-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"KRN-008", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"MEM-001", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 vram_used_bytes=2e9 vram_process_bytes=5e8"},
    {"MEM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 vram_used_bytes=1.5e9 vram_process_bytes=5e8"},
    {"MEM-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 vram_used_bytes=2e9"},
    {"MEM-002", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "process pid=42 name=exporter vram_bytes=0"},
    {"MEM-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "process pid=42 name=python vram_bytes=1e9"},
    {"MEM-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "process pid=42 name=x"},
    {"MEM-003", "warning",
     "oom allocated_bytes=80e9 reserved_bytes=20e9"},
    {"MEM-003", "good",
     "oom allocated_bytes=90e9 reserved_bytes=10e9"},
    {"MEM-003", "unknown",
     "oom allocated_bytes=90e9"},
    {"MEM-003", "good",
     "oom allocated_bytes=85e9 reserved_bytes=15e9"},
    {"MEM-004", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host thp=never"},
    {"MEM-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host thp=madvise"},
    {"MEM-004", "unknown",
     ""},
    {"MEM-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host ram_bytes=100e9 ram_pinned_bytes=81e9"},
    {"MEM-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host ram_bytes=100e9 ram_pinned_bytes=80e9"},
    {"MEM-005", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host ram_bytes=100e9"},
    {"MEM-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host ram_bytes=100e9 ram_pinned_bytes=1e9 huge_pages=80 huge_page_bytes=1e9"},
    {"MEM-006", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 compute_partition=CPX memory_partition=NPS1"},
    {"MEM-006", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 compute_partition=SPX memory_partition=NPS1"},
    {"MEM-006", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 compute_partition=CPX"},
    {"MEM-007", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host ram_bytes=100e9 page_table_bytes=1.1e9"},
    {"MEM-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host ram_bytes=100e9 page_table_bytes=1e9"},
    {"MEM-007", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host page_table_bytes=1.1e9"},
    {"MEM-008", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx908\n"
     "env name=HSA_XNACK value=1\n"
     "seen env"},
    {"MEM-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942\n"
     "env name=HSA_XNACK value=1\n"
     "seen env"},
    {"MEM-008", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=HSA_XNACK value=1\n"
     "seen env"},
    {"MEM-008", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942\n"
     "env name=HSA_XNACK value=1\n"
     "module_parameter name=amdgpu.noretry value=1\n"
     "seen env"},
    {"MEM-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx908\n"
     "seen env"},
    {"MEM-009", "info",
     "env name=PYTORCH_ALLOC_CONF value=backend:cudaMallocAsync,max_split_size_mb:512\n"
     "seen env"},
    {"MEM-009", "good",
     "env name=PYTORCH_ALLOC_CONF value=expandable_segments:True\n"
     "seen env"},
    {"MEM-009", "unknown",
     ""},
    {"NET-001", "error",
     "event event=gdr-disabled"},
    {"NET-001", "good",
     "host memory_peers=1"},
    {"NET-001", "unknown",
     "host memory_peers=0"},
    {"NET-001", "warning",
     "host memory_peers=0\n"
     "module name=nvidia_peermem"},
    {"NET-001", "warning",
     "host memory_peers=0 amdgpu_file=/lib/modules/6.8/kernel/drivers/gpu/amdgpu.ko"},
    {"NET-002", "warning",
     "env name=NCCL_DMABUF_ENABLE value=1\n"
     "seen env\n"
     "config name=CONFIG_PCI_P2PDMA value=n"},
    {"NET-002", "good",
     "env name=NCCL_DMABUF_ENABLE value=1\n"
     "seen env\n"
     "config name=CONFIG_PCI_P2PDMA value=y\n"
     "config name=CONFIG_DMABUF_MOVE_NOTIFY value=y"},
    {"NET-002", "unknown",
     "env name=NCCL_DMABUF_ENABLE value=1\n"
     "seen env"},
    {"NET-002", "none",
     "seen env"},
    {"NET-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=NCCL_DMABUF_ENABLE value=1\n"
     "seen env\n"
     "config name=CONFIG_PCI_P2PDMA value=y\n"
     "config name=CONFIG_DMABUF_MOVE_NOTIFY value=y\n"
     "config name=CONFIG_HSA_AMD_P2P value=n"},
    {"NET-003", "warning",
     "event event=socket-transport\n"
     "event event=verbs-library-missing"},
    {"NET-003", "good",
     "event event=ib-transport"},
    {"NET-003", "unknown",
     "event event=socket-transport"},
    {"NET-004", "warning",
     "event event=verbs-library-missing"},
    {"NET-004", "good",
     "event event=ib-transport"},
    {"NET-004", "unknown",
     ""},
    {"NET-005", "warning",
     "port name=mlx5_0 state=ACTIVE bits_per_s=4e11\n"
     "port name=mlx5_1 state=DOWN bits_per_s=4e11"},
    {"NET-005", "good",
     "port name=mlx5_0 state=ACTIVE bits_per_s=4e11"},
    {"NET-005", "unknown",
     "port name=mlx5_0"},
    {"NET-005", "info",
     "port name=mlx5_0 state=ACTIVE bits_per_s=4e11\n"
     "port name=mlx5_1 state=ACTIVE bits_per_s=1e11"},
    {"NET-006", "warning",
     "port name=mlx5_0 link_downed=255"},
    {"NET-006", "good",
     "port name=mlx5_0 link_downed=0"},
    {"NET-006", "unknown",
     "port name=mlx5_0"},
    {"NET-006", "info",
     "port name=mlx5_0 link_downed=254"},
    {"NET-007", "error",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "gid device=mlx5_0 index=0 type='IB/RoCE v1'"},
    {"NET-007", "good",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "gid device=mlx5_0 index=0 type='IB/RoCE v1'\n"
     "gid device=mlx5_0 index=3 type='RoCE v2'"},
    {"NET-007", "unknown",
     "port name=mlx5_0 layer=Ethernet interface=eth0"},
    {"NET-007", "error",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "gid device=mlx5_0 index=3 type='RoCE v2'\n"
     "env name=NCCL_IB_GID_INDEX value=1"},
    {"NET-007", "good",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "gid device=mlx5_0 index=3 type='RoCE v2'\n"
     "env name=NCCL_IB_GID_INDEX value=3"},
    {"NET-007", "unknown",
     "port name=mlx5_0 layer=InfiniBand\n"
     "gid device=mlx5_0 index=0 type='IB'"},
    {"NET-008", "error",
     "env name=NCCL_SOCKET_IFNAME value=docker0\n"
     "env name=SLURM_NNODES value=2\n"
     "seen env"},
    {"NET-008", "good",
     "env name=NCCL_SOCKET_IFNAME value=^docker0,lo\n"
     "seen env"},
    {"NET-008", "unknown",
     ""},
    {"NET-008", "info",
     "env name=NCCL_SOCKET_IFNAME value=lo\n"
     "seen env"},
    {"NET-008", "good",
     "host collective_interface=eth0"},
    {"NET-008", "info",
     "host collective_interface=veth12"},
    {"NET-009", "warning",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "interface name=eth0 mtu_bytes=1500"},
    {"NET-009", "good",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "interface name=eth0 mtu_bytes=9000"},
    {"NET-009", "unknown",
     "port name=mlx5_0 layer=Ethernet interface=eth0"},
    {"NET-009", "good",
     "port name=mlx5_0 layer=Ethernet interface=eth0\n"
     "interface name=eth0 mtu_bytes=4200"},
    {"NET-009", "info",
     "port name=mlx5_0 layer=Ethernet discards=7"},
    {"NET-009", "unknown",
     "port name=mlx5_0 layer=InfiniBand interface=ib0\n"
     "interface name=ib0 mtu_bytes=2044"},
    {"NUM-001", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 numa_node=0\n"
     "gpu vendor=AMD bdf=0000:15:00.0 numa_node=0\n"
     "gpu vendor=AMD bdf=0000:25:00.0 numa_node=1"},
    {"NUM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 numa_node=0\n"
     "gpu vendor=AMD bdf=0000:15:00.0 numa_node=1"},
    {"NUM-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 numa_node=0\n"
     "gpu vendor=AMD bdf=0000:15:00.0"},
    {"NUM-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 numa_node=-1\n"
     "host sockets=2"},
    {"NUM-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 numa_node=0"},
    {"NUM-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 numa_node=-1"},
    {"NUM-003", "info",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "link a=GPU0 b=NIC0 type=SYS"},
    {"NUM-003", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "link a=GPU0 b=NIC0 type=PXB"},
    {"NUM-003", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NUM-004", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host sockets=2 numa_nodes=8"},
    {"NUM-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "host sockets=2 numa_nodes=2"},
    {"NUM-004", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942"},
    {"NUM-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI250X'\n"
     "host sockets=1 numa_nodes=4"},
    {"NUM-004", "none",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 name='NVIDIA H100'\n"
     "host sockets=2 numa_nodes=8"},
    {"NUM-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 local_cpus=48-95\n"
     "host cpus_allowed=0-47\n"
     "env name=LOCAL_RANK value=0"},
    {"NUM-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 local_cpus=48-95\n"
     "host cpus_allowed=0-48"},
    {"NUM-005", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host cpus_allowed=0-47"},
    {"NUM-005", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 local_cpus=48-95\n"
     "host cpus_allowed=0-47"},
    {"NUM-006", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "numa node=0 bytes=100e9 free_bytes=4e9\n"
     "numa node=1 bytes=100e9 free_bytes=51e9"},
    {"NUM-006", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "numa node=0 bytes=100e9 free_bytes=5e9\n"
     "numa node=1 bytes=100e9 free_bytes=51e9"},
    {"NUM-006", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "numa node=0 bytes=100e9 free_bytes=4e9"},
    {"NVD-001", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 name='NVIDIA H100 80GB HBM3' persistence=0"},
    {"NVD-001", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 name='NVIDIA H100 80GB HBM3' persistence=1"},
    {"NVD-001", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 persistence=0"},
    {"NVD-002", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 driver=nouveau"},
    {"NVD-002", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 driver=nvidia\n"
     "module name=nvidia"},
    {"NVD-002", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-003", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host nvml=550.54 nvidia_module=535.161"},
    {"NVD-003", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host nvml=550.54 nvidia_module=550.54"},
    {"NVD-003", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host nvml=550.54"},
    {"NVD-004", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 fabric_state='In Progress'"},
    {"NVD-004", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 fabric_state=Completed"},
    {"NVD-004", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-004", "info",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=nothing-for-fabric-manager"},
    {"NVD-004", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host fabric_manager='inactive (dead)'\n"
     "link a=GPU0 b=GPU1 type=NV18"},
    {"NVD-004", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host fabric_manager_version=535.161 nvidia_module=550.54"},
    {"NVD-005", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=xid number=79 n_number=1"},
    {"NVD-005", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "seen kernel_log"},
    {"NVD-005", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-005", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=xid number=31 n_number=1"},
    {"NVD-005", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=xid number=63 n_number=1"},
    {"NVD-005", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=xid number=999 n_number=1"},
    {"NVD-006", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 mig=0 mig_pending=1"},
    {"NVD-006", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 mig=1 mig_pending=1"},
    {"NVD-006", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 mig=0"},
    {"NVD-007", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "link a=GPU0 b=GPU1 type=SYS"},
    {"NVD-007", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "link a=GPU0 b=GPU1 type=PIX"},
    {"NVD-007", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "link a=GPU0 b=NIC0 type=SYS"},
    {"NVD-008", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 nvlinks_up=17 nvlinks_down=1\n"
     "gpu vendor=NVIDIA bdf=0000:17:00.0 nvlinks_up=18 nvlinks_down=0"},
    {"NVD-008", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 nvlinks_up=18 nvlinks_down=0"},
    {"NVD-008", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 nvlinks_up=0"},
    {"NVD-008", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 nvlinks_up=18 nvlink_bytes_per_s=20e9\n"
     "gpu vendor=NVIDIA bdf=0000:17:00.0 nvlinks_up=18 nvlink_bytes_per_s=26e9"},
    {"NVD-009", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 remapped_failed=1"},
    {"NVD-009", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 remapped_pending=0 remapped_failed=0"},
    {"NVD-009", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-009", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 remapped_pending=1"},
    {"NVD-009", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 retired_pending=1 retired_double=14"},
    {"NVD-009", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 retired_pending=1 retired_double=15"},
    {"NVD-009", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 retired_single=59 retired_double=1 retired_pending=0"},
    {"NVD-009", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 retired_single=58 retired_double=1 retired_pending=0"},
    {"NVD-010", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=gpu-off-bus"},
    {"NVD-010", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "seen kernel_log"},
    {"NVD-010", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-011", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 slow_thermal=1"},
    {"NVD-011", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 slow_thermal=0 slow_power=0"},
    {"NVD-011", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-011", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 slow_power=1 gfx_busy=0"},
    {"NVD-011", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 slow_power=1 gfx_busy=1"},
    {"NVD-011", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 slow_brake=1"},
    {"NVD-012", "critical",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "pci bdf=0000:07:00.0 vendor_id=0x10de subclass=0x0302\n"
     "pci bdf=0000:17:00.0 vendor_id=0x10de subclass=0x0302\n"
     "host gpus_listed=1"},
    {"NVD-012", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "pci bdf=0000:07:00.0 vendor_id=0x10de subclass=0x0302\n"
     "pci bdf=0000:17:00.0 vendor_id=0x10de subclass=0x0302\n"
     "host gpus_listed=2"},
    {"NVD-012", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host gpus_listed=1"},
    {"NVD-013", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=peermem-invalid-context"},
    {"NVD-013", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "seen kernel_log"},
    {"NVD-013", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-014", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 gfx_hz_lock=1095e6 gfx_hz_default=1410e6"},
    {"NVD-014", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 gfx_hz_lock=1410e6 gfx_hz_default=1410e6"},
    {"NVD-014", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 gfx_hz_lock=1095e6"},
    {"NVD-015", "error",
     "gpu vendor=NVIDIA name='NVIDIA GB200'\n"
     "service name=nvidia-imex state='inactive (dead)'"},
    {"NVD-015", "good",
     "gpu vendor=NVIDIA name='NVIDIA GB200'\n"
     "service name=nvidia-imex state='active (running)'"},
    {"NVD-015", "unknown",
     "gpu vendor=NVIDIA name='NVIDIA GB200'"},
    {"NVD-015", "error",
     "gpu vendor=NVIDIA name='NVIDIA GB200'\n"
     "host imex_channels=0"},
    {"NVD-015", "none",
     "gpu vendor=NVIDIA bdf=0000:07:00.0 name='NVIDIA H100'"},
    {"NVD-016", "warning",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "event event=xid number=119 n_number=1"},
    {"NVD-016", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "seen kernel_log"},
    {"NVD-016", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0"},
    {"NVD-017", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host cuda_driver=11.8 cuda_toolkit=12.4"},
    {"NVD-017", "good",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host cuda_driver=12.2 cuda_toolkit=12.4"},
    {"NVD-017", "unknown",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "host cuda_toolkit=12.4"},
    {"PCI-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_width=8 pcie_width_max=16"},
    {"PCI-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_width=16 pcie_width_max=16"},
    {"PCI-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_width=8"},
    {"PCI-001", "info",
     "pci bdf=0000:01:00.0 subclass=0x0108 width=2 width_max=4"},
    {"PCI-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_gt_s=8 pcie_gt_s_max=32 gfx_busy=0.9"},
    {"PCI-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_gt_s=32 pcie_gt_s_max=32"},
    {"PCI-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_gt_s=2.5 pcie_gt_s_max=32 gfx_busy=0"},
    {"PCI-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_gt_s=8 pcie_gt_s_max=32"},
    {"PCI-003", "warning",
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=5 bus_last=5 acs_valid=1 acs_request=1 acs_complete=1\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "seen pci"},
    {"PCI-003", "good",
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=5 bus_last=5 acs_valid=0 acs_request=0 acs_complete=0\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "seen pci"},
    {"PCI-003", "unknown",
     ""},
    {"PCI-003", "info",
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=5 bus_last=5 acs_valid=1 acs_request=0 acs_complete=0\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "seen pci"},
    {"PCI-003", "good",
     "pci bdf=0000:00:01.0 bridge=1 subclass=0x0604 bus_first=1 bus_last=1 acs_valid=1 acs_request=1 acs_complete=1\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "seen pci"},
    {"PCI-003", "none",
     "host hypervisor=KVM\n"
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=5 bus_last=5 acs_valid=1 acs_request=1 acs_complete=1\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "seen pci"},
    {"PCI-003", "info",
     "pci bdf=0000:00:00.0 subclass=0x0600\n"
     "pci bdf=0000:00:03.1 bridge=1 subclass=0x0604 bus_first=5 bus_last=5 acs_valid=1 acs_request=1 acs_complete=1\n"
     "pci bdf=0000:05:00.0 vendor_id=0x1002 subclass=0x1200\n"
     "seen pci"},
    {"PCI-003", "warning",
     "pci bdf=0000:00:0c.0 bridge=1 subclass=0x0604 acs_valid=1 acs_request=0 acs_complete=0"},
    {"PCI-004", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=bar-no-space device=0000:05:00.0 number=0 second=206158430208 n_number=2"},
    {"PCI-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"PCI-004", "unknown",
     ""},
    {"PCI-004", "info",
     "event event=bar-no-space device=0000:01:00.0 number=7 second=1048576 n_number=2"},
    {"PCI-004", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 bar_bytes=268435456 vram_bytes=206e9"},
    {"PCI-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 bar_bytes=274877906944 vram_bytes=206e9"},
    {"PCI-005", "info",
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207 read_request_bytes=512"},
    {"PCI-005", "good",
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207 read_request_bytes=4096"},
    {"PCI-005", "unknown",
     "pci bdf=0000:01:00.0 vendor_id=0x8086 subclass=0x0200 read_request_bytes=512"},
    {"PCI-006", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "nic_setting name=PCI_WR_ORDERING value=per_mkey(0)\n"
     "env name=NCCL_IB_PCI_RELAXED_ORDERING value=0"},
    {"PCI-006", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "nic_setting name=PCI_WR_ORDERING value=force_relax(1)"},
    {"PCI-006", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"PCI-006", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "nic_setting name=PCI_WR_ORDERING value=per_mkey(0)"},
    {"PCI-007", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_replays=5 pcie_replays_new=2"},
    {"PCI-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_replays=5 pcie_replays_new=0"},
    {"PCI-007", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_replays=5"},
    {"PCI-007", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_naks=101"},
    {"PCI-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_naks=100"},
    {"PCI-007", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 aer_correctable=101"},
    {"PCI-007", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_replays=0"},
    {"PCI-008", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_recoveries=101"},
    {"PCI-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 pcie_recoveries=100"},
    {"PCI-008", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"PCI-009", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=5 bus_last=5\n"
     "pci bdf=0000:16:00.0 vendor_id=0x15b3 subclass=0x0207"},
    {"PCI-009", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=4 bus_last=7\n"
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207"},
    {"PCI-009", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "pci bdf=0000:03:00.0 bridge=1 subclass=0x0604 bus_first=5 bus_last=5"},
    {"PCI-010", "info",
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207 ats=1\n"
     "event event=gdr-disabled"},
    {"PCI-010", "good",
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207 ats=1"},
    {"PCI-010", "unknown",
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207\n"
     "event event=gdr-disabled"},
    {"PCI-010", "good",
     "pci bdf=0000:06:00.0 vendor_id=0x15b3 subclass=0x0207 ats=0\n"
     "event event=gdr-disabled"},
    {"PRF-001", "info",
     "profile table=hip_api name=hipModuleLoad share=0.6"},
    {"PRF-001", "good",
     "profile table=hip_api name=hipLaunchKernel share=0.9"},
    {"PRF-001", "unknown",
     "profile table=kernel name=gemm share=0.9"},
    {"PRF-002", "info",
     "profile table=counter name=VALUBusy share=0.74"},
    {"PRF-002", "good",
     "profile table=counter name=VALUBusy share=0.75"},
    {"PRF-002", "unknown",
     "profile table=counter name=MemUnitBusy share=0.2"},
    {"PRF-002", "info",
     "profile table=counter name=VALUBusy share=0.91"},
    {"PRF-002", "good",
     "profile table=counter name=VALUBusy share=0.9"},
    {"PRT-001", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 compute_partition=CPX"},
    {"PRT-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 compute_partition=SPX"},
    {"PRT-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"PRT-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "partition compute=SPX memory=NPS4"},
    {"PRT-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "partition compute=CPX memory=NPS4"},
    {"PRT-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI210'\n"
     "partition compute=SPX memory=NPS4"},
    {"PRT-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 compute_partition=SPX memory_partition=NPS4"},
    {"PRT-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 compute_partition=SPX memory_partition=NPS1"},
    {"PWR-001", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_w=500 power_cap_default_w=750"},
    {"PWR-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_w=750 power_cap_default_w=750"},
    {"PWR-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_w=500"},
    {"PWR-002", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_min_w=290 power_cap_max_w=750\n"
     "host power_cap_asked_w=250"},
    {"PWR-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_min_w=290 power_cap_max_w=750\n"
     "host power_cap_asked_w=300"},
    {"PWR-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "host power_cap_asked_w=250"},
    {"PWR-003", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 power_w=2 gfx_busy=0.99 power_cap_w=1000"},
    {"PWR-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 power_w=800 gfx_busy=0.99 power_cap_w=1000"},
    {"PWR-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"PWR-003", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 power_w=1201 power_cap_w=1000"},
    {"PWR-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 power_w=1200 power_cap_w=1000"},
    {"PWR-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 power_w=2 gfx_busy=0.5 power_cap_w=1000"},
    {"PWR-004", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_w=0"},
    {"PWR-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 power_cap_w=560"},
    {"PWR-004", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"PWR-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 perf_level=manual"},
    {"PWR-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 perf_level=auto"},
    {"PWR-005", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"PWR-005", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 perf_level=determinism"},
    {"PWR-006", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 sample_ticks=1000 power_ticks=101"},
    {"PWR-006", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 sample_ticks=1000 power_ticks=100"},
    {"PWR-006", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 power_ticks=101"},
    {"RAS-001", "critical",
     "gpu vendor=AMD bdf=0000:05:00.0 ras_uncorrectable=1"},
    {"RAS-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 ras_uncorrectable=0"},
    {"RAS-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"RAS-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 ras_correctable=1001\n"
     "gpu vendor=AMD bdf=0000:15:00.0 ras_correctable=100"},
    {"RAS-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 ras_correctable=1000\n"
     "gpu vendor=AMD bdf=0000:15:00.0 ras_correctable=100"},
    {"RAS-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 ras_correctable=1001"},
    {"RAS-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 ras_correctable=100\n"
     "gpu vendor=AMD bdf=0000:15:00.0 ras_correctable=0"},
    {"RAS-003", "critical",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=bad-pages-threshold number=128 second=128 n_number=2"},
    {"RAS-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"RAS-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"RAS-004", "critical",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=poison device=0000:05:00.0"},
    {"RAS-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"RAS-004", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"RAS-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 ecc_umc=0"},
    {"RAS-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 ecc_umc=1"},
    {"RAS-005", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Radeon RX 7900 XTX' ecc_umc=0"},
    {"RAS-005", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 ecc_umc=0 poison=1"},
    {"RAS-006", "error",
     "event event=apei\n"
     "event event=apei-amd"},
    {"RAS-006", "good",
     "seen kernel_log"},
    {"RAS-006", "unknown",
     "event event=apei"},
    {"SCH-001", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=runlist-oversubscribed device=0000:05:00.0"},
    {"SCH-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"SCH-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"SCH-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=ring-timeout device=0000:05:00.0"},
    {"SCH-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"SCH-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"SCH-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=gpu-reset"},
    {"SCH-003", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=qcm-timeout device=0000:05:00.0"},
    {"SCH-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "seen kernel_log"},
    {"SCH-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"SW-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942\n"
     "host build_targets='gfx90a gfx1100'"},
    {"SW-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942\n"
     "host build_targets='gfx90a:sramecc+ gfx942'"},
    {"SW-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942"},
    {"SW-001", "error",
     "event event=invalid-device-function"},
    {"SW-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942\n"
     "event event=illegal-instruction"},
    {"SW-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "env name=HSA_OVERRIDE_GFX_VERSION value=9.0.0\n"
     "seen env"},
    {"SW-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942\n"
     "seen env"},
    {"SW-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"SW-002", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=HSA_OVERRIDE_GFX_VERSION value=10.3.0\n"
     "seen env"},
    {"SW-003", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "event event=hipblaslt-unsupported"},
    {"SW-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx942"},
    {"SW-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 target=gfx906"},
    {"SW-004", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=LD_LIBRARY_PATH value=/opt/rocm-5.7.1/lib:/opt/rocm-6.2.4/lib\n"
     "seen env"},
    {"SW-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "env name=LD_LIBRARY_PATH value=/opt/rocm-6.1.0/lib:/opt/rocm-6.2.4/lib\n"
     "seen env"},
    {"SW-004", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"SW-004", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "library path=/opt/rocm-5.7.1/lib/libamdhip64.so.5 pid=7\n"
     "library path=/opt/rocm-6.2.4/lib/librccl.so.1 pid=7"},
    {"SW-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "library path=/opt/rocm-5.7.1/lib/libamdhip64.so.5 pid=7\n"
     "library path=/opt/rocm-6.2.4/lib/librccl.so.1 pid=8"},
    {"SW-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "firmware kind=SMC path=0000:05:00.0 version=85.112\n"
     "firmware kind=SMC path=0000:15:00.0 version=85.110"},
    {"SW-005", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "firmware kind=SMC path=0000:05:00.0 version=85.112\n"
     "firmware kind=SMC path=0000:15:00.0 version=85.112"},
    {"SW-005", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "firmware kind=SMC path=0000:05:00.0 version=85.112"},
    {"SW-005", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 name='AMD Instinct MI300X' target=gfx942 vbios=113-A\n"
     "gpu vendor=AMD bdf=0000:15:00.0 name='AMD Instinct MI300X' target=gfx942 vbios=113-B"},
    {"SW-006", "warning",
     "host net_plugin=none\n"
     "env name=NCCL_NET_PLUGIN value=aws-ofi\n"
     "seen env"},
    {"SW-006", "good",
     "host net_plugin=none\n"
     "seen env"},
    {"SW-006", "unknown",
     "env name=NCCL_NET_PLUGIN value=aws-ofi\n"
     "seen env"},
    {"SW-007", "error",
     "rank version=2.20.5 rank=0\n"
     "rank version=2.18.3 rank=1"},
    {"SW-007", "good",
     "rank version=2.20.5 rank=0\n"
     "rank version=2.20.5 rank=1"},
    {"SW-007", "unknown",
     "rank rank=0"},
    {"SW-008", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "command program=rocm-smi line='rocm-smi --showuse'"},
    {"SW-008", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "command program=amd-smi line='amd-smi static'"},
    {"SW-008", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"SW-009", "info",
     "host gpus_listed=63 gpus_expected=64"},
    {"SW-009", "good",
     "host gpus_listed=64 gpus_expected=64"},
    {"SW-009", "unknown",
     "host gpus_listed=63"},
    {"SW-010", "error",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "package name=torch value=2.6.0+cu124"},
    {"SW-010", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "package name=torch value=2.6.0+rocm6.2.4"},
    {"SW-010", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "package name=torch value=2.6.0"},
    {"SW-010", "error",
     "gpu vendor=NVIDIA bdf=0000:07:00.0\n"
     "package name=torch value=2.6.0+cpu"},
    {"SW-010", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "package name=torch value=2.9.0+rocm7.0\n"
     "host rocm=6.4.1"},
    {"THM-001", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 hotspot_c=96 hotspot_limit_c=100"},
    {"THM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 hotspot_c=95 hotspot_limit_c=100"},
    {"THM-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 hotspot_c=96"},
    {"THM-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 mem_c=101 mem_limit_c=105"},
    {"THM-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 mem_c=100 mem_limit_c=105"},
    {"THM-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 mem_c=101"},
    {"THM-003", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0 throttle=THROTTLED gfx_busy=0.9"},
    {"THM-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 throttle=UNTHROTTLED"},
    {"THM-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0 throttle=THROTTLED"},
    {"VRT-001", "info",
     "gpu vendor=AMD bdf=0000:05:00.0 device_id=0x74b5"},
    {"VRT-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 device_id=0x74a1"},
    {"VRT-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"XGM-001", "critical",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=XGMI\n"
     "link a=0 b=2 type=XGMI\n"
     "link a=1 b=2 type=PCIE"},
    {"XGM-001", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=XGMI"},
    {"XGM-001", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"XGM-002", "critical",
     "gpu vendor=AMD bdf=0000:05:00.0 xgmi_links_up=6 xgmi_links_down=1"},
    {"XGM-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 xgmi_links_up=7 xgmi_links_down=0"},
    {"XGM-002", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
    {"XGM-002", "error",
     "gpu vendor=AMD bdf=0000:05:00.0 xgmi_errors=1"},
    {"XGM-002", "good",
     "gpu vendor=AMD bdf=0000:05:00.0 xgmi_errors=0"},
    {"XGM-003", "info",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=XGMI hops=1 bytes_per_s=200e9\n"
     "link a=0 b=2 type=XGMI hops=1 bytes_per_s=50e9"},
    {"XGM-003", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=XGMI hops=1 bytes_per_s=50e9\n"
     "link a=0 b=2 type=XGMI hops=1 bytes_per_s=50e9"},
    {"XGM-003", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=XGMI hops=1"},
    {"XGM-004", "warning",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=PCIE"},
    {"XGM-004", "good",
     "gpu vendor=AMD bdf=0000:05:00.0\n"
     "link a=0 b=1 type=XGMI"},
    {"XGM-004", "unknown",
     "gpu vendor=AMD bdf=0000:05:00.0"},
};
/* clang-format on */

#endif
