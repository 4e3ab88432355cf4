/**
 * The `assay` program: parse the command line, call the library, print. One table of verbs and one
 * of flags drive parsing, help, manual and completion.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/catalog.h"
#include "assay/finding.h"
#include "assay/hooks.h"
#include "assay/host.h"
#include "assay/job.h"
#include "assay/message.h"
#include "assay/port.h"
#include "assay/report.h"
#include "assay/resolve.h"
#include "assay/text.h"

/* id, name, letter, value ("" = none), help. Flags of single verbs come after the common ones. */
#define CLI_FLAG_LIST(X)                                                                          \
    X(JSON, "json", 0, "", "print one JSON object")                                               \
    X(CSV, "csv", 0, "", "print CSV")                                                             \
    X(MD, "md", 0, "", "print Markdown")                                                          \
    X(HTML, "html", 0, "FILE", "also write the full report to FILE, one self-contained page")     \
    X(OUTPUT, "output", 'o', "FILE", "write to FILE instead of standard output")                  \
    X(DATA, "data", 0, "DIR", "lay the tables in DIR over the built-in ones; may be repeated")    \
    X(MEASURED, "data", 0, "FILE", "table of measurements; a folder is laid over the tables")     \
    X(CLAIMS, "claims", 0, "SET", "a set of claims beside the catalog's figures (seed-a)")        \
    X(WHERE, "where", 0, "CONDITION", "only rows that fit: 'mem_gb>=128 and vendor=AMD'")         \
    X(SORT, "sort", 0, "COLUMNS", "order by these columns, '-' before one for descending")        \
    X(COLUMNS, "columns", 0, "A,B", "print these columns")                                        \
    X(VALUE, "value", 0, "", "what a dollar buys, a dollar for memory, watts for work")           \
    X(ALL, "all", 0, "", "print everything that was found")                                       \
    X(WHY_NOT, "why-not", 0, "ID", "say why this candidate is not the choice, and what would do") \
    X(FLIP, "flip", 0, "VARIABLE", "say where the choice flips in one variable: usd_per_h:ID")    \
    X(EXPLAIN_NUMBER, "explain", 0, "PATH",                                                       \
      "say where a number of the JSON is from; list: all paths")                                  \
    X(LEDGER, "ledger", 0, "FILE", "ledger of imported prices; none: leave it out")               \
    X(DATE, "date", 0, "DATE", "when the prices were seen: 2026-11-30")                           \
    X(PROVIDER, "provider", 0, "NAME", "whose prices they are: aws")                              \
    X(SOURCE, "source", 0, "TEXT", "where the file is from")                                      \
    X(TERM, "term", 0, "TERM", "only these terms: on-demand, spot, 1y, 3y")                       \
    X(DRY_RUN, "dry-run", 0, "", "say what would be done, and do nothing")                        \
    X(SKIP_WRONG, "skip-wrong", 0, "", "leave out rows that cannot be right, and take the rest")  \
    X(DIR, "dir", 0, "DIR", "write every page into DIR")                                          \
    X(SARIF, "sarif", 0, "", "print SARIF 2.1.0, for code review")                                \
    X(JUNIT, "junit", 0, "", "print JUnit XML, for CI")                                           \
    X(GPU, "gpu", 0, "PART", "accelerator that it is for: mi300x, h100, or a target: gfx942")     \
    X(SYSTEM, "system", 0, "ID", "system of the catalog that the host should be")                 \
    X(SVG, "svg", 0, "FILE", "also write a picture to FILE")                                      \
    X(NO_SCRUB, "no-scrub", 0, "", "keep names, serial numbers, unique ids and addresses")        \
    X(NO_TOOLS, "no-tools", 0, "", "read files alone; run no vendor's tool")                      \
    X(RUNS_ROCM, "rocm", 0, "VERSION", "ROCm version that runs it, such as 7.0")                  \
    X(ENGINE, "engine", 0, "NAME", "what runs the model: vllm; its guide's advice is used")       \
    X(ROCM, "rocm", 0, "VERSION", "ROCm version to move to, such as 6.4; default 7.0")            \
    X(TARGET, "target", 0, "GFX", "GPU to move to; default gfx942")                               \
    X(REQUESTS, "requests", 0, "N", "requests to simulate; default 100000, or all of a trace")    \
    X(FIND_RATE, "find-rate", 0, "", "find the largest rate within the limits")                   \
    X(CHROME_TRACE, "chrome-trace", 0, "FILE", "also write what happened, for Perfetto")          \
    X(START, "start", 0, "DATE", "first day of the plan: 2026-12-01; default today")              \
    X(TEAM, "team", 0, "N", "people who port; default 2")                                         \
    X(EXPERIENCED, "experienced", 0, "", "the team has moved such code to ROCm before")           \
    X(SUMMARY, "summary", 0, "", "with --json: without the lists of findings and files")          \
    X(DEEP, "deep", 0, "", "also what only syntax trees tell; needs ./dev deps deep")             \
    X(FAIL_ON, "fail-on", 0, "EFFECT",                                                            \
      "exit 1 at a new finding as bad: silent, compile, slow, note")                              \
    X(BASELINE, "baseline", 0, "FILE", "leave out the findings that FILE knows")                  \
    X(WRITE_BASELINE, "write-baseline", 0, "FILE", "write the findings to FILE, for --baseline")  \
    X(DIFF, "diff", 0, "", "print what would change, as patch -p1 reads it")                      \
    X(WRITE, "write", 0, "", "change the files; each original stays beside it as FILE.orig")      \
    X(FROM, "from", 0, "FILE",                                                                    \
      "files or folders that somebody sent, instead of this machine; more may follow")            \
    X(COMPARE, "compare", 0, "A",                                                                 \
      "what differs between A and the file or folder that follows, and what got worse")           \
    X(ONLY, "only", 0, "IDS", "run these checks alone: NET-001,PCI")                              \
    X(SKIP, "skip", 0, "IDS", "leave these checks out")                                           \
    X(THRESHOLD, "threshold", 0, "SEVERITY",                                                      \
      "exit 1 from here on: critical, error, warning (default), info")                            \
    X(EMIT, "emit", 0, "TOOL",                                                                    \
      "print what runs the layout: megatron, torchtitan, deepspeed, accelerate, sbatch")          \
    X(LIST, "list", 0, "", "list every check and leave")                                          \
    X(EXPLAIN, "explain", 0, "ID", "say everything about one check and leave")                    \
    X(ON, "on", 0, "SYSTEM", "the system that the job is to run on")                              \
    X(FOR, "for", 0, "WORK", "what is done with a model: serve (default), train, finetune")       \
    X(LOG, "log", 0, "FILE", "explain a log that says out of memory; - is standard input")        \
    X(LANG, "lang", 0, "LANG", "language of the output: en, zh; default $LC_ALL, $LANG")          \
    X(THREADS, "threads", 0, "N", "threads to use; default every core")                           \
    X(QUIET, "quiet", 'q', "", "print errors only; the exit code answers")                        \
    X(HELP, "help", 'h', "", "explain the verb and leave")                                        \
    X(VERSION, "version", 'V', "", "print the version and leave")

