/**
 * What exists: accelerators, systems, fabrics, prices, energy, models, and what was claimed. Every
 * figure carries its source. Built-in tables come from data/; a user's tables replace rows by id.
 */
#ifndef ASSAY_CATALOG_H
#define ASSAY_CATALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/csv.h"
#include "assay/error.h"
#include "assay/fact.h"
#include "assay/message.h"
#include "assay/model.h"
#include "assay/units.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_DT_LIST(X) \
    X(FP64, "fp64", 8.0) \
    X(FP32, "fp32", 4.0) \
    X(TF32, "tf32", 4.0) \
    X(FP16, "fp16", 2.0) \
    X(BF16, "bf16", 2.0) \
    X(FP8, "fp8", 1.0)   \
    X(FP6, "fp6", 0.75)  \
    X(FP4, "fp4", 0.5)   \
    X(INT8, "int8", 1.0)

typedef enum {
#define ASSAY_DT_ENUM(code, name, bytes) ASSAY_DT_##code,
    ASSAY_DT_LIST(ASSAY_DT_ENUM)
#undef ASSAY_DT_ENUM
        ASSAY_DT_N
} assay_dtype_t;

const char *assay_dtype_name(assay_dtype_t dtype);
/** Bytes of one element. */
double assay_dtype_bytes(assay_dtype_t dtype);
/** false when text is no dtype. Case-insensitive. */
bool assay_dtype_parse(const char *text, assay_dtype_t *out);

typedef enum {
    ASSAY_CONFIDENCE_LOW,
    ASSAY_CONFIDENCE_MEDIUM,
    ASSAY_CONFIDENCE_HIGH
} assay_confidence_t;

typedef struct {
    const char *id, *vendor, *name, *form_factor, *arch, *target; /* target: gfx90a, sm_80 */
    const char *source, *note;
    const char *matrix_formats;          /* number formats of its matrix units: "bf16, fp8-OCP" */
    uint32_t devices;                    /* devices that software sees per package (MI250X: 2) */
    uint32_t compute_units;              /* per device as software sees it */
    assay_fact_t peak_flops[ASSAY_DT_N]; /* per device, dense */
    assay_fact_t vector_fp32_flops;      /* per device */
    assay_fact_t hbm_bytes, hbm_bytes_per_s, llc_bytes; /* per device */
    assay_fact_t clock_hz;
    assay_fact_t tdp_w, idle_w; /* per package */
    assay_fact_t price_usd;     /* per package */
    uint8_t confidence;
    const char *launch_date;
} assay_accelerator_t;

typedef struct {
    const char *id, *name, *source, *note;
    const char *kind;                       /* switch, full-mesh, partial-mesh, pcie-tree, none */
    const assay_accelerator_t *accelerator; /* the part it is built for */
    uint32_t devices;                       /* per node as software sees them; 0 unknown */
    assay_fact_t pair_bytes_per_s;    /* one direction, between two devices that have a link */
    assay_fact_t device_bytes_per_s;  /* one direction, all links of the weakest device */
    assay_fact_t package_bytes_per_s; /* one direction, between the devices of one package */
    uint32_t scaleup_devices;         /* size of the domain (72 for NVL72) */
    uint32_t links; /* full mesh: of a pair; switch: of a device; 0: none, or not known */
    uint32_t nics;  /* per node; 0 unknown */
    assay_fact_t nic_bits_per_s;   /* each */
    assay_fact_t host_bytes_per_s; /* one direction, between the host and one device */
    const double *pair; /* (devices, devices) bytes/s one direction, 0 = no link; NULL = uniform */
} assay_fabric_t;

typedef struct {
    const char *id, *name, *vendor, *kind, *source, *note;
    const assay_accelerator_t *accelerator;
    const assay_fabric_t *fabric; /* NULL = unknown */
    uint32_t packages;            /* per node */
    assay_fact_t node_w;          /* see power_basis */
    const char *power_basis;
    assay_fact_t capex_usd;
    const char *capex_basis, *capex_date;
    bool is_claim;         /* a claim's figure: never used unless the job says prices: <set> */
    const char *claim_set; /* "seed-a"; "" when it is no claim */
    uint8_t confidence;
    assay_fact_t ram_bytes;
    /* Network between nodes, where it is known of this very system: all NICs of a node together,
       their number (0 unknown), and the kind as calibration.csv names it ("efa"; "" unknown). */
    assay_fact_t network_bits_per_s;
    uint32_t nics;
    const char *network_kind;
    const char *cpu; /* as its maker writes it; "" unknown */
    uint32_t cpu_sockets;
} assay_system_t;

