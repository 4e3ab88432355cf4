/* Settings as files: an array of bash, TOML, JSON, YAML, a batch script. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/csv.h"
#include "assay/units.h"
#include "emit/emit_parts.h"

#include "base/banned.h"

#define FILE_BYTES (1u << 20)
#define WHY_COLUMN 52

/* A number, true, false or null stands bare in TOML, JSON and YAML. */
static bool is_bare(const char *value) {
    double number;
    return assay_text_to_double(value, strlen(value), &number) || strcmp(value, "true") == 0 ||
           strcmp(value, "false") == 0 || strcmp(value, "null") == 0 || value[0] == '[';
}

static void quoted(assay_buf_t *out, const char *value) {
    assay_buf_puts(out, "\"");
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\') {
            assay_buf_puts(out, "\\");
        }
        assay_buf_add(out, (unsigned char)*c < 0x20 ? " " : c, 1);
    }
    assay_buf_puts(out, "\"");
}

static void typed(assay_buf_t *out, const char *value) {
    if (is_bare(value)) {
        assay_buf_puts(out, value);
    } else {
        quoted(out, value);
    }
}

/* Nothing that a reader may have named can end a comment's line. */
static void comment(assay_buf_t *out, const char *text) {
    for (const char *c = text; *c; c++) {
        assay_buf_add(out, (unsigned char)*c < 0x20 ? " " : c, 1);
    }
}

/* "TEXT   # why", the comments one below the other; from: where the line began. */
static void explain(assay_buf_t *out, size_t from, const char *why) {
    const size_t columns = out->n - from;
    if (why[0]) {
        assay_buf_printf(out, "%*s# ", columns < WHY_COLUMN ? (int)(WHY_COLUMN - columns) : 1, "");
        comment(out, why);
    }
    assay_buf_puts(out, "\n");
}

static void head(const assay_emit_case_t *of, const char *mark, const char *what,
                 assay_buf_t *out) {
    const assay_estimate_t *e = of->estimate;
    assay_buf_printf(out, "%s %s for ", mark, what);
    comment(out, of->work->model.id);
    assay_buf_printf(out, " on %u x ", of->machine->nodes);
    comment(out, of->machine->system ? of->machine->system->id : of->machine->id);
    assay_buf_printf(out,
                     ", written by assay.\n%s Predicted: %.4g s a step (80 %%: %.4g to %.4g), MFU "
                     "%.3g %%, %.3g GiB of a device's %.3g.\n",
                     mark, e->step_s, e->step_s * e->rel_p10, e->step_s * e->rel_p90, 100 * e->mfu,
                     e->peak_total_bytes / ASSAY_GIB_BYTES,
                     of->machine->device.hbm_bytes / ASSAY_GIB_BYTES);
}

static void write_environment(const assay_emit_t *emit, assay_buf_t *out) {
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *s = &emit->setting[i];
        const size_t from = out->n;
        if (s->environment) {
            assay_buf_printf(out, "export %s=", s->argument);
            assay_buf_shell_word(out, s->value);
            explain(out, from, s->why);
        }
    }
}

static void write_arguments(const assay_emit_t *emit, const char *prefix, assay_buf_t *out) {
    assay_buf_puts(out, "args=(\n");
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *s = &emit->setting[i];
        const size_t from = out->n;
        if (s->environment || strncmp(s->argument, prefix, strlen(prefix)) == 0) {
            continue;
        }
        assay_buf_printf(out, "  %s", s->argument);
        if (s->value[0]) {
            assay_buf_puts(out, " ");
            assay_buf_shell_word(out, s->value);
        }
        explain(out, from, s->why);
    }
    assay_buf_puts(out, ")\n");
}

static void write_megatron(const assay_emit_case_t *of, const assay_emit_t *emit,
                           assay_buf_t *out) {
    assay_buf_puts(out, "#!/bin/bash\n");
    head(of, "#", "Megatron-LM", out);
    assay_buf_puts(out, "# Run it in a checkout of Megatron-LM, on every node; --mock-data needs "
                        "no data set.\nset -eu\n\n");
    write_environment(emit, out);
    assay_buf_puts(out, "\n");
    write_arguments(emit, "#SBATCH ", out);
    assay_buf_printf(out,
                     "\ntorchrun --nproc_per_node %u --nnodes %u --node_rank \"${NODE_RANK:-0}\" "
                     "\\\n  --master_addr \"${MASTER_ADDR:-localhost}\" --master_port "
                     "\"${MASTER_PORT:-6000}\" \\\n  pretrain_gpt.py \"${args[@]}\" \"$@\"\n",
                     of->machine->devices_per_node, of->machine->nodes);
}

/* ---- a batch script ---- */

