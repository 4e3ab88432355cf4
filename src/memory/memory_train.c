#include <math.h>
#include <string.h>

#include "memory/memory_parts.h"

#define SEQUENCE_STEP 128u /* longest sequences are given in this many tokens */

typedef struct {
    const assay_machine_t *machine;
    const assay_workload_t *work;
    const assay_layout_pin_t *pin;
    uint32_t devices, per_node;
} search_t;

/* On each device, while the model is loaded and while it is wrapped. */
static double load_bytes(const assay_workload_t *work, const assay_estimate_t *estimate) {
    const double whole = work->count.total * work->recipe.load_bytes_each;
    return fmax(whole, estimate->steady_bytes[ASSAY_MEMORY_WEIGHTS]);
}

static double wrap_bytes(const assay_workload_t *work, const assay_estimate_t *estimate) {
    const double whole = work->count.total * work->recipe.wrap_bytes_each;
    return estimate->layout.zero == 3 ? fmax(whole, estimate->steady_bytes[ASSAY_MEMORY_WEIGHTS])
                                      : estimate->steady_bytes[ASSAY_MEMORY_WEIGHTS];
}

static double worst_bytes(const assay_workload_t *work, const assay_estimate_t *estimate) {
    return fmax(estimate->peak_total_bytes,
                fmax(load_bytes(work, estimate), wrap_bytes(work, estimate)));
}

static bool fits(const assay_workload_t *work, const assay_estimate_t *estimate) {
    return worst_bytes(work, estimate) <= estimate->have;
}

static uint32_t pin_cp(const assay_layout_pin_t *pin) {
    return pin->cp ? pin->cp : 1;
}

static bool is_legal(const search_t *search, uint32_t tp, uint32_t pp) {
    const assay_model_t *model = &search->work->model;
    const assay_layout_pin_t *pin = search->pin;
    return search->devices % (tp * pp * pin_cp(pin)) == 0 && (!pin->tp || tp == pin->tp) &&
           (!pin->pp || pp == pin->pp) && model->heads % tp == 0 &&
           (model->kv_heads % tp == 0 || tp % model->kv_heads == 0) &&
           (model->layers % pp == 0 || (model->layers + 2) % pp == 0);
}

static int first_of(int pinned) {
    return pinned >= 0 ? pinned : 0;
}

static int last_of(int pinned, int most) {
    return pinned >= 0 ? pinned : most;
}

/* Tries recompute and ZeRO of one tp and pp; true at the first that fits. */
static bool try_shape(const search_t *search, uint32_t tp, uint32_t pp, bool *io_any,
                      assay_estimate_t *io_best) {
    const assay_layout_pin_t *pin = search->pin;
    for (int recompute = first_of(pin->recompute);
         recompute <= last_of(pin->recompute, ASSAY_RECOMPUTE_N - 1); recompute++) {
        for (int zero = first_of(pin->zero); zero <= last_of(pin->zero, pp > 1 ? 1 : 3); zero++) {
            const assay_layout_t layout = {
                .tp = (uint16_t)tp,
                .pp = (uint16_t)pp,
                .vpp = pin->vpp ? pin->vpp : 1,
                .cp = pin->cp,
                .ep = pin->ep,
                .etp = pin->etp,
                .shard = pin->shard,
                .dp = pin->dp ? pin->dp : search->devices / (tp * pp * pin_cp(pin)),
                .micro_batch = pin->micro_batch ? pin->micro_batch : 1,
                .zero = (uint8_t)zero,
                .recompute = (uint8_t)recompute,
                .sequence_parallel = tp > 1 && pin->sequence_parallel != 0};
            assay_estimate_t estimate;
            assay_train_memory(search->machine, search->work, &layout, &estimate);
            const bool fit = search->machine && fits(search->work, &estimate);
            if (!*io_any || fit ||
                worst_bytes(search->work, &estimate) < worst_bytes(search->work, io_best)) {
                *io_best = estimate;
                *io_any = true;
            }
            if (fit || !search->machine) {
                return true;
            }
        }
    }
    return false;
}

/* *out_any: a legal layout was found; returns whether one fits. */
static bool find_layout(const search_t *search, bool *out_any, assay_estimate_t *out) {
    const uint32_t most = search->devices < 4096 ? search->devices : 4096;
    *out_any = false;
    for (uint32_t shards = 1; shards <= most; shards++) {
        if (search->devices % shards) {
            continue;
        }
        for (uint32_t tp = shards < search->per_node ? shards : search->per_node; tp >= 1; tp--) {
            if (shards % tp == 0 && is_legal(search, tp, shards / tp) &&
                try_shape(search, tp, shards / tp, out_any, out)) {
                return true;
            }
        }
    }
    return false;
}

static bool fits_with(const search_t *search, const assay_workload_t *work,
                      const assay_layout_t *layout) {
    assay_estimate_t estimate;
    assay_train_memory(search->machine, work, layout, &estimate);
    return fits(work, &estimate);
}

