/**
 * How fast assay is, on the seed job: one core, several repetitions, median with least and most.
 * usage: bench [--json]. Exit codes: 0, 2 wrong usage, 4 when something could not be measured.
 *
 *   step_estimates           one training step from nothing: operations, layer, memory, step
 *   step_estimates_measured  from nothing on H100, where measured GEMM shapes are looked up as well
 *   step_estimates_memoised  the same with the layer times at hand, as the search does it
 *   layouts                  layouts a search visits, cold, refused ones included
 *   layouts_timed            of these, those that got a time (the legal ones and those too large)
 *   gpt3_search_s            GPT-3 175B on 3,072 devices, every schedule and split; two threads
 *   gpt3_best_s              its best layout alone, certified by bounds
 *   gpt3_layouts             layouts of that space
 *   scan_lexical             bytes of CUDA sources taken apart into words and signs, warm, one core
 *   scan_whole               bytes of a mixed tree (CUDA, Python, CMake), every rule
 *   serving_steps            one step of a serving engine, prefill and decode in it
 *   serving_search_s         all ways to serve an 8B model on nodes of H100, in closed form
 *   simulated_requests       the simulator on the workload that bench/serve_bench.h names
 *   montecarlo_samples       samples of the seed job's uncertainty, each of both candidates
 *   scenario_s               one scenario of one candidate, from its inputs to every term
 *   model_headers_s          headers of a checkpoint of 300 files, from its index, warm, wall
 *   hosts                    captured hosts of 8 accelerators, read and diagnosed
 *   startup_s                assay --version, wall
 *   decide_s                 assay decide on the seed job, wall
 *   peak_rss_bytes           most memory of that run
 *   doctor_s                 assay doctor on one such host, wall
 *   doctor_rss_bytes         most memory of that run
 *   fleet_hosts              captured hosts of tests/hosts in a second, on two threads
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "assay/calibration.h"
#include "assay/catalog.h"
#include "assay/doctor.h"
#include "assay/fleet.h"
#include "assay/job.h"
#include "assay/model_file.h"
#include "assay/plan.h"
#include "assay/resolve.h"
#include "assay/text.h"
#include "assay/train.h"
#include "model_bench.h"
#include "money_bench.h"
#include "scan_bench.h"
#include "serve_bench.h"

#define JOB ASSAY_SOURCE_DIR "/examples/seed-a-65b-training.yaml"
/* as Calculon's published search of that model is sized; its batch is the number of devices */
#define GPT3                                                                                \
    "assay: 1\nworkload: {train: {model: gpt3-175b, sequence: 2048, global_batch: 3072}}\n" \
    "candidates: [{system: dgx-h100, nodes: 384, layout: {schedule: any}}]\n"
/* the part of which most shapes were measured */
#define MEASURED                                                                           \
    "assay: 1\nworkload: {train: {model: llama-65b, sequence: 2048, global_batch: 512}}\n" \
    "candidates: [{system: dgx-h100, nodes: 8}]\n"
#define HOST ASSAY_SOURCE_DIR "/tests/hosts/healthy-mi300x/capture"
#define HOSTS ASSAY_SOURCE_DIR "/tests/hosts"
#define REPETITIONS 9
#define BATCH_S .1 /* a rate is counted over at least this long */

extern char **environ;

typedef struct {
    const assay_machine_t *machine;
    const assay_workload_t *work;
    assay_layout_t layout; /* the best one found */
    const assay_resolved_t *gpt3, *measured;
    assay_layout_t measured_layout;
    assay_arena_t *arena; /* for searches */
    scan_bench_t *scan;
    serve_bench_t *serve;
    money_bench_t *money;
    const char *index; /* of a checkpoint */
} bench_t;

