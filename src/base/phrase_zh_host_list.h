/* ASSAY_PHRASE("English", "中文"): what checks of a host and of settings say of it. Where the
   English is a format, so is the Chinese, with the same arguments: %2$s is the second, %.0s one
   that is left out. */

ASSAY_PHRASE("the clock of %s is locked", "%s 的时钟频率已锁定")
ASSAY_PHRASE("%s may use one level of its clock (%s)", "%s 只允许使用一级频率（%s）")
ASSAY_PHRASE("%s may use one level of its clock; whether that was forced is not given",
             "%s 只允许使用一级频率；所给资料未说明是否为强制设定")
ASSAY_PHRASE("no level of %s is forced", "%s 没有被强制的频率级")
ASSAY_PHRASE("the clock of %s is free", "%s 的频率未受限制")
ASSAY_PHRASE("%s is at rest, where clocks fall", "%s 处于空闲，此时频率会降低")
ASSAY_PHRASE("the %s clock of %s is %.0f of %.0f MHz while busy",
             "%2$s 繁忙时 %1$s 频率为 %3$.0f MHz，最高 %4$.0f MHz")
ASSAY_PHRASE("the %s clock of %s is high", "%2$s 的 %1$s 频率高")
ASSAY_PHRASE("a cap of %.0f W is asked of %s, which takes %.0f to %.0f W",
             "要求 %2$s 的功耗上限为 %1$.0f W，而它接受 %3$.0f 至 %4$.0f W")
ASSAY_PHRASE("%.0f W is within %.0f to %.0f W", "%.0f W 在 %.0f 至 %.0f W 之内")
ASSAY_PHRASE("its temperature (hardware)", "温度（硬件）")
ASSAY_PHRASE("the board's power brake", "板卡的功率制动")
ASSAY_PHRASE("a temperature (driver)", "温度（驱动）")
ASSAY_PHRASE("its power cap", "功耗上限")
ASSAY_PHRASE("%s is slowed by %s", "%s 降频，原因：%s")
ASSAY_PHRASE("nothing slows %s", "没有因素使 %s 降频")
ASSAY_PHRASE("the clock of %s is set to %.0f MHz, by default %.0f",
             "%s 的频率设为 %.0f MHz，默认为 %.0f")
ASSAY_PHRASE("the clock of %s is not lowered", "%s 的频率未被调低")
ASSAY_PHRASE("%s counts %.0f correctable errors", "%s 记录了 %.0f 个可纠正错误")
ASSAY_PHRASE("%s counts %.0f correctable errors; there is no peer to compare it with",
             "%s 记录了 %.0f 个可纠正错误；没有同类可比")
ASSAY_PHRASE("%s counts %.0f correctable errors, the median of its peers is %.0f",
             "%s 记录了 %.0f 个可纠正错误，同类的中位数为 %.0f")
ASSAY_PHRASE("%s is like its peers", "%s 与同类一致")
ASSAY_PHRASE("no AMD accelerator is here", "此处没有 AMD 加速卡")
ASSAY_PHRASE("no NVIDIA accelerator is here", "此处没有 NVIDIA 加速卡")
ASSAY_PHRASE("no accelerator is here", "此处没有加速卡")
ASSAY_PHRASE("fewer than two accelerators are here", "此处的加速卡不足两张")
ASSAY_PHRASE("this is no container", "这不是容器")
ASSAY_PHRASE("no RDMA device is here", "此处没有 RDMA 设备")
ASSAY_PHRASE("the GPU", "该 GPU")
ASSAY_PHRASE(" (%u times)", "（%u 次）")
ASSAY_PHRASE("the kernel log has no such line", "内核日志中没有这样的行")
ASSAY_PHRASE("whether this is a container was not given", "所给资料未说明这是否为容器")
ASSAY_PHRASE("a filter of system calls is in place", "启用了系统调用过滤")
ASSAY_PHRASE("no filter of system calls", "没有系统调用过滤")
ASSAY_PHRASE("the devices were passed by other means", "设备以其他方式传入")
ASSAY_PHRASE("NVIDIA_DRIVER_CAPABILITIES=%s lacks compute",
             "NVIDIA_DRIVER_CAPABILITIES=%s 缺少 compute")
ASSAY_PHRASE("NVIDIA_DRIVER_CAPABILITIES=%s lacks utility: no nvidia-smi",
             "NVIDIA_DRIVER_CAPABILITIES=%s 缺少 utility：没有 nvidia-smi")
ASSAY_PHRASE("a container need not have all of them", "容器不必拥有全部加速卡")
ASSAY_PHRASE("the compute driver has %.0f of %u accelerators",
             "%2$u 张加速卡中，计算驱动有 %1$.0f 张")
ASSAY_PHRASE("the compute driver has all %u", "计算驱动有全部 %u 张")
ASSAY_PHRASE("%.0f render nodes for %u accelerators", "%2$u 张加速卡对应 %1$.0f 个 render 节点")
ASSAY_PHRASE("%.0f render nodes", "%.0f 个 render 节点")
ASSAY_PHRASE("%s has mode %04o and group %s", "%s 的权限为 %04o，所属组为 %s")
ASSAY_PHRASE("%s has mode %04o", "%s 的权限为 %04o")
ASSAY_PHRASE("/dev/kfd has mode %04o", "/dev/kfd 的权限为 %04o")
ASSAY_PHRASE("/dev/kfd opens", "/dev/kfd 能打开")
ASSAY_PHRASE("opening /dev/kfd: permission denied", "打开 /dev/kfd：权限不足")
ASSAY_PHRASE("the process is not in group %s", "进程不在组 %s 中")
ASSAY_PHRASE("the process is in group %s", "进程在组 %s 中")
ASSAY_PHRASE("the process is not in group %s, which owns /dev/kfd",
             "进程不在组 %s 中，而 /dev/kfd 属于该组")
ASSAY_PHRASE("invalid argument: the driver's state, as after passing the GPU to a virtual machine; "
             "no permission is missing",
             "参数无效：驱动处于异常状态，如把 GPU 传给虚拟机之后；并不缺少权限")
ASSAY_PHRASE("no such device: the driver has no compute device", "没有该设备：驱动没有计算设备")
ASSAY_PHRASE("busy: another process holds it alone", "忙：另一进程独占它")
ASSAY_PHRASE("cannot allocate memory: a GPU that the driver does not take, or no memory for it",
             "无法分配内存：驱动不接受某张 GPU，或没有内存给它")
