#include <stdio.h>
#include <string.h>

#include "port/c_source.h"
#include "port/port_hash.h"

#include "base/banned.h"

/* Tokens that are looked at together: a longer text is read in pieces of this many, so that one
   file cannot take all memory. */
#define TOKENS_MAX (UINT32_C(1) << 21)
#define EMBEDDED_MAX 256u
#define EMBEDDED_BYTES_MIN 40u

uint32_t port_arguments(const port_source_t *source, uint32_t open, port_range_t *range,
                        uint32_t max) {
    const uint32_t close = port_partner(source, open);
    uint32_t n = 0, first = open + 1;
    if (close <= open + 1) {
        return 0;
    }
    for (uint32_t i = first; i <= close && n < max; i++) {
        if (i == close || port_is_sign(source, i, ',')) {
            range[n++] = (port_range_t){first, i};
            first = i + 1;
        } else if (port_is_sign(source, i, '(') || port_is_sign(source, i, '[') ||
                   port_is_sign(source, i, '{')) {
            i = port_partner(source, i);
        }
    }
    return n;
}

bool port_token_number(const port_source_t *source, uint32_t i, uint64_t *out_value,
                       bool *out_wide) {
    const port_token_t *token = port_token_at(source, i);
    return token->kind == PORT_TOKEN_NUMBER &&
           port_number(source->text->data + token->at, token->n, out_value, out_wide);
}

void port_report(port_source_t *source, const char *rule, uint32_t i, const char *api,
                 const char *replacement, const char *status) {
    const port_token_t *token = port_token_at(source, i);
    port_sink_add(source->sink, source->text, rule, token->at, token->n, api, replacement, status,
                  token->state & PORT_STATE_PORTED);
}

void port_report_word(port_source_t *source, const char *rule, uint32_t i) {
    char word[128];
    const port_token_t *token = port_token_at(source, i);
    const size_t n = token->n < sizeof word - 1 ? token->n : sizeof word - 1;
    memcpy(word, source->text->data + token->at, n);
    word[n] = '\0';
    port_report(source, rule, i, word, NULL, NULL);
}

void port_report_sentence(port_source_t *source, const char *rule, uint32_t i,
                          const char *sentence) {
    const port_token_t *token = port_token_at(source, i);
    const port_found_t found = {.rule = rule,
                                .offset = token->at,
                                .length = token->n,
                                .api = assay_arena_strndup(port_sink_scratch(source->sink),
                                                           port_token_text(source, i), token->n),
                                .message = sentence,
                                .ported = token->state & PORT_STATE_PORTED};
    port_sink_report(source->sink, source->text, &found);
}

/* --- the walk over tokens ------------------------------------------------------------------- */

static const port_function_t *function_around(const port_source_t *source, uint32_t i) {
    const port_function_t *f = source->current;
    if (f && i <= f->close) {
        return f;
    }
    /* back to the one that holds both: functions are in order of their opening */
    for (uint32_t k = source->next_function; k-- > 0;) {
        f = &source->function[k];
        if (f->open < i && i < f->close) {
            return f;
        }
        if (f->close < i && k + 64 < source->next_function) {
            break;
        }
    }
    return NULL;
}

static void step_function(port_source_t *source, uint32_t i) {
    if (source->current && i > source->current->close) {
        source->current = function_around(source, i);
    }
    while (source->next_function < source->n_function &&
           source->function[source->next_function].open <= i) {
        const port_function_t *f = &source->function[source->next_function++];
        if (f->close >= i) {
            const bool nested = source->current != NULL;
            source->current = f;
            if (!nested) {
                port_symbol_enter(source, f);
            }
        }
    }
}

static void rule_sign(port_source_t *source, uint32_t i) {
    switch (source->token[i].hash) {
    case '=':
        port_symbol_learn(source, i);
        break;
    case '[':
        if (source->current) {
            port_rule_index(source, i);
            port_rule_local(source, i);
        }
        break;
    case PORT_SIGN('<', '<', '<'):
        port_rule_launch(source, i);
        break;
    default:
        break;
    }
}

/* Macros that the code stands under, by #ifdef X, #if X or #if defined(X). */
typedef struct {
    uint32_t hash[PORT_GUARD_DEPTH];
    uint32_t depth;
} names_t;

/* The one name that a condition asks for; 0: it asks more. */
static uint32_t asked_name(const port_source_t *source, uint32_t i) {
    uint32_t name = i + 2;
    const uint32_t end = source->match[i];
    if (port_word_at(source, i + 1) == PORT_WORD_IF &&
        port_word_at(source, name) == PORT_WORD_DEFINED) {
        name += port_is_sign(source, name + 1, '(') ? 2 : 1;
        if (port_is_sign(source, name + 1, ')')) {
            return name + 2 == end ? source->token[name].hash : 0;
        }
    }
    return name + 1 == end && port_is_name(source, name) ? source->token[name].hash : 0;
}

