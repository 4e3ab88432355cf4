/* What is wrong with the settings and command lines of a text. */
#include "assay/env.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/text.h"
#include "host/env_read.h"
#include "host/env_tables.h"
#include "host/host_check.h"

#include "base/banned.h"

typedef struct {
    assay_arena_t *arena;
    const assay_env_rules_t *rules;
    const assay_env_options_t *options;
    assay_doctor_finding_t *finding;
    uint32_t n, capacity;
    uint32_t n_setting;
    bool full;
} lint_t;

/* --- findings -------------------------------------------------------------------------------- */

static const char *keep(lint_t *lint, const char *text) {
    lint->full |= text == NULL;
    return text ? text : "";
}

/* A format or a part of a sentence, in the language of the rules. */
static const char *said(const lint_t *lint, const char *english) {
    return assay_phrase(lint->rules->host->lang, english);
}

__attribute__((format(printf, 2, 3))) static const char *print(lint_t *lint, const char *format,
                                                               ...) {
    va_list args;
    va_start(args, format);
    const char *text = keep(lint, assay_arena_vprintf(lint->arena, said(lint, format), args));
    va_end(args);
    return text;
}

/* The check's text with its {mark|default} replaced; value NULL: by the default. */
static const char *fill(lint_t *lint, const char *text, const char *value) {
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close) {
        return text;
    }
    const char *bar = memchr(open, '|', (size_t)(close - open));
    const char *fallback = bar ? bar + 1 : open + 1;
    return print(lint, "%.*s%.*s%s", (int)(open - text), text,
                 (int)(value ? (ptrdiff_t)strlen(value) : close - fallback),
                 value ? value : fallback, close + 1);
}

/* "ENV-101" or "ENV", in any case. */
static bool selects(const char *word, const char *id) {
    const size_t n = strlen(word);
    return n > 0 && strncasecmp(word, id, n) == 0 && (id[n] == '\0' || id[n] == '-');
}

static bool selected(const assay_env_options_t *options, const char *id) {
    bool in = options->n_only == 0;
    for (uint32_t i = 0; i < options->n_only; i++) {
        in |= selects(options->only[i], id);
    }
    for (uint32_t i = 0; i < options->n_skip; i++) {
        in &= !selects(options->skip[i], id);
    }
    return in;
}

static void push(lint_t *lint, const assay_doctor_finding_t *finding) {
    if (lint->n == lint->capacity) {
        const uint32_t capacity = lint->capacity ? 2 * lint->capacity : 64;
        assay_doctor_finding_t *more = assay_arena_array(lint->arena, capacity, sizeof *more);
        if (!more) {
            lint->full = true;
            return;
        }
        if (lint->n > 0) {
            memcpy(more, lint->finding, lint->n * sizeof *more);
        }
        lint->finding = more;
        lint->capacity = capacity;
    }
    lint->finding[lint->n++] = *finding;
}

/* One finding at one place. fix: what stands in the check's {mark}, or NULL. */
__attribute__((format(printf, 6, 7))) static void bad(lint_t *lint, const char *id,
                                                      assay_severity_t severity,
                                                      const assay_place_t *at, const char *fix,
                                                      const char *format, ...) {
    const assay_check_t *check = assay_env_rules_check(lint->rules, id);
    if (!check || !selected(lint->options, id)) {
        return;
    }
    va_list args;
    va_start(args, format);
    const char *what = keep(lint, assay_arena_vprintf(lint->arena, said(lint, format), args));
    va_end(args);
    const assay_doctor_finding_t finding = {
        .check = check,
        .severity = (uint8_t)severity,
        .status = ASSAY_CHECK_BAD,
        .evidence = at->line ? print(lint, "%s:%u: %s", at->file, at->line, what)
                             : print(lint, "%s: %s", at->file, what),
        .cause = check->cause,
        .fix = fill(lint, check->fix, fix),
        .verify = fill(lint, check->verify, NULL),
        .at = *at,
        .root = -1};
    push(lint, &finding);
}

/* --- one setting ----------------------------------------------------------------------------- */

static const char *shown(lint_t *lint, const env_setting_t *setting) {
    return setting->value ? print(lint, "%s=%s", setting->name, setting->value) : setting->name;
}

