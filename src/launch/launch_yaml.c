/* The job as YAML, each value with where it is from. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

#define COMMENT_COLUMN 44

static bool in_job(const assay_launch_item_t *item) {
    return item->state <= ASSAY_LAUNCH_ASSUMED;
}

/* Keys whose values are texts, whatever they look like. */
static bool is_text(const char *key) {
    static const char *const text[] = {"name", "work.model", "work.engine", "candidate.system",
                                       "work.framework"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        if (strcmp(key, text[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_plain(const char *value) {
    const size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789._/+-");
    return value[0] && value[n] == '\0' && value[0] != '-';
}

static void add_value(assay_buf_t *out, const char *key, const char *value) {
    if (is_plain(value) && !(is_text(key) && value[0] >= '0' && value[0] <= '9')) {
        assay_buf_puts(out, value);
        return;
    }
    assay_buf_puts(out, "\"");
    const size_t n = strlen(value);
    for (size_t at = 0, length; at < n; at += length) {
        uint32_t code;
        bool printable; /* U+2028 is not: it would end the line */
        length = assay_text_character(value + at, n - at, &code, &printable);
        if (!printable) {
            assay_buf_puts(out, " ");
            continue;
        }
        assay_buf_puts(out, code == '"' || code == '\\' ? "\\" : "");
        assay_buf_add(out, value + at, length);
    }
    assay_buf_puts(out, "\"");
}

/* One line, whatever the text holds. */
static void add_comment(assay_buf_t *out, const char *text) {
    assay_buf_printable(out, text, strlen(text));
}

static void add_origin(assay_buf_t *out, const assay_launch_item_t *item) {
    if (item->argument) {
        add_comment(out, item->argument);
    }
    if (item->file) {
        assay_buf_puts(out, item->argument ? " (" : "");
        add_comment(out, item->file);
        if (item->line) {
            assay_buf_printf(out, ":%u", item->line);
        }
        assay_buf_puts(out, item->argument ? ")" : "");
    }
    if (item->text) {
        assay_buf_puts(out, item->argument || item->file ? "; " : "");
        add_comment(out, item->text);
    }
}

static void add_pair(assay_buf_t *out, const assay_launch_item_t *item, size_t indent) {
    const char *name = strrchr(item->key, '.') ? strrchr(item->key, '.') + 1 : item->key;
    const size_t start = out->n;
    assay_buf_printf(out, "%*s%s: ", (int)indent, "", name);
    add_value(out, item->key, item->value);
    const size_t used = out->n - start;
    assay_buf_printf(out, "%*s# ", used < COMMENT_COLUMN ? (int)(COMMENT_COLUMN - used) : 1, "");
    if (item->state == ASSAY_LAUNCH_ASSUMED) {
        assay_buf_puts(out, "assumed: ");
    }
    add_origin(out, item);
    assay_buf_puts(out, "\n");
}

/* Every pair of the job whose key begins so. Returns whether there was any. */
static bool add_section(const assay_launch_t *launch, assay_buf_t *out, const char *prefix,
                        size_t indent, const char *heading) {
    bool any = false;
    for (uint32_t i = 0; i < launch->n_item; i++) {
        const assay_launch_item_t *item = &launch->item[i];
        if (in_job(item) && strncmp(item->key, prefix, strlen(prefix)) == 0) {
            if (!any && heading) {
                assay_buf_puts(out, heading);
            }
            add_pair(out, item, indent);
            any = true;
        }
    }
    return any;
}

static bool has(const assay_launch_t *launch, const char *prefix) {
    for (uint32_t i = 0; i < launch->n_item; i++) {
        if (in_job(&launch->item[i]) && strncmp(launch->item[i].key, prefix, strlen(prefix)) == 0) {
            return true;
        }
    }
    return false;
}

/* Below the job, as comments: what is not in it. */
static void add_rest(const assay_launch_t *launch, assay_buf_t *out) {
    static const struct {
        assay_launch_state_t state;
        const char *heading;
    } row[] = {
        {ASSAY_LAUNCH_MISSING, "missing; the job is not whole without it"},
        {ASSAY_LAUNCH_UNKNOWN, "not known, and so left out"},
        {ASSAY_LAUNCH_LEFT, "known and left out, because a job cannot say it"},
        {ASSAY_LAUNCH_REPLACED, "said twice; the job has the later one"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        bool any = false;
        for (uint32_t j = 0; j < launch->n_item; j++) {
            const assay_launch_item_t *item = &launch->item[j];
            if (item->state != row[i].state) {
                continue;
            }
            if (!any) {
                assay_buf_printf(out, "\n# %s:\n", row[i].heading);
                any = true;
            }
            assay_buf_puts(out, "#   ");
            if (item->key && item->state == ASSAY_LAUNCH_MISSING) {
                add_comment(out, item->key);
                assay_buf_puts(out, ": ");
            }
            add_origin(out, item);
            assay_buf_puts(out, "\n");
        }
    }
}

void assay_launch_yaml(const assay_launch_t *launch, assay_buf_t *out) {
    assay_buf_puts(out, "assay: 1\n");
    (void)add_section(launch, out, "name", 0, NULL);
    assay_buf_printf(out, "workload:\n  %s:\n", launch->kind);
    (void)add_section(launch, out, "model.", 6, "    model:\n");
    (void)add_section(launch, out, "work.", 4, NULL);
    if (has(launch, "candidate.") || has(launch, "layout.")) {
        const size_t start = out->n + strlen("candidates:\n");
        assay_buf_puts(out, "candidates:\n");
        (void)add_section(launch, out, "candidate.", 4, NULL);
        (void)add_section(launch, out, "layout.", 6, "    layout:\n");
        if (!out->failed) {
            out->data[start + 2] = '-'; /* the first key begins the entry */
        }
    }
    add_rest(launch, out);
}
