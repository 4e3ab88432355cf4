/* Two hosts side by side. Which facts are compared, and how, are tables; sizes in use, temperatures
   and counters differ by the minute and are left out. */
#include "assay/host_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_rules.h"

#include "base/banned.h"

#define DIFFERENCES_MAX 4096u

typedef struct {
    assay_arena_t *arena;
    const assay_host_t *a, *b;
    assay_comparison_t *out;
    assay_difference_t *difference;
    double slower;
    bool full;
} compare_t;

const char *assay_compare_group_name(assay_compare_group_t group) {
    static const char *const name[ASSAY_COMPARE_N] = {
        [ASSAY_COMPARE_MEASURED] = "measured", [ASSAY_COMPARE_FINDING] = "finding",
        [ASSAY_COMPARE_HARDWARE] = "hardware", [ASSAY_COMPARE_DRIVER] = "driver",
        [ASSAY_COMPARE_VERSION] = "version",   [ASSAY_COMPARE_SETTING] = "setting"};
    return name[group];
}

__attribute__((format(printf, 2, 3))) static const char *print(compare_t *compare,
                                                               const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = assay_arena_vprintf(compare->arena, format, args);
    va_end(args);
    compare->full |= text == NULL;
    return text ? text : "";
}

static assay_difference_t *add(compare_t *compare, assay_compare_group_t group, const char *what,
                               const char *a, const char *b) {
    static assay_difference_t none;
    if (compare->out->n_difference == DIFFERENCES_MAX) {
        return &none;
    }
    assay_difference_t *difference = &compare->difference[compare->out->n_difference++];
    *difference = (assay_difference_t){.group = (uint8_t)group,
                                       .what = what,
                                       .a = a ? a : "",
                                       .b = b ? b : "",
                                       .change = (double)NAN};
    return difference;
}

/* --- facts ----------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    size_t offset;
    uint8_t group;
    bool number;
} field_t;

#define TEXT(type, field, kind) \
    { #field, offsetof(type, field), ASSAY_COMPARE_##kind, false }
#define NUMBER(type, field, kind) \
    { #field, offsetof(type, field), ASSAY_COMPARE_##kind, true }

static const field_t host_field[] = {
    TEXT(assay_host_t, cpu, HARDWARE),
    NUMBER(assay_host_t, sockets, HARDWARE),
    NUMBER(assay_host_t, threads, HARDWARE),
    NUMBER(assay_host_t, numa_nodes, HARDWARE),
    TEXT(assay_host_t, os, DRIVER),
    TEXT(assay_host_t, os_version, DRIVER),
    TEXT(assay_host_t, kernel, DRIVER),
    TEXT(assay_host_t, amdgpu_version, DRIVER),
    TEXT(assay_host_t, amdgpu_file, DRIVER),
    TEXT(assay_host_t, nvidia_module, DRIVER),
    TEXT(assay_host_t, nvml, DRIVER),
    TEXT(assay_host_t, cuda_driver, DRIVER),
    TEXT(assay_host_t, ofed, DRIVER),
    TEXT(assay_host_t, fabric_manager_version, DRIVER),
    TEXT(assay_host_t, rocm, VERSION),
    TEXT(assay_host_t, cuda_toolkit, VERSION),
    TEXT(assay_host_t, framework, VERSION),
    TEXT(assay_host_t, collective_library, VERSION),
    TEXT(assay_host_t, build_targets, VERSION),
    TEXT(assay_host_t, cmdline, SETTING),
    TEXT(assay_host_t, thp, SETTING),
    TEXT(assay_host_t, governor, SETTING),
    TEXT(assay_host_t, idle_state, SETTING),
    TEXT(assay_host_t, iommu, SETTING),
    TEXT(assay_host_t, container, SETTING),
    TEXT(assay_host_t, hypervisor, SETTING),
    TEXT(assay_host_t, collective_transport, SETTING),
    TEXT(assay_host_t, net_plugin, SETTING),
    NUMBER(assay_host_t, smt, SETTING),
    NUMBER(assay_host_t, numa_balancing, SETTING),
    NUMBER(assay_host_t, locked_bytes, SETTING),
    NUMBER(assay_host_t, shm_bytes, SETTING),
};

static const field_t gpu_field[] = {
    TEXT(assay_host_gpu_t, name, HARDWARE),
    TEXT(assay_host_gpu_t, target, HARDWARE),
    NUMBER(assay_host_gpu_t, vram_bytes, HARDWARE),
    NUMBER(assay_host_gpu_t, numa_node, HARDWARE),
    NUMBER(assay_host_gpu_t, pcie_width, HARDWARE),
    NUMBER(assay_host_gpu_t, pcie_gt_s_max, HARDWARE),
    TEXT(assay_host_gpu_t, driver, DRIVER),
    TEXT(assay_host_gpu_t, firmware, DRIVER),
    TEXT(assay_host_gpu_t, vbios, DRIVER),
    TEXT(assay_host_gpu_t, compute_partition, SETTING),
    TEXT(assay_host_gpu_t, memory_partition, SETTING),
    TEXT(assay_host_gpu_t, perf_level, SETTING),
    NUMBER(assay_host_gpu_t, power_cap_w, SETTING),
    NUMBER(assay_host_gpu_t, gfx_hz_max, SETTING),
    NUMBER(assay_host_gpu_t, persistence, SETTING),
    NUMBER(assay_host_gpu_t, mig, SETTING),
};

/* One fact of both; owner "" or "gpu 3 ". */
static void compare_field(compare_t *compare, const field_t *field, const char *owner,
                          const void *a, const void *b) {
    const char *text[2];
    assay_place_t at[2];
    const void *const side[2] = {(const char *)a + field->offset, (const char *)b + field->offset};
    for (int s = 0; s < 2; s++) {
        const assay_host_number_t *number = side[s];
        const assay_host_text_t *word = side[s];
        const uint8_t state = field->number ? number->state : word->state;
        at[s] = field->number ? number->at : word->at;
        text[s] = !assay_host_known(state) ? NULL
                  : field->number          ? print(compare, "%.12g", number->v)
                                           : word->s;
    }
    if (!text[0] || !text[1]) {
        compare->out->n_one_side += text[0] || text[1];
    } else if (strcmp(text[0], text[1]) == 0) {
        compare->out->n_same++;
    } else {
        assay_difference_t *difference = add(
            compare, (assay_compare_group_t)field->group,
            *owner ? print(compare, "%s%s", owner, field->name) : field->name, text[0], text[1]);
        difference->at_a = at[0];
        difference->at_b = at[1];
    }
}