/* Bits of "49-55" or "1-7,9" in a mask of at most 256 CPUs. */
#define MASK_WORDS 4
static bool read_cpus(const char *list, uint64_t mask[MASK_WORDS]) {
    memset(mask, 0, MASK_WORDS * sizeof *mask);
    while (*list) {
        uint64_t first, last;
        size_t n = strspn(list, "0123456789");
        if (!assay_text_to_u64(list, n, &first)) {
            return false;
        }
        list += n;
        last = first;
        if (*list == '-') {
            n = strspn(++list, "0123456789");
            if (!assay_text_to_u64(list, n, &last)) {
                return false;
            }
            list += n;
        }
        for (uint64_t cpu = first; cpu <= last && cpu < 64 * MASK_WORDS; cpu++) {
            mask[cpu / 64] |= UINT64_C(1) << (cpu % 64);
        }
        list += *list == ',';
        if (last >= 64 * MASK_WORDS) {
            return false;
        }
    }
    return true;
}

/* "mask_cpu:fe000000000000,...": of device 0, 1, ... Nothing when a device's CPUs are not known. */
static assay_status_t find_binding(assay_arena_t *arena, const assay_emit_case_t *of,
                                   const char *const *dir, uint32_t n_dir, assay_buf_t *out,
                                   const char **out_source, assay_error_t *err) {
    const assay_fabric_t *fabric = of->machine->system ? of->machine->system->fabric : NULL;
    assay_csv_t csv;
    const assay_status_t status = assay_data_table(arena, "bindings.csv", dir, n_dir, &csv, err);
    uint32_t found = 0;
    while (!status && fabric && found < of->machine->devices_per_node) {
        char number[16];
        uint64_t mask[MASK_WORDS];
        uint32_t row = 0;
        snprintf(number, sizeof number, "%u", found);
        while (
            row < csv.n_rows &&
            (strcmp(assay_csv_cell(&csv, row, assay_csv_column(&csv, "fabric")), fabric->id) != 0 ||
             strcmp(assay_csv_cell(&csv, row, assay_csv_column(&csv, "device")), number) != 0)) {
            row++;
        }
        if (row == csv.n_rows ||
            !read_cpus(assay_csv_cell(&csv, row, assay_csv_column(&csv, "cpus")), mask)) {
            break;
        }
        *out_source = assay_csv_cell(&csv, row, assay_csv_column(&csv, "source"));
        assay_buf_puts(out, found++ ? "," : "mask_cpu:");
        int top = MASK_WORDS - 1;
        while (top > 0 && mask[top] == 0) {
            top--;
        }
        assay_buf_printf(out, "%" PRIx64, mask[top]);
        while (top-- > 0) {
            assay_buf_printf(out, "%016" PRIx64, mask[top]);
        }
    }
    if (found < of->machine->devices_per_node) {
        out->n = 0;
    }
    return status;
}

#define SBATCH "#SBATCH "
static assay_status_t write_sbatch(assay_arena_t *arena, const assay_emit_case_t *of,
                                   const char *const *dir, uint32_t n_dir, const assay_emit_t *emit,
                                   assay_buf_t *out, assay_error_t *err) {
    const bool amd = strcmp(of->machine->accelerator->vendor, "AMD") == 0;
    const char *source = NULL;
    assay_buf_t mask;
    assay_buf_init(&mask, FILE_BYTES);
    const assay_status_t status = find_binding(arena, of, dir, n_dir, &mask, &source, err);
    assay_buf_puts(out, "#!/bin/bash\n");
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *s = &emit->setting[i];
        if (strncmp(s->argument, SBATCH, strlen(SBATCH)) == 0) {
            assay_buf_puts(out, s->argument);
            if (s->value[0]) {
                assay_buf_puts(out, "=");
                assay_buf_shell_word(out, s->value);
            }
            assay_buf_puts(out, "\n");
        }
    }
    head(of, "#", "Slurm and Megatron-LM", out);
    assay_buf_puts(out, "# Add --account and --partition; submit it in a checkout of Megatron-LM.\n"
                        "set -eu\n\n");
    write_environment(emit, out);
    assay_buf_puts(out, "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n "
                        "1)\nexport MASTER_ADDR MASTER_PORT=29500 WORLD_SIZE=$SLURM_NTASKS\n\n");
    write_arguments(emit, SBATCH, out);
    if (mask.n > 0) {
        assay_buf_puts(out, "\n# Each rank runs on the CPUs beside its device, in the order of the "
                            "devices\n# (");
        comment(out, source);
        assay_buf_printf(out, ").\nbind=%s\n", mask.data);
    } else {
        assay_buf_puts(out, "\n# Which CPUs are beside which device is not known of this system: "
                            "assay topo tells it on a node.\nbind=cores\n");
    }
    assay_buf_printf(out,
                     "# shellcheck disable=SC2016 # each task expands it\nsrun "
                     "--cpu-bind=\"$bind\" bash -c '\n  export RANK=$SLURM_PROCID "
                     "LOCAL_RANK=$SLURM_LOCALID %s=$SLURM_LOCALID\n  exec python3 -u "
                     "pretrain_gpt.py \"$@\"' pretrain \"${args[@]}\" \"$@\"\n",
                     amd ? "ROCR_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES");
    if (mask.failed) {
        out->failed = true;
    }
    assay_buf_done(&mask);
    return status;
}

