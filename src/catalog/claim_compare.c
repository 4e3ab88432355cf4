#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "assay/units.h"
#include "catalog/catalog_table.h"

#include "base/banned.h"

/* KIND:ID:FIGURE[ xN] taken apart. */
typedef struct {
    char kind[16], id[128], figure[32];
    double count;
} field_t;

/* Copies text up to mark (NUL: to the end) into out and returns what follows the mark; NULL when
   there is nothing, no mark or no room. */
static const char *take_until(const char *text, char mark, char *out, size_t n_out) {
    const size_t n = strcspn(text, (const char[]){mark, '\0'});
    if (n == 0 || n >= n_out || text[n] != mark) {
        return NULL;
    }
    memcpy(out, text, n);
    out[n] = '\0';
    return mark ? text + n + 1 : text + n;
}

static bool parse_field(const char *text, field_t *out) {
    const char *rest = take_until(text, ':', out->kind, sizeof out->kind);
    rest = rest ? take_until(rest, ':', out->id, sizeof out->id) : NULL;
    if (!rest) {
        return false;
    }
    const char *times = strstr(rest, " x");
    uint64_t count = 1;
    if (times && !assay_text_to_u64(times + 2, strlen(times + 2), &count)) {
        return false;
    }
    out->count = (double)count;
    return count > 0 && take_until(rest, times ? ' ' : '\0', out->figure, sizeof out->figure);
}

typedef enum { OF_ACCELERATOR, OF_SYSTEM, OF_PRICE } subject_kind_t;
static const char *const subject_kinds[] = {"accelerator", "system", "price", NULL};

/* Figures that a claim can be about. per_device: the catalog keeps one device's share, a claim
   speaks of the package. */
typedef struct {
    subject_kind_t of;
    const char *name;
    assay_dim_t dim;
    bool per_device;
    size_t offset;
} figure_t;

