#include <assert.h>
#include <string.h>

#include "cli/cli.h"

#define COMMON (CLI_BIT(OUTPUT) | CLI_BIT(LANG) | CLI_BIT(QUIET) | CLI_BIT(HELP) | CLI_BIT(VERSION))
#define TABLE (CLI_BIT(JSON) | CLI_BIT(CSV) | CLI_BIT(MD))

const char cli_summary[] = "which AI accelerator for this job, at what cost, and how sure";
const char cli_exit_codes[] =
    "0 fine; 1 nothing fits, or a threshold was reached; 2 wrong usage or input; 3 not available "
    "here, or stopped; 4 a mistake in assay itself";

const cli_verb_t cli_verbs[] = {
    {.name = "decide",
     .arguments = "[JOB]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | TABLE | CLI_BIT(HTML) | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(THREADS) |
              CLI_BIT(WHY_NOT) | CLI_BIT(FLIP) | CLI_BIT(EXPLAIN_NUMBER),
     .run = cli_run_decide,
     .help = "choose among the candidates of a job: cost, probability, what flips it, why",
     .about =
         "Reads JOB, a YAML or JSON file (- is standard input), and lays the flags over it; flags "
         "alone do as well. Predicts the best layout on each candidate, turns it into money with "
         "uncertainty, and says which to choose. Every default that was used is listed. With "
         "--why-not it says of one candidate why it is not the choice, and what would make it so; "
         "with --explain, of any number of the JSON, what it is computed from, down to inputs: "
         "formulas, samples, roots and searches; --explain list prints every path.",
     .example = {{"assay decide examples/seed-a-65b-training.yaml --html report.html",
                  "the example job; the full report goes to report.html"},
                 {"assay decide --model llama-65b --on 8x-a100-pcie-80g,8x-mi250x-oam --nodes 256 "
                  "--tokens 1.4e12",
                  "the same question without a file"},
                 {"assay decide job.yaml --deadline '20 d' --json",
                  "with another deadline, for a program to read"}}},
    {.name = "report",
     .arguments = "[JOB] -o FILE.html|.md|.csv|.focus.csv|.json|.txt",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(THREADS),
     .run = cli_run_report,
     .help = "the decision as one file: page, Markdown, spreadsheet or JSON, by the file's name",
     .about =
         "Decides JOB as \"assay decide\" does and writes the whole report. A page (.html) is one "
         "file without scripts: the first sheet is for whoever signs, the appendix for engineers; "
         "it prints on A4. A .csv has a row a candidate; a .focus.csv a row a cost, in columns of "
         "FOCUS (FinOps).",
     .example = {{"assay report examples/seed-a-65b-training.yaml -o report.html",
                  "the example job as a page"},
                 {"assay report job.yaml --lang zh -o report.html", "in Chinese"},
                 {"assay report job.yaml -o costs.focus.csv", "costs, for a spreadsheet"}}},
    {.name = "search",
     .arguments = "[JOB]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(CSV) | CLI_BIT(DATA) | CLI_BIT(LEDGER) |
              CLI_BIT(THREADS) | CLI_BIT(EMIT),
     .run = cli_run_search,
     .help = "layouts on each candidate: the best, the Pareto front, why others do not fit",
     .about =
         "Visits every way to lay the job on each candidate's devices (tensor, pipeline and "
         "data parallelism, micro-batch, ZeRO, recomputation). Prints the fastest, those that "
         "trade speed for memory, and for every other the reason why it was refused. Of a job that "
         "serves it answers as decide does: layouts, how many replicas of each, and their cost. "
         "With --emit it prints a configuration that runs the best layout of the only candidate, "
         "with a comment beside each setting that is not obvious.",
     .example = {{"assay search examples/seed-a-65b-training.yaml", "layouts of the example job"},
                 {"assay search examples/seed-a-65b-training.yaml --on lumi-g-node --nodes 256 "
                  "--emit sbatch -o run.sh",
                  "a batch script that binds each rank beside its device"}}},
    {.name = "memory",
     .arguments = "[JOB | MODEL]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(DATA) | CLI_BIT(FOR) | CLI_BIT(LOG),
     .run = cli_run_memory,
     .help = "does it fit, by part, what is the largest that does, and why it ran out of memory",
     .about =
         "Reads JOB, a job file, or MODEL, a config.json, a GGUF file, a folder with weights or a "
         "catalog id; "
         "flags add or replace keys. Says what one device holds, part by part, while it loads, in "
         "the first step and between steps; the longest context, the largest micro-batch, the "
         "fewest devices; and what to change where it does not fit. --log explains a pasted log of "
         "vLLM, SGLang, PyTorch or DeepSpeed. Exit code 1 when nothing fits.",
     .example =
         {{"assay memory llama-3-70b --on 8x-a100-sxm4-80g --max-model-len 8192",
           "serving, with what vLLM does by itself"},
          {"assay memory model/config.json --on '4x rtx-4090' --precision int4",
           "parts instead of a server, weights of 4 bit"},
          {"assay memory llama-3-8b --for finetune --method lora --on 1x-h100 --sequence 8192",
           "adapters on one device"},
          {"assay memory --log server.log", "what ran out, and the value to set"}}},
    {.name = "catalog list",
     .arguments = "[TABLE]",
     .max_args = 1,
     .flags = COMMON | TABLE | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(WHERE) | CLI_BIT(SORT) |
              CLI_BIT(COLUMNS) | CLI_BIT(VALUE),
     .run = cli_run_catalog_list,
     .help = "rows of a table: accelerators, systems, fabrics, prices, models, energy, claims, ...",
     .about = "Prints the rows of one table of the catalog; without TABLE the tables. Rates are "
              "dense; memory and rates are per device as software sees it, price and power per "
              "package. Unknown figures stay empty. A condition compares columns by the names of "
              "--csv with = != < <= > >= and ~ (holds), joined by and, or, not; a value may carry "
              "any fitting unit. mem_gb is the memory of a whole package or instance.",
     .example = {{"assay catalog list accelerators --where 'mem_gb>=128 and vendor=AMD'",
                  "parts of one vendor with much memory"},
                 {"assay catalog list accelerators --value --sort -bf16_tflops_per_kusd",
                  "what a dollar buys"},
                 {"assay catalog list prices --where 'accelerator~h100' --sort usd_h",
                  "the cheapest instances first"},
                 {"assay catalog list prices --csv", "prices, for a spreadsheet"}}},
    {.name = "catalog show",
     .arguments = "ID | MODEL | --claims SET",
     .max_args = 1,
     .flags = COMMON | TABLE | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(CLAIMS) | CLI_BIT(VALUE),
     .run = cli_run_catalog_show,
     .help = "every figure of one row with its source, or claims beside the catalog's figures",
     .about =
         "Prints every known figure of the accelerator, system, fabric or model ID, with its "
         "range and where it is from. MODEL is a path: a config.json, a folder of one with its "
         "weights, a GGUF file or a pipeline of diffusers; its parameters and bytes are "
         "counted by part, from headers alone. With --claims, what an article or a slide claims "
         "stands "
         "beside what the catalog holds; --value divides both by their prices.",
     .example = {{"assay catalog show amd-mi250x-128g", "one accelerator"},
                 {"assay catalog show ./Qwen3-8B", "a model's files"},
                 {"assay catalog show --claims seed-a", "an article's figures, checked"},
                 {"assay catalog show --claims seed-a --value", "the same, per dollar"}}},
    {.name = "catalog search",
     .arguments = "WORD...",
     .min_args = 1,
     .max_args = 16,
     .flags = COMMON | TABLE | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(ALL),
     .run = cli_run_catalog_search,
     .help = "find rows by words in ids, names, notes and sources",
     .about = "Looks for rows that hold every WORD, in all tables; ids first, then names, then "
              "other text. Case, dashes and spaces do not count.",
     .example = {{"assay catalog search h100 nvl", "which rows speak of it"}}},
    {.name = "catalog diff",
     .arguments = "[ID ID]",
     .max_args = 2,
     .flags = COMMON | TABLE | CLI_BIT(DATA) | CLI_BIT(LEDGER),
     .run = cli_run_catalog_diff,
     .help = "two rows side by side, or what your tables change",
     .about = "With two IDs of one table, prints the figures in which they differ. Without, prints "
              "every figure that the tables of --data, $ASSAY_DATA and the configuration folder "
              "change, beside the built-in one.",
     .example = {{"assay catalog diff mi300x h100", "two accelerators"},
                 {"assay catalog diff --data my-tables", "what a folder changes"}}},
    {.name = "catalog check",
     .arguments = "[DIR...]",
     .max_args = CLI_MAX_DATA,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(DATA),
     .run = cli_run_catalog_check,
     .help = "check your tables against every rule, and name each wrong row",
     .about = "Reads the tables in the DIRs over the built-in ones and lists every row that is "
              "refused, with file and line, and every row that looks odd. Exit code 1 when a row "
              "is refused.",
     .example = {{"assay catalog check my-tables", "before using them"}}},
    {.name = "catalog import",
     .arguments = "FILE",
     .min_args = 1,
     .max_args = 1,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(DATE) |
              CLI_BIT(PROVIDER) | CLI_BIT(SOURCE) | CLI_BIT(DRY_RUN) | CLI_BIT(SKIP_WRONG),
     .run = cli_run_catalog_import,
     .help = "take prices of SkyPilot, gpuhunt, FOCUS or a plain table into the ledger",
     .about = "Reads FILE, a price list of SkyPilot (vms.csv) or gpuhunt (CSV or JSON), cost and "
              "usage rows of FOCUS, or a CSV with the columns of data/prices.csv, and keeps its "
              "offers in the ledger, where they stand over the built-in prices of every verb. A "
              "row that cannot be right (a price far from the part's others, spot above on "
              "demand, a date ahead) is an error, and then nothing is kept.",
     .example = {{"assay catalog import aws/vms.csv --provider aws --date 2026-11-30",
                  "a list of SkyPilot"},
                 {"assay catalog import focus.csv --dry-run", "what a bill would bring"},
                 {"assay catalog import own.csv --skip-wrong", "own prices, without wrong rows"}}},
    {.name = "catalog path",
     .arguments = "",
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(DATA) | CLI_BIT(LEDGER),
     .run = cli_run_catalog_path,
     .help = "the folders that tables are read from, and where imported prices are kept",
     .about = "Prints where a user's tables may stand, least binding first, and which are there.",
     .example = {{"assay catalog path", "all of them"}}},
    {.name = "offers",
     .arguments = "[JOB | MODEL]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | TABLE | CLI_BIT(DATA) | CLI_BIT(LEDGER) | CLI_BIT(FOR) | CLI_BIT(TERM) |
              CLI_BIT(ALL),
     .run = cli_run_offers,
     .help = "instances that fit a job, cheapest first, with terms, age, host and load time",
     .about =
         "Asks the memory model how many instances of every offer hold the job (for serving one "
         "replica) and ranks them: serving by dollars an hour, training by dollars for 10^18 "
         "operations at the dense peak. Shows how old a price is, whether host memory holds the "
         "weights of all models of a host and the local disks the raw data or the weights, and "
         "how long loading takes. Candidates of the job are not asked for: every offer is one.",
     .example = {{"assay offers --for serve --model llama-3.1-70b", "one replica of a model"},
                 {"assay offers job.yaml --term spot", "spare capacity for a job"},
                 {"assay offers job.yaml --csv", "all of them, for a spreadsheet"}}},
    {.name = "diff",
     .arguments = "A.json B.json",
     .min_args = 2,
     .max_args = 2,
     .flags = COMMON | CLI_BIT(JSON),
     .run = cli_run_diff,
     .help = "what changed between two decisions, and which input did it",
     .about =
         "Reads two results of decide --json. Each carries its job: the first is decided again "
         "with one input of the second at a time, which shows what every change does alone and "
         "which of them makes the other choice. Costs, speeds and assumptions stand beside.",
     .example = {{"assay diff monday.json friday.json", "after prices have moved"}}},
    {.name = "roadmap",
     .arguments = "[JOB]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(CSV) | CLI_BIT(MD) | CLI_BIT(SVG) | CLI_BIT(DATA) |
              CLI_BIT(LEDGER) | CLI_BIT(START) | CLI_BIT(TEAM) | CLI_BIT(THREADS),
     .run = cli_run_roadmap,
     .help = "the move to another platform: phases with dates, gates that are measured, cost",
     .about =
         "Plans the move to the cheapest candidate that needs one: six phases from a small proof "
         "of "
         "concept to production, their dates and effort by role from the job's levels of work or "
         "its scan, what is measured at the end of each (against the predicted speed of the "
         "cheapest candidate that stays), its cost and the way back.",
     .example = {{"assay roadmap examples/seed-a-65b-training.yaml --start 2026-12-01",
                  "the article's move, from that day on"},
                 {"assay roadmap job.yaml --scan scan.json --team 3 --svg plan.svg",
                  "effort from a scan, and a Gantt chart"},
                 {"assay roadmap job.yaml --md -o plan.md", "for a wiki"}}},
    {.name = "simulate",
     .arguments = "[JOB]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(DATA) | CLI_BIT(REQUESTS) | CLI_BIT(FIND_RATE) |
              CLI_BIT(CHROME_TRACE),
     .run = cli_run_simulate,
     .help = "send requests to the fleet of each candidate: TTFT, TPOT, ITL, E2E percentiles",
     .about =
         "Finds the fleet that serves the job's demand on each candidate, as decide does, and "
         "simulates it event by event: requests as workload.serve.traffic says (Poisson at the "
         "job's rate, gamma, constant, or a trace of Azure, BurstGPT or Mooncake), a router over "
         "the replicas, continuous batching as vLLM's V1 scheduler does it, blocks found by the "
         "hash of their prefix. --find-rate looks for the largest rate within the limits. The "
         "same job gives the same bytes everywhere.",
     .example = {{"assay simulate examples/seed-b-llama3-8b-serving.yaml", "an article's service"},
                 {"assay simulate job.yaml --trace conversation_trace.jsonl --router prefix-aware",
                  "a trace instead of drawn requests"},
                 {"assay simulate job.yaml --find-rate --ttft-p99 '500 ms'",
                  "how much one more limit costs"},
                 {"assay simulate job.yaml --chrome-trace steps.json",
                  "every step and request, to look at in ui.perfetto.dev"}}},
    {.name = "score",
     .arguments = "--data FILE.csv",
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(CSV) | CLI_BIT(MEASURED) | CLI_BIT(THREADS),
     .run = cli_run_score,
     .help = "predict published measurements and say how far off",
     .about = "Predicts every row of a table of measured training runs from its layout alone, or "
              "skips it with a reason, and compares: error by accelerator, source and basis, how "
              "often the interval holds, and whether accelerators are ranked as measured.",
     .example = {{"assay score --data data/measured/training.csv", "the published runs"}}},
    {.name = "calibrate",
     .arguments = "--data FILE.csv",
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(CSV) | CLI_BIT(MEASURED) | CLI_BIT(THREADS),
     .run = cli_run_calibrate,
     .help = "fit the constants of training or serving to a table of measurements",
     .about =
         "Fits few constants per software and accelerator, with priors shared by all, and says "
         "how far off the model is on what was left out of the fit: whole sources, model "
         "families, accelerators. --csv prints the rows of data/calibration.csv, which a folder "
         "given with --data can lay over the built-in ones.",
     .example = {{"assay calibrate --data data/measured/inference.csv", "the published rows"},
                 {"assay calibrate --data data/measured/training.csv", "the same of training"},
                 {"assay calibrate --data mine.csv --csv -o tables/calibration.csv",
                  "constants of your own machines, for --data tables"}}},
    {.name = "bench",
     .arguments = "FILE...",
     .min_args = 1,
     .max_args = CLI_MAX_ARGS,
     .flags =
         COMMON | CLI_BIT(JSON) | CLI_BIT(CSV) | CLI_BIT(GPU) | CLI_BIT(ENGINE) | CLI_BIT(DATA),
     .run = cli_run_bench,
     .help = "read results of load generators: rates, latencies, concurrency, and do they agree",
     .about =
         "Reads what vLLM bench serve, SGLang bench_serving, AIPerf, GenAI-Perf, GuideLLM, "
         "llama-bench and nccl-tests print or write, streams of chunks with times, and Prometheus "
         "text of an "
         "engine; - is standard input. Recomputes rates from counts, the mean concurrency by "
         "Little's law, says what the tool means by its words, and where its figures do not agree: "
         "exit code 1. --csv prints rows for \"assay score --data\"; what the file does not say "
         "(devices, layout, types) is left for you to fill in.",
     .example = {{"assay bench result.txt results.jsonl", "two runs, one after the other"},
                 {"assay bench result.json --csv --gpu h100 --engine vllm -o mine.csv",
                  "as measured rows"}}},
    {.name = "audit",
     .arguments = "SET | CLAIMS.yaml",
     .min_args = 1,
     .max_args = 1,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(MD) | CLI_BIT(DATA),
     .run = cli_run_audit,
     .help = "recompute what somebody claims: which figures hold, and which slip explains the rest",
     .about =
         "Recomputes claims from their own figures and from the catalog, with units checked by "
         "dimension: reproduced, contradicted (with the factor, and the slip of units that gives "
         "it), not reproducible (with what nobody states), or implausible (beyond physics or what "
         "the catalog knows). SET is seed-a or seed-b, the articles that come with assay; a file "
         "(docs/audit.md, - is standard input) says its own. Exit code 1 when a claim is "
         "contradicted or implausible.",
     .example = {{"assay audit seed-b", "the article about inference"},
                 {"assay audit claims.yaml --md", "your own claims, for a wiki"}}},
    {.name = "scan",
     .arguments = "PATH",
     .min_args = 1,
     .max_args = 1,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(SARIF) | CLI_BIT(HTML) | CLI_BIT(ROCM) |
              CLI_BIT(TARGET) | CLI_BIT(TEAM) | CLI_BIT(EXPERIENCED) | CLI_BIT(FAIL_ON) |
              CLI_BIT(BASELINE) | CLI_BIT(WRITE_BASELINE) | CLI_BIT(DEEP) | CLI_BIT(THREADS) |
              CLI_BIT(SUMMARY),
     .run = cli_run_scan,
     .help = "what moving a CUDA code base to ROCm takes: faults by line, and person-days",
     .about =
         "Reads PATH, a folder, a file, an archive, or FOLDER@REVISION of a git repository, and "
         "changes nothing. Says what breaks, what goes wrong silently, what is slow and what is "
         "ported already, and how many person-days each of the three levels takes. The result of "
         "--json is what a job's migration.scan reads.",
     .example = {{"assay scan src --rocm 6.4 --target gfx942", "the folder src"},
                 {"assay scan . --json --summary -o scan.json",
                  "for \"assay decide --scan scan.json\""},
                 {"assay scan . --fail-on silent --baseline known.txt",
                  "in CI: exit 1 at a new silent fault"},
                 {"assay scan . --html scan.html", "a page with the lines"}}},
    {.name = "port",
     .arguments = "--diff | --write PATH",
     .min_args = 1,
     .max_args = 1,
     .flags = COMMON | CLI_BIT(DIFF) | CLI_BIT(WRITE) | CLI_BIT(ROCM) | CLI_BIT(TARGET) |
              CLI_BIT(THREADS),
     .run = cli_run_port,
     .help = "rewrite CUDA names, headers and build files to HIP: level 1 of a port",
     .about =
         "Rewrites what is renamed in the files of PATH, a folder or a file: names, headers, "
         "namespaces, build files. Every other byte stays as it is, comments and strings as well, "
         "and a second run changes nothing. What needs thought is left for \"assay scan\".",
     .example = {{"assay port --diff src >port.patch", "look at it first"},
                 {"assay port --write src", "change the files, and keep the originals"}}},
    {.name = "doctor",
     .arguments = "[--from FILE|DIR...] [--compare A B]",
     .max_args = CLI_MAX_ARGS,
     .flags = COMMON | TABLE | CLI_BIT(FROM) | CLI_BIT(ONLY) | CLI_BIT(SKIP) | CLI_BIT(THRESHOLD) |
              CLI_BIT(COMPARE) | CLI_BIT(LIST) | CLI_BIT(EXPLAIN) | CLI_BIT(DATA) | CLI_BIT(SARIF) |
              CLI_BIT(JUNIT) | CLI_BIT(THREADS),
     .run = cli_run_doctor,
     .help = "is this accelerator host set up right, and if not, what to do first",
     .about =
         "Looks at this machine, or at what somebody sent: output of tools (rocm-smi, amd-smi, "
         "rocminfo, nvidia-smi, lspci, dmesg and others), logs, copies of /proc and /sys. What "
         "follows from another finding stands under it. What is not known counts as not checked. "
         "A folder of hosts, each a folder or an archive, gives the verdict of each and those that "
         "are not like the others. "
         "Changes nothing, needs no root, and says who has to do what to mend it.",
     .example = {{"assay doctor", "this machine"},
                 {"assay doctor --from dmesg.txt capture/", "what somebody sent"},
                 {"assay doctor --compare before/ after/", "what an update changed"},
                 {"assay doctor --from hosts/",
                  "a fleet: each host, and who is not like the others"}}},
    {.name = "env",
     .arguments = "[FILE...] [-- COMMAND...]",
     .max_args = CLI_MAX_ARGS,
     .flags = COMMON | TABLE | CLI_BIT(SARIF) | CLI_BIT(JUNIT) | CLI_BIT(GPU) | CLI_BIT(RUNS_ROCM) |
              CLI_BIT(ENGINE) | CLI_BIT(ONLY) | CLI_BIT(SKIP) | CLI_BIT(THRESHOLD) | CLI_BIT(LIST) |
              CLI_BIT(EXPLAIN) | CLI_BIT(DATA),
     .run = cli_run_env,
     .help = "are environment variables and command lines what they should be",
     .about =
         "Reads shell scripts, .env files, Dockerfiles, Slurm and Kubernetes files (- is standard "
         "input), a command line behind --, or without any the environment of this process. Says "
         "which variables nothing reads and which name was meant, what is for debugging only, what "
         "is gone, of the wrong type, contradictory, or against the vendor's advice for the part, "
         "and which compiler flags and commands of guides do not work. Ordinary variables are not "
         "its business.",
     .example = {{"assay env run.sh --gpu mi300x --engine vllm", "a script, for one part"},
                 {"assay env -- docker run -e NCCL_DEBUG=TRACE image", "a command line"},
                 {"assay env --rocm 7.0", "the environment of this shell"},
                 {"assay env deploy/*.yaml --sarif -o env.sarif", "for code review"}}},
    {.name = "snapshot",
     .arguments = "-o FILE.tar.zst",
     .flags = COMMON | CLI_BIT(NO_SCRUB) | CLI_BIT(NO_TOOLS) | CLI_BIT(DATA),
     .run = cli_run_snapshot,
     .help = "pack what doctor and topo read of this machine into one file, for somebody else",
     .about =
         "Records every file that \"assay doctor\" looks at, runs the usual tools beside it, and "
         "packs both: \"assay doctor --from FILE\" then answers as on the machine. Reads only, "
         "needs "
         "no root and says what root would add, takes less than five seconds. Names of hosts and "
         "users, serial numbers, unique ids and addresses are replaced, and of the environment "
         "only "
         "known variables are kept.",
     .example = {{"assay snapshot -o host.tar.zst", "this machine"},
                 {"assay doctor --from host.tar.zst", "elsewhere"},
                 {"assay topo --from host.tar.zst", "how it is wired"}}},
    {.name = "topo",
     .arguments = "[--from FILE|DIR...]",
     .max_args = CLI_MAX_ARGS,
     .flags =
         COMMON | CLI_BIT(JSON) | CLI_BIT(FROM) | CLI_BIT(SYSTEM) | CLI_BIT(SVG) | CLI_BIT(DATA),
     .run = cli_run_topo,
     .help = "how is this host wired, is that as expected, and how to bind processes to it",
     .about =
         "Shows sockets, NUMA nodes, PCIe switches, accelerators, their links and the NICs of this "
         "machine, or of what somebody sent; compares with the system of the catalog that it is, "
         "and prints lines that bind one process to each accelerator. On a machine without any, "
         "--system shows the catalog's picture. The result of --json is what a job's topology "
         "reads.",
     .example = {{"assay topo", "this machine"},
                 {"assay topo --from capture/ --svg topo.svg", "what somebody sent, as a picture"},
                 {"assay topo --system lumi", "the catalog's system, with its order of GCDs"},
                 {"assay topo --json -o host.json", "for \"assay decide --topology host.json\""}}},
    {.name = "job check",
     .arguments = "[JOB]",
     .max_args = 1,
     .job_keys = true,
     .flags = COMMON | CLI_BIT(DATA),
     .run = cli_run_job_check,
     .help = "check a job file without computing anything",
     .about =
         "Reads the job, resolves every id and unit, and lists what was assumed. An error names "
         "the line and the column, what was expected and what to do.",
     .example = {{"assay job check examples/seed-a-65b-training.yaml", "check the example job"}}},
    {.name = "job from",
     .arguments = "FILE...",
     .min_args = 1,
     .max_args = CLI_MAX_ARGS,
     .flags = COMMON | CLI_BIT(JSON) | CLI_BIT(DATA) | CLI_BIT(ON),
     .run = cli_run_job_from,
     .help = "write a job file from launch scripts and configurations",
     .about =
         "Reads what the work is started with and prints the job: launch lines and scripts of "
         "Megatron-LM, vLLM, SGLang, TensorRT-LLM, torchrun, DeepSpeed, accelerate and Hugging "
         "Face's trainer, sbatch headers, Kubernetes resources, DeepSpeed JSON, accelerate YAML, "
         "torchtitan in TOML and Python, a model's config.json. Several files make one job. Each "
         "value says in a comment where it is from; what was assumed, not known or cannot be said "
         "stands below. Nothing is run.",
     .example = {{"assay job from pretrain.sbatch --on 8x-h100-sxm -o job.yaml",
                  "a script of Megatron-LM with its Slurm header"},
                 {"assay job from config.json train.sbatch ds_config.json",
                  "a model, who asks for the nodes, and how it is sharded"},
                 {"assay job from serve.sh | assay memory - --on 8x-h100-sxm",
                  "does it fit what it is started with"}}},
    {.name = "job schema",
     .arguments = "",
     .flags = COMMON,
     .run = cli_run_job_schema,
     .help = "print the JSON Schema of the job file",
     .about = "Prints the JSON Schema (draft 2020-12) of the job file, for editors and validators.",
     .example = {{"assay job schema -o job.schema.json", "write the schema to a file"}}},
    {.name = "help",
     .arguments = "[VERB]",
     .max_args = 2,
     .flags = COMMON,
     .run = cli_run_help,
     .help = "explain assay, or one verb",
     .about = "Without VERB lists the verbs; with VERB explains it, as VERB --help does.",
     .example = {{"assay help decide", "explain decide"}}},
    {.name = "man",
     .arguments = "[VERB] | --dir DIR",
     .max_args = 2,
     .flags = COMMON | CLI_BIT(DIR),
     .run = cli_run_man,
     .help = "print a manual page",
     .about = "Prints the manual page of assay or of one verb in roff; --dir writes all of them.",
     .example = {{"assay man decide | man -l -", "read the page of decide"}}},
    {.name = "completion",
     .arguments = "bash | zsh | fish",
     .min_args = 1,
     .max_args = 1,
     .flags = COMMON,
     .run = cli_run_completion,
     .help = "print completion for a shell",
     .about = "Prints a script that completes verbs, flags and their values.",
     .example = {{"eval \"$(assay completion bash)\"", "switch it on in this shell"}}},
};
const uint32_t cli_n_verbs = sizeof cli_verbs / sizeof *cli_verbs;