ASSAY_PHRASE("the kernel log says why the GPU was refused", "内核日志说明了为何拒绝该 GPU")
ASSAY_PHRASE("opening /dev/kfd: %s", "打开 /dev/kfd：%s")
ASSAY_PHRASE("opening /dev/kfd fails for a reason that another check names",
             "打开 /dev/kfd 失败，原因由另一项检查指出")
ASSAY_PHRASE("opening /dev/kfd: operation not permitted, as a device cgroup says",
             "打开 /dev/kfd：不允许该操作，为设备 cgroup 的限制")
ASSAY_PHRASE("/dev/kfd is not there", "/dev/kfd 不存在")
ASSAY_PHRASE("/dev/kfd is there", "/dev/kfd 存在")
ASSAY_PHRASE("the process is in group %lld", "进程在组 %lld 中")
ASSAY_PHRASE("/dev/kfd belongs to group %lld, which the process is not in",
             "/dev/kfd 属于组 %lld，而进程不在其中")
ASSAY_PHRASE("in the container the process is not in the group that owns /dev/kfd",
             "容器内的进程不在 /dev/kfd 所属的组中")
ASSAY_PHRASE("/dev/shm has %.0f MiB for %.0f accelerator%s",
             "/dev/shm 有 %.0f MiB，供 %.0f 张加速卡使用%.0s")
ASSAY_PHRASE("/dev/shm has %.1f GiB", "/dev/shm 有 %.1f GiB")
ASSAY_PHRASE("verbs lack memory; the limit of locked memory is not given",
             "verbs 内存不足；所给资料中没有锁定内存的上限")
ASSAY_PHRASE("locked memory is not limited", "锁定内存不受限制")
ASSAY_PHRASE("locked memory is limited to %.0f KiB", "锁定内存的上限为 %.0f KiB")
ASSAY_PHRASE("the limit matters with RDMA devices, and none was seen",
             "该上限只在有 RDMA 设备时起作用，而没有看到 RDMA 设备")
ASSAY_PHRASE("; perhaps %s was meant", "；或许本意是 %s")
ASSAY_PHRASE("no such variable is set", "没有设置这样的变量")
ASSAY_PHRASE("GPU_MAX_HW_QUEUES is small or not set", "GPU_MAX_HW_QUEUES 较小或未设置")
ASSAY_PHRASE("NCCL_MIN_NCHANNELS is not set", "NCCL_MIN_NCHANNELS 未设置")
ASSAY_PHRASE("NCCL_MIN_NCHANNELS=112 on gfx950", "gfx950 上设置了 NCCL_MIN_NCHANNELS=112")
ASSAY_PHRASE("NCCL_MIN_NCHANNELS=%s on %s", "%2$s 上设置了 NCCL_MIN_NCHANNELS=%1$s")
ASSAY_PHRASE("NCCL_DMABUF_ENABLE=1 is not set", "未设置 NCCL_DMABUF_ENABLE=1")
ASSAY_PHRASE("%s is not set in the kernel", "内核未启用 %s")
ASSAY_PHRASE("the kernel has all that dma-buf needs", "内核具备 dma-buf 所需的全部功能")
ASSAY_PHRASE("%s has a GID of RoCE v2", "%s 有 RoCE v2 的 GID")
ASSAY_PHRASE("NCCL_IB_GID_INDEX=%ld, and %s has no GID of RoCE v2 there",
             "NCCL_IB_GID_INDEX=%ld，而 %s 在该处没有 RoCE v2 的 GID")
ASSAY_PHRASE("%s has no GID of RoCE v2", "%s 没有 RoCE v2 的 GID")
ASSAY_PHRASE(", which other nodes cannot reach", "，其他节点无法访问它")
ASSAY_PHRASE(", which other nodes could not reach", "，其他节点将无法访问它")
ASSAY_PHRASE("the log uses interface %s%s", "日志使用接口 %s%s")
ASSAY_PHRASE("the log uses interface %s", "日志使用接口 %s")
ASSAY_PHRASE("no interface is forced", "没有强制指定接口")
ASSAY_PHRASE("%s (%s) has an MTU of %.0f", "%s（%s）的 MTU 为 %.0f")
ASSAY_PHRASE("%s discarded %.0f packets; one reading does not say when",
             "%s 丢弃了 %.0f 个包；单次读数无法说明何时发生")
ASSAY_PHRASE("%s has an MTU of %.0f", "%s 的 MTU 为 %.0f")
ASSAY_PHRASE("the network plugin %s was loaded", "已加载网络插件 %s")
ASSAY_PHRASE("NCCL_NET_PLUGIN=%s, and no plugin was found",
             "设置了 NCCL_NET_PLUGIN=%s，而没有找到插件")
ASSAY_PHRASE("no plugin, and none was asked for", "没有插件，也没有要求插件")
ASSAY_PHRASE("no accelerator here shares NVLink with other nodes",
             "此处没有与其他节点共享 NVLink 的加速卡")
ASSAY_PHRASE("nvidia-imex is %s", "nvidia-imex 的状态为 %s")
ASSAY_PHRASE("%.0f IMEX channels", "%.0f 个 IMEX 通道")
ASSAY_PHRASE("there is no IMEX channel in /dev", "/dev 中没有 IMEX 通道")
ASSAY_PHRASE("there is no measured norm for %s on %u of these accelerators",
             "没有这些加速卡中 %2$u 张执行 %1$s 的实测基准")
ASSAY_PHRASE("%s on %u reaches %.1f GB/s bus bandwidth, others measured %.0f",
             "%2$u 张上的 %1$s 总线带宽为 %3$.1f GB/s，他人测得 %4$.0f")
ASSAY_PHRASE("%s on %u reaches %.0f GB/s, others measured %.0f",
             "%2$u 张上的 %1$s 达到 %3$.0f GB/s，他人测得 %4$.0f")
