/* Keys of a candidate. */
#include "job/job_schema.h"

static assay_status_t check_candidate(const void *value, const assay_node_t *node,
                                      assay_error_t *err) {
    (void)node;
    const assay_job_candidate_t *candidate = value;
    return assay_job_refuse_both("buy_usd", &candidate->buy_usd, "usd_per_h", &candidate->usd_per_h,
                                 err);
}

static const char *const network_kinds[] = {"ib",  "roce", "slingshot", "ethernet",
                                            "efa", "opa",  NULL};
static const assay_field_t network_field[] = {
    {STRING("kind", assay_job_network_t, kind), .choices = network_kinds, .flag = "network",
     .help = "network between the nodes"},
    {NUMBER("gbit_s", assay_job_network_t, bits_per_s, BITS_PER_S, 1e9, 1e6, 1e14),
     .flag = "gbit-s", .help = "rate of one NIC, one direction, in Gbit/s"},
    {COUNT("nics", assay_job_network_t, nics, 1, 1024), .flag = "nics", .help = "NICs of one node"},
};
static const assay_schema_t network_schema = SCHEMA("network", assay_job_network_t, network_field,
                                                    offsetof(assay_job_network_t, present), NULL);

static const char *const cp_names[] = {"p2p", "a2a", NULL};
static const char *const schedule_names[] = {"1f1b",      "zb-h1", "zb-h2", "dualpipe",
                                             "dualpipev", "any",   NULL};
static const char *const collective_libraries[] = {"nccl", "rccl", "rccl-ib", "openmpi-ucx", NULL};
static const char *const recompute_names[] = {"none", "selective", "full", NULL};
static const assay_field_t layout_field[] = {
    {COUNT("tp", assay_job_layout_t, tp, 1, 4096), .flag = "tp", .help = "tensor parallel degree"},
    {COUNT("pp", assay_job_layout_t, pp, 1, 4096), .flag = "pp", .help = "pipeline stages"},
    {COUNT("vpp", assay_job_layout_t, vpp, 1, 4096), .flag = "vpp",
     .help = "pieces of a stage (interleaved pipeline); 1 = plain"},
    {COUNT("dp", assay_job_layout_t, dp, 1, 1e7), .flag = "dp", .help = "data parallel degree"},
    {COUNT("cp", assay_job_layout_t, cp, 1, 4096), .flag = "cp",
     .help = "devices that share out a sequence (context parallelism)"},
    {CHOICE("cp_comm", assay_job_layout_t, cp_comm, cp_names), .flag = "cp-comm",
     .help = "how they get at each other's keys and values: round a ring, or heads in exchange"},
    {COUNT("ep", assay_job_layout_t, ep, 1, 4096), .flag = "ep",
     .help = "devices that share out the experts of a layer"},
    {COUNT("etp", assay_job_layout_t, etp, 1, 4096), .flag = "etp",
     .help = "tensor parallel degree of the experts; without it tp"},
    {COUNT("micro_batch", assay_job_layout_t, micro_batch, 1, 1e6), .flag = "micro-batch",
     .help = "sequences a device works on at once"},
    {COUNT("zero", assay_job_layout_t, zero, 0, 3), .flag = "zero",
     .help = "ZeRO stage: what data parallel devices share out"},
    {COUNT("shard", assay_job_layout_t, shard, 1, 1e7), .flag = "shard",
     .help = "devices that share out one copy of it (hybrid sharding); without it all"},
    {CHOICE("schedule", assay_job_layout_t, schedule, schedule_names), .flag = "schedule",
     .help = "order of the pipeline: 1f1b (without it), zero bubble, DualPipe, or any of them"},
    {CHOICE("recompute", assay_job_layout_t, recompute, recompute_names), .flag = "recompute",
     .help = "activations that are computed again in the backward pass"},
    {BOOL("sequence_parallel", assay_job_layout_t, sequence_parallel), .flag = "sequence-parallel",
     .help = "share out norms along the sequence as well"},
};
static const assay_schema_t layout_schema =
    SCHEMA("layout", assay_job_layout_t, layout_field, offsetof(assay_job_layout_t, present), NULL);

