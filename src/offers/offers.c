#include "assay/offers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/day.h"
#include "assay/text.h"

#include "base/banned.h"

#define MAX_FITS 1024u
#define NODE_DEVICES 8u /* several instances work together from whole nodes on */
#define TRY_BYTES ((size_t)256 << 20)

const char *assay_offer_term_name(assay_offer_term_t term) {
    static const char *const name[] = {
#define TERM_NAME(code, text) text,
        ASSAY_OFFER_TERM_LIST(TERM_NAME)
#undef TERM_NAME
    };
    return name[term];
}

/* What the job needs of count packages of a part: asked once, many prices share it. */
typedef struct {
    const assay_accelerator_t *part;
    uint32_t count;
    uint32_t instances; /* 0: it does not fit, or the part does not suit */
} fit_t;

typedef struct {
    assay_arena_t *arena, *tried;
    const assay_job_t *job;
    const assay_catalog_t *catalog;
    const assay_calibration_t *calibration;
    fit_t *fit;
    uint32_t n_fit;
    double disk_bytes_per_s, network_bytes_per_s;
    assay_dtype_t dtype;
    assay_offers_t *out;
    assay_error_t *err;
} search_t;

/* The job with one candidate, a machine that is only the devices of so many packages; without a
   part, with none. */
static assay_status_t ask_memory(search_t *search, const assay_accelerator_t *part, uint32_t count,
                                 assay_memory_t **out_memory, assay_error_t *err) {
    assay_resolved_t *resolved;
    assay_job_t job = *search->job;
    assay_job_candidate_t candidate = {0};
    char name[160];
    if (part) {
        snprintf(name, sizeof name, "%ux %s", count * part->devices, part->id);
        candidate.nodes = (assay_number_t){.v = 1.0, .origin = ASSAY_DEFAULT};
        candidate.system.s = name;
        candidate.system.origin = ASSAY_GIVEN;
        candidate.system.at = job.at;
    }
    job.candidates.item = &candidate;
    job.candidates.n = part ? 1 : 0;
    job.topology.s = NULL;
    const assay_status_t status = assay_resolve_memory(search->tried, &job, search->catalog,
                                                       search->calibration, &resolved, err);
    return status ? status : assay_memory(search->tried, resolved, out_memory, err);
}

static assay_status_t find_fit(search_t *search, const assay_accelerator_t *part, uint32_t count,
                               uint32_t *out_instances) {
    for (uint32_t i = 0; i < search->n_fit; i++) {
        if (search->fit[i].part == part && search->fit[i].count == count) {
            *out_instances = search->fit[i].instances;
            return ASSAY_OK;
        }
    }
    if (search->n_fit == MAX_FITS) {
        return assay_error_set(search->err, ASSAY_LIMIT, NULL, "more than %u kinds of instances",
                               MAX_FITS);
    }
    assay_memory_t *memory;
    assay_error_t why = {0};
    const assay_status_t status = ask_memory(search, part, count, &memory, &why);
    uint32_t instances = 0;
    if (status == ASSAY_OK) {
        const assay_memory_candidate_t *found = &memory->candidate[0];
        const uint32_t devices = count * part->devices;
        instances =
            found->known && found->fits ? 1 : (found->fewest_devices + devices - 1) / devices;
        if (instances > 1 && devices < NODE_DEVICES) {
            instances = 0; /* small instances share no fast network */
        }
    } else if (status != ASSAY_INPUT && status != ASSAY_UNAVAILABLE && status != ASSAY_NOT_FOUND) {
        if (search->err) {
            *search->err = why;
        }
        return status;
    }
    assay_arena_reset(search->tried);
    search->fit[search->n_fit++] = (fit_t){part, count, instances};
    *out_instances = instances;
    return ASSAY_OK;
}

