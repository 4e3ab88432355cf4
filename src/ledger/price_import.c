#include "assay/price_import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/ledger.h"
#include "assay/text.h"
#include "assay/units.h"
#include "ledger/json_table.h"
#include "ledger/price_reader.h"

#include "base/banned.h"

#define MAX_UNKNOWN 256u
#define MAX_ID 160u

/* --- the parts of a row that every format needs ------------------------------------------------
 */

const char *price_cell(const price_reader_t *reader, uint32_t row, const char *column) {
    return assay_csv_cell(&reader->csv, row, assay_csv_column(&reader->csv, column));
}

assay_status_t price_number(const price_reader_t *reader, uint32_t row, const char *column,
                            double *out_value) {
    const char *cell = price_cell(reader, row, column);
    *out_value = NAN;
    if (cell[0] == '\0' || assay_text_to_double(cell, strlen(cell), out_value)) {
        return ASSAY_OK;
    }
    const assay_place_t at = assay_csv_place(&reader->csv, row);
    return assay_error_set(reader->err, ASSAY_INPUT, &at, "column '%s': '%s' is not a number",
                           column, cell);
}

assay_status_t price_numbers(const price_reader_t *reader, uint32_t row,
                             const price_figure_t *figure, size_t n) {
    assay_status_t status = ASSAY_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = price_number(reader, row, figure[i].column, figure[i].out);
    }
    return status;
}

/* What catalogs call a company. */
static const struct {
    const char *written, *provider;
} providers[] = {
    {"Amazon Web Services", "aws"}, {"AWS", "aws"},     {"Amazon", "aws"},
    {"Microsoft", "azure"},         {"Azure", "azure"}, {"Microsoft Azure", "azure"},
    {"Google Cloud", "gcp"},        {"Google", "gcp"},  {"GCP", "gcp"},
    {"Oracle", "oracle"},           {"OCI", "oracle"},  {"Lambda Labs", "lambda"},
    {"lambdalabs", "lambda"},
};

const char *price_provider(const char *written) {
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++) {
        if (assay_text_equal_fold(providers[i].written, written)) {
            return providers[i].provider;
        }
    }
    return written;
}

const assay_price_t *price_known_instance(const price_reader_t *reader, const char *provider,
                                          const char *sku) {
    for (uint32_t i = 0; i < reader->catalog->n_price; i++) {
        const assay_price_t *price = &reader->catalog->price[i];
        if (assay_text_equal_fold(price->sku, sku) &&
            assay_text_equal_fold(price->provider, provider)) {
            return price;
        }
    }
    return NULL;
}

/* The name without the maker's and the line's words: "NVIDIA Tesla T4" is T4. */
static const char *bare_name(const char *name) {
    static const char *const words[] = {"nvidia ", "amd ",      "intel ",   "google ", "aws ",
                                        "tesla ",  "instinct ", "geforce ", "habana "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i]);
        char start[16];
        if (strlen(name) > n) {
            memcpy(start, name, n);
            start[n] = '\0';
            if (assay_text_equal_fold(start, words[i])) {
                return bare_name(name + n);
            }
        }
    }
    return name;
}

const char *price_accelerator(const price_reader_t *reader, const char *name, double gb) {
    const char *bare = bare_name(name);
    static const char *const ending[] = {"gb", "g"};
    const char *found = NULL;
    for (size_t i = 0; gb > 0.0 && i < 2 && !found; i++) { /* with its memory it says most */
        char text[128], number[32];
        assay_text_from_double_short(number, gb, 4);
        const int n = snprintf(text, sizeof text, "%s-%s%s", bare, number, ending[i]);
        found = n > 0 && (size_t)n < sizeof text ? assay_catalog_price_name(reader->catalog, text)
                                                 : NULL;
    }
    found = found ? found : assay_catalog_price_name(reader->catalog, bare);
    return found ? found : assay_catalog_price_name(reader->catalog, name);
}

/* The board that the instance's own name tells: "gpu_1x_h100_pcie"; NULL: it does not. */
static const char *board_in_sku(const price_reader_t *reader, const char *sku, const char *name,
                                double gb) {
    static const char *const board[] = {"pcie", "sxm5", "sxm4", "sxm2", "sxm", "nvl"};
    const char *bare = bare_name(name);
    char text[128], number[32];
    for (size_t i = 0; i < sizeof board / sizeof *board; i++) {
        if (!strcasestr(sku, board[i])) {
            continue;
        }
        (void)assay_text_from_double_short(number, gb, 4);
        snprintf(text, sizeof text, gb > 0.0 ? "%.60s-%s-%sgb" : "%.60s-%s", bare, board[i],
                 number);
        const char *found = assay_catalog_price_name(reader->catalog, text);
        if (!found) {
            snprintf(text, sizeof text, "%.60s-%s", bare, board[i]);
            found = assay_catalog_price_name(reader->catalog, text);
        }
        if (found) {
            return found;
        }
    }
    return NULL;
}

