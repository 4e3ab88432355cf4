/* ASSAY_PHRASE("English", "中文"): what the checks of claims and the claims of the articles say.
   Included several times, so no guard. */

ASSAY_PHRASE("MI250X cluster", "MI250X 集群")
ASSAY_PHRASE("cost per epoch below A100", "每 epoch 成本低于 A100 的比例")
ASSAY_PHRASE("65B model", "65B 模型")
ASSAY_PHRASE("parameters", "参数量")
ASSAY_PHRASE("compute share above which AMD wins", "AMD 占优的计算占比下限")
ASSAY_PHRASE("condition 2: the model already runs on HIP, key operators verified",
             "条件 2：模型已能在 HIP 上运行，关键算子已验证")
ASSAY_PHRASE("run length above which AMD wins", "AMD 占优的任务时长下限")
ASSAY_PHRASE("compute share at which a long run pays", "长任务划算时的计算占比")
ASSAY_PHRASE("length of that run", "该任务的时长")
ASSAY_PHRASE("HIP fit of that run", "该任务的 HIP 适配比例")
ASSAY_PHRASE("servers", "服务器")
ASSAY_PHRASE("cards of a server", "每台服务器的卡数")
ASSAY_PHRASE("OAM rack", "OAM 机架")
ASSAY_PHRASE("retrofit, low", "改造费用，下限")
ASSAY_PHRASE("retrofit, high", "改造费用，上限")
ASSAY_PHRASE("feed voltage", "供电电压")
ASSAY_PHRASE("feeds", "供电路数")
ASSAY_PHRASE("ResNet-50 all-reduce efficiency over A100", "ResNet-50 all-reduce 效率与 A100 之比")
ASSAY_PHRASE("share of Infinity Fabric bandwidth reached in FP16",
             "FP16 下达到的 Infinity Fabric 带宽比例")
ASSAY_PHRASE("cards of that all-reduce", "该 all-reduce 的卡数")
ASSAY_PHRASE("migration", "迁移")
ASSAY_PHRASE("level 1 effort, low", "1 级工作量，下限")
ASSAY_PHRASE("level 1 effort, high", "1 级工作量，上限")
ASSAY_PHRASE("level 2 effort, low", "2 级工作量，下限")
ASSAY_PHRASE("level 2 effort, high", "2 级工作量，上限")
ASSAY_PHRASE("lanes of a wavefront", "wavefront 的通道数")
ASSAY_PHRASE("level 3 effort, low", "3 级工作量，下限")
ASSAY_PHRASE("level 3 effort, high", "3 级工作量，上限")
ASSAY_PHRASE("decision tree", "决策树")
ASSAY_PHRASE("FLOP utilisation held above", "算力利用率保持高于")
ASSAY_PHRASE("raw data at least", "原始数据至少")
ASSAY_PHRASE("70B model", "70B 模型")
ASSAY_PHRASE("training time of the saving below", "下述节省对应的训练时长")
ASSAY_PHRASE("saving, low", "节省，下限")
ASSAY_PHRASE("saving, high", "节省，上限")
ASSAY_PHRASE("people who know ROCm debugging, at least", "会调试 ROCm 的人数，至少")
ASSAY_PHRASE("CUDA-only share below", "仅 CUDA 可用的比例低于")
ASSAY_PHRASE("recommended with HIP experience: continuous integration checks HIP",
             "有 HIP 经验时推荐：持续集成检查 HIP")
ASSAY_PHRASE("hardware budget below", "硬件预算低于")
ASSAY_PHRASE("migration cost < purchase difference + electricity difference over 3 years",
             "迁移费用 < 购置差额 + 3 年电费差额")
ASSAY_PHRASE("years of the electricity difference", "电费差额的年数")
ASSAY_PHRASE("notebooks", "notebook")
ASSAY_PHRASE("community answers rarer, low", "社区解答更少，下限")
ASSAY_PHRASE("community answers rarer, high", "社区解答更少，上限")
ASSAY_PHRASE("defer with a hard CUDA dependence: the equivalent of TensorRT is slower, NCCL's "
             "topology detection has no equal",
             "强依赖 CUDA 时暂缓：TensorRT 的替代品更慢，NCCL 的拓扑检测没有同等替代")