static const assay_host_gpu_t *same_gpu(const assay_host_t *host, const assay_host_gpu_t *gpu,
                                        uint32_t i) {
    for (uint32_t k = 0; gpu->bdf.s && k < host->n_gpu; k++) {
        if (host->gpu[k].bdf.s && strcmp(host->gpu[k].bdf.s, gpu->bdf.s) == 0) {
            return &host->gpu[k];
        }
    }
    return i < host->n_gpu && !(gpu->bdf.s && host->gpu[i].bdf.s) ? &host->gpu[i] : NULL;
}

static void compare_gpus(compare_t *compare) {
    const assay_host_t *a = compare->a, *b = compare->b;
    if (a->n_gpu != b->n_gpu && a->n_gpu > 0 && b->n_gpu > 0) {
        add(compare, ASSAY_COMPARE_HARDWARE, "accelerators", print(compare, "%u", a->n_gpu),
            print(compare, "%u", b->n_gpu));
    }
    for (uint32_t i = 0; i < a->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &a->gpu[i], *other = same_gpu(b, gpu, i);
        const char *owner =
            gpu->bdf.s ? print(compare, "%s ", gpu->bdf.s) : print(compare, "accelerator %u ", i);
        for (size_t f = 0; other && f < sizeof gpu_field / sizeof gpu_field[0]; f++) {
            compare_field(compare, &gpu_field[f], owner, gpu, other);
        }
    }
}

/* --- lists of names and values ---------------------------------------------------------------- */

typedef struct {
    const char *name, *value;
    assay_place_t at;
} entry_t;
typedef struct {
    const entry_t *entry;
    uint32_t n;
} entries_t;

static entries_t settings(compare_t *compare, const assay_host_setting_t *setting, uint32_t n) {
    entry_t *entry = assay_arena_array(compare->arena, n + 1, sizeof *entry);
    compare->full |= entry == NULL;
    for (uint32_t i = 0; entry && i < n; i++) {
        entry[i] = (entry_t){setting[i].name, setting[i].value, setting[i].at};
    }
    return (entries_t){entry, entry ? n : 0};
}

