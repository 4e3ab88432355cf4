#include "assay/schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define PATH_BYTES 128

typedef void (*visit_t)(void *ctx, const assay_field_t *field, const char *path);

/* Every field, depth first in the table's order; path as assay_node_set takes it. */
static void walk(const assay_schema_t *schema, const char *prefix, visit_t visit, void *ctx) {
    for (uint32_t i = 0; i < schema->n_field; i++) {
        const assay_field_t *field = &schema->field[i];
        char path[PATH_BYTES];
        const int n = snprintf(path, sizeof path - 3, "%s%s", prefix, field->key);
        assert(n > 0 && (size_t)n < sizeof path - 3 && "a path of the table is too long");
        visit(ctx, field, path);
        const bool list = field->kind == ASSAY_FIELD_LIST;
        if (list || field->kind == ASSAY_FIELD_STRUCT) {
            snprintf(path + n, sizeof path - (size_t)n, list ? "[]." : ".");
            walk(field->sub, path, visit, ctx);
        }
    }
}

typedef struct {
    visit_t visit;
    void *ctx;
} flags_t;

static void visit_flag(void *ctx, const assay_field_t *field, const char *path) {
    const flags_t *flags = ctx;
    if (field->flag) {
        flags->visit(flags->ctx, field, path);
    }
}

void assay_schema_flags(const assay_schema_t *schema,
                        void (*visit)(void *ctx, const assay_field_t *field, const char *path),
                        void *ctx) {
    flags_t flags = {visit, ctx};
    walk(schema, "", visit_flag, &flags);
}

static void add_value(assay_buf_t *out, const assay_field_t *field) {
    switch ((assay_field_kind_t)field->kind) {
    case ASSAY_FIELD_NUMBER:
        assay_buf_printf(out, "%s, such as %s%s", assay_dim_name(field->dim),
                         assay_dim_example(field->dim),
                         field->uncertain ? "; or a distribution" : "");
        break;
    case ASSAY_FIELD_BOOL:
        assay_buf_puts(out, "true or false");
        break;
    case ASSAY_FIELD_STRINGS:
        assay_buf_puts(out, "a list of texts");
        break;
    case ASSAY_FIELD_LIST:
        assay_buf_puts(out, "a list");
        break;
    case ASSAY_FIELD_STRUCT:
        assay_buf_puts(out, "a mapping");
        break;
    case ASSAY_FIELD_NODE:
        assay_buf_puts(out, "a text or a mapping");
        break;
    case ASSAY_FIELD_STRING:
    case ASSAY_FIELD_CHOICE:
        assay_buf_puts(out, field->choices ? "" : "a text");
        break;
    case ASSAY_FIELD_LATER:
        break;
    }
    for (size_t i = 0; field->choices && field->choices[i]; i++) {
        assay_buf_printf(out, "%s`%s`", i ? ", " : "", field->choices[i]);
    }
}

static void add_row(void *ctx, const assay_field_t *field, const char *path) {
    assay_buf_t *out = ctx;
    if (field->kind == ASSAY_FIELD_LATER) {
        return;
    }
    assay_buf_printf(out, "| `%s`%s | ", path, field->required ? " (required)" : "");
    add_value(out, field);
    assay_buf_printf(out, " | %s | ", field->default_text ? field->default_text : "");
    if (field->flag) {
        assay_buf_printf(out, "`--%s`", field->flag);
    }
    if (field->flag_alias) {
        assay_buf_printf(out, " `--%s`", field->flag_alias);
    }
    assay_buf_printf(out, " | %s |\n", field->help);
}

void assay_schema_markdown(const assay_schema_t *schema, assay_buf_t *out) {
    assay_buf_puts(
        out, "| key | value | default | flag | what it is |\n| --- | --- | --- | --- | --- |\n");
    walk(schema, "", add_row, out);
}