typedef enum {
#define CLI_FLAG_ENUM(id, name, letter, value, help) CLI_##id,
    CLI_FLAG_LIST(CLI_FLAG_ENUM)
#undef CLI_FLAG_ENUM
        CLI_FLAG_N,
    CLI_JOB_KEY = CLI_FLAG_N /* a key of the job file */
} cli_flag_id_t;

/** Flags as bits by cli_flag_id_t. */
__extension__ typedef unsigned __int128 cli_flag_set_t;
#define CLI_BIT(id) ((cli_flag_set_t)1 << CLI_##id)

/** One flag of one verb, from the list above or from the job's schema. */
typedef struct {
    uint8_t id;               /* cli_flag_id_t */
    char letter;              /* 0 = none */
    const char *name, *alias; /* without dashes; alias NULL = none */
    const char *value;        /* what stands for the value in help; "" = takes none */
    const char *help;
    const char *path;           /* JOB_KEY: as assay_node_set takes it */
    const assay_field_t *field; /* JOB_KEY */
} cli_flag_t;

typedef struct cli cli_t;

typedef struct {
    const char *command, *what;
} cli_example_t;

typedef struct {
    const char *name;      /* one word, or two: "catalog list" */
    const char *arguments; /* for the usage line: "[JOB]" */
    uint8_t min_args, max_args;
    bool job_keys; /* takes the job's keys as flags */
    cli_flag_set_t flags;
    assay_status_t (*run)(cli_t *cli);
    const char *help;  /* one line */
    const char *about; /* a paragraph */
    cli_example_t example[4];
} cli_verb_t;