ASSAY_PHRASE("Llama 2 70B fine-tuning", "Llama 2 70B 微调")
ASSAY_PHRASE("all-reduce bucket before", "all-reduce 分桶，调整前")
ASSAY_PHRASE("all-reduce bucket after", "all-reduce 分桶，调整后")
ASSAY_PHRASE("GEMM gain of compiler flags, low", "编译选项带来的 GEMM 提升，下限")
ASSAY_PHRASE("GEMM gain of compiler flags, high", "编译选项带来的 GEMM 提升，上限")
ASSAY_PHRASE("banks, fewer", "bank 数，较少者")
ASSAY_PHRASE("banks, more", "bank 数，较多者")
ASSAY_PHRASE("8-card host", "8 卡主机")
ASSAY_PHRASE("cards per CPU socket", "每个 CPU 插槽的卡数")
ASSAY_PHRASE("cards", "卡数")
ASSAY_PHRASE("slower than NCCL on one node", "单节点慢于 NCCL 的比例")
ASSAY_PHRASE("Open MPI with UCX", "使用 UCX 的 Open MPI")
ASSAY_PHRASE("share of bandwidth, multi-node FP32", "带宽比例，多节点 FP32")
ASSAY_PHRASE("RCCL with InfiniBand", "使用 InfiniBand 的 RCCL")
ASSAY_PHRASE("latency lower, multi-node FP16", "延迟降低，多节点 FP16")
ASSAY_PHRASE("fragmentation that needs action", "需要处理的碎片率")
ASSAY_PHRASE("SIMD utilisation", "SIMD 利用率")
ASSAY_PHRASE("lower bound", "下界")
ASSAY_PHRASE("upper bound", "上界")
ASSAY_PHRASE("operations", "运维")
ASSAY_PHRASE("driver versions kept", "保留的驱动版本数")
ASSAY_PHRASE("discount rate, low", "折现率，下限")
ASSAY_PHRASE("discount rate, high", "折现率，上限")
ASSAY_PHRASE("years, low", "年数，下限")
ASSAY_PHRASE("years, high", "年数，上限")
ASSAY_PHRASE("technical debt", "技术债")
ASSAY_PHRASE("work behind the ecosystem each year", "每年追赶生态的工作量")
ASSAY_PHRASE("training of a junior engineer", "初级工程师的培训")
ASSAY_PHRASE("budget", "预算")
ASSAY_PHRASE("contingency, low", "不可预见费，下限")
ASSAY_PHRASE("contingency, high", "不可预见费，上限")
ASSAY_PHRASE("roadmap", "路线图")
ASSAY_PHRASE("feasibility phase, low", "可行性阶段，下限")
ASSAY_PHRASE("feasibility phase, high", "可行性阶段，上限")
ASSAY_PHRASE("skills phase, low", "技能阶段，下限")
ASSAY_PHRASE("skills phase, high", "技能阶段，上限")
ASSAY_PHRASE("prototype phase, low", "原型阶段，下限")
ASSAY_PHRASE("prototype phase, high", "原型阶段，上限")
ASSAY_PHRASE("migration phase, low", "迁移阶段，下限")
ASSAY_PHRASE("migration phase, high", "迁移阶段，上限")
ASSAY_PHRASE("production phase, low", "投产阶段，下限")
ASSAY_PHRASE("production phase, high", "投产阶段，上限")
ASSAY_PHRASE("prototype speed over NVIDIA", "原型速度与 NVIDIA 之比")
ASSAY_PHRASE("automated-test coverage", "自动化测试覆盖率")
ASSAY_PHRASE("whole, low", "总计，下限")
ASSAY_PHRASE("whole, high", "总计，上限")
ASSAY_PHRASE("process in nm", "制程（nm）")
ASSAY_PHRASE("memory-bandwidth utilisation, 7B LLM", "显存带宽利用率，7B 大模型")
ASSAY_PHRASE("7B LLM", "7B 大模型")
ASSAY_PHRASE("other parts", "其他型号")
ASSAY_PHRASE("latency lower", "延迟降低")
ASSAY_PHRASE("memory cost per GB over H100", "每 GB 显存成本与 H100 之比")
ASSAY_PHRASE("one-card instance", "单卡实例")
ASSAY_PHRASE("CPU cores", "CPU 核数")
ASSAY_PHRASE("host memory", "主机内存")
ASSAY_PHRASE("largest model, parameters", "最大模型的参数量")
ASSAY_PHRASE("two-card instance", "双卡实例")
ASSAY_PHRASE("environment", "环境")
ASSAY_PHRASE("Ubuntu release", "Ubuntu 版本")
ASSAY_PHRASE("kernel at least", "内核版本至少")
ASSAY_PHRASE("ROCm release", "ROCm 版本")
ASSAY_PHRASE("compression for tensors above", "对大于此值的张量压缩")
ASSAY_PHRASE("width in pixels", "宽度（像素）")
ASSAY_PHRASE("height in pixels", "高度（像素）")
ASSAY_PHRASE("steps of an image", "每幅图像的步数")
ASSAY_PHRASE("images of the request", "请求的图像数")
ASSAY_PHRASE("full load after which heat shows", "出现温度问题的满载时长")
ASSAY_PHRASE("chat service", "对话服务")
ASSAY_PHRASE("hours of a day that it runs", "每天运行的小时数")
ASSAY_PHRASE("the predicted cost of an epoch of 65B parameters at the article's server prices",
             "按文章的服务器价格预测的 65B 模型每 epoch 成本")