static double clock_s(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double now_s(void) {
    return clock_s(CLOCK_MONOTONIC);
}

/* Keeps a result alive, so that the compiler cannot drop the work. */
static void keep(const void *value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

static double estimates_per_s(const assay_machine_t *machine, const assay_workload_t *work,
                              const assay_layout_t *layout) {
    const double start_s = now_s();
    double elapsed_s;
    uint64_t n = 0;
    do {
        for (int i = 0; i < 1000; i++, n++) {
            assay_estimate_t estimate;
            assay_train_estimate(machine, work, layout, &estimate);
            keep(&estimate);
        }
        elapsed_s = now_s() - start_s;
    } while (elapsed_s < BATCH_S);
    return (double)n / elapsed_s;
}

static double step_estimates(bench_t *bench) {
    return estimates_per_s(bench->machine, bench->work, &bench->layout);
}

static double step_estimates_measured(bench_t *bench) {
    return estimates_per_s(&bench->measured->machine[0], &bench->measured->workload,
                           &bench->measured_layout);
}

static double step_estimates_memoised(bench_t *bench) {
    assay_train_layer_t layer;
    assay_train_layer(bench->machine, bench->work, &bench->layout, &layer);
    const double start_s = now_s();
    double elapsed_s;
    uint64_t n = 0;
    do {
        for (int i = 0; i < 1000; i++, n++) {
            assay_estimate_t estimate;
            assay_train_estimate_with(bench->machine, bench->work, &bench->layout, &layer,
                                      &estimate);
            keep(&estimate);
        }
        elapsed_s = now_s() - start_s;
    } while (elapsed_s < BATCH_S);
    return (double)n / elapsed_s;
}

/* Searches for BATCH_S; returns layouts per second, counted by count(). Negative: failed. */
static double search_rate(bench_t *bench, uint64_t (*count)(const assay_plan_t *plan)) {
    assay_plan_options_t options = assay_plan_defaults();
    options.threads = 1;
    const double start_s = now_s();
    double elapsed_s;
    uint64_t n = 0;
    do {
        assay_plan_t plan;
        assay_arena_reset(bench->arena);
        if (assay_plan_search(bench->arena, bench->machine, bench->work, &options, &plan, NULL)) {
            return -1;
        }
        n += count(&plan);
        elapsed_s = now_s() - start_s;
    } while (elapsed_s < BATCH_S);
    return (double)n / elapsed_s;
}

static uint64_t visited(const assay_plan_t *plan) {
    return plan->visited;
}

static uint64_t timed(const assay_plan_t *plan) {
    return plan->legal + plan->refused[ASSAY_REJECT_MEMORY].count;
}

static double layouts(bench_t *bench) {
    return search_rate(bench, visited);
}

static double layouts_timed(bench_t *bench) {
    return search_rate(bench, timed);
}

/* The whole space of GPT-3, on two threads. */
static bool search_gpt3(bench_t *bench, bool best_only, assay_plan_t *out_plan) {
    assay_plan_options_t options = assay_plan_defaults();
    options.pin = bench->gpt3->pin[0];
    options.threads = 2;
    options.whole = true;
    options.best_only = best_only;
    assay_arena_reset(bench->arena);
    return assay_plan_search(bench->arena, bench->gpt3->machine, &bench->gpt3->workload, &options,
                             out_plan, NULL) == ASSAY_OK &&
           out_plan->found;
}

static double gpt3_search_s(bench_t *bench) {
    assay_plan_t plan;
    return search_gpt3(bench, false, &plan) ? plan.wall_s : -1;
}

static double gpt3_best_s(bench_t *bench) {
    assay_plan_t plan;
    return search_gpt3(bench, true, &plan) ? plan.wall_s : -1;
}

static double gpt3_layouts(bench_t *bench) {
    assay_plan_t plan;
    return search_gpt3(bench, true, &plan) ? (double)plan.visited : -1;
}

/* MB of source a second of one core, whoever else wants it. */
static double scan_rate(bench_t *bench, bool (*run)(scan_bench_t *scan), size_t bytes) {
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    double elapsed_s;
    uint64_t n = 0;
    do {
        if (!run(bench->scan)) {
            return -1;
        }
        n++;
        elapsed_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
    } while (elapsed_s < BATCH_S);
    return (double)n * (double)bytes / 1e6 / elapsed_s;
}

static double scan_lexical(bench_t *bench) {
    return scan_rate(bench, scan_bench_lexical, scan_bench_lexical_bytes(bench->scan));
}

static double scan_whole(bench_t *bench) {
    return scan_rate(bench, scan_bench_whole, scan_bench_bytes(bench->scan));
}

static double model_headers_s(bench_t *bench) {
    assay_checkpoint_t checkpoint;
    const double start_s = now_s();
    const assay_status_t status = assay_safetensors_read(bench->index, &checkpoint, NULL);
    keep(&checkpoint);
    return status == ASSAY_OK ? now_s() - start_s : -1;
}

/* Runs the program with its output thrown away; false when it cannot run or is in trouble. */
static bool run_program(char *const argv[], double *out_s, double *out_rss_bytes) {
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const double start_s = now_s();
    const bool ok = posix_spawn(&child, argv[0], &actions, NULL, argv, environ) == 0 &&
                    wait4(child, &status, 0, &usage) == child;
    *out_s = now_s() - start_s;
    posix_spawn_file_actions_destroy(&actions);
    /* exit 1 is an answer too: nothing fits */
    if (!ok || !WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        return false;
    }
    *out_rss_bytes = (double)usage.ru_maxrss * 1024;
    return true;
}

static double startup_s(bench_t *bench) {
    (void)bench;
    char *const argv[] = {ASSAY_PROGRAM, "--version", NULL};
    double elapsed_s, rss_bytes;
    return run_program(argv, &elapsed_s, &rss_bytes) ? elapsed_s : -1;
}

static double decide_s(bench_t *bench) {
    (void)bench;
    char *const argv[] = {ASSAY_PROGRAM, "decide", JOB, NULL};
    double elapsed_s, rss_bytes;
    return run_program(argv, &elapsed_s, &rss_bytes) ? elapsed_s : -1;
}

static double fleet_hosts(bench_t *bench) {
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    const assay_host_rules_t *rules;
    const assay_fleet_t *fleet;
    assay_arena_reset(bench->arena);
    if (assay_host_rules_load(bench->arena, NULL, 0, ASSAY_LANG_EN, &rules, NULL)) {
        return -1;
    }
    const double start_s = now_s();
    const assay_status_t status =
        assay_fleet_read(bench->arena, rules, HOSTS, &options, 2, NULL, &fleet, NULL);
    return status ? -1 : fleet->n_host / (now_s() - start_s);
}

static double peak_rss_bytes(bench_t *bench) {
    (void)bench;
    char *const argv[] = {ASSAY_PROGRAM, "decide", JOB, NULL};
    double elapsed_s, rss_bytes;
    return run_program(argv, &elapsed_s, &rss_bytes) ? rss_bytes : -1;
}

static double doctor_s(bench_t *bench) {
    (void)bench;
    char *const argv[] = {ASSAY_PROGRAM, "doctor", "--from", HOST, NULL};
    double elapsed_s, rss_bytes;
    return run_program(argv, &elapsed_s, &rss_bytes) ? elapsed_s : -1;
}

static double doctor_rss_bytes(bench_t *bench) {
    (void)bench;
    char *const argv[] = {ASSAY_PROGRAM, "doctor", "--from", HOST, NULL};
    double elapsed_s, rss_bytes;
    return run_program(argv, &elapsed_s, &rss_bytes) ? rss_bytes : -1;
}

static bool diagnose(const assay_host_rules_t *rules) {
    static const char *const path[] = {HOST};
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    assay_host_t *host;
    assay_diagnosis_t *diagnosis;
    const bool ok = arena &&
                    assay_host_read_capture(arena, rules, path, 1, &host, NULL) == ASSAY_OK &&
                    assay_doctor(arena, rules, host, &options, &diagnosis, NULL) == ASSAY_OK;
    assay_arena_destroy(arena);
    return ok;
}

static double hosts(bench_t *bench) {
    (void)bench;
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    const assay_host_rules_t *rules;
    bool ok =
        arena && assay_host_rules_load(arena, NULL, 0, ASSAY_LANG_EN, &rules, NULL) == ASSAY_OK;
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    uint64_t n = 0;
    double taken_s = 0;
    while (ok && taken_s < BATCH_S) {
        ok = diagnose(rules);
        n++;
        taken_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
    }
    assay_arena_destroy(arena);
    return ok ? (double)n / taken_s : -1;
}

static double serving_steps(bench_t *bench) {
    const uint64_t n = 1000000;
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const double sum_s = serve_bench_steps(bench->serve, n);
    const double taken_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
    keep(&sum_s);
    return (double)n / taken_s;
}

static double serving_search_s(bench_t *bench) {
    static assay_serve_fleets_t fleets;
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t n = serve_bench_search(bench->serve, &fleets);
    return n ? clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s : -1;
}

static double simulated_requests(bench_t *bench) {
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t n = serve_bench_requests(bench->serve, bench->arena, 200000);
    return n ? (double)n / (clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s) : -1;
}

static double montecarlo_samples(bench_t *bench) {
    const uint64_t n = 1 << 19;
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const double sum = money_bench_samples(bench->money, n);
    const double taken_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
    keep(&sum);
    return (double)n / taken_s;
}

static double scenario_s(bench_t *bench) {
    const uint64_t n = 100000;
    const double start_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const double sum = money_bench_scenarios(bench->money, n);
    const double taken_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s;
    keep(&sum);
    return taken_s / (double)n;
}

static const struct {
    const char *name, *unit;
    bool whole_program;
    double (*measure)(bench_t *bench); /* negative: failed */
} measures[] = {
    {"step_estimates", "1/s", false, step_estimates},
    {"step_estimates_measured", "1/s", false, step_estimates_measured},
    {"step_estimates_memoised", "1/s", false, step_estimates_memoised},
    {"layouts", "1/s", false, layouts},
    {"layouts_timed", "1/s", false, layouts_timed},
    {"gpt3_search_s", "s", false, gpt3_search_s},
    {"gpt3_best_s", "s", false, gpt3_best_s},
    {"gpt3_layouts", "", false, gpt3_layouts},
    {"scan_lexical", "MB/s", false, scan_lexical},
    {"scan_whole", "MB/s", false, scan_whole},
    {"serving_steps", "1/s", false, serving_steps},
    {"serving_search_s", "s", false, serving_search_s},
    {"simulated_requests", "1/s", false, simulated_requests},
    {"montecarlo_samples", "1/s", false, montecarlo_samples},
    {"scenario_s", "s", false, scenario_s},
    {"model_headers_s", "s", false, model_headers_s},
    {"hosts", "1/s", false, hosts},
    {"startup_s", "s", true, startup_s},
    {"decide_s", "s", true, decide_s},
    {"peak_rss_bytes", "B", true, peak_rss_bytes},
    {"fleet_hosts", "1/s", false, fleet_hosts},
    {"doctor_s", "s", true, doctor_s},
    {"doctor_rss_bytes", "B", true, doctor_rss_bytes},
};
#define N_MEASURES (sizeof(measures) / sizeof(measures[0]))

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fills the rows of one kind, ascending. */
static assay_status_t measure(bench_t *bench, bool whole_program,
                              double value[N_MEASURES][REPETITIONS]) {
    for (size_t i = 0; i < N_MEASURES; i++) {
        if (measures[i].whole_program != whole_program) {
            continue;
        }
        for (int j = 0; j < REPETITIONS; j++) {
            value[i][j] = measures[i].measure(bench);
            if (value[i][j] < 0) {
                fprintf(stderr, "bench: %s could not be measured\n", measures[i].name);
                return ASSAY_INTERNAL;
            }
        }
        qsort(value[i], REPETITIONS, sizeof(value[i][0]), ascending);
    }
    return ASSAY_OK;
}

static void print_json(double value[N_MEASURES][REPETITIONS]) {
    for (size_t i = 0; i < N_MEASURES; i++) {
        char median[32], least[32], most[32];
        assay_text_from_double_short(median, value[i][REPETITIONS / 2], 6);
        assay_text_from_double_short(least, value[i][0], 6);
        assay_text_from_double_short(most, value[i][REPETITIONS - 1], 6);
        printf("%s\n  {\"name\": \"%s\", \"value\": %s, \"unit\": \"%s\", \"median\": %s, "
               "\"min\": %s, \"max\": %s}",
               i ? "," : "[", measures[i].name, median, measures[i].unit, median, least, most);
    }
    printf("\n]\n");
}

static void print_text(double value[N_MEASURES][REPETITIONS]) {
    printf("%-24s %4s %14s %14s %14s\n", "", "unit", "median", "min", "max");
    for (size_t i = 0; i < N_MEASURES; i++) {
        char median[32], least[32], most[32];
        assay_text_from_double_short(median, value[i][REPETITIONS / 2], 3);
        assay_text_from_double_short(least, value[i][0], 3);
        assay_text_from_double_short(most, value[i][REPETITIONS - 1], 3);
        printf("%-24s %4s %14s %14s %14s\n", measures[i].name, measures[i].unit, median, least,
               most);
    }
}

static assay_status_t resolve_job(assay_arena_t *arena, const char *data, size_t size,
                                  assay_resolved_t **out, assay_error_t *err) {
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_job_t *job;
    assay_status_t status = assay_catalog_load(arena, NULL, 0, &catalog, err);
    status = status ? status : assay_calibration_load(arena, NULL, 0, &calibration, err);
    status = status ? status : assay_job_read(arena, JOB, data, size, NULL, 0, &job, err);
    return status ? status : assay_resolve(arena, job, catalog, calibration, out, err);
}

static assay_status_t best_layout(assay_arena_t *arena, const assay_resolved_t *resolved,
                                  assay_layout_t *out, assay_error_t *err) {
    const assay_plan_options_t options = assay_plan_defaults();
    assay_plan_t plan;
    const assay_status_t status =
        assay_plan_search(arena, &resolved->machine[0], &resolved->workload, &options, &plan, err);
    if (status == ASSAY_OK && !plan.found) {
        return assay_error_set(err, ASSAY_NO_FIT, NULL, "no layout of the job fits");
    }
    *out = plan.best.layout;
    return status;
}

/* Finds the layouts that the estimates are timed on. */
static assay_status_t prepare(assay_arena_t *arena, bench_t *bench, assay_error_t *err) {
    assay_resolved_t *resolved, *gpt3 = NULL, *measured = NULL;
    char *data;
    size_t size;
    assay_status_t status = assay_file_read(arena, JOB, 1u << 20, &data, &size, err);
    status = status ? status : resolve_job(arena, data, size, &resolved, err);
    status = status ? status : resolve_job(arena, GPT3, strlen(GPT3), &gpt3, err);
    status = status ? status : resolve_job(arena, MEASURED, strlen(MEASURED), &measured, err);
    bench->gpt3 = gpt3;
    bench->measured = measured;
    if (status) {
        return status;
    }
    bench->machine = &resolved->machine[0];
    bench->work = &resolved->workload;
    status = best_layout(arena, resolved, &bench->layout, err);
    status = status ? status : best_layout(arena, measured, &bench->measured_layout, err);
    status = status ? status : serve_bench_create(arena, &bench->serve, err);
    status = status ? status : money_bench_create(arena, resolved, &bench->money, err);
    status = status ? status : model_bench_create(&bench->index, err);
    return status ? status : scan_bench_create(arena, &bench->scan, err);
}

int main(int argc, char **argv) {
    const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !json) {
        fprintf(stderr, "bench: unknown argument '%s'; usage: bench [--json]\n", argv[1]);
        return assay_status_exit_code(ASSAY_USAGE);
    }
    double value[N_MEASURES][REPETITIONS];
    bench_t bench = {0};
    /* Programs first, while this one is small: what Linux reports as a child's peak memory starts
       at that of the process that spawned it. */
    assay_status_t status = measure(&bench, true, value);
    if (status) {
        return assay_status_exit_code(status);
    }
    bench.arena = assay_arena_create(256u << 20);
    assay_arena_t *arena = assay_arena_create(256u << 20);
    assay_error_t err = {0};
    status = arena && bench.arena ? prepare(arena, &bench, &err)
                                  : assay_error_set(&err, ASSAY_MEMORY, NULL, "out of memory");
    if (status) {
        char line[1024];
        fprintf(stderr, "bench: %s\n", assay_error_line(&err, line, sizeof(line)));
        goto free_arenas;
    }
    status = measure(&bench, false, value);
    if (status) {
        goto free_arenas;
    }
    if (json) {
        print_json(value);
    } else {
        print_text(value);
    }
free_arenas:
    model_bench_destroy();
    assay_arena_destroy(bench.arena);
    assay_arena_destroy(arena);
    return assay_status_exit_code(status);
}
