/* Fleets that make images: devices, latency, what an image costs; and the request itself. */
#include "decide/explain_tree.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

#define PLAN "assay/image_plan.h"
#define STEP "assay/image_step.h"
#define IMAGES DECIDE_IMAGES

static const assay_image_demand_t *demand(const explain_t *e) {
    return e->image->demand;
}

static const assay_image_fleet_t *fleet(const explain_t *e) {
    return &e->image->fleet;
}

static bool is_loop(const explain_t *e) {
    return demand(e)->rate_per_s <= 0.0;
}

/* ---- the request ---- */

static explained_t part(explain_t *e, int p, bool deep) {
    const char *name = assay_image_part_name((assay_image_part_t)p);
    assay_explained_t *node = explain_model(e, name, fleet(e)->part_s[p], "s", STEP);
    const assay_dtype_t dtype = demand(e)->work.dtype;
    const assay_device_t *device = &e->machine->device;
    if (deep) {
        explain_say(node, "engine", demand(e)->engine, 0.0);
        explain_add(e, node,
                    explain_part(e, "peak of a device, dense", device->peak_flops[dtype], "FLOP/s",
                                 &e->machine->accelerator->peak_flops[dtype]));
        explain_add(e, node,
                    explain_part(e, "memory rate of a device", device->hbm_bytes_per_s, "B/s",
                                 &e->machine->accelerator->hbm_bytes_per_s));
    }
    return node;
}

static explained_t part_named(explain_t *e) {
    for (int p = 0; p < ASSAY_IMAGE_PART_N; p++) {
        if (strcmp(explain_last(e), assay_image_part_name((assay_image_part_t)p)) == 0) {
            return part(e, p, true);
        }
    }
    return NULL;
}

static explained_t request(explain_t *e) {
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "time_s", fleet(e)->request_s, "s");
    for (int p = 0; p < ASSAY_IMAGE_PART_N; p++) {
        explain_add(e, sum, part(e, p, false));
    }
    return sum;
}

static explained_t interval(explain_t *e) {
    return explain_interval(e, ASSAY_CALIB_IMAGE_SIGMA, demand(e)->work.dtype, STEP);
}

static explained_t share_of_peak(explain_t *e) {
    const assay_dtype_t dtype = demand(e)->work.dtype;
    const double peak = e->machine->device.peak_flops[dtype];
    assay_explained_t *most = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "at the peak meanwhile",
                                           peak * fleet(e)->request_s, "FLOP");
    explain_add(e, most,
                explain_part(e, "peak of a device, dense", peak, "FLOP/s",
                             &e->machine->accelerator->peak_flops[dtype]));
    explain_add(e, most, request(e));
    return explain_quotient(e, "share_of_peak", fleet(e)->flops_share, "1",
                            explain_model(e, "FLOPs of a request",
                                          fleet(e)->flops_share * peak * fleet(e)->request_s,
                                          "FLOP", "assay/image_ops.h"),
                            most);
}

static explained_t stage(explain_t *e) {
    const uint32_t i = e->path->step[4].index;
    const assay_image_work_t *work = &demand(e)->work;
    if (i >= work->n_stage) {
        return NULL;
    }
    const char *key = explain_last(e);
    if (strcmp(key, "passes") == 0) {
        return work->stage[i].passes > 1.0
                   ? explain_work(e, "passes", work->stage[i].passes, "1", "steps")
                   : explain_model(e, "passes", work->stage[i].passes, "1", "assay/image_work.h");
    }
    assay_explained_t *node = explain_model(e, key, fleet(e)->stage_s[i], "s", STEP);
    explain_say(node, "of", work->stage[i].name, 0.0);
    explain_add(e, node,
                explain_model(e, "passes", work->stage[i].passes, "1", "assay/image_work.h"));
    explain_add(e, node,
                explain_model(e, "parameters", work->stage[i].params, "1", "assay/image_ops.h"));
    return node;
}