static uint32_t largest_micro_batch(const search_t *search, const assay_layout_t *of) {
    assay_workload_t work = *search->work;
    assay_layout_t layout = *of;
    uint32_t low = 0, high = 1;
    work.global_batch = 0;
    for (; high < 1u << 20; high *= 2) {
        layout.micro_batch = high;
        if (!fits_with(search, &work, &layout)) {
            break;
        }
        low = high;
    }
    while (high - low > 1) {
        layout.micro_batch = low + (high - low) / 2;
        *(fits_with(search, &work, &layout) ? &low : &high) = layout.micro_batch;
    }
    return low;
}

static uint32_t largest_sequence(const search_t *search, const assay_layout_t *layout) {
    assay_workload_t work = *search->work;
    uint32_t low = 0, high = 1;
    for (; high < 1u << 20; high *= 2) {
        work.sequence = high * SEQUENCE_STEP;
        if (!fits_with(search, &work, layout)) {
            break;
        }
        low = high;
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        work.sequence = middle * SEQUENCE_STEP;
        *(fits_with(search, &work, layout) ? &low : &high) = middle;
    }
    return low * SEQUENCE_STEP;
}

static void find_fewest(const search_t *of, assay_memory_candidate_t *io) {
    search_t search = *of;
    assay_layout_pin_t pin = *of->pin;
    pin.dp = 0;
    search.pin = &pin;
    for (uint32_t n = 1; n; n = memory_next_devices(n, of->per_node)) {
        bool any;
        assay_estimate_t estimate;
        search.devices = n;
        if (find_layout(&search, &any, &estimate)) {
            io->fewest_devices = n;
            io->fewest_layout = estimate.layout;
            return;
        }
    }
}

/* Parts from what cannot change to what can; the first that finds no room. */
static const char *find_limiting(const assay_memory_candidate_t *of) {
    static const assay_memory_part_t order[] = {
        ASSAY_MEMORY_WEIGHTS,     ASSAY_MEMORY_GRADIENTS,    ASSAY_MEMORY_OPTIMIZER,
        ASSAY_MEMORY_CONTEXT,     ASSAY_MEMORY_GATHERED,     ASSAY_MEMORY_LOGITS,
        ASSAY_MEMORY_ACTIVATIONS, ASSAY_MEMORY_FRAGMENTATION};
    double used = 0;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        used += of->train.peak_bytes[order[i]];
        if (used > of->memory_bytes) {
            return assay_memory_part_name(order[i]);
        }
    }
    return of->wrap_bytes > of->memory_bytes ? "wrap" : "load";
}

/* Of the layout: smaller micro-batches, more of the state shared out, more recomputed. */
static void find_layout_fixes(assay_arena_t *arena, const search_t *search,
                              assay_memory_candidate_t *io) {
    static const char *const recompute[] = {"none", "selective", "full"};
    const assay_layout_t *layout = &io->layout;
    assay_layout_t other = *layout;
    if (io->largest_micro_batch > 0 && io->largest_micro_batch < layout->micro_batch) {
        memory_fix(arena, io, "candidates[].layout.micro_batch", "more steps of accumulation", "%u",
                   io->largest_micro_batch);
    }
    for (uint8_t zero = (uint8_t)(layout->zero + 1); layout->pp == 1 && zero <= 3; zero++) {
        other.zero = zero;
        if (layout->dp > 1 && fits_with(search, search->work, &other)) {
            memory_fix(arena, io, "candidates[].layout.zero", "more communication", "%u", zero);
            break;
        }
    }
    other = *layout;
    for (uint8_t i = (uint8_t)(layout->recompute + 1); i < ASSAY_RECOMPUTE_N; i++) {
        other.recompute = i;
        if (fits_with(search, search->work, &other)) {
            memory_fix(arena, io, "candidates[].layout.recompute",
                       i == ASSAY_RECOMPUTE_FULL ? "a third more computation" : "little", "%s",
                       recompute[i]);
            break;
        }
    }
}

/* Of what the job says of the work: each alone, where it is not so already. */
static void find_work_fixes(assay_arena_t *arena, const search_t *search, const char *kind,
                            assay_memory_candidate_t *io) {
    static const char traffic[] = "traffic to the host every step";
    assay_workload_t work[4] = {*search->work, *search->work, *search->work, *search->work};
    const assay_recipe_t *recipe = &search->work->recipe;
    work[0].unfused_attention = false;
    work[1].recipe.optimizer = ASSAY_OPTIMIZER_ADAM8BIT;
    work[2].recipe.offload = ASSAY_OFFLOAD_OPTIMIZER;
    work[3].recipe.host_activations = true;
    const struct {
        bool open;
        const char *key, *cost, *value;
    } fix[4] = {
        {search->work->unfused_attention, "fused_attention", "none", "true"},
        {recipe->optimizer == ASSAY_OPTIMIZER_ADAM, "optimizer", "moments of 8 bit", "adam8bit"},
        {recipe->offload == ASSAY_OFFLOAD_NONE, "offload", traffic, "optimizer"},
        {!recipe->host_activations, "offload_activations", traffic, "true"},
    };
    for (size_t i = 0; i < sizeof fix / sizeof fix[0]; i++) {
        if (fix[i].open && fits_with(search, &work[i], &io->layout)) {
            memory_fix(arena, io, assay_arena_printf(arena, "workload.%s.%s", kind, fix[i].key),
                       fix[i].cost, "%s", fix[i].value);
        }
    }
}