/* HSA_OVERRIDE_GFX_VERSION_0 is that of one device. */
static const host_variable_t *find(const lint_t *lint, const char *name) {
    static const char numbered[] = "HSA_OVERRIDE_GFX_VERSION_";
    return host_variable_find(lint->rules->host, strncmp(name, numbered, sizeof numbered - 1) == 0
                                                     ? "HSA_OVERRIDE_GFX_VERSION"
                                                     : name);
}

static void unknown_name(lint_t *lint, const env_setting_t *setting) {
    const char *meant = env_name_meant(lint->rules, setting->name);
    if (meant && *meant) {
        bad(lint, "ENV-101", ASSAY_SEVERITY_WARNING, &setting->at, meant,
            "%s: nothing is known to read it; did you mean %s?", shown(lint, setting), meant);
    } else if (meant) {
        bad(lint, "ENV-101", ASSAY_SEVERITY_INFO, &setting->at, NULL,
            "%s: nothing is known to read it, and no known name is near", shown(lint, setting));
    }
}

/* "9.0.0" -> gfx900, "9.0.10" -> gfx90a: the last two numbers are hexadecimal digits. */
static const char *target_of(lint_t *lint, const char *version) {
    char *end;
    const unsigned long major = strtoul(version, &end, 10);
    const unsigned long minor = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    const unsigned long step = *end == '.' ? strtoul(end + 1, &end, 10) : 0;
    return print(lint, "gfx%lu%lx%lx", major, minor, step);
}

static void override(lint_t *lint, const env_setting_t *setting) {
    const char *native = lint->options->target;
    if (!setting->value || !env_value_fits("version", setting->value)) {
        return;
    }
    const char *target = target_of(lint, setting->value);
    if (native && strncmp(native, "gfx", 3) == 0) {
        const bool same = strcmp(native, target) == 0;
        bad(lint, "SW-002", same ? ASSAY_SEVERITY_WARNING : ASSAY_SEVERITY_ERROR, &setting->at,
            NULL, "%s makes every accelerator claim to be %s; %s is %s", shown(lint, setting),
            target, lint->options->part, native);
    } else {
        bad(lint, "SW-002", ASSAY_SEVERITY_WARNING, &setting->at, NULL,
            "%s makes every accelerator claim to be %s", shown(lint, setting), target);
    }
}

/* "rocm 7.13" against the version that was named. */
static bool is_gone(const lint_t *lint, const host_variable_t *variable) {
    static const char rocm[] = "rocm ";
    return lint->options->rocm && strncmp(variable->gone, rocm, sizeof rocm - 1) == 0 &&
           assay_text_version_order(lint->options->rocm, variable->gone + sizeof rocm - 1) >= 0;
}

/* None of the components that know the name takes the value. */
static bool is_wrong(const lint_t *lint, const env_setting_t *setting,
                     const host_variable_t *variable) {
    const assay_host_rules_t *host = lint->rules->host;
    const host_variable_t *end = host->variable + host->n_variable, *first = variable;
    for (; setting->value && variable < end && strcmp(variable->name, first->name) == 0;
         variable++) {
        if (env_value_fits(variable->type, setting->value)) {
            return false;
        }
    }
    return setting->value != NULL;
}

static void spoken_against(lint_t *lint, const env_setting_t *setting,
                           const host_variable_t *variable) {
    if (is_gone(lint, variable)) {
        bad(lint, "ENV-104", ASSAY_SEVERITY_WARNING, &setting->at,
            *variable->instead ? print(lint, "use %s", variable->instead) : NULL,
            "%s: %s; ROCm %s no longer reads it (gone with %s)", shown(lint, setting),
            variable->meaning, lint->options->rocm, variable->gone);
    } else if (*variable->check &&
               !(setting->value && env_value_is_quiet(variable, setting->value))) {
        bad(lint, variable->check, (assay_severity_t)variable->severity, &setting->at,
            setting->name, "%s: %s%s%s%s%s%s", shown(lint, setting), variable->meaning,
            *variable->effect ? " (" : "", variable->effect, *variable->effect ? ")" : "",
            *variable->instead ? said(lint, "; its name now is ") : "", variable->instead);
    }
}