static explained_t memory(explain_t *e) {
    const char *key = explain_last(e);
    if (strcmp(key, "available_bytes") == 0) {
        return explain_part(e, key, e->path->value, "B", &e->machine->accelerator->hbm_bytes);
    }
    if (strcmp(key, "context_bytes") == 0) {
        return explain_input(
            e, key, e->path->value, "B",
            EXPLAIN_SAY(e, CALIBRATION, "memory_context_bytes", e->machine->accelerator->id));
    }
    return explain_model(e, key, e->path->value, "B", STEP);
}

static explained_t claim(explain_t *e) {
    return explain_input(
        e, "time_s", demand(e)->claim_s, "s",
        explain_format(e, "claims.csv, %s: %s", demand(e)->claim, demand(e)->claim_source));
}

/* ---- how many ---- */

static explained_t rate(explain_t *e) {
    return explain_work(e, "requests a second", demand(e)->rate_per_s, "1/s", "rate");
}

static explained_t needed(explain_t *e) {
    const double busy = demand(e)->rate_per_s * fleet(e)->request_s;
    if (!is_loop(e) && demand(e)->latency_p99_s <= 0.0) {
        assay_explained_t *work =
            explain_node(e, ASSAY_EXPLAIN_PRODUCT, "devices that are busy", busy, "1");
        explain_add(e, work, rate(e));
        explain_add(e, work, request(e));
        assay_explained_t *whole =
            explain_node(e, ASSAY_EXPLAIN_CEILING, "devices_needed", fleet(e)->needed, "1");
        explain_add(
            e, whole,
            explain_quotient(e, "with room", busy / ASSAY_IMAGE_USUAL_LOAD, "1", work,
                             explain_constant(e, "usual load", ASSAY_IMAGE_USUAL_LOAD, "1")));
        return whole;
    }
    assay_explained_t *node =
        explain_node(e, ASSAY_EXPLAIN_SEARCH, "devices_needed", fleet(e)->needed, "1");
    explain_say(node, "rule", "the fewest that keep the limit of latency, by bisection", 0.0);
    explain_add(e, node,
                is_loop(e) ? explain_work(e, "requests at a time", demand(e)->concurrency, "1",
                                          "concurrency")
                           : rate(e));
    explain_add(e, node,
                explain_work(e, "limit", demand(e)->latency_p99_s, "s", "slo.latency_p99"));
    explain_add(e, node, request(e));
    return node;
}

static explained_t of_node(explain_t *e) {
    return explain_input(e, "devices of a node", e->machine->devices_per_node, "1",
                         EXPLAIN_SAY(e, CATALOG, e->machine->accelerator->id));
}

static explained_t nodes(explain_t *e) {
    assay_explained_t *whole =
        explain_node(e, ASSAY_EXPLAIN_CEILING, "nodes", fleet(e)->nodes, "1");
    explain_add(e, whole,
                explain_quotient(e, "of a node",
                                 (double)fleet(e)->needed / e->machine->devices_per_node, "1",
                                 needed(e), of_node(e)));
    return whole;
}

static explained_t devices(explain_t *e) {
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "devices", fleet(e)->devices, "1");
    explain_add(e, all, nodes(e));
    explain_add(e, all, of_node(e));
    return all;
}

/* ---- how fast ---- */

/* Requests that are answered. */
static explained_t answered(explain_t *e) {
    if (!is_loop(e)) {
        return rate(e);
    }
    const assay_queue_t *latency = &fleet(e)->latency;
    const double each_s = fmax(latency->mean_s, fleet(e)->request_s);
    assay_explained_t *each =
        explain_node(e, ASSAY_EXPLAIN_MAX, "time of each, with its turn", each_s, "s");
    explain_add(e, each, explain_model(e, "mean latency", latency->mean_s, "s", PLAN));
    explain_add(e, each, request(e));
    return explain_quotient(
        e, "requests a second", demand(e)->concurrency / each_s, "1/s",
        explain_work(e, "requests at a time", demand(e)->concurrency, "1", "concurrency"), each);
}