ASSAY_PHRASE("messages below %.0f MiB do not show bandwidth", "小于 %.0f MiB 的消息看不出带宽")
ASSAY_PHRASE("amdgpu is loaded", "amdgpu 已加载")
ASSAY_PHRASE("no list shows an AMD accelerator", "没有清单显示 AMD 加速卡")
ASSAY_PHRASE("amdgpu is not loaded", "amdgpu 未加载")
ASSAY_PHRASE("the list of modules has no amdgpu", "模块清单中没有 amdgpu")
ASSAY_PHRASE("the boot line does not keep amdgpu away", "启动参数没有阻止 amdgpu")
ASSAY_PHRASE("kept away at boot, and loaded since", "启动时被阻止，之后已加载")
ASSAY_PHRASE("the boot line has %s", "启动参数中有 %s")
ASSAY_PHRASE("amdgpu on its module blacklist", "amdgpu 在其模块黑名单中")
ASSAY_PHRASE("the boot line has iommu=pt", "启动参数中有 iommu=pt")
ASSAY_PHRASE("the boot line has iommu.passthrough=1", "启动参数中有 iommu.passthrough=1")
ASSAY_PHRASE("the boot line switches the IOMMU off", "启动参数关闭了 IOMMU")
ASSAY_PHRASE("pass-through is the kernel's default", "直通是内核的默认设置")
ASSAY_PHRASE("the accelerators' IOMMU groups are identity", "加速卡的 IOMMU 组为 identity")
ASSAY_PHRASE("there are no IOMMU groups: it is off", "没有 IOMMU 组：它已关闭")
ASSAY_PHRASE("no two AMD accelerators that copy to each other", "没有两张会互相复制的 AMD 加速卡")
ASSAY_PHRASE("IOMMU groups of type %s", "IOMMU 组的类型为 %s")
ASSAY_PHRASE("the boot line has no iommu=pt", "启动参数中没有 iommu=pt")
ASSAY_PHRASE(
    "the boot line has no iommu=pt; whether the IOMMU is on, and in which mode, is not given",
    "启动参数中没有 iommu=pt；所给资料未说明 IOMMU 是否开启、处于何种模式")
ASSAY_PHRASE("blocked access of accelerator or NIC %s, %u times",
             "加速卡或网卡 %s 的访问被阻止，%u 次")
ASSAY_PHRASE("blocked access of %s, %u times; not known as accelerator or NIC",
             "%s 的访问被阻止，%u 次；不知是否为加速卡或网卡")
ASSAY_PHRASE("a device", "某设备")
ASSAY_PHRASE("%s replayed %.0f packets between the samples", "两次采样之间 %s 重传了 %.0f 个包")
ASSAY_PHRASE("%s counts %.0f NAKs", "%s 记录了 %.0f 个 NAK")
ASSAY_PHRASE("%s counts %.0f correctable PCIe errors since boot",
             "%s 自启动以来记录了 %.0f 个可纠正的 PCIe 错误")
ASSAY_PHRASE("%s replayed %.0f packets since boot; one reading does not say when",
             "%s 自启动以来重传了 %.0f 个包；单次读数无法说明何时发生")
ASSAY_PHRASE("%s replays nothing", "%s 没有重传")
ASSAY_PHRASE("the link of %s went into recovery %.0f times since boot",
             "自启动以来 %s 的链路进入恢复状态 %.0f 次")
ASSAY_PHRASE("the link of %s went into recovery %.0f times", "%s 的链路进入恢复状态 %.0f 次")
ASSAY_PHRASE("NIC %s asks for %.0f bytes at a time", "网卡 %s 每次请求 %.0f 字节")
ASSAY_PHRASE("the NIC relaxes the order of all writes", "网卡对全部写入放宽顺序")
ASSAY_PHRASE("PCI_WR_ORDERING is %s, and NCCL_IB_PCI_RELAXED_ORDERING=0",
             "PCI_WR_ORDERING 为 %s，且设置了 NCCL_IB_PCI_RELAXED_ORDERING=0")
ASSAY_PHRASE("PCI_WR_ORDERING is %s: only memory keys that ask for it are relaxed",
             "PCI_WR_ORDERING 为 %s：只有提出要求的内存键放宽顺序")
ASSAY_PHRASE("ATS is on at %s, and the log shows trouble with direct transfers",
             "%s 开启了 ATS，而日志显示直接传输有问题")
ASSAY_PHRASE("ATS is %s at %s%s", "%2$s 的 ATS 为 %1$s%3$s")
ASSAY_PHRASE(", and no transfer fails", "，且没有传输失败")
ASSAY_PHRASE("no NIC is below the same switch as %s", "没有网卡与 %s 在同一交换芯片之下")
ASSAY_PHRASE("each of %u accelerators shares a switch with a NIC",
             "%u 张加速卡各与一张网卡同在一个交换芯片之下")
ASSAY_PHRASE("the guide that asks for it is of MI300 hosts", "提出该要求的指南针对 MI300 主机")
ASSAY_PHRASE("the boot line has pci=realloc=off", "启动参数中有 pci=realloc=off")
ASSAY_PHRASE("a window was not placed, and the boot line has no pci=realloc=off",
             "有窗口未能放置，且启动参数中没有 pci=realloc=off")
ASSAY_PHRASE("all windows were placed without it", "没有它，全部窗口也已放置")
ASSAY_PHRASE("%s has %.0f XGMI links down", "%s 有 %.0f 条 XGMI 链路断开")
ASSAY_PHRASE("%s reports errors of XGMI (%.0f)", "%s 报告 XGMI 错误（%.0f）")
ASSAY_PHRASE("no XGMI link of %s is down", "%s 没有断开的 XGMI 链路")
ASSAY_PHRASE("ROCR_VISIBLE_DEVICES=%s is set, and Ray %s refuses to start with it",
             "设置了 ROCR_VISIBLE_DEVICES=%s，而 Ray %s 在此情况下拒绝启动")
ASSAY_PHRASE("%u device%s", "%u 个设备%.0s")
ASSAY_PHRASE(
    "%sROCR_VISIBLE_DEVICES=%s leaves %u and numbers them from 0; of these %s=%s chooses %u",
    "%sROCR_VISIBLE_DEVICES=%s 只留下 %u 个并从 0 重新编号；%s=%s 从中选取 %u 个")
ASSAY_PHRASE("case %s: ", "情形 %s：")
ASSAY_PHRASE("%sa HIP process sees %s", "%sHIP 进程看到 %s")
ASSAY_PHRASE("a mask with %lu devices", "%lu 个设备的掩码")
ASSAY_PHRASE("LOCAL_WORLD_SIZE=%lu, and a process sees %s",
             "LOCAL_WORLD_SIZE=%lu，而一个进程看到 %s")
ASSAY_PHRASE("no mask is set", "没有设置掩码")
ASSAY_PHRASE("HIP_VISIBLE_DEVICES=%s and CUDA_VISIBLE_DEVICES=%s; HIP programs take the first, "
             "others may take the second",
             "HIP_VISIBLE_DEVICES=%s，CUDA_VISIBLE_DEVICES=%s；HIP 程序取前者，其他程序可能取后者")
