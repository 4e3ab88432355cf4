/* What a search goes through: degrees, keys and shapes. */
#include "plan/plan_space.h"

#include "assay/job.h"

/* Larger micro-batches only cost memory: the GEMMs of one sequence fill a device already. */
#define MAX_MICRO_BATCH 64
/* Images are smaller: it takes many to fill one. */
#define MAX_MICRO_BATCH_NET 1024
/* Each device of a split sequence has at least this many tokens: two pieces of the length at which
   attention still runs near its best rate. The whole space goes down to two tiles of it. */
#define CP_TOKENS_MIN 4096u
#define CP_TOKENS_LEAST 256u
#define GROUPS_MAX 12 /* 1, 2, 4 ... 2048 */

assay_layout_t plan_space_layout(const plan_space_t *space, const plan_key_t *key,
                                 const plan_shape_t *shape) {
    const uint32_t ways = (uint32_t)key->tp * key->cp * shape->pp, devices = space->devices;
    const uint32_t dp = space->pin->dp ? space->pin->dp : devices / ways + (devices % ways != 0);
    const uint32_t copies = dp * key->cp;
    /* what does not divide is refused: more than there are */
    const uint32_t shard = shape->groups == 1       ? space->pin->shard
                           : copies % shape->groups ? copies + 1
                                                    : copies / shape->groups;
    return (assay_layout_t){.tp = key->tp,
                            .pp = shape->pp,
                            .vpp = shape->vpp,
                            .cp = key->cp,
                            .ep = key->ep,
                            .etp = key->etp,
                            .dp = dp,
                            .micro_batch = key->micro_batch,
                            .shard = shard,
                            .zero = shape->zero,
                            .recompute = key->recompute,
                            .cp_comm = key->cp_comm,
                            .schedule = shape->schedule,
                            .sequence_parallel = key->sequence_parallel};
}

/* Divisors of n up to most, ascending, or the pinned value alone. NULL: no memory. */
static uint32_t *candidates(assay_arena_t *arena, uint32_t pinned, uint32_t n, uint32_t most,
                            uint32_t *out_n) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= n && i <= most; i++) {
        count += n % i == 0;
    }
    uint32_t *value = assay_arena_array(arena, count + 1, sizeof(*value));
    if (!value) {
        return NULL;
    }
    *out_n = 0;
    if (pinned) {
        value[(*out_n)++] = pinned;
        return value;
    }
    for (uint32_t i = 1; i <= n && i <= most; i++) {
        if (n % i == 0) {
            value[(*out_n)++] = i;
        }
    }
    return value;
}

/* The range of a small choice: [first, last], or the pinned value. */
static void choice(int pinned, int most, int *out_first, int *out_last) {
    *out_first = pinned >= 0 ? pinned : 0;
    *out_last = pinned >= 0 ? pinned : most;
}

/* Degrees that a search tries, or what is pinned. */
typedef struct {
    const uint32_t *tp, *cp, *ep, *micro_batch;
    uint32_t n_tp, n_cp, n_ep, n_micro_batch;
} degrees_t;

/* Powers of two up to most, or the pinned value alone. NULL: no memory. */
static uint32_t *powers(assay_arena_t *arena, uint32_t pinned, uint32_t most, uint32_t *out_n) {
    uint32_t *value = assay_arena_array(arena, 33, sizeof(*value));
    *out_n = 0;
    for (uint32_t i = 1; value && !pinned && i <= most && i; i *= 2) {
        value[(*out_n)++] = i;
    }
    if (value && pinned) {
        value[(*out_n)++] = pinned;
    }
    return value;
}

