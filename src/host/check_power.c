/* Power, temperature, clocks. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* The second die of a package shows no sensor of its own: no power, and a cap of 0 W. */
static bool is_second_die(const assay_host_gpu_t *gpu) {
    return assay_host_known(gpu->power_cap_w.state) && gpu->power_cap_w.v == 0;
}

static void cap_lowered(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (is_second_die(gpu) || !assay_host_known(gpu->power_cap_w.state) ||
            !assay_host_known(gpu->power_cap_default_w.state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (gpu->power_cap_w.v < gpu->power_cap_default_w.v) {
            host_check_fill(check, "watts", "%.0f", gpu->power_cap_default_w.v);
            host_check_bad(check, &gpu->power_cap_w.at, host_check_device(check, gpu),
                           "%s is capped at %.0f W, by default %.0f W", name, gpu->power_cap_w.v,
                           gpu->power_cap_default_w.v);
        } else {
            host_check_good(check, &gpu->power_cap_w.at, "%s is capped at %.0f W", name,
                            gpu->power_cap_w.v);
        }
    }
}

/* A reading that cannot be: almost nothing under load, or far above the cap. */
static void power_impossible(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double busy = host_check_threshold(check, "busy"),
                 low = host_check_threshold(check, "low_share"),
                 least_cap = host_check_threshold(check, "least_cap_w"),
                 high = host_check_threshold(check, "high_share");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->power_w.state) || is_second_die(gpu)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        const bool cap = assay_host_known(gpu->power_cap_w.state);
        const double floor = low * (cap ? gpu->power_cap_w.v : least_cap);
        if (assay_host_known(gpu->gfx_busy.state) && gpu->gfx_busy.v > busy &&
            gpu->power_w.v < floor) {
            host_check_bad(check, &gpu->power_w.at, host_check_device(check, gpu),
                           "%s shows %.0f W at %.0f %% activity", name, gpu->power_w.v,
                           100 * gpu->gfx_busy.v);
        } else if (cap && gpu->power_w.v > high * gpu->power_cap_w.v) {
            host_check_bad(check, &gpu->power_w.at, host_check_device(check, gpu),
                           "%s shows %.0f W with a cap of %.0f W", name, gpu->power_w.v,
                           gpu->power_cap_w.v);
        } else {
            host_check_good(check, &gpu->power_w.at, "%s shows %.0f W", name, gpu->power_w.v);
        }
    }
}

/* What limits a busy accelerator, from differences of counters. */
static void limited(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double share = host_check_threshold(check, "share");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const struct {
            const assay_host_number_t *ticks;
            const char *what;
        } row[] = {{&gpu->power_ticks, "power"},
                   {&gpu->prochot_ticks, "PROCHOT (board or power supply)"},
                   {&gpu->thermal_ticks, "temperature of the package"},
                   {&gpu->vr_ticks, "temperature of the regulators"},
                   {&gpu->hbm_ticks, "temperature of the memory"}};
        if (!assay_host_known(gpu->sample_ticks.state) || gpu->sample_ticks.v <= 0) {
            continue;
        }
        bool any = false;
        for (size_t r = 0; r < sizeof row / sizeof row[0]; r++) {
            const char *what = host_check_said(check, row[r].what);
            const double part = row[r].ticks->v / gpu->sample_ticks.v;
            if (assay_host_known(row[r].ticks->state) && part > share) {
                any = true;
                host_check_fill(check, "limit", "%s", what);
                host_check_bad(check, &row[r].ticks->at, host_check_device(check, gpu),
                               "%s was limited by %s for %.1f %% of the interval",
                               host_check_gpu_name(check, gpu), what, 100 * part);
            }
        }
        if (!any) {
            host_check_good(check, &gpu->sample_ticks.at, "%s was hardly limited",
                            host_check_gpu_name(check, gpu));
        }
    }
}

/* --- temperature ----------------------------------------------------------------------------- */

