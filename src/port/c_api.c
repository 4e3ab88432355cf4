#include <stdio.h>
#include <string.h>

#include "port/c_source.h"
#include "port/port_hash.h"

#include "base/banned.h"

/* Words whose own rule says more than the table does. */
static bool has_own_rule(uint8_t word) {
    switch (word) {
    case PORT_WORD_SYNCWARP:
    case PORT_WORD_STCS:
    case PORT_WORD_STCG:
    case PORT_WORD_STWT:
    case PORT_WORD_STWB:
    case PORT_WORD_LDCV:
    case PORT_WORD_LDLU:
    case PORT_WORD_FP4_E2M1:
    case PORT_WORD_FP4X2_E2M1:
    case PORT_WORD_FP4X4_E2M1:
    case PORT_WORD_FP6_E2M3:
    case PORT_WORD_FP6_E3M2:
    case PORT_WORD_GRAPH_CONDITIONAL:
    case PORT_WORD_GRAPH_SET_CONDITIONAL:
    case PORT_WORD_GRAPH_CONDITIONAL_HANDLE:
        return true;
    default:
        return false;
    }
}

/* #define cudaMalloc hipMalloc, or a function of that name, or its declaration: a name with a type
   before it and parentheses behind it, outside functions. */
static bool is_defined_here(const port_source_t *source, uint32_t i) {
    if (port_word_at(source, i - 1) == PORT_WORD_P_DEFINE || port_declares(source, i)) {
        return true;
    }
    const port_function_t *f = source->next_function < source->n_function
                                   ? &source->function[source->next_function]
                                   : NULL;
    return f && f->name == i;
}

/* The name belongs to something else: a member, another namespace, or it is being defined. */
static bool is_other(const port_source_t *source, uint32_t i) {
    if (i == 0) {
        return false;
    }
    if (port_is_sign(source, i - 1, '.') || port_is_sign(source, i - 1, PORT_SIGN('-', '>', 0))) {
        return true;
    }
    if (port_is_sign(source, i - 1, PORT_SIGN(':', ':', 0))) {
        return i > 1 && port_is_name(source, i - 2) &&
               source->token[i - 2].word != PORT_WORD_RETURN;
    }
    return is_defined_here(source, i);
}

static const char *unsupported_rule(const port_api_t *api) {
    return strcmp(api->library, "device") == 0  ? "api-unsupported-device"
           : strcmp(api->library, "cudnn") == 0 ? "api-unsupported-cudnn"
                                                : "api-unsupported";
}

static void report(port_source_t *source, uint32_t i, const port_api_t *api, const char *rule,
                   const char *status) {
    const port_token_t *token = &source->token[i];
    const port_found_t found = {.rule = rule,
                                .offset = token->at,
                                .length = token->n,
                                .api = api->name,
                                .replacement = api->hip,
                                .status = status,
                                .source = api->source,
                                .ported = token->state & PORT_STATE_PORTED};
    port_sink_report(source->sink, source->text, &found);
}

void port_rule_api(port_source_t *source, uint32_t i) {
    const port_token_t *token = &source->token[i];
    const port_api_t *api = port_api_row(source->tables, token->api);
    if (api->kind == PORT_API_INCLUDE) {
        return;
    }
    if (is_other(source, i)) {
        if (source->for_hip && is_defined_here(source, i)) {
            port_sink_tell(source->sink, PORT_TOLD_SHIM, token->api);
        }
        return;
    }
    const bool ported = token->state & PORT_STATE_PORTED;
    const uint32_t rocm = port_sink_options(source->sink)->rocm;
    if (has_own_rule(token->word)) {
        return; /* counted there */
    }
    if (api->status == PORT_UNSUPPORTED) {
        port_sink_reference(source->sink, PORT_REFERENCE_CUDA_ONLY, ported);
        report(source, i, api, unsupported_rule(api), "unsupported");
        return;
    }
    if (api->hip_added > rocm || (api->hip_removed && api->hip_removed <= rocm)) {
        port_sink_reference(source->sink, PORT_REFERENCE_WORK, ported);
        report(source, i, api, api->hip_added > rocm ? "api-too-new" : "api-unsupported",
               "unsupported");
        return;
    }
    port_sink_reference(source->sink, PORT_REFERENCE_READY, ported);
    if (api->status == PORT_DEPRECATED) {
        report(source, i, api, "api-deprecated", "deprecated");
    } else if (api->status == PORT_EXPERIMENTAL) {
        report(source, i, api, "api-experimental", "experimental");
    } else if (api->cuda_removed) {
        report(source, i, api, "api-removed", "renamed");
    } else if (strcmp(api->hip, api->name) != 0) {
        report(source, i, api, "api-renamed", "renamed");
    }
}

/* --- libraries without a table --------------------------------------------------------------- */

/* By how their functions begin, before a capital; libraries are named as their headers name them.
 */
static const struct {
    const char *start, *library, *rule; /* rule NULL: the same names on ROCm */
    port_reference_t reference;
} library_calls[] = {
    {"nvtx", "nvtx", "nvtx-call", PORT_REFERENCE_WORK},
    {"nvml", "NVML", "nvml-call", PORT_REFERENCE_WORK},
    {"cupti", "CUPTI", "cupti-call", PORT_REFERENCE_WORK},
    {"nccl", "NCCL", NULL, PORT_REFERENCE_READY},
    {"optix", "OptiX", "optix-call", PORT_REFERENCE_CUDA_ONLY},
};

