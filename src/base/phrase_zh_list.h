/* ASSAY_PHRASE("English", "中文"): what tables of data and names of parts say, for reports in
   Chinese. Included several times, so no guard. */

ASSAY_PHRASE("assumption of this project", "本项目的假定")
ASSAY_PHRASE("arXiv 2407.21783 section 3.3.4 (419 unplanned stops of 16384 H100 in 54 days: "
             "50700); bigscience.huggingface.co blog bloom (384 A100, one to two failures a week: "
             "42700); facebookresearch/metaseq OPT-175B chronicles (992 A100, 35 manual and about "
             "70 automatic restarts in two months: 13900)",
             "arXiv 2407.21783 第 3.3.4 节（16384 块 H100 在 54 天内有 419 "
             "次计划外中断：50700）；bigscience.huggingface.co 博客（BLOOM-176B，384 块 "
             "A100，每周一至两次故障：42700）；facebookresearch/metaseq OPT-175B 日志（992 块 "
             "A100，两个月内 35 次手动和约 70 次自动重启：13900）")
ASSAY_PHRASE("arXiv 2407.21783 section 3.1.2 (checkpoints of 1 MB to 4 GB a GPU, storage of 2 to 7 "
             "TB/s: a write takes seconds); between that and waits of minutes that are published "
             "without asynchronous writes",
             "arXiv 2407.21783 第 3.1.2 节（每块 GPU 的检查点为 1 MB 至 4 GB，存储为 2 至 7 "
             "TB/s：写入需数秒）；取其与未用异步写入时公布的数分钟等待之间的值")
ASSAY_PHRASE("arXiv 2407.21783 section 3.3.4: more than 90 % effective time with 466 stops in 54 "
             "days, so at most 1000 s each, of which about 390 s are work done again (half of 775 "
             "s between checkpoints of 30 s)",
             "arXiv 2407.21783 第 3.3.4 节：54 天内 466 次中断，有效时间超过 90 %，因此每次至多 "
             "1000 秒，其中约 390 秒是重做的工作（检查点为 30 秒时，间隔 775 秒的一半）")
ASSAY_PHRASE("assumption of the project", "本项目的假定")
ASSAY_PHRASE(
    "assumption of this project after Epoch's training-cost data (mean draw over nameplate 0.75; "
    "bounds 0.6 and 0.9 are ours)",
    "本项目依据 Epoch 训练成本数据的假定（平均功率与铭牌之比 0.75；界限 0.6 与 0.9 为本项目所定）")
ASSAY_PHRASE("GEMM, convolution and attention take more than 70 % of the device time",
             "GEMM、卷积与注意力占设备时间的 70% 以上")
ASSAY_PHRASE("the model already runs on HIP: at least 95 % of its device code is ready",
             "模型已能在 HIP 上运行：至少 95% 的设备代码就绪")
ASSAY_PHRASE("the run lasts longer than 10 days", "任务时长超过 10 天")
ASSAY_PHRASE("compute-dense (70 %) and long (30 days): moving can pay although only 80 % of the "
             "code fits HIP",
             "计算密集（70%）且时间长（30 天）：即使只有 80% 的代码适配 HIP，迁移也可能划算")
ASSAY_PHRASE("long pre-training: FLOPs utilisation stays above 65 %",
             "长时间预训练：算力利用率 MFU 保持在 65% 以上")
ASSAY_PHRASE(
    "The rule asks for 65 % FLOPs utilisation, which training runs rarely reach: the median of 33 "
    "published runs is 37.5 % (Epoch AI, training-cost-trends); it fails for almost every job",
    "该规则要求 65% 的算力利用率，训练任务极少达到：33 个已公布任务的中位数为 37.5%（Epoch AI, "
    "training-cost-trends）；它对几乎所有任务都不成立")
ASSAY_PHRASE("long pre-training: at least 100 TB of raw data", "长时间预训练：原始数据至少 100 TB")
ASSAY_PHRASE("HIP experience: at least 2 people know ROCm debugging",
             "HIP 经验：至少 2 人会调试 ROCm")
ASSAY_PHRASE("HIP experience: CUDA-only features in less than 30 % of the code",
             "HIP 经验：仅 CUDA 可用的特性少于代码的 30%")
ASSAY_PHRASE("HIP experience: continuous integration checks HIP", "HIP 经验：持续集成检查 HIP")
ASSAY_PHRASE("budget-sensitive: hardware budget below 150 000 USD",
             "预算敏感：硬件预算低于 150000 美元")
ASSAY_PHRASE(
    "budget-sensitive: moving costs less than it saves in purchase and 3 years of electricity",
    "预算敏感：迁移花费少于购置与 3 年电费的节省")
ASSAY_PHRASE("research prototypes that are debugged in notebooks", "在 notebook 中调试的研究原型")
ASSAY_PHRASE("hard dependence on the CUDA ecosystem: TensorRT, whose equivalent is slower",
             "强依赖 CUDA 生态：TensorRT，其替代品更慢")
ASSAY_PHRASE("seed-a A2", "文章 A 的 A2")
ASSAY_PHRASE("seed-a A7", "文章 A 的 A7")
ASSAY_PHRASE("seed-a A2, which gives no number: 95 % is this project's reading of \"already runs\"",
             "文章 A 的 A2 未给数字：95% 是本项目对“已能运行”的理解")
ASSAY_PHRASE(
    "Llama 2 paper (arXiv 2307.09288) Table 1: context 4k, Llama 1 2k; Llama 3: 8192 in models.csv",
    "Llama 2 论文（arXiv 2307.09288）表 1：上下文 4k，Llama 1 为 2k；Llama 3 在 models.csv 中为 "
    "8192")
ASSAY_PHRASE("Llama 2 paper (arXiv 2307.09288) Table 1: all models are trained with a global batch "
             "of 4M tokens",
             "Llama 2 论文（arXiv 2307.09288）表 1：所有模型的全局批均为 4M token")
ASSAY_PHRASE(
    "Llama 2 paper (arXiv 2307.09288) section 3.1: supervised fine-tuning with a batch size of "
    "64, sequences of 4096",
    "Llama 2 论文（arXiv 2307.09288）3.1 节：监督微调的批大小为 64，序列长 4096")
