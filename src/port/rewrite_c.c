/* Names, headers and namespaces of CUDA become HIP's, token by token. What stands in comments and
   strings has no token; what a HIP guard decides is ported already. Launches stay: HIP reads <<<.
 */
#include <stdlib.h>
#include <string.h>

#include "port/c_words.h"
#include "port/guards.h"
#include "port/rewrite.h"

#include "base/banned.h"

enum { MAX_DEFINED = 256, MAX_INCLUDED = 256 };
static const char runtime_header[] = "hip/hip_runtime.h";

typedef struct {
    port_rewrite_t *rewrite;
    port_token_t *token;
    uint32_t n;
    port_guards_t guards;
    uint32_t defined[MAX_DEFINED]; /* hashes of names that this text defines itself */
    uint32_t n_defined;
    struct {
        const char *name; /* not NUL-terminated */
        size_t n;
        uint32_t depth;       /* of conditions around it */
    } included[MAX_INCLUDED]; /* what every line from here on has, as it will be written */
    uint32_t n_included;
    uint32_t first_include; /* n: none */
    bool has_runtime;       /* hip_runtime.h is included, or will be */
    bool needs_runtime;
} rewriter_t;

/* --- small questions ------------------------------------------------------------------------ */

static bool is_sign(const rewriter_t *r, uint32_t i, uint32_t sign) {
    return i < r->n && r->token[i].kind == PORT_TOKEN_SIGN && r->token[i].hash == sign;
}

static uint8_t word_at(const rewriter_t *r, uint32_t i) {
    return i < r->n && r->token[i].kind == PORT_TOKEN_WORD ? r->token[i].word
                                                           : (uint8_t)PORT_WORD_NONE;
}

static bool text_is(const rewriter_t *r, uint32_t i, const char *text) {
    const size_t n = strlen(text);
    return i < r->n && r->token[i].n == n &&
           memcmp(r->rewrite->data + r->token[i].at, text, n) == 0;
}

static bool is_scope(const rewriter_t *r, uint32_t i) {
    return is_sign(r, i, PORT_SIGN(':', ':', 0));
}

/* A member, or a name of somebody's namespace: "x.cudaFree", "p->cudaFree", "mine::cudaFree". */
static bool is_qualified(const rewriter_t *r, uint32_t i) {
    if (i == 0) {
        return false;
    }
    return is_sign(r, i - 1, '.') || is_sign(r, i - 1, PORT_SIGN('-', '>', 0)) ||
           (i > 1 && is_scope(r, i - 1) && r->token[i - 2].kind == PORT_TOKEN_WORD &&
            r->token[i - 2].word != PORT_WORD_RETURN);
}

static void replace(rewriter_t *r, uint32_t i, const char *text) {
    port_rewrite_add(r->rewrite, r->token[i].at, r->token[i].n, text);
}

/* --- names ---------------------------------------------------------------------------------- */

static bool is_defined_here(const rewriter_t *r, uint32_t hash) {
    for (uint32_t i = 0; i < r->n_defined; i++) {
        if (r->defined[i] == hash) {
            return true;
        }
    }
    return false;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Ranges and marks: roctx takes the arguments of NVTX, and needs no runtime of HIP. */
static bool is_marker(const port_api_t *api) {
    return strcmp(api->library, "nvtx") == 0;
}

/* The HIP name for this ROCm, NULL when there is none under the same rules: names of MIOpen,
   rocBLAS and rocSPARSE take other arguments, which is more than a rewrite of names. */
static const char *hip_name(rewriter_t *r, const port_api_t *api) {
    const uint32_t rocm = r->rewrite->options->rocm;
    if (api->status == PORT_UNSUPPORTED || api->hip_added > rocm ||
        (api->hip_removed && api->hip_removed <= rocm) ||
        (begins(api->hip, "roc") && !is_marker(api)) || begins(api->hip, "_roc") ||
        strchr(api->hip, '*') || strcmp(api->library, "cudnn") == 0 ||
        strcmp(api->library, "caffe2") == 0 || strcmp(api->hip, api->name) == 0) {
        return NULL;
    }
    /* hipBLAS 2 has the names that take hipDataType as _v2; hipBLAS 3 (ROCm 7.0) has no others. */
    const size_t n = strlen(api->hip);
    if (rocm >= 700 && strcmp(api->library, "cublas") == 0 && n > 3 &&
        strcmp(api->hip + n - 3, "_v2") == 0) {
        const char *plain = assay_arena_strndup(r->rewrite->arena, api->hip, n - 3);
        r->rewrite->failed |= !plain;
        return plain;
    }
    return api->hip;
}

static void rewrite_word(rewriter_t *r, uint32_t i) {
    const port_token_t *token = &r->token[i];
    const bool inner = is_qualified(r, i);
    if (word_at(r, i) == PORT_WORD_CUB_NS && !inner &&
        (is_scope(r, i + 1) || (i > 1 && text_is(r, i - 1, "namespace") &&
                                text_is(r, i - 2, "using") && is_sign(r, i + 1, ';')))) {
        replace(r, i, "hipcub");
        return;
    }
    if (word_at(r, i) == PORT_WORD_CUDA_NS && i > 1 && is_scope(r, i - 1) &&
        text_is(r, i - 2, "thrust") && is_scope(r, i + 1)) {
        replace(r, i, "hip"); /* thrust::cuda::par */
        return;
    }
    if (!token->api || inner || is_defined_here(r, token->hash)) {
        return;
    }
    const port_api_t *api = port_api_row(r->rewrite->tables, token->api);
    const char *hip = api->kind == PORT_API_INCLUDE ? NULL : hip_name(r, api);
    if (hip) {
        replace(r, i, hip);
        r->needs_runtime |= !is_marker(api);
    }
}

/* --- headers -------------------------------------------------------------------------------- */

static bool is_header_name(const char *text) {
    const size_t n = strlen(text);
    return n > 2 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_/.") == n &&
           (strcmp(text + n - 2, ".h") == 0 || (n > 4 && strcmp(text + n - 4, ".hpp") == 0));
}

/* The header of HIP for one of CUDA; NULL: it stays. */
static const char *hip_header(rewriter_t *r, const port_token_t *token) {
    const char *path = r->rewrite->data + token->at;
    const port_api_t *api = port_api_find(r->rewrite->tables, path, token->n);
    if (api && api->kind == PORT_API_INCLUDE) {
        return hip_name(r, api);
    }
    const port_library_t *library = port_library_find(r->rewrite->tables, path, token->n);
    const bool quoted = token->at > 0 && r->rewrite->data[token->at - 1] == '"';
    return library && !quoted && is_header_name(library->replacement) &&
                   library->since <= r->rewrite->options->rocm &&
                   (strcmp(library->rule, "library-rename") == 0 ||
                    strcmp(library->rule, "library-drop-in") == 0)
               ? library->replacement
               : NULL;
}

/* A branch of a condition ends: what it included, others do not have. */
static void forget_included(rewriter_t *r, uint32_t depth) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_included; i++) {
        if (r->included[i].depth <= depth) {
            r->included[n++] = r->included[i];
        }
    }
    r->n_included = n;
}