/* Who asks for USE_HIP or USE_ROCM has USE_CUDA for the other side. */
static void tell_twins(const port_source_t *source, uint32_t from, uint32_t end) {
    static const char *const parts[] = {"HIP", "ROCM"};
    char twin[128];
    for (uint32_t i = from; i < end; i++) {
        const char *text = port_token_text(source, i);
        const uint32_t n = source->token[i].n;
        for (size_t k = 0; k < 2 && port_is_name(source, i) && n < 100; k++) {
            const size_t n_part = strlen(parts[k]);
            const char *at = memmem(text, n, parts[k], n_part);
            if (at && port_guard_word(text, n).hip == PORT_YES) {
                const int length = snprintf(twin, sizeof twin, "%.*sCUDA%.*s", (int)(at - text),
                                            text, (int)(text + n - at - (long)n_part), at + n_part);
                port_sink_tell(source->sink, PORT_TOLD_TWIN, port_hash(twin, (size_t)length));
            }
        }
    }
}

/* The macro that code stands under now; 0: none, or more than one is asked. */
static uint32_t name_now(const names_t *names) {
    return names->depth > 0 && names->depth <= PORT_GUARD_DEPTH ? names->hash[names->depth - 1] : 0;
}

/* What the directive at i changes. */
static void step_names(const port_source_t *source, names_t *names, uint32_t i) {
    const uint8_t word = port_word_at(source, i + 1);
    switch (word) {
    case PORT_WORD_IF:
    case PORT_WORD_P_IFDEF:
    case PORT_WORD_P_IFNDEF: {
        const uint32_t outer = name_now(names);
        if (names->depth < PORT_GUARD_DEPTH) {
            const uint32_t own = word == PORT_WORD_P_IFNDEF ? 0 : asked_name(source, i);
            names->hash[names->depth] = own ? own : outer;
        }
        names->depth++;
        break;
    }
    case PORT_WORD_ELSE:
    case PORT_WORD_P_ELIF:
        if (names->depth > 0 && names->depth <= PORT_GUARD_DEPTH) {
            names->hash[names->depth - 1] = names->depth > 1 ? names->hash[names->depth - 2] : 0;
            if (word == PORT_WORD_P_ELIF && port_word_at(source, i + 2) == PORT_WORD_DEFINED) {
                const uint32_t name = i + 3 + port_is_sign(source, i + 3, '(');
                const bool alone = source->match[i] == name + 1 + (name - i - 3);
                names->hash[names->depth - 1] = alone ? source->token[name].hash : 0;
            }
        }
        break;
    case PORT_WORD_P_ENDIF:
        names->depth -= names->depth > 0;
        break;
    default:
        break;
    }
}

static void see_conditional(port_source_t *source, names_t *names, uint32_t i) {
    tell_twins(source, i + 2, source->match[i]);
    step_names(source, names, i);
    port_sink_guard(source->sink, name_now(names));
}

static void see_define(port_source_t *source, uint32_t i) {
    port_symbol_define(source, i);
    if (port_is_name(source, i + 2)) {
        const bool cuda_side = source->token[i].state & PORT_STATE_CUDA;
        port_sink_tell(source->sink, cuda_side ? PORT_TOLD_MACRO_CUDA : PORT_TOLD_MACRO,
                       source->token[i + 2].hash);
        if (source->for_hip || (source->token[i].state == PORT_STATE_PORTED)) {
            port_sink_tell(source->sink, PORT_TOLD_MACRO_HIP, source->token[i + 2].hash);
        }
    }
}

/* Where the walk is: how far the directive reaches that it is in, and what it stands under. */
typedef struct {
    names_t names;
    uint32_t macro_end, directive_end;
} walk_t;

static void rule_word(port_source_t *source, uint32_t i) {
    const port_token_t *token = &source->token[i];
    if (token->word) {
        port_rule_word(source, i);
    }
    if (token->api && !source->directive) {
        port_rule_api(source, i);
    } else if (!token->word && !source->directive && port_is_sign(source, i + 1, '(')) {
        port_rule_library_call(source, i);
    }
}

/* "kernel.ptx", "out/kernel_sm80.cubin": a name that ends so, not the ending alone, nor one that is
   written to: fopen("a.ptx", "w"). */
static void rule_string(port_source_t *source, uint32_t i) {
    static const char *const ends[] = {".ptx", ".cubin", ".fatbin"};
    const port_token_t *token = &source->token[i];
    const char *text = source->text->data + token->at;
    if (port_is_sign(source, i + 1, ',') &&
        port_token_at(source, i + 2)->kind == PORT_TOKEN_STRING &&
        port_token_text(source, i + 2)[1] == 'w') {
        return;
    }
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const size_t n = strlen(ends[k]);
        if (token->n > n + 2 && memcmp(text + token->n - 1 - n, ends[k], n) == 0 &&
            !memchr(text, ' ', token->n)) {
            port_report_word(source, "ptx-load", i);
        }
    }
}