static bool make_degrees(plan_space_t *space, degrees_t *out) {
    const assay_layout_pin_t *pin = space->pin;
    const assay_model_t *model = &space->work->model;
    const uint32_t devices = space->devices, sequence = space->work->sequence;
    const uint32_t most = devices < UINT16_MAX ? devices : UINT16_MAX;
    /* Splitting what one device takes at once is tried where sequences are long. */
    const uint32_t pieces = sequence / (space->whole ? CP_TOKENS_LEAST : CP_TOKENS_MIN);
    const uint32_t expert_most = model->experts < most ? model->experts : most;
    out->tp = candidates(space->arena, pin->tp, model->heads, most, &out->n_tp);
    out->cp = powers(space->arena, pin->cp, pieces < most ? pieces | 1 : most, &out->n_cp);
    out->ep = model->experts
                  ? candidates(space->arena, pin->ep, model->experts, expert_most, &out->n_ep)
                  : powers(space->arena, pin->ep, 1, &out->n_ep);
    out->micro_batch = candidates(space->arena, pin->micro_batch, space->work->global_batch,
                                  space->work->net.sample ? MAX_MICRO_BATCH_NET : MAX_MICRO_BATCH,
                                  &out->n_micro_batch);
    return out->tp && out->cp && out->ep && out->micro_batch;
}

/* Keys of one (tp, cp, ep, etp): micro-batches, recompute, sequence parallelism, exchange. */
static void add_keys(plan_space_t *space, const degrees_t *degrees, const plan_key_t *of) {
    const assay_layout_pin_t *pin = space->pin;
    int recompute_first, recompute_last, sp_first, sp_last, comm_first, comm_last;
    choice(pin->recompute, ASSAY_RECOMPUTE_N - 1, &recompute_first, &recompute_last);
    choice(pin->sequence_parallel, of->tp > 1, &sp_first, &sp_last); /* nothing to split at 1 */
    choice(pin->cp_comm, of->cp > 1 ? ASSAY_CP_COMM_N - 1 : 0, &comm_first, &comm_last);
    for (uint32_t j = 0; j < degrees->n_micro_batch; j++) {
        for (int recompute = recompute_first; recompute <= recompute_last; recompute++) {
            for (int sp = sp_first; sp <= sp_last; sp++) {
                for (int comm = comm_first; comm <= comm_last; comm++) {
                    plan_key_t *key = &space->key[space->n_key++];
                    *key = *of;
                    key->micro_batch = degrees->micro_batch[j];
                    key->recompute = (uint8_t)recompute;
                    key->cp_comm = (uint8_t)comm;
                    key->sequence_parallel = sp != 0;
                }
            }
        }
    }
}

static bool make_keys(plan_space_t *space) {
    const assay_layout_pin_t *pin = space->pin;
    degrees_t degrees;
    if (!make_degrees(space, &degrees)) {
        return false;
    }
    const size_t n_most = (size_t)degrees.n_tp * degrees.n_cp * degrees.n_ep * 2 *
                          degrees.n_micro_batch * ASSAY_RECOMPUTE_N * 2 * ASSAY_CP_COMM_N;
    space->key = assay_arena_array(space->arena, n_most, sizeof(*space->key));
    if (!space->key) {
        return false;
    }
    for (uint32_t i = 0; i < degrees.n_tp; i++) {
        const uint16_t tp = (uint16_t)degrees.tp[i];
        /* Experts are cut as the rest is, or whole. */
        const uint16_t etp[2] = {pin->etp ? pin->etp : tp, 1};
        const int n_etp = !pin->etp && tp > 1 && space->work->model.experts ? 2 : 1;
        for (uint32_t c = 0; c < degrees.n_cp; c++) {
            for (uint32_t e = 0; e < degrees.n_ep; e++) {
                for (int t = 0; t < n_etp; t++) {
                    const plan_key_t key = {.tp = tp,
                                            .cp = (uint16_t)degrees.cp[c],
                                            .ep = (uint16_t)degrees.ep[e],
                                            .etp = etp[t]};
                    add_keys(space, &degrees, &key);
                }
            }
        }
    }
    return true;
}

/* Are the layers, or two more than them, a multiple of the stages? Then a pipeline's pieces are
   alike but for the tables; otherwise the last stage has fewer layers. */
static bool divides(uint32_t layers, uint32_t stages) {
    return layers % stages == 0 || (layers + 2) % stages == 0;
}