/* First day of YYYY, YYYYQn, YYYY-MM or YYYY-MM-DD, which the catalog has checked. */
static long first_day(const char *date) {
    int part[3] = {0, 1, 1};
    const size_t n = strlen(date);
    for (size_t i = 0, k = 0; i < n && k < 3; i++) {
        if (date[i] == 'Q') {
            part[1] = 3 * (date[i + 1] - '1') + 1;
            break;
        }
        if (date[i] == '-') {
            part[++k] = 0;
        } else {
            part[k] = 10 * part[k] + date[i] - '0';
        }
    }
    return assay_day_of(part[0], part[1], part[2]);
}

static uint8_t holds(const assay_fact_t *have, double need_bytes) {
    return !have->known            ? ASSAY_HOLDS_UNKNOWN
           : have->v >= need_bytes ? ASSAY_HOLDS_YES
                                   : ASSAY_HOLDS_NO;
}

static void add_offers(search_t *search, const assay_price_t *price,
                       const assay_accelerator_t *part, uint32_t instances) {
    const assay_fact_t *const usd[ASSAY_OFFER_TERM_N] = {
        &price->on_demand_usd_per_h, &price->spot_usd_per_h, &price->reserved_1y_usd_per_h,
        &price->reserved_3y_usd_per_h};
    const assay_job_t *job = search->job;
    const double weights = search->out->weights_bytes * search->out->models_per_host;
    const double raw = job->data.present && job->data.raw_bytes.origin != ASSAY_UNKNOWN
                           ? job->data.raw_bytes.v
                           : 0.0;
    const bool from_disk = price->nvme_bytes.known && price->nvme_bytes.v >= weights;
    const double rate = from_disk ? search->disk_bytes_per_s : search->network_bytes_per_s;
    const double flops = part->peak_flops[search->dtype].v * part->devices * price->count;
    for (int term = 0; term < ASSAY_OFFER_TERM_N; term++) {
        if (!usd[term]->known) {
            continue;
        }
        search->out->offer[search->out->n_offer++] = (assay_offer_t){
            .price = price,
            .part = part,
            .term = (uint8_t)term,
            .instances = instances,
            .usd_per_h = usd[term]->v * instances,
            .usd_per_eflop =
                flops > 0.0 ? usd[term]->v / (flops * 3600.0) * 1e18 : (double)INFINITY,
            .load_s = weights / instances / rate,
            .from_disk = from_disk,
            .ram = holds(&price->ram_bytes, weights / instances),
            .disk = holds(&price->nvme_bytes, raw > 0.0 ? raw : weights / instances),
            .age_days = (uint32_t)fmax(
                0.0, (double)(first_day(search->catalog->today) - first_day(price->date))),
            .variant_stated = price->accelerator != NULL,
        };
    }
}

static int compare_work(const void *a, const void *b) {
    const assay_offer_t *left = a, *right = b;
    if (left->usd_per_eflop < right->usd_per_eflop || left->usd_per_eflop > right->usd_per_eflop) {
        return left->usd_per_eflop < right->usd_per_eflop ? -1 : 1;
    }
    const int order = strcmp(left->price->id, right->price->id);
    return order != 0 ? order : left->term - right->term;
}
static int compare_hours(const void *a, const void *b) {
    const assay_offer_t *left = a, *right = b;
    if (left->usd_per_h < right->usd_per_h || left->usd_per_h > right->usd_per_h) {
        return left->usd_per_h < right->usd_per_h ? -1 : 1;
    }
    return compare_work(a, b);
}

static assay_status_t read_rates(search_t *search) {
    assay_csv_t csv;
    const assay_status_t status =
        assay_data_table_keyed(search->arena, "load_rates.csv", search->catalog->dir,
                               search->catalog->n_dir, &csv, search->err);
    const int value = status ? -1 : assay_csv_column(&csv, "value");
    for (uint32_t row = 0; !status && row < csv.n_rows; row++) {
        const char *key = assay_csv_cell(&csv, row, 0), *cell = assay_csv_cell(&csv, row, value);
        double rate;
        if (!assay_text_to_double(cell, strlen(cell), &rate) || !(rate > 0.0)) {
            const assay_place_t at = assay_csv_place(&csv, row);
            return assay_error_set(search->err, ASSAY_INPUT, &at,
                                   "column 'value': '%s' is not a rate", cell);
        }
        *(strcmp(key, "disk") == 0 ? &search->disk_bytes_per_s : &search->network_bytes_per_s) =
            rate;
        if (row == 0) {
            search->out->load_source = assay_csv_cell(&csv, row, assay_csv_column(&csv, "source"));
        }
    }
    return status;
}

