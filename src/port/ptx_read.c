#include <string.h>

#include "port/c_source.h"
#include "port/port_hash.h"

#include "base/banned.h"

#define OPCODE_MAX 48u

/* By the beginning of the opcode; the first that fits counts. Opcodes: PTX ISA 8.5, instruction
   set. What plain code can express, what HIP has builtins for, and what needs another design:
   ROCm/HIP docs/how-to/faq.md (no inline PTX), hip_cpp_language_extensions.rst. */
static const struct {
    const char *start, *rule;
} opcodes[] = {
    {"cp.async.bulk", "ptx-tma"},
    {"cp.reduce.async.bulk", "ptx-tma"},
    {"cp.async.mbarrier", "ptx-tma"},
    {"cp.async", "ptx-async-copy"},
    {"mbarrier", "ptx-tma"},
    {"tensormap", "ptx-tma"},
    {"prefetch.tensormap", "ptx-tma"},
    {"multimem", "ptx-tma"},
    {"wgmma", "ptx-tensor-core-async"},
    {"tcgen05", "ptx-tensor-core-async"},
    {"setmaxnreg", "ptx-tensor-core-async"},
    {"elect", "ptx-tensor-core-async"},
    {"griddepcontrol", "ptx-tensor-core-async"},
    {"clusterlaunchcontrol", "ptx-tensor-core-async"},
    {"mapa", "ptx-tensor-core-async"},
    {"getctarank", "ptx-tensor-core-async"},
    {"fence.proxy", "ptx-tensor-core-async"},
    {"fence.mbarrier_init", "ptx-tma"},
    {"barrier.cluster", "ptx-tensor-core-async"},
    {"wmma", "ptx-matrix"},
    {"mma", "ptx-matrix"},
    {"ldmatrix", "ptx-matrix"},
    {"stmatrix", "ptx-matrix"},
    {"movmatrix", "ptx-matrix"},
    {"shfl", "ptx-warp"},
    {"vote", "ptx-warp"},
    {"match", "ptx-warp"},
    {"activemask", "ptx-warp"},
    {"redux", "ptx-warp"},
    {"bar", "ptx-sync"},
    {"barrier", "ptx-sync"},
    {"membar", "ptx-sync"},
    {"fence", "ptx-sync"},
    {"nanosleep", "ptx-sync"},
    {"ld", "ptx-cache"},
    {"ldu", "ptx-cache"},
    {"st", "ptx-cache"},
    {"prefetch", "ptx-cache"},
    {"prefetchu", "ptx-cache"},
    {"discard", "ptx-cache"},
    {"applypriority", "ptx-cache"},
    {"createpolicy", "ptx-cache"},
    {"atom", "ptx-atomic"},
    {"red", "ptx-atomic"},
    {"add", "ptx-scalar"},
    {"addc", "ptx-scalar"},
    {"sub", "ptx-scalar"},
    {"subc", "ptx-scalar"},
    {"mul", "ptx-scalar"},
    {"mul24", "ptx-scalar"},
    {"mad", "ptx-scalar"},
    {"mad24", "ptx-scalar"},
    {"madc", "ptx-scalar"},
    {"fma", "ptx-scalar"},
    {"div", "ptx-scalar"},
    {"rem", "ptx-scalar"},
    {"abs", "ptx-scalar"},
    {"neg", "ptx-scalar"},
    {"min", "ptx-scalar"},
    {"max", "ptx-scalar"},
    {"sad", "ptx-scalar"},
    {"rcp", "ptx-scalar"},
    {"sqrt", "ptx-scalar"},
    {"rsqrt", "ptx-scalar"},
    {"sin", "ptx-scalar"},
    {"cos", "ptx-scalar"},
    {"lg2", "ptx-scalar"},
    {"ex2", "ptx-scalar"},
    {"tanh", "ptx-scalar"},
    {"popc", "ptx-scalar"},
    {"clz", "ptx-scalar"},
    {"bfind", "ptx-scalar"},
    {"brev", "ptx-scalar"},
    {"bfe", "ptx-scalar"},
    {"bfi", "ptx-scalar"},
    {"fns", "ptx-scalar"},
    {"dp4a", "ptx-scalar"},
    {"dp2a", "ptx-scalar"},
    {"set", "ptx-scalar"},
    {"setp", "ptx-scalar"},
    {"selp", "ptx-scalar"},
    {"slct", "ptx-scalar"},
    {"and", "ptx-scalar"},
    {"or", "ptx-scalar"},
    {"xor", "ptx-scalar"},
    {"not", "ptx-scalar"},
    {"cnot", "ptx-scalar"},
    {"lop3", "ptx-scalar"},
    {"shf", "ptx-scalar"},
    {"shl", "ptx-scalar"},
    {"shr", "ptx-scalar"},
    {"mov", "ptx-scalar"},
    {"prmt", "ptx-scalar"},
    {"cvt", "ptx-scalar"},
    {"cvta", "ptx-scalar"},
    {"isspacep", "ptx-scalar"},
    {"testp", "ptx-scalar"},
    {"copysign", "ptx-scalar"},
    {"vadd", "ptx-scalar"},
    {"vadd2", "ptx-scalar"},
    {"vadd4", "ptx-scalar"},
    {"vsub4", "ptx-scalar"},
    {"vabsdiff", "ptx-scalar"},
    {"vabsdiff4", "ptx-scalar"},
    {"vmad", "ptx-scalar"},
    {"tex", "ptx-texture"},
    {"tld4", "ptx-texture"},
    {"txq", "ptx-texture"},
    {"suld", "ptx-texture"},
    {"sust", "ptx-texture"},
    {"sured", "ptx-texture"},
    {"exit", "ptx-control"},
    {"trap", "ptx-control"},
    {"brkpt", "ptx-control"},
    {"bra", "ptx-control"},
    {"brx", "ptx-control"},
    {"call", "ptx-control"},
    {"ret", "ptx-control"},
    {"pmevent", "ptx-control"},
};
/* Types and state spaces that end a PTX opcode: what tells an opcode that is not in the table from
   other assemblers' words. */
