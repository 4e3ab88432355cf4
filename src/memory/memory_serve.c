#include <math.h>

#include "memory/memory_parts.h"

/* Without an answer about a device, the layout that is pinned, else one device. */
static assay_layout_t pinned_layout(const assay_layout_pin_t *pin) {
    return (assay_layout_t){.tp = pin->tp ? pin->tp : 1,
                            .pp = pin->pp ? pin->pp : 1,
                            .vpp = 1,
                            .dp = pin->dp ? pin->dp : 1,
                            .ep = pin->ep,
                            .micro_batch = 1};
}

typedef struct {
    const assay_machine_t *machine;
    const assay_serving_t *work;
    const assay_layout_pin_t *pin;
    uint32_t devices, per_node;
} search_t;

/* The least tensor parallelism, then the fewest stages, with which one replica fits; else the
   layout that needs least. false: no legal layout. */
static bool find_layout(const search_t *search, assay_layout_t *out_layout,
                        assay_serve_memory_t *out) {
    bool any = false;
    for (uint32_t pp = 1; pp <= search->devices; pp++) {
        if (search->devices % pp || (search->pin->pp && pp != search->pin->pp)) {
            continue;
        }
        const uint32_t most = search->devices / pp;
        for (uint32_t tp = 1; tp <= most && tp <= search->per_node; tp++) {
            assay_layout_t layout = pinned_layout(search->pin);
            assay_serve_memory_t memory;
            layout.tp = (uint16_t)tp;
            layout.pp = (uint16_t)pp;
            if (most % tp || (search->pin->tp && tp != search->pin->tp) ||
                (search->pin->dp && most != tp * search->pin->dp) ||
                !assay_serve_layout_fits(search->work, &layout)) {
                continue;
            }
            layout.dp = search->pin->dp ? search->pin->dp : most / tp;
            assay_serve_memory(search->machine, search->work, &layout, &memory);
            if (!any || memory.fits || memory.need_bytes < out->need_bytes) {
                *out = memory;
                *out_layout = layout;
                any = true;
            }
            if (memory.fits) {
                return true;
            }
        }
    }
    return any;
}

static void find_fewest(const search_t *of, assay_memory_candidate_t *io) {
    search_t search = *of;
    assay_layout_pin_t pin = *of->pin;
    const bool spread =
        pin.dp > 1 && pin.ep > 1; /* experts over the replicas: they shrink together */
    pin.tp = pin.pp = 0;
    search.pin = &pin;
    for (uint32_t n = 1; n && n <= MEMORY_DEVICES_MAX; n = memory_next_devices(n, of->per_node)) {
        assay_layout_t layout;
        assay_serve_memory_t memory;
        pin.dp = spread ? n : 1;
        pin.ep = spread ? (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX) : pin.ep;
        search.devices = n;
        if (find_layout(&search, &layout, &memory) && memory.fits) {
            io->fewest_devices = n;
            io->fewest_layout = layout;
            return;
        }
        if (n > 64 * of->per_node) {
            return;
        }
    }
}

/* Tries one changed value of the job. */
static bool helps(const search_t *search, const assay_layout_t *layout,
                  const assay_serving_t *changed) {
    assay_serve_memory_t memory;
    assay_serve_memory(search->machine, changed, layout, &memory);
    return memory.fits;
}

#define SHORTEST_USEFUL 256 /* tokens: below it a shorter sequence is no answer */