/* Stages that a pipeline may have: those that divide, and those that the devices divide by. */
static uint32_t *stage_counts(const plan_space_t *space, uint32_t most, uint32_t *out_n) {
    const uint32_t layers = space->work->model.layers, pinned = space->pin->pp;
    uint32_t *value = assay_arena_array(space->arena, (size_t)layers + 3, sizeof(*value));
    assay_split_t split;
    *out_n = 0;
    for (uint32_t pp = 1; value && !pinned && pp <= layers + 2 && pp <= most; pp++) {
        if (divides(layers, pp) ||
            (space->devices % pp == 0 && assay_layout_split(layers, pp, &split))) {
            value[(*out_n)++] = pp;
        }
    }
    if (value && pinned) {
        value[(*out_n)++] = pinned;
    }
    return value;
}

/* Pieces that a stage may be cut into. There is nothing to interleave in one stage. */
static uint32_t *piece_counts(const plan_space_t *space, uint32_t pp, uint32_t *out_n) {
    const uint32_t layers = space->work->model.layers, pinned = space->pin->vpp;
    const uint32_t slots = layers % pp == 0 ? layers : layers + 2; /* tables as layers */
    if (pp == 1 || slots % pp == 0 || pinned) {
        return candidates(space->arena, pinned, pp > 1 ? slots / pp : 1, UINT16_MAX, out_n);
    }
    uint32_t *value = assay_arena_array(space->arena, layers / pp + 2, sizeof(*value));
    assay_split_t split;
    *out_n = 0;
    for (uint32_t vpp = 1; value && vpp <= layers / pp + 1; vpp++) {
        if (vpp == 1 || assay_layout_split(layers, pp * vpp, &split)) {
            value[(*out_n)++] = vpp;
        }
    }
    return value;
}

/* One shape or, of the whole space, one for each number of groups of shards. */
static void add_shape(plan_space_t *space, const plan_shape_t *shape) {
    const bool hybrid = space->whole && shape->zero > 0 && !space->pin->shard;
    for (uint32_t i = 0; i < (hybrid ? GROUPS_MAX : 1); i++) {
        plan_shape_t *one = &space->shape[space->n_shape];
        *one = *shape;
        one->groups = 1u << i;
        space->n_shape += one->groups <= space->devices;
    }
}

static bool make_shapes(plan_space_t *space) {
    const assay_layout_pin_t *pin = space->pin;
    const uint32_t most = space->devices < UINT16_MAX ? space->devices : UINT16_MAX;
    uint32_t n_pp, n_vpp;
    size_t n_most = 0;
    const uint32_t *pp = stage_counts(space, most, &n_pp);
    for (uint32_t i = 0; pp && i < n_pp; i++) {
        if (!piece_counts(space, pp[i], &n_vpp)) {
            return false;
        }
        n_most += (size_t)n_vpp * 4 * ASSAY_SCHEDULE_N * GROUPS_MAX;
    }
    space->shape = assay_arena_array(space->arena, n_most, sizeof(*space->shape));
    if (!pp || !space->shape) {
        return false;
    }
    for (uint32_t i = 0; i < n_pp; i++) {
        int zero_first, zero_last; /* sharded gradients and weights do without a pipeline */
        choice(pin->zero, pp[i] == 1 ? 3 : 1, &zero_first, &zero_last);
        const uint32_t *vpp = piece_counts(space, pp[i], &n_vpp);
        if (!vpp) {
            return false;
        }
        for (uint32_t j = 0; j < n_vpp; j++) {
            for (int zero = zero_first; zero <= zero_last; zero++) {
                /* Zero bubbles are of plain pipelines. */
                const bool plain = pp[i] > 1 && vpp[j] == 1;
                int first, last;
                choice(pin->schedule, plain ? ASSAY_SCHEDULE_N - 1 : 0, &first, &last);
                for (int schedule = first; schedule <= last; schedule++) {
                    const plan_shape_t shape = {(uint16_t)pp[i], (uint16_t)vpp[j], (uint8_t)zero,
                                                (uint8_t)schedule, 1};
                    add_shape(space, &shape);
                }
            }
        }
    }
    return true;
}

bool plan_space_make(assay_arena_t *arena, const assay_machine_t *machine,
                     const assay_workload_t *work, const assay_plan_options_t *options,
                     plan_space_t *out) {
    *out = (plan_space_t){.arena = arena,
                          .work = work,
                          .pin = &options->pin,
                          .devices = machine->devices,
                          .whole = options->whole};
    return make_keys(out) && make_shapes(out);
}