ASSAY_PHRASE("GPU_DEVICE_ORDINAL=%s and %s=%s", "GPU_DEVICE_ORDINAL=%s，而 %s=%s")
ASSAY_PHRASE("a process sees %s", "一个进程看到 %s")
ASSAY_PHRASE("no accelerator whose modes are in our table", "没有模式在表中的加速卡")
ASSAY_PHRASE("%s with %s: %u devices", "%s 与 %s：%u 个设备")
ASSAY_PHRASE("%s with %s is not a mode of %s", "%3$s 没有 %1$s 与 %2$s 的组合")
ASSAY_PHRASE("%s is in %s with %s", "%s 处于 %s 与 %s")
ASSAY_PHRASE("%s shows %s with %s", "%s 显示 %s 与 %s")
ASSAY_PHRASE("the guide is of MI300 hosts", "该指南针对 MI300 主机")
ASSAY_PHRASE("not set: %s", "未设置：%s")
ASSAY_PHRASE("the guide's settings for training are there", "指南对训练的设置均已具备")
ASSAY_PHRASE("%s has %.1f GiB in use, its processes hold %.1f",
             "%s 已使用 %.1f GiB，其进程占用 %.1f")
ASSAY_PHRASE("%s: processes explain what is in use", "%s：进程足以说明已使用的部分")
ASSAY_PHRASE(
    "out of memory with %.2f of %.2f GiB reserved and not allocated: %.0f %% fragmentation",
    "内存不足，而 %2$.2f GiB 中有 %1$.2f GiB 已保留但未分配：碎片率 %3$.0f %%")
ASSAY_PHRASE("out of memory with %.0f %% fragmentation: the memory is really full",
             "内存不足，碎片率 %.0f %%：内存确实已满")
ASSAY_PHRASE("HSA_XNACK=1 is not set: nothing relies on page faults",
             "未设置 HSA_XNACK=1：没有程序依赖缺页处理")
ASSAY_PHRASE("HSA_XNACK=1, and amdgpu has noretry=1", "设置了 HSA_XNACK=1，而 amdgpu 的 noretry=1")
ASSAY_PHRASE("HSA_XNACK=1, and %s cannot retry after a page fault",
             "设置了 HSA_XNACK=1，而 %s 缺页后不能重试")
ASSAY_PHRASE("HSA_XNACK=1 on %s", "%s 上设置了 HSA_XNACK=1")
ASSAY_PHRASE("no option of the other allocator is set", "没有设置另一分配器的选项")
ASSAY_PHRASE("low: lanes wait for memory, for other kernels or for the host; look at MemUnitBusy, "
             "occupancy and launch gaps",
             "低：通道在等待内存、其他核函数或主机；查看 MemUnitBusy、占用率与启动间隙")
ASSAY_PHRASE("vector units are busy %.0f %% of the time", "向量单元有 %.0f %% 的时间在工作")
ASSAY_PHRASE(
    "high: vector instructions are the limit; move work to the matrix units or do less of it",
    "高：向量指令是瓶颈；把计算移到矩阵单元，或减少计算")
ASSAY_PHRASE(", although nvidia_peermem is loaded: an older NCCL looks where newer RDMA stacks no "
             "longer register",
             "，虽然 nvidia_peermem 已加载：较旧的 NCCL 所查看之处，较新的 RDMA 软件栈已不再注册")
ASSAY_PHRASE("a peer-memory client is registered", "已注册 peer-memory 客户端")
ASSAY_PHRASE("/sys/kernel/mm/memory_peers has no client",
             "/sys/kernel/mm/memory_peers 中没有客户端")
ASSAY_PHRASE("nvidia_peermem is loaded and not registered", "nvidia_peermem 已加载但未注册")
ASSAY_PHRASE("amdgpu is the kernel's own, which offers no client",
             "amdgpu 为内核自带，不提供客户端")
ASSAY_PHRASE("no peer-memory client; which driver is loaded is not given",
             "没有 peer-memory 客户端；所给资料未说明加载了哪个驱动")
ASSAY_PHRASE("sockets are used, and no RDMA device was seen", "使用了套接字，而没有看到 RDMA 设备")
ASSAY_PHRASE("%s: link_downed is %.0f, the end of an 8-bit counter",
             "%s：link_downed 为 %.0f，即 8 位计数器的上限")
ASSAY_PHRASE(
    "%s: link_downed is %.0f since the counters were cleared; one reading does not say when",
    "%s：计数器清零以来 link_downed 为 %.0f；单次读数无法说明何时发生")
ASSAY_PHRASE("%s: link_downed is 0", "%s：link_downed 为 0")
ASSAY_PHRASE("%u of %u ranks answer (%s)%s%s", "%2$u 个 rank 中有 %1$u 个响应（%3$s）%4$s%5$s")
ASSAY_PHRASE("all %u ranks answer", "全部 %u 个 rank 都响应")
ASSAY_PHRASE("one rank, so the bus bandwidth is 0", "只有一个 rank，因此总线带宽为 0")
ASSAY_PHRASE("%u ranks", "%u 个 rank")
ASSAY_PHRASE("%s has %s", "%s 有 %s")
ASSAY_PHRASE("%s is loaded, nvidia is not", "已加载 %s，而没有加载 nvidia")
ASSAY_PHRASE("nvidia is loaded", "nvidia 已加载")
ASSAY_PHRASE("module %s, library %s", "模块为 %s，库为 %s")
ASSAY_PHRASE("module and library are %s", "模块与库均为 %s")
ASSAY_PHRASE("the fabric manager has nothing to manage: there is no NVSwitch",
             "fabric manager 没有可管理的对象：没有 NVSwitch")
ASSAY_PHRASE("of the driver", "与驱动相同的版本")
ASSAY_PHRASE("the fabric manager is %s on a host with NVSwitch%s",
             "有 NVSwitch 的主机上 fabric manager 的状态为 %s%s")
ASSAY_PHRASE(", and CUDA says that the system is not yet initialized",
             "，且 CUDA 报告系统尚未初始化")
ASSAY_PHRASE("the fabric manager is %s, the driver %s", "fabric manager 为 %s，驱动为 %s")
ASSAY_PHRASE("the fabric is completed", "fabric 已就绪")
ASSAY_PHRASE("%s: fabric state %s", "%s：fabric 状态为 %s")
ASSAY_PHRASE("look it up", "请查阅")
ASSAY_PHRASE("Xid %.0f of %s, %u time%s%s%s", "%2$s 的 Xid %1$.0f，%3$u 次%4$.0s%5$s%6$s")
ASSAY_PHRASE("the kernel log has no Xid", "内核日志中没有 Xid")
ASSAY_PHRASE("the kernel log has no Xid 119 or 120", "内核日志中没有 Xid 119 或 120")
ASSAY_PHRASE("drain and return the GPU", "腾空并退换该 GPU")
ASSAY_PHRASE("%s: a row could not be remapped", "%s：有一行无法重映射")
ASSAY_PHRASE("%s: a row remapping is pending (%.0f uncorrectable)",
             "%s：有行重映射待处理（%.0f 个不可纠正错误）")
