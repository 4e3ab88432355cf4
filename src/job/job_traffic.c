/* Keys of requests that are simulated. */
#include "assay/request_trace.h"
#include "job/job_schema.h"

static const char *const arrival_names[] = {
    [ASSAY_ARRIVAL_POISSON] = "poisson",
    [ASSAY_ARRIVAL_GAMMA] = "gamma",
    [ASSAY_ARRIVAL_CONSTANT] = "constant",
    [ASSAY_ARRIVAL_CONSTANT + 1] = NULL,
};
static const char *const router_names[] = {
    [ASSAY_ROUTER_ROUND_ROBIN] = "round-robin",       [ASSAY_ROUTER_RANDOM] = "random",
    [ASSAY_ROUTER_LEAST_REQUESTS] = "least-requests", [ASSAY_ROUTER_LEAST_KV] = "least-kv",
    [ASSAY_ROUTER_PREFIX] = "prefix-aware",           [ASSAY_ROUTER_N] = NULL,
};

static const assay_field_t loss_field[] = {
    {NUMBER("at", assay_job_loss_t, at_s, TIME, 0, 1e-6, 1e9), .required = true,
     .help = "when it stops, since the first request"},
    {COUNT("replica", assay_job_loss_t, replica, 0, 65535), .help = "which, from 0"},
    {NUMBER("back", assay_job_loss_t, back_s, TIME, 0, 1e-6, 1e9),
     .help = "when it serves again, with an empty cache; without it never"},
};
static const assay_schema_t loss_schema =
    SCHEMA("loss", assay_job_loss_t, loss_field, offsetof(assay_job_loss_t, present), NULL);

static const assay_field_t traffic_field[] = {
    {STRING("trace", assay_job_traffic_t, trace), .flag = "trace",
     .help = "file of times and lengths: Azure, BurstGPT, Mooncake, Vidur, or columns arrival_s, "
             "input_tokens, output_tokens; rate stretches its times"},
    {CHOICE("arrival", assay_job_traffic_t, arrival, arrival_names), .flag = "arrival",
     .help = "of requests at a rate; without it poisson"},
    {NUMBER("cv", assay_job_traffic_t, cv, NUMBER, 1, 0.05, 50), .flag = "cv",
     .help = "of gaps that are gamma distributed: standard deviation over mean; 1 is poisson"},
    {CHOICE("router", assay_job_traffic_t, router, router_names), .flag = "router",
     .help = "which replica a request goes to; without it least-requests"},
    {COUNT("prefixes", assay_job_traffic_t, prefixes, 1, 1e9),
     .help = "different texts that share prefix_share of the prompts; without it 1"},
    {BOOL("prefix_caching", assay_job_traffic_t, prefix_caching), .flag = "prefix-caching",
     .help = "blocks are found again by the hash of their prefix; without it where prompts share "
             "some"},
    {BOOL("static_batches", assay_job_traffic_t, static_batches), .flag = "static-batches",
     .help = "a batch is made when the last is done, instead of continuously"},
    {NUMBER("timeout", assay_job_traffic_t, timeout_s, TIME, 0, 1e-6, 1e9), .flag = "timeout",
     .help = "after which a client without its whole answer gives up"},
    {STRUCT("loss", assay_job_traffic_t, loss, loss_schema), .help = "a replica that stops"},
};
const assay_schema_t assay_job_traffic_schema = SCHEMA(
    "traffic", assay_job_traffic_t, traffic_field, offsetof(assay_job_traffic_t, present), NULL);
