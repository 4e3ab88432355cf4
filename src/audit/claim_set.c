/* A set of claims of the catalog, each held against what claim_checks.csv says. */
#include <string.h>

#include "assay/csv.h"
#include "assay/text.h"
#include "audit/claim_set.h"

#include "base/banned.h"

static const char *const check_name[AUDIT_CHECK_N] = {
    "equals", "at_least", "at_most", "catalog", "count", "between", "holds", "arch", "nothing"};

/* Why a claim cannot be recomputed. */
static const struct {
    const char *name;
    assay_message_t message;
} lacks[] = {
    {"conditions", ASSAY_MSG_AUDIT_LACK_CONDITIONS},
    {"rule", ASSAY_MSG_AUDIT_LACK_RULE},
    {"estimate", ASSAY_MSG_AUDIT_LACK_ESTIMATE},
    {"premise", ASSAY_MSG_AUDIT_LACK_PREMISE},
    {"opinion", ASSAY_MSG_AUDIT_LACK_OPINION},
    {"source", ASSAY_MSG_AUDIT_LACK_SOURCE},
    {"rate", ASSAY_MSG_AUDIT_LACK_RATE},
};
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

struct audit_set {
    const char *name;
    assay_csv_t checks;
    audit_scope_t scope;
};

/* Value and unit of a claim's figure. */
static assay_status_t read_value(assay_arena_t *arena, const assay_claim_t *claim,
                                 audit_claim_t *out, const assay_place_t *at, assay_error_t *err) {
    char number[32];
    assay_text_from_double(number, claim->v);
    const bool plain = strcmp(claim->unit, "1") == 0;
    const char *text = assay_arena_printf(arena, "%s %s", number, plain ? "" : claim->unit);
    if (!text) {
        return assay_error_memory(err, at);
    }
    const char *literal = plain ? assay_arena_strdup(arena, number) : text;
    return literal ? audit_literal(arena, literal, at, &out->claimed, &out->unit, &out->unit_text,
                                   &out->rounding, err)
                   : assay_error_memory(err, at);
}

/* Names in an expression are ids of the same set. */
static assay_status_t find_claim(void *ctx, audit_scope_t *scope, const char *name,
                                 const assay_place_t *at, audit_value_t *out, bool *out_known,
                                 const char **out_missing, assay_error_t *err) {
    const audit_set_t *set = ctx;
    const assay_claim_t *claim = assay_catalog_claim(scope->catalog, set->name, name);
    audit_claim_t read;
    *out_missing = NULL;
    *out_known = true;
    if (!claim || !claim->has_value) {
        return assay_error_set(err, ASSAY_INPUT, at, "%s has no figure '%s'", set->name, name);
    }
    const assay_status_t status = read_value(scope->arena, claim, &read, at, err);
    *out = read.claimed;
    return status;
}

static assay_status_t refuse_check(const assay_place_t *at, const char *what, const char *text,
                                   assay_error_t *err) {
    return assay_error_set(err, ASSAY_INPUT, at, "%s '%s' is none that is known", what, text);
}

static const char *cell(const audit_set_t *set, uint32_t row, const char *column) {
    return assay_csv_cell(&set->checks, row, assay_csv_column(&set->checks, column));
}

static assay_status_t read_row(const audit_set_t *set, uint32_t row, audit_claim_t *out,
                               assay_error_t *err) {
    const char *check = cell(set, row, "check"), *lack = cell(set, row, "lack"),
               *tolerance = cell(set, row, "tolerance");
    const assay_place_t at = assay_csv_place(&set->checks, row);
    bool found = false;
    for (int i = 0; i < AUDIT_CHECK_N && !found; i++) {
        if (strcmp(check_name[i], check) == 0) {
            out->check = (audit_check_t)i;
            found = true;
        }
    }
    if (!found) {
        return refuse_check(&at, "check", check, err);
    }
    out->expression = cell(set, row, "expression");
    out->expression_at = at;
    out->what = cell(set, row, "what");
    out->open = cell(set, row, "open");
    if (tolerance[0] && !assay_text_to_double(tolerance, strlen(tolerance), &out->tolerance)) {
        return refuse_check(&at, "tolerance", tolerance, err);
    }
    if (out->check == AUDIT_NOTHING) {
        for (size_t i = 0; i < COUNT_OF(lacks); i++) {
            if (strcmp(lacks[i].name, lack) == 0) {
                out->lack = lacks[i].message;
                return ASSAY_OK;
            }
        }
        return refuse_check(&at, "lack", lack, err);
    }
    return ASSAY_OK;
}