static const char *const types[] = {"u8",     "u16",    "u32",    "u64",  "s8",  "s16",  "s32",
                                    "s64",    "b8",     "b16",    "b32",  "b64", "b128", "f16",
                                    "f16x2",  "bf16",   "bf16x2", "f32",  "f64", "pred", "aligned",
                                    "global", "shared", "local",  "const"};

/* Special registers whose use asks for a builtin. */
static const char *const registers[] = {
    "laneid",          "warpid",
    "nwarpid",         "smid",
    "nsmid",           "clock",
    "clock64",         "clock_hi",
    "globaltimer",     "lanemask_eq",
    "lanemask_le",     "lanemask_lt",
    "lanemask_ge",     "lanemask_gt",
    "gridid",          "dynamic_smem_size",
    "total_smem_size", "cluster_ctarank",
    "cluster_ctaid",   "is_explicit_cluster",
    "envreg0",         "pm0",
};

typedef struct {
    port_sink_t *sink;
    const port_text_t *text;
    size_t at, end;
    bool escapes, ported;
    uint32_t *seen; /* hashes of opcodes told before, for whole files; NULL = tell all */
    uint32_t n_seen;
} ptx_t;
#define SEEN_MAX 512u

static bool is_opcode_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == ':';
}

static bool starts(const char *opcode, size_t n, const char *start) {
    const size_t length = strlen(start);
    return n >= length && memcmp(opcode, start, length) == 0 &&
           (n == length || opcode[length] == '.');
}

static bool has_type(const char *opcode, size_t n) {
    for (size_t from = 0; from < n;) {
        size_t end = from;
        while (end < n && opcode[end] != '.') {
            end++;
        }
        for (size_t i = 0; from > 0 && i < sizeof types / sizeof *types; i++) {
            if (strlen(types[i]) == end - from &&
                memcmp(types[i], opcode + from, end - from) == 0) {
                return true;
            }
        }
        from = end + 1;
    }
    return false;
}

/* NULL: no PTX. Without a dot only words that no other assembler has. */
static const char *rule_of(const char *opcode, size_t n, bool is_file) {
    const bool dotted = memchr(opcode, '.', n) != NULL;
    if (!dotted && !is_file) {
        return starts(opcode, n, "trap") || starts(opcode, n, "exit") ? "ptx-control" : NULL;
    }
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        if (starts(opcode, n, opcodes[i].start)) {
            /* other assemblers have an add.d or a vadd.vi: arithmetic of PTX names its type */
            const bool scalar = strcmp(opcodes[i].rule, "ptx-scalar") == 0;
            return !scalar || has_type(opcode, n) ? opcodes[i].rule : NULL;
        }
    }
    return dotted && has_type(opcode, n) ? "ptx-other" : NULL;
}

static bool is_new(ptx_t *ptx, const char *name, size_t n) {
    if (!ptx->seen) {
        return true;
    }
    const uint32_t hash = port_hash(name, n);
    for (uint32_t i = 0; i < ptx->n_seen; i++) {
        if (ptx->seen[i] == hash) {
            return false;
        }
    }
    if (ptx->n_seen < SEEN_MAX) {
        ptx->seen[ptx->n_seen++] = hash;
    }
    return true;
}

static void tell(ptx_t *ptx, const char *rule, size_t at, size_t n, const char *api) {
    if (is_new(ptx, api, strlen(api))) {
        port_sink_reference(ptx->sink, PORT_REFERENCE_CUDA_ONLY, ptx->ported);
        port_sink_add(ptx->sink, ptx->text, rule, at, n, api, NULL, "unsupported", ptx->ported);
    }
}