ASSAY_PHRASE(
    "yanring/Megatron-MoE-ModelZoo best_practice/Qwen3/readme.md, long context: "
    "Qwen3-235B-A22B at 16384 tokens, 295 TFLOPS a GPU with balance forced, 237 without",
    "yanring/Megatron-MoE-ModelZoo best_practice/Qwen3/readme.md 长上下文：Qwen3-235B-A22B，"
    "16384 token，强制均衡时每卡 295 TFLOPS，否则 237")
ASSAY_PHRASE("Llama 2 paper (arXiv 2307.09288) section 2.2.1: both training clusters interconnect "
             "200 Gbit/s end-points",
             "Llama 2 论文（arXiv 2307.09288）2.2.1 节：两个训练集群的端点均为 200 Gbit/s")
ASSAY_PHRASE("assumption of the project: one NIC for two PCIe cards, as in "
             "examples/seed-a-65b-training.yaml",
             "本项目的假定：每两张 PCIe 卡一块网卡，与 examples/seed-a-65b-training.yaml 相同")
ASSAY_PHRASE("epoch-research/training-cost-trends@263c40a chip_to_server_power(): 1.82 (H100), "
             "2.03 (A100), 1.8 other; low bound is the project's",
             "epoch-research/training-cost-trends@263c40a "
             "chip_to_server_power()：1.82（H100）、2.03（A100）、其他 1.8；下界为本项目所定")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A14: total cost over "
             "3 to 5 years; A7 counts 3",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A14：按 3 至 5 年计总成本；A7 按 3 年")
ASSAY_PHRASE("assumption of the project; seed article A (MI250X or A100 for training, prices of "
             "2023Q4), A14: 0.08 to 0.10",
             "本项目的假定；文章 A（MI250X 或 A100 训练，2023Q4 价格）A14：0.08 至 0.10")
ASSAY_PHRASE("US industrial average 2025: EIA series in epoch-research/training-cost-trends "
             "energy_price(); low us-state-us-ia, high country DEU in energy.csv",
             "美国 2025 年工业平均电价：epoch-research/training-cost-trends energy_price() 中的 "
             "EIA 序列；下界为 energy.csv 的 us-state-us-ia，上界为 DEU")
ASSAY_PHRASE("epoch-research/training-cost-trends@263c40a: 1.25 outside hyperscalers; low Meta, "
             "high Uptime survey 2024 (datacenterdynamics.com)",
             "epoch-research/training-cost-trends@263c40a：超大规模云之外为 1.25；下界取 "
             "Meta，上界取 Uptime 2024 年调查（datacenterdynamics.com）")
ASSAY_PHRASE("25 to 35 % of the price after 36 months (v2-pseo-ai.pages.dev); low bound from the "
             "list price series of P100 and V100 in epoch-research/training-cost-trends",
             "36 个月后为价格的 25% 至 35%（v2-pseo-ai.pages.dev）；下界取自 "
             "epoch-research/training-cost-trends 中 P100 与 V100 的标价序列")
ASSAY_PHRASE(
    "seed article A (MI250X or A100 for training, prices of 2023Q4), A15: 5 to 8 % of the budget",
    "文章 A（MI250X 或 A100 训练，2023Q4 价格）A15：预算的 5% 至 8%")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A6: interface "
             "replacement 1 to 3 person-weeks",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A6：接口替换 1 至 3 人周")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A6: kernel "
             "optimisation 2 to 4 person-weeks",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A6：内核优化 2 至 4 人周")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A6: ecosystem 1 to 2 "
             "person-months",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A6：生态 1 至 2 人月")
ASSAY_PHRASE("wages of US software developers 2024 (BLS, as shown by ler.me: mean 144,570, 10 % "
             "below 79,850, 10 % above 211,450 USD a year) / 0.695 (wages in the cost of private "
             "employers, BLS ECEC June 2015) / 52",
             "2024 年美国软件开发者工资（BLS，引自 ler.me：年均 144570 美元，10% 低于 79850，10% "
             "高于 211450）/ 0.695（工资占私营雇主成本之比，BLS ECEC 2015 年 6 月）/ 52")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A15: 80 hours of "
             "training for a junior engineer",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A15：初级工程师培训 80 小时")
ASSAY_PHRASE(
    "seed article A (MI250X or A100 for training, prices of 2023Q4), A7: at least 2 people who "
    "know ROCm debugging; that these are the ones to train is an assumption of the project",
    "文章 A（MI250X 或 A100 训练，2023Q4 价格）A7：至少 2 人会调试 ROCm；须培训的即为此 2 "
    "人是本项目的假定")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A15: 15 person-days "
             "a year behind the ecosystem",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A15：每年 15 人日追赶生态")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A3",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A3")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B1", "文章 B（MI350X 云端推理）B1")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B2", "文章 B（MI350X 云端推理）B2")
ASSAY_PHRASE("job", "任务文件")
ASSAY_PHRASE("default of the job file", "任务文件的缺省值")
ASSAY_PHRASE("unknown", "未知")
ASSAY_PHRASE("not counted", "未计入")
ASSAY_PHRASE("staff and upkeep are unknown and not counted", "运维人力与维保未知，未计入")
ASSAY_PHRASE("no share of the cluster is known that is its network: give money.network_share",
             "未知网络占集群成本的份额：请给出 money.network_share")
ASSAY_PHRASE("the network is a share of the cluster; ask for ports to price it port by port",
             "网络按集群成本的份额计；要按端口计价请写 money.terms=ports")
ASSAY_PHRASE("how much is stored is not said: give data.raw_bytes or money.storage_bytes",
             "未说明存储量：请给出 data.raw_bytes 或 money.storage_bytes")
ASSAY_PHRASE("no public figure was found: give money.rack_usd",
             "未找到公开数据：请给出 money.rack_usd")
ASSAY_PHRASE("the data centre is paid for as capital", "数据中心按资本支出计")
ASSAY_PHRASE("space is rented, see colocation; ask for facility where it is built",
             "机房为租用（money.terms.colocation）；若自建请写 money.terms=facility")
ASSAY_PHRASE(
    "the mean price of electricity contains it; ask for demand where the price is of energy alone",
    "平均电价已包含在内；若电价只含电量电费，请写 money.terms=demand")
ASSAY_PHRASE("the software may run without; ask for licence where it is bought",
             "软件不购买许可也可运行；若购买请写 money.terms=licence")