/* ---- trees ---- */

/* Bytes of the part before the last dot; 0: a key of the top. */
static size_t section_of(const char *argument) {
    const char *dot = strrchr(argument, '.');
    return dot ? (size_t)(dot - argument) : 0;
}

static bool same_section(const char *a, const char *b) {
    const size_t n = section_of(a);
    return n == section_of(b) && memcmp(a, b, n) == 0;
}

static void write_toml(const assay_emit_case_t *of, const assay_emit_t *emit, assay_buf_t *out) {
    head(of, "#", "torchtitan", out);
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *s = &emit->setting[i];
        if (i == 0 || !same_section(s->argument, emit->setting[i - 1].argument)) {
            assay_buf_printf(out, "\n[%.*s]\n", (int)section_of(s->argument), s->argument);
        }
        const size_t from = out->n;
        assay_buf_printf(out, "%s = ", s->argument + section_of(s->argument) + 1);
        typed(out, s->value);
        explain(out, from, s->why);
    }
}

static void write_yaml(const assay_emit_case_t *of, const assay_emit_t *emit, assay_buf_t *out) {
    head(of, "#", "accelerate", out);
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *s = &emit->setting[i];
        const size_t section = section_of(s->argument);
        if (section > 0 && (i == 0 || !same_section(s->argument, emit->setting[i - 1].argument))) {
            assay_buf_printf(out, "%.*s:\n", (int)section, s->argument);
        }
        const size_t from = out->n;
        assay_buf_printf(out, "%s%s: ", section ? "  " : "",
                         s->argument + (section ? section + 1 : 0));
        typed(out, s->value);
        explain(out, from, s->why);
    }
}

#define JSON_DEPTH 8
/* Rows of one object stand together in the table, an object's own keys before its objects. */
static void write_json(const assay_emit_t *emit, assay_buf_t *out) {
    const char *open[JSON_DEPTH];
    size_t open_bytes[JSON_DEPTH], depth = 0;
    bool first = true;
    assay_buf_puts(out, "{");
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *s = &emit->setting[i];
        const char *at = s->argument;
        size_t level = 0;
        /* how much of the path is open already */
        while (level < depth && strncmp(at, open[level], open_bytes[level]) == 0 &&
               at[open_bytes[level]] == '.') {
            at += open_bytes[level++] + 1;
        }
        for (; depth > level; depth--) {
            assay_buf_printf(out, "\n%*s}", (int)(2 * depth), "");
            first = false;
        }
        for (size_t n; depth < JSON_DEPTH && at[n = strcspn(at, ".")] == '.'; at += n + 1) {
            assay_buf_printf(out, "%s\n%*s\"%.*s\": {", first ? "" : ",", (int)(2 * depth + 2), "",
                             (int)n, at);
            open[depth] = at;
            open_bytes[depth++] = n;
            first = true;
        }
        assay_buf_printf(out, "%s\n%*s\"%s\": ", first ? "" : ",", (int)(2 * depth + 2), "", at);
        typed(out, s->value);
        first = false;
    }
    for (; depth > 0; depth--) {
        assay_buf_printf(out, "\n%*s}", (int)(2 * depth), "");
    }
    assay_buf_puts(out, "\n}\n");
}

assay_status_t emit_write(assay_arena_t *arena, const assay_emit_case_t *of, const char *const *dir,
                          uint32_t n_dir, assay_emit_t *io, assay_error_t *err) {
    assay_status_t status = ASSAY_OK;
    assay_buf_t out;
    assay_buf_init(&out, FILE_BYTES);
    switch (io->tool) {
    case ASSAY_EMIT_MEGATRON:
        write_megatron(of, io, &out);
        break;
    case ASSAY_EMIT_TORCHTITAN:
        write_toml(of, io, &out);
        break;
    case ASSAY_EMIT_DEEPSPEED:
        write_json(io, &out);
        break;
    case ASSAY_EMIT_ACCELERATE:
        write_yaml(of, io, &out);
        break;
    default:
        status = write_sbatch(arena, of, dir, n_dir, io, &out, err);
        break;
    }
    io->text = out.failed ? NULL : assay_arena_strndup(arena, out.n ? out.data : "", out.n);
    assay_buf_done(&out);
    return status ? status : io->text ? ASSAY_OK : assay_error_memory(err, NULL);
}