/* The weights, and the precision of the work; errors of the job itself come out here. */
static assay_status_t read_work(search_t *search) {
    assay_memory_t *memory;
    const assay_status_t status = ask_memory(search, NULL, 0, &memory, search->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const assay_resolved_t *resolved = memory->resolved;
    const bool serves = resolved->kind == ASSAY_WORK_SERVE;
    search->out->by_work = !serves;
    search->out->models_per_host = 1;
    if (serves) {
        search->dtype = resolved->serving[0].dtype;
        for (int part = 0; part < ASSAY_PART_N; part++) {
            search->out->weights_bytes += memory->candidate[0].serve.weight_part_bytes[part];
        }
        if (resolved->serving[0].models_per_host > 1) {
            search->out->models_per_host = resolved->serving[0].models_per_host;
        }
    } else {
        search->dtype = resolved->workload.dtype;
        search->out->weights_bytes =
            resolved->workload.count.total * assay_dtype_bytes(resolved->workload.dtype);
    }
    assay_arena_reset(search->tried);
    return ASSAY_OK;
}

static assay_status_t visit(search_t *search, const assay_price_t *price) {
    const assay_accelerator_t *part = price->accelerator;
    uint32_t instances = 0;
    if (strcmp(price->kind, "estimate") == 0) {
        return ASSAY_OK;
    }
    if (!part && assay_catalog_accelerator(search->catalog, price->accelerator_name, NULL, &part,
                                           NULL) != ASSAY_OK) {
        search->out->n_unknown++;
        return ASSAY_OK;
    }
    if (!part->hbm_bytes.known || !part->peak_flops[search->dtype].known) {
        search->out->n_not_suited++;
        return ASSAY_OK;
    }
    const assay_status_t status = find_fit(search, part, price->count, &instances);
    if (status == ASSAY_OK && instances > 0) {
        add_offers(search, price, part, instances);
    } else if (status == ASSAY_OK) {
        search->out->n_not_suited++;
    }
    return status;
}

assay_status_t assay_offers(assay_arena_t *arena, const assay_job_t *job,
                            const assay_catalog_t *catalog, const assay_calibration_t *calibration,
                            assay_offers_t **out_offers, assay_error_t *err) {
    search_t search = {.arena = arena,
                       .tried = assay_arena_create(TRY_BYTES),
                       .job = job,
                       .catalog = catalog,
                       .calibration = calibration,
                       .fit = assay_arena_array(arena, MAX_FITS, sizeof *search.fit),
                       .out = assay_arena_alloc(arena, sizeof *search.out),
                       .err = err};
    assay_status_t status = ASSAY_OK;
    const size_t n_most = (size_t)catalog->n_price * ASSAY_OFFER_TERM_N;
    if (!search.tried || !search.fit || !search.out) {
        status = assay_error_memory(err, NULL);
    }
    if (status == ASSAY_OK) {
        search.out->offer = assay_arena_array(arena, n_most, sizeof *search.out->offer);
        status = search.out->offer ? read_rates(&search) : assay_error_memory(err, NULL);
    }
    status = status ? status : read_work(&search);
    for (uint32_t i = 0; status == ASSAY_OK && i < catalog->n_price; i++) {
        status = visit(&search, &catalog->price[i]);
    }
    assay_arena_destroy(search.tried);
    if (status == ASSAY_OK) {
        qsort(search.out->offer, search.out->n_offer, sizeof *search.out->offer,
              search.out->by_work ? compare_work : compare_hours);
        *out_offers = search.out;
    }
    return status;
}
