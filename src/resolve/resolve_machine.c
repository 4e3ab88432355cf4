#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "resolve/fabric_links.h"
#include "resolve/resolve_context.h"

#define MAX_DEVICES (1u << 22)

static void fill_device(const assay_accelerator_t *accelerator, assay_device_t *device) {
    for (int type = 0; type < ASSAY_DT_N; type++) {
        const assay_fact_t *peak = &accelerator->peak_flops[type];
        device->peak_flops[type] = peak->known ? peak->v : 0.0;
    }
    device->vector_flops =
        accelerator->vector_fp32_flops.known ? accelerator->vector_fp32_flops.v : 0.0;
    device->hbm_bytes = accelerator->hbm_bytes.v;
    device->hbm_bytes_per_s = accelerator->hbm_bytes_per_s.v;
    device->llc_bytes = accelerator->llc_bytes.known ? accelerator->llc_bytes.v : 0.0;
    device->compute_units = accelerator->compute_units;
}

/* What must be known of a part before anything can be predicted on it. */
static assay_status_t check_accelerator(const assay_accelerator_t *accelerator, assay_dtype_t dtype,
                                        const assay_place_t *at, assay_error_t *err) {
    const char *missing = !accelerator->hbm_bytes.known         ? "memory size"
                          : !accelerator->hbm_bytes_per_s.known ? "memory bandwidth"
                          : !accelerator->tdp_w.known           ? "power"
                          : accelerator->compute_units == 0     ? "number of compute units"
                                                                : NULL;
    if (missing) {
        assay_error_set(err, ASSAY_INPUT, at, "the %s of %s is unknown", missing, accelerator->id);
        assay_error_next(err, "add it in an accelerators.csv and pass --data DIR");
        return ASSAY_INPUT;
    }
    if (accelerator->peak_flops[dtype].known) {
        return ASSAY_OK;
    }
    char has[160];
    size_t n = 0;
    has[0] = '\0';
    for (int type = 0; type < ASSAY_DT_N && n < sizeof has - 16; type++) {
        if (accelerator->peak_flops[type].known) {
            n += (size_t)snprintf(has + n, sizeof has - n, "%s%s", n ? ", " : "",
                                  assay_dtype_name((assay_dtype_t)type));
        }
    }
    return assay_error_set(err, ASSAY_INPUT, at, "%s has no known %s rate; it has %s",
                           accelerator->id, assay_dtype_name(dtype), has);
}

static const assay_fabric_t *usual_fabric(const assay_catalog_t *catalog,
                                          const assay_accelerator_t *accelerator) {
    for (uint32_t i = 0; i < catalog->n_system; i++) {
        const assay_system_t *system = &catalog->system[i];
        if (system->accelerator == accelerator && system->fabric && !system->is_claim) {
            return system->fabric;
        }
    }
    return NULL;
}

/* Everything of a machine that does not depend on a job's candidate. */
void resolve_fill_machine(const assay_calibration_t *calibration,
                          const assay_accelerator_t *accelerator, const assay_fabric_t *fabric,
                          const char *network_kind, double nic_bits_per_s, uint32_t nics,
                          uint32_t devices_per_node, assay_dtype_t dtype,
                          assay_machine_t *machine) {
    machine->accelerator = accelerator;
    machine->devices_per_package = accelerator->devices;
    machine->devices_per_node = devices_per_node;
    machine->packages_per_node = devices_per_node / accelerator->devices;
    fill_device(accelerator, &machine->device);
    assay_links_from_fabric(fabric, devices_per_node, &machine->links);
    machine->links.nic_bytes_per_s = nic_bits_per_s / 8.0 * nics;
    machine->links.nics = nics;
    resolve_constants(calibration, accelerator, fabric, network_kind, dtype, &machine->device);
    machine->n_way = assay_calibration_ways(calibration, accelerator->vendor, accelerator->arch,
                                            fabric ? fabric->kind : "none", machine->way);
    machine->package_cap_w = accelerator->tdp_w;
    machine->package_idle_w = accelerator->idle_w;
    if (!machine->package_idle_w.known) {
        machine->package_idle_w = assay_fact_exact(
            accelerator->tdp_w.v * machine->device.calib[ASSAY_CALIB_IDLE_SHARE][0],
            "calibration.csv idle_share");
        machine->package_idle_w.basis = ASSAY_BASIS_EXTRAPOLATED;
    }
}

