/** One reader a format of price lists; private to ledger. */
#ifndef LEDGER_PRICE_READER_H
#define LEDGER_PRICE_READER_H

#include "assay/price_import.h"

enum { PRICE_ON_DEMAND, PRICE_RESERVED_1Y, PRICE_RESERVED_3Y, PRICE_SPOT, PRICE_TERMS };

/** What a row offers; NAN and "" are unknown. */
typedef struct {
    const char *id, *provider, *sku, *region, *accelerator, *date, *note;
    double count, usd_h[PRICE_TERMS]; /* of the whole instance */
    double hours[PRICE_TERMS];        /* behind a mean; 0: the lowest counts */
    double vcpus, ram_gib, nvme_gb;
    const char *host_source; /* of what the file does not say of the host; "" none */
    uint32_t line;
} price_offer_t;

/** An accelerator as the file writes it. */
typedef struct {
    const char *name;
    double gb; /* of one; NAN: not said */
} price_name_t;

typedef struct {
    assay_arena_t *arena;
    const assay_catalog_t *catalog;
    assay_csv_t csv;
    const assay_price_import_options_t *options;
    const char *source;
    assay_price_unknown_t *unknown;
    uint32_t n_unknown, n_unknown_rows, n_without;
    assay_error_t *err;
} price_reader_t;

typedef struct {
    const char *name;     /* NULL ends the list */
    const char *needs[5]; /* columns that a file of it has, NULL-ended */
    /** *out_taken false: the row offers no accelerator by the hour. */
    assay_status_t (*read)(price_reader_t *reader, uint32_t row, price_offer_t *out_offer,
                           price_name_t *out_name, bool *out_taken);
} price_format_t;

extern const price_format_t price_formats[];

typedef struct {
    const char *column;
    double *out;
} price_figure_t;

const char *price_cell(const price_reader_t *reader, uint32_t row, const char *column);
/** NAN for an empty cell. */
assay_status_t price_number(const price_reader_t *reader, uint32_t row, const char *column,
                            double *out_value);
assay_status_t price_numbers(const price_reader_t *reader, uint32_t row,
                             const price_figure_t *figure, size_t n);
/** As the catalog calls a company. */
const char *price_provider(const char *written);
/** An instance that the catalog has a price of; NULL: none. */
const assay_price_t *price_known_instance(const price_reader_t *reader, const char *provider,
                                          const char *sku);
/** The catalog's name of a part; NULL: unknown. gb: memory of one, NAN unknown. */
const char *price_accelerator(const price_reader_t *reader, const char *name, double gb);
/** Sets the offer's accelerator; *out_found false: the catalog does not know it, and it is counted.
 */
assay_status_t price_find_part(price_reader_t *reader, price_offer_t *offer, const char *name,
                               double gb, bool *out_found);

#endif
