/**
 * job + catalog + calibration -> immutable machines and workload, and the list of assumptions made.
 * All validation ends here: what comes out can be computed with.
 */
#ifndef ASSAY_RESOLVE_H
#define ASSAY_RESOLVE_H

#include "assay/image_work.h"
#include "assay/job.h"
#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/money_input.h"
#include "assay/units.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_NOTE_ASSUMPTION, ASSAY_NOTE_WARNING } assay_note_kind_t;

/**
 * Something the reader must know: a default that was used, a figure that was replaced or disputed.
 */
typedef struct {
    uint8_t kind;
    const char *subject; /* "money.pue", "8x-mi250x-oam capex" */
    const char *value;   /* as printed, with unit */
    const char *source;  /* where the value is from */
    const char *text;    /* sentence, may be NULL */
} assay_note_t;

typedef enum {
    ASSAY_WORK_TRAIN,
    ASSAY_WORK_FINETUNE,
    ASSAY_WORK_SERVE,
    ASSAY_WORK_IMAGE
} assay_work_kind_t;

typedef struct {
    const char *name;
    uint8_t kind;                /* assay_work_kind_t */
    assay_workload_t workload;   /* train, finetune */
    assay_serving_t *serving;    /* serve: (n_machine), or one without machines */
    assay_image_demand_t *image; /* image: (n_machine) */
    assay_machine_t *machine;    /* (n_machine), in the job's order */
    assay_layout_pin_t *pin;     /* (n_machine) */
    uint32_t n_machine;
    assay_supply_t *supply; /* (n_machine); NULL without money.load_curve */
    assay_money_input_t money;
    assay_answers_t answers;
    assay_note_t *note;
    uint32_t n_note;
    const assay_claim_t *const *claim; /* (n_claim) of the sets that the job names */
    uint32_t n_claim;
    uint32_t samples;
    uint64_t seed;
    const char *map[3]; /* variables of a map, "run_days=5:60"; NULL: none */
    const char *prices;
    const assay_node_t *document; /* the job as it was read */
    assay_locale_t locale;        /* of notes and sentences */
} assay_resolved_t;

/**
 * Errors: ASSAY_NOT_FOUND (unknown id, did you mean), ASSAY_INPUT (dtype the part lacks, heads,
 * both prices given, migration.scan or topology unreadable, a topology of no candidate ...), at the
 * place in the job.
 */
assay_status_t assay_resolve(assay_arena_t *arena, const assay_job_t *job,
                             const assay_catalog_t *catalog, const assay_calibration_t *calibration,
                             assay_resolved_t **out_resolved, assay_error_t *err);
/**
 * What the question "does it fit" needs: the work of any kind, and of machines their memory; money
 * and links stay unknown. A candidate may be "4x rtx-4090"; there may be none. Errors: as above.
 */
assay_status_t assay_resolve_memory(assay_arena_t *arena, const assay_job_t *job,
                                    const assay_catalog_t *catalog,
                                    const assay_calibration_t *calibration,
                                    assay_resolved_t **out_resolved, assay_error_t *err);
/**
 * Puts the constants of an engine (row of data/engines.csv: "vllm-2024") into a device. Scopes of
 * data/calibration.csv, most specific first: ENGINE/ACCELERATOR, ENGINE/ARCHITECTURE,
 * ENGINE/VENDOR, ENGINE, VENDOR, "*".
 */
void assay_resolve_engine(const assay_calibration_t *calibration, const char *engine,
                          const assay_accelerator_t *accelerator, assay_device_t *device);
/** The same for what runs networks on images (row of data/image_engines.csv) and its constants. */
void assay_resolve_image_engine(const assay_calibration_t *calibration, const char *engine,
                                const assay_accelerator_t *accelerator, assay_device_t *device);
/** Fills the FLOPs of a token from the model, the sequence, the sample and the method. */
void assay_resolve_flops(assay_workload_t *io);
/**
 * Puts the constants of a training software ("megatron") into a device: what is known of it on this
 * part, architecture or at all, else what the device has anyway.
 */
void assay_resolve_software(const assay_calibration_t *calibration, const char *software,
                            const assay_accelerator_t *accelerator, assay_dtype_t dtype,
                            assay_device_t *device);
/**
 * One machine without a job (score uses it): accelerator + fabric + network + nodes.
 * fabric NULL = the accelerator's usual one. nic_bits_per_s 0 = the fabric's. dtype: of the GEMMs.
 * Errors: ASSAY_INPUT when the part lacks the dtype, a figure or a network, or devices do not fill
 * whole nodes. Prices stay unknown. arena: of the measured shapes of GEMMs; NULL: without them.
 */
assay_status_t assay_resolve_machine(assay_arena_t *arena, const assay_catalog_t *catalog,
                                     const assay_calibration_t *calibration,
                                     const assay_accelerator_t *accelerator,
                                     const assay_fabric_t *fabric, const char *network_kind,
                                     double nic_bits_per_s, uint32_t nics, uint32_t devices,
                                     assay_dtype_t dtype, assay_machine_t *out_machine,
                                     assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