static explained_t load(explain_t *e) {
    explained_t per_s = answered(e);
    const double busy = (per_s ? per_s->value : 0.0) * fleet(e)->request_s;
    assay_explained_t *work =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "devices that are busy", busy, "1");
    explain_add(e, work, per_s);
    explain_add(e, work, request(e));
    assay_explained_t *least = explain_node(e, ASSAY_EXPLAIN_MIN, "load", fleet(e)->load, "1");
    explain_add(e, least, explain_constant(e, "all of the time", 1.0, "1"));
    explain_add(
        e, least,
        explain_quotient(e, "of all devices", busy / fleet(e)->devices, "1", work, devices(e)));
    return least;
}

static explained_t latency(explain_t *e) {
    const char *key = explain_last(e);
    if (is_loop(e)) { /* in turn */
        const double turns = fmax(1.0, demand(e)->concurrency / fleet(e)->devices);
        assay_explained_t *wait = explain_node(e, ASSAY_EXPLAIN_MAX, "turns", turns, "1");
        explain_add(e, wait, explain_constant(e, "one", 1.0, "1"));
        explain_add(e, wait,
                    explain_quotient(e, "requests for a device",
                                     demand(e)->concurrency / fleet(e)->devices, "1",
                                     explain_work(e, "requests at a time", demand(e)->concurrency,
                                                  "1", "concurrency"),
                                     devices(e)));
        assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, key, e->path->value, "s");
        explain_add(e, all, request(e));
        explain_add(e, all, wait);
        return all;
    }
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SAMPLE, key, e->path->value, "s");
    explain_say(node, "statistic",
                strstr(key, "p50")   ? "quantile 0.5"
                : strstr(key, "p90") ? "quantile 0.9"
                                     : "quantile 0.99",
                0.0);
    explain_say(node, "of", "time from a request's arrival to its end, first come first served",
                0.0);
    explain_say(node, "points", NULL, ASSAY_QUEUE_REQUESTS);
    explain_say(node, "sequence", "arrivals of a Poisson process; assay/queue.h", 0.0);
    explain_say(node, "seed", NULL, 1.0);
    explain_say(node, "command", explain_command(e), 0.0);
    explain_add(e, node, rate(e));
    explain_add(e, node, request(e));
    explain_add(e, node, devices(e));
    return node;
}

static explained_t output(explain_t *e) {
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "images_per_s", fleet(e)->images_per_s, "1/s");
    explain_add(e, all, answered(e));
    explain_add(e, all, explain_work(e, "images of a request", demand(e)->images, "1", "images"));
    return all;
}

static explained_t per_device(explain_t *e) {
    return explain_quotient(
        e, "images_per_s_per_device", fleet(e)->images_per_s_per_device, "1/s",
        explain_work(e, "images of a request", demand(e)->images, "1", "images"), request(e));
}

static explained_t power(explain_t *e) {
    assay_explained_t *node =
        explain_model(e, "device_w", fleet(e)->device_w, "W", "assay/physics.h");
    explain_add(e, node, load(e));
    explain_add(e, node, share_of_peak(e));
    if (e->machine->package_cap_w.known) {
        explain_add(e, node,
                    explain_part(e, "cap of an accelerator", e->machine->package_cap_w.v, "W",
                                 &e->machine->package_cap_w));
    }
    return node;
}

/* ---- what it costs ---- */

explained_t explain_month(explain_t *e) {
    const double usd = e->serving ? e->serving->month_usd : e->image->month_usd;
    assay_explained_t *month = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "month_usd", usd, "USD");
    explain_add(e, month, explain_rate(e));
    explain_add(e, month,
                explain_quotient(e, "hours a month", ASSAY_HOURS_PER_MONTH, "h",
                                 explain_constant(e, "hours a year", ASSAY_HOURS_PER_YEAR, "h"),
                                 explain_constant(e, "months a year", 12.0, "1")));
    return month;
}