/* with_path: of firmware, whose name is the block and the device. */
static entries_t versions(compare_t *compare, const assay_host_version_t *version, uint32_t n,
                          bool with_path) {
    entry_t *entry = assay_arena_array(compare->arena, n + 1, sizeof *entry);
    compare->full |= entry == NULL;
    for (uint32_t i = 0; entry && i < n; i++) {
        const char *name = with_path && version[i].path
                               ? print(compare, "%s of %s", version[i].kind, version[i].path)
                               : version[i].kind;
        entry[i] = (entry_t){name, version[i].version ? version[i].version : "?", version[i].at};
    }
    return (entries_t){entry, entry ? n : 0};
}

static const entry_t *find(entries_t list, const char *name) {
    for (uint32_t i = 0; i < list.n; i++) {
        if (strcmp(list.entry[i].name, name) == 0) {
            return list.entry + i;
        }
    }
    return NULL;
}

static void compare_entries(compare_t *compare, assay_compare_group_t group, const char *kind,
                            entries_t a, entries_t b) {
    if (a.n == 0 || b.n == 0) {
        compare->out->n_one_side += a.n + b.n;
        return;
    }
    for (uint32_t i = 0; i < a.n + b.n; i++) {
        const bool of_a = i < a.n;
        const entry_t *one = of_a ? &a.entry[i] : &b.entry[i - a.n];
        const entry_t *other = find(of_a ? b : a, one->name);
        if (find(of_a ? a : b, one->name) != one || (!of_a && other)) {
            continue; /* a second one of that name, or told already */
        }
        if (other && strcmp(one->value, other->value) == 0) {
            compare->out->n_same++;
            continue;
        }
        const entry_t *side_a = of_a ? one : other, *side_b = of_a ? other : one;
        assay_difference_t *difference =
            add(compare, group, print(compare, "%s %s", kind, one->name),
                side_a ? side_a->value : NULL, side_b ? side_b->value : NULL);
        difference->at_a = side_a ? side_a->at : difference->at_a;
        difference->at_b = side_b ? side_b->at : difference->at_b;
    }
}