typedef struct {
    double next_s; /* monotonic; nothing is shown before */
    bool shown;
} cli_progress_t;

#define CLI_MAX_ARGS 255 /* files of --from, as a shell expands them */
#define CLI_MAX_DATA 16
#define CLI_MAX_FLAGS 192

/** One run of the program. */
struct cli {
    assay_arena_t *arena;
    const cli_verb_t *verb;
    const char *arg[CLI_MAX_ARGS];
    uint32_t n_arg;
    uint32_t n_before_end;          /* arguments in front of "--"; n_arg without one */
    const char *value[CLI_FLAG_N];  /* NULL = not given; "" for a flag without value */
    const char *data[CLI_MAX_DATA]; /* folders and files of --data, as given */
    uint32_t n_data;
    assay_job_flag_t job_flag[CLI_MAX_FLAGS];
    uint32_t n_job_flag;
    assay_lang_t lang;
    const char *command; /* as a shell takes it: "assay decide 'a job.yaml'" */
    assay_report_options_t report;
    assay_hooks_t hooks;
    cli_progress_t progress;
    assay_buf_t out;  /* standard output, written when the verb has succeeded */
    bool reader_left; /* the other end of the pipe has seen enough: no error message */
    assay_error_t err;
};

/* verbs.c */
extern const cli_verb_t cli_verbs[];
extern const uint32_t cli_n_verbs;
extern const char cli_summary[], cli_exit_codes[];
/**
 * The verb of arg[0..n) ("catalog", "list"); *out_used: words it takes. Sets err when there is
 * none.
 */
const cli_verb_t *cli_verb_find(const char *const *arg, uint32_t n, uint32_t *out_used,
                                assay_error_t *err);
/** Every flag of the verb, job keys last. Returns how many. */
uint32_t cli_verb_flags(assay_arena_t *arena, const cli_verb_t *verb,
                        cli_flag_t out[CLI_MAX_FLAGS]);

/* cli_parse.c */
/** Fills verb, arguments and flags. --help and --version turn into their verb. */
assay_status_t cli_parse(cli_t *cli, int argc, char **argv);
/** The format asked for; an error when there are two. */
assay_status_t cli_format(cli_t *cli, assay_report_format_t *out_format);
bool cli_has(const cli_t *cli, cli_flag_id_t flag);

/* cli_input.c */
/** Folders with a user's tables, least binding first: configuration, $ASSAY_DATA, --data. */
assay_status_t cli_data_dirs(cli_t *cli, const char *const **out_dir, uint32_t *out_n);
/** The folder of the user's configuration, whether it is there or not; NULL: no HOME. */
assay_status_t cli_config_dir(cli_t *cli, const char **out_dir);
/** The ledger's file: --ledger, else in the user's data folder; NULL: no HOME. */
assay_status_t cli_ledger_path(cli_t *cli, const char **out_path);
/** The catalog with the folders of a user's tables, and the ledger's prices, laid over. */
assay_status_t cli_catalog_with_ledger(cli_t *cli, const char *const *dir, uint32_t n_dir,
                                       assay_catalog_t **out_catalog);
typedef struct {
    const char *const *dir; /* folders with a user's tables */
    uint32_t n_dir;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_resolved_t *resolved;
} cli_input_t;
/** The job of file and flags, resolved against the catalog. */
assay_status_t cli_read(cli_t *cli, cli_input_t *out);

/* verb_memory.c */
/** The job of the argument (a job file, a model's configuration or id) and the flags. */
assay_status_t cli_read_work(cli_t *cli, assay_job_t **out_job);

/* cli_output.c */
/** Writes cli->out where it belongs. A reader that went away is no error message, only a status. */
assay_status_t cli_output_write(cli_t *cli);
/**
 * Appends text wrapped at 100 columns, standing at column now; further lines begin with indent
 * spaces.
 */