ASSAY_PHRASE(
    "differs from county to county and no public mean was found: give money.property_tax_share",
    "各县不同，未找到公开的平均值：请给出 money.property_tax_share")
ASSAY_PHRASE("amounts are before income tax; ask for tax to count what costs save of it",
             "金额为所得税前；要计入成本的抵税作用请写 money.terms=tax")
ASSAY_PHRASE("what leaves the cloud is not said: give money.egress_bytes",
             "未说明流出云的数据量：请给出 money.egress_bytes")
ASSAY_PHRASE("counted in runs so long that a stop is expected; ask for goodput to count stops and "
             "checkpoints",
             "只在长到预计会中断的运行中计入；其他情况要计入中断与检查点请写 money.terms=goodput")
ASSAY_PHRASE(
    "Turner & Townsend, Data Centre Construction Cost Index 2025-2026 (cremediaeurope.com): "
    "Frankfurt 11.6 USD per watt; bounds in the ratio of the US ones",
    "Turner & Townsend， 数据中心建设成本指数 2025-2026（cremediaeurope.com）：法兰克福 11.6 "
    "USD/W；上下限按美国数据的比例")
ASSAY_PHRASE("Turner & Townsend, Data Centre Construction Cost Index 2025-2026 "
             "(cremediaeurope.com): London 12.0 USD per watt; bounds in the ratio of the US ones",
             "Turner & Townsend， 数据中心建设成本指数 2025-2026（cremediaeurope.com）：伦敦 12.0 "
             "USD/W；上下限按美国数据的比例")
ASSAY_PHRASE("Turner & Townsend, Data Centre Construction Cost Index 2025-2026 "
             "(cremediaeurope.com): Zurich 14.2 USD per watt; bounds in the ratio of the US ones",
             "Turner & Townsend， 数据中心建设成本指数 2025-2026（cremediaeurope.com）：苏黎世 "
             "14.2 USD/W；上下限按美国数据的比例")
ASSAY_PHRASE("Turner & Townsend, Data Centre Construction Cost Index 2025-2026 "
             "(cremediaeurope.com): Tokyo 15.2 USD per watt; bounds in the ratio of the US ones",
             "Turner & Townsend， 数据中心建设成本指数 2025-2026（cremediaeurope.com）：东京 15.2 "
             "USD/W；上下限按美国数据的比例")
ASSAY_PHRASE(
    "Turner & Townsend, Data Centre Construction Cost Index 2025-2026 (cremediaeurope.com): "
    "Singapore 14.5 USD per watt; bounds in the ratio of the US ones",
    "Turner & Townsend， 数据中心建设成本指数 2025-2026（cremediaeurope.com）：新加坡 14.5 "
    "USD/W；上下限按美国数据的比例")
ASSAY_PHRASE(
    "tech-talk-cto.com, costs of H100 clusters (sheet of August 2024): 675,840 USD of connectors "
    "and cables for 512 ports of 400 Gbit/s, half of a link; low bound yobitel.com (2026): 1.2 "
    "million USD of optics for the 4096 ends of a 1024-GPU fat tree",
    "tech-talk-cto.com，H100 集群成本表（2024 年 8 月）：512 个 400 Gbit/s 端口的连接件与线缆共 "
    "675,840 USD，取一条链路的一半；下限 yobitel.com（2026）：1024 GPU 胖树 4096 "
    "个链路端的光模块共 120 万 USD")
ASSAY_PHRASE(
    "tech-talk-cto.com, costs of H100 clusters (sheet of August 2024): 36,000 USD (fs.com) for 64 "
    "ports of 400 Gbit/s, with 660 USD of optics each; high bound with 50,000 USD (NVIDIA), low "
    "bound yobitel.com (2026): 1.75 million USD for 3072 ports with optics",
    "tech-talk-cto.com，H100 集群成本表（2024 年 8 月）：64 个 400 Gbit/s 端口 36,000 "
    "USD（fs.com），另加每端口光模块 660 USD；上限按 50,000 USD（NVIDIA），下限 "
    "yobitel.com（2026）：3072 个端口连同光模块 175 万 USD")
ASSAY_PHRASE("NVIDIA Quantum-2 QM9700: 64 ports of 400 Gbit/s (naddod.com)",
             "NVIDIA Quantum-2 QM9700：64 个 400 Gbit/s 端口（naddod.com）")
ASSAY_PHRASE("CBRE, North America Data Center Trends H2 2024: mean asking rate of 250 to 500 kW in "
             "primary markets, 163.44 in H2 2023; high bound v2-pseo-ai.pages.dev",
             "CBRE 北美数据中心趋势（2024 年下半年）：主要市场 250 至 500 kW 的平均报价，2023 "
             "年下半年为 163.44；上限 v2-pseo-ai.pages.dev")
ASSAY_PHRASE(
    "Cushman & Wakefield, Data Center Development Cost Guide 2025: 11.7 million USD per MW of "
    "critical load over 19 US markets, 9.3 (San Antonio) to 15.0 (Reno); land and design apart",
    "高纬环球 2025 年数据中心开发成本指南：美国 19 个市场每 MW 关键负荷 1170 万 "
    "USD，9.3（圣安东尼奥）至 15.0（里诺）百万；不含土地与设计")
ASSAY_PHRASE("NREL, A Survey of U.S. Demand Charges (NREL/BR-6A20-68963, 2017): a quarter of the "
             "commercial customers can have tariffs above 15 USD per kW, those of some states 20 "
             "or more; low bound is the project's",
             "NREL，美国需量电费调查（NREL/BR-6A20-68963，2017）：四分之一的商业用户可能适用高于 "
             "15 USD/kW 的电价，一些州为 20 或更高；下限为本项目所设")
ASSAY_PHRASE(
    "price lists of Stadtwerke Malchow (medium voltage, from 2500 h: 119.08 EUR per kW and year "
    "2025, 147.22 in 2024) and Passau (117.98 in 2022); 0.8684 EUR per USD (fx.csv)",
    "Stadtwerke Malchow（中压、2500 h 以上：2025 年每 kW 每年 119.08 EUR，2024 年 147.22）与 "
    "Passau（2022 年 117.98）的价目表；0.8684 EUR/USD（fx.csv）")