static assay_status_t check_links(const assay_machine_t *machine, const assay_fabric_t *fabric,
                                  const assay_place_t *at, assay_error_t *err) {
    if (assay_links_known(&machine->links, machine->devices_per_node)) {
        return ASSAY_OK;
    }
    if (fabric) {
        assay_error_set(err, ASSAY_INPUT, at,
                        "fabric '%s' gives no rate between some devices of %s", fabric->id,
                        machine->id);
        assay_error_next(err, "add device_gb_s, pair_gb_s or links in a fabrics.csv and "
                              "fabric_pairs.csv of a --data directory");
    } else {
        assay_error_set(err, ASSAY_INPUT, at,
                        "how the %u devices of a node of %s are joined is "
                        "unknown",
                        machine->devices_per_node, machine->id);
        assay_error_next(err, "name its fabric in a systems.csv of a --data directory");
    }
    return ASSAY_INPUT;
}

assay_status_t assay_resolve_machine(assay_arena_t *arena, const assay_catalog_t *catalog,
                                     const assay_calibration_t *calibration,
                                     const assay_accelerator_t *accelerator,
                                     const assay_fabric_t *fabric, const char *network_kind,
                                     double nic_bits_per_s, uint32_t nics, uint32_t devices,
                                     assay_dtype_t dtype, assay_machine_t *out_machine,
                                     assay_error_t *err) {
    const assay_status_t status = check_accelerator(accelerator, dtype, NULL, err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!fabric) {
        fabric = usual_fabric(catalog, accelerator);
    }
    uint32_t per_node = fabric && fabric->devices ? fabric->devices : accelerator->devices;
    per_node = devices < per_node ? devices : per_node;
    if (devices == 0 || devices > MAX_DEVICES || devices % per_node != 0) {
        return assay_error_set(err, ASSAY_INPUT, NULL, "%u devices do not fill nodes of %u",
                               devices, per_node);
    }
    if (nic_bits_per_s <= 0.0 && fabric && fabric->nic_bits_per_s.known) {
        nic_bits_per_s = fabric->nic_bits_per_s.v;
        nics = fabric->nics;
    }
    if (devices > per_node && (nic_bits_per_s <= 0.0 || nics == 0)) {
        return assay_error_set(err, ASSAY_INPUT, NULL, "the network between nodes of %s is unknown",
                               accelerator->id);
    }
    *out_machine = (assay_machine_t){.id = accelerator->id, .devices = devices};
    resolve_fill_machine(calibration, accelerator, fabric, network_kind ? network_kind : "ib",
                         nic_bits_per_s, nics, per_node, dtype, out_machine);
    out_machine->nodes = devices / per_node;
    if (arena && !resolve_gemm_shapes(arena, calibration, accelerator, &out_machine->device)) {
        return assay_error_memory(err, NULL);
    }
    return check_links(out_machine, fabric, NULL, err);
}

/* ---- a candidate of a job ---- */