static void rule_token(port_source_t *source, walk_t *walk, uint32_t i) {
    switch (source->token[i].kind) {
    case PORT_TOKEN_WORD:
        rule_word(source, i);
        break;
    case PORT_TOKEN_NUMBER:
        if (!source->directive) {
            port_rule_warp_number(source, i);
        }
        break;
    case PORT_TOKEN_SIGN:
        rule_sign(source, i);
        break;
    case PORT_TOKEN_STRING:
        rule_string(source, i);
        break;
    case PORT_TOKEN_HEADER:
        port_rule_header(source, i);
        break;
    case PORT_TOKEN_DIRECTIVE:
        if (port_word_at(source, i + 1) == PORT_WORD_P_DEFINE) {
            walk->macro_end = source->match[i];
            see_define(source, i);
        } else {
            walk->directive_end = source->match[i];
            see_conditional(source, &walk->names, i);
        }
        break;
    default:
        break;
    }
}

static void apply_rules(port_source_t *source, walk_t *walk) {
    const uint32_t *const n = port_sink_file(source->sink)->finding;
    const uint32_t *const without =
        &port_sink_file(source->sink)->references[ASSAY_PORT_REFERENCE_API].cuda_only;
    uint32_t before = n[ASSAY_EFFECT_SILENT] + n[ASSAY_EFFECT_COMPILE], without_before = *without;
    walk->macro_end = walk->directive_end = 0;
    for (uint32_t i = 0; i < source->n; i++) {
        if (source->token[i].state & PORT_STATE_DEAD) {
            continue;
        }
        step_function(source, i);
        source->macro = i < walk->macro_end;
        source->directive = i < walk->directive_end;
        rule_token(source, walk, i);
        const uint32_t now = n[ASSAY_EFFECT_SILENT] + n[ASSAY_EFFECT_COMPILE];
        if (now != before && source->current) {
            source->function[source->current - source->function].broken = true;
        }
        if (*without != without_before && source->current) {
            source->function[source->current - source->function].cuda_only = true;
        }
        before = now;
        without_before = *without;
    }
}

/* Kernels count as references too: ready when nothing in them breaks or goes wrong, without a ROCm
   form when something in them has none. */
static void count_kernels(port_source_t *source) {
    for (uint32_t i = 0; i < source->n_function; i++) {
        const port_function_t *f = &source->function[i];
        if (f->kernel) {
            port_sink_file(source->sink)->kernels++;
            port_sink_reference_of(source->sink, ASSAY_PORT_REFERENCE_KERNEL,
                                   f->cuda_only ? PORT_REFERENCE_CUDA_ONLY
                                   : f->broken  ? PORT_REFERENCE_WORK
                                                : PORT_REFERENCE_READY,
                                   source->token[f->head].state & PORT_STATE_PORTED);
        }
    }
}

/* Kernels in raw strings are compiled at run time, by NVRTC or the driver. */
static bool is_embedded(const port_source_t *source, const port_token_t *token) {
    static const char *const marks[] = {"__global__", "__device__"};
    const char *text = source->text->data + token->at;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (token->n > EMBEDDED_BYTES_MIN && memmem(text, token->n, marks[i], strlen(marks[i]))) {
            return true;
        }
    }
    return false;
}

static uint32_t collect_embedded(const port_source_t *source, port_token_t *out, uint32_t n) {
    for (uint32_t i = 0; i < source->n && n < EMBEDDED_MAX; i++) {
        const port_token_t *token = &source->token[i];
        if (token->kind == PORT_TOKEN_RAW_STRING && !(token->state & PORT_STATE_DEAD) &&
            is_embedded(source, token)) {
            out[n++] = *token;
        }
    }
    return n;
}

/* Line and column where data[at] stands, for a text within the text. */
static void place_of(const port_text_t *text, uint32_t at, uint32_t *out_line,
                     uint32_t *out_column) {
    uint32_t line = 0;
    const char *start = text->data, *const end = text->data + at;
    for (const char *feed; (feed = memchr(start, '\n', (size_t)(end - start)));) {
        line++;
        start = feed + 1;
    }
    *out_line = text->line_of ? text->line_of[line] : text->line + line;
    *out_column = (uint32_t)(end - start) + 1;
}

static void read_text(port_sink_t *sink, const port_text_t *text, bool nested);

