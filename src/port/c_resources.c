/* What a kernel asks of a compute unit against what data/port_targets.csv says that the target has:
   shared memory of a block, registers of a lane. */
#include <inttypes.h>

#include "port/c_source.h"

#include "base/banned.h"

#define REGISTER_BYTES 4u
#define SIMDS 4u /* of a compute unit, or of the pair that a block of RDNA runs on */
#define HEAD_MAX 128u

/* All arrays of the function count together: they live at the same time. */
void port_see_shared(port_source_t *source, uint32_t name, uint64_t bytes) {
    const uint64_t room = source->target->lds_bytes, before = source->shared_bytes;
    source->shared_bytes += bytes;
    if (!source->current) {
        source->shared_bytes = 0; /* outside functions each stands alone */
    }
    const uint64_t now = before + bytes;
    if (now > room && before <= room) {
        port_report_sentence(source, "lds-overflow", name,
                             assay_arena_printf(port_sink_scratch(source->sink),
                                                "Shared memory of %" PRIu64
                                                " bytes: a block of this chip can have %" PRIu64 "",
                                                now, room));
    } else if (now <= room && 2 * now > room && 2 * before <= room) {
        port_report_sentence(
            source, "lds-one-block", name,
            assay_arena_printf(port_sink_scratch(source->sink),
                               "%" PRIu64 " of the %" PRIu64
                               " bytes of LDS: one block a compute unit, and nothing runs "
                               "while it waits",
                               now, room));
    }
}

/* Threads that __launch_bounds__ names for the function; 0: none. */
static uint64_t threads_of_bounds(const port_source_t *source, const port_function_t *f) {
    port_range_t range[2];
    uint64_t threads;
    for (uint32_t i = f->head; i < f->open && i < f->head + HEAD_MAX; i++) {
        if (port_word_at(source, i) == PORT_WORD_LAUNCH_BOUNDS &&
            port_is_sign(source, i + 1, '(') && port_arguments(source, i + 1, range, 2) > 0 &&
            port_constant(source, range[0].first, range[0].end, &threads)) {
            return threads;
        }
    }
    return 0;
}

/* Registers that a lane of the function can have: all waves of a block are there at once. */
static uint64_t registers_of(const port_source_t *source, const port_function_t *f) {
    const port_target_t *target = source->target;
    const uint64_t lanes = (uint64_t)target->wave * SIMDS, threads = threads_of_bounds(source, f);
    const uint64_t waves = threads > lanes ? (threads + lanes - 1) / lanes : 1;
    const uint64_t room = target->registers / waves;
    return room < target->registers_max ? room : target->registers_max;
}

/* float acc[8][16]; in a kernel. Its type is the word before its name, or before * and &: then it
   is an array of pointers. */
void port_rule_local(port_source_t *source, uint32_t open) {
    const port_function_t *f = source->current;
    uint64_t bytes, dimension;
    uint32_t at = open;
    if (!f->kernel || open < 2 || !port_declares_array(source, open) ||
        port_is_sign(source, open - 1, ']')) {
        return;
    }
    for (uint32_t k = open; k-- > 0 && open - k < 12;) {
        if (port_word_at(source, k) == PORT_WORD_SHARED ||
            port_word_at(source, k) == PORT_WORD_EXTERN) {
            return;
        }
        if (!port_is_name(source, k)) {
            break;
        }
    }
    bytes = port_bytes_of(port_word_at(source, open - 2));
    for (; bytes && port_is_sign(source, at, '['); at = port_partner(source, at) + 1) {
        const uint32_t close = port_partner(source, at);
        if (close <= at || !port_constant(source, at + 1, close, &dimension) ||
            bytes * dimension > UINT32_MAX) {
            return;
        }
        bytes *= dimension;
    }
    const uint64_t room = registers_of(source, f) * REGISTER_BYTES, before = source->local_bytes;
    source->local_bytes += bytes;
    const bool spills = before + bytes > room && before <= room;
    const bool alone = 2 * (before + bytes) > source->target->registers * REGISTER_BYTES &&
                       2 * before <= source->target->registers * REGISTER_BYTES;
    if (spills || alone) {
        port_report_sentence(
            source, "register-pressure", open - 1,
            assay_arena_printf(port_sink_scratch(source->sink),
                               spills ? "The arrays of a thread need %" PRIu64
                                        " registers of 4 bytes, and a lane of "
                                        "this kernel has %" PRIu64 ": the rest goes to memory"
                                      : "The arrays of a thread need %" PRIu64
                                        " registers of 4 bytes, of %" PRIu64 " that a "
                                        "SIMD has for a lane: one wave at a time",
                               ((before + bytes) / REGISTER_BYTES),
                               (spills ? room / REGISTER_BYTES : source->target->registers)));
    }
}