/* What the job says, else the catalog of this system, else of its fabric, else the default. */
static assay_status_t candidate_network(resolve_context_t *context,
                                        const assay_job_candidate_t *candidate,
                                        const assay_system_t *system, const char *id,
                                        double *out_bits_per_s, uint32_t *out_nics,
                                        const char **out_kind) {
    const assay_job_network_t *network = &candidate->network;
    const assay_fabric_t *fabric = system->fabric;
    assay_fact_t rate, nics;
    *out_kind = network->kind.s           ? network->kind.s
                : system->network_kind[0] ? system->network_kind
                                          : "ib";
    if (network->bits_per_s.origin == ASSAY_GIVEN && network->nics.origin == ASSAY_GIVEN) {
        *out_bits_per_s = network->bits_per_s.v;
        *out_nics = (uint32_t)network->nics.v;
        return ASSAY_OK;
    }
    if (system->network_bits_per_s.known && system->nics > 0) {
        rate = assay_fact_exact(system->network_bits_per_s.v / system->nics,
                                system->network_bits_per_s.source);
        nics = assay_fact_exact(system->nics, system->source);
    } else if (fabric && fabric->nic_bits_per_s.known && fabric->nics > 0) {
        rate = fabric->nic_bits_per_s;
        nics = assay_fact_exact(fabric->nics, fabric->source);
    } else {
        assay_status_t status = resolve_default(context, "network.bits_per_s", &rate);
        if (status == ASSAY_OK) {
            status = resolve_default(context, "network.nics", &nics);
        }
        if (status != ASSAY_OK) {
            return status;
        }
        if (!rate.known || !nics.known) {
            assay_error_set(context->err, ASSAY_INPUT, &candidate->system.at,
                            "the network of %s is unknown", id);
            assay_error_next(context->err, "give its network: {kind, gbit_s, nics}");
            return ASSAY_INPUT;
        }
    }
    *out_bits_per_s = network->bits_per_s.origin == ASSAY_GIVEN ? network->bits_per_s.v : rate.v;
    *out_nics = (uint32_t)(network->nics.origin == ASSAY_GIVEN ? network->nics.v : nics.v);
    const char *subject = RESOLVE_SAY(context, NETWORK, id);
    const char *value =
        RESOLVE_SAY(context, NETWORK_IS, resolve_amount(context, *out_nics, ASSAY_DIM_COUNT),
                    resolve_amount(context, *out_bits_per_s, ASSAY_DIM_BITS_PER_S), *out_kind);
    const char *source =
        strcmp(rate.source, nics.source) == 0
            ? rate.source
            : RESOLVE_SAY(context, NETWORK_FROM, assay_phrase(context->locale.lang, rate.source),
                          assay_phrase(context->locale.lang, nics.source));
    if (!subject || !value || !source) {
        return resolve_no_memory(context);
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, value, source, NULL);
}

/* What the provider itself asks for this instance: the newest row with its name; NULL when there is
   none. */
static const assay_price_t *instance_price(const assay_catalog_t *catalog,
                                           const assay_system_t *system) {
    const assay_price_t *newest = NULL;
    for (uint32_t i = 0; i < catalog->n_price; i++) {
        const assay_price_t *row = &catalog->price[i];
        if (row->accelerator == system->accelerator && row->count == system->packages &&
            row->on_demand_usd_per_h.known && assay_text_equal_fold(row->sku, system->name) &&
            (!newest || strcmp(row->date, newest->date) > 0)) {
            newest = row;
        }
    }
    return newest;
}

assay_status_t resolve_rent(resolve_context_t *context, const assay_machine_t *machine,
                            assay_fact_t *out) {
    const assay_catalog_t *catalog = context->catalog;
    const assay_price_t *own = instance_price(catalog, machine->system);
    if (own) {
        const char *source =
            assay_arena_printf(context->arena, "prices.csv %s, %s", own->id, own->date);
        if (!source) {
            return resolve_no_memory(context);
        }
        *out = assay_fact_exact(own->on_demand_usd_per_h.v, source);
        return ASSAY_OK;
    }
    return resolve_offers(context, machine, offsetof(assay_price_t, on_demand_usd_per_h), out);
}