typedef struct {
    const char *id, *provider, *sku, *region, *date, *source;
    const assay_accelerator_t *accelerator; /* NULL when the row names only a family */
    const char *accelerator_name;           /* as written in the row */
    uint32_t count;
    assay_fact_t on_demand_usd_per_h, reserved_1y_usd_per_h, reserved_3y_usd_per_h,
        spot_usd_per_h;                 /* per instance */
    const char *kind;                   /* offer (or ""), estimate */
    uint32_t vcpus;                     /* of the instance; 0 unknown */
    const char *host_source;            /* of what the instance has beside accelerators */
    assay_fact_t ram_bytes, nvme_bytes; /* of the instance; nvme: local disks together */
    bool is_imported;                   /* from the ledger */
} assay_price_t;

typedef struct {
    const char *id, *kind, *code, *name, *source;
    assay_fact_t usd_per_kwh, carbon_g_per_kwh, pue;
    uint32_t year;
} assay_energy_t;

/** One figure of an article or a slide, kept apart from facts. set: "seed-a", "seed-b". */
typedef struct {
    const char *set, *id, *subject, *quantity, *text, *source;
    /* The catalog figure it speaks about, "" = none: accelerator:ID:FIGURE[ xN],
       system:ID:capex_usd, price:ID:on_demand_usd_per_h. */
    const char *field;
    double v;
    const char *unit;
    bool has_value;
} assay_claim_t;

typedef struct {
    const char *kind;          /* accelerator, system, model */
    const char *id, *alias_of; /* alias -> catalog id; "" = a part of which only prices are known */
    const char *note; /* what is assumed where the name fits several parts; "" = a mere spelling */
} assay_alias_t;

typedef struct {
    assay_accelerator_t *accelerator;
    uint32_t n_accelerator;
    assay_fabric_t *fabric;
    uint32_t n_fabric;
    assay_system_t *system;
    uint32_t n_system;
    assay_price_t *price;
    uint32_t n_price;
    assay_energy_t *energy;
    uint32_t n_energy;
    assay_model_t *model;
    uint32_t n_model;
    assay_claim_t *claim;
    uint32_t n_claim;
    assay_alias_t *alias;
    uint32_t n_alias;
    const char **overlay;
    uint32_t n_overlay; /* "accelerators.csv: amd-mi250x-128g replaced by /path/x.csv:3" */
    const char **warning;
    uint32_t n_warning; /* prices that look wrong but were kept */
    const char *date;   /* of the built-in data: its newest price */
    const char *today;  /* YYYY-MM-DD, UTC */
    const char *const *dir;
    uint32_t n_dir;                    /* the overlays' directories, for other modules' tables */
    const struct catalog_index *index; /* by spelling; private to catalog */
} assay_catalog_t;

/** Rows that come from somewhere else than a folder: the ledger's imported prices, an import. */
typedef struct {
    const char *table; /* "prices.csv" */
    assay_csv_t csv;   /* file and line say where a row is from */
    const char *what;  /* one sentence for the list of overlays */
} assay_catalog_extra_t;

/**
 * Built-in tables overlaid by dir[0..n_dir) (later wins). A directory may hold any of the tables'
 * files; rows replace by id, new ids are added. Sanity rules run on every row.
 * Errors: ASSAY_INPUT with file:line (a refused row), ASSAY_IO.
 */
assay_status_t assay_catalog_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                  assay_catalog_t **out_catalog, assay_error_t *err);

/** As assay_catalog_load, with extra laid between the built-in tables and the directories'. */
assay_status_t assay_catalog_load_extra(assay_arena_t *arena, const char *const *dir,
                                        uint32_t n_dir, const assay_catalog_extra_t *extra,
                                        uint32_t n_extra, assay_catalog_t **out_catalog,
                                        assay_error_t *err);

typedef struct {
    const char **refused;            /* "file:line: what; next", in the order they were found */
    const assay_place_t *refused_at; /* line 0: all of the file */
    uint32_t n_refused;
    assay_catalog_t *catalog; /* without them */
} assay_catalog_check_t;
/**
 * As assay_catalog_load_extra, but goes on after a wrong row of dir's files or of extra, up to 200
 * of them: each is left out and listed. Errors: what leaving rows out does not mend (ASSAY_IO,
 * ASSAY_LIMIT).
 */
assay_status_t assay_catalog_check(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                   const assay_catalog_extra_t *extra, uint32_t n_extra,
                                   assay_catalog_check_t *out, assay_error_t *err);

/* Look-ups by id, by alias, by either without regard to case and to '-', '_' and spaces. NOT_FOUND
   fills err with "did you mean". at: where the id was written, may be NULL. */