void port_rule_library_call(port_source_t *source, uint32_t i) {
    const port_token_t *token = &source->token[i];
    const char *text = source->text->data + token->at;
    if (*text != 'n' && *text != 'c' && *text != 'o') {
        return;
    }
    for (size_t k = 0; k < sizeof library_calls / sizeof *library_calls; k++) {
        const size_t n = strlen(library_calls[k].start);
        if (token->n <= n || memcmp(text, library_calls[k].start, n) != 0 || text[n] < 'A' ||
            text[n] > 'Z') {
            continue;
        }
        if (is_defined_here(source, i)) { /* nvmlCheck of one's own, perhaps for other files too */
            port_sink_tell(source->sink, PORT_TOLD_MACRO, token->hash);
        } else if (!is_other(source, i)) {
            port_sink_reference(source->sink, library_calls[k].reference,
                                token->state & PORT_STATE_PORTED);
            if (library_calls[k].rule) {
                const port_found_t found = {
                    .rule = library_calls[k].rule,
                    .offset = token->at,
                    .length = token->n,
                    .api = assay_arena_strndup(port_sink_scratch(source->sink), text, token->n),
                    .library = library_calls[k].library,
                    .ported = token->state & PORT_STATE_PORTED};
                port_sink_report(source->sink, source->text, &found);
            }
        }
        return;
    }
}

/* --- headers -------------------------------------------------------------------------------- */

static port_reference_t reference_of(const char *rule) {
    if (strcmp(rule, "library-drop-in") == 0 || strcmp(rule, "library-rename") == 0) {
        return PORT_REFERENCE_READY;
    }
    return strcmp(rule, "library-none") == 0 || strcmp(rule, "ecosystem-none") == 0
               ? PORT_REFERENCE_CUDA_ONLY
               : PORT_REFERENCE_WORK;
}

/* "cuda/x.h" in quotes is a folder of the project; only whole names and well-known folders are
   taken for libraries there. */
static bool is_own_header(const port_source_t *source, const port_token_t *token,
                          const char *trigger) {
    if (token->at == 0 || source->text->data[token->at - 1] != '"') {
        return false;
    }
    const size_t n = strlen(trigger);
    return n > 0 &&
           (trigger[n - 1] == '*' || strcmp(trigger, "cuda/") == 0 || strcmp(trigger, "crt/") == 0);
}

/* "impl/sum.cuh" on the CUDA side of a guard, or elsewhere; elsewhere <impl/sum.cuh> as well, but
   what vendors/musa.h includes as <musa.h> is another's. */
static void tell_include(port_source_t *source, const port_token_t *token) {
    const char *path = source->text->data + token->at, *const end = path + token->n;
    const char *slash = memrchr(path, '/', token->n);
    const char *name = slash ? slash + 1 : path;
    const uint32_t hash = port_hash(name, (size_t)(end - name));
    const bool quoted = token->at > 0 && path[-1] == '"';
    if (token->state & PORT_STATE_CUDA) {
        if (quoted) {
            port_sink_tell(source->sink, PORT_TOLD_HEADER_CUDA, hash);
        }
    } else if (quoted || hash != port_path_hash(source->text->path)) {
        port_sink_include(source->sink, hash);
    }
}

void port_rule_header(port_source_t *source, uint32_t i) {
    const port_token_t *token = &source->token[i];
    const char *path = source->text->data + token->at;
    const bool ported = token->state & PORT_STATE_PORTED;
    source->for_hip |= token->n > 4 && memcmp(path, "hip/", 4) == 0;
    tell_include(source, token);
    source->groups |= token->n >= 18 && memcmp(path, "cooperative_groups", 18) == 0;
    const port_library_t *library = port_library_find(source->tables, path, token->n);
    if (library && !is_own_header(source, token, library->trigger)) {
        char name[128];
        (void)snprintf(name, sizeof name, "%.*s", (int)(token->n < 100 ? token->n : 100), path);
        const bool too_new = library->since > port_sink_options(source->sink)->rocm;
        const port_reference_t reference =
            too_new ? PORT_REFERENCE_WORK : reference_of(library->rule);
        const port_found_t found = {.rule = too_new ? "api-too-new" : library->rule,
                                    .offset = token->at,
                                    .length = token->n,
                                    .api = name,
                                    .replacement = library->replacement,
                                    .status = reference == PORT_REFERENCE_READY ? "renamed"
                                                                                : "unsupported",
                                    .source = library->source,
                                    .ported = ported};
        port_sink_reference(source->sink, reference, ported);
        port_sink_report(source->sink, source->text, &found);
        return;
    }
    const port_api_t *api = port_api_find(source->tables, path, token->n);
    if (api && api->kind == PORT_API_INCLUDE && api->status != PORT_UNSUPPORTED) {
        port_sink_reference(source->sink, PORT_REFERENCE_READY, ported);
        report(source, i, api, "api-renamed", "renamed");
    }
}