void cli_wrap(assay_buf_t *out, const char *text, size_t column, size_t indent);
/** Adds a sentence, wrapped, and a line end to cli->out. */
void cli_say(cli_t *cli, assay_message_t id, const char *const *arg, size_t n_arg);

/* cli_progress.c */
/** Progress on a terminal after two seconds, cancel on SIGINT and SIGTERM. */
void cli_progress_start(cli_t *cli);
/** Wipes the progress line. */
void cli_progress_stop(cli_t *cli);

/* cli_help.c */
/** Every verb, as `assay help` prints them. */
void cli_help_overview(cli_t *cli);
void cli_help_verb(cli_t *cli, const cli_verb_t *verb);
/** "--dataset-tokens, --tokens N", in the arena. */
const char *cli_help_flag_names(cli_t *cli, const cli_flag_t *flag);
/** What the flag means, its words and its default, in the arena. */
const char *cli_help_flag_text(cli_t *cli, const cli_flag_t *flag);

/* verb_scan.c */
/** What --rocm, --target and --team say. */
assay_status_t cli_port_options(cli_t *cli, assay_port_options_t *out);

/* verb_doctor.c */
/** The machine, or the value of --from and what stands behind it. */
assay_status_t cli_read_host(cli_t *cli, const assay_host_rules_t *rules, assay_host_t **out_host);
/** What --threshold says; warning without it. */
assay_status_t cli_read_threshold(cli_t *cli, assay_severity_t *out);
/** "NET-001, PCI" of a flag as words. */
assay_status_t cli_read_words(cli_t *cli, cli_flag_id_t flag, const char *const **out_word,
                              uint32_t *out_n);

/* The verbs. */
assay_status_t cli_run_decide(cli_t *cli);
/** A job that serves: layouts, fleets and cost in one. */
assay_status_t cli_decide_serving(cli_t *cli, const cli_input_t *input,
                                  assay_report_format_t format);
assay_status_t cli_run_report(cli_t *cli);
/** The same for a job that makes images. */
assay_status_t cli_decide_images(cli_t *cli, const cli_input_t *input,
                                 assay_report_format_t format);
assay_status_t cli_run_search(cli_t *cli);
assay_status_t cli_run_memory(cli_t *cli);
assay_status_t cli_run_catalog_list(cli_t *cli);
assay_status_t cli_run_catalog_show(cli_t *cli);
assay_status_t cli_run_catalog_search(cli_t *cli);
assay_status_t cli_run_catalog_diff(cli_t *cli);
assay_status_t cli_run_catalog_check(cli_t *cli);
assay_status_t cli_run_catalog_path(cli_t *cli);
assay_status_t cli_run_catalog_import(cli_t *cli);
assay_status_t cli_run_offers(cli_t *cli);
/** `catalog show --claims`: the set's figures beside the catalog's. */
assay_status_t cli_show_claims(cli_t *cli, const assay_catalog_t *catalog,
                               assay_report_format_t format);
assay_status_t cli_run_audit(cli_t *cli);
assay_status_t cli_run_bench(cli_t *cli);
assay_status_t cli_run_score(cli_t *cli);
assay_status_t cli_run_diff(cli_t *cli);
assay_status_t cli_run_roadmap(cli_t *cli);
assay_status_t cli_run_simulate(cli_t *cli);
assay_status_t cli_run_calibrate(cli_t *cli);
assay_status_t cli_run_scan(cli_t *cli);
assay_status_t cli_run_port(cli_t *cli);
assay_status_t cli_run_doctor(cli_t *cli);
assay_status_t cli_run_env(cli_t *cli);
assay_status_t cli_run_topo(cli_t *cli);
assay_status_t cli_run_snapshot(cli_t *cli);
assay_status_t cli_run_job_check(cli_t *cli);
assay_status_t cli_run_job_from(cli_t *cli);
assay_status_t cli_run_job_schema(cli_t *cli);
assay_status_t cli_run_help(cli_t *cli);
assay_status_t cli_run_man(cli_t *cli);
assay_status_t cli_run_completion(cli_t *cli);
assay_status_t cli_run_version(cli_t *cli);

#endif
