/* Keys of money. */
#include "job/job_schema.h"

static const char *const currency_names[] = {"USD", "EUR", "CNY", NULL};
static const char *const depreciation_names[] = {"declining", "straight", "plateau", "market",
                                                 NULL};
#define MAX_TERMS 64
#define MAX_LOADS 8784 /* the hours of a leap year */
static const char *const formula_names[] = {"cash_flow", "article", NULL};

static const assay_field_t load_field[] = {
    {FRACTION("share", assay_job_load_t, share),
     .help = "share of the hours; without it money.utilisation"},
    {FRACTION("load", assay_job_load_t, load), .required = true,
     .help = "share of the nodes that is needed in them"},
};
static const assay_schema_t load_schema =
    SCHEMA("load_curve", assay_job_load_t, load_field, NO_PRESENT, NULL);

static const char *const unit_names[] = {"percent", "fraction", NULL};
#define MAX_COLUMNS 4096

static const assay_field_t load_file_field[] = {
    {STRING("path", assay_job_load_file_t, path), .required = true, .flag = "load-file",
     .help = "CSV of times and loads, such as Grafana's of GPU utilisation; a relative path of a "
             "job file is beside it"},
    {CHOICE("unit", assay_job_load_file_t, unit, unit_names), .flag = "load-unit",
     .help = "of the loads, where their columns' names do not say it"},
    {NUMBER("full", assay_job_load_file_t, full, NUMBER, 1, 1e-6, 1e12),
     .help = "of loads that are amounts: the sum of the columns that means all nodes, 128 GPUs"},
    {STRINGS("columns", assay_job_load_file_t, columns, MAX_COLUMNS),
     .help = "columns of loads; without it all but the time"},
};

static assay_status_t check_load_file(const void *value, const assay_node_t *node,
                                      assay_error_t *err) {
    const assay_job_load_file_t *file = value;
    if (file->full.origin != ASSAY_GIVEN || file->unit.origin != ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    assay_error_set(err, ASSAY_INPUT, node ? &node->at : NULL,
                    "load_file says a unit and a full amount");
    assay_error_next(err, "give full where loads are amounts, unit where they are shares");
    return ASSAY_INPUT;
}
static const assay_schema_t load_file_schema =
    SCHEMA("load_file", assay_job_load_file_t, load_file_field,
           offsetof(assay_job_load_file_t, present), check_load_file);

static assay_status_t check_money(const void *value, const assay_node_t *node, assay_error_t *err) {
    const assay_job_money_t *money = value;
    if (money->load_curve.n == 0 || !money->load_file.present) {
        return ASSAY_OK;
    }
    assay_error_set(err, ASSAY_INPUT, node ? &money->load_file.path.at : NULL,
                    "the load is given as a curve and as a file");
    assay_error_next(err, "leave money.load_curve or money.load_file out");
    return ASSAY_INPUT;
}

static const assay_field_t money_field[] = {
    {STRING("currency", assay_job_money_t, currency), .choices = currency_names,
     .default_text = "USD", .flag = "currency",
     .help = "currency of text and reports; keys and JSON stay in USD"},
    {NUMBER("currency_per_usd", assay_job_money_t, currency_per_usd, NUMBER, 1, 1e-6, 1e6),
     .help = "rate to use in place of the built-in table's"},
    {STRINGS("terms", assay_job_money_t, terms, MAX_TERMS), .flag = "terms",
     .help = "terms to count at their default beside the usual ones: facility, demand, tax ...; "
             "article: "
             "none of the usual ones"},
    {STRING("site", assay_job_money_t, site),
     .help =
         "row of energy.csv: its price of electricity, carbon and PUE count where none is given"},
    {NUMBER("years", assay_job_money_t, years, NUMBER, 1, 0.1, 50), .flag = "years",
     .help = "years that are counted"},
    {FRACTION("discount_rate", assay_job_money_t, discount_rate), .flag = "discount-rate",
     .help = "cost of money a year"},
    {NUMBER("electricity_usd_kwh", assay_job_money_t, electricity_usd_kwh, MONEY_PER_KWH, 1, 0, 10),
     .uncertain = true, .flag = "electricity", .help = "price of electricity in USD/kWh"},
    {NUMBER("pue", assay_job_money_t, pue, NUMBER, 1, 1, 5), .uncertain = true, .flag = "pue",
     .help = "power of the whole site over power of the machines"},
    {NUMBER("utilisation", assay_job_money_t, utilisation, FRACTION, 1, 1e-3, 1),
     .flag = "utilisation", .help = "share of the hours in which owned machines do work"},
    {FRACTION("residual", assay_job_money_t, residual), .uncertain = true, .flag = "residual",
     .help = "share of the purchase price that is left at the end"},
    {FRACTION("contingency", assay_job_money_t, contingency), .uncertain = true,
     .flag = "contingency", .help = "reserve on top of the cost of the move"},
    {MONEY("ops_usd_per_year", assay_job_money_t, ops_usd_per_year), .uncertain = true,
     .flag = "ops-usd-per-year", .help = "staff and upkeep of the cluster in USD a year"},
    {CHOICE("depreciation", assay_job_money_t, depreciation, depreciation_names),
     .default_text = "declining",
     .help = "how machines lose their value, where no residual is given"},
    {CHOICE("tco_formula", assay_job_money_t, tco_formula, formula_names),
     .default_text = "cash_flow", .flag = "tco-formula",
     .help = "cash_flow: pay for machines at the start; article: as its formula prints it"},
    {.key = "load_curve",
     .kind = ASSAY_FIELD_LIST,
     .min = 1,
     .max = MAX_LOADS,
     .offset = offsetof(assay_job_money_t, load_curve),
     .help = "how many nodes are needed how much of the year: asks which to buy, reserve, rent",
     .sub = &load_schema},
    {STRUCT("load_file", assay_job_money_t, load_file, load_file_schema),
     .help = "the same from a file of loads over time"},
#define OPTION_FIELD(code, name, dimension, scale, least, most, drawn, term, what)                \
    {NUMBER(name, assay_job_money_t, option[ASSAY_OPTION_##code], dimension, scale, least, most), \
     .uncertain = (drawn), .help = (what)},
    ASSAY_OPTION_LIST(OPTION_FIELD)
#undef OPTION_FIELD
};
const assay_schema_t assay_job_money_schema = SCHEMA(
    "money", assay_job_money_t, money_field, offsetof(assay_job_money_t, present), check_money);