explained_t explain_per_watt(explain_t *e, double value, explained_t per_s) {
    const double wh = 1e3 * e->point->energy_kwh;
    assay_explained_t *energy =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "energy of a month", wh, "Wh");
    explain_add(e, energy, explain_energy(e));
    explain_add(e, energy, explain_constant(e, "kilo", 1e3, "Wh/kWh"));
    return explain_quotient(
        e, explain_last(e), value, "1/J", per_s,
        explain_quotient(e, "at the wall", wh / ASSAY_HOURS_PER_MONTH, "W", energy,
                         explain_constant(e, "hours a month", ASSAY_HOURS_PER_MONTH, "h")));
}

static explained_t per_1000(explain_t *e, double value, explained_t per_s, double images_per_s) {
    assay_explained_t *many = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "cost times a thousand",
                                           1e3 * e->point->rate_usd_per_h, "USD/h");
    explain_add(e, many, explain_rate(e));
    explain_add(e, many, explain_constant(e, "a thousand", 1e3, "1"));
    assay_explained_t *made =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "images an hour", 3600.0 * images_per_s, "1/h");
    explain_add(e, made, per_s);
    explain_add(e, made, explain_constant(e, "seconds an hour", 3600.0, "s/h"));
    return explain_quotient(e, explain_last(e), value, "USD", many, made);
}

static explained_t per_1000_images(explain_t *e) {
    return per_1000(e, e->image->usd_per_1000, output(e), fleet(e)->images_per_s);
}

static explained_t per_1000_busy(explain_t *e) {
    const double per_s = fleet(e)->images_per_s_per_device * fleet(e)->devices;
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "images a second of busy devices", per_s, "1/s");
    explain_add(e, all, per_device(e));
    explain_add(e, all, devices(e));
    return per_1000(e, e->image->usd_per_1000_busy, all, per_s);
}

static explained_t per_watt(explain_t *e) {
    return explain_per_watt(e, e->image->images_per_s_per_w, output(e));
}

/* ---- what was asked ---- */

static explained_t asked(explain_t *e) {
    static const struct {
        const char *name, *key, *unit;
    } row[] = {{"width", "width", "pixel"},
               {"height", "height", "pixel"},
               {"steps", "steps", "1"},
               {"images_per_request", "images", "1"},
               {"requests_per_s", "rate", "1/s"},
               {"concurrency", "concurrency", "1"},
               {"limit_p99_s", "slo.latency_p99", "s"}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        if (strcmp(explain_last(e), row[k].name) == 0) {
            return explain_work(e, row[k].name, e->path->value, row[k].unit, row[k].key);
        }
    }
    return NULL;
}

const explain_row_t explain_image_row[] = {
    {"asked.*", IMAGES, asked},
    {"candidates.*.request.time_s", IMAGES, request},
    {"candidates.*.request.rel_p10", IMAGES, interval},
    {"candidates.*.request.rel_p90", IMAGES, interval},
    {"candidates.*.request.share_of_peak", IMAGES, share_of_peak},
    {"candidates.*.request.parts_s.*", IMAGES, part_named},
    {"candidates.*.request.stages.*.*", IMAGES, stage},
    {"candidates.*.request.memory.*", IMAGES, memory},
    {"candidates.*.request.claim.time_s", IMAGES, claim},
    {"candidates.*.nodes", IMAGES, nodes},
    {"candidates.*.devices", IMAGES, devices},
    {"candidates.*.devices_needed", IMAGES, needed},
    {"candidates.*.load", IMAGES, load},
    {"candidates.*.latency_p50_s", IMAGES, latency},
    {"candidates.*.latency_p90_s", IMAGES, latency},
    {"candidates.*.latency_p99_s", IMAGES, latency},
    {"candidates.*.images_per_s", IMAGES, output},
    {"candidates.*.images_per_s_per_device", IMAGES, per_device},
    {"candidates.*.images_per_s_per_w", IMAGES, per_watt},
    {"candidates.*.device_w", IMAGES, power},
    {"candidates.*.usd_per_1000_images", IMAGES, per_1000_images},
    {"candidates.*.usd_per_1000_images_busy", IMAGES, per_1000_busy},
};
const size_t explain_image_n = sizeof explain_image_row / sizeof explain_image_row[0];