ASSAY_PHRASE("the compute share at which the predicted choice changes",
             "使预测的选择改变的计算占比")
ASSAY_PHRASE("a compute_share at which the predicted choice changes", "使预测的选择改变的计算占比")
ASSAY_PHRASE("a list of the operators of the model and which of them run on HIP; \"assay scan\" "
             "makes it of the code",
             "模型的算子清单以及其中哪些能在 HIP 上运行；\"assay scan\" 可由代码得出")
ASSAY_PHRASE("the length of run at which the predicted choice changes",
             "使预测的选择改变的任务时长")
ASSAY_PHRASE("the share of fitting code at which the predicted choice changes",
             "使预测的选择改变的代码适配比例")
ASSAY_PHRASE("its memory over 80 GiB a card", "其显存除以每卡 80 GiB")
ASSAY_PHRASE(
    "kilowatts of a rack before and after, and what a kilowatt of cooling and of supply costs",
    "改造前后机架的千瓦数，以及每千瓦散热与供电的费用")
ASSAY_PHRASE("rated current of a feed and servers of a rack", "每路供电的额定电流与机架的服务器数")
ASSAY_PHRASE("power of a rack beside what one feed carries", "机架功率与一路供电所能承载功率的对照")
ASSAY_PHRASE(
    "the time that A100 is predicted to take over that of MI250X, 25.6 M gradients of 2 bytes",
    "预测的 A100 用时与 MI250X 用时之比，2560 万个 2 字节梯度")
ASSAY_PHRASE("the links of the A100 host (NVSwitch or PCIe), library and message size",
             "A100 主机的链路（NVSwitch 或 PCIe）、通信库与消息大小")
ASSAY_PHRASE("the share of their links that all-reduces of its dies reach, up to all of it",
             "其各晶粒的 all-reduce 达到的链路比例，直至全部")
ASSAY_PHRASE("one pair of dies or all of them, message size and library",
             "是一对晶粒还是全部、消息大小与通信库")
ASSAY_PHRASE("the cards of its servers", "其服务器的卡数")
ASSAY_PHRASE("the people of A7 working through the shortest prototype phase of A16",
             "A7 的人员在 A16 最短的原型阶段内的工作量")
ASSAY_PHRASE("the wavefront of CDNA 2", "CDNA 2 的 wavefront")
ASSAY_PHRASE("the people of A7 working through the shortest migration phase of A16",
             "A7 的人员在 A16 最短的迁移阶段内的工作量")
ASSAY_PHRASE("the utilisation predicted for 65B parameters on MI250X",
             "预测的 65B 模型在 MI250X 上的利用率")
ASSAY_PHRASE("share of the raw data that becomes tokens, and how many tokens the run reads",
             "原始数据中成为 token 的比例，以及任务读取的 token 数")
ASSAY_PHRASE("the shortest run that pays by A2", "按 A2 划算的最短任务")
ASSAY_PHRASE("the difference in purchase of A3 for six weeks out of the years of A7",
             "A3 的购置差额按 A7 的年数分摊到六周")
ASSAY_PHRASE("servers that differ in purchase as in A3, over the years of A7",
             "台购置差额如 A3、按 A7 年数分摊的服务器")
ASSAY_PHRASE("the least effort of A6 over the longest phases of A16, five days of work a week",
             "A6 的最少工作量除以 A16 的最长阶段，每周五个工作日")
ASSAY_PHRASE("the share that need not fit by A2", "按 A2 不必适配的比例")
ASSAY_PHRASE("a run of the tests on HIP for each change, with its result",
             "每次更改在 HIP 上运行测试及其结果")