/* Names no single board: the catalog knows a note about it. */
static bool is_family(const assay_catalog_t *catalog, const char *name) {
    return assay_catalog_note(catalog, "accelerator", name) != NULL;
}

/* What the catalog knows of the instance and the file does not say. */
static void take_host(price_offer_t *offer, const assay_price_t *known) {
    const struct {
        double *to;
        double value;
        bool known;
    } figure[] = {
        {&offer->vcpus, known->vcpus, known->vcpus > 0},
        {&offer->ram_gib, known->ram_bytes.v / ASSAY_GIB_BYTES, known->ram_bytes.known},
        {&offer->nvme_gb, known->nvme_bytes.v / 1e9, known->nvme_bytes.known},
    };
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        if (isnan(*figure[i].to) && figure[i].known) {
            *figure[i].to = figure[i].value;
            offer->host_source = known->host_source;
        }
    }
}

assay_status_t price_find_part(price_reader_t *reader, price_offer_t *offer, const char *name,
                               double gb, bool *out_found) {
    const assay_price_t *known = price_known_instance(reader, offer->provider, offer->sku);
    offer->accelerator = price_accelerator(reader, name, gb);
    *out_found = offer->accelerator != NULL;
    if (*out_found && is_family(reader->catalog, offer->accelerator)) {
        const char *board = known && known->accelerator
                                ? known->accelerator->id
                                : board_in_sku(reader, offer->sku, name, gb);
        offer->accelerator = board ? board : offer->accelerator;
    }
    if (*out_found) {
        if (known) {
            take_host(offer, known);
        }
        return ASSAY_OK;
    }
    reader->n_unknown_rows++;
    for (uint32_t i = 0; i < reader->n_unknown; i++) {
        if (strcmp(reader->unknown[i].name, name) == 0) {
            reader->unknown[i].rows++;
            return ASSAY_OK;
        }
    }
    if (reader->n_unknown < MAX_UNKNOWN) {
        reader->unknown[reader->n_unknown++] = (assay_price_unknown_t){name, 1};
    }
    return ASSAY_OK;
}

static assay_status_t make_id(price_reader_t *reader, price_offer_t *offer) {
    const char *part[] = {offer->provider, offer->sku, offer->region};
    char id[MAX_ID] = "";
    size_t n = 0;
    for (size_t i = 0; i < 3; i++) {
        for (const char *c = part[i]; *c && n + 2 < sizeof id; c++) {
            const bool keeps = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '.';
            const char lower = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
            if (keeps || lower != *c) {
                id[n++] = lower;
            } else if (n > 0 && id[n - 1] != '-') {
                id[n++] = '-';
            }
        }
        if (i < 2 && part[i][0] && n > 0 && id[n - 1] != '-' && n + 2 < sizeof id) {
            id[n++] = '-';
        }
    }
    while (n > 0 && id[n - 1] == '-') {
        n--;
    }
    offer->id = assay_arena_strndup(reader->arena, id, n);
    return offer->id ? ASSAY_OK : assay_error_memory(reader->err, NULL);
}

/* --- one offer of many rows --------------------------------------------------------------------
 */