ASSAY_PHRASE("Harmonized Tariff Schedule of the United States, headings 8471.50 (processing units) "
             "and 8473.30 (their parts): Free, as the Information Technology Agreement has it; "
             "ruling for Tesla V100 SXM2 of 2019",
             "美国协调关税表 8471.50（处理部件）与 "
             "8473.30（其零件）：免税，同《信息技术协定》；2019 年关于 V100 SXM2 的裁定")
ASSAY_PHRASE("Federal Open Market Committee, Statement on Longer-Run Goals and Monetary Policy "
             "Strategy: 2 %; bounds are the project's",
             "美国联邦公开市场委员会，长期目标与货币政策策略声明：2 %；上下限为本项目所设")
ASSAY_PHRASE("no federal price of carbon in the United States; prices of states (California, RGGI) "
             "fall on generators",
             "美国没有联邦碳价；各州（加利福尼亚、RGGI）的碳价由发电方承担")
ASSAY_PHRASE("EU ETS, mean of 2024: 67 EUR, 22 % below that of 2023 (veyt.com, 2024 Year in "
             "Review); 0.8684 EUR per USD (fx.csv); low bound is the project's",
             "欧盟碳市场（EU ETS）2024 年均价 67 EUR，比 2023 年低 22 %（veyt.com，2024 Year in "
             "Review）；0.8684 EUR/USD（fx.csv）；下限为本项目所设")
ASSAY_PHRASE("China National ETS, mean of 2024: 95.96 CNY (icapcarbonaction.com); 97.49 CNY at the "
             "end of 2024, 22.75 % above the end of 2023 (dxknews.com)",
             "全国碳市场 2024 年均价 95.96 CNY（icapcarbonaction.com）；2024 年末 97.49 CNY，比 "
             "2023 年末高 22.75 %（dxknews.com）")
ASSAY_PHRASE("no candidate is paid for by the spot price", "没有候选按竞价付费")
ASSAY_PHRASE(
    "what generators pay is in the price of electricity; ask for carbon where the firm pays too",
    "发电方支付的碳价已含在电价中；若企业另付请写 money.terms=carbon")
ASSAY_PHRASE("amounts are in money of today; ask for inflation",
             "金额按今日币值；要计入通胀请写 money.terms=inflation")
ASSAY_PHRASE("rents stay as they are; ask for price_decline",
             "租金保持不变；要计入降价请写 money.terms=price_decline")
ASSAY_PHRASE("global_batch_tokens / sequence, rounded down",
             "global_batch_tokens / sequence，向下取整")
ASSAY_PHRASE("what the model is published in (models.csv)", "模型发布时的格式（models.csv）")
ASSAY_PHRASE("neither the job nor the model says otherwise", "任务与模型均未另行说明")
ASSAY_PHRASE("a trace: only its longest sequence matters to memory, which max_model_len says",
             "一份轨迹：对显存而言只有最长序列重要，由 max_model_len 给出")
ASSAY_PHRASE("huggingface/peft: query and value by default; all four are counted",
             "huggingface/peft：默认只含 query 与 value；此处四者均计")
ASSAY_PHRASE("moments lie in managed memory and leave for the host when the device is full: none "
             "are counted on the device",
             "动量位于托管内存，设备已满时移至主机：设备上不计")
ASSAY_PHRASE("overlay", "叠加表")
ASSAY_PHRASE("attention", "注意力")
ASSAY_PHRASE("paged", "分页")
ASSAY_PHRASE("measured", "实测")
ASSAY_PHRASE("calibrated", "校准")
ASSAY_PHRASE("transferred", "同类推算")
ASSAY_PHRASE("extrapolated", "外推")
ASSAY_PHRASE("servers and accelerators", "服务器与加速卡")
ASSAY_PHRASE("residual value at the end", "期末残值")
ASSAY_PHRASE("rack retrofit (A4)", "机柜改造（A4）")
ASSAY_PHRASE("rented node-hours", "租用的节点小时")
ASSAY_PHRASE("electricity with PUE", "电费（含 PUE）")
ASSAY_PHRASE("staff and upkeep", "运维人力与维保")
ASSAY_PHRASE("migration level 1: interfaces (A6)", "迁移 1 级：接口（A6）")
ASSAY_PHRASE("migration level 2: kernels (A6)", "迁移 2 级：内核（A6）")
ASSAY_PHRASE("migration level 3: ecosystem (A6)", "迁移 3 级：生态（A6）")
ASSAY_PHRASE("training of engineers (A15)", "工程师培训（A15）")
ASSAY_PHRASE("technical debt (A15)", "技术债（A15）")
ASSAY_PHRASE("contingency (A15)", "不可预见费（A15）")
ASSAY_PHRASE("fits", "放得下")
ASSAY_PHRASE("tp x cp x pp x dp must equal the number of devices", "tp x cp x pp x dp 须等于卡数")
ASSAY_PHRASE("zero bubble and DualPipe need pp > 1, no interleave, and many micro-batches",
             "零气泡与 DualPipe 调度需要 pp > 1、不交错，且微批数足够多")
ASSAY_PHRASE("shards of ZeRO must divide the devices that hold the same weights",
             "ZeRO 的分片数须整除持有相同权重的卡数")
ASSAY_PHRASE("networks of operations are not split: tp, pp, cp and ep must be 1",
             "由算子列表描述的网络不做切分：tp、pp、cp 和 ep 必须为 1")
ASSAY_PHRASE("2 x cp must divide the sequence, all-to-all needs tp x cp heads",
             "2 x cp 须整除序列长度，all-to-all 需要 tp x cp 个注意力头")
ASSAY_PHRASE("keys that go round a ring do not combine with attention windows",
             "环形传递键值不能与滑动窗口注意力同用")
ASSAY_PHRASE("ep must divide the experts, ep x etp the devices of a stage",
             "ep 须整除专家数，ep x etp 须整除一级流水线的卡数")
ASSAY_PHRASE("experts with tp > 1 need sequence parallelism, etp at most tp",
             "tp > 1 的专家模型需要序列并行，etp 不大于 tp")
ASSAY_PHRASE("tp must divide the attention heads (and the KV heads or their multiple)",
             "tp 须整除注意力头数（以及 KV 头数或其倍数）")
