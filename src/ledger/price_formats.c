#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "ledger/price_reader.h"

#include "base/banned.h"

/* skypilot-org/skypilot-catalog, vms.csv of schema v5 to v8. A row without InstanceType is an
   accelerator that is attached to a machine: its price is not that of an instance. */
static assay_status_t read_skypilot(price_reader_t *reader, uint32_t row, price_offer_t *offer,
                                    price_name_t *name, bool *out_taken) {
    offer->sku = price_cell(reader, row, "InstanceType");
    offer->region = price_cell(reader, row, "Region");
    name->name = price_cell(reader, row, "AcceleratorName");
    const price_figure_t figure[] = {{"AcceleratorCount", &offer->count},
                                     {"vCPUs", &offer->vcpus},
                                     {"MemoryGiB", &offer->ram_gib},
                                     {"Price", &offer->usd_h[PRICE_ON_DEMAND]},
                                     {"SpotPrice", &offer->usd_h[PRICE_SPOT]}};
    *out_taken = offer->sku[0] != '\0' && name->name[0] != '\0';
    return price_numbers(reader, row, figure, sizeof figure / sizeof *figure);
}

/* dstackai/gpuhunt: one row on demand, one spot. */
static assay_status_t read_gpuhunt(price_reader_t *reader, uint32_t row, price_offer_t *offer,
                                   price_name_t *name, bool *out_taken) {
    double usd_h;
    const char *spot = price_cell(reader, row, "spot");
    offer->provider = price_provider(price_cell(reader, row, "provider"));
    offer->sku = price_cell(reader, row, "instance_name");
    offer->region = price_cell(reader, row, "location");
    name->name = price_cell(reader, row, "gpu_name");
    const price_figure_t figure[] = {{"gpu_count", &offer->count},
                                     {"cpu", &offer->vcpus},
                                     {"memory", &offer->ram_gib},
                                     {"price", &usd_h},
                                     {"gpu_memory", &name->gb}};
    const assay_status_t status =
        price_numbers(reader, row, figure, sizeof figure / sizeof *figure);
    offer->usd_h[assay_text_equal_fold(spot, "true") ? PRICE_SPOT : PRICE_ON_DEMAND] = usd_h;
    *out_taken = offer->sku[0] != '\0' && name->name[0] != '\0' && offer->count > 0.0;
    return status;
}

/* One property of SkuPriceDetails, with or without the prefix of FOCUS's own keys. */
static const json_t *detail(const json_t *details, const char *with_prefix) {
    const json_t *value = json_object_get(details, with_prefix);
    return value ? value : json_object_get(details, with_prefix + strlen("F_"));
}