static int compare_offers(const void *a, const void *b) {
    const price_offer_t *left = a, *right = b;
    const int order = strcmp(left->id, right->id);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

/* The lower of two prices, or their mean by hours; NAN is unknown. */
static void fold_price(double *into, double *into_hours, double value, double hours) {
    if (isnan(value)) {
        return;
    }
    if (isnan(*into)) {
        *into = value;
        *into_hours = hours;
    } else if (hours > 0.0) {
        *into = (*into * *into_hours + value * hours) / (*into_hours + hours);
        *into_hours += hours;
    } else if (value < *into) {
        *into = value;
    }
}

static uint32_t fold_offers(price_offer_t *offer, uint32_t n) {
    uint32_t n_kept = 0;
    qsort(offer, n, sizeof *offer, compare_offers);
    for (uint32_t i = 0; i < n; i++) {
        price_offer_t *kept = n_kept > 0 ? &offer[n_kept - 1] : NULL;
        if (!kept || strcmp(kept->id, offer[i].id) != 0) {
            offer[n_kept++] = offer[i];
            continue;
        }
        for (size_t k = 0; k < PRICE_TERMS; k++) {
            fold_price(&kept->usd_h[k], &kept->hours[k], offer[i].usd_h[k], offer[i].hours[k]);
        }
        kept->date = strcmp(offer[i].date, kept->date) > 0 ? offer[i].date : kept->date;
    }
    return n_kept;
}

/* --- rows of data/prices.csv -------------------------------------------------------------------
 */

static const char *number_cell(assay_arena_t *arena, double value) {
    char text[32];
    if (isnan(value)) {
        return "";
    }
    assay_text_from_double(text, value);
    return assay_arena_strdup(arena, text);
}

static assay_status_t write_rows(price_reader_t *reader, const price_offer_t *offer, uint32_t n,
                                 assay_csv_t *out_rows) {
    uint32_t n_columns = 0;
    while (assay_ledger_price_columns[n_columns]) {
        n_columns++;
    }
    assay_csv_t rows = {.file = reader->csv.file, .n_columns = n_columns, .n_rows = n};
    rows.header = assay_arena_array(reader->arena, n_columns, sizeof *rows.header);
    rows.cell = assay_arena_array(reader->arena, (size_t)n * n_columns, sizeof *rows.cell);
    rows.line = assay_arena_array(reader->arena, n, sizeof *rows.line);
    if (!rows.header || !rows.cell || !rows.line) {
        return assay_error_memory(reader->err, NULL);
    }
    memcpy(rows.header, assay_ledger_price_columns, n_columns * sizeof *rows.header);
    for (uint32_t i = 0; i < n; i++) {
        const price_offer_t *o = &offer[i];
        assay_arena_t *arena = reader->arena;
        const bool has_host = !isnan(o->vcpus) || !isnan(o->ram_gib) || !isnan(o->nvme_gb);
        const char *host_source =
            o->host_source[0] ? assay_arena_printf(arena, "%s; %s", reader->source, o->host_source)
                              : reader->source;
        const struct {
            const char *column, *cell;
        } cells[] = {
            {"id", o->id},
            {"provider", o->provider},
            {"sku", o->sku},
            {"region", o->region},
            {"accelerator", o->accelerator},
            {"count", number_cell(arena, o->count)},
            {"on_demand_usd_h", number_cell(arena, o->usd_h[PRICE_ON_DEMAND])},
            {"reserved_1y_usd_h", number_cell(arena, o->usd_h[PRICE_RESERVED_1Y])},
            {"reserved_3y_usd_h", number_cell(arena, o->usd_h[PRICE_RESERVED_3Y])},
            {"spot_usd_h", number_cell(arena, o->usd_h[PRICE_SPOT])},
            {"vcpus", number_cell(arena, floor(o->vcpus))},
            {"ram_gib", number_cell(arena, o->ram_gib)},
            {"nvme_gb", number_cell(arena, o->nvme_gb)},
            {"host_source", has_host ? host_source : ""},
            {"date", o->date},
            {"source", reader->source},
            {"note", o->note},
        };
        for (uint32_t j = 0; j < n_columns; j++) {
            rows.cell[(size_t)i * n_columns + j] = "";
        }
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            const int column = assay_csv_column(&rows, cells[k].column);
            if (!cells[k].cell) {
                return assay_error_memory(reader->err, NULL);
            }
            rows.cell[(size_t)i * n_columns + (size_t)column] = cells[k].cell;
        }
        rows.line[i] = o->line;
    }
    *out_rows = rows;
    return ASSAY_OK;
}

/* --- the whole file ----------------------------------------------------------------------------
 */

static assay_status_t parse(assay_arena_t *arena, const char *file, const char *data, size_t size,
                            assay_csv_t *out_csv, assay_error_t *err) {
    size_t first = 0;
    while (first < size && strchr(" \t\r\n", data[first])) {
        first++;
    }
    const bool json = first < size && (data[first] == '[' || data[first] == '{');
    return json ? ledger_json_table(arena, file, data, size, out_csv, err)
                : assay_csv_parse(arena, file, data, size, out_csv, err);
}