static void compare_lists(compare_t *compare) {
    const assay_host_t *a = compare->a, *b = compare->b;
#define SETTINGS(group, kind, list)                                                                \
    compare_entries(compare, ASSAY_COMPARE_##group, kind, settings(compare, a->list, a->n_##list), \
                    settings(compare, b->list, b->n_##list))
    SETTINGS(SETTING, "env", env);
    SETTINGS(SETTING, "config", config);
    SETTINGS(SETTING, "parameter", module_parameter);
    SETTINGS(SETTING, "NIC", nic_setting);
    SETTINGS(VERSION, "package", package);
#define VERSIONS(group, kind, list, with_path)                          \
    compare_entries(compare, ASSAY_COMPARE_##group, kind,               \
                    versions(compare, a->list, a->n_##list, with_path), \
                    versions(compare, b->list, b->n_##list, with_path))
    VERSIONS(VERSION, "library", library, false);
    VERSIONS(VERSION, "tree", tree, false);
    VERSIONS(DRIVER, "firmware", firmware, true);
    VERSIONS(DRIVER, "dkms", dkms, false);
}

/* --- what was measured ------------------------------------------------------------------------ */

static void compare_number(compare_t *compare, const char *what, double a, double b,
                           bool more_is_good, const char *unit, const assay_place_t *at_a,
                           const assay_place_t *at_b) {
    if (!(a > 0) || !(b > 0)) {
        return;
    }
    if (fabs(a - b) <= 1e-9 * a) {
        compare->out->n_same++;
        return;
    }
    assay_difference_t *difference =
        add(compare, ASSAY_COMPARE_MEASURED, what, print(compare, "%.4g %s", a, unit),
            print(compare, "%.4g %s", b, unit));
    difference->at_a = *at_a;
    difference->at_b = *at_b;
    difference->change = b / a - 1;
    const double gain = more_is_good ? b / a : a / b;
    difference->worse = gain < 1 - compare->slower;
    compare->out->n_worse += difference->worse;
}

static void compare_measured(compare_t *compare) {
    const assay_host_t *a = compare->a, *b = compare->b;
    for (uint32_t i = 0; i < a->n_collective; i++) {
        const assay_host_collective_t *one = &a->collective[i];
        for (uint32_t k = 0; k < b->n_collective; k++) {
            const assay_host_collective_t *other = &b->collective[k];
            if (strcmp(one->operation, other->operation) == 0 && one->ranks == other->ranks &&
                fabs(one->bytes - other->bytes) < 0.5) {
                compare_number(
                    compare,
                    print(compare, "%s on %u, %.12g bytes", one->operation, one->ranks, one->bytes),
                    one->bus_bytes_per_s / 1e9, other->bus_bytes_per_s / 1e9, true, "GB/s",
                    &one->at, &other->at);
                break;
            }
        }
    }
    for (uint32_t i = 0; i < a->n_profile; i++) {
        const assay_host_profile_t *one = &a->profile[i];
        for (uint32_t k = 0; one->calls > 0 && one->total_s > 0 && k < b->n_profile; k++) {
            const assay_host_profile_t *other = &b->profile[k];
            if (strcmp(one->table, other->table) == 0 && strcmp(one->name, other->name) == 0 &&
                other->calls > 0) {
                compare_number(compare, print(compare, "%s %s a call", one->table, one->name),
                               1e6 * one->total_s / one->calls, 1e6 * other->total_s / other->calls,
                               false, "us", &one->at, &other->at);
                break;
            }
        }
    }
}

/* --- what the doctor finds on one side -------------------------------------------------------- */

static const assay_doctor_finding_t *same_finding(const assay_diagnosis_t *diagnosis,
                                                  const assay_check_t *check) {
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        if (diagnosis->finding[i].check == check) {
            return &diagnosis->finding[i];
        }
    }
    return NULL;
}

/* A check that one side could not make is no difference. */
static void compare_findings(compare_t *compare, const assay_diagnosis_t *a,
                             const assay_diagnosis_t *b) {
    for (uint32_t i = 0; i < a->n_finding; i++) {
        const assay_doctor_finding_t *one = &a->finding[i], *other = same_finding(b, one->check);
        if (!other || one->status > ASSAY_CHECK_GOOD || other->status > ASSAY_CHECK_GOOD ||
            one->status == other->status || same_finding(a, one->check) != one) {
            continue;
        }
        assay_difference_t *difference =
            add(compare, ASSAY_COMPARE_FINDING, one->check->id, one->evidence, other->evidence);
        difference->at_a = one->at;
        difference->at_b = other->at;
        difference->worse =
            other->status == ASSAY_CHECK_BAD && other->severity <= ASSAY_SEVERITY_WARNING;
        compare->out->n_worse += difference->worse;
    }
}

static int by_group(const void *x, const void *y) {
    const assay_difference_t *a = x, *b = y;
    return a->group != b->group ? a->group - b->group : strcmp(a->what, b->what);
}

assay_status_t assay_host_compare(assay_arena_t *arena, const assay_host_rules_t *rules,
                                  const assay_host_t *a, const assay_host_t *b,
                                  assay_comparison_t **out_comparison, assay_error_t *err) {
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    assay_diagnosis_t *of_a, *of_b;
    compare_t compare = {.arena = arena,
                         .a = a,
                         .b = b,
                         .out = assay_arena_alloc(arena, sizeof *compare.out),
                         .difference =
                             assay_arena_array(arena, DIFFERENCES_MAX, sizeof *compare.difference),
                         .slower = host_threshold_find(rules, "compare.slower")};
    if (!compare.out || !compare.difference) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = assay_doctor(arena, rules, a, &options, &of_a, err);
    if (!status) {
        status = assay_doctor(arena, rules, b, &options, &of_b, err);
    }
    if (status) {
        return status;
    }
    *compare.out =
        (assay_comparison_t){.a = a->name, .b = b->name, .difference = compare.difference};
    for (size_t i = 0; i < sizeof host_field / sizeof host_field[0]; i++) {
        compare_field(&compare, &host_field[i], "", a, b);
    }
    compare_gpus(&compare);
    compare_lists(&compare);
    compare_measured(&compare);
    compare_findings(&compare, of_a, of_b);
    if (compare.full) {
        return assay_error_memory(err, NULL);
    }
    qsort(compare.difference, compare.out->n_difference, sizeof *compare.difference, by_group);
    *out_comparison = compare.out;
    return ASSAY_OK;
}