/* The advice of a row holds for this run. */
static bool advised(const lint_t *lint, const env_advice_t *advice) {
    const assay_env_options_t *options = lint->options;
    return options->target && strcmp(advice->target, options->target) == 0 &&
           (!*advice->engine ||
            (options->engine && assay_text_equal_fold(advice->engine, options->engine)));
}

static void against_advice(lint_t *lint, const env_setting_t *setting) {
    for (uint32_t i = 0; setting->value && i < lint->rules->n_advice; i++) {
        const env_advice_t *advice = &lint->rules->advice[i];
        if (strcmp(advice->name, setting->name) != 0 || !advised(lint, advice) ||
            strcmp(advice->advice, setting->value) == 0) {
            continue;
        }
        const bool unset = strcmp(advice->advice, "unset") == 0;
        bad(lint, "ENV-105", (assay_severity_t)advice->severity, &setting->at,
            unset ? print(lint, "unset %s", advice->name)
                  : print(lint, "set %s=%s, and measure", advice->name, advice->advice),
            "%s; the advice for %s is %s%s: %s", shown(lint, setting), lint->options->part,
            unset ? said(lint, "to leave it unset") : advice->name,
            unset ? "" : print(lint, "=%s", advice->advice), advice->why);
    }
}

static void look_at(lint_t *lint, const env_setting_t *setting) {
    const host_variable_t *variable = find(lint, setting->name);
    lint->n_setting++;
    if (!variable) {
        unknown_name(lint, setting);
        return;
    }
    if (strcmp(variable->component, "none") == 0) {
        bad(lint, "ENV-002", (assay_severity_t)variable->severity, &setting->at, setting->name,
            "%s: %s", shown(lint, setting), variable->meaning);
        return;
    }
    if (is_wrong(lint, setting, variable)) {
        const char *words =
            keep(lint, env_type_words(lint->arena, lint->rules->host->lang, variable->type));
        bad(lint, "ENV-102", ASSAY_SEVERITY_WARNING, &setting->at, words, "%s: expected %s",
            shown(lint, setting), words);
        return;
    }
    if (strncmp(setting->name, "HSA_OVERRIDE_GFX_VERSION", 24) == 0) {
        override(lint, setting);
    }
    const host_variable_t *speaks = variable,
                          *end = lint->rules->host->variable + lint->rules->host->n_variable;
    while (speaks < end && strcmp(speaks->name, variable->name) == 0 && !*speaks->check) {
        speaks++;
    }
    if (speaks < end && strcmp(speaks->name, variable->name) == 0) {
        spoken_against(lint, setting, speaks);
    }
    against_advice(lint, setting);
}

/* --- settings together ----------------------------------------------------------------------- */

/* The last value counts, as for the shell. */
static const env_setting_t *last_of(const env_text_t *text, const char *name) {
    for (uint32_t i = text->n_setting; i > 0; i--) {
        if (strcmp(text->setting[i - 1].name, name) == 0) {
            return &text->setting[i - 1];
        }
    }
    return NULL;
}

static bool has_value(const env_setting_t *setting, const char *value) {
    return setting &&
           (strcmp(value, "*") == 0 ||
            (setting->value && (assay_text_equal_fold(setting->value, value) ||
                                (strcmp(value, "0") == 0 && env_value_is_off(setting->value)))));
}

static void conflicts(lint_t *lint, const env_text_t *text) {
    for (uint32_t i = 0; i < lint->rules->n_conflict; i++) {
        const env_conflict_t *row = &lint->rules->conflict[i];
        const env_setting_t *first = last_of(text, row->first);
        const env_setting_t *second = first ? last_of(text, row->second) : NULL;
        if (has_value(first, row->first_value) && has_value(second, row->second_value)) {
            bad(lint, "ENV-103", (assay_severity_t)row->severity, &second->at, row->fix,
                "%s, and %s in line %u: %s", shown(lint, second), shown(lint, first),
                first->at.line, row->why);
        }
    }
}

