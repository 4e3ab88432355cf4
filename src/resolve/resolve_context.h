/* What the parts of resolve share: inputs, defaults, and the list of notes that grows on the way.
 */
#ifndef RESOLVE_CONTEXT_H
#define RESOLVE_CONTEXT_H

#include "assay/image_work.h"
#include "assay/model_file.h"
#include "assay/resolve.h"

typedef struct note_item {
    assay_note_t note;
    struct note_item *next, *same_hash;
} note_item_t;

/* A user's tables can leave a note for each of their rows. */
#define RESOLVE_NOTE_BUCKETS 4096u

typedef struct {
    assay_arena_t *arena;
    const assay_job_t *job;
    const assay_catalog_t *catalog;
    const assay_calibration_t *calibration;
    assay_checkpoint_t checkpoint; /* of the model's file; no bytes: unknown */
    assay_csv_t defaults;          /* data/defaults.csv: key, value, low, high, unit, source ... */
    note_item_t *first, *last;
    note_item_t *bucket[RESOLVE_NOTE_BUCKETS]; /* the same, by hash of subject and text */
    uint32_t n_note;
    const assay_request_trace_t *trace; /* the last that was read; NULL: none */
    bool topology_used;                 /* it was of one of the candidates */
    bool owns, rents;                   /* some candidate's nodes are bought, rented */
    assay_csv_t terms;                  /* data/money_terms.csv */
    const char *format,
        *format_word;      /* of the GEMMs' numbers, ours and the catalog's; NULL: plain */
    double package_h;      /* of the training run at peak rate; 0: no run is asked */
    double stop_h;         /* of an accelerator between two stops, by default */
    assay_locale_t locale; /* of the notes */
    const char *fx_date, *fx_source; /* of its currency; NULL: USD */
    assay_error_t *err;
} resolve_context_t;

/** A format of data/number_formats.csv: the type at whose rate it runs, bytes of its operands, and
    the context's format. Errors: ASSAY_INPUT (unknown: did you mean). */
assay_status_t resolve_number_format(resolve_context_t *context, const assay_string_t *given,
                                     assay_workload_t *io);
/** Refuses a part that lacks the context's format, naming what it has. */
assay_status_t resolve_format_check(resolve_context_t *context,
                                    const assay_accelerator_t *accelerator,
                                    const assay_place_t *at);