static const price_format_t *find_format(price_reader_t *reader) {
    for (const price_format_t *format = price_formats; format->name; format++) {
        size_t i = 0;
        while (format->needs[i] && assay_csv_column(&reader->csv, format->needs[i]) >= 0) {
            i++;
        }
        if (!format->needs[i]) {
            return format;
        }
    }
    const assay_place_t at = {reader->csv.file, 1, 0};
    assay_error_set(reader->err, ASSAY_INPUT, &at,
                    "these columns are of no price list that is known");
    assay_error_next(reader->err,
                     "SkyPilot has InstanceType, AcceleratorName, Price; gpuhunt instance_name, "
                     "gpu_name, price; FOCUS PricingQuantity, PricingUnit; our own provider, sku, "
                     "accelerator, count, on_demand_usd_h, date");
    return NULL;
}

/* What the file leaves out, or an error that says which flag gives it. */
static assay_status_t complete(price_reader_t *reader, uint32_t row, price_offer_t *offer) {
    const struct {
        const char **field;
        const char *given, *what, *flag;
    } needs[] = {{&offer->provider, reader->options->provider, "provider", "--provider aws"},
                 {&offer->date, reader->options->date, "date", "--date 2026-11-30"}};
    for (size_t i = 0; i < 2; i++) {
        if ((*needs[i].field)[0] == '\0' && needs[i].given) {
            *needs[i].field = needs[i].given;
        }
        if ((*needs[i].field)[0] == '\0') {
            const assay_place_t at = assay_csv_place(&reader->csv, row);
            assay_error_set(reader->err, ASSAY_INPUT, &at, "no %s stands in the file",
                            needs[i].what);
            assay_error_next(reader->err, "say it with %s", needs[i].flag);
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

static const price_offer_t nothing = {
    .provider = "",
    .sku = "",
    .region = "",
    .date = "",
    .note = "",
    .host_source = "",
    .count = NAN,
    .usd_h = {NAN, NAN, NAN, NAN},
    .vcpus = NAN,
    .ram_gib = NAN,
    .nvme_gb = NAN,
};

static assay_status_t read_rows(price_reader_t *reader, const price_format_t *format,
                                price_offer_t *offer, uint32_t *out_n) {
    uint32_t n = 0;
    for (uint32_t row = 0; row < reader->csv.n_rows; row++) {
        price_offer_t *next = &offer[n];
        price_name_t name = {"", NAN};
        bool taken = false;
        *next = nothing;
        next->line = reader->csv.line[row];
        assay_status_t status = format->read(reader, row, next, &name, &taken);
        if (status || !taken) {
            reader->n_without += !status;
            if (status) {
                return status;
            }
            continue;
        }
        status = complete(reader, row, next);
        status = status ? status : price_find_part(reader, next, name.name, name.gb, &taken);
        if (!status && taken) {
            for (size_t k = 0; k < PRICE_TERMS; k++) { /* 0 is not free, it is not known */
                next->usd_h[k] = next->usd_h[k] > 0.0 ? next->usd_h[k] : (double)NAN;
            }
            status = make_id(reader, next);
            n++;
        }
        if (status) {
            return status;
        }
    }
    *out_n = n;
    return ASSAY_OK;
}

assay_status_t assay_price_import(assay_arena_t *arena, const assay_catalog_t *catalog,
                                  const char *file, const char *data, size_t size,
                                  const assay_price_import_options_t *options,
                                  assay_price_import_t *out_import, assay_error_t *err) {
    price_reader_t reader = {.arena = arena, .catalog = catalog, .options = options, .err = err};
    assay_status_t status = parse(arena, file, data, size, &reader.csv, err);
    const price_format_t *format = status ? NULL : find_format(&reader);
    if (!format) {
        return status ? status : ASSAY_INPUT;
    }
    reader.source = options->source ? options->source
                                    : assay_arena_printf(arena, "%s list %s", format->name, file);
    reader.unknown = assay_arena_array(arena, MAX_UNKNOWN, sizeof *reader.unknown);
    price_offer_t *offer = assay_arena_array(arena, (size_t)reader.csv.n_rows + 1, sizeof *offer);
    if (!reader.source || !reader.unknown || !offer) {
        return assay_error_memory(err, NULL);
    }
    uint32_t n = 0;
    status = read_rows(&reader, format, offer, &n);
    if (status != ASSAY_OK) {
        return status;
    }
    n = fold_offers(offer, n);
    *out_import = (assay_price_import_t){.format = format->name,
                                         .n_read = reader.csv.n_rows,
                                         .n_without = reader.n_without,
                                         .unknown = reader.unknown,
                                         .n_unknown = reader.n_unknown,
                                         .n_unknown_rows = reader.n_unknown_rows};
    for (uint32_t i = 0; i < n; i++) {
        out_import->n_family += is_family(catalog, offer[i].accelerator);
    }
    return write_rows(&reader, offer, n, &out_import->rows);
}