assay_status_t resolve_purchase(resolve_context_t *context, const assay_job_candidate_t *candidate,
                                const assay_system_t *system, assay_machine_t *machine) {
    const char *field = assay_arena_printf(context->arena, "system:%s:capex_usd", system->id);
    if (!field) {
        return resolve_no_memory(context);
    }
    const assay_claim_t *claim =
        assay_catalog_claim_about(context->catalog, context->job->prices.s, field);
    if (candidate->buy_usd.origin == ASSAY_GIVEN) {
        machine->capex_usd = resolve_given(&candidate->buy_usd);
        return ASSAY_OK;
    }
    if (claim) {
        machine->capex_usd = assay_fact_exact(claim->v, claim->source);
    } else if (system->capex_usd.known && !system->is_claim) {
        machine->capex_usd = system->capex_usd;
    } else {
        return ASSAY_OK;
    }
    const char *price = resolve_with_range(context, &machine->capex_usd, ASSAY_DIM_MONEY);
    const char *subject = RESOLVE_SAY(context, PURCHASE_PRICE, machine->id);
    const char *value =
        claim ? RESOLVE_SAY(context, A_NODE_CLAIM, price) : RESOLVE_SAY(context, A_NODE, price);
    if (!subject || !value) {
        return resolve_no_memory(context);
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, value, machine->capex_usd.source,
                        NULL);
}

static assay_status_t candidate_price(resolve_context_t *context,
                                      const assay_job_candidate_t *candidate,
                                      const assay_system_t *system, assay_machine_t *machine) {
    if (candidate->usd_per_h.origin == ASSAY_GIVEN) {
        machine->usd_per_h = resolve_given(&candidate->usd_per_h);
        return ASSAY_OK;
    }
    const bool rented = candidate->pricing.origin == ASSAY_GIVEN;
    assay_status_t status =
        rented ? ASSAY_OK : resolve_purchase(context, candidate, system, machine);
    if (status != ASSAY_OK || machine->capex_usd.known) {
        return status;
    }
    status = resolve_rent(context, machine, &machine->usd_per_h);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!machine->usd_per_h.known && context->job->unpriced) {
        return ASSAY_OK;
    }
    if (!machine->usd_per_h.known) {
        assay_error_set(context->err, ASSAY_INPUT, &candidate->system.at,
                        "no price of '%s' is known, neither to buy nor to rent", system->id);
        assay_error_next(context->err, "give buy_usd or usd_per_h");
        return ASSAY_INPUT;
    }
    const char *price = resolve_with_range(context, &machine->usd_per_h, ASSAY_DIM_MONEY_PER_HOUR);
    const char *subject = RESOLVE_SAY(context, RENT, machine->id);
    const char *value = RESOLVE_SAY(context, A_NODE, price);
    if (!subject || !value) {
        return resolve_no_memory(context);
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, value, machine->usd_per_h.source,
                        NULL);
}

/* Moving is needed when the code speaks another vendor's language. */
static assay_status_t candidate_migration(resolve_context_t *context,
                                          const assay_job_candidate_t *candidate,
                                          assay_machine_t *machine) {
    static const struct {
        const char *language, *vendor;
    } speaks[] = {{"cuda", "NVIDIA"}, {"hip", "AMD"}};
    if (candidate->needs_migration.origin == ASSAY_GIVEN) {
        machine->needs_migration = candidate->needs_migration.v != 0;
        return ASSAY_OK;
    }
    const assay_string_t *from = &context->job->migration.from;
    const char *language = from->s ? from->s : "cuda";
    for (size_t i = 0; i < sizeof speaks / sizeof speaks[0]; i++) {
        if (strcmp(language, speaks[i].language) == 0) {
            machine->needs_migration = strcmp(machine->accelerator->vendor, speaks[i].vendor) != 0;
        }
    }
    if (from->origin == ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, "migration.from", language,
                        "default of the job file", NULL);
}

/* Matrix products that were measured on the part, and where; said of the type of the work. */
static assay_status_t candidate_shapes(resolve_context_t *context, assay_dtype_t dtype,
                                       assay_machine_t *machine) {
    if (!resolve_gemm_shapes(context->arena, context->calibration, machine->accelerator,
                             &machine->device)) {
        return resolve_no_memory(context);
    }
    const assay_gemm_shapes_t *shapes = machine->device.gemm_shapes[dtype];
    if (!shapes) {
        return ASSAY_OK;
    }
    const char *subject = RESOLVE_SAY(context, GEMM_SHAPES, machine->id);
    const char *value = RESOLVE_SAY(context, GEMM_SHAPES_ARE,
                                    resolve_amount(context, shapes->n_shape, ASSAY_DIM_COUNT),
                                    assay_dtype_name(dtype));
    const char *source = assay_arena_printf(context->arena, "%s, line %u, and others",
                                            shapes->shape[0].at.file, shapes->shape[0].at.line);
    return subject && value && source
               ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, value, source, NULL)
               : resolve_no_memory(context);
}

