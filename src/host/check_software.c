/* Builds, overrides, tools, profiles. */
#include <stdio.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* gfx942 and sm_90 are targets; a list may add features: gfx90a:sramecc+. */
static bool lists_target(const char *list, const char *target) {
    host_span_t rest = host_span(list);
    for (host_span_t word; (word = host_word(&rest)).n > 0;) {
        if (host_is(host_cut(&word, ":"), target)) {
            return true;
        }
    }
    return false;
}

static void target_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *built = &host->build_targets;
    uint32_t k = 0;
    const assay_host_event_t *event = host_check_event(check, "invalid-device-function", &k);
    bool judged = false;
    for (uint32_t i = 0; built->s && i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!gpu->target.s) {
            continue;
        }
        judged = true;
        if (lists_target(built->s, gpu->target.s)) {
            host_check_good(check, &built->at, "the build has code for %s", gpu->target.s);
        } else {
            host_check_fill(check, "target", "%s", gpu->target.s);
            host_check_bad(check, &built->at, gpu->bdf.s,
                           "the build has code for %s, and none for "
                           "%s",
                           built->s, gpu->target.s);
        }
    }
    uint32_t m = 0;
    const assay_host_event_t *illegal = host_check_event(check, "illegal-instruction", &m);
    event = event ? event : illegal;
    if (event && !judged) {
        const char *target = host->n_gpu > 0 ? host->gpu[0].target.s : NULL;
        if (target) {
            host_check_fill(check, "target", "%s", target);
        }
        host_check_bad(check, &event->at, NULL, "%s%s%s", event->text,
                       target ? host_check_said(check, "; the accelerator is ") : "",
                       target ? target : "");
    }
}

/* The code target of a part, from its name; NULL: not known. */
static const char *native_target(const assay_host_gpu_t *gpu) {
    static const struct {
        const char *name, *target;
    } row[] = {{"MI100", "gfx908"}, {"MI210", "gfx90a"}, {"MI250", "gfx90a"}, {"MI300", "gfx942"},
               {"MI308", "gfx942"}, {"MI325", "gfx942"}, {"MI350", "gfx950"}, {"MI355", "gfx950"},
               {"MI50", "gfx906"},  {"MI60", "gfx906"}};
    for (size_t i = 0; gpu->name.s && i < sizeof row / sizeof row[0]; i++) {
        if (strstr(gpu->name.s, row[i].name)) {
            return row[i].target;
        }
    }
    return NULL;
}

static void target_overridden(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const char *native = NULL;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        native = native ? native : native_target(&host->gpu[i]);
    }
    bool any = false;
    for (uint32_t i = 0; i < host->n_env; i++) {
        const assay_host_setting_t *setting = &host->env[i];
        unsigned major, minor, step;
        if (strncmp(setting->name, "HSA_OVERRIDE_GFX_VERSION", 24) != 0) {
            continue;
        }
        any = true;
        char target[32];
        (void)snprintf(target, sizeof target, "%s", host_check_said(check, "an unknown target"));
        if (sscanf(setting->value, "%2u.%2u.%2u", &major, &minor, &step) == 3) {
            (void)snprintf(target, sizeof target, "gfx%u%x%x", major, minor, step);
        }
        if (native && strcmp(native, target) != 0) {
            host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &setting->at, NULL,
                              "%s=%s makes a %s part claim %s", setting->name, setting->value,
                              native, target);
        } else {
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &setting->at, NULL,
                              "%s=%s: code for %s runs, whatever the part is", setting->name,
                              setting->value, target);
        }
    }
    if (!any && host->env_seen) {
        host_check_good(check, NULL, "no override is set");
    }
}