#define PART(field) offsetof(assay_accelerator_t, field)
#define PEAK(code, name, bytes) \
    {OF_ACCELERATOR, "peak_" name, ASSAY_DIM_FLOPS, true, PART(peak_flops[ASSAY_DT_##code])},
static const figure_t figures[] = {
    ASSAY_DT_LIST(PEAK) /* one row a type */
    {OF_ACCELERATOR, "vector_fp32", ASSAY_DIM_FLOPS, true, PART(vector_fp32_flops)},
    {OF_ACCELERATOR, "hbm_bytes", ASSAY_DIM_BYTES, true, PART(hbm_bytes)},
    {OF_ACCELERATOR, "hbm_bytes_per_s", ASSAY_DIM_BYTES_PER_S, true, PART(hbm_bytes_per_s)},
    {OF_ACCELERATOR, "llc_bytes", ASSAY_DIM_BYTES, true, PART(llc_bytes)},
    {OF_ACCELERATOR, "tdp_w", ASSAY_DIM_POWER, false, PART(tdp_w)},
    {OF_ACCELERATOR, "price_usd", ASSAY_DIM_MONEY, false, PART(price_usd)},
    {OF_ACCELERATOR, "compute_units", ASSAY_DIM_COUNT, true, 0},
    {OF_SYSTEM, "capex_usd", ASSAY_DIM_MONEY, false, offsetof(assay_system_t, capex_usd)},
    {OF_SYSTEM, "node_w", ASSAY_DIM_POWER, false, offsetof(assay_system_t, node_w)},
    {OF_PRICE, "on_demand_usd_per_h", ASSAY_DIM_MONEY_PER_HOUR, false, 0},
};
#undef PEAK

static const figure_t *find_figure(const field_t *field) {
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (strcmp(field->kind, subject_kinds[figures[i].of]) == 0 &&
            strcmp(field->figure, figures[i].name) == 0) {
            return &figures[i];
        }
    }
    return NULL;
}

static int compare_doubles(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Median of what one accelerator costs on demand. */
#define QUOTE_MAX 1024
static bool median_price(const assay_catalog_t *catalog, const assay_accelerator_t *part,
                         double *out_value) {
    double quote[QUOTE_MAX];
    size_t n = 0;
    for (uint32_t i = 0; i < catalog->n_price && n < QUOTE_MAX; i++) {
        const assay_price_t *price = &catalog->price[i];
        if (price->accelerator == part && price->on_demand_usd_per_h.known) {
            quote[n++] = price->on_demand_usd_per_h.v / price->count;
        }
    }
    if (n == 0) {
        return false;
    }
    qsort(quote, n, sizeof *quote, compare_doubles);
    *out_value = 0.5 * (quote[(n - 1) / 2] + quote[n / 2]);
    return true;
}

static bool figure_value(const assay_catalog_t *catalog, const figure_t *figure, const char *id,
                         double *out_value) {
    const assay_accelerator_t *part = catalog_find(catalog, "accelerator", id);
    const assay_system_t *system = catalog_find(catalog, "system", id);
    const void *subject = figure->of == OF_SYSTEM ? (const void *)system : (const void *)part;
    if (!subject) {
        return false;
    }
    if (figure->of == OF_PRICE) {
        return median_price(catalog, part, out_value);
    }
    if (figure->dim == ASSAY_DIM_COUNT) {
        *out_value = part->compute_units * (double)part->devices;
        return part->compute_units > 0;
    }
    const assay_fact_t *fact = (const assay_fact_t *)((const char *)subject + figure->offset);
    *out_value = figure->per_device ? fact->v * part->devices : fact->v;
    return fact->known;
}

/* SI value of one of the claim's units. */
static bool unit_value(const assay_claim_t *claim, assay_dim_t dim, double *out_value,
                       assay_error_t *err) {
    char text[64];
    const bool bare = strcmp(claim->unit, "1") == 0;
    const int n = snprintf(text, sizeof text, "1 %s", bare ? "" : claim->unit);
    return n > 0 && (size_t)n < sizeof text &&
           assay_units_parse(text, bare ? 1 : (size_t)n, dim, 0.0, NULL, out_value, err) ==
               ASSAY_OK;
}

bool assay_catalog_claim_compare(const assay_catalog_t *catalog, const assay_claim_t *claim,
                                 double *out_value) {
    field_t field;
    double value, unit;
    const figure_t *figure = parse_field(claim->field, &field) ? find_figure(&field) : NULL;
    if (!figure || !claim->has_value || !figure_value(catalog, figure, field.id, &value) ||
        !unit_value(claim, figure->dim, &unit, NULL)) {
        return false;
    }
    *out_value = field.count * value / unit;
    return true;
}

assay_status_t catalog_claim_check_field(const catalog_load_t *load, const assay_claim_t *claim,
                                         const assay_place_t *at) {
    field_t field;
    double unit;
    if (claim->field[0] == '\0') {
        return ASSAY_OK;
    }
    const figure_t *figure = parse_field(claim->field, &field) ? find_figure(&field) : NULL;
    if (!figure) {
        assay_error_set(load->err, ASSAY_INPUT, at, "'%s' names no catalog figure", claim->field);
        assay_error_next(load->err, "such as accelerator:amd-mi250x-128g:peak_fp16 x8, "
                                    "system:ID:capex_usd or price:ID:on_demand_usd_per_h");
        return ASSAY_INPUT;
    }
    if (figure->of == OF_SYSTEM ? !catalog_find(load->catalog, "system", field.id)
                                : !catalog_find(load->catalog, "accelerator", field.id)) {
        return catalog_refuse_id(load, at, figure->of == OF_SYSTEM ? "system" : "accelerator",
                                 field.id);
    }
    if (!unit_value(claim, figure->dim, &unit, NULL)) {
        return assay_error_set(load->err, ASSAY_INPUT, at, "unit '%s' does not fit %s, %s",
                               claim->unit, field.figure, assay_dim_name(figure->dim));
    }
    return ASSAY_OK;
}