ASSAY_PHRASE(
    "whole servers of A3 whose memory holds weights, gradients and optimizer of the 70B model",
    "显存能放下 70B 模型权重、梯度与优化器的 A3 整台服务器")
ASSAY_PHRASE("the purchase difference of A3 and the electricity difference less the migration of "
             "A6, for one server,",
             "一台服务器的 A3 购置差额与电费差额减去 A6 的迁移费用")
ASSAY_PHRASE("the number of servers, which share one migration", "分担一次迁移的服务器数")
ASSAY_PHRASE("the least of the years of A14", "A14 中最少的年数")
ASSAY_PHRASE("questions and answers counted for both platforms over the same time",
             "同一时间内两个平台的提问与解答数")
ASSAY_PHRASE("times of the same model in TensorRT and in MIGraphX, and of NCCL and RCCL on the "
             "same topology",
             "同一模型在 TensorRT 与 MIGraphX 中的用时，以及 NCCL 与 RCCL 在同一拓扑上的用时")
ASSAY_PHRASE(
    "which framework starts with 2 MB (PyTorch starts with 25 MiB), and the time of a step",
    "哪个框架以 2 MB 为初值（PyTorch 为 25 MiB），以及单步时间")
ASSAY_PHRASE("time of a step with the one and with the other bucket", "两种分桶各自的单步时间")
ASSAY_PHRASE("what is left to the dense peak above the rate of large shapes",
             "大形状的速率之上到稠密峰值的余量")
ASSAY_PHRASE("shapes, flags and the rate before", "形状、选项与之前的速率")
ASSAY_PHRASE("the banks of LDS in CDNA 2", "CDNA 2 的 LDS bank 数")
ASSAY_PHRASE("its cards over two sockets", "其卡数除以两个插槽")
ASSAY_PHRASE("the share of their links that all-reduces of MI300X and MI250X reach, beside A100",
             "MI300X 与 MI250X 的 all-reduce 达到的链路比例，与 A100 对照")
ASSAY_PHRASE("the parts that are compared and the message size", "所比较的型号与消息大小")
ASSAY_PHRASE("the share of InfiniBand that measured collectives reach, up to all of it",
             "实测集合通信达到的 InfiniBand 比例，直至全部")
ASSAY_PHRASE("message size and number of nodes", "消息大小与节点数")
ASSAY_PHRASE("latency of the same message with the other library or network that is meant",
             "同一消息在所比较的另一通信库或网络上的延迟")
ASSAY_PHRASE("allocations that fail, by fragmentation", "按碎片率统计的失败分配")
ASSAY_PHRASE("the utilisation that A7 asks for", "A7 所要求的利用率")
ASSAY_PHRASE("its own lower bound, up to all of it", "其自身的下界，直至全部")
ASSAY_PHRASE("what is counted (cycles, instructions or operations) and in which kernel",
             "统计的是什么（周期、指令或运算）以及在哪个内核中")
ASSAY_PHRASE("regressions of driver releases, and the time to go back to the one before",
             "驱动版本的性能退化，以及退回前一版本所需的时间")
ASSAY_PHRASE("what companies are assumed to ask for", "假定公司所要求的收益率")
ASSAY_PHRASE("the cost of capital of the company", "公司的资金成本")
ASSAY_PHRASE("the shortest useful life", "最短的使用年限")
ASSAY_PHRASE("the longest useful life", "最长的使用年限")
ASSAY_PHRASE("releases that were followed and the days that each took",
             "跟进的版本以及每个版本所花的天数")
ASSAY_PHRASE("the shortest skills phase of A16, 40 hours a week",
             "A16 最短的技能阶段，每周 40 小时")
ASSAY_PHRASE("half of the range of A6 at 4,000 USD a week, over the budget of A7",
             "A6 工作量范围的一半（每周 4000 USD）除以 A7 的预算")
ASSAY_PHRASE("operators and benchmarks to be tried, and the days that each takes",
             "要试验的算子与基准，以及每项所需的天数")
ASSAY_PHRASE("the training of A15, 40 hours a week", "A15 的培训，每周 40 小时")
ASSAY_PHRASE("the people of A7 trained by A15 one after the other, 40 hours a week",
             "A7 的人员按 A15 依次培训，每周 40 小时")
ASSAY_PHRASE("the effort of levels 1 and 2 of A6, shared by the people of A7",
             "A6 的 1 级与 2 级工作量，由 A7 的人员分担")