void resolve_fill_pin(const assay_job_layout_t *layout, assay_layout_pin_t *pin) {
    *pin = (assay_layout_pin_t){
        .tp = (uint16_t)layout->tp.v,
        .pp = (uint16_t)layout->pp.v,
        .vpp = (uint16_t)layout->vpp.v,
        .cp = (uint16_t)layout->cp.v,
        .ep = (uint16_t)layout->ep.v,
        .etp = (uint16_t)layout->etp.v,
        .shard = (uint32_t)layout->shard.v,
        .dp = (uint32_t)layout->dp.v,
        .micro_batch = (uint32_t)layout->micro_batch.v,
        .zero = -1,
        .recompute = -1,
        .sequence_parallel = -1,
        .cp_comm = -1,
        .schedule = ASSAY_SCHEDULE_1F1B, /* what frameworks run without being told */
    };
    if (layout->zero.origin == ASSAY_GIVEN) {
        pin->zero = (int8_t)layout->zero.v;
    }
    if (layout->recompute.origin == ASSAY_GIVEN) {
        pin->recompute = (int8_t)layout->recompute.v;
    }
    if (layout->sequence_parallel.origin == ASSAY_GIVEN) {
        pin->sequence_parallel = (int8_t)layout->sequence_parallel.v;
    }
    if (layout->schedule.origin == ASSAY_GIVEN) {
        pin->schedule = layout->schedule.v < ASSAY_SCHEDULE_N ? (int8_t)layout->schedule.v : -1;
    }
    if (layout->cp_comm.origin == ASSAY_GIVEN) {
        pin->cp_comm = (int8_t)layout->cp_comm.v;
    }
}

/* What the job calls the system, if that can be predicted in the numbers that it works in. */
static assay_status_t candidate_system(resolve_context_t *context,
                                       const assay_job_candidate_t *candidate,
                                       const assay_workload_t *work, const assay_system_t **out) {
    const assay_string_t *name = &candidate->system;
    if (!name->s) {
        assay_error_set(context->err, ASSAY_INPUT, &context->job->at,
                        "a candidate names no system");
        assay_error_next(context->err, "add system, or give --on");
        return ASSAY_INPUT;
    }
    assay_status_t status =
        assay_catalog_system(context->catalog, name->s, &name->at, out, context->err);
    status = status ? status : resolve_format_check(context, (*out)->accelerator, &name->at);
    status = status ? status
                    : check_accelerator((*out)->accelerator, work->dtype, &name->at, context->err);
    const char *alias = assay_catalog_note(context->catalog, "system", name->s);
    if (status != ASSAY_OK || !alias) {
        return status;
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, name->s, (*out)->id, "aliases.csv", alias);
}

static assay_status_t candidate_nodes(resolve_context_t *context,
                                      const assay_job_candidate_t *candidate,
                                      assay_machine_t *machine) {
    const assay_system_t *system = machine->system;
    const uint32_t per_node = system->packages * system->accelerator->devices;
    machine->nodes = (uint32_t)candidate->nodes.v;
    machine->devices = machine->nodes * per_node;
    if ((double)machine->nodes * per_node > MAX_DEVICES) {
        return assay_error_set(context->err, ASSAY_LIMIT, &candidate->nodes.at,
                               "%u nodes of %u devices are more than %u devices", machine->nodes,
                               per_node, MAX_DEVICES);
    }
    if (candidate->nodes.origin != ASSAY_DEFAULT) {
        return ASSAY_OK;
    }
    const char *subject = RESOLVE_SAY(context, NODES, machine->id);
    return subject ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, "1",
                                  "default of the job file", NULL)
                   : resolve_no_memory(context);
}

