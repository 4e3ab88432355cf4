#include <stdio.h>
#include <string.h>

#include "assay/dist.h"
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

typedef enum { OF_ACCELERATOR, OF_SYSTEM, OF_PRICE, OF_MODEL } subject_kind_t;
static const char *const subject_kinds[] = {"accelerator", "system", "price", "model"};
/* What the catalog calls the thing: a price is one of an accelerator. */
static const char *const subject_tables[] = {"accelerator", "system", "accelerator", "model"};
enum { MODEL_TOTAL, MODEL_ACTIVE }; /* offset of a model's figure */

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
    {OF_MODEL, "params", ASSAY_DIM_COUNT, false, MODEL_TOTAL},
    {OF_MODEL, "active_params", ASSAY_DIM_COUNT, false, MODEL_ACTIVE},
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

/* What one accelerator costs on demand: median, least and most. */
#define QUOTE_MAX 1024
static assay_fact_t price_of(const assay_catalog_t *catalog, const assay_accelerator_t *part) {
    double quote[QUOTE_MAX];
    size_t n = 0;
    const char *source = NULL;
    for (uint32_t i = 0; i < catalog->n_price && n < QUOTE_MAX; i++) {
        const assay_price_t *price = &catalog->price[i];
        if (price->accelerator == part && price->on_demand_usd_per_h.known) {
            quote[n++] = price->on_demand_usd_per_h.v / price->count;
            source = price->source;
        }
    }
    if (n == 0) {
        return assay_fact_unknown();
    }
    (void)assay_dist_of_sample(quote, (uint32_t)n);
    assay_fact_t fact = assay_fact_exact(0.5 * (quote[(n - 1) / 2] + quote[n / 2]), source);
    fact.p10 = quote[0];
    fact.p90 = quote[n - 1];
    return fact;
}

/* The figure of a package; of a model its parameters. */
static assay_fact_t figure_of(const assay_catalog_t *catalog, const figure_t *figure,
                              const void *subject) {
    if (figure->of == OF_PRICE) {
        return price_of(catalog, subject);
    }
    if (figure->of == OF_MODEL) {
        const assay_model_t *model = subject;
        assay_model_count_t count;
        assay_model_count(model, &count);
        return assay_fact_exact(figure->offset == MODEL_TOTAL ? count.total : count.active,
                                model->source);
    }
    if (figure->dim == ASSAY_DIM_COUNT) {
        const assay_accelerator_t *part = subject;
        return part->compute_units > 0
                   ? assay_fact_exact(part->compute_units * (double)part->devices, part->source)
                   : assay_fact_unknown();
    }
    assay_fact_t fact = *(const assay_fact_t *)((const char *)subject + figure->offset);
    if (figure->per_device) {
        const double devices = ((const assay_accelerator_t *)subject)->devices;
        fact.v *= devices;
        fact.p10 *= devices;
        fact.p90 *= devices;
    }
    return fact;
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

static assay_status_t refuse_figure(const char *text, const assay_place_t *at, assay_error_t *err) {
    assay_error_set(err, ASSAY_INPUT, at, "'%s' names no catalog figure", text);
    assay_error_next(err, "such as accelerator:amd-mi250x-128g:peak_fp16 x8, "
                          "system:ID:capex_usd, price:ID:on_demand_usd_per_h or model:ID:params");
    return ASSAY_INPUT;
}

assay_status_t assay_catalog_figure(const assay_catalog_t *catalog, const char *text,
                                    const assay_place_t *at, assay_figure_t *out,
                                    assay_error_t *err) {
    field_t field;
    const figure_t *figure = parse_field(text, &field) ? find_figure(&field) : NULL;
    if (!figure) {
        return refuse_figure(text, at, err);
    }
    const void *subject = NULL;
    assay_status_t status = ASSAY_OK;
    if (figure->of == OF_SYSTEM) {
        const assay_system_t *system;
        status = assay_catalog_system(catalog, field.id, at, &system, err);
        subject = status == ASSAY_OK ? system : NULL;
    } else if (figure->of == OF_MODEL) {
        const assay_model_t *model;
        status = assay_catalog_model(catalog, field.id, at, &model, err);
        subject = status == ASSAY_OK ? model : NULL;
    } else {
        const assay_accelerator_t *part;
        status = assay_catalog_accelerator(catalog, field.id, at, &part, err);
        subject = status == ASSAY_OK ? part : NULL;
    }
    if (status != ASSAY_OK) {
        return status;
    }
    *out = (assay_figure_t){
        .fact = figure_of(catalog, figure, subject),
        .dim = figure->dim,
        .name = figure->name,
        .accelerator = figure->of == OF_ACCELERATOR || figure->of == OF_PRICE ? subject : NULL,
        .is_price = figure->of == OF_PRICE || figure->dim == ASSAY_DIM_MONEY,
        .count = field.count,
    };
    out->fact.v *= field.count;
    out->fact.p10 *= field.count;
    out->fact.p90 *= field.count;
    return ASSAY_OK;
}

bool assay_catalog_claim_compare(const assay_catalog_t *catalog, const assay_claim_t *claim,
                                 double *out_value) {
    assay_figure_t figure;
    double unit;
    if (!claim->has_value ||
        assay_catalog_figure(catalog, claim->field, NULL, &figure, NULL) != ASSAY_OK ||
        !figure.fact.known || !unit_value(claim, figure.dim, &unit, NULL)) {
        return false;
    }
    *out_value = figure.fact.v / unit;
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
        return refuse_figure(claim->field, at, load->err);
    }
    const char *table = subject_tables[figure->of];
    if (!catalog_find(load->catalog, table, field.id)) {
        return catalog_refuse_id(load, at, table, field.id);
    }
    if (!unit_value(claim, figure->dim, &unit, NULL)) {
        return assay_error_set(load->err, ASSAY_INPUT, at, "unit '%s' does not fit %s, %s",
                               claim->unit, field.figure, assay_dim_name(figure->dim));
    }
    return ASSAY_OK;
}