ASSAY_PHRASE("drain, reset and return the GPU", "腾空、复位并退换该 GPU")
ASSAY_PHRASE("reset the GPU before the next job", "在下一个任务之前复位该 GPU")
ASSAY_PHRASE(
    "%s: a page retirement is pending; %.0f pages for single-bit and %.0f for double-bit errors",
    "%s：有页面退役待处理；单比特错误 %.0f 页，双比特错误 %.0f 页")
ASSAY_PHRASE("watch it, plan a return", "持续观察，计划退换")
ASSAY_PHRASE("%s: %.0f pages are retired, none pending", "%s：已退役 %.0f 页，没有待处理的")
ASSAY_PHRASE("%s: nothing is pending", "%s：没有待处理的")
ASSAY_PHRASE("no accelerator shows a link that is up", "没有加速卡显示已连通的链路")
ASSAY_PHRASE("%s has %.0f links up, others %.0f", "%s 有 %.0f 条链路连通，其他为 %.0f 条")
ASSAY_PHRASE("%s has a link of %.1f GB/s, others %.1f", "%s 有一条链路为 %.1f GB/s，其他为 %.1f")
ASSAY_PHRASE("%s has %.0f links up", "%s 有 %.0f 条链路连通")
ASSAY_PHRASE("%s runs x%.0f of x%.0f%s", "%s 以 x%.0f 运行，最高 x%.0f%s")
ASSAY_PHRASE("; it is not on an accelerator's path", "；它不在加速卡的路径上")
ASSAY_PHRASE("%s runs x%.0f of x%.0f", "%s 以 x%.0f 运行，最高 x%.0f")
ASSAY_PHRASE("%s runs x%.0f", "%s 以 x%.0f 运行")
ASSAY_PHRASE("%s runs %.1f GT/s", "%s 以 %.1f GT/s 运行")
ASSAY_PHRASE("%s runs %.1f of %.1f GT/s, which is normal at rest; whether it was busy is not given",
             "%s 以 %.1f GT/s 运行，最高 %.1f GT/s，空闲时属正常；所给资料未说明它是否繁忙")
ASSAY_PHRASE("%s runs %.1f of %.1f GT/s while busy", "%s 繁忙时以 %.1f GT/s 运行，最高 %.1f GT/s")
ASSAY_PHRASE("%s is at rest, where links train down", "%s 处于空闲，此时链路会降速")
ASSAY_PHRASE("in a virtual machine the host's bridges are not shown", "虚拟机中看不到主机的桥")
ASSAY_PHRASE("access control is off at %s", "%s 的访问控制已关闭")
ASSAY_PHRASE("%s leads to no accelerator", "%s 不通向加速卡")
ASSAY_PHRASE("%s checks sources, and redirects nothing", "%s 只检查来源，不重定向")
ASSAY_PHRASE("root port %s redirects peer traffic, which passes the root complex in any case",
             "根端口 %s 重定向点对点流量，而这些流量本来就经过根复合体")
ASSAY_PHRASE("access control is on at bridge %s%s%s", "桥 %s 的访问控制已开启%s%s")
ASSAY_PHRASE(", which redirects peer traffic", "，会重定向点对点流量")
ASSAY_PHRASE(" (what is below it is not shown)", "（看不到其下的设备）")
ASSAY_PHRASE("window %.0f of %s (%.0f MiB) was not placed%s",
             "%2$s 的窗口 %1$.0f（%3$.0f MiB）未能放置%4$s")
ASSAY_PHRASE("; not known as an accelerator", "；不知是否为加速卡")
ASSAY_PHRASE("the largest window of %s has %.0f MiB, its memory %.0f",
             "%s 的最大窗口为 %.0f MiB，其显存为 %.0f")
ASSAY_PHRASE("the window of %s holds all its memory", "%s 的窗口容纳其全部显存")
ASSAY_PHRASE("the kernel log places every window", "内核日志显示每个窗口都已放置")
ASSAY_PHRASE("%s is capped at %.0f W, by default %.0f W", "%s 的功耗上限为 %.0f W，默认为 %.0f W")
ASSAY_PHRASE("%s is capped at %.0f W", "%s 的功耗上限为 %.0f W")
ASSAY_PHRASE("%s shows %.0f W at %.0f %% activity", "%s 显示 %.0f W，利用率为 %.0f %%")
ASSAY_PHRASE("%s shows %.0f W with a cap of %.0f W", "%s 显示 %.0f W，功耗上限为 %.0f W")
ASSAY_PHRASE("%s shows %.0f W", "%s 显示 %.0f W")
ASSAY_PHRASE("PROCHOT (board or power supply)", "PROCHOT（板卡或电源）")
ASSAY_PHRASE("temperature of the package", "封装温度")
ASSAY_PHRASE("temperature of the regulators", "稳压器温度")
ASSAY_PHRASE("temperature of the memory", "显存温度")
ASSAY_PHRASE("%s was limited by %s for %.1f %% of the interval",
             "%1$s 在采样区间的 %3$.1f %% 受限，原因：%2$s")
ASSAY_PHRASE("%s was hardly limited", "%s 几乎没有受限")
ASSAY_PHRASE("; its fan runs at %.0f %%", "；其风扇为 %.0f %%")
ASSAY_PHRASE("%s is at %.0f degrees; it slows down at %.0f%s",
             "%s 为 %.0f 度；达到 %.0f 度时降频%s")
ASSAY_PHRASE("%s is at %.0f degrees", "%s 为 %.0f 度")
ASSAY_PHRASE("%s is not throttled", "%s 没有降频")
ASSAY_PHRASE("%s is %s while busy", "%s 繁忙时为 %s")
ASSAY_PHRASE("%s is %s, and whether it was busy is not given", "%s 为 %s，所给资料未说明它是否繁忙")
ASSAY_PHRASE("%s runs %.0f MHz while busy", "%s 繁忙时以 %.0f MHz 运行")
ASSAY_PHRASE("%s is slow because it is at its power cap", "%s 变慢是因为达到功耗上限")
ASSAY_PHRASE("%s runs %.0f MHz at %.0f %% activity", "%s 以 %.0f MHz 运行，利用率为 %.0f %%")
ASSAY_PHRASE("the governor is performance", "调速器为 performance")
ASSAY_PHRASE("%.0f CPU%s %s another governor: %s", "%.0f 个 CPU 使用其他调速器%.0s%.0s：%s")
ASSAY_PHRASE("the governor is %s", "调速器为 %s")
ASSAY_PHRASE("the deepest idle state is %s", "最深的空闲状态为 %s")
ASSAY_PHRASE("idle state %s is enabled, %.0f us to leave it", "启用了空闲状态 %s，退出需 %.0f us")
ASSAY_PHRASE("idle state %s is enabled", "启用了空闲状态 %s")
ASSAY_PHRASE("one thread a core", "每核一个线程")
ASSAY_PHRASE("several threads a core", "每核多个线程")
ASSAY_PHRASE("the guide that switches them off is of MI300 hosts",
             "要求关闭它们的指南针对 MI300 主机")