/** The sentence with its arguments, in the job's language. NULL: no memory. */
#define RESOLVE_SAY(context, id, ...)                                                    \
    assay_message_text((context)->arena, (context)->locale.lang, ASSAY_MSG_RESOLVE_##id, \
                       (const char *const[]){__VA_ARGS__},                               \
                       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/** A quantity as the notes print it. NULL: no memory. */
const char *resolve_amount(resolve_context_t *context, double value, assay_dim_t dim);
/** The same with p10 and p90 where they differ. */
const char *resolve_with_range(resolve_context_t *context, const assay_fact_t *fact,
                               assay_dim_t dim);

/** Adds a note; the same subject and text twice is one note. value, text may be NULL. */
assay_status_t resolve_note(resolve_context_t *context, assay_note_kind_t kind, const char *subject,
                            const char *value, const char *source, const char *text);
/** Loads data/defaults.csv and what a user lays over it; refuses what no job could say. */
assay_status_t resolve_defaults(resolve_context_t *context);
/** A default from data/defaults.csv, without a note. Unknown when the table has no such key. */
assay_status_t resolve_default(resolve_context_t *context, const char *key, assay_fact_t *out);
/** That of a place ("DEU", "US-OH"), of what it is part of, else of no place in particular. */
assay_status_t resolve_default_at(resolve_context_t *context, const char *key, const char *place,
                                  assay_fact_t *out);
/**
 * A number of the job: given (source "job"), a formal default of the schema, or the default of
 * data/defaults.csv; the last two leave a note. Unknown when neither exists.
 */
assay_status_t resolve_number(resolve_context_t *context, const assay_number_t *number,
                              const char *key, assay_dim_t dim, assay_fact_t *out);
/** A number that the job gives, with its distribution if it has one. */
assay_fact_t resolve_given(const assay_number_t *number);
/** Notes a value that the job does not give. text may be NULL. */
assay_status_t resolve_assume(resolve_context_t *context, const char *key, assay_dim_t dim,
                              const assay_fact_t *fact, const char *text);
/** Out of arena memory. */
assay_status_t resolve_no_memory(resolve_context_t *context);

/** "vllm-0.6.3" -> "vllm", "0.6.3"; no version is "". NULL: no memory. */
const char *resolve_split_version(assay_arena_t *arena, const char *text, const char **out_version);
/** since <= version < before; a bound that is "" does not bind. Without a version: the newest. */
bool resolve_in_versions(const char *version, const char *since, const char *before);
/** What the weights take in this number format ("bf16", "fp8", "int4"), part by part. */
assay_status_t resolve_checkpoint(resolve_context_t *context, const assay_model_t *model,
                                  const char *format, const assay_place_t *at,
                                  assay_checkpoint_t *out);
/** Bytes of an element of keys and values in this number format ("fp8"). */
assay_status_t resolve_kv_format(resolve_context_t *context, const assay_string_t *word,
                                 double *out_bytes_each);
/** The model that a job's key names: id, path, or shape. */
assay_status_t resolve_model(resolve_context_t *context, const assay_node_t *node,
                             assay_model_t *out);
/** A path that the job names at that place: relative ones of the job file lie beside it, those of
    flags in the current folder. NULL: no memory. */
const char *resolve_path(resolve_context_t *context, const char *path, const assay_place_t *at);
/** The path that a job's model names. NULL: no memory. */
const char *resolve_model_path(resolve_context_t *context, const assay_node_t *node);
/** Is the model a network of operations? Then net, model and sequence are filled; else net.sample
    stays NULL. */
assay_status_t resolve_net(resolve_context_t *context, const assay_job_train_t *train,
                           assay_workload_t *io);
/** Refuses the keys that mean nothing for the network, or only for one. */
assay_status_t resolve_net_keys(resolve_context_t *context, const assay_job_train_t *train,
                                const assay_workload_t *work);
/** Its counts, and the optimizer where the job leaves it open. dtype and recipe are there. */
assay_status_t resolve_net_recipe(resolve_context_t *context, const assay_job_train_t *train,
                                  assay_workload_t *io);
assay_status_t resolve_net_batch(resolve_context_t *context, const assay_job_train_t *train,
                                 assay_workload_t *io);
/** Networks are not cut: refuses a layout that does, pins the rest to 1. */
assay_status_t resolve_net_pin(resolve_context_t *context, const assay_job_layout_t *layout,
                               const assay_workload_t *work, assay_layout_pin_t *io);
/** Number formats and framework of training: dtype, recipe. */
assay_status_t resolve_recipe(resolve_context_t *context, const assay_job_train_t *train,
                              assay_workload_t *out);
/** Model, dtype, recipe and sequence: what memory of training follows from. */
assay_status_t resolve_training(resolve_context_t *context, const assay_job_train_t *train,
                                assay_workload_t *out);
/** Lengths of requests and their means, and how they come. */
assay_status_t resolve_traffic(resolve_context_t *context, const assay_job_serve_t *serve,
                               assay_serving_t *io);
assay_status_t resolve_serving(resolve_context_t *context, const assay_job_serve_t *serve,
                               const assay_machine_t *machine, assay_serving_t *out);
/** Notes of the job as one array, warnings first. */
assay_status_t resolve_collect_notes(resolve_context_t *context, assay_resolved_t *resolved);
/** Two candidates with one name could not be told apart in any output. */
assay_status_t resolve_check_names(resolve_context_t *context, const assay_resolved_t *resolved);
assay_status_t resolve_note_overlays(resolve_context_t *context);
void resolve_fill_pin(const assay_job_layout_t *layout, assay_layout_pin_t *pin);
/** Everything of a machine that does not depend on a job's candidate. fabric NULL: unknown. */
void resolve_fill_machine(const assay_calibration_t *calibration,
                          const assay_accelerator_t *accelerator, const assay_fabric_t *fabric,
                          const char *network_kind, double nic_bits_per_s, uint32_t nics,
                          uint32_t devices_per_node, assay_dtype_t dtype, assay_machine_t *machine);
/** The constants of a device, and the basis of its step time. */
/** Puts what was measured of matrix products into a device that has its constants. false: no
 * memory.
 */
bool resolve_gemm_shapes(assay_arena_t *arena, const assay_calibration_t *calibration,
                         const assay_accelerator_t *accelerator, assay_device_t *device);
void resolve_constants(const assay_calibration_t *calibration,
                       const assay_accelerator_t *accelerator, const assay_fabric_t *fabric,
                       const char *network_kind, assay_dtype_t dtype, assay_device_t *device);
/** Those of the library of collectives that the job names; it must run on the part. */
assay_status_t resolve_library(resolve_context_t *context, const assay_job_candidate_t *candidate,
                               const assay_system_t *system, const char *network_kind,
                               assay_machine_t *machine);
assay_status_t resolve_workload(resolve_context_t *context, const assay_job_train_t *train,
                                assay_workload_t *out);
assay_status_t resolve_candidate(resolve_context_t *context, const assay_job_candidate_t *candidate,
                                 const assay_workload_t *work, assay_machine_t *out_machine,
                                 assay_layout_pin_t *out_pin);
assay_status_t resolve_money(resolve_context_t *context, assay_money_input_t *out_money,
                             assay_answers_t *out_answers);
/** What only a job that asks for it has: options, currency, site, depreciation. The rest of
    io_money is there. */
assay_status_t resolve_options(resolve_context_t *context, assay_money_input_t *io_money);
/** What moves together, in money->correlations: data/correlations.csv, and the job's word. */
assay_status_t resolve_correlations(resolve_context_t *context, assay_resolved_t *resolved);
/** Loads data/money_terms.csv; refuses a name in money.terms that is none of its. */
assay_status_t resolve_terms_known(resolve_context_t *context);
/** Whether the job asks for a term: by its name, by one of its figures, or by what needs it. */
bool resolve_asks(const resolve_context_t *context, const char *term);
/** Whether it counts without that. */
bool resolve_is_usual(const resolve_context_t *context, const char *term);
/** Says of every term that does not count why. */
assay_status_t resolve_note_uncounted(resolve_context_t *context, const assay_money_input_t *money);
/** The term of an option, "" for none. */
const char *resolve_option_term(assay_option_t option);
/** Sets the currency of notes and sentences, with its rate. */
assay_status_t resolve_currency(resolve_context_t *context);
/** The price of electricity, PUE and carbon of money.site; unknown without one. */
assay_status_t resolve_site(resolve_context_t *context, const assay_energy_t **out_site);
/** On-demand price of one node: of this very instance, else of the offers of its accelerator. */
assay_status_t resolve_rent(resolve_context_t *context, const assay_machine_t *machine,
                            assay_fact_t *out);
/** What offers of its accelerator ask for a node: the distribution of what providers ask, where
    there are enough of them; else median, p10 and p90 of all offers; unknown without any. column:
   of a price in assay_price_t. */
assay_status_t resolve_offers(resolve_context_t *context, const assay_machine_t *machine,
                              size_t column, assay_fact_t *out);
/** What a node costs to buy, in machine->capex_usd: the job's, a claim's or the catalog's; else
    left as it is. */
assay_status_t resolve_purchase(resolve_context_t *context, const assay_job_candidate_t *candidate,
                                const assay_system_t *system, assay_machine_t *machine);
/** Price of a node under one of the terms other than on demand: the median of offers, where it asks
    for them and there are some, else what these terms usually are of the price on demand; noted.
    Unknown without either. */
assay_status_t resolve_terms(resolve_context_t *context, const assay_machine_t *machine,
                             assay_pricing_t pricing, const assay_fact_t *on_demand, bool offers,
                             assay_fact_t *out);
static inline bool resolve_has_load(const assay_job_t *job) {
    return job->money.load_curve.n > 0 || job->money.load_file.present;
}
/** Fills the loads of money.load_file, with notes. */
assay_status_t resolve_load_file(resolve_context_t *context, assay_money_input_t *money);
/** money.load_curve or load_file, and what the nodes of every candidate cost however they are had.
 */
assay_status_t resolve_load_curve(resolve_context_t *context, assay_resolved_t *resolved);
/** Rent of a node as candidate.pricing says, from one on demand. */
assay_status_t resolve_pricing(resolve_context_t *context, const assay_job_candidate_t *candidate,
                               assay_machine_t *machine);
/** Notes for every claim of the job's sets that speaks of a candidate and disagrees with the
 * catalog. */
assay_status_t resolve_claims(resolve_context_t *context, const assay_machine_t *machine,
                              uint32_t n_machine);
/** All claims of the job's sets. */
assay_status_t resolve_collect_claims(resolve_context_t *context, assay_resolved_t *resolved);
/** The effort of a port scan: person-days by level and of every year after, fit, CUDA-only share;
 * what the scan does not say is not known. */
typedef struct {
    assay_fact_t level_days[3], debt_days_per_year;
    assay_answer_t hip_fit, cuda_only_share;
} resolve_scan_t;
/** Errors: ASSAY_IO, ASSAY_INPUT, ASSAY_LIMIT. */
assay_status_t resolve_scan(resolve_context_t *context, const char *path, resolve_scan_t *out);
/**
 * The links that were found, in place of the catalog's, for a machine that they are of; notes what
 * they replace. Nothing when the job names no topology.
 */
assay_status_t resolve_topology(resolve_context_t *context, assay_machine_t *machine);
/** After all candidates: an error when the topology is of none of them. */
assay_status_t resolve_topology_used(resolve_context_t *context);

/** Networks, sizes and demand of images; the same on every machine. */
assay_status_t resolve_image_work(resolve_context_t *context, assay_image_demand_t *out);
/** Engine, its constants, and what an article claims, of images on one machine. */
assay_status_t resolve_image_speed(resolve_context_t *context,
                                   const assay_job_candidate_t *candidate, assay_machine_t *machine,
                                   assay_image_demand_t *io);
/** Demand, limits, types and constants of serving on one machine. */
assay_status_t resolve_serving_speed(resolve_context_t *context, const assay_job_serve_t *serve,
                                     const assay_job_candidate_t *candidate,
                                     assay_machine_t *machine, assay_serving_t *io);

/** Nameplate of a node, and what of it the host takes. */
assay_status_t resolve_power(resolve_context_t *context, const assay_job_candidate_t *candidate,
                             const assay_system_t *system, assay_machine_t *machine);
/** A lower cap of a package. */
assay_status_t resolve_power_limit(resolve_context_t *context,
                                   const assay_job_candidate_t *candidate,
                                   assay_machine_t *machine);
/** Link of the host, and its memory where it updates, for training that keeps something there. */
assay_status_t resolve_host(resolve_context_t *context, const assay_job_candidate_t *candidate,
                            const assay_system_t *system, const assay_workload_t *work,
                            assay_machine_t *machine);

#endif
