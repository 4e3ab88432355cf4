/* Where training keeps state in the host: the link to a device and the memory of a node. */
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

#define HOST_MEMORY "host_memory.csv"

/* Memory rate of a node whose processors the catalog names, if just one row of the table fits. */
static assay_status_t find_memory(resolve_context_t *context, const assay_system_t *system,
                                  assay_fact_t *out) {
    const assay_catalog_t *catalog = context->catalog;
    assay_csv_t table;
    const assay_status_t status = assay_data_table(context->arena, HOST_MEMORY, catalog->dir,
                                                   catalog->n_dir, &table, context->err);
    *out = assay_fact_unknown();
    if (status != ASSAY_OK || system->cpu_sockets == 0) {
        return status;
    }
    const int cpu = assay_csv_column(&table, "cpu"), rate = assay_csv_column(&table, "gb_s");
    uint32_t fits = 0, row = 0;
    for (uint32_t i = 0; i < table.n_rows; i++) {
        const char *name = assay_csv_cell(&table, i, cpu);
        if (name[0] != '\0' && strstr(system->cpu, name)) {
            row = i;
            fits++;
        }
    }
    double gb_s;
    if (fits != 1) {
        return ASSAY_OK;
    }
    const char *cell = assay_csv_cell(&table, row, rate);
    if (!assay_text_to_double(cell, strlen(cell), &gb_s) || !(gb_s >= 1 && gb_s <= 1e5)) {
        const assay_place_t at = assay_csv_place(&table, row);
        return assay_error_set(context->err, ASSAY_INPUT, &at,
                               "gb_s is \"%s\", expected a number from 1 to 1e5", cell);
    }
    *out = assay_fact_exact(gb_s * 1e9 * system->cpu_sockets,
                            assay_csv_cell(&table, row, assay_csv_column(&table, "source")));
    return ASSAY_OK;
}

/* The job's figure, or what the catalog knows; nothing else stands in for it. */
static assay_status_t take(resolve_context_t *context, const assay_job_candidate_t *candidate,
                           const assay_number_t *given, const char *key, const char *what,
                           const assay_machine_t *machine, assay_fact_t *io) {
    if (given->origin == ASSAY_GIVEN) {
        *io = assay_fact_exact(given->v, "job");
        return ASSAY_OK;
    }
    if (io->known) {
        const char *subject = assay_arena_printf(context->arena, "%s %s", machine->id, key);
        return subject ? resolve_assume(context, subject, ASSAY_DIM_BYTES_PER_S, io, NULL)
                       : resolve_no_memory(context);
    }
    assay_error_set(context->err, ASSAY_INPUT, &candidate->system.at,
                    "state in the host needs %s of %s, which the catalog does not know", what,
                    machine->id);
    assay_error_next(context->err, "give %s of the candidate (--%s)", key,
                     given == &candidate->host_link_bytes_per_s ? "host-link" : "host-memory");
    return ASSAY_INPUT;
}

/* A rate as it is reached: peak times the share that the calibration says, with its range. */
static assay_fact_t reached(const resolve_context_t *context, const assay_machine_t *machine,
                            assay_calib_id_t id, const assay_fact_t *peak) {
    const assay_accelerator_t *part = machine->accelerator;
    const char *const scope[] = {part->id, part->arch, part->vendor, "*", NULL};
    assay_fact_t out = assay_calibration_get(context->calibration, id, scope, ASSAY_DT_N);
    out.v *= peak->v;
    out.p10 *= peak->v;
    out.p90 *= peak->v;
    return out;
}

static assay_status_t host_size(resolve_context_t *context, const assay_job_candidate_t *candidate,
                                const assay_system_t *system, assay_machine_t *machine) {
    const assay_fact_t *known = &system->ram_bytes;
    if (candidate->host_bytes.origin == ASSAY_GIVEN) {
        machine->host_bytes = assay_fact_exact(candidate->host_bytes.v, "job");
        return ASSAY_OK;
    }
    machine->host_bytes = *known;
    const char *subject = assay_arena_printf(context->arena, "%s host_memory", machine->id);
    if (!subject) {
        return resolve_no_memory(context);
    }
    return known->known
               ? resolve_assume(context, subject, ASSAY_DIM_MEMORY, known, NULL)
               : resolve_note(context, ASSAY_NOTE_WARNING, subject, "unknown", "systems.csv",
                              "whether what waits in the host fits its memory is not checked");
}

assay_status_t resolve_host(resolve_context_t *context, const assay_job_candidate_t *candidate,
                            const assay_system_t *system, const assay_workload_t *work,
                            assay_machine_t *machine) {
    const bool updates = work->recipe.offload != ASSAY_OFFLOAD_NONE;
    assay_fact_t link = system->fabric ? system->fabric->host_bytes_per_s : assay_fact_unknown();
    assay_fact_t memory;
    assay_status_t status = find_memory(context, system, &memory);
    if (status == ASSAY_OK) {
        status = take(context, candidate, &candidate->host_link_bytes_per_s, "host_link_gb_s",
                      "the rate between host and device", machine, &link);
    }
    if (status == ASSAY_OK && updates) {
        status = take(context, candidate, &candidate->host_memory_bytes_per_s, "host_memory_gb_s",
                      "the memory rate", machine, &memory);
    }
    if (status == ASSAY_OK) {
        status = host_size(context, candidate, system, machine);
    }
    if (status == ASSAY_OK) {
        machine->host_link_bytes_per_s = reached(context, machine, ASSAY_CALIB_HOST_LINK, &link);
        machine->host_update_bytes_per_s =
            updates ? reached(context, machine, ASSAY_CALIB_HOST_UPDATE, &memory)
                    : assay_fact_unknown();
    }
    return status;
}