/* ROCR_VISIBLE_DEVICES numbers anew; the other masks then choose of these numbers. */
static void masks(lint_t *lint, const env_text_t *text) {
    const env_setting_t *rocr = last_of(text, "ROCR_VISIBLE_DEVICES"),
                        *hip = last_of(text, "HIP_VISIBLE_DEVICES"),
                        *cuda = last_of(text, "CUDA_VISIBLE_DEVICES");
    const env_setting_t *second = hip ? hip : cuda;
    if (rocr && second && rocr->value && second->value) {
        const uint32_t seen =
            host_visible(rocr->value, hip ? hip->value : NULL, cuda ? cuda->value : NULL, 0).n;
        if (seen < host_mask_entries(second->value)) {
            bad(lint, "ENV-003", ASSAY_SEVERITY_ERROR, &second->at, NULL,
                "ROCR_VISIBLE_DEVICES=%s leaves %u and numbers them from 0; of these %s chooses %u",
                rocr->value, host_mask_entries(rocr->value), shown(lint, second), seen);
        }
    } else if (hip && cuda && hip->value && cuda->value && strcmp(hip->value, cuda->value) != 0) {
        bad(lint, "ENV-003", ASSAY_SEVERITY_ERROR, &hip->at, NULL,
            "%s and %s; HIP programs take the first, others may take the second", shown(lint, hip),
            shown(lint, cuda));
    }
}

/* What the engine's guide asks for and the text does not set. */
static void not_set(lint_t *lint, const env_text_t *text) {
    for (uint32_t i = 0; text->n_setting > 0 && i < lint->rules->n_advice; i++) {
        const env_advice_t *advice = &lint->rules->advice[i];
        if (!*advice->engine || !advised(lint, advice) || last_of(text, advice->name)) {
            continue;
        }
        const assay_place_t at = {text->file, 0, 0};
        bad(lint, "ENV-105", ASSAY_SEVERITY_INFO, &at,
            print(lint, "set %s=%s, and measure", advice->name, advice->advice),
            "%s is not set; the advice for %s with %s is %s: %s", advice->name, lint->options->part,
            advice->engine, advice->advice, advice->why);
    }
}

/* --- command lines --------------------------------------------------------------------------- */

/* Where pattern ("docker run*--privileged") begins in text; *out_end: behind its last word. NULL:
   nowhere. */
static const char *match(const char *text, const char *pattern, const char **out_end) {
    const char *first = NULL;
    while (*pattern) {
        const size_t n = strcspn(pattern, "*");
        char literal[128];
        if (n >= sizeof literal) {
            return NULL;
        }
        memcpy(literal, pattern, n);
        literal[n] = '\0';
        text = strstr(text, literal);
        if (!text) {
            return NULL;
        }
        first = first ? first : text;
        text += n;
        pattern += n + (pattern[n] == '*');
    }
    *out_end = text;
    return first;
}

#define SNIPPET_MAX 60

/* What was matched, up to the end of its last word, on one line. */
static const char *snippet(lint_t *lint, const char *from, const char *to) {
    while (*to && !isspace((unsigned char)*to)) {
        to++;
    }
    const bool cut = to - from > SNIPPET_MAX;
    const int n = (int)(cut ? SNIPPET_MAX : to - from);
    char *text = assay_arena_printf(lint->arena, "%.*s%s", n, from, cut ? "..." : "");
    for (char *c = text; c && *c; c++) {
        *c = isspace((unsigned char)*c) ? ' ' : *c;
    }
    return keep(lint, text);
}

static assay_place_t place_of(const env_text_t *text, const env_line_t *line, const char *at) {
    assay_place_t place = {text->file, line->line, 1};
    for (const char *c = line->text; c < at; c++) {
        place.column++;
        if (*c == '\v') {
            place.line++;
            place.column = 1;
        }
    }
    return place;
}

static void wrong_commands(lint_t *lint, const env_text_t *text, const env_line_t *line) {
    for (uint32_t i = 0; i < lint->rules->n_command; i++) {
        const env_command_t *row = &lint->rules->command[i];
        const char *end = NULL, *at = match(line->text, row->pattern, &end);
        if (at && !(*row->unless && strstr(at, row->unless))) {
            const assay_place_t place = place_of(text, line, at);
            bad(lint, row->check, (assay_severity_t)row->severity, &place, row->fix, "%s: %s",
                snippet(lint, at, end), row->what);
        }
    }
}