/** Whether words arg[0..n) begin with the verb's words; *out_used: how many words agree. */
static bool matches(const char *name, const char *const *arg, uint32_t n, uint32_t *out_used) {
    *out_used = 0;
    for (;;) {
        size_t length = strcspn(name, " ");
        if (*out_used == n || strlen(arg[*out_used]) != length ||
            memcmp(arg[*out_used], name, length) != 0) {
            return false;
        }
        (*out_used)++;
        if (!name[length]) {
            return true;
        }
        name += length + 1;
    }
}

const cli_verb_t *cli_verb_find(const char *const *arg, uint32_t n, uint32_t *out_used,
                                assay_error_t *err) {
    const char *near[2 * sizeof cli_verbs / sizeof *cli_verbs]; /* second words, then whole names */
    uint32_t n_near = 0, used;
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        if (matches(cli_verbs[i].name, arg, n, out_used)) {
            return &cli_verbs[i];
        }
    }
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        if (!matches(cli_verbs[i].name, arg, n, &used) && used == 1) {
            near[n_near++] = strchr(cli_verbs[i].name, ' ') + 1;
        }
    }
    if (n_near > 0) { /* the first word of a verb of two */
        const char *next = n > 1 ? assay_text_nearest(arg[1], near, n_near) : NULL;
        assay_error_set(err, ASSAY_USAGE, NULL, n > 1 ? "%s has no verb \"%s\"" : "%s needs a verb",
                        arg[0], n > 1 ? arg[1] : "");
        if (next) {
            assay_error_next(err, "did you mean \"assay %s %s\"?", arg[0], next);
        } else {
            assay_error_next(err, "see \"assay help %s\"", arg[0]);
        }
        return NULL;
    }
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        near[n_near++] = cli_verbs[i].name;
    }
    const char *next = assay_text_nearest(arg[0], near, n_near);
    assay_error_set(err, ASSAY_USAGE, NULL, "no verb \"%s\"", arg[0]);
    if (next) {
        assay_error_next(err, "did you mean \"assay %s\"?", next);
    } else {
        assay_error_next(err, "\"assay help\" lists the verbs");
    }
    return NULL;
}

