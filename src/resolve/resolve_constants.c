/* Which rows of the calibration speak for a machine: of its part, fabric, network, of the software
   that runs on it and of the library of collectives. */
#include <stdio.h>
#include <string.h>

#include "assay/physics.h"
#include "resolve/resolve_context.h"

#define SCOPE_BYTES 160

typedef enum { SCOPE_DEVICE, SCOPE_FABRIC, SCOPE_NETWORK, SCOPE_STEP } scope_kind_t;

/* The first word of a constant's name says what it belongs to. */
static scope_kind_t scope_of(assay_calib_id_t id) {
    static const char *const name[] = {
#define CALIB_NAME(code, name, what) name,
        ASSAY_CALIB_LIST(CALIB_NAME)
#undef CALIB_NAME
    };
    static const struct {
        const char *prefix;
        scope_kind_t kind;
    } row[] = {{"fabric_", SCOPE_FABRIC}, {"network_", SCOPE_NETWORK}, {"step_sigma", SCOPE_STEP}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (strncmp(name[id], row[i].prefix, strlen(row[i].prefix)) == 0) {
            return row[i].kind;
        }
    }
    return SCOPE_DEVICE;
}

/* The step time is no better founded than the worst of what sets it. */
static const assay_calib_id_t basis_constants[] = {
    ASSAY_CALIB_GEMM_EFFICIENCY, ASSAY_CALIB_ATTENTION_FORWARD, ASSAY_CALIB_HBM_EFFICIENCY,
    ASSAY_CALIB_RUN_GEMM};

void resolve_constants(const assay_calibration_t *calibration,
                       const assay_accelerator_t *accelerator, const assay_fabric_t *fabric,
                       const char *network_kind, assay_dtype_t dtype, assay_device_t *device) {
    const char *fabric_id = fabric ? fabric->id : "none";
    const char *fabric_kind = fabric ? fabric->kind : "none";
    const char *const device_scope[] = {accelerator->id, accelerator->arch, accelerator->vendor,
                                        "*", NULL};
    const char *const fabric_scope[] = {
        accelerator->id, fabric_id, accelerator->arch, fabric_kind, accelerator->vendor, "*", NULL};
    const char *const network_scope[] = {network_kind, "*", NULL};
    device->basis = ASSAY_BASIS_MEASURED;
    for (size_t i = 0; i < sizeof basis_constants / sizeof basis_constants[0]; i++) {
        const assay_fact_t fact =
            assay_calibration_get(calibration, basis_constants[i], device_scope, dtype);
        device->basis = fact.basis > device->basis ? fact.basis : device->basis;
    }
    const char *const step_scope[] = {accelerator->arch,
                                      assay_basis_name((assay_basis_t)device->basis), "*", NULL};
    for (int id = 0; id < ASSAY_CALIB_N; id++) {
        const scope_kind_t kind = scope_of((assay_calib_id_t)id);
        const char *const *scope = kind == SCOPE_FABRIC    ? fabric_scope
                                   : kind == SCOPE_NETWORK ? network_scope
                                   : kind == SCOPE_STEP    ? step_scope
                                                           : device_scope;
        for (int type = 0; type < ASSAY_DT_N; type++) {
            device->calib[id][type] =
                assay_calibration_get(calibration, (assay_calib_id_t)id, scope, (assay_dtype_t)type)
                    .v;
        }
    }
}

bool resolve_gemm_shapes(assay_arena_t *arena, const assay_calibration_t *calibration,
                         const assay_accelerator_t *accelerator, assay_device_t *device) {
    for (int type = 0; type < ASSAY_DT_N; type++) {
        const assay_gemm_shapes_t *shapes =
            assay_calibration_gemm_shapes(calibration, accelerator->id, (assay_dtype_t)type);
        if (!shapes || !(device->peak_flops[type] > 0)) {
            continue;
        }
        double *ratio = assay_arena_array(arena, shapes->n_shape, sizeof *ratio);
        if (!ratio) {
            return false;
        }
        assay_gemm_ratios(device, shapes, ratio);
        device->gemm_shapes[type] = shapes;
        device->gemm_ratio[type] = ratio;
    }
    return true;
}