ASSAY_PHRASE("%.1f %% of the processor time was stolen%s%s", "处理器时间的 %.1f %% 被窃取%s%s")
ASSAY_PHRASE(" by ", "，被")
ASSAY_PHRASE("%.1f %% of the processor time was stolen", "处理器时间的 %.1f %% 被窃取")
ASSAY_PHRASE("%.0f threads", "%.0f 个线程")
ASSAY_PHRASE("%.0f threads, and the boot line has %s", "%.0f 个线程，且启动参数中有 %s")
ASSAY_PHRASE("%.0f threads, and no IOMMU group", "%.0f 个线程，没有 IOMMU 组")
ASSAY_PHRASE("%.0f threads, and the IOMMU is on", "%.0f 个线程，IOMMU 已开启")
ASSAY_PHRASE("no guide for these accelerators names it", "没有这些加速卡的指南提到它")
ASSAY_PHRASE("%.0f NUMA nodes a socket", "每插槽 %.0f 个 NUMA 节点")
ASSAY_PHRASE("1, 2 or 4", "1、2 或 4")
ASSAY_PHRASE("%.2g NUMA nodes a socket", "每插槽 %.2g 个 NUMA 节点")
ASSAY_PHRASE("the process may run on CPUs near %s", "进程可以在 %s 附近的 CPU 上运行")
ASSAY_PHRASE("the process may run on CPUs %s, none of them near an accelerator",
             "进程可以在 CPU %s 上运行，都不在加速卡附近")
ASSAY_PHRASE("node %lld has %.1f of %.1f GiB free, node %lld %.1f of %.1f%s%s",
             "节点 %lld 有 %.1f GiB 空闲，共 %.1f；节点 %lld 有 %.1f，共 %.1f%s%s")
ASSAY_PHRASE("; policy ", "；策略为 ")
ASSAY_PHRASE("%u nodes, none short of memory beside others", "%u 个节点，没有某个节点独缺内存")
ASSAY_PHRASE("transparent huge pages are off", "透明大页已关闭")
ASSAY_PHRASE("transparent huge pages: %s", "透明大页：%s")
ASSAY_PHRASE("%.0f %% of %.0f GiB is pinned or set aside for huge pages",
             "%2$.0f GiB 的 %1$.0f %% 被锁定或留给大页")
ASSAY_PHRASE("%.0f %% of main memory is pinned", "主机内存的 %.0f %% 被锁定")
ASSAY_PHRASE("page tables take %.1f GiB, %.1f %% of memory", "页表占用 %.1f GiB，为内存的 %.1f %%")
ASSAY_PHRASE("page tables take %.0f MiB", "页表占用 %.0f MiB")
ASSAY_PHRASE("%s counts %.0f uncorrectable errors", "%s 记录了 %.0f 个不可纠正错误")
ASSAY_PHRASE("%s counts none", "%s 没有记录")
ASSAY_PHRASE("%.0f bad pages, threshold %.0f", "%.0f 个坏页，阈值为 %.0f")
ASSAY_PHRASE("%s corrects its memory", "%s 纠正其显存的错误")
ASSAY_PHRASE(
    "%s shows ECC of its memory off and poison handling on, which cannot both be: not known",
    "%s 显示显存 ECC 关闭而 poison 处理开启，两者不可能并存：视为未知")
ASSAY_PHRASE("%s shows ECC of its memory off", "%s 显示显存 ECC 关闭")
ASSAY_PHRASE(
    "firmware reports an error of a device that is not AMD's, or that the log does not name",
    "固件报告了一个设备的错误，该设备不是 AMD 的，或日志没有指明")
ASSAY_PHRASE("process %lld (%s) uses no device memory", "进程 %lld（%s）没有使用显存")
ASSAY_PHRASE("process %lld uses %.0f MiB", "进程 %lld 使用 %.0f MiB")
ASSAY_PHRASE("%s is at level auto", "%s 的级别为 auto")
ASSAY_PHRASE("%s is at level %s", "%s 的级别为 %s")
ASSAY_PHRASE("%s shows a cap of 0 W", "%s 显示功耗上限为 0 W")
ASSAY_PHRASE("%s has a sensor of its own", "%s 有自己的传感器")
ASSAY_PHRASE("%s is in %s with NPS1", "%s 为 %s，而内存为 NPS1")
ASSAY_PHRASE("%s is whole", "%s 未划分")
ASSAY_PHRASE("%s is in %s", "%s 为 %s")
ASSAY_PHRASE("%s has device id 0x%04x", "%s 的设备号为 0x%04x")
ASSAY_PHRASE("%s is a physical function", "%s 为物理功能")
ASSAY_PHRASE("%s keeps its state", "%s 保持其状态")
ASSAY_PHRASE("%s has persistence mode off", "%s 的持久模式关闭")
ASSAY_PHRASE("%s has persistence mode off, and is not known as a data-centre part",
             "%s 的持久模式关闭，而不知它是否为数据中心型号")
ASSAY_PHRASE("%s has MIG mode %s, and %s after a reset", "%s 的 MIG 模式为 %s，复位后为 %s")
ASSAY_PHRASE("%s has no MIG change pending", "%s 没有待生效的 MIG 变更")
ASSAY_PHRASE("nvidia-smi lists %.0f of %u on the bus", "nvidia-smi 列出 %.0f 张，总线上有 %u 张")
ASSAY_PHRASE("nvidia-smi lists all %u", "nvidia-smi 列出全部 %u 张")
ASSAY_PHRASE("%u of %.0f accelerators are on the bus", "%2$.0f 张加速卡中有 %1$u 张在总线上")
ASSAY_PHRASE("%u accelerators are on the bus", "总线上有 %u 张加速卡")
ASSAY_PHRASE("in a container another check says what was not passed",
             "在容器中，由另一项检查说明没有传入什么")