static void read_embedded(port_sink_t *sink, const port_text_t *text, const port_token_t *token,
                          uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const char *data = text->data + token[i].at;
        const char *open = memchr(data, '(', token[i].n);
        const char *close = memrchr(data, ')', token[i].n);
        if (!open || !close || close <= open) {
            continue;
        }
        port_text_t inner = *text;
        inner.data = open + 1;
        inner.size = (size_t)(close - open - 1);
        place_of(text, (uint32_t)(inner.data - text->data), &inner.line, &inner.column);
        inner.line_of = NULL;
        read_text(sink, &inner, true);
    }
}

static void read_text(port_sink_t *sink, const port_text_t *text, bool nested) {
    assay_arena_t *scratch = port_sink_scratch(sink);
    port_source_t source = {.sink = sink, .text = text, .tables = port_sink_tables(sink)};
    source.target = port_tables_target(source.tables, port_sink_options(sink)->target);
    port_token_t *embedded =
        nested ? NULL : assay_arena_array(scratch, EMBEDDED_MAX, sizeof *embedded);
    const uint32_t room = text->size < TOKENS_MAX - 4 ? (uint32_t)text->size + 4 : TOKENS_MAX;
    uint32_t n_embedded = 0;
    source.token = port_sink_tokens(sink, room, &source.match);
    source.symbol = assay_arena_array(scratch, 2 * PORT_SYMBOL_SLOTS, sizeof *source.symbol);
    if (!source.token || !source.symbol || (!nested && !embedded)) {
        return; /* the sink knows that it failed */
    }
    walk_t walk = {.macro_end = 0};
    port_lexer_t lexer;
    port_lexer_init(&lexer, source.tables, text->data, text->size);
    while ((source.n = port_lex(&lexer, source.token, room - 1)) > 0) {
        source.token[source.n] = (port_token_t){.kind = PORT_TOKEN_DIRECTIVE_END};
        source.n_function = source.next_function = 0;
        source.current = NULL;
        if (!port_structure(&source)) {
            return;
        }
        apply_rules(&source, &walk);
        count_kernels(&source);
        if (!nested) {
            n_embedded = collect_embedded(&source, embedded, n_embedded);
        }
    }
    if (n_embedded) {
        read_embedded(sink, text, embedded, n_embedded);
    }
}

uint32_t port_guard_spans(port_sink_t *sink, const port_text_t *text, const port_span_t **out) {
    port_source_t source = {.sink = sink, .text = text, .tables = port_sink_tables(sink)};
    const uint32_t room = text->size < TOKENS_MAX - 4 ? (uint32_t)text->size + 4 : TOKENS_MAX;
    port_lexer_t lexer;
    uint32_t n = 0;
    source.token = port_sink_tokens(sink, room, &source.match);
    if (!source.token) {
        return 0;
    }
    port_lexer_init(&lexer, source.tables, text->data, text->size);
    source.n = port_lex(&lexer, source.token, room - 1);
    source.token[source.n] = (port_token_t){.kind = PORT_TOKEN_DIRECTIVE_END};
    port_span_t *span = source.n > 0 && port_structure(&source)
                            ? assay_arena_array(port_sink_scratch(sink), source.n, sizeof *span)
                            : NULL;
    names_t names = {.depth = 0};
    bool goes_on = false; /* from the token before */
    for (uint32_t i = 0; span && i < source.n; i++) {
        const port_token_t *token = &source.token[i];
        if (token->kind == PORT_TOKEN_DIRECTIVE && !(token->state & PORT_STATE_DEAD)) {
            step_names(&source, &names, i);
        }
        const uint32_t macro = name_now(&names);
        if (!token->state && !macro) {
            goes_on = false;
        } else if (goes_on && span[n - 1].state == token->state && span[n - 1].macro == macro) {
            span[n - 1].end = token->at + token->n;
        } else {
            span[n++] = (port_span_t){token->at, token->at + token->n, macro, token->state};
            goes_on = true;
        }
    }
    *out = span;
    return n;
}

#define SYCL_LOOK_BYTES ((size_t)16 << 10)

/* Sources for SYCL have types and constants with names of CUDA; where no CUDA is beside them, these
   are their own. */
static bool is_for_sycl(const port_text_t *text) {
    const size_t n = text->size < SYCL_LOOK_BYTES ? text->size : SYCL_LOOK_BYTES;
    return (memmem(text->data, n, "sycl::", 6) || memmem(text->data, n, "<sycl/", 6)) &&
           !memmem(text->data, text->size, "__global__", 10) &&
           !memmem(text->data, text->size, "<cuda", 5);
}

void port_read_c(port_sink_t *sink, const port_text_t *text) {
    if (text->language != ASSAY_PORT_CUDA && is_for_sycl(text)) {
        return;
    }
    if (text->size < UINT32_MAX - 1) {
        read_text(sink, text, false);
    }
}