static double detail_number(const json_t *details, const char *key) {
    const json_t *value = detail(details, key);
    double number;
    const char *text = json_string_value(value);
    if (text && assay_text_to_double(text, strlen(text), &number)) {
        return number;
    }
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static assay_status_t read_details(price_reader_t *reader, uint32_t row, price_offer_t *offer) {
    const char *cell = price_cell(reader, row, "SkuPriceDetails");
    json_t *details = json_loads(cell, 0, NULL);
    const char *type = json_string_value(detail(details, "F_InstanceType"));
    offer->sku =
        type ? assay_arena_strdup(reader->arena, type) : price_cell(reader, row, "x_InstanceType");
    offer->count = detail_number(details, "F_GpuCount");
    offer->vcpus = detail_number(details, "F_CoreCount");
    offer->ram_gib = detail_number(details, "F_MemorySize");
    json_decref(details);
    return offer->sku ? ASSAY_OK : assay_error_memory(reader->err, NULL);
}

/* "1 Hour", "Hours", "hour". */
static bool is_hourly(const char *unit) {
    char tail[8] = "";
    size_t n = strlen(unit);
    n -= n > 0 && (unit[n - 1] == 's' || unit[n - 1] == 'S');
    if (n < 4 || (n > 4 && strncmp(unit, "1 ", 2) != 0)) {
        return false;
    }
    memcpy(tail, unit + n - 4, 4);
    return assay_text_equal_fold(tail, "hour");
}

static assay_status_t check_currency(price_reader_t *reader, uint32_t row) {
    const char *currency = price_cell(reader, row, "BillingCurrency");
    if (currency[0] == '\0' || strcmp(currency, "USD") == 0) {
        return ASSAY_OK;
    }
    const assay_place_t at = assay_csv_place(&reader->csv, row);
    assay_error_set(reader->err, ASSAY_INPUT, &at, "BillingCurrency is %s, expected USD", currency);
    assay_error_next(reader->err, "convert the costs first");
    return ASSAY_INPUT;
}

/* FinOps FOCUS 1.x, cost and usage. What was paid for an hour: the contracted unit price of a
   standard charge, else cost over quantity; a committed charge does not say its term and counts as
   one year. */
static assay_status_t read_focus(price_reader_t *reader, uint32_t row, price_offer_t *offer,
                                 price_name_t *name, bool *out_taken) {
    const char *category = price_cell(reader, row, "PricingCategory");
    const char *charge = price_cell(reader, row, "ChargeCategory");
    const char *start = price_cell(reader, row, "ChargePeriodStart");
    double quantity, cost, contracted, list;
    const price_figure_t figure[] = {{"PricingQuantity", &quantity},
                                     {"EffectiveCost", &cost},
                                     {"ContractedUnitPrice", &contracted},
                                     {"ListUnitPrice", &list}};
    *out_taken = false;
    if ((charge[0] && strcmp(charge, "Usage") != 0) ||
        !is_hourly(price_cell(reader, row, "PricingUnit"))) {
        return ASSAY_OK;
    }
    assay_status_t status = price_numbers(reader, row, figure, sizeof figure / sizeof *figure);
    status = status ? status : read_details(reader, row, offer);
    if (status || offer->sku[0] == '\0' || !(quantity > 0.0)) {
        return status;
    }
    const char *provider = price_cell(reader, row, "ServiceProviderName");
    provider = provider[0] ? provider : price_cell(reader, row, "ProviderName");
    offer->provider = price_provider(provider);
    const char *region = price_cell(reader, row, "RegionId");
    offer->region = region[0] ? region : price_cell(reader, row, "RegionName");
    offer->date = assay_arena_strndup(reader->arena, start, strnlen(start, 10));
    const assay_price_t *known = price_known_instance(reader, offer->provider, offer->sku);
    name->name = known ? known->accelerator_name : offer->sku;
    offer->count = isnan(offer->count) && known ? known->count : offer->count;
    if (!known && !(offer->count > 0.0)) {
        return ASSAY_OK; /* nothing says that it has accelerators */
    }
    const bool committed = strcmp(category, "Committed") == 0;
    const size_t term = committed                          ? PRICE_RESERVED_1Y
                        : strcmp(category, "Dynamic") == 0 ? PRICE_SPOT
                                                           : PRICE_ON_DEMAND;
    const double paid = cost / quantity;
    const double standard = contracted > 0.0 ? contracted : list > 0.0 ? list : paid;
    offer->usd_h[term] = term == PRICE_ON_DEMAND ? standard : paid;
    offer->hours[term] = quantity;
    offer->note = committed ? "FOCUS does not say the term of a commitment: read as one year" : "";
    *out_taken = true;
    return offer->date ? check_currency(reader, row) : assay_error_memory(reader->err, NULL);
}

/* Our own columns. */
static assay_status_t read_own(price_reader_t *reader, uint32_t row, price_offer_t *offer,
                               price_name_t *name, bool *out_taken) {
    const price_figure_t figure[] = {{"count", &offer->count},
                                     {"on_demand_usd_h", &offer->usd_h[PRICE_ON_DEMAND]},
                                     {"reserved_1y_usd_h", &offer->usd_h[PRICE_RESERVED_1Y]},
                                     {"reserved_3y_usd_h", &offer->usd_h[PRICE_RESERVED_3Y]},
                                     {"spot_usd_h", &offer->usd_h[PRICE_SPOT]},
                                     {"vcpus", &offer->vcpus},
                                     {"ram_gib", &offer->ram_gib},
                                     {"nvme_gb", &offer->nvme_gb}};
    offer->provider = price_cell(reader, row, "provider");
    offer->sku = price_cell(reader, row, "sku");
    offer->region = price_cell(reader, row, "region");
    offer->date = price_cell(reader, row, "date");
    offer->note = price_cell(reader, row, "note");
    name->name = price_cell(reader, row, "accelerator");
    *out_taken = offer->sku[0] != '\0' && name->name[0] != '\0';
    return price_numbers(reader, row, figure, sizeof figure / sizeof *figure);
}

const price_format_t price_formats[] = {
    {"SkyPilot", {"InstanceType", "AcceleratorName", "AcceleratorCount", "Price"}, read_skypilot},
    {"gpuhunt", {"instance_name", "gpu_name", "gpu_count", "price"}, read_gpuhunt},
    {"FOCUS", {"PricingQuantity", "PricingUnit", "SkuPriceDetails"}, read_focus},
    {"assay", {"provider", "sku", "accelerator", "count"}, read_own},
    {NULL, {NULL}, NULL},
};