ASSAY_PHRASE("tp must divide the FFN width", "tp 须整除 FFN 宽度")
ASSAY_PHRASE("pp x interleave must leave all stages but the first and the last as many layers",
             "pp x 交错数须使首末以外各段层数相同")
ASSAY_PHRASE("dp x micro-batch must divide the global batch", "dp x 微批须整除全局批")
ASSAY_PHRASE("interleaving needs pp > 1 and at least pp micro-batches",
             "交错需要 pp > 1，且微批数不少于 pp")
ASSAY_PHRASE("ZeRO 2 and 3 do not combine with a pipeline", "ZeRO 2 与 3 不能与流水线并用")
ASSAY_PHRASE("tp must stay inside one scale-up domain", "tp 不得超出一个高速互连域")
ASSAY_PHRASE("sequence parallelism needs tp > 1 and tp dividing the sequence",
             "序列并行需要 tp > 1 且 tp 整除序列长度")
ASSAY_PHRASE("whether what waits in the host fits its memory is not checked",
             "未检查存放在主机的数据是否放得下")
ASSAY_PHRASE("what waits in the host exceeds its memory", "存放在主机的数据超出主机内存")
ASSAY_PHRASE("peak memory exceeds the device's", "峰值显存超出卡的容量")
ASSAY_PHRASE("none", "无")
ASSAY_PHRASE("selective", "选择性")
ASSAY_PHRASE("full", "全部")
ASSAY_PHRASE("gemm", "矩阵乘")
ASSAY_PHRASE("memory_bound", "访存受限")
ASSAY_PHRASE("recompute", "重计算")
ASSAY_PHRASE("tp_comm", "张量并行通信")
ASSAY_PHRASE("cp_comm", "上下文并行通信")
ASSAY_PHRASE("ep_comm", "专家通信")
ASSAY_PHRASE("pp_bubble", "流水线气泡")
ASSAY_PHRASE("pp_comm", "流水线通信")
ASSAY_PHRASE("dp_comm", "梯度通信")
ASSAY_PHRASE("optimizer", "优化器")
ASSAY_PHRASE("offload", "主机中的状态")
ASSAY_PHRASE("host", "主机与框架")
ASSAY_PHRASE("weights", "权重")
ASSAY_PHRASE("gradients", "梯度")
ASSAY_PHRASE("optimizer_state", "优化器状态")
ASSAY_PHRASE("activations", "激活值")
ASSAY_PHRASE("gathered_layers", "聚合的层")
ASSAY_PHRASE("context_and_libraries", "上下文与运行库")
ASSAY_PHRASE("fragmentation", "碎片")
ASSAY_PHRASE("FP16 rate", "FP16 算力")
ASSAY_PHRASE("FP32 rate", "FP32 算力")
ASSAY_PHRASE("capex", "购置价")
ASSAY_PHRASE("migration.hip_fit or migration.scan", "migration.hip_fit 或 migration.scan")
ASSAY_PHRASE("migration.cuda_only_share or migration.scan",
             "migration.cuda_only_share 或 migration.scan")
ASSAY_PHRASE("candidates[].buy_usd of a candidate on each side",
             "两侧各一个候选方案的 candidates[].buy_usd")
ASSAY_PHRASE("d", "天")
ASSAY_PHRASE("Infinity Cache", "Infinity Cache 容量")
ASSAY_PHRASE("compute units", "计算单元")
ASSAY_PHRASE("memory", "显存")
ASSAY_PHRASE("memory bandwidth", "显存带宽")
ASSAY_PHRASE("power", "功率")
ASSAY_PHRASE("price per hour", "每小时价格")
ASSAY_PHRASE("stream processors", "流处理器")
ASSAY_PHRASE("memory bandwidth of a card", "单卡显存带宽")
/* operations of a model */
ASSAY_PHRASE("catalog", "目录")
ASSAY_PHRASE("activation", "激活")
ASSAY_PHRASE("attention_gate", "注意力门控")
ASSAY_PHRASE("attention_norm", "注意力归一化")
ASSAY_PHRASE("attention_out", "注意力输出投影")
ASSAY_PHRASE("attention_post_norm", "注意力后归一化")
ASSAY_PHRASE("attention_residual", "注意力残差")
ASSAY_PHRASE("embedding", "嵌入")
ASSAY_PHRASE("embedding_norm", "嵌入归一化")
ASSAY_PHRASE("expert_activation", "专家激活")
ASSAY_PHRASE("expert_down", "专家降维")
ASSAY_PHRASE("expert_up", "专家升维")
ASSAY_PHRASE("experts", "专家")
ASSAY_PHRASE("final_norm", "末层归一化")
ASSAY_PHRASE("head", "输出层")
ASSAY_PHRASE("kv_down", "KV 降维")
ASSAY_PHRASE("kv_norm", "KV 归一化")
ASSAY_PHRASE("kv_up", "KV 升维")
ASSAY_PHRASE("linear_attention", "线性注意力")
ASSAY_PHRASE("linear_norm", "线性注意力归一化")
ASSAY_PHRASE("linear_qkvz", "线性注意力投影")
ASSAY_PHRASE("linear_rates", "线性注意力速率")
ASSAY_PHRASE("mlp", "MLP")
ASSAY_PHRASE("mlp_down", "MLP 降维")
ASSAY_PHRASE("mlp_norm", "MLP 归一化")
ASSAY_PHRASE("mlp_post_norm", "MLP 后归一化")
ASSAY_PHRASE("mlp_residual", "MLP 残差")
ASSAY_PHRASE("mlp_up", "MLP 升维")
ASSAY_PHRASE("q_down", "Q 降维")
ASSAY_PHRASE("q_norm", "Q 归一化")
ASSAY_PHRASE("q_up", "Q 升维")
ASSAY_PHRASE("qk_norm", "QK 归一化")
ASSAY_PHRASE("qkv", "QKV 投影")
ASSAY_PHRASE("rotary", "旋转位置编码")
ASSAY_PHRASE("router", "路由")
ASSAY_PHRASE("shared_activation", "共享专家激活")
ASSAY_PHRASE("shared_down", "共享专家降维")
ASSAY_PHRASE("shared_gate", "共享专家门控")
ASSAY_PHRASE("shared_up", "共享专家升维")
ASSAY_PHRASE("adapter_down", "适配器降维")
ASSAY_PHRASE("adapter_sum", "适配器求和")
ASSAY_PHRASE("adapter_up", "适配器升维")
ASSAY_PHRASE("dequantize", "反量化")
ASSAY_PHRASE("expert_permute", "专家分发")
ASSAY_PHRASE("expert_unpermute", "专家合并")
ASSAY_PHRASE("loss", "损失")
ASSAY_PHRASE("quantize", "量化")
ASSAY_PHRASE("router_top_k", "路由选择")