/* Targets that hipBLASLt is built for: ROCm/hipBLASLt README. */
static void no_hipblaslt(host_check_t *check) {
    static const char *const target[] = {"gfx90a",  "gfx942",  "gfx950", "gfx1100",
                                         "gfx1101", "gfx1200", "gfx1201"};
    const assay_host_t *host = host_check_host(check);
    if (host_check_events(check, "hipblaslt-unsupported")) {
        return;
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_text_t *own = &host->gpu[i].target;
        for (size_t k = 0; own->s && k < sizeof target / sizeof target[0]; k++) {
            if (strcmp(own->s, target[k]) == 0) {
                host_check_good(check, &own->at, "hipBLASLt has kernels for %s", own->s);
            }
        }
    }
}

/* A tool that lists fewer devices than there are partitions. */
static void tool_miscounts(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *listed = &host->gpus_listed, *expected = &host->gpus_expected;
    if (!assay_host_known(listed->state) || !assay_host_known(expected->state)) {
        return;
    }
    if (listed->v < expected->v) {
        host_check_bad(check, &listed->at, NULL, "the tool lists %.0f of %.0f devices", listed->v,
                       expected->v);
    } else {
        host_check_good(check, &listed->at, "the tool lists %.0f devices", listed->v);
    }
}

/* Peers over PCIe need fine-grained memory for RCCL's flags. */
static void no_fine_grain(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t n_xgmi = 0;
    for (uint32_t i = 0; i < host->n_link; i++) {
        n_xgmi += host->link[i].type && strcmp(host->link[i].type, "XGMI") == 0;
    }
    if (!host->env_seen) {
        return;
    }
    const char *value = host_env_find(host, "HSA_FORCE_FINE_GRAIN_PCIE");
    if (value && strcmp(value, "1") == 0) {
        host_check_good(check, NULL, "HSA_FORCE_FINE_GRAIN_PCIE=1");
    } else if (n_xgmi > 0 && n_xgmi == host->n_link) {
        host_check_none(check, "all accelerators are joined by XGMI");
    } else if (host_has_amd_peers(host) == HOST_YES) {
        host_check_bad(check, NULL, NULL, "HSA_FORCE_FINE_GRAIN_PCIE is not set");
    } else {
        host_check_none(check, "no two AMD accelerators that copy to each other");
    }
}

/* Calls that a program makes once, at its start. */
static void startup_profile(host_check_t *check) {
    static const char *const once[] = {"hipStreamCreateWithFlags",
                                       "hipStreamCreate",
                                       "hipGetDeviceCount",
                                       "hipInit",
                                       "hipHostMalloc",
                                       "hipModuleLoad",
                                       "hipSetDevice",
                                       "__hipRegisterFatBinary"};
    const assay_host_t *host = host_check_host(check);
    double share = 0;
    const assay_host_profile_t *first = NULL, *most = NULL;
    for (uint32_t i = 0; i < host->n_profile; i++) {
        const assay_host_profile_t *profile = &host->profile[i];
        if (strcmp(profile->table, "hip_api") != 0) {
            continue;
        }
        first = first ? first : profile;
        for (size_t k = 0; k < sizeof once / sizeof once[0]; k++) {
            if (strcmp(profile->name, once[k]) == 0) {
                share += profile->share;
                most = !most || profile->share > most->share ? profile : most;
            }
        }
    }
    if (!first) {
        return;
    }
    if (most && share > host_check_threshold(check, "share")) {
        host_check_bad(check, &most->at, NULL,
                       "%.0f %% of the API time are calls that start up, %.0f %% of it %s",
                       100 * share, 100 * most->share, most->name);
    } else {
        host_check_good(check, &first->at, "%.0f %% of the API time start up", 100 * share);
    }
}

static const host_check_row_t row[] = {
    {"ENV-007", no_fine_grain},    {"PRF-001", startup_profile}, {"SW-001", target_missing},
    {"SW-002", target_overridden}, {"SW-003", no_hipblaslt},     {"SW-009", tool_miscounts},
};
const host_check_group_t host_checks_software = {row, sizeof row / sizeof row[0]};