/* A line before has it, whatever the conditions are. */
static bool is_included(const rewriter_t *r, const char *name, size_t n) {
    for (uint32_t i = 0; i < r->n_included; i++) {
        if (r->included[i].n == n && memcmp(r->included[i].name, name, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes out the line of the include at its #; false: there is more on it. */
static bool drop_line(rewriter_t *r, uint32_t directive, uint32_t header) {
    const char *data = r->rewrite->data;
    size_t from = r->token[directive].at, to = r->token[header].at + r->token[header].n + 1;
    while (from > 0 && strchr(" \t", data[from - 1]) && data[from - 1]) {
        from--;
    }
    while (to < r->rewrite->size && (data[to] == ' ' || data[to] == '\t' || data[to] == '\r')) {
        to++;
    }
    if ((from > 0 && data[from - 1] != '\n') || to >= r->rewrite->size || data[to] != '\n') {
        return false;
    }
    port_rewrite_add(r->rewrite, from, to + 1 - from, "");
    return true;
}

/* Two headers of CUDA may be one of HIP: cuda.h and cuda_runtime.h. */
static void rewrite_header(rewriter_t *r, uint32_t directive, uint32_t i) {
    const port_token_t *token = &r->token[i];
    const char *hip = hip_header(r, token);
    const char *name = hip ? hip : r->rewrite->data + token->at;
    const size_t n = hip ? strlen(hip) : token->n;
    if (hip && is_included(r, name, n) && drop_line(r, directive, i)) {
        return;
    }
    if (hip) {
        replace(r, i, hip);
    }
    if (r->n_included < MAX_INCLUDED) {
        r->included[r->n_included].name = name;
        r->included[r->n_included].depth = r->guards.depth;
        r->included[r->n_included++].n = n;
    }
}

/* --- directives ----------------------------------------------------------------------------- */

static uint32_t directive_end(const rewriter_t *r, uint32_t i) {
    while (i < r->n && r->token[i].kind != PORT_TOKEN_DIRECTIVE_END) {
        i++;
    }
    return i;
}

/* In a condition only the question "is this the GPU compiler" has a HIP form; version numbers of
   CUDA have none. One that asks about HIP already is left alone. */
static void rewrite_condition(rewriter_t *r, uint32_t from, uint32_t end) {
    for (uint32_t i = from; i < end; i++) {
        const port_truth2_t truth =
            r->token[i].kind == PORT_TOKEN_WORD
                ? port_guard_word(r->rewrite->data + r->token[i].at, r->token[i].n)
                : (port_truth2_t){PORT_MAYBE, PORT_MAYBE};
        if (truth.hip != PORT_MAYBE || truth.cuda != PORT_MAYBE) {
            return;
        }
    }
    for (uint32_t i = from; i < end; i++) {
        if (r->token[i].kind == PORT_TOKEN_WORD && text_is(r, i, "__CUDACC__")) {
            replace(r, i, "__HIPCC__");
        }
    }
}

/* The directive that begins at i; returns its end. */
static uint32_t rewrite_directive(rewriter_t *r, uint32_t i) {
    const uint32_t end = directive_end(r, i);
    const uint32_t n = end - i + (end < r->n);
    const uint8_t outer = r->guards.state;
    const int step = port_guards_step(&r->guards, r->rewrite->data, r->token + i, n, r->n - i - n);
    if (step == 0 || step == -1) {
        forget_included(r, r->guards.depth - (step == 0 && r->guards.depth > 0));
    }
    if (step != 2) {
        if (outer == 0 && step >= 0 && end > i + 2) {
            rewrite_condition(r, i + 2, end);
        }
        return end;
    }
    if (outer != 0 || end <= i + 1) {
        return end;
    }
    if (text_is(r, i + 1, "include")) {
        if (r->first_include == r->n && r->guards.depth == 0) {
            r->first_include = i; /* outside conditions */
        }
        if (r->token[i + 2 < r->n ? i + 2 : i].kind == PORT_TOKEN_HEADER) {
            rewrite_header(r, i, i + 2);
        }
    } else if (word_at(r, i + 1) == PORT_WORD_P_DEFINE) {
        for (uint32_t k = i + 3; k < end; k++) { /* behind the name that is defined */
            if (r->token[k].kind == PORT_TOKEN_WORD) {
                rewrite_word(r, k);
            }
        }
    }
    return end;
}

/* What must be known before the first word is changed. */
static void look_ahead(rewriter_t *r) {
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->token[i].kind == PORT_TOKEN_HEADER) {
            const char *hip = hip_header(r, &r->token[i]);
            r->has_runtime |=
                text_is(r, i, runtime_header) || (hip && strcmp(hip, runtime_header) == 0);
        }
        if (r->token[i].kind == PORT_TOKEN_DIRECTIVE && word_at(r, i + 1) == PORT_WORD_P_DEFINE &&
            i + 2 < r->n && r->token[i + 2].kind == PORT_TOKEN_WORD && r->token[i + 2].api &&
            r->n_defined < MAX_DEFINED) {
            r->defined[r->n_defined++] = r->token[i + 2].hash;
        }
    }
}

/* --- the text ------------------------------------------------------------------------------- */

static int compare_edits(const void *a, const void *b) {
    const port_edit_t *x = a, *y = b;
    /* what is put in front of a word comes before what replaces it */
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : x->n < y->n ? -1 : x->n > y->n;
}

/* nvcc includes its runtime by itself, hipcc does not: a source that needs it and has none gets it
   in front of its first include. */
static void add_runtime(rewriter_t *r) {
    const size_t n = strlen(r->rewrite->path);
    const bool is_source = n > 3 && strcmp(r->rewrite->path + n - 3, ".cu") == 0;
    if (!is_source || r->has_runtime || !r->needs_runtime || r->n == 0) {
        return;
    }
    const bool included = r->first_include < r->n;
    const uint32_t at = included ? r->token[r->first_include].at : r->token[0].at;
    size_t line = at; /* the line must be free up to there */
    while (line > 0 && strchr(" \t", r->rewrite->data[line - 1]) && r->rewrite->data[line - 1]) {
        line--;
    }
    if (line > 0 && r->rewrite->data[line - 1] != '\n') {
        return;
    }
    port_rewrite_add(r->rewrite, at, 0, "#include <hip/hip_runtime.h>\n");
    qsort(r->rewrite->edit, r->rewrite->n_edit, sizeof *r->rewrite->edit, compare_edits);
}

static bool lex_all(rewriter_t *r) {
    port_lexer_t lexer;
    uint32_t capacity = (uint32_t)(r->rewrite->size / 6) + 64;
    r->token = reallocarray(NULL, capacity, sizeof *r->token);
    port_lexer_init(&lexer, r->rewrite->tables, r->rewrite->data, r->rewrite->size);
    while (r->token) {
        const uint32_t got = port_lex(&lexer, r->token + r->n, capacity - r->n);
        r->n += got;
        if (got == 0) {
            return true;
        }
        if (capacity - r->n < 16) {
            port_token_t *grown = reallocarray(r->token, 2 * (size_t)capacity, sizeof *grown);
            if (!grown) {
                free(r->token);
            }
            r->token = grown;
            capacity *= 2;
        }
    }
    return false;
}

void port_rewrite_c(port_rewrite_t *rewrite) {
    rewriter_t *r = calloc(1, sizeof *r);
    if (!r) {
        rewrite->failed = true;
        return;
    }
    r->rewrite = rewrite;
    if (lex_all(r)) {
        r->first_include = r->n;
        look_ahead(r);
        for (uint32_t i = 0; i < r->n; i++) {
            if (r->token[i].kind == PORT_TOKEN_DIRECTIVE) {
                i = rewrite_directive(r, i);
            } else if (r->token[i].kind == PORT_TOKEN_WORD && r->guards.state == 0) {
                const uint8_t word = r->token[i].word;
                r->needs_runtime |= word == PORT_WORD_GLOBAL || word == PORT_WORD_THREAD_IDX;
                rewrite_word(r, i);
            }
        }
        add_runtime(r);
    } else {
        rewrite->failed = true;
    }
    free(r->token);
    free(r);
}