ASSAY_PHRASE("amdgpu is loaded, and /dev/kfd is not there", "amdgpu 已加载，而 /dev/kfd 不存在")
ASSAY_PHRASE("%s is active", "%s 处于活动状态")
ASSAY_PHRASE("%s runs %.0f Gbit/s, others %.0f", "%s 以 %.0f Gbit/s 运行，其他为 %.0f")
ASSAY_PHRASE("%s is %s", "%s 的状态为 %s")
ASSAY_PHRASE("the build has code for %s", "该构建有 %s 的代码")
ASSAY_PHRASE("the build has code for %s, and none for %s", "该构建有 %s 的代码，没有 %s 的")
ASSAY_PHRASE("; the accelerator is ", "；该加速卡为 ")
ASSAY_PHRASE("an unknown target", "未知的目标")
ASSAY_PHRASE("%s=%s makes a %s part claim %s", "%s=%s 使 %s 自称 %s")
ASSAY_PHRASE("%s=%s: code for %s runs, whatever the part is",
             "%s=%s：无论型号为何，都运行 %s 的代码")
ASSAY_PHRASE("no override is set", "没有设置覆盖")
ASSAY_PHRASE("hipBLASLt has kernels for %s", "hipBLASLt 有 %s 的核函数")
ASSAY_PHRASE("the tool lists %.0f of %.0f devices", "该工具列出 %2$.0f 个设备中的 %1$.0f 个")
ASSAY_PHRASE("the tool lists %.0f devices", "该工具列出 %.0f 个设备")
ASSAY_PHRASE("all accelerators are joined by XGMI", "全部加速卡都以 XGMI 相连")
ASSAY_PHRASE("HSA_FORCE_FINE_GRAIN_PCIE is not set", "未设置 HSA_FORCE_FINE_GRAIN_PCIE")
ASSAY_PHRASE("%.0f %% of the API time are calls that start up, %.0f %% of it %s",
             "API 时间的 %.0f %% 是启动阶段的调用，%.0f %% 为 %s")
ASSAY_PHRASE("%.0f %% of the API time start up", "API 时间的 %.0f %% 用于启动")
ASSAY_PHRASE("%u accelerators on %u NUMA node%s, from %u to %u each",
             "%2$u 个 NUMA 节点上有 %1$u 张加速卡%3$.0s，每节点 %4$u 至 %5$u 张")
ASSAY_PHRASE("%u accelerators on %u NUMA node%s, %u each",
             "%2$u 个 NUMA 节点上有 %1$u 张加速卡%3$.0s，每节点 %4$u 张")
ASSAY_PHRASE("%s is on node %.0f", "%s 在节点 %.0f 上")
ASSAY_PHRASE("%s has no NUMA node", "%s 没有 NUMA 节点")
ASSAY_PHRASE("%s has no NUMA node; the number of sockets is not given",
             "%s 没有 NUMA 节点；所给资料中没有插槽数")
ASSAY_PHRASE("no NIC is near %s", "%s 附近没有网卡")
ASSAY_PHRASE("every accelerator has a near NIC", "每张加速卡附近都有网卡")
ASSAY_PHRASE("all %u pairs are joined over the processors (%s)", "全部 %u 对都经处理器相连（%s）")
ASSAY_PHRASE("%u of %u pairs are nearer than the processors", "%2$u 对中有 %1$u 对不必经过处理器")
ASSAY_PHRASE("%s and %s are joined by PCIe, others of %u by XGMI",
             "%s 与 %s 以 PCIe 相连，另一组 %u 张以 XGMI 相连")
ASSAY_PHRASE("%u pairs are joined by XGMI", "%u 对以 XGMI 相连")
ASSAY_PHRASE("every pair has hops 1, and bandwidths from %.0f to %.0f GB/s",
             "每一对的 hops 都为 1，带宽却为 %.0f 至 %.0f GB/s")
ASSAY_PHRASE("hops and bandwidths agree", "hops 与带宽一致")
ASSAY_PHRASE("all %u pairs are joined by PCIe", "全部 %u 对都以 PCIe 相连")
ASSAY_PHRASE("%u of %u pairs are joined by XGMI", "%2$u 对中有 %1$u 对以 XGMI 相连")
ASSAY_PHRASE("ROCm %s does not know %s, which came with ROCm %s",
             "ROCm %1$s 不认识 %2$s，它自 ROCm %3$s 起才受支持")
ASSAY_PHRASE("a container shows its own distribution beside the host's kernel",
             "容器显示的是自身的发行版，内核却是主机的")
ASSAY_PHRASE("our table has no kernels of %s", "表中没有 %s 的内核")
ASSAY_PHRASE("the kernels that ROCm %s lists are not in our table", "ROCm %s 所列的内核不在表中")
ASSAY_PHRASE("ROCm %s lists %s %s with kernel %s", "ROCm %s 列有 %s %s 与内核 %s")
ASSAY_PHRASE("ROCm %s lists %s %s%s%s, and not kernel %s", "ROCm %s：%s %s%s%s，不含内核 %s")
ASSAY_PHRASE(" with ", " 的内核为 ")
ASSAY_PHRASE(" not at all", " 不在其列")
ASSAY_PHRASE("which release driver %s belongs to is not in our table, or ROCm %s is not",
             "驱动 %s 属于哪个版本，或 ROCm %s，不在表中")
ASSAY_PHRASE("user space", "用户空间")
ASSAY_PHRASE("driver %s is of ROCm %s, and the user space is %s: %d releases apart",
             "驱动 %s 属于 ROCm %s，用户空间为 %s：相差 %d 个版本")
ASSAY_PHRASE("driver %s (ROCm %s) with ROCm %s", "驱动 %s（ROCm %s），ROCm %s")
ASSAY_PHRASE("DKMS has amdgpu %s, and none for kernel %s", "DKMS 有 amdgpu %s，没有内核 %s 的")
ASSAY_PHRASE("DKMS has amdgpu, and %s is what loads", "DKMS 有 amdgpu，而加载的是 %s")
ASSAY_PHRASE("DKMS has amdgpu for kernel %s", "DKMS 有内核 %s 的 amdgpu")
ASSAY_PHRASE("toolkit %s, and the driver takes CUDA %s at most",
             "toolkit 为 %s，而驱动最高支持 CUDA %s")
