#include <stdlib.h>
#include <string.h>

#include "catalog/catalog_table.h"

#include "assay/units.h"

#include "base/banned.h"

/* USD an hour and accelerator that anybody has asked for; outside it is a slip of unit or count. */
#define PRICE_MIN 0.02
#define PRICE_MAX 40.0
/* Times the median of the same part: beyond the first it is mentioned, beyond the second refused.
 */
#define RATIO_WARN 6.0
#define RATIO_REFUSE 20.0

#define OFFSET(field) offsetof(assay_price_t, field)

/* An estimate is what a report reckons, no offer that anybody makes. */
static const char *const kinds[] = {"offer", "estimate", NULL};

static const catalog_column_t columns[] = {
    {.name = "id", .offset = OFFSET(id), .required = true},
    {.name = "provider", .offset = OFFSET(provider), .required = true},
    {.name = "sku", .offset = OFFSET(sku), .required = true},
    {.name = "region", .offset = OFFSET(region)},
    {.name = "accelerator", .offset = OFFSET(accelerator_name), .required = true},
    {"count", COLUMN_COUNT, true, OFFSET(count), 1, 1, 1024, NULL},
    {"on_demand_usd_h", COLUMN_FACT, false, OFFSET(on_demand_usd_per_h), 1, 1e-3, 1e5, NULL},
    {"reserved_1y_usd_h", COLUMN_FACT, false, OFFSET(reserved_1y_usd_per_h), 1, 1e-3, 1e5, NULL},
    {"reserved_3y_usd_h", COLUMN_FACT, false, OFFSET(reserved_3y_usd_per_h), 1, 1e-3, 1e5, NULL},
    {"spot_usd_h", COLUMN_FACT, false, OFFSET(spot_usd_per_h), 1, 1e-3, 1e5, NULL},
    {"vcpus", COLUMN_COUNT, false, OFFSET(vcpus), 1, 1, 65536, NULL},
    {"ram_gib", COLUMN_FACT, false, OFFSET(ram_bytes), ASSAY_GIB_BYTES, 0.5, 1e6, NULL},
    {"nvme_gb", COLUMN_FACT, false, OFFSET(nvme_bytes), 1e9, 0, 1e7, NULL},
    {.name = "host_source", .offset = OFFSET(host_source)},
    {"kind", COLUMN_CHOICE, false, OFFSET(kind), 0, 0, 0, kinds},
    {"date", COLUMN_DATE, true, OFFSET(date), 0, 0, 0, NULL},
    {.name = "source", .offset = OFFSET(source), .required = true},
};

static const struct {
    const char *name;
    size_t offset;
} offers[] = {
    {"on_demand_usd_h", OFFSET(on_demand_usd_per_h)},
    {"reserved_1y_usd_h", OFFSET(reserved_1y_usd_per_h)},
    {"reserved_3y_usd_h", OFFSET(reserved_3y_usd_per_h)},
    {"spot_usd_h", OFFSET(spot_usd_per_h)},
};

static const assay_fact_t *offer_of(const assay_price_t *price, size_t offer) {
    return (const assay_fact_t *)((const char *)price + offers[offer].offset);
}

/* What one accelerator of a part costs on demand, for the median. */
typedef struct {
    const char *part; /* prices of "A100 80 GB" are held against those of the part it is read as */
    double usd_per_h;
} quote_t;

static int compare_quotes(const void *a, const void *b) {
    const quote_t *left = a, *right = b;
    const int order = strcmp(left->part, right->part);
    return order != 0 ? order
                      : (left->usd_per_h > right->usd_per_h) - (left->usd_per_h < right->usd_per_h);
}