/* --offload-arch=gfx90a,gfx942 without the part that it is to run on. */
static void wrong_target(lint_t *lint, const env_text_t *text, const env_line_t *line) {
    static const char *const flag[] = {"--offload-arch=", "--amdgpu-target="};
    const char *native = lint->options->target;
    if (!native || strncmp(native, "gfx", 3) != 0) {
        return;
    }
    const char *first = NULL;
    for (size_t f = 0; f < sizeof flag / sizeof flag[0]; f++) {
        for (const char *at = line->text; (at = strstr(at, flag[f])); at++) {
            const char *value = at + strlen(flag[f]);
            const size_t n = strcspn(value, " \t\v\"';");
            first = first ? first : at;
            if (strncmp(value, "gfx", 3) != 0 || memmem(value, n, native, strlen(native))) {
                return; /* native, a variable, or the part is among them */
            }
        }
    }
    if (first) {
        const assay_place_t place = place_of(text, line, first);
        const size_t n = strcspn(first, " \t\v\"';");
        bad(lint, "ENV-106", ASSAY_SEVERITY_ERROR, &place,
            print(lint, "build for it: --offload-arch=%s", native),
            "%.*s: %s is %s, and code for another target ends in \"invalid device function\" or an "
            "illegal instruction",
            (int)(n < 120 ? n : 120), first, lint->options->part, native);
    }
}

/* --- all of it ------------------------------------------------------------------------------- */

static void look_at_text(lint_t *lint, env_text_t *text) {
    for (uint32_t i = 0; i < text->n_setting; i++) {
        look_at(lint, &text->setting[i]);
    }
    conflicts(lint, text);
    masks(lint, text);
    not_set(lint, text);
    for (uint32_t i = 0; i < text->n_line; i++) {
        wrong_commands(lint, text, &text->line[i]);
        wrong_target(lint, text, &text->line[i]);
    }
    lint->full |= text->full;
}

static void read_live(env_text_t *text, const char *const *live) {
    for (; *live; live++) {
        const char *equals = strchr(*live, '=');
        if (!equals) {
            continue;
        }
        const char *name = assay_arena_strndup(text->arena, *live, (size_t)(equals - *live));
        const env_setting_t setting = {name, equals + 1, {text->file, 0, 0}};
        text->full |= name == NULL;
        if (name) {
            env_read_add(text, &setting);
        }
    }
}

static int compare_findings(const void *a, const void *b) {
    const assay_doctor_finding_t *x = a, *y = b;
#define BY(member)                             \
    if (x->member != y->member) {              \
        return x->member < y->member ? -1 : 1; \
    }
    BY(status)
    if (x->status != ASSAY_CHECK_BAD) {
        return strcmp(x->check->id, y->check->id);
    }
    BY(severity)
    const int file = x->at.file && y->at.file ? strcmp(x->at.file, y->at.file) : 0;
    if (file != 0) {
        return file;
    }
    BY(at.line)
    BY(at.column)
#undef BY
    const int id = strcmp(x->check->id, y->check->id);
    return id ? id : strcmp(x->evidence, y->evidence);
}

/* A check that found nothing is good: everything that was given was looked at. */
static void add_good(lint_t *lint) {
    const uint32_t n_bad = lint->n;
    for (uint32_t c = 0; c < lint->rules->n_check; c++) {
        const assay_check_t *check = &lint->rules->check[c];
        bool any = !selected(lint->options, check->id);
        for (uint32_t i = 0; i < n_bad && !any; i++) {
            any = lint->finding[i].check == check;
        }
        if (!any) {
            const assay_doctor_finding_t good = {
                .check = check,
                .severity = check->severity,
                .status = ASSAY_CHECK_GOOD,
                .evidence = print(lint, "%u settings were looked at", lint->n_setting),
                .cause = check->cause,
                .fix = "",
                .verify = "",
                .root = -1};
            push(lint, &good);
        }
    }
}