ASSAY_PHRASE("toolkit %s, driver CUDA %s", "toolkit 为 %s，驱动支持 CUDA %s")
ASSAY_PHRASE("process %lld has mapped %s and %s", "进程 %lld 映射了 %s 与 %s")
ASSAY_PHRASE("LD_LIBRARY_PATH=%s holds ROCm %ld and %ld", "LD_LIBRARY_PATH=%s 中有 ROCm %ld 与 %ld")
ASSAY_PHRASE("one major version of ROCm is in use", "只使用一个 ROCm 主版本")
ASSAY_PHRASE("%s is %s%s%s, and %s on another", "%2$s 的 %1$s%3$s%4$s，另一张为 %5$s")
ASSAY_PHRASE(" on ", "，位于 ")
ASSAY_PHRASE("VBIOS is %s on %s and %s on %s", "%2$s 的 VBIOS 为 %1$s，%4$s 的为 %3$s")
ASSAY_PHRASE("all accelerators have the same firmware", "全部加速卡的固件相同")
ASSAY_PHRASE("one rank has %s, another %s", "一个 rank 为 %s，另一个为 %s")
ASSAY_PHRASE("all ranks that say so have %s", "报告版本的 rank 都为 %s")
ASSAY_PHRASE("onnxruntime-rocm or onnxruntime-migraphx", "onnxruntime-rocm 或 onnxruntime-migraphx")
ASSAY_PHRASE("the ROCm plugin of jax", "jax 的 ROCm 插件")
ASSAY_PHRASE("a ROCm build of cupy", "cupy 的 ROCm 构建")
ASSAY_PHRASE("these accelerators: %s", "这些加速卡：%s")
ASSAY_PHRASE("%s %s is made for %s's accelerators", "%s %s 是为 %s 的加速卡构建的")
ASSAY_PHRASE("PyTorch %s is built for %s, and the accelerators are %s",
             "PyTorch %s 为 %s 构建，而加速卡为 %s")
ASSAY_PHRASE("processors alone", "仅处理器")
ASSAY_PHRASE("PyTorch %s brings a newer ROCm than the %s that is installed",
             "PyTorch %s 自带的 ROCm 比已安装的 %s 新")
ASSAY_PHRASE("PyTorch is %s", "PyTorch 为 %s")
ASSAY_PHRASE("no command calls rocm-smi", "没有命令调用 rocm-smi")
ASSAY_PHRASE("%s: nothing is known to read it; did you mean %s?",
             "%s：已知没有组件读取它；是否应为 %s？")
ASSAY_PHRASE("%s: nothing is known to read it, and no known name is near",
             "%s：已知没有组件读取它，也没有相近的已知名称")
ASSAY_PHRASE("%s makes every accelerator claim to be %s; %s is %s",
             "%s 使所有加速卡自称 %s；%s 为 %s")
ASSAY_PHRASE("%s makes every accelerator claim to be %s", "%s 使所有加速卡自称 %s")
ASSAY_PHRASE("use %s", "改用 %s")
ASSAY_PHRASE("%s: %s; ROCm %s no longer reads it (gone with %s)",
             "%s：%s；ROCm %s 不再读取它（自 %s 起取消）")
ASSAY_PHRASE("; its name now is ", "；现名为 ")
ASSAY_PHRASE("unset %s", "取消 %s")
ASSAY_PHRASE("set %s=%s, and measure", "设置 %s=%s，并测量")
ASSAY_PHRASE("%s; the advice for %s is %s%s: %s", "%s；对 %s 的建议是 %s%s：%s")
ASSAY_PHRASE("to leave it unset", "不设置")
ASSAY_PHRASE("%s: expected %s", "%s：应为%s")
ASSAY_PHRASE("%s, and %s in line %u: %s", "%2$s，而第 %3$u 行有 %1$s：%4$s")
ASSAY_PHRASE("ROCR_VISIBLE_DEVICES=%s leaves %u and numbers them from 0; of these %s chooses %u",
             "ROCR_VISIBLE_DEVICES=%s 只留下 %u 个并从 0 重新编号；%s 从中选取 %u 个")
ASSAY_PHRASE("%s and %s; HIP programs take the first, others may take the second",
             "%s，%s；HIP 程序取前者，其他程序可能取后者")
ASSAY_PHRASE("%s is not set; the advice for %s with %s is %s: %s",
             "未设置 %1$s；对使用 %3$s 的 %2$s 的建议是 %4$s：%5$s")
ASSAY_PHRASE("build for it: --offload-arch=%s", "为它构建：--offload-arch=%s")
ASSAY_PHRASE("%.*s: %s is %s, and code for another target ends in \"invalid device function\" or "
             "an illegal instruction",
             "%.*s：%s 为 %s，为其他目标构建的代码会以 \"invalid device function\" 或非法指令告终")
ASSAY_PHRASE("%u settings were looked at", "检查了 %u 个设置")
ASSAY_PHRASE("; and %u more", "；另有 %u 处")
ASSAY_PHRASE("nothing that was given says so; read %s", "所给资料未说明；可读取：%s")
ASSAY_PHRASE("0 or 1", " 0 或 1")
ASSAY_PHRASE("0 or 1, and no word", " 0 或 1，不接受单词")
ASSAY_PHRASE("a whole number", "整数")
ASSAY_PHRASE("a number, perhaps with a unit", "数字，可带单位")
ASSAY_PHRASE("y or n", " y 或 n")
ASSAY_PHRASE("numbers with commas between, such as 0,1; no ranges",
             "以逗号分隔的数字，例如 0,1；不接受范围")
ASSAY_PHRASE("major.minor.step, such as 9.4.2", "主.次.修订，例如 9.4.2")
ASSAY_PHRASE("one of ", "以下之一：")
ASSAY_PHRASE("driver", "驱动")
ASSAY_PHRASE("%u link%s between %s and %s", "%3$s 与 %4$s 之间 %1$u 条链路%2$.0s")
ASSAY_PHRASE("%u accelerators at each of %u sockets", "%2$u 个插槽各 %1$u 张加速卡")
ASSAY_PHRASE("%u at socket %u", "插槽 %2$u 有 %1$u 张")
ASSAY_PHRASE("%u accelerators", "%u 张加速卡")
ASSAY_PHRASE("%u NICs", "%u 张网卡")
ASSAY_PHRASE("no direct link", "没有直连")
ASSAY_PHRASE("any host", "任何主机")
ASSAY_PHRASE("accelerator", "加速卡")
ASSAY_PHRASE("accelerators", "多张加速卡")
ASSAY_PHRASE("container", "容器")
ASSAY_PHRASE("demand", "按需")
ASSAY_PHRASE("spot", "竞价")
ASSAY_PHRASE("1 year", "一年")
ASSAY_PHRASE("3 years", "三年")