static const assay_field_t measured_field[] = {
    {NUMBER("step_time", assay_job_measured_t, step_s, TIME, 1, 1e-6, 1e6),
     .help = "time of one step, in s"},
    {NUMBER("tokens_per_s", assay_job_measured_t, tokens_per_s, NUMBER, 1, 1e-3, 1e9),
     .help = "output tokens a second of one replica that serves, at the largest rate within the "
             "limits"},
    {NUMBER("tpot", assay_job_measured_t, tpot_s, TIME, 1, 1e-6, 1e3),
     .help = "median time of an output token, at the load of a replica in the answer without it"},
    {NUMBER("request_time", assay_job_measured_t, request_s, TIME, 1, 1e-6, 1e6),
     .help = "time of a lone request for images, on one device"},
    {NUMBER("node_power_w", assay_job_measured_t, node_w, POWER, 1, 1, 1e7),
     .help = "mean draw of one node in W"},
};
static const assay_schema_t measured_schema =
    SCHEMA("measured", assay_job_measured_t, measured_field,
           offsetof(assay_job_measured_t, present), NULL);
static const char *const pricing_names[] = {"on-demand", "reserved-1y", "reserved-3y", "spot",
                                            NULL};

static const assay_field_t candidate_field[] = {
    {STRING("system", assay_job_candidate_t, system),
     .help = "catalog id of a server to own or a node to rent; memory takes 4x PART as well"},
    {STRING("id", assay_job_candidate_t, id),
     .help = "name in the answer; without it the system's"},
    {COUNT("nodes", assay_job_candidate_t, nodes, 1, 1e6), .default_text = "1", .flag = "nodes",
     .help = "number of nodes"},
    {COUNT("devices", assay_job_candidate_t, devices, 1, 1e7), .flag = "devices",
     .help = "devices in use, for memory alone; without it all that the nodes have"},
    {MONEY("buy_usd", assay_job_candidate_t, buy_usd), .uncertain = true,
     .help = "purchase price of one node in USD"},
    {NUMBER("usd_per_h", assay_job_candidate_t, usd_per_h, MONEY_PER_HOUR, 1, 0, 1e6),
     .uncertain = true, .help = "rent of one node in USD/h; not together with buy_usd"},
    {NUMBER("node_power_w", assay_job_candidate_t, node_power_w, POWER, 1, 1, 1e7),
     .help = "nameplate power of one node in W"},
    {NUMBER("power_cap_w", assay_job_candidate_t, power_cap_w, POWER, 1, 1, 1e5),
     .flag = "power-cap",
     .help = "power that one accelerator may draw, in W, below what it is built for; training"},
    {NUMBER("host_link_gb_s", assay_job_candidate_t, host_link_bytes_per_s, BYTES_PER_S, 1e9, 1e8,
            1e13),
     .flag = "host-link",
     .help = "rate between host and one accelerator, one direction, in GB/s; for offload"},
    {NUMBER("host_memory_gb_s", assay_job_candidate_t, host_memory_bytes_per_s, BYTES_PER_S, 1e9,
            1e9, 1e14),
     .flag = "host-memory",
     .help = "peak rate of the memory of one node's host, in GB/s; for offload"},
    {NUMBER("host_memory", assay_job_candidate_t, host_bytes, BYTES, 1, 1e9, 1e15),
     .help = "memory of one node's host; for offload"},
    {NUMBER("nodes_per_rack", assay_job_candidate_t, nodes_per_rack, NUMBER, 1, 1e-2, 1e3),
     .help = "nodes in one rack"},
    {MONEY("retrofit_usd_per_rack", assay_job_candidate_t, retrofit_usd_per_rack),
     .uncertain = true, .help = "cooling and feeds that a rack needs for it, in USD"},
    {BOOL("needs_migration", assay_job_candidate_t, needs_migration),
     .help = "the code must move to it; without it: the vendor is not the one of migration.from"},
    {CHOICE("pricing", assay_job_candidate_t, pricing, pricing_names),
     .help = "how a rented node is paid for; without it on-demand"},
    {FRACTION("committed", assay_job_candidate_t, committed),
     .help = "share of the hours that is paid for, used or not; reserved: all"},
    {STRUCT("measured", assay_job_candidate_t, measured, measured_schema),
     .help = "what was measured on it, in place of the prediction"},
    {STRUCT("network", assay_job_candidate_t, network, network_schema),
     .help = "network between its nodes; without it the catalog's"},
    {STRING("collectives", assay_job_candidate_t, collectives), .choices = collective_libraries,
     .flag = "collectives",
     .help = "library of collectives between devices; without it the vendor's, as measured"},
    {STRUCT("layout", assay_job_candidate_t, layout, layout_schema),
     .help = "values that are pinned; the search chooses the others"},
};
const assay_schema_t assay_job_candidate_schema =
    SCHEMA("candidates", assay_job_candidate_t, candidate_field, NO_PRESENT, check_candidate);
