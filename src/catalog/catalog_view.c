#include "assay/catalog_view.h"

#include <string.h>

#include "assay/model.h"
#include "assay/text.h"
#include "assay/units.h"
#include "catalog/catalog_columns.h"

#include "base/banned.h"

#define MEMBER(row_t, member, name, title, unit, scale, kind) \
    { #member, name, title, unit, scale, kind, ASSAY_SHOW_MAIN, offsetof(row_t, member), NULL }
#define TEXT(row_t, member, title) MEMBER(row_t, member, NULL, title, "", 0, ASSAY_CELL_TEXT)
#define TEXT_OR_NONE(row_t, member) \
    MEMBER(row_t, member, NULL, NULL, "", 0, ASSAY_CELL_TEXT_OR_NONE)
#define COUNT(row_t, member, title) MEMBER(row_t, member, NULL, title, "", 1, ASSAY_CELL_COUNT)
#define COUNT_OR_NONE(row_t, member, title) \
    MEMBER(row_t, member, NULL, title, "", 1, ASSAY_CELL_COUNT_OR_NONE)
#define BOOL(row_t, member) MEMBER(row_t, member, NULL, NULL, "", 0, ASSAY_CELL_BOOL)
#define FACT(row_t, member, name, title, unit, scale) \
    MEMBER(row_t, member, name, title, unit, scale, ASSAY_CELL_FACT)
#define CONFIDENCE(row_t) MEMBER(row_t, confidence, NULL, NULL, "", 0, ASSAY_CELL_CONFIDENCE)
#define PART(row_t, title) MEMBER(row_t, accelerator, NULL, title, "", 0, ASSAY_CELL_PART)
/* What is computed from the row, under a name of its own. */
#define DERIVED(key, title, unit, scale, show, offset, function) \
    { key, NULL, title, unit, scale, ASSAY_CELL_DERIVED, show, offset, function }

#define GIGA 1e9
#define TERA 1e12
#define PEAK_OFFSET(code) \
    (offsetof(assay_accelerator_t, peak_flops) + ASSAY_DT_##code * sizeof(assay_fact_t))
#define PART_OFFSET(member) offsetof(assay_accelerator_t, member)

/* The structs are the library's; rows are read through their offsets. */
#define AT(type, base, offset) (*(type const *)(const void *)((const char *)(base) + (offset)))

static assay_cell_t text_cell(const char *text) {
    return (assay_cell_t){.known = text && text[0], .text = text};
}
static assay_cell_t number_cell(double v, bool known) {
    return (assay_cell_t){.known = known, .is_number = true, .v = v};
}

/* --- the value views --------------------------------------------------------------------------

   What one dollar buys: a figure of all packages over their price; and watts and dollars for a unit
   of work and memory. Each table has one way to the parts, their number and their price. */

typedef struct {
    const assay_accelerator_t *part;
    double packages;
    assay_fact_t usd; /* to buy, or for an hour */
    assay_fact_t w;
} bundle_t;

static bundle_t bundle_of_accelerator(const void *row) {
    const assay_accelerator_t *part = row;
    return (bundle_t){part, 1.0, part->price_usd, part->tdp_w};
}
static bundle_t bundle_of_system(const void *row) {
    const assay_system_t *system = row;
    return (bundle_t){system->accelerator, system->packages, system->capex_usd, system->node_w};
}
static bundle_t bundle_of_price(const void *row) {
    const assay_price_t *price = row;
    return (bundle_t){
        .part = price->accelerator, .packages = price->count, .usd = price->on_demand_usd_per_h};
}

/* A figure of one device times the devices of the bundle. */
static assay_cell_t total_of(const bundle_t *bundle, size_t offset) {
    if (!bundle->part) {
        return number_cell(0, false);
    }
    const assay_fact_t fact = AT(assay_fact_t, bundle->part, offset);
    return number_cell(fact.v * bundle->part->devices * bundle->packages, fact.known);
}
static assay_cell_t quotient(double above, bool above_known, double below, bool below_known) {
    const bool known = above_known && below_known && below > 0.0;
    return number_cell(known ? above / below : 0.0, known);
}

#define BUNDLE_CELLS(of)                                                              \
    static assay_cell_t of##_total(const assay_column_t *column, const void *row) {   \
        const bundle_t bundle = bundle_of_##of(row);                                  \
        return total_of(&bundle, column->offset);                                     \
    }                                                                                 \
    static assay_cell_t of##_per_usd(const assay_column_t *column, const void *row) { \
        const bundle_t bundle = bundle_of_##of(row);                                  \
        const assay_cell_t total = total_of(&bundle, column->offset);                 \
        return quotient(total.v, total.known, bundle.usd.v, bundle.usd.known);        \
    }                                                                                 \
    static assay_cell_t of##_usd_per(const assay_column_t *column, const void *row) { \
        const bundle_t bundle = bundle_of_##of(row);                                  \
        const assay_cell_t total = total_of(&bundle, column->offset);                 \
        return quotient(bundle.usd.v, bundle.usd.known, total.v, total.known);        \
    }
