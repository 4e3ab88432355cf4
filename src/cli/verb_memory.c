#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "assay/memory.h"
#include "assay/model_file.h"
#include "assay/oom_log.h"
#include "assay/report_memory.h"

#include "base/banned.h"

#define LOG_BYTES_MAX ((size_t)16 << 20)

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), n_end = strlen(end);
    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* A file of Hugging Face, which is a model and no job: it says of what kind it is. */
static bool is_model(const char *data, size_t size) {
    static const char *const key[] = {"\"model_type\"", "\"_class_name\"", "\"architectures\""};
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
        if (memmem(data, size, key[i], strlen(key[i]))) {
            return true;
        }
    }
    return false;
}

static assay_status_t find_kind(cli_t *cli, const char **out_kind) {
    static const char *const kind[] = {"serve", "train", "finetune"};
    const char *given = cli->value[CLI_FOR];
    *out_kind = kind[0];
    for (size_t i = 0; given && i < sizeof kind / sizeof kind[0]; i++) {
        if (strcmp(given, kind[i]) == 0) {
            *out_kind = kind[i];
            return ASSAY_OK;
        }
    }
    if (!given) {
        return ASSAY_OK;
    }
    assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--for has no kind of work \"%s\"", given);
    assay_error_next(&cli->err, "use serve, train or finetune");
    return ASSAY_USAGE;
}

/* The argument, or --model, as the model of that kind of work: the first flag, so that the other
   flags reach the same kind. */
static assay_status_t add_model_flag(cli_t *cli, const char *kind, const char *model) {
    const char *path = assay_arena_printf(cli->arena, "workload.%s.model", kind);
    if (!path) {
        return assay_error_memory(&cli->err, NULL);
    }
    uint32_t at = 0;
    while (at < cli->n_job_flag && strcmp(cli->job_flag[at].path, "workload.train.model") != 0) {
        at++;
    }
    if (at == cli->n_job_flag) {
        if (at == CLI_MAX_FLAGS) {
            return assay_error_set(&cli->err, ASSAY_LIMIT, NULL, "too many flags");
        }
        cli->n_job_flag++;
        cli->job_flag[at].flag = "--model";
        cli->job_flag[at].value = model;
    }
    cli->job_flag[at].path = path;
    cli->job_flag[at].value = model ? model : cli->job_flag[at].value;
    return ASSAY_OK;
}

/* "llama-3.1-8b", "meta-llama/Llama-3.1-8B": no file of that name, nor one that was mistyped. */
static bool is_model_name(const char *text) {
    static const char *const file[] = {".yaml", ".yml", ".json", ".gguf", ".safetensors"};
    const char *slash = strchr(text, '/');
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        if (ends_with(text, file[i])) {
            return false;
        }
    }
    return text[0] != '.' && slash != text && strcmp(text, "-") != 0 &&
           (!slash || (slash[1] != '\0' && !strchr(slash + 1, '/'))) && access(text, F_OK) != 0;
}

/* The job of the argument, which is a job file, a model's configuration or a model's id, and of the
   flags. */
static assay_status_t read_work(cli_t *cli, assay_job_t **out_job) {
    const char *path = cli->n_arg ? cli->arg[0] : NULL, *kind;
    char *data = NULL;
    size_t size = 0;
    assay_status_t status = find_kind(cli, &kind);
    const bool file = path && !is_model_name(path) &&
                      (strchr(path, '.') || strchr(path, '/') || strcmp(path, "-") == 0);
    const bool weights = file && assay_model_is_weights(path);
    if (!status && file && !weights) {
        status = assay_file_read(cli->arena, path, ASSAY_NODE_MAX_BYTES, &data, &size, &cli->err);
    }
    if (status) {
        return status;
    }
    if (data && !(ends_with(path, ".json") && is_model(data, size))) {
        return assay_job_read(cli->arena, path, data, size, cli->job_flag, cli->n_job_flag, out_job,
                              &cli->err);
    }
    if (path && file && !strchr(path, '/')) {
        path = assay_arena_printf(cli->arena, "./%s", path);
    }
    status = add_model_flag(cli, kind, path);
    return status ? status
                  : assay_job_read(cli->arena, NULL, NULL, 0, cli->job_flag, cli->n_job_flag,
                                   out_job, &cli->err);
}

assay_status_t cli_read_work(cli_t *cli, assay_job_t **out_job) {
    const assay_status_t status = read_work(cli, out_job);
    if (!status) {
        (*out_job)->lang = cli->lang;
    }
    return status;
}

static assay_status_t answer(cli_t *cli, const char *const *dir, uint32_t n_dir,
                             assay_memory_t **out) {
    assay_job_t *job;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_resolved_t *resolved;
    assay_status_t status = cli_read_work(cli, &job);
    if (!status) {
        status = assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err);
    }
    if (!status) {
        status = assay_calibration_load(cli->arena, dir, n_dir, &calibration, &cli->err);
    }
    if (!status) {
        status = assay_resolve_memory(cli->arena, job, catalog, calibration, &resolved, &cli->err);
    }
    return status ? status : assay_memory(cli->arena, resolved, out, &cli->err);
}

static assay_status_t explain(cli_t *cli, const char *const *dir, uint32_t n_dir,
                              assay_oom_t *out) {
    char *data;
    size_t size;
    assay_status_t status =
        assay_file_read(cli->arena, cli->value[CLI_LOG], LOG_BYTES_MAX, &data, &size, &cli->err);
    return status ? status : assay_oom_read(cli->arena, dir, n_dir, data, size, out, &cli->err);
}

assay_status_t cli_run_memory(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    assay_memory_t *memory = NULL;
    assay_oom_t log;
    const bool has_log = cli_has(cli, CLI_LOG), has_job = cli->n_arg > 0 || cli->n_job_flag > 0;
    assay_status_t status = cli_format(cli, &format);
    if (!status && !has_log && !has_job) {
        status = assay_error_set(&cli->err, ASSAY_USAGE, NULL, "memory needs a job");
        assay_error_next(&cli->err, "give a file, a model, or --log; see \"assay help memory\"");
    }
    if (!status) {
        status = cli_data_dirs(cli, &dir, &n_dir);
    }
    if (!status && has_log) {
        status = explain(cli, dir, n_dir, &log);
    }
    if (!status && has_job) {
        status = answer(cli, dir, n_dir, &memory);
    }
    if (!status) {
        status = assay_report_memory(memory, has_log ? &log : NULL, format, &cli->report, &cli->out,
                                     &cli->err);
    }
    if (status) {
        return status;
    }
    return memory && !memory->fits ? ASSAY_NO_FIT : ASSAY_OK;
}
