#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/schema_read.h"

#include "base/banned.h"

/* Whole numbers print without ".0", as a person writes them. */
static json_t *make_number(double value) {
    return fabs(value) < 9e15 && floor(value) == ceil(value) ? json_integer((json_int_t)value)
                                                             : json_real(value);
}

static json_t *make_object(const assay_schema_t *schema);

/* A number in the key's own unit, or a text with a unit. */
static json_t *make_quantity(const assay_field_t *field) {
    json_t *text = json_pack("{s:s, s:s}", "type", "string", "pattern", "^[-+.]?[0-9]");
    if (field->bare_scale <= 0 && field->dim != ASSAY_DIM_NUMBER && field->dim != ASSAY_DIM_COUNT &&
        field->dim != ASSAY_DIM_FRACTION) {
        return text;
    }
    const double scale = field->bare_scale > 0 ? field->bare_scale : 1;
    json_t *number = json_pack(
        "{s:s, s:o, s:o}", "type", field->dim == ASSAY_DIM_COUNT ? "integer" : "number", "minimum",
        make_number(field->min / scale), "maximum", make_number(field->max / scale));
    return json_pack("{s:[o, o]}", "anyOf", number, text);
}

/* A list of what was seen, or a named distribution, in place of a number. */
static json_t *make_uncertain(const assay_field_t *field) {
    json_t *forms = json_array(), *any = json_array();
    json_t *values =
        json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", make_quantity(field),
                  "minItems", 1, "maxItems", (int)SCHEMA_DIST_VALUES_MAX);
    static const struct {
        const char *name;
        const char *key[3];
    } row[] = {
#define FORM_ROW(name, a, b, c) {name, {a, b, c}},
        SCHEMA_DIST_LIST(FORM_ROW)
#undef FORM_ROW
    };
    for (size_t f = 0; f < sizeof row / sizeof *row; f++) {
        json_t *properties = json_pack("{s:{s:s}}", "dist", "const", row[f].name);
        json_t *required = json_pack("[s]", "dist");
        for (int k = 0; k < 3 && row[f].key[k]; k++) {
            const char *key = row[f].key[k];
            json_object_set_new(properties, key,
                                strcmp(key, "values") == 0 ? json_incref(values)
                                                           : make_quantity(field));
            if (strcmp(key, SCHEMA_DIST_OPTIONAL) != 0) {
                json_array_append_new(required, json_string(key));
            }
        }
        json_array_append_new(forms, json_pack("{s:s, s:b, s:o, s:o}", "type", "object",
                                               "additionalProperties", 0, "required", required,
                                               "properties", properties));
    }
    json_array_append_new(any, make_quantity(field));
    json_array_append_new(any, values);
    json_array_extend(any, forms);
    json_decref(forms);
    return json_pack("{s:o}", "anyOf", any);
}

static json_t *make_choices(const assay_field_t *field) {
    json_t *list = json_array();
    for (size_t i = 0; field->choices[i]; i++) {
        json_array_append_new(list, json_string(field->choices[i]));
    }
    return json_pack("{s:o}", "enum", list);
}

static json_t *make_list(const assay_field_t *field, json_t *items) {
    return json_pack("{s:s, s:o, s:o, s:o}", "type", "array", "items", items, "minItems",
                     make_number(field->min), "maxItems", make_number(field->max));
}

static json_t *make_text(void) {
    return json_pack("{s:s, s:i, s:i}", "type", "string", "minLength", 1, "maxLength",
                     ASSAY_SCHEMA_MAX_STRING);
}

static json_t *make_type(const assay_field_t *field) {
    switch ((assay_field_kind_t)field->kind) {
    case ASSAY_FIELD_NUMBER:
        return field->uncertain ? make_uncertain(field) : make_quantity(field);
    case ASSAY_FIELD_STRING:
    case ASSAY_FIELD_CHOICE:
        return field->choices ? make_choices(field) : make_text();
    case ASSAY_FIELD_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case ASSAY_FIELD_STRINGS:
        return json_pack("{s:[o, o]}", "anyOf", make_list(field, make_text()), make_text());
    case ASSAY_FIELD_STRUCT:
        return make_object(field->sub);
    case ASSAY_FIELD_LIST:
        return make_list(field, make_object(field->sub));
    case ASSAY_FIELD_NODE:
        return json_pack("{s:[o, o]}", "anyOf", make_text(),
                         field->sub ? make_object(field->sub)
                                    : json_pack("{s:s}", "type", "object"));
    case ASSAY_FIELD_LATER:
        break;
    }
    return NULL;
}

static json_t *make_default(const assay_field_t *field) {
    double value = 0;
    const char *text = field->default_text;
    if (field->kind == ASSAY_FIELD_NUMBER && assay_text_to_double(text, strlen(text), &value)) {
        return make_number(value);
    }
    if (field->kind == ASSAY_FIELD_BOOL) {
        return json_boolean(strcmp(text, "true") == 0);
    }
    return json_string(text);
}

static json_t *make_object(const assay_schema_t *schema) {
    json_t *properties = json_object(), *required = json_array();
    for (uint32_t i = 0; i < schema->n_field; i++) {
        const assay_field_t *field = &schema->field[i];
        json_t *property = make_type(field);
        if (!property) {
            continue;
        }
        json_object_set_new(property, "description", json_string(field->help));
        if (field->default_text) {
            json_object_set_new(property, "default", make_default(field));
        }
        json_object_set_new(properties, field->key, property);
        if (field->required) {
            json_array_append_new(required, json_string(field->key));
        }
    }
    return json_pack("{s:s, s:b, s:o, s:o}", "type", "object", "additionalProperties", 0,
                     "required", required, "properties", properties);
}

static int add_text(const char *text, size_t n, void *out) {
    assay_buf_add(out, text, n);
    return 0;
}

assay_status_t assay_schema_json(const assay_schema_t *schema, const char *title,
                                 assay_buf_t *out) {
    json_t *head = json_pack("{s:s, s:s}", "$schema",
                             "https://json-schema.org/draft/2020-12/schema", "title", title);
    json_t *body = make_object(schema);
    const bool made =
        head && body && json_object_update(head, body) == 0 &&
        json_dump_callback(head, add_text, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0;
    json_decref(head);
    json_decref(body);
    if (made) {
        assay_buf_puts(out, "\n");
    }
    return made && !out->failed ? ASSAY_OK : ASSAY_LIMIT;
}