/* Rates of its parts, links and network, and the constants that the work's software has on it. */
static assay_status_t candidate_rates(resolve_context_t *context,
                                      const assay_job_candidate_t *candidate,
                                      const assay_workload_t *work, assay_machine_t *machine) {
    const assay_system_t *system = machine->system;
    double bits_per_s = 0.0;
    uint32_t nics = 0;
    const char *kind = "ib";
    assay_status_t status = ASSAY_OK;
    if (machine->nodes > 1) {
        status =
            candidate_network(context, candidate, system, machine->id, &bits_per_s, &nics, &kind);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    resolve_fill_machine(context->calibration, system->accelerator, system->fabric, kind,
                         bits_per_s, nics, system->packages * system->accelerator->devices,
                         work->dtype, machine);
    status = resolve_library(context, candidate, system, kind, machine);
    const bool trains = work->sequence > 0; /* serving and images have GEMM rates of their own */
    if (status == ASSAY_OK && trains) {
        status = candidate_shapes(context, work->dtype, machine);
    }
    if (status == ASSAY_OK && work->recipe.software) {
        assay_resolve_software(context->calibration, work->recipe.software, system->accelerator,
                               work->dtype, &machine->device);
    }
    status = status ? status : resolve_topology(context, machine);
    return status ? status
                  : check_links(machine, system->fabric, &candidate->system.at, context->err);
}

/* Watts, the memory of its host, and what it costs. */
static assay_status_t candidate_node(resolve_context_t *context,
                                     const assay_job_candidate_t *candidate,
                                     const assay_workload_t *work, assay_machine_t *machine) {
    const assay_system_t *system = machine->system;
    if (candidate->nodes_per_rack.origin != ASSAY_UNKNOWN) {
        machine->nodes_per_rack = candidate->nodes_per_rack.v;
    }
    if (candidate->retrofit_usd_per_rack.origin == ASSAY_GIVEN) {
        machine->retrofit_usd_per_rack = resolve_given(&candidate->retrofit_usd_per_rack);
    }
    const assay_job_measured_t *measured = &candidate->measured;
    const struct {
        const assay_number_t *number;
        assay_fact_t *out;
    } row[] = {{&measured->step_s, &machine->measured_step_s},
               {&measured->node_w, &machine->measured_node_w},
               {&measured->tokens_per_s, &machine->measured_tokens_per_s},
               {&measured->tpot_s, &machine->measured_tpot_s},
               {&measured->request_s, &machine->measured_request_s}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (row[i].number->origin == ASSAY_GIVEN) {
            *row[i].out = assay_fact_exact(row[i].number->v, "job");
        }
    }
    assay_status_t status = resolve_power(context, candidate, system, machine);
    status = status ? status : resolve_power_limit(context, candidate, machine);
    if (status == ASSAY_OK &&
        (work->recipe.offload != ASSAY_OFFLOAD_NONE || work->recipe.host_activations)) {
        status = resolve_host(context, candidate, system, work, machine);
    }
    status = status ? status : candidate_price(context, candidate, system, machine);
    status = status ? status : resolve_pricing(context, candidate, machine);
    return status ? status : candidate_migration(context, candidate, machine);
}

assay_status_t resolve_candidate(resolve_context_t *context, const assay_job_candidate_t *candidate,
                                 const assay_workload_t *work, assay_machine_t *out_machine,
                                 assay_layout_pin_t *out_pin) {
    const assay_system_t *system;
    assay_status_t status = candidate_system(context, candidate, work, &system);
    if (status != ASSAY_OK) {
        return status;
    }
    *out_machine = (assay_machine_t){
        .id = candidate->id.s ? candidate->id.s : system->id,
        .system = system,
        .retrofit_usd_per_rack = assay_fact_unknown(),
    };
    resolve_fill_pin(&candidate->layout, out_pin);
    status = candidate_nodes(context, candidate, out_machine);
    status = status ? status : candidate_rates(context, candidate, work, out_machine);
    status = status ? status : resolve_net_pin(context, &candidate->layout, work, out_pin);
    return status ? status : candidate_node(context, candidate, work, out_machine);
}
