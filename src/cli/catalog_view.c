#include "cli/catalog_view.h"

#include <string.h>

#include "assay/model.h"

#define TEXT(row_t, member, title) \
    { #member, title, "", 0, CLI_CELL_TEXT, offsetof(row_t, member) }
#define COUNT(row_t, member, title) \
    { #member, title, "", 1, CLI_CELL_COUNT, offsetof(row_t, member) }
#define COUNT_OR_NONE(row_t, member, title) \
    { #member, title, "", 1, CLI_CELL_COUNT_OR_NONE, offsetof(row_t, member) }
#define TEXT_OR_NONE(row_t, member) \
    { #member, NULL, "", 0, CLI_CELL_TEXT_OR_NONE, offsetof(row_t, member) }
#define FACT(row_t, member, title, unit, scale) \
    { #member, title, unit, scale, CLI_CELL_FACT, offsetof(row_t, member) }
#define BOOL(row_t, member) \
    { #member, NULL, "", 0, CLI_CELL_BOOL, offsetof(row_t, member) }
#define CONFIDENCE(row_t) \
    { "confidence", NULL, "", 0, CLI_CELL_CONFIDENCE, offsetof(row_t, confidence) }
#define PART(row_t, title) \
    { "accelerator", title, "", 0, CLI_CELL_PART, offsetof(row_t, accelerator) }

static const cli_column_t accelerators[] = {
    TEXT(assay_accelerator_t, id, "id"),
    TEXT(assay_accelerator_t, vendor, NULL),
    TEXT(assay_accelerator_t, name, NULL),
    TEXT(assay_accelerator_t, form_factor, NULL),
    TEXT(assay_accelerator_t, arch, NULL),
    TEXT(assay_accelerator_t, target, NULL),
    TEXT(assay_accelerator_t, launch_date, NULL),
    COUNT(assay_accelerator_t, devices, "devices"),
    COUNT(assay_accelerator_t, compute_units, NULL),
#define PEAK(code, name, title)                                                                \
    {                                                                                          \
        "peak_" name, title, "TFLOPS", 1e12, CLI_CELL_FACT,                                    \
            offsetof(assay_accelerator_t, peak_flops) + ASSAY_DT_##code * sizeof(assay_fact_t) \
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
    FACT(assay_accelerator_t, vector_fp32_flops, NULL, "TFLOPS", 1e12),
    FACT(assay_accelerator_t, hbm_bytes, "HBM", "GiB", 1073741824.0),
    FACT(assay_accelerator_t, hbm_bytes_per_s, "HBM", "TB/s", 1e12),
    FACT(assay_accelerator_t, llc_bytes, NULL, "MB", 1e6),
    FACT(assay_accelerator_t, clock_hz, NULL, "GHz", 1e9),
    FACT(assay_accelerator_t, tdp_w, "power", "W", 1),
    FACT(assay_accelerator_t, idle_w, NULL, "W", 1),
    FACT(assay_accelerator_t, price_usd, "price", "USD", 1),
    CONFIDENCE(assay_accelerator_t),
    TEXT(assay_accelerator_t, source, NULL),
    TEXT(assay_accelerator_t, note, NULL),
};

static const cli_column_t systems[] = {
    TEXT(assay_system_t, id, "id"),
    TEXT(assay_system_t, vendor, NULL),
    TEXT(assay_system_t, name, NULL),
    TEXT(assay_system_t, kind, "kind"),
    COUNT(assay_system_t, packages, "packages"),
    PART(assay_system_t, "accelerator"),
    {"fabric", NULL, "", 0, CLI_CELL_FABRIC, offsetof(assay_system_t, fabric)},
    FACT(assay_system_t, node_w, "power", "kW", 1e3),
    TEXT(assay_system_t, power_basis, NULL),
    FACT(assay_system_t, capex_usd, "price", "kUSD", 1e3),
    TEXT(assay_system_t, capex_basis, NULL),
    TEXT(assay_system_t, capex_date, NULL),
    FACT(assay_system_t, ram_bytes, NULL, "GB", 1e9),
    TEXT_OR_NONE(assay_system_t, claim_set),
    CONFIDENCE(assay_system_t),
    TEXT(assay_system_t, source, NULL),
    TEXT(assay_system_t, note, NULL),
};

static const cli_column_t fabrics[] = {
    TEXT(assay_fabric_t, id, "id"),
    TEXT(assay_fabric_t, name, NULL),
    TEXT(assay_fabric_t, kind, "kind"),
    PART(assay_fabric_t, NULL),
    COUNT(assay_fabric_t, devices, "devices"),
    FACT(assay_fabric_t, pair_bytes_per_s, "pair", "GB/s", 1e9),
    FACT(assay_fabric_t, device_bytes_per_s, "device", "GB/s", 1e9),
    FACT(assay_fabric_t, package_bytes_per_s, NULL, "GB/s", 1e9),
    COUNT(assay_fabric_t, scaleup_devices, NULL),
    COUNT(assay_fabric_t, nics, "NICs"),
    FACT(assay_fabric_t, nic_bits_per_s, "NIC", "Gbit/s", 1e9),
    TEXT(assay_fabric_t, source, NULL),
    TEXT(assay_fabric_t, note, NULL),
};

static const cli_column_t prices[] = {
    TEXT(assay_price_t, id, NULL),
    TEXT(assay_price_t, provider, "provider"),
    TEXT(assay_price_t, sku, NULL),
    TEXT(assay_price_t, region, NULL),
    {"accelerator", "accelerator", "", 0, CLI_CELL_TEXT, offsetof(assay_price_t, accelerator_name)},
    COUNT(assay_price_t, count, "count"),
    FACT(assay_price_t, on_demand_usd_per_h, "demand", "USD/h", 1),
    FACT(assay_price_t, reserved_1y_usd_per_h, NULL, "USD/h", 1),
    FACT(assay_price_t, reserved_3y_usd_per_h, NULL, "USD/h", 1),
    FACT(assay_price_t, spot_usd_per_h, "spot", "USD/h", 1),
    TEXT(assay_price_t, date, "date"),
    TEXT(assay_price_t, source, NULL),
};

static const cli_column_t models[] = {
    TEXT(assay_model_t, id, "id"),
    TEXT(assay_model_t, family, NULL),
    TEXT(assay_model_t, kind, "kind"),
    {"parameters", "params", "1e9", 1e9, CLI_CELL_PARAMETERS, 0},
    {"params_published", NULL, "1e9", 1e9, CLI_CELL_NUMBER,
     offsetof(assay_model_t, params_published)},
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
    TEXT(assay_model_t, source, NULL),
};

static const cli_column_t energy[] = {
    TEXT(assay_energy_t, id, "id"),
    TEXT(assay_energy_t, kind, NULL),
    TEXT(assay_energy_t, code, NULL),
    TEXT(assay_energy_t, name, "name"),
    FACT(assay_energy_t, usd_per_kwh, "price", "USD/kWh", 1),
    FACT(assay_energy_t, carbon_g_per_kwh, "CO2", "g/kWh", 1),
    FACT(assay_energy_t, pue, "PUE", "", 1),
    COUNT(assay_energy_t, year, "year"),
    TEXT(assay_energy_t, source, NULL),
};

static const cli_column_t claims[] = {
    TEXT(assay_claim_t, id, "id"),
    TEXT(assay_claim_t, set, "set"),
    TEXT(assay_claim_t, subject, "subject"),
    TEXT(assay_claim_t, quantity, "quantity"),
    {"value", "value", "", 1, CLI_CELL_CLAIM, 0},
    TEXT(assay_claim_t, unit, "unit"),
    TEXT(assay_claim_t, field, NULL),
    TEXT(assay_claim_t, text, NULL),
    TEXT(assay_claim_t, source, NULL),
};

#define TABLE(name, what, member, row_t, alias_kind)                                             \
    {                                                                                            \
#name, what, name, sizeof name / sizeof *name, sizeof(row_t),                            \
            offsetof(assay_catalog_t, member), offsetof(assay_catalog_t, n_##member), alias_kind \
    }
const cli_table_t cli_tables[] = {
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
};
const uint32_t cli_n_tables = sizeof cli_tables / sizeof *cli_tables;

/* The structs are the library's; rows are read through their offsets. */
#define AT(type, base, offset) (*(type const *)(const void *)((const char *)(base) + (offset)))

uint32_t cli_table_n_rows(const cli_table_t *table, const assay_catalog_t *catalog) {
    return AT(uint32_t, catalog, table->n_offset);
}

const void *cli_table_row(const cli_table_t *table, const assay_catalog_t *catalog, uint32_t row) {
    return AT(const char *, catalog, table->rows_offset) + (size_t)row * table->row_size;
}

const char *cli_row_id(const cli_table_t *table, const void *row) {
    return AT(const char *, row, table->column[0].offset);
}

static cli_value_t text_value(const char *text) {
    return (cli_value_t){.known = text && text[0], .text = text};
}
static cli_value_t number_value(double v, bool known) {
    return (cli_value_t){.known = known, .is_number = true, .v = v};
}

cli_value_t cli_row_value(const cli_column_t *column, const void *row) {
    static const char *const confidence[] = {"low", "medium", "high"};
    switch ((cli_cell_kind_t)column->kind) {
    case CLI_CELL_TEXT:
        return text_value(AT(const char *, row, column->offset));
    case CLI_CELL_TEXT_OR_NONE: {
        const char *text = AT(const char *, row, column->offset);
        return text_value(text && text[0] ? text : "none");
    }
    case CLI_CELL_COUNT_OR_NONE:
        return number_value(AT(uint32_t, row, column->offset), true);
    case CLI_CELL_COUNT: {
        uint32_t n = AT(uint32_t, row, column->offset);
        return number_value(n, n > 0);
    }
    case CLI_CELL_FACT: {
        assay_fact_t fact = AT(assay_fact_t, row, column->offset);
        cli_value_t value = number_value(fact.v, fact.known);
        value.fact = fact;
        return value;
    }
    case CLI_CELL_NUMBER: {
        double v = AT(double, row, column->offset);
        return number_value(v, v > 0.0);
    }
    case CLI_CELL_BOOL:
        return (cli_value_t){.known = true, .is_bool = true, .v = AT(bool, row, column->offset)};
    case CLI_CELL_CONFIDENCE:
        return text_value(confidence[AT(uint8_t, row, column->offset)]);
    case CLI_CELL_PART: {
        const assay_accelerator_t *part = AT(const assay_accelerator_t *, row, column->offset);
        return text_value(part ? part->id : NULL);
    }
    case CLI_CELL_FABRIC: {
        const assay_fabric_t *fabric = AT(const assay_fabric_t *, row, column->offset);
        return text_value(fabric ? fabric->id : NULL);
    }
    case CLI_CELL_PARAMETERS: {
        assay_model_count_t count;
        if (strcmp(((const assay_model_t *)row)->kind, "decoder-LLM") != 0) {
            return number_value(0, false);
        }
        assay_model_count(row, &count);
        return number_value(count.total, true);
    }
    case CLI_CELL_CLAIM:
        return number_value(((const assay_claim_t *)row)->v,
                            ((const assay_claim_t *)row)->has_value);
    }
    return (cli_value_t){0};
}