static assay_status_t check_options(const assay_env_rules_t *rules,
                                    const assay_env_options_t *options, assay_error_t *err) {
    for (uint32_t i = 0; i < options->n_only + options->n_skip; i++) {
        const char *word =
            i < options->n_only ? options->only[i] : options->skip[i - options->n_only];
        bool known = false;
        for (uint32_t c = 0; c < rules->n_check && !known; c++) {
            known = selects(word, rules->check[c].id);
        }
        if (!known) {
            assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no check is called '%s'", word);
            assay_error_next(err, "list them with assay env --list");
            return ASSAY_NOT_FOUND;
        }
    }
    if (options->rocm && !isdigit((unsigned char)options->rocm[0])) {
        assay_error_set(err, ASSAY_INPUT, NULL, "\"%s\" is no version", options->rocm);
        assay_error_next(err, "write one such as 7.0");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static assay_host_t *host_of(assay_arena_t *arena, const char *name, uint32_t n_source) {
    assay_host_t *host = assay_arena_alloc(arena, sizeof *host);
    assay_host_source_t *source = assay_arena_array(arena, n_source, sizeof *source);
    const char *copy = assay_arena_strdup(arena, name);
    if (!host || !source || !copy) {
        return NULL;
    }
    host->name = copy;
    host->source = source;
    return host;
}

static assay_status_t finish(lint_t *lint, assay_host_t *host, assay_diagnosis_t **out_diagnosis,
                             assay_error_t *err) {
    add_good(lint);
    assay_diagnosis_t *diagnosis = assay_arena_alloc(lint->arena, sizeof *diagnosis);
    if (lint->full || !diagnosis) {
        return assay_error_memory(err, NULL);
    }
    if (lint->n > 0) {
        qsort(lint->finding, lint->n, sizeof *lint->finding, compare_findings);
    }
    *diagnosis = (assay_diagnosis_t){.host = host,
                                     .finding = lint->finding,
                                     .n_finding = lint->n,
                                     .first = -1,
                                     .threshold = lint->options->threshold};
    for (uint32_t i = 0; i < lint->n; i++) {
        const assay_doctor_finding_t *finding = &lint->finding[i];
        diagnosis->n_status[finding->status]++;
        if (finding->status == ASSAY_CHECK_BAD) {
            diagnosis->n_severity[finding->severity]++;
            diagnosis->reached |= finding->severity <= diagnosis->threshold;
        }
    }
    if (lint->n > 0 && lint->finding[0].status == ASSAY_CHECK_BAD &&
        lint->finding[0].severity < ASSAY_SEVERITY_INFO) {
        diagnosis->first = 0;
    }
    *out_diagnosis = diagnosis;
    return ASSAY_OK;
}

assay_status_t assay_env_lint(assay_arena_t *arena, const assay_env_rules_t *rules,
                              const char *name, const assay_host_file_t *file, uint32_t n_file,
                              const char *const *live, const assay_env_options_t *options,
                              assay_diagnosis_t **out_diagnosis, assay_error_t *err) {
    const assay_status_t status = check_options(rules, options, err);
    if (status) {
        return status;
    }
    lint_t lint = {.arena = arena, .rules = rules, .options = options};
    assay_host_t *host = host_of(arena, name, n_file + 1);
    if (!host) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n_file; i++) {
        size_t n = 0;
        env_text_t text = {.arena = arena, .file = assay_arena_strdup(arena, file[i].name)};
        const char *clean = host_clean(arena, file[i].data, file[i].n, &n);
        if (!text.file || !clean) {
            return assay_error_memory(err, NULL);
        }
        env_read(&text, clean, n);
        look_at_text(&lint, &text);
        host->source[host->n_source++] =
            (assay_host_source_t){.file = text.file, .parser = "settings", .bytes = file[i].n};
    }
    if (live) {
        env_text_t text = {.arena = arena, .file = "environment"};
        read_live(&text, live);
        look_at_text(&lint, &text);
        host->source[host->n_source++] =
            (assay_host_source_t){.file = text.file, .parser = "settings"};
    }
    return finish(&lint, host, out_diagnosis, err);
}