ASSAY_PHRASE("the effort of level 3 of A6, shared by the people of A7",
             "A6 的 3 级工作量，由 A7 的人员分担")
ASSAY_PHRASE("what is monitored, and how long a rollback takes", "监控哪些内容，以及回滚需要多久")
ASSAY_PHRASE("the predicted speed of 65B training on MI250X over A100, server for server",
             "预测的 65B 训练速度，MI250X 与 A100 逐台服务器之比")
ASSAY_PHRASE("defects that were found by tests and those that were not, by covered share",
             "按覆盖率统计的测试发现与未发现的缺陷")
ASSAY_PHRASE("the sum of its own phases, before the continuous one",
             "其自身各阶段之和，不含持续阶段")
ASSAY_PHRASE("64 for each of its compute units", "每个计算单元 64 个")
ASSAY_PHRASE("the process of its compute dies", "其计算晶粒的制程")
ASSAY_PHRASE("its 7B weights, read once for every 128 tokens at its rate, over its bandwidth",
             "按其速率每 128 个 token 读取一次 7B 权重，除以其带宽")
ASSAY_PHRASE("the 7B weights, read once for every 128 tokens at the rate that it gives A100, over "
             "the bandwidth of A100",
             "按其给 A100 的速率每 128 个 token 读取一次 7B 权重，除以 A100 的带宽")
ASSAY_PHRASE("what is gained by its rates, up to what is gained by its times of images",
             "按其算力得到的降幅，直至按其图像用时得到的降幅")
ASSAY_PHRASE("the work, the load and the part that it is compared with",
             "工作内容、负载与所比较的型号")
ASSAY_PHRASE("its prices over its memory, one part over the other",
             "其价格除以其显存，两个型号之比")
ASSAY_PHRASE("cards by the ratio of cores", "按核数之比得到的卡数")
ASSAY_PHRASE("the cores of the other instance, card for card", "另一实例按卡折算的核数")
ASSAY_PHRASE("the weights of its largest model at 2 bytes each", "其最大模型的权重，每个 2 字节")
ASSAY_PHRASE("weights of 2 bytes each in its memory", "其显存所容每个 2 字节的权重")
ASSAY_PHRASE("the releases of Ubuntu that the ROCm of the part is made for",
             "该型号的 ROCm 所支持的 Ubuntu 版本")
ASSAY_PHRASE("the first kernel of Ubuntu 22.04", "Ubuntu 22.04 的首个内核")
ASSAY_PHRASE("the first release that has gfx950", "首个支持 gfx950 的版本")
ASSAY_PHRASE("the call that compresses, the tensors and the ratio that was reached",
             "执行压缩的调用、张量以及达到的压缩比")
ASSAY_PHRASE("the latents that SDXL was trained on times the factor of its decoder",
             "SDXL 训练所用的潜变量尺寸乘以其解码器的倍数")
ASSAY_PHRASE("what its rate makes in its time, two forwards of 6.761 TFLOP a step",
             "按其算力在其用时内所能完成的，每步两次前向，各 6.761 TFLOP")
ASSAY_PHRASE("the time predicted for these images", "对这些图像预测的用时")
ASSAY_PHRASE("its two times, one over the other", "其两个用时之比")
ASSAY_PHRASE("what can be in flight at its rate when a token takes no longer than its P99",
             "每个 token 不超过其 P99 时，按其速率可同时处理的请求数")
ASSAY_PHRASE("the mean time between two tokens of one of 128 requests at that rate",
             "按该速率，128 个请求中每一个的两个 token 之间的平均时间")
ASSAY_PHRASE("its tokens per watt times its power", "其每瓦 token 数乘以其功率")
ASSAY_PHRASE("temperatures over time at full load", "满载下温度随时间的变化")
ASSAY_PHRASE("its price over its rate", "其价格除以其速率")
ASSAY_PHRASE("its price over the rate that its tokens per watt and its power give",
             "其价格除以由每瓦 token 数与功率得出的速率")
ASSAY_PHRASE("its rate over its power", "其速率除以其功率")
ASSAY_PHRASE("its costs of a token and prices, relative to MI350X",
             "其每 token 成本与价格，相对于 MI350X")
ASSAY_PHRASE("the hours of a day", "一天的小时数")
ASSAY_PHRASE("the difference of its prices over a month", "其价格之差乘以一个月")
ASSAY_PHRASE("cards that run all month", "张整月运行的卡")
