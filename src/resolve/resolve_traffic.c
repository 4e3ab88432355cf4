/* Requests: how long they are, how they come, and what goes wrong. */
#include <math.h>
#include <string.h>

#include "base/det_math.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

/* Quantiles of a distribution that is cut at its longest. */
#define CUT_SAMPLES 2049u
#define MAX_LENGTH 8388608.0

/* ---- lengths ---- */

static assay_status_t refuse_length(resolve_context_t *context, const assay_node_t *node) {
    assay_error_set(
        context->err, ASSAY_INPUT, &node->at,
        "expected a number of tokens, {mean, cv, max}, {median, sigma, max}, {low, high, "
        "max}, or a file");
    assay_error_next(context->err, "write 1024, or {mean: 1024, cv: 0.8, max: 8192}");
    return ASSAY_INPUT;
}

/* A member of a mapping; *out stays when it is not there. */
static assay_status_t read_member(resolve_context_t *context, const assay_node_t *node,
                                  const char *key, assay_dim_t dim, double least, double most,
                                  double *out) {
    const assay_node_t *member = assay_node_find(node, key);
    if (!member) {
        return ASSAY_OK;
    }
    if (member->kind != ASSAY_NODE_SCALAR) {
        return refuse_length(context, member);
    }
    double value;
    const assay_status_t status =
        assay_units_parse(member->text, member->n_text, dim, 1, &member->at, &value, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!(value >= least && value <= most)) {
        return assay_error_set(context->err, ASSAY_INPUT, &member->at,
                               "%s is %g, expected %g to %g", key, value, least, most);
    }
    *out = value;
    return ASSAY_OK;
}

static const char *const length_keys[] = {"mean", "cv", "median", "sigma", "low", "high", "max"};
enum { MEAN, CV, MEDIAN, SIGMA, LOW, HIGH, MAX, N_KEY };