/* roadmap */
ASSAY_PHRASE("Feasibility, with a small proof of concept", "可行性评估与小规模验证")
ASSAY_PHRASE("Skills and continuous integration", "技能与持续集成")
ASSAY_PHRASE("Prototype of the port", "移植原型")
ASSAY_PHRASE("Full migration", "全面迁移")
ASSAY_PHRASE("Production", "投产")
ASSAY_PHRASE("Every ROCm release", "跟进每个 ROCm 版本")
ASSAY_PHRASE("nothing has been changed: stop, and the cost of this phase is all that is lost",
             "尚未做任何改动：停止即可，损失仅为本阶段费用")
ASSAY_PHRASE("the team knows a second platform; the CUDA build is the only one that ships",
             "团队掌握了第二个平台；交付的仍只有 CUDA 构建")
ASSAY_PHRASE("the port lives on a branch; production stays on the incumbent",
             "移植在分支上进行；生产仍在原平台")
ASSAY_PHRASE("both builds pass the same tests: switch back by configuration",
             "两种构建通过相同测试：改配置即可切回")
ASSAY_PHRASE("incumbent nodes stay rented or powered until this phase ends; two driver versions "
             "and their containers are kept (A13)",
             "原平台节点在本阶段结束前保持租用或供电；保留两个驱动版本及其容器（A13）")
ASSAY_PHRASE("stay one release behind until its tests pass", "测试通过之前停留在上一版本")
ASSAY_PHRASE("{value} of the operators of the model run on the target: each is called once, in the "
             "precision of the job",
             "模型算子的 {value} 可在目标上运行：逐一以作业精度调用一次")
ASSAY_PHRASE("one card reaches {value} in a standard benchmark (ResNet-50, BERT) or in the job "
             "itself: 85 % of what is predicted",
             "单卡在标准基准（ResNet-50、BERT）或作业本身达到 {value}：预测值的 85 %")
ASSAY_PHRASE("a stop is decided in writing when one of the two is missed: the small proof of "
             "concept comes before any purchase",
             "两项之一未达标则书面决定停止：小规模验证先于任何采购")
ASSAY_PHRASE("{value} of the changes are built and tested for both platforms",
             "{value} 的代码变更在两个平台上构建并测试")
ASSAY_PHRASE("two people have found and mended a wrong result on the target by themselves",
             "两人各自独立在目标平台上找出并修复过错误结果")
ASSAY_PHRASE("one card reaches {value} on the job: 85 % of the reference",
             "单卡在作业上达到 {value}：基准的 85 %")
ASSAY_PHRASE("the loss of the first thousand steps, or the answers to a fixed set of prompts, "
             "agree with the reference within its own run-to-run spread",
             "前一千步的损失，或对固定提示集的回答，与基准一致，差异不超过其自身的运行间波动")
ASSAY_PHRASE("{value} of the code that ships is covered by automated tests on the target",
             "交付代码的 {value} 由目标平台上的自动化测试覆盖")
ASSAY_PHRASE("all nodes together reach {value} a card: 85 % of what is predicted",
             "全部节点合计每卡达到 {value}：预测值的 85 %")
ASSAY_PHRASE("alarms for speed, temperature and memory errors have each fired once in a drill",
             "速度、温度与显存错误告警均在演练中触发过一次")
ASSAY_PHRASE("going back was done once, on purpose, within a day", "已在一天之内主动演练过一次回退")
ASSAY_PHRASE("a new release is taken when a card keeps {value}: 95 % of what is predicted",
             "单卡保持 {value}（预测值的 95 %）时才采用新版本")
ASSAY_PHRASE(
    "seed article A (MI250X or A100 for training, prices of 2023Q4), A2: its example of code that "
    "fits HIP; that the levels of A6 are of such code is an assumption of the project",
    "种子文章 A（训练用 MI250X 或 A100，2023Q4 价格）A2：适配 HIP 的代码的例子；A6 "
    "的工作量对应此类代码是本项目的假定")
ASSAY_PHRASE("epoch-research/training-cost-trends@263c40a: 19 % of the cost of a cluster is its "
             "network; bounds are the project's",
             "epoch-research/training-cost-trends@263c40a：集群成本的 19% 是网络；界限为本项目所定")
ASSAY_PHRASE(
    "opencost/opencost configs/default.json: 0.00005479452 USD per GB and hour; bounds are the "
    "project's",
    "opencost/opencost configs/default.json：每 GB 每小时 0.00005479452 美元；界限为本项目所定")
ASSAY_PHRASE("v2-pseo-ai.pages.dev: 150 to 250; the value between them is the project's",
             "v2-pseo-ai.pages.dev：150 至 250；其间取值为本项目所定")
ASSAY_PHRASE(
    "ClusterMAX calculator of SemiAnalysis (clustermax.ai/tco): 5 %; bounds are the project's",
    "SemiAnalysis 的 ClusterMAX 计算器（clustermax.ai/tco）：5%；界限为本项目所定")
ASSAY_PHRASE("Llama 3 paper (arXiv 2407.21783) table 5: GPU and its memory, one stop in about 9 "
             "GPU-years; that each is an exchange, and the bounds, are the project's",
             "Llama 3 论文（arXiv 2407.21783）表 5：GPU 及其显存约每 9 GPU "
             "年停机一次；每次都需更换及界限为本项目所定")
ASSAY_PHRASE("NVIDIA AI Enterprise: 4500, education and start-ups 1125 (fundalyst.xyz quoting "
             "NVIDIA's licensing guide)",
             "NVIDIA AI Enterprise：4500，教育与初创企业 1125（fundalyst.xyz 引 NVIDIA 许可指南）")
ASSAY_PHRASE("United States Code, title 26, section 11(b): federal rate on corporations",
             "美国法典第 26 卷第 11(b) 条：联邦公司所得税率")