static void near_limit(host_check_t *check, size_t offset, size_t limit_offset) {
    const assay_host_t *host = host_check_host(check);
    const double margin = host_check_threshold(check, "margin_k");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *now = (const void *)((const char *)gpu + offset),
                                  *limit = (const void *)((const char *)gpu + limit_offset);
        if (!assay_host_known(now->state) || !assay_host_known(limit->state) || limit->v <= 0) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (now->v > limit->v - margin) {
            const char *fan =
                assay_host_known(gpu->fan.state)
                    ? host_check_printf(check, "; its fan runs at %.0f %%", 100 * gpu->fan.v)
                    : "";
            host_check_bad(check, &now->at, host_check_device(check, gpu),
                           "%s is at %.0f degrees; it slows down at %.0f%s", name, now->v, limit->v,
                           fan);
        } else {
            host_check_good(check, &now->at, "%s is at %.0f degrees", name, now->v);
        }
    }
}

static void hot(host_check_t *check) {
    near_limit(check, offsetof(assay_host_gpu_t, hotspot_c),
               offsetof(assay_host_gpu_t, hotspot_limit_c));
}

static void hot_memory(host_check_t *check) {
    near_limit(check, offsetof(assay_host_gpu_t, mem_c), offsetof(assay_host_gpu_t, mem_limit_c));
}

/* A status of one moment: under load it says that something limits, and not how long. */
static void throttled(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!gpu->throttle.s) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        const bool free_of_it = strcmp(gpu->throttle.s, "UNTHROTTLED") == 0;
        const bool busy = assay_host_known(gpu->gfx_busy.state) &&
                          gpu->gfx_busy.v > host_check_threshold(check, "busy");
        if (free_of_it) {
            host_check_good(check, &gpu->throttle.at, "%s is not throttled", name);
        } else if (busy) {
            host_check_bad(check, &gpu->throttle.at, host_check_device(check, gpu),
                           "%s is %s while busy", name, gpu->throttle.s);
        } else {
            host_check_unknown(check, "%s is %s, and whether it was busy is not given", name,
                               gpu->throttle.s);
        }
    }
}

/* --- clocks ---------------------------------------------------------------------------------- */

static void clock_stuck(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double busy = host_check_threshold(check, "busy"),
                 share = host_check_threshold(check, "share"),
                 least_hz = host_check_threshold(check, "least_max_hz");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->gfx_hz.state) || !assay_host_known(gpu->gfx_busy.state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        const double most = assay_host_known(gpu->gfx_hz_max.state) ? gpu->gfx_hz_max.v : least_hz;
        const bool at_cap =
            assay_host_known(gpu->power_w.state) && assay_host_known(gpu->power_cap_w.state) &&
            gpu->power_w.v > host_check_threshold(check, "cap_share") * gpu->power_cap_w.v;
        if (gpu->gfx_busy.v <= busy) {
            host_check_unknown(check, "%s is at rest, where clocks fall", name);
        } else if (gpu->gfx_hz.v >= share * most) {
            host_check_good(check, &gpu->gfx_hz.at, "%s runs %.0f MHz while busy", name,
                            gpu->gfx_hz.v / 1e6);
        } else if (at_cap) {
            host_check_good(check, &gpu->gfx_hz.at, "%s is slow because it is at its power cap",
                            name);
        } else {
            host_check_bad(check, &gpu->gfx_hz.at, host_check_device(check, gpu),
                           "%s runs %.0f MHz at %.0f %% activity", name, gpu->gfx_hz.v / 1e6,
                           100 * gpu->gfx_busy.v);
        }
    }
}

static const host_check_row_t row[] = {
    {"CLK-001", clock_stuck}, {"PWR-001", cap_lowered}, {"PWR-003", power_impossible},
    {"PWR-006", limited},     {"THM-001", hot},         {"THM-002", hot_memory},
    {"THM-003", throttled},
};
const host_check_group_t host_checks_power = {row, sizeof row / sizeof row[0]};