/* Up to its second dot: ld.global, cp.async, mma.sync. */
static void family(const char *opcode, size_t n, char out[OPCODE_MAX]) {
    size_t kept = 0;
    for (unsigned dots = 0; kept < n && kept < OPCODE_MAX - 1; kept++) {
        dots += opcode[kept] == '.';
        if (dots == 2 || opcode[kept] == ':') {
            break;
        }
        out[kept] = opcode[kept];
    }
    out[kept] = '\0';
}

static bool at_break(const ptx_t *ptx, size_t at) {
    const char c = ptx->text->data[at];
    return c == ';' || c == '\n' || c == '{' || c == '}' ||
           (ptx->escapes && c == '\\' && at + 1 < ptx->end && ptx->text->data[at + 1] == 'n');
}

/* %laneid and the like within an instruction's operands. */
static void check_registers(ptx_t *ptx, size_t from, size_t end) {
    const char *data = ptx->text->data;
    for (size_t at = from; at < end; at++) {
        if (data[at] != '%' || at + 1 >= end || data[at + 1] == '%') {
            continue;
        }
        size_t n = 0;
        while (at + 1 + n < end && (is_opcode_char(data[at + 1 + n]) && data[at + 1 + n] != '.')) {
            n++;
        }
        for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
            if (strlen(registers[i]) == n && memcmp(registers[i], data + at + 1, n) == 0) {
                tell(ptx, "ptx-register", at, n + 1, registers[i]);
            }
        }
        at += n;
    }
}

static size_t skip_blanks(const ptx_t *ptx, size_t at) {
    const char *data = ptx->text->data;
    while (at < ptx->end) {
        const char c = data[at];
        if (ptx->escapes && c == '\\' && at + 1 < ptx->end) {
            at += 2; /* \n \t, or the end of a line in the source */
        } else if (c == ' ' || c == '\t' || c == '\r' || at_break(ptx, at)) {
            at++;
        } else if (c == '/' && at + 1 < ptx->end && data[at + 1] == '/') {
            while (at < ptx->end && data[at] != '\n' && !(ptx->escapes && data[at] == '\\')) {
                at++;
            }
        } else if (c == '/' && at + 1 < ptx->end && data[at + 1] == '*') {
            const char *close = memmem(data + at + 2, ptx->end - at - 2, "*/", 2);
            at = close ? (size_t)(close - data) + 2 : ptx->end;
        } else {
            break;
        }
    }
    return at;
}

/* One instruction, from its predicate or opcode to what ends it. */
static void read_instruction(ptx_t *ptx, bool is_file) {
    const char *data = ptx->text->data;
    size_t at = ptx->at;
    if (data[at] == '@') { /* @p, @!%p1 */
        while (at < ptx->end && data[at] != ' ' && data[at] != '\t') {
            at++;
        }
        at = skip_blanks(ptx, at);
    }
    size_t n = 0;
    while (at + n < ptx->end && is_opcode_char(data[at + n])) {
        n++;
    }
    size_t end = at + n;
    while (end < ptx->end && !at_break(ptx, end)) {
        /* braces hold the operands of vector and matrix instructions */
        end++;
    }
    const char *rule = n > 0 && data[at] != '.' ? rule_of(data + at, n, is_file) : NULL;
    if (rule) {
        char name[OPCODE_MAX];
        family(data + at, n, name);
        const char *first = memchr(data + at, '%', end - at);
        const bool is_move = strncmp(name, "mov.", 4) == 0;
        const uint32_t before = port_sink_count(ptx->sink);
        if (first) {
            check_registers(ptx, at, end);
        }
        /* a move from a special register is that register's finding */
        if (!is_move || port_sink_count(ptx->sink) == before) {
            tell(ptx, rule, at, n, name);
        }
    }
    ptx->at = end > ptx->at ? end : ptx->at + 1;
}

static void read_all(ptx_t *ptx, bool is_file) {
    while ((ptx->at = skip_blanks(ptx, ptx->at)) < ptx->end) {
        read_instruction(ptx, is_file);
    }
}

void port_ptx_range(port_sink_t *sink, const port_text_t *text, size_t from, size_t n, bool escapes,
                    bool ported) {
    ptx_t ptx = {.sink = sink,
                 .text = text,
                 .at = from,
                 .end = from + n,
                 .escapes = escapes,
                 .ported = ported};
    read_all(&ptx, false);
}

void port_read_ptx(port_sink_t *sink, const port_text_t *text) {
    uint32_t seen[SEEN_MAX];
    ptx_t ptx = {.sink = sink, .text = text, .end = text->size, .seen = seen};
    port_sink_add(sink, text, "ptx-file", 0, text->size ? 1 : 0, "", NULL, "unsupported", false);
    read_all(&ptx, true);
}