ASSAY_PHRASE("10-K filings 2020 to 2025 (Microsoft 6, Alphabet 6, Meta 5.5, Amazon 5 to 6); "
             "critics argue for 2 to 3",
             "2020 至 2025 年 10-K 文件（Microsoft 6、Alphabet 6、Meta 5.5、Amazon 5 至 "
             "6）；批评者主张 2 至 3")
ASSAY_PHRASE("opencost/opencost configs/default.json: 0.12; 0 at several neoclouds; the value "
             "between them is the project's",
             "opencost/opencost configs/default.json：0.12；若干新兴云为 0；其间取值为本项目所定")
ASSAY_PHRASE(
    "Llama 3 paper (arXiv 2407.21783): 419 unplanned stops of 16384 GPUs in 54 days; bounds are "
    "the project's",
    "Llama 3 论文（arXiv 2407.21783）：16384 块 GPU 在 54 天内 419 次意外停机；界限为本项目所定")
ASSAY_PHRASE(
    "epoch-research/training-cost-trends@263c40a: 0.14 orders of magnitude a year; AWS p4d and p5 "
    "fell by 33 and 44 % in about a year (the-full-stack table, karpenter 2026-07-20)",
    "epoch-research/training-cost-trends@263c40a：每年 0.14 个数量级；AWS p4d 与 p5 约一年内降 33% "
    "与 44%（the-full-stack 表，karpenter 2026-07-20）")
ASSAY_PHRASE("energy.csv country-usa: mlco2/codecarbon@b05965e, year 2023",
             "energy.csv country-usa：mlco2/codecarbon@b05965e，2023 年")
ASSAY_PHRASE(
    "epoch-research/training-cost-trends@263c40a DEFAULT_CUD: AWS 41, Google 37, Azure 25 %",
    "epoch-research/training-cost-trends@263c40a DEFAULT_CUD：AWS 41%、Google 37%、Azure 25%")
ASSAY_PHRASE(
    "epoch-research/training-cost-trends@263c40a DEFAULT_CUD: AWS 64, Google 56, Azure 49 %",
    "epoch-research/training-cost-trends@263c40a DEFAULT_CUD：AWS 64%、Google 56%、Azure 49%")
ASSAY_PHRASE("prices.csv: GCP a2 0.30, CoreWeave H100 0.40, Nebius H100 0.42, CoreWeave B200 0.50",
             "prices.csv：GCP a2 0.30、CoreWeave H100 0.40、Nebius H100 0.42、CoreWeave B200 0.50")
ASSAY_PHRASE("years", "年")
ASSAY_PHRASE("share of the cluster's cost that is its network, where ports are not priced",
             "网络占集群成本的份额（端口未定价时）")
ASSAY_PHRASE("NIC, optics and cable of one port of a node in USD",
             "节点一个端口的网卡、光模块与线缆（美元）")
ASSAY_PHRASE("one port of a switch with its optics in USD; a node's port needs 1, 3 or 5 of them",
             "交换机一个端口及其光模块（美元）；节点的一个端口需要 1、3 或 5 个")
ASSAY_PHRASE("storage in USD per TB and month", "存储，美元每 TB 每月")
ASSAY_PHRASE("one rack with its power strips in USD", "一个机柜及其配电条（美元）")
ASSAY_PHRASE("building, power and cooling in USD per kW of nameplate; not together with colocation",
             "建筑、供电与散热，美元每 kW 铭牌功率；不与托管同用")
ASSAY_PHRASE("rented space in USD per kW of nameplate and month",
             "托管机位，美元每 kW 铭牌功率每月")
ASSAY_PHRASE("demand charge in USD per kW of peak draw and month",
             "需量电费，美元每 kW 峰值功率每月")
ASSAY_PHRASE("support contract a year over the purchase price", "每年维保合同占购置价的份额")
ASSAY_PHRASE("accelerators that fail a year, of each", "每个加速卡每年的故障数")
ASSAY_PHRASE("labour and freight of one exchange in USD", "一次更换的人工与运费（美元）")
ASSAY_PHRASE("software licence in USD per GPU and year; of NVIDIA parts alone",
             "软件许可，美元每 GPU 每年；仅 NVIDIA 部件")
ASSAY_PHRASE("import duty and sales tax over the purchase price", "进口关税与销售税占购置价的份额")
ASSAY_PHRASE("property tax a year over the purchase price", "每年财产税占购置价的份额")
ASSAY_PHRASE("data out of the cloud in USD per GB; of rented candidates",
             "云端流出数据，美元每 GB；租用的候选")
ASSAY_PHRASE("hours of one accelerator between two unplanned stops of the job",
             "任务两次意外中断之间单个加速卡的小时数")
ASSAY_PHRASE("times an hour that spot machines are taken away", "竞价机器每小时被收回的次数")
ASSAY_PHRASE("share of the time that a spot job waits for machines", "竞价任务等待机器的时间份额")
ASSAY_PHRASE("price of a tonne of CO2", "每吨二氧化碳的价格")
ASSAY_PHRASE("grams of CO2 per kWh of the site's grid; without it money.site's",
             "当地电网每 kWh 的二氧化碳克数；未给出时取 money.site 的值")
ASSAY_PHRASE("step time, shared physics", "单步时间（共有的物理模型）")
ASSAY_PHRASE("step time, this machine", "单步时间（该机器）")
ASSAY_PHRASE("purchase or hourly price", "购置价或每小时价格")
ASSAY_PHRASE("labour cost", "人工成本")
ASSAY_PHRASE("residual value", "残值")
ASSAY_PHRASE("electricity price", "电价")
ASSAY_PHRASE("PUE", "能效比 PUE")
ASSAY_PHRASE("migration level 1", "迁移 1 级")
ASSAY_PHRASE("migration level 2", "迁移 2 级")
ASSAY_PHRASE("migration level 3", "迁移 3 级")
ASSAY_PHRASE("retrofit", "机柜改造")
ASSAY_PHRASE("contingency", "不可预见费")
ASSAY_PHRASE("network between the nodes", "节点间网络")
ASSAY_PHRASE("storage of the data", "数据存储")
ASSAY_PHRASE("racks", "机柜")
ASSAY_PHRASE("data centre, as capital per kW", "机房，按每 kW 资本计")
ASSAY_PHRASE("colocation, per kW and month", "托管，按每 kW 每月计")
ASSAY_PHRASE("demand charge of the grid", "电网需量电费")
ASSAY_PHRASE("support contract", "维保合同")
ASSAY_PHRASE("spare parts and their exchange", "备件与更换")
ASSAY_PHRASE("software licence per GPU", "每 GPU 软件许可")
ASSAY_PHRASE("import duty and sales tax", "关税与销售税")
ASSAY_PHRASE("property tax", "财产税")
ASSAY_PHRASE("data out of the cloud", "云端数据流出")
ASSAY_PHRASE("price of carbon", "碳价")
ASSAY_PHRASE("machines that wait for the move", "等待迁移的机器")
ASSAY_PHRASE("income tax that the costs save", "成本抵减的所得税")
ASSAY_PHRASE("assay scan DIR of the code, then --measured hip_fit=SHARE",
             "用 assay scan DIR 扫描代码，然后 --measured hip_fit=SHARE")