/* How a number's value is written in help, by dimension. */
static const char *const dim_value[ASSAY_DIM_N] = {
    [ASSAY_DIM_NUMBER] = "X",
    [ASSAY_DIM_COUNT] = "N",
    [ASSAY_DIM_FRACTION] = "SHARE",
    [ASSAY_DIM_BYTES] = "SIZE",
    [ASSAY_DIM_BYTES_PER_S] = "RATE",
    [ASSAY_DIM_BITS_PER_S] = "RATE",
    [ASSAY_DIM_FLOPS] = "RATE",
    [ASSAY_DIM_TIME] = "TIME",
    [ASSAY_DIM_MONEY] = "USD",
    [ASSAY_DIM_MONEY_PER_HOUR] = "USD/H",
    [ASSAY_DIM_MONEY_PER_KWH] = "USD/KWH",
    [ASSAY_DIM_MONEY_PER_WEEK] = "USD/WEEK",
    [ASSAY_DIM_POWER] = "POWER",
    [ASSAY_DIM_LABOUR] = "WORK",
};
static const char *const kind_value[] = {
    [ASSAY_FIELD_NUMBER] = NULL,   [ASSAY_FIELD_STRING] = "TEXT", [ASSAY_FIELD_BOOL] = "true|false",
    [ASSAY_FIELD_CHOICE] = "WORD", [ASSAY_FIELD_STRINGS] = "A,B", [ASSAY_FIELD_STRUCT] = "TEXT",
    [ASSAY_FIELD_LIST] = "A,B",    [ASSAY_FIELD_NODE] = "ID",
};