static void find_fixes(assay_arena_t *arena, const search_t *search, const char *kind,
                       assay_memory_candidate_t *io) {
    static const char *const loss[] = {"fp32", "in_place", "fused", "chunked"};
    assay_workload_t work = *search->work;
    const assay_recipe_t *recipe = &search->work->recipe;
    if (recipe->wrap_bytes_each > 0 || recipe->load_bytes_each > 0) {
        work.recipe.wrap_bytes_each = work.recipe.load_bytes_each = 0;
        if (fits_with(search, &work, &io->layout)) {
            memory_fix(arena, io, "meta device, or sync_module_states with CPU loading", "none",
                       "on");
        }
        work = *search->work;
    }
    for (uint8_t i = (uint8_t)(recipe->loss + 1); i < ASSAY_LOSS_N; i++) {
        work.recipe.loss = i;
        if (fits_with(search, &work, &io->layout)) {
            memory_fix(arena, io, assay_arena_printf(arena, "workload.%s.loss", kind), "none", "%s",
                       loss[i]);
            break;
        }
    }
    find_layout_fixes(arena, search, io);
    find_work_fixes(arena, search, kind, io);
    if (io->largest_sequence > 0 && io->largest_sequence < search->work->sequence) {
        memory_fix(arena, io, assay_arena_printf(arena, "workload.%s.sequence", kind),
                   "shorter sequences", "%u", io->largest_sequence);
    }
    if (io->fewest_devices > search->devices) {
        memory_fix(arena, io, "candidates[].devices", "more devices", "%u", io->fewest_devices);
    }
}

static void fill(const search_t *search, assay_memory_candidate_t *io) {
    const assay_estimate_t *estimate = &io->train;
    const double *steady = estimate->steady_bytes;
    io->layout = estimate->layout;
    io->load_bytes = load_bytes(search->work, estimate);
    io->wrap_bytes = wrap_bytes(search->work, estimate);
    io->first_step_bytes = estimate->peak_total_bytes;
    io->steady_bytes = estimate->steady_total_bytes;
    io->state_bytes = steady[ASSAY_MEMORY_WEIGHTS] + steady[ASSAY_MEMORY_GRADIENTS] +
                      steady[ASSAY_MEMORY_OPTIMIZER];
    io->reserved_bytes = io->state_bytes + steady[ASSAY_MEMORY_FRAGMENTATION];
    io->known = search->machine != NULL;
    if (io->known) {
        io->memory_bytes = estimate->have;
        io->fits = fits(search->work, estimate);
        io->steady_fits = estimate->steady_total_bytes <= estimate->have;
    }
    io->limiting = io->known && !io->fits ? find_limiting(io) : "";
}

assay_status_t memory_train(assay_arena_t *arena, const assay_machine_t *machine,
                            const assay_workload_t *work, const assay_layout_pin_t *pin,
                            const char *kind, assay_memory_candidate_t *out, assay_error_t *err) {
    const search_t search = {machine, work, pin, machine ? machine->devices : 1,
                             machine ? machine->links.domain : 1};
    assay_layout_t one = {.tp = 1, .pp = 1, .vpp = 1, .dp = 1, .micro_batch = 1};
    assay_estimate_t whole;
    bool any;
    (void)find_layout(&search, &any, &out->train);
    if (!any) {
        assay_error_set(err, ASSAY_INPUT, NULL,
                        "no layout of '%s' on the %u devices of %s is as the job pins it "
                        "(tp %u, pp %u)",
                        work->model.id, search.devices, machine ? machine->id : "the job", pin->tp,
                        pin->pp);
        assay_error_next(err, "tp must divide the %u heads, pp the %u layers, tp x pp the devices",
                         work->model.heads, work->model.layers);
        return ASSAY_INPUT;
    }
    fill(&search, out);
    one.zero = out->layout.zero; /* ZeRO 3 keeps one copy of the weights instead of two */
    assay_train_memory(NULL, work, &one, &whole);
    assay_train_state(work, &out->weight_each, &out->master_each, &out->gradient_each,
                      &out->moment_each);
    if (one.zero == 3) {
        out->weight_each = fmax(out->weight_each, out->master_each);
        out->master_each = 0;
    }
    out->state_model_bytes = whole.steady_total_bytes;
    if (machine) {
        out->largest_micro_batch = largest_micro_batch(&search, &out->layout);
        if (!work->net.sample) { /* a network is laid out for its size */
            out->largest_sequence = largest_sequence(&search, &out->layout);
        }
        find_fewest(&search, out);
    }
    if (out->known && !out->fits) {
        find_fixes(arena, &search, kind, out);
    }
    return ASSAY_OK;
}