assay_status_t assay_catalog_accelerator(const assay_catalog_t *catalog, const char *id,
                                         const assay_place_t *at, const assay_accelerator_t **out,
                                         assay_error_t *err);
assay_status_t assay_catalog_system(const assay_catalog_t *catalog, const char *id,
                                    const assay_place_t *at, const assay_system_t **out,
                                    assay_error_t *err);
assay_status_t assay_catalog_model(const assay_catalog_t *catalog, const char *id,
                                   const assay_place_t *at, const assay_model_t **out,
                                   assay_error_t *err);
/**
 * What a look-up of this id assumes ("H100 is sold as SXM5, PCIe and NVL: read as SXM5 80 GB"), or
 * NULL when nothing. kind: "accelerator", "system", "model".
 */
const char *assay_catalog_note(const assay_catalog_t *catalog, const char *kind, const char *id);
/**
 * The name under which prices of a part are kept: its id, or the name of a family where name does
 * not say which board it is ("A100 80 GB"). NULL: nothing is known of it.
 */
const char *assay_catalog_price_name(const assay_catalog_t *catalog, const char *name);
/** NULL when the set has no such claim. */
const assay_claim_t *assay_catalog_claim(const assay_catalog_t *catalog, const char *set,
                                         const char *id);
/** The claim of a set about a catalog figure ("system:8x-mi250x-oam:capex_usd"); NULL: none. */
const assay_claim_t *assay_catalog_claim_about(const assay_catalog_t *catalog, const char *set,
                                               const char *field);
/** A figure of the catalog by its name, of the whole package. */
typedef struct {
    assay_fact_t fact; /* SI, USD/h, USD/kWh; of a price the median, the least and the most quote */
    assay_dim_t dim;
    const char *name;                       /* "peak_fp16" */
    const assay_accelerator_t *accelerator; /* NULL: of a system or a model */
    double count;                           /* of " x8"; it is in the fact */
    bool is_price;                          /* known within a range: a purchase, an hour */
} assay_figure_t;
/**
 * text: KIND:ID:FIGURE with an optional " x8", as in a claim's field; the id may be an alias.
 * Errors: ASSAY_INPUT (no such figure), ASSAY_NOT_FOUND (no such id). A figure that the catalog
 * does not know is no error.
 */
assay_status_t assay_catalog_figure(const assay_catalog_t *catalog, const char *text,
                                    const assay_place_t *at, assay_figure_t *out,
                                    assay_error_t *err);
/**
 * The catalog's figure for what a claim says, in the claim's unit. false: the claim names no
 * figure, or the catalog does not know it. A price is the median of the on-demand prices.
 */
bool assay_catalog_claim_compare(const assay_catalog_t *catalog, const assay_claim_t *claim,
                                 double *out_value);

/**
 * A table of data/ compiled into the program ("rules.csv", "calibration.csv", ...). NULL: no such
 * table.
 */
const char *assay_data_builtin(const char *name, size_t *out_size);
/** Room for assay_data_hash's text. */
#define ASSAY_DATA_HASH_BYTES 17
/**
 * Fingerprint of the built-in tables and of those in dir that lie over them: two runs with the same
 * one had the same data (FNV-1a, 64 bit, hexadecimal). Errors: as assay_file_read.
 */
assay_status_t assay_data_hash(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                               char out_text[ASSAY_DATA_HASH_BYTES], assay_error_t *err);
/**
 * Built-in table overlaid by dir's file of the same name (whole rows by first column). For other
 * modules' tables.
 */
assay_status_t assay_data_table(assay_arena_t *arena, const char *name, const char *const *dir,
                                uint32_t n_dir, assay_csv_t *out_csv, assay_error_t *err);
/**
 * As assay_data_table; in Chinese the texts of NAME_zh.csv, where there is one, stand in place of
 * the English ones of the row with the same first cell.
 */
assay_status_t assay_data_table_said(assay_arena_t *arena, assay_lang_t lang, const char *name,
                                     const char *const *dir, uint32_t n_dir, assay_csv_t *out_csv,
                                     assay_error_t *err);
/**
 * Refuses a folder of a user's tables that holds none, or a file whose name is a slip of a table's:
 * neither would say anything.
 */
assay_status_t assay_data_folder_check(const char *dir, assay_error_t *err);
/** As assay_data_table, for a table that has one row for each value of the first column. */
assay_status_t assay_data_table_keyed(assay_arena_t *arena, const char *name,
                                      const char *const *dir, uint32_t n_dir, assay_csv_t *out_csv,
                                      assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