static assay_status_t check_keys(resolve_context_t *context, const assay_node_t *node) {
    for (const assay_node_t *child = node->child; child; child = child->next) {
        bool known = false;
        for (int i = 0; i < N_KEY; i++) {
            known = known || strcmp(child->key, length_keys[i]) == 0;
        }
        if (!known) {
            const char *near = assay_text_nearest(child->key, length_keys, N_KEY);
            assay_error_set(context->err, ASSAY_INPUT, &child->key_at, "unknown key '%s'",
                            child->key);
            assay_error_next(context->err, near ? "did you mean %s?" : "write {mean, cv, max}",
                             near);
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

/* Longer draws are as long as that. */
static assay_status_t cut(resolve_context_t *context, double longest, assay_dist_t *io) {
    double *sample = assay_arena_array(context->arena, CUT_SAMPLES, sizeof *sample);
    if (!sample) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < CUT_SAMPLES; i++) {
        sample[i] = fmin(longest, assay_dist_quantile(io, (i + 0.5) / CUT_SAMPLES));
    }
    *io = (assay_dist_t){.kind = ASSAY_DIST_EMPIRICAL, .sample = sample, .n = CUT_SAMPLES};
    return ASSAY_OK;
}

static assay_status_t read_mapping(resolve_context_t *context, const assay_node_t *node,
                                   assay_dist_t *out) {
    static const struct {
        double least, most;
    } range[N_KEY] = {{1, MAX_LENGTH}, {0, 20},         {1, MAX_LENGTH}, {0, 5},
                      {1, MAX_LENGTH}, {1, MAX_LENGTH}, {1, MAX_LENGTH}};
    double v[N_KEY] = {0};
    assay_status_t status = check_keys(context, node);
    for (int i = 0; i < N_KEY && status == ASSAY_OK; i++) {
        status = read_member(context, node, length_keys[i],
                             i == CV || i == SIGMA ? ASSAY_DIM_NUMBER : ASSAY_DIM_COUNT,
                             range[i].least, range[i].most, &v[i]);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    if (v[MEDIAN] > 0) {
        *out = assay_dist_lognormal(v[MEDIAN], v[SIGMA]);
    } else if (v[LOW] > 0 && v[HIGH] >= v[LOW]) {
        *out = assay_dist_uniform(v[LOW], v[HIGH]);
    } else if (v[MEAN] > 0 && v[CV] > 0) {
        /* cv^2 = exp(sigma^2) - 1; mean = median exp(sigma^2 / 2) */
        const double sigma_2 = assay_det_log(1 + v[CV] * v[CV]);
        *out = assay_dist_lognormal(v[MEAN] * assay_det_exp(-0.5 * sigma_2), sqrt(sigma_2));
    } else if (v[MEAN] > 0) {
        *out = assay_dist_fixed(v[MEAN]);
    } else {
        return refuse_length(context, node);
    }
    return v[MAX] > 0 ? cut(context, v[MAX], out) : ASSAY_OK;
}

/* The lengths of a trace, of its prompts or its answers. */
static assay_status_t lengths_of(resolve_context_t *context, const assay_request_trace_t *trace,
                                 bool answers, assay_dist_t *out) {
    const uint32_t n = trace->n < UINT32_MAX ? (uint32_t)trace->n : UINT32_MAX;
    double *sample = assay_arena_array(context->arena, n, sizeof *sample);
    if (!sample) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < n; i++) {
        sample[i] = answers ? trace->request[i].output_tokens : trace->request[i].input_tokens;
    }
    *out = assay_dist_of_sample(sample, n);
    return ASSAY_OK;
}

static bool is_file(const assay_node_t *node) {
    return node->kind == ASSAY_NODE_SCALAR && (strchr(node->text, '/') || strchr(node->text, '.'));
}

static assay_status_t read_trace(resolve_context_t *context, const char *path,
                                 const assay_request_trace_t **out) {
    if (!context->trace || strcmp(context->trace->file, path) != 0) {
        assay_request_trace_t *trace = assay_arena_alloc(context->arena, sizeof *trace);
        if (!trace) {
            return resolve_no_memory(context);
        }
        const assay_status_t status =
            assay_request_trace_read(context->arena, path, trace, context->err);
        if (status != ASSAY_OK) {
            return status;
        }
        context->trace = trace;
    }
    *out = context->trace;
    return ASSAY_OK;
}

static assay_status_t read_length(resolve_context_t *context, const assay_node_t *node,
                                  bool answers, assay_dist_t *out) {
    const assay_request_trace_t *trace;
    double value;
    assay_status_t status;
    if (node->kind == ASSAY_NODE_MAPPING) {
        return read_mapping(context, node, out);
    }
    if (node->kind != ASSAY_NODE_SCALAR) {
        return refuse_length(context, node);
    }
    status = assay_units_parse(node->text, node->n_text, ASSAY_DIM_COUNT, 1, &node->at, &value,
                               context->err);
    if (status == ASSAY_OK && value >= 1 && value <= MAX_LENGTH) {
        *out = assay_dist_fixed(value);
        return ASSAY_OK;
    }
    if (!is_file(node)) {
        return status ? status : refuse_length(context, node);
    }
    status = read_trace(context, node->text, &trace);
    return status ? status : lengths_of(context, trace, answers, out);
}

/* ---- the rest ---- */

static void take_choices(const assay_job_traffic_t *job, assay_serve_traffic_t *io) {
    io->arrival = job->arrival.origin == ASSAY_GIVEN ? (uint8_t)job->arrival.v
                  : job->cv.origin == ASSAY_GIVEN    ? ASSAY_ARRIVAL_GAMMA
                                                     : ASSAY_ARRIVAL_POISSON;
    io->cv = job->cv.origin == ASSAY_GIVEN ? job->cv.v : 1;
    io->router =
        job->router.origin == ASSAY_GIVEN ? (uint8_t)job->router.v : ASSAY_ROUTER_LEAST_REQUESTS;
    io->prefixes = job->prefixes.origin == ASSAY_GIVEN ? (uint32_t)job->prefixes.v : 1;
    io->prefix_caching = job->prefix_caching.origin == ASSAY_GIVEN
                             ? job->prefix_caching.v != 0
                             : io->prefix_share > 0 || (io->trace && io->trace->n_hash > 0);
    io->static_batches = job->static_batches.origin == ASSAY_GIVEN && job->static_batches.v != 0;
    io->timeout_s = job->timeout_s.origin == ASSAY_GIVEN ? job->timeout_s.v : 0;
    if (job->loss.present) {
        io->loss_at_s = job->loss.at_s.v;
        io->loss_replica =
            job->loss.replica.origin == ASSAY_GIVEN ? (uint32_t)job->loss.replica.v : 0;
        io->loss_back_s = job->loss.back_s.origin == ASSAY_GIVEN ? job->loss.back_s.v : 0;
    }
}

static assay_status_t check_loss(resolve_context_t *context, const assay_job_loss_t *loss) {
    if (loss->present && loss->back_s.origin == ASSAY_GIVEN && loss->back_s.v <= loss->at_s.v) {
        assay_error_set(context->err, ASSAY_INPUT, &loss->back_s.at,
                        "the replica is back before it is lost");
        assay_error_next(context->err, "give a time after traffic.loss.at");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

assay_status_t resolve_traffic(resolve_context_t *context, const assay_job_serve_t *serve,
                               assay_serving_t *io) {
    const assay_job_traffic_t *job = &serve->traffic;
    assay_serve_traffic_t *traffic = &io->traffic;
    assay_status_t status = check_loss(context, &job->loss);
    if (status == ASSAY_OK && job->trace.s) {
        status = read_trace(context, job->trace.s, &traffic->trace);
    }
    if (status == ASSAY_OK && traffic->trace && !traffic->trace->timed) {
        assay_error_set(context->err, ASSAY_INPUT, &job->trace.at,
                        "%s says how long requests are, not when they come", job->trace.s);
        assay_error_next(context->err, "give it as input_tokens and output_tokens, with a rate");
        return ASSAY_INPUT;
    }
    const struct {
        const assay_node_t *node;
        assay_dist_t *dist;
        double *mean;
    } length[2] = {{serve->input_tokens, &traffic->input, &io->input_tokens},
                   {serve->output_tokens, &traffic->output, &io->output_tokens}};
    for (int i = 0; i < 2 && status == ASSAY_OK; i++) {
        if (length[i].node) {
            status = read_length(context, length[i].node, i == 1, length[i].dist);
        } else if (traffic->trace) {
            status = lengths_of(context, traffic->trace, i == 1, length[i].dist);
        } else {
            continue;
        }
        *length[i].mean = status == ASSAY_OK ? assay_dist_mean(length[i].dist) : 0;
    }
    traffic->prefix_share = serve->prefix_share.origin == ASSAY_GIVEN ? serve->prefix_share.v : 0;
    take_choices(job, traffic);
    return status;
}