void assay_resolve_software(const assay_calibration_t *calibration, const char *software,
                            const assay_accelerator_t *accelerator, assay_dtype_t dtype,
                            assay_device_t *device) {
    static const assay_calib_id_t constant[] = {ASSAY_CALIB_RUN_GEMM,   ASSAY_CALIB_RUN_ATTENTION,
                                                ASSAY_CALIB_RUN_STREAM, ASSAY_CALIB_OVERLAP_COST,
                                                ASSAY_CALIB_RUN_HOST_S, ASSAY_CALIB_STEP_LOSS};
    char part[SCOPE_BYTES], arch[SCOPE_BYTES];
    snprintf(part, sizeof part, "%s/%s", software, accelerator->id);
    snprintf(arch, sizeof arch, "%s/%s", software, accelerator->arch);
    const char *const scope[] = {
        part, arch, software, accelerator->id, accelerator->arch, accelerator->vendor, "*", NULL};
    for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++) {
        device->calib[constant[i]][dtype] =
            assay_calibration_get(calibration, constant[i], scope, dtype).v;
    }
    const char *const sigma_scope[] = {part, assay_basis_name((assay_basis_t)device->basis), "*",
                                       NULL};
    device->calib[ASSAY_CALIB_STEP_SIGMA][dtype] =
        assay_calibration_get(calibration, ASSAY_CALIB_STEP_SIGMA, sigma_scope, dtype).v;
}

/* Rows of a library lie over those of fabric and network. */
static void overlay_library(const assay_calibration_t *calibration, const char *library,
                            const assay_accelerator_t *accelerator, const assay_fabric_t *fabric,
                            const char *network_kind, assay_device_t *device) {
    const char *const fabric_scope[] = {library,
                                        accelerator->id,
                                        fabric ? fabric->id : "none",
                                        accelerator->arch,
                                        fabric ? fabric->kind : "none",
                                        accelerator->vendor,
                                        "*",
                                        NULL};
    const char *const network_scope[] = {library, network_kind, "*", NULL};
    for (int id = 0; id < ASSAY_CALIB_N; id++) {
        const scope_kind_t kind = scope_of((assay_calib_id_t)id);
        for (int type = 0; type < ASSAY_DT_N && (kind == SCOPE_FABRIC || kind == SCOPE_NETWORK);
             type++) {
            device->calib[id][type] =
                assay_calibration_get(calibration, (assay_calib_id_t)id,
                                      kind == SCOPE_FABRIC ? fabric_scope : network_scope,
                                      (assay_dtype_t)type)
                    .v;
        }
    }
}

#define LIBRARIES "collective_libraries.csv"

/* The library of collectives that the job names, if it runs on the part, and what is known of it.
 */
assay_status_t resolve_library(resolve_context_t *context, const assay_job_candidate_t *candidate,
                               const assay_system_t *system, const char *network_kind,
                               assay_machine_t *machine) {
    const char *name = candidate->collectives.s, *vendor = system->accelerator->vendor;
    assay_csv_t csv;
    if (!name) {
        return ASSAY_OK;
    }
    const assay_status_t status = assay_data_table(context->arena, LIBRARIES, context->catalog->dir,
                                                   context->catalog->n_dir, &csv, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const int library = assay_csv_column(&csv, "library"), of = assay_csv_column(&csv, "vendor");
    const int text = assay_csv_column(&csv, "text"), source = assay_csv_column(&csv, "source");
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const char *runs_on = assay_csv_cell(&csv, i, of);
        if (strcmp(assay_csv_cell(&csv, i, library), name) != 0 ||
            (strcmp(runs_on, "*") != 0 && strcmp(runs_on, vendor) != 0)) {
            continue;
        }
        overlay_library(context->calibration, name, system->accelerator, system->fabric,
                        network_kind, &machine->device);
        const char *subject = assay_arena_printf(context->arena, "%s collectives", machine->id);
        return subject
                   ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, name,
                                  assay_csv_cell(&csv, i, source), assay_csv_cell(&csv, i, text))
                   : resolve_no_memory(context);
    }
    assay_error_set(context->err, ASSAY_INPUT, &candidate->collectives.at,
                    "%s does not run on parts of %s", name, vendor);
    assay_error_next(context->err, "leave collectives out: the vendor's own library is meant");
    return ASSAY_INPUT;
}
