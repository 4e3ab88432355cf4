/* A claims file: quantities with units, and claims with a formula, a relation or a figure of the
   catalog. */
#include <string.h>

#include "assay/schema.h"
#include "audit/relations.h"

#include "base/banned.h"

#define CLAIM_MAX 1000
#define QUANTITY_MAX 1000

/* ---- the file ---- */

typedef struct {
    bool present;
    assay_number_t input, output;
} file_tokens_t;

typedef struct {
    assay_string_t id, text, claimed, formula, relation, catalog, at_least, at_most, source;
    const assay_node_t *with;
    assay_number_t tolerance;
    assay_choice_t partial, counts;
} file_claim_t;

typedef struct {
    assay_string_t about;
    file_tokens_t tokens;
    const assay_node_t *quantities;
    assay_list_t claims;
} file_t;

static const char *const counts_words[] = {"input", "output", "input+output", NULL};
static const uint32_t counts_bits[] = {AUDIT_COUNTS_INPUT, AUDIT_COUNTS_OUTPUT, AUDIT_COUNTS_BOTH};

#define TEXT(type, name, key_help) \
    { .key = #name, .kind = ASSAY_FIELD_STRING, .offset = offsetof(type, name), .help = key_help }

static const assay_field_t tokens_fields[] = {
    {.key = "input",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_COUNT,
     .required = true,
     .max = 1e9,
     .offset = offsetof(file_tokens_t, input),
     .help = "tokens of a prompt"},
    {.key = "output",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_COUNT,
     .required = true,
     .min = 1,
     .max = 1e9,
     .offset = offsetof(file_tokens_t, output),
     .help = "tokens of an answer"},
};
static const assay_schema_t tokens_schema = {
    .name = "tokens",
    .field = tokens_fields,
    .n_field = sizeof tokens_fields / sizeof *tokens_fields,
    .size = sizeof(file_tokens_t),
    .present = offsetof(file_tokens_t, present),
};

static const assay_field_t claim_fields[] = {
    {.key = "id",
     .kind = ASSAY_FIELD_STRING,
     .required = true,
     .offset = offsetof(file_claim_t, id),
     .help = "name of the claim"},
    TEXT(file_claim_t, text, "what is claimed, in words"),
    {.key = "claimed",
     .kind = ASSAY_FIELD_STRING,
     .required = true,
     .offset = offsetof(file_claim_t, claimed),
     .help = "the figure with its unit, or LOW to HIGH"},
    TEXT(file_claim_t, formula, "what gives the figure"),
    TEXT(file_claim_t, relation, "a formula with a name"),
    {.key = "with",
     .kind = ASSAY_FIELD_NODE,
     .offset = offsetof(file_claim_t, with),
     .help = "inputs of the relation that are not quantities of the same name"},
    TEXT(file_claim_t, catalog, "the figure of the catalog that it is about"),
    TEXT(file_claim_t, at_least, "a formula that the figure cannot be below"),
    TEXT(file_claim_t, at_most, "a formula that the figure cannot be above"),
    {.key = "tolerance",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_FRACTION,
     .min = 0,
     .max = 0.5,
     .offset = offsetof(file_claim_t, tolerance),
     .default_text = "5 %",
     .help = "share that claim and result may differ by"},
    {.key = "partial",
     .kind = ASSAY_FIELD_BOOL,
     .offset = offsetof(file_claim_t, partial),
     .default_text = "false",
     .help = "the formula sums what is stated, the claim has more"},
    {.key = "counts",
     .kind = ASSAY_FIELD_CHOICE,
     .offset = offsetof(file_claim_t, counts),
     .choices = counts_words,
     .help = "the tokens that the figure counts"},
    TEXT(file_claim_t, source, "who says so"),
};
static const assay_schema_t claim_schema = {
    .name = "claims",
    .field = claim_fields,
    .n_field = sizeof claim_fields / sizeof *claim_fields,
    .size = sizeof(file_claim_t),
    .present = SIZE_MAX,
};

static const assay_field_t file_fields[] = {
    TEXT(file_t, about, "what is audited, in words"),
    {.key = "tokens",
     .kind = ASSAY_FIELD_STRUCT,
     .offset = offsetof(file_t, tokens),
     .sub = &tokens_schema,
     .help = "tokens of a request"},
    {.key = "quantities",
     .kind = ASSAY_FIELD_NODE,
     .offset = offsetof(file_t, quantities),
     .help = "figures that claims stand on, by name"},
    {.key = "claims",
     .kind = ASSAY_FIELD_LIST,
     .required = true,
     .min = 1,
     .max = CLAIM_MAX,
     .offset = offsetof(file_t, claims),
     .sub = &claim_schema,
     .help = "what is claimed"},
};
static const assay_schema_t file_schema = {
    .name = "claims file",
    .field = file_fields,
    .n_field = sizeof file_fields / sizeof *file_fields,
    .size = sizeof(file_t),
    .present = SIZE_MAX,
};

/* ---- quantities ---- */

typedef struct {
    const char *name;
    const assay_node_t *node; /* a formula, or {is, counts, source} */
    enum { FRESH, AT_WORK, DONE } state;
    bool known;
    audit_value_t value;
    double devices;
    const char *missing[4];
    uint32_t n_missing;
} quantity_t;

typedef struct {
    quantity_t *quantity;
    uint32_t n;
    const audit_relation_t *relation; /* of the claim at work, or NULL */
    const assay_node_t *with;
} names_t;

static assay_status_t refuse_name(const assay_node_t *node, const char *why, assay_error_t *err) {
    assay_error_set(err, ASSAY_INPUT, &node->key_at, "'%.60s' cannot be the name of a quantity: %s",
                    node->key, why);
    assay_error_next(err, "use letters, digits, '_' and '.', such as price_per_h");
    return ASSAY_INPUT;
}

static assay_status_t check_name(const assay_node_t *node, assay_error_t *err) {
    const size_t n = strlen(node->key);
    audit_unit_t unit;
    if (n == 0 || n > 64 || audit_name_length(node->key, n) != n) {
        return refuse_name(node, "it is no plain word", err);
    }
    return audit_unit_read(node->key, n, &unit) == n ? refuse_name(node, "it is a unit", err)
                                                     : ASSAY_OK;
}

static assay_status_t list_quantities(assay_arena_t *arena, const assay_node_t *mapping,
                                      names_t *out, assay_error_t *err) {
    if (!mapping) {
        return ASSAY_OK;
    }
    if (mapping->kind != ASSAY_NODE_MAPPING || mapping->n > QUANTITY_MAX) {
        assay_error_set(err, ASSAY_INPUT, &mapping->at, "quantities is no mapping, or has over %d",
                        QUANTITY_MAX);
        assay_error_next(err, "write lines such as  price: 3.2 USD/h");
        return ASSAY_INPUT;
    }
    out->quantity = assay_arena_array(arena, mapping->n, sizeof *out->quantity);
    if (!out->quantity) {
        return assay_error_memory(err, &mapping->at);
    }
    for (const assay_node_t *node = mapping->child; node; node = node->next) {
        const assay_status_t status = check_name(node, err);
        if (status != ASSAY_OK) {
            return status;
        }
        out->quantity[out->n++] = (quantity_t){.name = node->key, .node = node};
    }
    return ASSAY_OK;
}

static assay_place_t text_place(const assay_node_t *node) {
    assay_place_t at = node->at;
    at.column += node->quoted && at.column > 0;
    return at;
}

#define RANGE " to "

static assay_status_t refuse_range(const assay_place_t *at, assay_error_t *err) {
    assay_error_set(err, ASSAY_INPUT, at, "a range goes from low to high in one unit");
    assay_error_next(err, "such as 450 kUSD to 650 kUSD");
    return ASSAY_INPUT;
}

/* A formula, or "LOW to HIGH" of one dimension. */
static assay_status_t evaluate_range(audit_scope_t *scope, const assay_node_t *node,
                                     audit_value_t *out, bool *out_known, assay_error_t *err) {
    if (node->kind != ASSAY_NODE_SCALAR) {
        assay_error_set(err, ASSAY_INPUT, &node->at, "expected a figure or a formula");
        assay_error_next(err, "such as 3.2 USD/h, 450 kUSD to 650 kUSD, or unknown");
        return ASSAY_INPUT;
    }
    if (strcmp(node->text, "unknown") == 0) {
        *out = (audit_value_t){0};
        *out_known = false;
        return ASSAY_OK;
    }
    assay_place_t at = text_place(node);
    const char *to = strstr(node->text, RANGE);
    if (!to) {
        return audit_expression(scope, node->text, &at, out, out_known, err);
    }
    audit_value_t high;
    bool high_known;
    const char *first = assay_arena_strndup(scope->arena, node->text, (size_t)(to - node->text));
    if (!first) {
        return assay_error_memory(err, &at);
    }
    assay_status_t status = audit_expression(scope, first, &at, out, out_known, err);
    if (status == ASSAY_OK) {
        to += strlen(RANGE);
        at.column += at.column > 0 ? (uint32_t)(to - node->text) : 0;
        status = audit_expression(scope, to, &at, &high, &high_known, err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    *out_known = *out_known && high_known;
    if (*out_known && (!audit_dim_equal(&out->dim, &high.dim) || out->low > high.high)) {
        return refuse_range(&node->at, err);
    }
    out->high = high.high;
    out->saw |= high.saw;
    return ASSAY_OK;
}

static assay_status_t read_counts(const assay_node_t *node, uint32_t *io_saw, assay_error_t *err) {
    for (int i = 0; node && counts_words[i]; i++) {
        if (node->kind == ASSAY_NODE_SCALAR && strcmp(node->text, counts_words[i]) == 0) {
            *io_saw |= counts_bits[i];
            return ASSAY_OK;
        }
    }
    if (node) {
        assay_error_set(err, ASSAY_INPUT, &node->at, "counts is no kind of tokens");
        assay_error_next(err, "write input, output or input+output");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static assay_status_t evaluate_node(audit_scope_t *scope, const assay_node_t *node,
                                    audit_value_t *out, bool *out_known, assay_error_t *err) {
    if (node->kind != ASSAY_NODE_MAPPING) {
        return evaluate_range(scope, node, out, out_known, err);
    }
    static const char *const key[] = {"is", "counts", "source"};
    for (const assay_node_t *child = node->child; child; child = child->next) {
        if (strcmp(child->key, "is") != 0 && strcmp(child->key, "counts") != 0 &&
            strcmp(child->key, "source") != 0) {
            const char *near = assay_text_nearest(child->key, key, 3);
            assay_error_set(err, ASSAY_INPUT, &child->key_at, "unknown key '%.60s'", child->key);
            assay_error_next(err, near ? "did you mean '%s'?" : "a quantity has %s, counts, source",
                             near ? near : "is");
            return ASSAY_INPUT;
        }
    }
    const assay_node_t *is = assay_node_find(node, "is");
    if (!is) {
        assay_error_set(err, ASSAY_INPUT, &node->at, "a quantity without 'is'");
        assay_error_next(err, "write {is: 1.06 USD/Mtoken, counts: input+output}");
        return ASSAY_INPUT;
    }
    const assay_status_t status = evaluate_range(scope, is, out, out_known, err);
    return status == ASSAY_OK ? read_counts(assay_node_find(node, "counts"), &out->saw, err)
                              : status;
}

/* Evaluates a quantity once; what it lacks is kept with it. */
static assay_status_t settle(audit_scope_t *scope, quantity_t *quantity, const assay_place_t *at,
                             assay_error_t *err) {
    if (quantity->state == DONE) {
        return ASSAY_OK;
    }
    if (quantity->state == AT_WORK) {
        assay_error_set(err, ASSAY_INPUT, at, "'%s' stands on itself", quantity->name);
        assay_error_next(err, "write its value");
        return ASSAY_INPUT;
    }
    const audit_scope_t before = *scope;
    scope->n_missing = 0;
    scope->devices = 0;
    quantity->state = AT_WORK;
    const assay_status_t status =
        evaluate_node(scope, quantity->node, &quantity->value, &quantity->known, err);
    quantity->state = DONE;
    quantity->devices = scope->devices;
    const uint32_t most = sizeof quantity->missing / sizeof quantity->missing[0];
    for (uint32_t i = 0; i < scope->n_missing && i < most; i++) {
        quantity->missing[quantity->n_missing++] = scope->missing[i];
    }
    if (!quantity->known && quantity->n_missing == 0) {
        quantity->missing[quantity->n_missing++] = quantity->name;
    }
    *scope = before;
    return status;
}

static quantity_t *find_quantity(const names_t *names, const char *name) {
    for (uint32_t i = 0; i < names->n; i++) {
        if (strcmp(names->quantity[i].name, name) == 0) {
            return &names->quantity[i];
        }
    }
    return NULL;
}

static assay_status_t refuse_unknown(const names_t *names, audit_scope_t *scope, const char *name,
                                     const assay_place_t *at, assay_error_t *err) {
    const char **list = assay_arena_array(scope->arena, names->n + 1, sizeof *list);
    if (!list) {
        return assay_error_memory(err, at);
    }
    for (uint32_t i = 0; i < names->n; i++) {
        list[i] = names->quantity[i].name;
    }
    const char *near = assay_text_nearest(name, list, names->n);
    assay_error_set(err, ASSAY_INPUT, at, "no quantity '%.60s'", name);
    if (near) {
        assay_error_next(err, "did you mean '%s'?", near);
    } else {
        assay_error_next(err, "add it to quantities; '%.40s: unknown' when nobody states it", name);
    }
    return ASSAY_INPUT;
}

static assay_status_t find_name(void *ctx, audit_scope_t *scope, const char *name,
                                const assay_place_t *at, audit_value_t *out, bool *out_known,
                                const char **out_missing, assay_error_t *err) {
    names_t *names = ctx;
    const assay_node_t *given =
        names->with && names->relation ? assay_node_find(names->with, name) : NULL;
    if (given) { /* its own names are quantities, not inputs of the relation */
        const names_t outer = *names;
        names->with = NULL;
        names->relation = NULL;
        const assay_status_t status = evaluate_node(scope, given, out, out_known, err);
        names->with = outer.with;
        names->relation = outer.relation;
        *out_missing = NULL;
        if (status == ASSAY_OK && !*out_known && scope->n_missing == 0) {
            *out_missing = audit_relation_need(names->relation, scope->arena, name);
        }
        return status;
    }
    quantity_t *quantity = find_quantity(names, name);
    if (!quantity) {
        const char *need =
            names->relation ? audit_relation_need(names->relation, scope->arena, name) : NULL;
        *out_known = false;
        *out_missing = need;
        return need ? ASSAY_OK : refuse_unknown(names, scope, name, at, err);
    }
    const names_t outer = *names; /* a quantity does not see the inputs of a relation */
    names->with = NULL;
    names->relation = NULL;
    const assay_status_t status = settle(scope, quantity, at, err);
    names->with = outer.with;
    names->relation = outer.relation;
    *out = quantity->value;
    *out_known = quantity->known;
    *out_missing = NULL;
    scope->devices = quantity->devices > 0 ? quantity->devices : scope->devices;
    for (uint32_t i = 0; !quantity->known && i < quantity->n_missing; i++) {
        audit_scope_missing(scope, quantity->missing[i]);
    }
    return status;
}

/* ---- claims ---- */

static const char *or_empty(const char *text) {
    return text ? text : "";
}

/* "0.82 USD/Mtoken" or "12 week to 16 week". */
static assay_status_t read_claimed(assay_arena_t *arena, const assay_string_t *from,
                                   audit_claim_t *out, assay_error_t *err) {
    const char *to = strstr(from->s, RANGE);
    const char *low = to ? assay_arena_strndup(arena, from->s, (size_t)(to - from->s)) : from->s;
    if (!low) {
        return assay_error_memory(err, &from->at);
    }
    assay_status_t status = audit_literal(arena, low, &from->at, &out->claimed, &out->unit,
                                          &out->unit_text, &out->rounding, err);
    out->has_claimed = true;
    if (status != ASSAY_OK || !to) {
        return status;
    }
    audit_value_t high;
    audit_unit_t unit;
    const char *text;
    double rounding;
    status =
        audit_literal(arena, to + strlen(RANGE), &from->at, &high, &unit, &text, &rounding, err);
    if (status != ASSAY_OK) {
        return status;
    }
    out->claimed.high = high.low;
    return audit_dim_equal(&high.dim, &out->claimed.dim) && high.low >= out->claimed.low
               ? ASSAY_OK
               : refuse_range(&from->at, err);
}

/* Which of formula, relation, catalog, at_least, at_most the claim is held against. */
static assay_status_t read_check(assay_arena_t *arena, const audit_relations_t *relations,
                                 const file_claim_t *from, audit_claim_t *out,
                                 const audit_relation_t **out_relation, assay_error_t *err) {
    const struct {
        const assay_string_t *text;
        audit_check_t check;
    } way[] = {{&from->formula, AUDIT_EQUALS},
               {&from->relation, AUDIT_EQUALS},
               {&from->catalog, AUDIT_CATALOG},
               {&from->at_least, AUDIT_AT_LEAST},
               {&from->at_most, AUDIT_AT_MOST}};
    uint32_t n_given = 0;
    *out_relation = NULL;
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        if (way[i].text->s) {
            n_given++;
            out->check = way[i].check;
            out->expression = way[i].text->s;
            out->expression_at = way[i].text->at;
        }
    }
    if (n_given != 1) {
        assay_error_set(err, ASSAY_INPUT, &from->id.at,
                        n_given ? "claim '%s' is held against several things"
                                : "claim '%s' is held against nothing",
                        from->id.s);
        assay_error_next(err, "give one of formula, relation, catalog, at_least, at_most");
        return ASSAY_INPUT;
    }
    if (!from->relation.s) {
        return ASSAY_OK;
    }
    const audit_relation_t *relation;
    const assay_status_t status =
        audit_relation_find(relations, arena, from->relation.s, &from->relation.at, &relation, err);
    if (status == ASSAY_OK) {
        *out_relation = relation;
        out->expression = relation->formula;
        out->expression_at = relation->at;
        out->formula = assay_arena_printf(arena, "%s = %s", relation->id, relation->formula);
        out->about = relation->about;
        out->has_least = relation->has_least;
        out->least = relation->least;
        out->has_most = relation->has_most;
        out->most = relation->most;
    }
    return status;
}

/* Every name under `with` is an input of the relation. */
static assay_status_t check_with(assay_arena_t *arena, const assay_node_t *with,
                                 const audit_relation_t *relation, assay_error_t *err) {
    if (with && (!relation || with->kind != ASSAY_NODE_MAPPING)) {
        assay_error_set(err, ASSAY_INPUT, &with->at, "'with' goes with a relation, as a mapping");
        assay_error_next(err, "write with: {rate: 780 token/s}");
        return ASSAY_INPUT;
    }
    for (const assay_node_t *node = with ? with->child : NULL; node; node = node->next) {
        if (!audit_relation_need(relation, arena, node->key)) {
            assay_error_set(err, ASSAY_INPUT, &node->key_at, "%s has no input '%.60s'",
                            relation->id, node->key);
            assay_error_next(err, "it needs %s", relation->needs);
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

typedef struct {
    assay_arena_t *arena;
    const file_t *file;
    const audit_relations_t *relations;
    names_t names;
    audit_scope_t scope;
} reader_t;

static assay_status_t audit_one(reader_t *reader, const file_claim_t *from, assay_audited_t *out,
                                assay_error_t *err) {
    audit_claim_t claim = {.id = from->id.s,
                           .subject = "",
                           .text = or_empty(from->text.s),
                           .source = or_empty(from->source.s),
                           .at = from->id.at,
                           .tolerance = from->tolerance.v,
                           .partial = from->partial.v != 0,
                           .what = "",
                           .open = "",
                           .about = ""};
    if (reader->file->tokens.present) {
        claim.input_tokens = reader->file->tokens.input.v;
        claim.output_tokens = reader->file->tokens.output.v;
    }
    const audit_relation_t *relation;
    assay_status_t status = read_claimed(reader->arena, &from->claimed, &claim, err);
    if (status == ASSAY_OK) {
        status = read_check(reader->arena, reader->relations, from, &claim, &relation, err);
    }
    if (status == ASSAY_OK) {
        status = check_with(reader->arena, from->with, relation, err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    if (from->counts.origin == ASSAY_GIVEN) {
        claim.claimed.saw |= counts_bits[from->counts.v];
    }
    reader->names.relation = relation;
    reader->names.with = from->with;
    return audit_judge(&reader->scope, &claim, out, err);
}

assay_status_t assay_audit_file(assay_arena_t *arena, const assay_catalog_t *catalog,
                                const char *const *dir, uint32_t n_dir, const char *file,
                                const char *data, size_t size, assay_audit_t **out_audit,
                                assay_error_t *err) {
    assay_node_t *root;
    file_t content;
    audit_relations_t relations;
    assay_status_t status = assay_node_parse(arena, file, data, size, &root, err);
    if (status == ASSAY_OK) {
        status = assay_schema_read(arena, &file_schema, root, &content, err);
    }
    if (status == ASSAY_OK) {
        status = audit_relations_load(arena, dir, n_dir, &relations, err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    reader_t reader = {.arena = arena, .file = &content, .relations = &relations};
    assay_audit_t *audit = assay_arena_alloc(arena, sizeof *audit);
    assay_audited_t *claim = assay_arena_array(arena, content.claims.n, sizeof *claim);
    if (!audit || !claim) {
        return assay_error_memory(err, NULL);
    }
    status = list_quantities(arena, content.quantities, &reader.names, err);
    reader.scope =
        (audit_scope_t){.arena = arena,
                        .catalog = catalog,
                        .predictions = audit_predictions_create(arena, catalog, dir, n_dir),
                        .find = find_name,
                        .ctx = &reader.names};
    if (!reader.scope.predictions) {
        return assay_error_memory(err, NULL);
    }
    *audit = (assay_audit_t){.name = file,
                             .about = or_empty(content.about.s),
                             .claim = claim,
                             .n_claim = content.claims.n};
    const file_claim_t *from = content.claims.item;
    for (uint32_t i = 0; i < content.claims.n && status == ASSAY_OK; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(from[i].id.s, from[k].id.s) == 0) {
                return assay_error_set(err, ASSAY_INPUT, &from[i].id.at,
                                       "claim '%s' is there twice, first in line %u", from[i].id.s,
                                       from[k].id.at.line);
            }
        }
        status = audit_one(&reader, &from[i], &claim[i], err);
        audit->n_verdict[claim[i].verdict]++;
    }
    if (status == ASSAY_OK) {
        *out_audit = audit;
    }
    return status;
}
