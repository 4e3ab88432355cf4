/* Jobs: scripts with their commands, and what Slurm says of nodes and jobs. */
#include <string.h>

#include "host/env_read.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* The number at the end of "gpu:mi300x:8(S:0-3)", "gpu:8", "gres/gpu=8"; -1: none. */
static double gpus_of(host_span_t text) {
    const ptrdiff_t at = host_find(text, "gpu");
    double last = -1, number;
    host_span_t rest = {text.s, at >= 0 ? text.n : 0};
    if (at >= 0) {
        rest = (host_span_t){text.s + at + 3, text.n - (size_t)at - 3};
        const char *end = memchr(rest.s, '(', rest.n);
        rest.n = end ? (size_t)(end - rest.s) : rest.n;
        end = memchr(rest.s, ',', rest.n);
        rest.n = end ? (size_t)(end - rest.s) : rest.n;
    }
    while (rest.n > 0) {
        host_span_t after;
        const host_span_t part = host_cut(&rest, ":=");
        if (host_number(part, &number, &after) && after.n == 0 && number >= 0) {
            last = number;
        }
    }
    return last;
}

/* --- scontrol -------------------------------------------------------------------------------- */

/* "NodeName=n1 Arch=x86_64 ... Gres=gpu:mi250x:8(S:0-3) State=IDLE+DRAIN ... Reason=..." */
void host_parse_slurm(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, key, value;
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            if (!host_key_value(word, '=', &key, &value)) {
                continue;
            }
            if (host_is(key, "NodeName") || host_is(key, "JobId")) {
                host_set_text(parse, &host->scheduler, host_span("slurm"));
            } else if (host_is(key, "State") || host_is(key, "JobState")) {
                host_set_text(parse, &host->scheduler_state, value);
            } else if (host_is(key, "Gres") && gpus_of(value) >= 0) {
                host_set_text(parse, &host->scheduler_gpus, value);
                host_set_number(parse, &host->gpus_expected, gpus_of(value));
            } else if (host_is(key, "TresPerNode") && gpus_of(value) >= 0) {
                host_set_text(parse, &host->scheduler_gpus, value);
                host_set_number(parse, &host->gpus_requested, gpus_of(value));
            }
        }
    }
}

/* --- scripts --------------------------------------------------------------------------------- */

static const char known_programs[] =
    "rocm-smi|amd-smi|nvidia-smi|docker|podman|apptainer|singularity|srun|sbatch|mpirun|mpiexec|"
    "torchrun|accelerate|deepspeed|numactl|python|python3|rocprof|rocprofv2|rocprofv3|nsys|ncu|"
    "vllm|cpupower|hipcc|nvcc|rocm_smi";

/* "#SBATCH --gres=gpu:8", "--gpus-per-node=8", and the same on srun. */
static void read_slurm_options(host_parse_t *parse, host_span_t line) {
    static const char *const name[] = {"--gres=", "--gpus-per-node="};
    host_span_t rest = line;
    for (host_span_t word; (word = host_word(&rest)).n > 0;) {
        for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
            const size_t n = strlen(name[i]);
            if (!host_starts(word, name[i])) {
                continue;
            }
            const host_span_t value = {word.s + n, word.n - n};
            double gpus = gpus_of(value);
            host_span_t after;
            if (i == 1 && gpus < 0 && host_number(value, &gpus, &after) && after.n > 0) {
                gpus = -1;
            }
            if (gpus >= 0) {
                host_set_number(parse, &parse->host->gpus_requested, gpus);
                host_set_text(parse, &parse->host->scheduler_gpus, value);
            }
        }
    }
}

/* A cap that somebody sets: rocm-smi --setpoweroverdrive 300, amd-smi set -o 300, nvidia-smi -pl.
 */
static void read_cap(host_parse_t *parse, host_span_t line) {
    static const struct {
        const char *program, *option;
    } row[] = {{"rocm-smi", "--setpoweroverdrive"},
               {"amd-smi", "--power-cap"},
               {"amd-smi", "-o"},
               {"nvidia-smi", "--power-limit"},
               {"nvidia-smi", "-pl"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (!host_has(line, row[i].program)) {
            continue;
        }
        host_span_t rest = line;
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            host_span_t option = word, value, after;
            const host_span_t name = host_cut(&option, "=");
            double watts;
            value = option.n > 0 ? option : rest;
            if (host_is(name, row[i].option) && host_number(value, &watts, &after)) {
                host_set_number(parse, &parse->host->power_cap_asked_w, watts);
            }
        }
    }
}

/* The words of a line that are programs: behind "sudo", "srun", an assignment or a pipe as well. */
static void read_command(host_parse_t *parse, host_span_t line) {
    host_span_t rest = line, word;
    while ((word = host_word(&rest)).n > 0) {
        const char *slash = memrchr(word.s, '/', word.n);
        const host_span_t base =
            slash ? (host_span_t){slash + 1, word.n - (size_t)(slash + 1 - word.s)} : word;
        const char *name = assay_arena_strndup(parse->scratch, base.s, base.n);
        if (!name || base.n == 0 || !host_name_matches(known_programs, name)) {
            continue;
        }
        const char *program = host_copy(parse, base), *text = host_copy(parse, line);
        assay_host_command_t *command = program && text ? host_add(parse, command) : NULL;
        if (command) {
            *command = (assay_host_command_t){program, text, host_here(parse)};
        }
        if (program && host_name_matches("docker|podman", program)) {
            host_container_line(parse, program, line);
        }
    }
    read_cap(parse, line);
}

void host_parse_script(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    char *data = assay_arena_strndup(parse->scratch, parse->rest.s, parse->rest.n);
    env_text_t text = {.arena = parse->scratch, .file = parse->file};
    if (!data) {
        parse->full = true;
        return;
    }
    env_read(&text, data, parse->rest.n);
    for (uint32_t i = 0; i < text.n_line; i++) {
        char *line = assay_arena_strdup(parse->scratch, text.line[i].text);
        for (char *at = line; at && *at; at++) {
            *at = *at == '\v' ? ' ' : *at;
        }
        if (!line) {
            parse->full = true;
            return;
        }
        parse->line = parse->first + text.line[i].line;
        const host_span_t span = host_trim(host_span(line));
        if (host_starts(span, "#SBATCH")) {
            host_set_text(parse, &host->scheduler, host_span("slurm"));
            read_slurm_options(parse, span);
        } else if (!host_starts(span, "#")) {
            read_slurm_options(parse, span);
            read_command(parse, span);
        }
    }
    for (uint32_t i = 0; i < text.n_setting; i++) {
        if (text.setting[i].value) {
            parse->line = parse->first + text.setting[i].at.line;
            host_env_add(parse, host_span(text.setting[i].name), host_span(text.setting[i].value));
        }
    }
}