ASSAY_PHRASE(
    "a hundred steps of the job on one rented node, scaled to the job's layout, then --measured "
    "step_time:ID=TIME",
    "在租用的一个节点上运行任务的一百步，折算到任务的布局，然后 --measured step_time:ID=TIME")
ASSAY_PHRASE(
    "a load generator on one replica of the layout, at the largest rate within the limits, then "
    "--measured tokens_per_s:ID=OUTPUT_TOKENS_PER_S",
    "用压测工具对该布局的一个副本施压到限值内的最大速率，然后 --measured "
    "tokens_per_s:ID=OUTPUT_TOKENS_PER_S")
ASSAY_PHRASE(
    "a hundred requests to one device, one at a time, then --measured request_time:ID=TIME",
    "向一个设备逐个发送一百个请求，然后 --measured request_time:ID=TIME")
ASSAY_PHRASE("the power meter of a loaded node, then --measured node_power_w:ID=WATTS",
             "满载节点的功率计读数，然后 --measured node_power_w:ID=WATTS")
ASSAY_PHRASE("the site's last bill, then --measured electricity_usd_kwh=PRICE",
             "机房最近一期电费单，然后 --measured electricity_usd_kwh=PRICE")
ASSAY_PHRASE("the site's meters, then --measured pue=RATIO", "机房电表，然后 --measured pue=RATIO")
ASSAY_PHRASE("a quote, then --measured price:ID=USD", "一份报价，然后 --measured price:ID=USD")
ASSAY_PHRASE("the cost rate of the team, then --measured labour_usd_per_week=USD",
             "团队的人工费率，然后 --measured labour_usd_per_week=USD")
ASSAY_PHRASE("a broker's offer for parts of that age, then --measured residual=SHARE",
             "经销商对同龄产品的报价，然后 --measured residual=SHARE")
ASSAY_PHRASE("last year's books, then --measured ops_usd_per_year=USD",
             "上一年的账目，然后 --measured ops_usd_per_year=USD")
ASSAY_PHRASE("the scheduler's log of failed jobs, then --measured gpu_hours_per_stop=HOURS",
             "调度器记录的失败任务日志，然后 --measured gpu_hours_per_stop=HOURS")
ASSAY_PHRASE("first of image_engines.csv that runs there",
             "image_engines.csv 中可在该处运行的第一个")
ASSAY_PHRASE("one request at a time", "一次一个请求")
ASSAY_PHRASE(
    "one decode step of Llama 3.1 8B on an H100 SXM5 takes 8.4 ms eager, 5.1 ms from a graph "
    "(Spheron, as cited by cloudai.pt): 8.4 ms / 323 kernels; low bound 5 to 20 us a launch "
    "(learnaivisually.com)",
    "Llama 3.1 8B 在 H100 SXM5 上一个解码步：eager 8.4 ms，图捕获 5.1 ms（Spheron，cloudai.pt "
    "引用）：8.4 ms / 323 个内核；下限为每次启动 5 至 20 us（learnaivisually.com）")
ASSAY_PHRASE("assumption of the project: routers are trained to use experts alike, and "
             "deepseek-ai/EPLB evens out what is left",
             "本项目的假设：路由器经训练均匀使用专家，其余由 deepseek-ai/EPLB 均衡")

/* claims beside predictions */
ASSAY_PHRASE("P99 latency", "P99 时延")
ASSAY_PHRASE("SDXL 1.0, 1024x1024, 20 steps, 4 images", "SDXL 1.0，1024x1024，20 步，4 张图")
ASSAY_PHRASE("SDXL speed over A100", "SDXL 相对 A100 的速度")
ASSAY_PHRASE("concurrent requests, Llama-3 \"7B\", vLLM, FP16",
             "并发请求数（Llama-3 \"7B\"，vLLM，FP16）")
ASSAY_PHRASE("cost of a token", "单个 token 的费用")
ASSAY_PHRASE("saving of a chat service against A100, a month", "对话服务相对 A100 的每月节省")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A1",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A1")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A10",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A10")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A11",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A11")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A12",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A12")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A13",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A13")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A14",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A14")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A15",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A15")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A16",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A16")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A2",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A2")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A4",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A4")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A5",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A5")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A6",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A6")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A7",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A7")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A8",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A8")
ASSAY_PHRASE("seed article A (MI250X or A100 for training, prices of 2023Q4), A9",
             "文章 A（MI250X 或 A100 训练，2023Q4 价格）A9")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B10", "文章 B（MI350X 云端推理）B10")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B3", "文章 B（MI350X 云端推理）B3")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B4", "文章 B（MI350X 云端推理）B4")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B6", "文章 B（MI350X 云端推理）B6")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B8", "文章 B（MI350X 云端推理）B8")
ASSAY_PHRASE("seed article B (MI350X cloud inference), B9", "文章 B（MI350X 云端推理）B9")
ASSAY_PHRASE("throughput", "吞吐")
ASSAY_PHRASE("tokens per watt", "每瓦 token 数")

/* parts of a memory */
ASSAY_PHRASE("kv_cache", "KV 缓存")
ASSAY_PHRASE("sampling", "采样")
ASSAY_PHRASE("graphs", "计算图")
ASSAY_PHRASE("logits", "logits")
ASSAY_PHRASE("assumed", "假定")
ASSAY_PHRASE("as published", "按公布值")