/* Median of the quotes (sorted) of one part; 0 when there are fewer than three. */
static double median(const quote_t *quote, size_t n, const char *part) {
    size_t first = 0;
    for (size_t end = n; first < end;) {
        const size_t middle = first + (end - first) / 2;
        if (strcmp(quote[middle].part, part) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    size_t end = first;
    while (end < n && strcmp(quote[end].part, part) == 0) {
        end++;
    }
    const size_t count = end - first;
    return count < 3 ? 0.0
                     : 0.5 * (quote[first + (count - 1) / 2].usd_per_h +
                              quote[first + count / 2].usd_per_h);
}

static assay_status_t check_offer(catalog_load_t *load, const assay_price_t *price, size_t offer,
                                  double usual, const assay_place_t *at) {
    const assay_fact_t *fact = offer_of(price, offer);
    if (!fact->known) {
        return ASSAY_OK;
    }
    const double each = fact->v / price->count;
    const double times = usual > 0.0 ? each / usual : 1.0;
    if (each < PRICE_MIN || each > PRICE_MAX) {
        assay_error_set(load->err, ASSAY_INPUT, at,
                        "'%s': %s is %g USD/h for each of %u, expected %g to %g", price->id,
                        offers[offer].name, each, price->count, PRICE_MIN, PRICE_MAX);
        assay_error_next(load->err, "prices are of the whole instance; check count and currency");
        return ASSAY_INPUT;
    }
    if (times > RATIO_REFUSE || times < 1.0 / RATIO_REFUSE) {
        assay_error_set(load->err, ASSAY_INPUT, at,
                        "'%s': %s is %g USD/h for each %s, %.2g times the median of %g", price->id,
                        offers[offer].name, each, price->accelerator_name, times, usual);
        assay_error_next(load->err,
                         "prices are of the whole instance; check count, unit and accelerator");
        return ASSAY_INPUT;
    }
    const assay_fact_t *on_demand = &price->on_demand_usd_per_h;
    if (on_demand->known && fact->v > on_demand->v) {
        assay_error_set(load->err, ASSAY_INPUT, at, "'%s': %s is above on_demand_usd_h", price->id,
                        offers[offer].name);
        assay_error_next(load->err, "check that both are of the same instance");
        return ASSAY_INPUT;
    }
    /* eight priced like one are an eighth; spare capacity can be cheap */
    if (times > RATIO_WARN || (times < 1.0 / RATIO_WARN && fact == on_demand)) {
        return catalog_log_add(load->arena, &load->warning,
                               assay_arena_printf(load->arena,
                                                  "%s:%u: '%s': %s is %.2g times the median of %s",
                                                  at->file, at->line, price->id, offers[offer].name,
                                                  times, price->accelerator_name),
                               load->err);
    }
    return ASSAY_OK;
}

/* A catalog id, a spelling of one, or the name of a family, which names no single part. *out_key:
   what its price is compared with. */
static assay_status_t find_part(const catalog_load_t *load, assay_price_t *price,
                                const assay_place_t *at, const char **out_key) {
    const char *name = price->accelerator_name;
    *out_key = name;
    price->accelerator = catalog_find(load->catalog, "accelerator", name);
    if (price->accelerator) {
        return ASSAY_OK;
    }
    const assay_alias_t *alias = catalog_find_alias(load->catalog, "accelerator", name);
    if (!alias) {
        return catalog_refuse_id(load, at, "accelerator", name);
    }
    *out_key = alias->alias_of[0] != '\0' ? alias->alias_of : alias->id;
    if (alias->note[0] == '\0') {
        price->accelerator = catalog_find(load->catalog, "accelerator", alias->alias_of);
    }
    return ASSAY_OK;
}

static bool is_of_extra(const catalog_load_t *load, const char *file) {
    for (uint32_t i = 0; i < load->overlay.n_extra; i++) {
        if (load->overlay.extra[i].csv.file == file) {
            return true;
        }
    }
    return false;
}

/* The newest date, and what each part costs: a user's slip must not move the yardstick. */
static size_t collect(catalog_load_t *load, const assay_csv_t *csv, const assay_price_t *price,
                      const char *const *key, quote_t *quote) {
    size_t n = 0;
    for (uint32_t i = 0; i < csv->n_rows; i++) {
        if (!catalog_row_is_builtin(csv, i)) {
            continue;
        }
        if (price[i].on_demand_usd_per_h.known) {
            quote[n++] = (quote_t){key[i], price[i].on_demand_usd_per_h.v / price[i].count};
        }
        if (!load->catalog->date || strcmp(price[i].date, load->catalog->date) > 0) {
            load->catalog->date = price[i].date;
        }
    }
    qsort(quote, n, sizeof *quote, compare_quotes);
    return n;
}

assay_status_t catalog_load_prices(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        catalog_load_rows(load, "prices.csv", 1, columns, sizeof columns / sizeof columns[0],
                          sizeof(assay_price_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_price_t *price = rows;
    quote_t *quote = assay_arena_array(load->arena, csv.n_rows, sizeof *quote);
    const char **key = assay_arena_array(load->arena, csv.n_rows, sizeof *key);
    if (!quote || !key) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        status = find_part(load, &price[i], &at, &key[i]);
        price[i].is_imported = is_of_extra(load, at.file);
        if (price[i].host_source[0] != '\0') {
            price[i].ram_bytes.source = price[i].nvme_bytes.source = price[i].host_source;
        }
    }
    const size_t n_quote = status == ASSAY_OK ? collect(load, &csv, price, key, quote) : 0;
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        const double usual = median(quote, n_quote, key[i]);
        for (size_t offer = 0; status == ASSAY_OK && offer < sizeof offers / sizeof offers[0];
             offer++) {
            status = check_offer(load, &price[i], offer, usual, &at);
        }
    }
    load->catalog->price = price;
    load->catalog->n_price = csv.n_rows;
    return status;
}
