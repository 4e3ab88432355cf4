/* Clocks that are held, limits of one moment, caps that were asked for, correctable errors. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define IS_SET(fact) (assay_host_known((fact).state) && (fact).v > 0)

static bool is_busy(const assay_host_gpu_t *gpu, double busy) {
    return assay_host_known(gpu->gfx_busy.state) && gpu->gfx_busy.v > busy;
}

static bool is_auto(const assay_host_gpu_t *gpu) {
    return gpu->perf_level.s && host_is_fold(host_span(gpu->perf_level.s), "auto");
}

/* A single level that may be used, or a lock that the tool names. The automatic level holds
   nothing: some parts have one level only. */
static void clock_held(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const char *name = host_check_gpu_name(check, gpu), *device = host_check_device(check, gpu);
        const bool one = assay_host_known(gpu->gfx_levels.state) && gpu->gfx_levels.v == 1;
        if (gpu->vendor != ASSAY_VENDOR_AMD) {
            continue;
        }
        if (IS_SET(gpu->clock_locked)) {
            host_check_bad(check, &gpu->clock_locked.at, device, "the clock of %s is locked", name);
        } else if (one && gpu->perf_level.s && !is_auto(gpu)) {
            host_check_bad(check, &gpu->gfx_levels.at, device,
                           "%s may use one level of its clock (%s)", name, gpu->perf_level.s);
        } else if (one && !gpu->perf_level.s) {
            host_check_unknown(check,
                               "%s may use one level of its clock; whether that was forced "
                               "is not given",
                               name);
        } else if (assay_host_known(gpu->gfx_levels.state)) {
            host_check_good(check, &gpu->gfx_levels.at, "no level of %s is forced", name);
        } else if (assay_host_known(gpu->clock_locked.state)) {
            host_check_good(check, &gpu->clock_locked.at, "the clock of %s is free", name);
        }
    }
}

/* Clocks of memory and fabric fall at rest: only a busy accelerator tells. */
static void memory_clock_low(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double busy = host_check_threshold(check, "busy"),
                 share = host_check_threshold(check, "share");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const struct {
            const assay_host_number_t *now, *most;
            const char *what;
        } row[] = {{&gpu->mem_hz, &gpu->mem_hz_max, "memory"},
                   {&gpu->fabric_hz, &gpu->fabric_hz_max, "fabric"}};
        for (size_t r = 0; r < sizeof row / sizeof row[0]; r++) {
            const char *name = host_check_gpu_name(check, gpu);
            if (!assay_host_known(row[r].now->state) || !assay_host_known(row[r].most->state)) {
                continue;
            }
            if (!is_busy(gpu, busy)) {
                host_check_unknown(check, "%s is at rest, where clocks fall", name);
            } else if (row[r].now->v < share * row[r].most->v) {
                host_check_bad(check, &row[r].now->at, host_check_device(check, gpu),
                               "the %s clock of %s is %.0f of %.0f MHz while busy", row[r].what,
                               name, row[r].now->v / 1e6, row[r].most->v / 1e6);
            } else {
                host_check_good(check, &row[r].now->at, "the %s clock of %s is high", row[r].what,
                                name);
            }
        }
    }
}

/* --- power caps ------------------------------------------------------------------------------ */

static void cap_out_of_range(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *asked = &host->power_cap_asked_w;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *least = &gpu->power_cap_min_w, *most = &gpu->power_cap_max_w;
        const assay_host_number_t *cap = assay_host_known(asked->state) ? asked : &gpu->power_cap_w;
        if (!assay_host_known(cap->state) || !assay_host_known(least->state) ||
            !assay_host_known(most->state) || most->v <= 0 || cap->v <= 0) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (cap->v < least->v || cap->v > most->v) {
            host_check_bad(check, &cap->at, host_check_device(check, gpu),
                           "a cap of %.0f W is asked of %s, which takes %.0f to %.0f W", cap->v,
                           name, least->v, most->v);
        } else {
            host_check_good(check, &cap->at, "%.0f W is within %.0f to %.0f W", cap->v, least->v,
                            most->v);
        }
    }
}