static void find_fixes(assay_arena_t *arena, const search_t *search, assay_memory_candidate_t *io) {
    const assay_serving_t *work = search->work;
    const assay_layout_t *layout = &io->layout;
    const assay_serve_memory_t *memory = &io->serve;
    assay_serving_t changed = *work;
    uint32_t tokens = work->max_batch_tokens / 2;

    if (memory->longest >= SHORTEST_USEFUL && memory->longest < work->max_model_len) {
        memory_fix(arena, io, "workload.serve.max_model_len", "shorter sequences", "%.0f",
                   memory->longest);
    }
    changed.chunked_prefill = true;
    for (; tokens >= SHORTEST_USEFUL; tokens /= 2) {
        changed.max_batch_tokens = tokens;
        if (helps(search, layout, &changed)) {
            if (!work->chunked_prefill) {
                memory_fix(arena, io, "workload.serve.chunked_prefill", "none worth mentioning",
                           "true, with max_batch_tokens %u", tokens);
            } else {
                memory_fix(arena, io, "workload.serve.max_batch_tokens", "slower prefill", "%u",
                           tokens);
            }
            break;
        }
    }
    changed = *work;
    for (changed.max_num_seqs /= 2; changed.max_num_seqs >= 8; changed.max_num_seqs /= 2) {
        if (helps(search, layout, &changed)) {
            memory_fix(arena, io, "workload.serve.max_num_seqs", "fewer requests at once", "%u",
                       changed.max_num_seqs);
            break;
        }
    }
    changed = *work;
    for (int percent = (int)floor(work->utilisation * 100) + 1; percent <= 97; percent++) {
        changed.utilisation = percent / 100.0;
        if (search->machine && helps(search, layout, &changed)) {
            memory_fix(arena, io, "workload.serve.gpu_memory_utilization",
                       "less room for others on the device", "0.%02d", percent);
            break;
        }
    }
    changed = *work;
    changed.kv_bytes_each = work->kv_bytes_each / 2;
    changed.kv_blocks = work->kv_blocks >= 0 ? 2 * work->kv_blocks : -1;
    if (work->kv_bytes_each > 1 && helps(search, layout, &changed)) {
        memory_fix(arena, io, "workload.serve.kv_precision", "a little accuracy", "fp8");
    }
    changed = *work;
    changed.graph_bytes = 0;
    if (work->graph_bytes > 0 && helps(search, layout, &changed)) {
        memory_fix(arena, io, "workload.serve.eager", "slower decoding", "true");
    }
    if (io->fewest_devices > (search->machine ? search->machine->devices : 0)) {
        memory_fix(arena, io, "candidates[].devices", "more devices", "%u", io->fewest_devices);
    }
}

static void fill(assay_memory_candidate_t *io) {
    const assay_serve_memory_t *memory = &io->serve;
    io->known = memory->known;
    io->fits = io->steady_fits = memory->fits;
    io->limiting = memory->known && !memory->fits
                       ? assay_serving_part_name((assay_serving_part_t)memory->limiting)
                       : "";
    io->memory_bytes = memory->memory_bytes;
    io->load_bytes = memory->load_bytes;
    io->state_bytes = memory->bytes[ASSAY_SERVING_WEIGHTS];
    io->steady_bytes = memory->bytes[ASSAY_SERVING_WEIGHTS] + memory->bytes[ASSAY_SERVING_CONTEXT] +
                       memory->bytes[ASSAY_SERVING_GRAPHS] +
                       fmax(memory->bytes[ASSAY_SERVING_KV], memory->kv_room_bytes);
    io->first_step_bytes = io->steady_bytes + memory->bytes[ASSAY_SERVING_ACTIVATIONS] +
                           memory->bytes[ASSAY_SERVING_SAMPLING];
}

assay_status_t memory_serve(assay_arena_t *arena, const assay_machine_t *machine,
                            const assay_serving_t *work, const assay_layout_pin_t *pin,
                            assay_memory_candidate_t *out, assay_error_t *err) {
    const search_t search = {machine, work, pin, machine ? machine->devices : 1,
                             machine ? machine->links.domain : 1};
    out->layout = pinned_layout(pin);
    out->state_model_bytes = work->checkpoint.total_bytes;
    if (!machine) {
        assay_serve_memory(NULL, work, &out->layout, &out->serve);
    } else if (!find_layout(&search, &out->layout, &out->serve)) {
        assay_error_set(err, ASSAY_INPUT, NULL,
                        "no layout of '%s' on the %u devices of %s is as the job pins it "
                        "(tp %u, pp %u)",
                        work->model.id, machine->devices, machine->id, pin->tp, pin->pp);
        assay_error_next(err, "tp must divide the %u heads and tp x pp the devices",
                         work->model.heads);
        return ASSAY_INPUT;
    }
    if (machine) {
        find_fewest(&search, out);
    }
    fill(out);
    if (out->known && !out->fits) {
        find_fixes(arena, &search, out);
    }
    return ASSAY_OK;
}