#define BUNDLE_WATTS(of)                                                            \
    static assay_cell_t of##_w_per(const assay_column_t *column, const void *row) { \
        const bundle_t bundle = bundle_of_##of(row);                                \
        const assay_cell_t total = total_of(&bundle, column->offset);               \
        return quotient(bundle.w.v, bundle.w.known, total.v, total.known);          \
    }
BUNDLE_CELLS(accelerator)
BUNDLE_CELLS(system)
BUNDLE_CELLS(price)
BUNDLE_WATTS(accelerator)
BUNDLE_WATTS(system)

/* per: what the price is counted in, "kusd" or "usd_h"; usd: how many USD one of them is. */
#define PER_USD(of, per, usd)                                                              \
    DERIVED("fp64_tflops_per_" per, "fp64 TFLOPS", "", TERA / (usd), ASSAY_SHOW_REST,      \
            PEAK_OFFSET(FP64), of##_per_usd),                                              \
        DERIVED("fp32_tflops_per_" per, "fp32 TFLOPS", "", TERA / (usd), ASSAY_SHOW_REST,  \
                PEAK_OFFSET(FP32), of##_per_usd),                                          \
        DERIVED("fp16_tflops_per_" per, "fp16 TFLOPS", "", TERA / (usd), ASSAY_SHOW_REST,  \
                PEAK_OFFSET(FP16), of##_per_usd),                                          \
        DERIVED("bf16_tflops_per_" per, "bf16 TFLOPS", "", TERA / (usd), ASSAY_SHOW_VALUE, \
                PEAK_OFFSET(BF16), of##_per_usd),                                          \
        DERIVED("fp8_tflops_per_" per, "fp8 TFLOPS", "", TERA / (usd), ASSAY_SHOW_VALUE,   \
                PEAK_OFFSET(FP8), of##_per_usd),                                           \
        DERIVED("fp4_tflops_per_" per, "fp4 TFLOPS", "", TERA / (usd), ASSAY_SHOW_REST,    \
                PEAK_OFFSET(FP4), of##_per_usd),                                           \
        DERIVED("mem_gib_per_" per, "GiB", "", ASSAY_GIB_BYTES / (usd), ASSAY_SHOW_VALUE,  \
                PART_OFFSET(hbm_bytes), of##_per_usd),                                     \
        DERIVED("mem_gb_s_per_" per, "GB/s", "", GIGA / (usd), ASSAY_SHOW_VALUE,           \
                PART_OFFSET(hbm_bytes_per_s), of##_per_usd)

/* --- the columns of the main tables ---------------------------------------------------------- */

static assay_cell_t parameters(const assay_column_t *column, const void *row) {
    (void)column;
    assay_model_count_t count;
    if (strcmp(((const assay_model_t *)row)->kind, "decoder-LLM") != 0) {
        return number_cell(0, false);
    }
    assay_model_count(row, &count);
    return number_cell(count.total, true);
}
static assay_cell_t claimed_value(const assay_column_t *column, const void *row) {
    const assay_claim_t *claim = row;
    (void)column;
    return number_cell(claim->v, claim->has_value);
}
/* A price of "A100 80 GB" is of no single part. */
static assay_cell_t price_variant(const assay_column_t *column, const void *row) {
    (void)column;
    return text_cell(((const assay_price_t *)row)->accelerator ? "stated" : "not stated");
}

static const assay_column_t accelerators[] = {
    TEXT(assay_accelerator_t, id, "id"),
    TEXT(assay_accelerator_t, vendor, NULL),
    TEXT(assay_accelerator_t, name, NULL),
    TEXT(assay_accelerator_t, form_factor, NULL),
    TEXT(assay_accelerator_t, arch, NULL),
    TEXT(assay_accelerator_t, target, NULL),
    TEXT(assay_accelerator_t, launch_date, NULL),
    COUNT(assay_accelerator_t, devices, "devices"),
    COUNT(assay_accelerator_t, compute_units, NULL),
#define PEAK(code, type, title)                                                                \
    {                                                                                          \
        "peak_" type, type "_tflops", title, "TFLOPS", TERA, ASSAY_CELL_FACT, ASSAY_SHOW_MAIN, \
            PEAK_OFFSET(code), NULL                                                            \
    }
    PEAK(FP64, "fp64", NULL),
    PEAK(FP32, "fp32", NULL),
    PEAK(TF32, "tf32", NULL),
    PEAK(FP16, "fp16", NULL),
    PEAK(BF16, "bf16", "bf16"),
    PEAK(FP8, "fp8", NULL),
    PEAK(FP6, "fp6", NULL),
    PEAK(FP4, "fp4", NULL),
    PEAK(INT8, "int8", NULL),
#undef PEAK
    FACT(assay_accelerator_t, vector_fp32_flops, "vector_fp32_tflops", NULL, "TFLOPS", TERA),
    FACT(assay_accelerator_t, hbm_bytes, "hbm_gib", "HBM", "GiB", ASSAY_GIB_BYTES),
    FACT(assay_accelerator_t, hbm_bytes_per_s, "hbm_tb_s", "HBM", "TB/s", TERA),
    FACT(assay_accelerator_t, llc_bytes, "llc_mb", NULL, "MB", 1e6),
    FACT(assay_accelerator_t, clock_hz, "clock_ghz", NULL, "GHz", GIGA),
    FACT(assay_accelerator_t, tdp_w, NULL, "power", "W", 1),
    FACT(assay_accelerator_t, idle_w, NULL, NULL, "W", 1),
    FACT(assay_accelerator_t, price_usd, NULL, "price", "USD", 1),
    /* vendors print GB and mean 2^30 bytes of a package; people filter by that */
    DERIVED("mem_gb", NULL, "GiB", ASSAY_GIB_BYTES, ASSAY_SHOW_REST, PART_OFFSET(hbm_bytes),
            accelerator_total),
    PER_USD(accelerator, "kusd", 1e3),
    DERIVED("usd_per_mem_gib", "USD/GiB", "", 1 / ASSAY_GIB_BYTES, ASSAY_SHOW_VALUE,
            PART_OFFSET(hbm_bytes), accelerator_usd_per),
    DERIVED("w_per_bf16_pflops", "W/PFLOPS", "", 1e-15, ASSAY_SHOW_VALUE, PEAK_OFFSET(BF16),
            accelerator_w_per),
    CONFIDENCE(assay_accelerator_t),
    TEXT(assay_accelerator_t, source, NULL),
    TEXT(assay_accelerator_t, note, NULL),
};

static const assay_column_t systems[] = {
    TEXT(assay_system_t, id, "id"),
    TEXT(assay_system_t, vendor, NULL),
    TEXT(assay_system_t, name, NULL),
    TEXT(assay_system_t, kind, "kind"),
    COUNT(assay_system_t, packages, "packages"),
    PART(assay_system_t, "accelerator"),
    MEMBER(assay_system_t, fabric, NULL, NULL, "", 0, ASSAY_CELL_FABRIC),
    FACT(assay_system_t, node_w, "node_kw", "power", "kW", 1e3),
    TEXT(assay_system_t, power_basis, NULL),
    FACT(assay_system_t, capex_usd, "capex_kusd", "price", "kUSD", 1e3),
    TEXT(assay_system_t, capex_basis, NULL),
    TEXT(assay_system_t, capex_date, NULL),
    FACT(assay_system_t, ram_bytes, "ram_gb", NULL, "GB", GIGA),
    DERIVED("mem_gb", NULL, "GiB", ASSAY_GIB_BYTES, ASSAY_SHOW_REST, PART_OFFSET(hbm_bytes),
            system_total),
    PER_USD(system, "kusd", 1e3),
    DERIVED("usd_per_mem_gib", "USD/GiB", "", 1 / ASSAY_GIB_BYTES, ASSAY_SHOW_VALUE,
            PART_OFFSET(hbm_bytes), system_usd_per),
    DERIVED("w_per_bf16_pflops", "W/PFLOPS", "", 1e-15, ASSAY_SHOW_VALUE, PEAK_OFFSET(BF16),
            system_w_per),
    TEXT_OR_NONE(assay_system_t, claim_set),
    CONFIDENCE(assay_system_t),
    TEXT(assay_system_t, source, NULL),
    TEXT(assay_system_t, note, NULL),
};

static const assay_column_t fabrics[] = {
    TEXT(assay_fabric_t, id, "id"),
    TEXT(assay_fabric_t, name, NULL),
    TEXT(assay_fabric_t, kind, "kind"),
    PART(assay_fabric_t, NULL),
    COUNT(assay_fabric_t, devices, "devices"),
    FACT(assay_fabric_t, pair_bytes_per_s, "pair_gb_s", "pair", "GB/s", GIGA),
    FACT(assay_fabric_t, device_bytes_per_s, "device_gb_s", "device", "GB/s", GIGA),
    FACT(assay_fabric_t, package_bytes_per_s, "package_gb_s", NULL, "GB/s", GIGA),
    COUNT(assay_fabric_t, scaleup_devices, NULL),
    COUNT(assay_fabric_t, nics, "NICs"),
    FACT(assay_fabric_t, nic_bits_per_s, "nic_gbit_s", "NIC", "Gbit/s", GIGA),
    TEXT(assay_fabric_t, source, NULL),
    TEXT(assay_fabric_t, note, NULL),
};

static const assay_column_t prices[] = {
    TEXT(assay_price_t, id, "id"),
    TEXT(assay_price_t, provider, NULL),
    TEXT(assay_price_t, sku, NULL),
    TEXT(assay_price_t, region, NULL),
    {"accelerator", NULL, "accelerator", "", 0, ASSAY_CELL_TEXT, ASSAY_SHOW_MAIN,
     offsetof(assay_price_t, accelerator_name), NULL},
    DERIVED("variant", NULL, "", 0, ASSAY_SHOW_REST, 0, price_variant),
    COUNT(assay_price_t, count, "count"),
    FACT(assay_price_t, on_demand_usd_per_h, "usd_h", "USD/h", "", 1),
    FACT(assay_price_t, reserved_1y_usd_per_h, "reserved_1y_usd_h", NULL, "USD/h", 1),
    FACT(assay_price_t, reserved_3y_usd_per_h, "reserved_3y_usd_h", NULL, "USD/h", 1),
    FACT(assay_price_t, spot_usd_per_h, "spot_usd_h", "spot", "", 1),
    TEXT(assay_price_t, kind, NULL),
    COUNT(assay_price_t, vcpus, NULL),
    FACT(assay_price_t, ram_bytes, "ram_gib", NULL, "GiB", ASSAY_GIB_BYTES),
    FACT(assay_price_t, nvme_bytes, "nvme_gb", NULL, "GB", GIGA),
    DERIVED("mem_gb", NULL, "GiB", ASSAY_GIB_BYTES, ASSAY_SHOW_REST, PART_OFFSET(hbm_bytes),
            price_total),
    PER_USD(price, "usd_h", 1),
    DERIVED("usd_h_per_mem_gib", "USD/h a GiB", "", 1 / ASSAY_GIB_BYTES, ASSAY_SHOW_VALUE,
            PART_OFFSET(hbm_bytes), price_usd_per),
    TEXT(assay_price_t, date, "date"),
    TEXT(assay_price_t, source, NULL),
};

static const assay_column_t models[] = {
    TEXT(assay_model_t, id, "id"),
    TEXT(assay_model_t, family, NULL),
    TEXT(assay_model_t, kind, "kind"),
    {"parameters", "params_b", "params", "1e9", GIGA, ASSAY_CELL_DERIVED, ASSAY_SHOW_MAIN, 0,
     parameters},
    MEMBER(assay_model_t, params_published, "params_published_b", NULL, "1e9", GIGA,
           ASSAY_CELL_NUMBER),
    COUNT(assay_model_t, layers, "layers"),
    COUNT(assay_model_t, hidden, "hidden"),
    COUNT(assay_model_t, heads, "heads"),
    COUNT(assay_model_t, kv_heads, "KV"),
    COUNT(assay_model_t, head_dim, NULL),
    COUNT(assay_model_t, ffn, NULL),
    BOOL(assay_model_t, gated),
    COUNT(assay_model_t, vocab, "vocab"),
    BOOL(assay_model_t, tied_embeddings),
    COUNT_OR_NONE(assay_model_t, experts, "experts"),
    COUNT_OR_NONE(assay_model_t, top_k, NULL),
    COUNT_OR_NONE(assay_model_t, expert_ffn, NULL),
    COUNT(assay_model_t, max_position, NULL),
    COUNT_OR_NONE(assay_model_t, sliding_window, NULL),
    TEXT(assay_model_t, weight_format, NULL),
    TEXT(assay_model_t, hf_id, NULL),
    TEXT(assay_model_t, source, NULL),
};

static const assay_column_t energy[] = {
    TEXT(assay_energy_t, id, "id"),
    TEXT(assay_energy_t, kind, NULL),
    TEXT(assay_energy_t, code, NULL),
    TEXT(assay_energy_t, name, "name"),
    FACT(assay_energy_t, usd_per_kwh, NULL, "price", "USD/kWh", 1),
    FACT(assay_energy_t, carbon_g_per_kwh, NULL, "CO2", "g/kWh", 1),
    FACT(assay_energy_t, pue, NULL, "PUE", "", 1),
    COUNT(assay_energy_t, year, "year"),
    TEXT(assay_energy_t, source, NULL),
};

static const assay_column_t claims[] = {
    TEXT(assay_claim_t, id, "id"),
    TEXT(assay_claim_t, set, "set"),
    TEXT(assay_claim_t, subject, "subject"),
    TEXT(assay_claim_t, quantity, "quantity"),
    DERIVED("value", "value", "", 1, ASSAY_SHOW_MAIN, 0, claimed_value),
    TEXT(assay_claim_t, unit, "unit"),
    TEXT(assay_claim_t, field, NULL),
    TEXT(assay_claim_t, text, NULL),
    TEXT(assay_claim_t, source, NULL),
};

static const assay_column_t aliases[] = {
    TEXT(assay_alias_t, id, "id"),
    TEXT(assay_alias_t, kind, "kind"),
    TEXT(assay_alias_t, alias_of, "read as"),
    TEXT(assay_alias_t, note, "note"),
};

#define TABLE(name, what, member, row_t, alias_kind)                                             \
    {                                                                                            \
#name, what, name, sizeof name / sizeof *name, sizeof(row_t),                            \
            offsetof(assay_catalog_t, member), offsetof(assay_catalog_t, n_##member), alias_kind \
    }
const catalog_main_table_t catalog_main_tables[] = {
    TABLE(accelerators,
          "cards and modules; rates and memory per device, power and price per package",
          accelerator, assay_accelerator_t, "accelerator"),
    TABLE(systems, "servers and instances", system, assay_system_t, "system"),
    TABLE(fabrics, "how the devices of a node are joined; one direction", fabric, assay_fabric_t,
          NULL),
    TABLE(prices, "what clouds ask for an instance", price, assay_price_t, NULL),
    TABLE(models, "shapes of models", model, assay_model_t, "model"),
    TABLE(energy, "electricity prices, carbon intensity, PUE", energy, assay_energy_t, NULL),
    TABLE(claims, "figures of articles, kept apart from facts", claim, assay_claim_t, NULL),
    TABLE(aliases, "other spellings of ids, and what they are read as", alias, assay_alias_t, NULL),
};
const uint32_t catalog_n_main_tables = sizeof catalog_main_tables / sizeof *catalog_main_tables;

assay_cell_t assay_catalog_view_cell(const assay_column_t *column, const void *row) {
    static const char *const confidence[] = {"low", "medium", "high"};
    const size_t offset = column->offset;
    switch ((assay_cell_kind_t)column->kind) {
    case ASSAY_CELL_TEXT:
        return text_cell(AT(const char *, row, offset));
    case ASSAY_CELL_TEXT_OR_NONE: {
        const char *text = AT(const char *, row, offset);
        return text_cell(text && text[0] ? text : "none");
    }
    case ASSAY_CELL_PLAIN: {
        const char *text = AT(const char *, row, offset);
        double v;
        return assay_text_to_double(text, strlen(text), &v) ? number_cell(v, true)
                                                            : text_cell(text);
    }
    case ASSAY_CELL_COUNT_OR_NONE:
        return number_cell(AT(uint32_t, row, offset), true);
    case ASSAY_CELL_COUNT: {
        const uint32_t n = AT(uint32_t, row, offset);
        return number_cell(n, n > 0);
    }
    case ASSAY_CELL_FACT: {
        const assay_fact_t fact = AT(assay_fact_t, row, offset);
        assay_cell_t cell = number_cell(fact.v, fact.known);
        cell.fact = fact;
        return cell;
    }
    case ASSAY_CELL_NUMBER: {
        const double v = AT(double, row, offset);
        return number_cell(v, v > 0.0);
    }
    case ASSAY_CELL_BOOL:
        return (assay_cell_t){.known = true, .is_bool = true, .v = AT(bool, row, offset)};
    case ASSAY_CELL_CONFIDENCE:
        return text_cell(confidence[AT(uint8_t, row, offset)]);
    case ASSAY_CELL_PART: {
        const assay_accelerator_t *part = AT(const assay_accelerator_t *, row, offset);
        return text_cell(part ? part->id : NULL);
    }
    case ASSAY_CELL_FABRIC: {
        const assay_fabric_t *fabric = AT(const assay_fabric_t *, row, offset);
        return text_cell(fabric ? fabric->id : NULL);
    }
    case ASSAY_CELL_DERIVED:
        return column->derive(column, row);
    }
    return (assay_cell_t){0};
}