typedef struct {
    assay_arena_t *arena;
    cli_flag_t *flag;
    uint32_t n;
} flag_list_t;

static void add_job_key(void *ctx, const assay_field_t *field, const char *path) {
    flag_list_t *list = ctx;
    for (uint32_t i = 0; i < list->n; i++) { /* kinds of work share keys, and their flags */
        if (list->flag[i].id == CLI_JOB_KEY && strcmp(list->flag[i].name, field->flag) == 0) {
            return;
        }
    }
    assert(list->n < CLI_MAX_FLAGS);
    list->flag[list->n++] =
        (cli_flag_t){.id = CLI_JOB_KEY,
                     .name = field->flag,
                     .alias = field->flag_alias,
                     .value = field->kind == ASSAY_FIELD_NUMBER ? dim_value[field->dim]
                                                                : kind_value[field->kind],
                     .help = field->help,
                     .path = assay_arena_strdup(list->arena, path),
                     .field = field};
}

uint32_t cli_verb_flags(assay_arena_t *arena, const cli_verb_t *verb,
                        cli_flag_t out[CLI_MAX_FLAGS]) {
    static const cli_flag_t common[CLI_FLAG_N] = {
#define CLI_FLAG_ROW(flag_id, flag_name, flag_letter, flag_value, flag_help) \
    {.id = CLI_##flag_id,                                                    \
     .letter = flag_letter,                                                  \
     .name = flag_name,                                                      \
     .value = flag_value,                                                    \
     .help = flag_help},
        CLI_FLAG_LIST(CLI_FLAG_ROW)
#undef CLI_FLAG_ROW
    };
    flag_list_t list = {arena, out, 0};
    for (uint32_t i = 0; i < CLI_FLAG_N; i++) {
        if (verb->flags & ((cli_flag_set_t)1 << i)) {
            out[list.n++] = common[i];
        }
    }
    if (verb->job_keys) {
        assay_schema_flags(&assay_job_schema, add_job_key, &list);
    }
    return list.n;
}