assay_status_t audit_set_judge(audit_set_t *set, const assay_claim_t *from, assay_audited_t *out,
                               assay_error_t *err) {
    audit_claim_t claim = {.id = from->id,
                           .subject = from->subject,
                           .text = from->has_value ? from->quantity : from->text,
                           .source = from->source,
                           .at = {"claims.csv", 0, 0},
                           .has_claimed = from->has_value,
                           .unit_text = "1",
                           .unit = {.times = 1, .over = 1},
                           .tolerance = AUDIT_TOLERANCE,
                           .check = AUDIT_NOTHING,
                           .lack = ASSAY_MSG_AUDIT_LACK_SOURCE,
                           .what = "",
                           .open = "",
                           .about = ""};
    assay_status_t status = ASSAY_OK;
    uint32_t row = 0;
    while (row < set->checks.n_rows && (strcmp(cell(set, row, "set"), set->name) != 0 ||
                                        strcmp(cell(set, row, "id"), from->id) != 0)) {
        row++;
    }
    if (row < set->checks.n_rows) {
        status = read_row(set, row, &claim, err);
    } else if (from->field[0]) {
        claim.check = AUDIT_CATALOG;
        claim.expression = from->field;
        claim.expression_at = claim.at;
    }
    if (status == ASSAY_OK && claim.has_claimed) {
        const bool shown_only = claim.check == AUDIT_NOTHING;
        status = read_value(set->scope.arena, from, &claim, &claim.at, shown_only ? NULL : err);
        if (status == ASSAY_INPUT && shown_only) { /* "V": nothing is computed with it */
            claim.claimed = (audit_value_t){.low = from->v, .high = from->v};
            claim.unit_text = from->unit;
            claim.unit = (audit_unit_t){.times = 1, .over = 1};
            status = ASSAY_OK;
        }
    }
    return status == ASSAY_OK ? audit_judge(&set->scope, &claim, out, err) : status;
}

assay_status_t audit_set_open(assay_arena_t *arena, const assay_catalog_t *catalog,
                              const char *const *dir, uint32_t n_dir, const char *name,
                              audit_set_t **out_set, assay_error_t *err) {
    audit_set_t *set = assay_arena_alloc(arena, sizeof *set);
    audit_predictions_t *predictions = audit_predictions_create(arena, catalog, dir, n_dir);
    if (!set || !predictions) {
        return assay_error_memory(err, NULL);
    }
    *set = (audit_set_t){.name = name,
                         .scope = {.arena = arena,
                                   .catalog = catalog,
                                   .predictions = predictions,
                                   .find = find_claim,
                                   .ctx = set}};
    *out_set = set;
    return assay_data_table(arena, "claim_checks.csv", dir, n_dir, &set->checks, err);
}

assay_status_t assay_audit_set(assay_arena_t *arena, const assay_catalog_t *catalog,
                               const char *const *dir, uint32_t n_dir, const char *name,
                               assay_audit_t **out_audit, assay_error_t *err) {
    assay_audit_t *audit = assay_arena_alloc(arena, sizeof *audit);
    assay_audited_t *claim = assay_arena_array(arena, catalog->n_claim, sizeof *claim);
    if (!audit || !claim) {
        return assay_error_memory(err, NULL);
    }
    audit_set_t *set;
    assay_status_t status = audit_set_open(arena, catalog, dir, n_dir, name, &set, err);
    *audit = (assay_audit_t){.name = name, .about = "", .claim = claim};
    for (uint32_t i = 0; i < catalog->n_claim && status == ASSAY_OK; i++) {
        if (strcmp(catalog->claim[i].set, name) == 0) {
            assay_audited_t *out = &claim[audit->n_claim++];
            status = audit_set_judge(set, &catalog->claim[i], out, err);
            audit->n_verdict[out->verdict]++;
        }
    }
    if (status == ASSAY_OK && audit->n_claim == 0) {
        assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no set of claims \"%.60s\"", name);
        assay_error_next(err, "'assay catalog list claims' shows the sets; a file is given by its "
                              "name");
        return ASSAY_NOT_FOUND;
    }
    if (status == ASSAY_OK) {
        *out_audit = audit;
    }
    return status;
}
