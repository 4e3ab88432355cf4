#include <inttypes.h>

#include "port/c_source.h"

#include "base/banned.h"

#define CONFIGURATION_TOKENS_MAX 256u

/* Threads of dim3(a, b, c) or {a, b, c}; 0 when not known. */
static uint32_t threads_of(const port_source_t *source, uint32_t open) {
    port_range_t range[4];
    const uint32_t n = port_arguments(source, open, range, 4);
    uint64_t threads = n > 0 && n < 4, value;
    for (uint32_t i = 0; i < n && n < 4; i++) {
        if (!port_constant(source, range[i].first, range[i].end, &value) || value > 1024) {
            return 0;
        }
        threads *= value;
    }
    return threads <= 1024 ? (uint32_t)threads : 0;
}

/* dim3 block(16, 16); dim3 block = dim3(16, 16); dim3 block{16, 16}; dim3 block = 256 */
void port_rule_dim3(port_source_t *source, uint32_t i) {
    const uint32_t name = i + 1;
    uint32_t value = 0;
    if (!port_is_name(source, name)) {
        return;
    }
    if (port_is_sign(source, name + 1, '(') || port_is_sign(source, name + 1, '{')) {
        value = threads_of(source, name + 1);
    } else if (port_is_sign(source, name + 1, '=') &&
               port_word_at(source, name + 2) == PORT_WORD_DIM3) {
        value = threads_of(source, name + 3);
    }
    if (value) {
        port_symbol_add(source, name, 0, value);
    }
}

static bool is_block_known(const port_source_t *source, port_range_t range, uint64_t *out_threads) {
    if (port_word_at(source, range.first) == PORT_WORD_DIM3) {
        *out_threads = threads_of(source, range.first + 1);
        return *out_threads > 0;
    }
    return port_constant(source, range.first, range.end, out_threads);
}

static void check_block(port_source_t *source, uint32_t first, uint32_t close) {
    uint32_t from = first;
    for (uint32_t i = first; i <= close; i++) {
        if (i == close || port_is_sign(source, i, ',')) {
            const port_range_t range = {from, i};
            uint64_t threads;
            if (is_block_known(source, range, &threads) && threads % 64 != 0) {
                port_report_word(source, "block-size-not-wave-multiple", from);
            }
            return;
        }
        if (port_is_sign(source, i, '(') || port_is_sign(source, i, '{')) {
            i = port_partner(source, i);
        }
    }
}

void port_rule_launch(port_source_t *source, uint32_t i) {
    const uint32_t end = i + CONFIGURATION_TOKENS_MAX;
    uint32_t close = i, comma = i;
    for (uint32_t k = i + 1; k < source->n && k < end && close == i; k++) {
        if (port_is_sign(source, k, PORT_SIGN('>', '>', '>'))) {
            close = k;
        } else if (port_is_sign(source, k, ',') && comma == i) {
            comma = k;
        } else if (port_is_sign(source, k, '(') || port_is_sign(source, k, '{')) {
            k = port_partner(source, k);
        }
    }
    if (close == i) {
        return;
    }
    port_sink_file(source->sink)->launches++;
    if (comma != i) {
        check_block(source, comma + 1, close);
    }
    const port_function_t *f = source->current;
    if (f && (f->kernel || (f->device && !f->host && f->params != PORT_NO_MATCH))) {
        port_report_word(source, "dynamic-parallelism", i);
    }
}

/* A second argument of one asks for nothing, be it a block or a warp. With both known the value
   for HIP is worked out, by the formula of its porting guide. */
void port_rule_launch_bounds(port_source_t *source, uint32_t i) {
    port_range_t range[4];
    uint64_t threads, least;
    if (source->macro || !port_is_sign(source, i + 1, '(') ||
        port_arguments(source, i + 1, range, 4) < 2) {
        return;
    }
    const bool known = port_constant(source, range[1].first, range[1].end, &least);
    const char *instead = NULL;
    if (known && least <= 1) {
        return;
    }
    if (known && port_constant(source, range[0].first, range[0].end, &threads)) {
        const uint64_t lanes = 2 * (uint64_t)source->target->wave;
        instead = assay_arena_printf(port_sink_scratch(source->sink),
                                     "%" PRIu64 " x %" PRIu64 " / (2 x %u) = %" PRIu64
                                     "; a SIMD holds at most %u waves",
                                     least, threads, source->target->wave,
                                     (least * threads + lanes - 1) / lanes, source->target->waves);
    }
    port_report(source, "launch-bounds-second-arg", i, "__launch_bounds__", instead, NULL);
}