/* --- NVIDIA ---------------------------------------------------------------------------------- */

/* Reasons of this moment. The board's own are bad at any load, the driver's for a busy accelerator;
   that the cap limits one is what caps are for. */
static void slowed(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double busy = host_check_threshold(check, "busy");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const struct {
            const assay_host_number_t *fact;
            const char *what;
            bool always;
            assay_severity_t severity;
        } row[] = {
            {&gpu->slow_thermal, "its temperature (hardware)", true, ASSAY_SEVERITY_WARNING},
            {&gpu->slow_brake, "the board's power brake", true, ASSAY_SEVERITY_WARNING},
            {&gpu->slow_thermal_soft, "a temperature (driver)", false, ASSAY_SEVERITY_WARNING},
            {&gpu->slow_power, "its power cap", false, ASSAY_SEVERITY_INFO}};
        bool any = false, known = false;
        for (size_t r = 0; r < sizeof row / sizeof row[0]; r++) {
            const char *what = host_check_said(check, row[r].what);
            known |= assay_host_known(row[r].fact->state);
            if (IS_SET(*row[r].fact) && (row[r].always || is_busy(gpu, busy))) {
                any = true;
                host_check_fill(check, "limit", "%s", what);
                host_check_bad_as(check, row[r].severity, &row[r].fact->at,
                                  host_check_device(check, gpu), "%s is slowed by %s",
                                  host_check_gpu_name(check, gpu), what);
            }
        }
        if (known && !any) {
            host_check_good(check, &row[0].fact->at, "nothing slows %s",
                            host_check_gpu_name(check, gpu));
        }
    }
}

static void application_clock(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *now = &gpu->gfx_hz_lock, *normal = &gpu->gfx_hz_default;
        if (gpu->vendor != ASSAY_VENDOR_NVIDIA || !assay_host_known(now->state) ||
            !assay_host_known(normal->state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (now->v < normal->v) {
            host_check_bad(check, &now->at, host_check_device(check, gpu),
                           "the clock of %s is set to %.0f MHz, by default %.0f", name,
                           now->v / 1e6, normal->v / 1e6);
        } else {
            host_check_good(check, &now->at, "the clock of %s is not lowered", name);
        }
    }
}

/* --- correctable errors ---------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* One reading has no rate: its peers in the host are what it is compared with. */
#define GPUS_MAX 128u

static void wears(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double least = host_check_threshold(check, "count"),
                 times = host_check_threshold(check, "times");
    double count[GPUS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < host->n_gpu && n < GPUS_MAX; i++) {
        if (assay_host_known(host->gpu[i].ras_correctable.state)) {
            count[n++] = host->gpu[i].ras_correctable.v;
        }
    }
    if (n == 0) {
        return;
    }
    qsort(count, n, sizeof *count, compare_numbers);
    const double median = count[(n - 1) / 2];
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *fact = &gpu->ras_correctable;
        if (!assay_host_known(fact->state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (fact->v <= least) {
            host_check_good(check, &fact->at, "%s counts %.0f correctable errors", name, fact->v);
        } else if (n < 2) {
            host_check_unknown(check,
                               "%s counts %.0f correctable errors; there is no peer to "
                               "compare it with",
                               name, fact->v);
        } else if (fact->v > times * median) {
            host_check_bad(check, &fact->at, host_check_device(check, gpu),
                           "%s counts %.0f correctable errors, the median of its peers is %.0f",
                           name, fact->v, median);
        } else {
            host_check_good(check, &fact->at, "%s is like its peers", name);
        }
    }
}

static const host_check_row_t row[] = {
    {"CLK-002", clock_held},        {"CLK-003", memory_clock_low}, {"NVD-011", slowed},
    {"NVD-014", application_clock}, {"PWR-002", cap_out_of_range}, {"RAS-002", wears},
};
const host_check_group_t host_checks_clock = {row, sizeof row / sizeof row[0]};
