/* data/rules.csv asked of this job. Rules explain; money decides. */
#include "decide/answers.h"

#include "assay/catalog.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

#define CONDITIONS_MAX 4
#define PART_BYTES 64 /* of a cell's part, its NUL included */
#define RULE_COLUMN_LIST(X)   \
    X(ID, "id")               \
    X(GROUP, "group")         \
    X(TEXT, "text")           \
    X(ANSWER, "answer")       \
    X(OP, "op")               \
    X(THRESHOLD, "threshold") \
    X(UNIT, "unit")           \
    X(FAVOURS, "favours")     \
    X(HINT, "unknown_hint")   \
    X(REMARK, "remark")       \
    X(SOURCE, "source")
enum {
#define COLUMN_ENUM(code, name) COLUMN_##code,
    RULE_COLUMN_LIST(COLUMN_ENUM)
#undef COLUMN_ENUM
        COLUMN_N
};
static const char *const column_name[COLUMN_N] = {
#define COLUMN_NAME(code, name) [COLUMN_##code] = name,
    RULE_COLUMN_LIST(COLUMN_NAME)
#undef COLUMN_NAME
};

static const char *const group_name[] = {"condition", "interaction", "recommended", "defer"};
enum { GROUP_CONDITION, GROUP_INTERACTION, GROUP_RECOMMENDED, GROUP_DEFER, GROUP_N };

/* One row of the table, text still. */
typedef struct {
    const char *cell[COLUMN_N];
    assay_place_t at;
} rule_row_t;

/* Part i of "a;b;c" into out; false: no such part, or it is longer than out. */
static bool list_part(const char *list, uint32_t i, char out[PART_BYTES]) {
    for (; i > 0; i--) {
        list = strchr(list, ';');
        if (!list) {
            return false;
        }
        list++;
    }
    const size_t n = strcspn(list, ";");
    if (n >= PART_BYTES) {
        return false;
    }
    memcpy(out, list, n);
    out[n] = '\0';
    return true;
}

static bool holds(const char *op, double v, double threshold, bool *out) {
    const struct {
        const char *op;
        bool holds;
    } row[] = {{">", v > threshold},
               {">=", v >= threshold},
               {"<", v < threshold},
               {"<=", v <= threshold},
               {"=", !(v < threshold) && !(v > threshold)}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        if (strcmp(row[k].op, op) == 0) {
            *out = row[k].holds;
            return true;
        }
    }
    return false;
}

/* One of a rule's conditions. */
typedef struct {
    assay_answer_id_t answer;
    double threshold;
    char op[PART_BYTES];
} rule_condition_t;

static assay_status_t read_condition(const rule_row_t *row, uint32_t i, rule_condition_t *out,
                                     assay_error_t *err) {
    char answer[PART_BYTES], number[PART_BYTES], unit[PART_BYTES];
    bool ignored;
    if (!list_part(row->cell[COLUMN_ANSWER], i, answer) ||
        !list_part(row->cell[COLUMN_OP], i, out->op) ||
        !list_part(row->cell[COLUMN_THRESHOLD], i, number) ||
        !list_part(row->cell[COLUMN_UNIT], i, unit)) {
        return assay_error_set(err, ASSAY_INPUT, &row->at,
                               "rule %s needs as many parts (a;b) in answer, op, threshold and "
                               "unit, each shorter than %d bytes",
                               row->cell[COLUMN_ID], PART_BYTES);
    }
    if (!assay_decide_answer_find(answer, &out->answer)) {
        return assay_error_set(err, ASSAY_INPUT, &row->at,
                               "rule %s asks for \"%s\", which nobody "
                               "answers",
                               row->cell[COLUMN_ID], answer);
    }
    if (!holds(out->op, 0.0, 0.0, &ignored)) {
        return assay_error_set(
            err, ASSAY_INPUT, &row->at,
            "rule %s has op \"%s\", expected one of > >= < <= =", row->cell[COLUMN_ID], out->op);
    }
    return assay_decide_answer_threshold(out->answer, number, unit, &row->at, &out->threshold, err);
}

static const char *join(assay_decide_ctx_t *ctx, const char *list, const char *text) {
    return list ? SAY(ctx, DECIDE_JOIN, list, text) : text;
}

/* The job's key that answers condition i; some answers have none: they are predicted. */
static const char *unknown_text(assay_decide_ctx_t *ctx, const rule_row_t *row, uint32_t i) {
    char hint[PART_BYTES];
    return list_part(row->cell[COLUMN_HINT], i, hint) && *hint
               ? SAY(ctx, DECIDE_EVIDENCE_UNKNOWN, assay_decide_phrase(ctx, hint))
               : SAY0(ctx, DECIDE_EVIDENCE_NO_PREDICTION);
}

/* NO wins over UNKNOWN, UNKNOWN over YES. */
static assay_status_t ask(assay_decide_ctx_t *ctx, const rule_row_t *row,
                          const assay_decide_answer_t answer[ASSAY_ANSWER_N], assay_rule_t *rule,
                          assay_error_t *err) {
    uint32_t n = 1;
    for (const char *p = row->cell[COLUMN_ANSWER]; (p = strchr(p, ';')); p++) {
        n++;
    }
    if (n > CONDITIONS_MAX) {
        return assay_error_set(err, ASSAY_INPUT, &row->at, "rule %s has more than %d conditions",
                               row->cell[COLUMN_ID], CONDITIONS_MAX);
    }
    bool any_no = false, any_unknown = false;
    for (uint32_t i = 0; i < n; i++) {
        rule_condition_t condition;
        const assay_status_t status = read_condition(row, i, &condition, err);
        if (status) {
            return status;
        }
        const assay_decide_answer_t *a = &answer[condition.answer];
        if (n == 1) {
            rule->threshold = condition.threshold;
            rule->has_value = a->known && isfinite(a->v);
            rule->value = rule->has_value ? a->v : 0.0;
        }
        bool yes = true;
        if (a->known) {
            (void)holds(condition.op, a->v, condition.threshold, &yes);
        }
        rule->evidence = join(ctx, rule->evidence, a->known ? a->text : unknown_text(ctx, row, i));
        any_no |= !yes;
        any_unknown |= !a->known;
    }
    rule->state = any_no ? ASSAY_RULE_NO : any_unknown ? ASSAY_RULE_UNKNOWN : ASSAY_RULE_YES;
    return ASSAY_OK;
}

static int group_of(const char *name) {
    for (int k = 0; k < GROUP_N; k++) {
        if (strcmp(group_name[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

static assay_status_t read_rule(assay_decide_ctx_t *ctx, const rule_row_t *row,
                                const assay_decide_answer_t answer[ASSAY_ANSWER_N],
                                assay_rule_t *rule, assay_error_t *err) {
    const char *favours = row->cell[COLUMN_FAVOURS];
    if (strcmp(favours, "move") != 0 && strcmp(favours, "stay") != 0) {
        return assay_error_set(err, ASSAY_INPUT, &row->at,
                               "rule %s favours \"%s\", expected move or stay",
                               row->cell[COLUMN_ID], favours);
    }
    if (group_of(row->cell[COLUMN_GROUP]) < 0) {
        return assay_error_set(err, ASSAY_INPUT, &row->at,
                               "rule %s is of group \"%s\", expected condition, interaction, "
                               "recommended or defer",
                               row->cell[COLUMN_ID], row->cell[COLUMN_GROUP]);
    }
    *rule = (assay_rule_t){.id = row->cell[COLUMN_ID],
                           .group = row->cell[COLUMN_GROUP],
                           .text = assay_decide_phrase(ctx, row->cell[COLUMN_TEXT]),
                           .source = assay_decide_phrase(ctx, row->cell[COLUMN_SOURCE]),
                           .favours_move = strcmp(favours, "move") == 0};
    return ask(ctx, row, answer, rule, err);
}

/* What the article's rules add up to. */
typedef enum { RULES_OPEN, RULES_MOVE, RULES_STAY } rules_side_t;

typedef struct {
    uint32_t n[GROUP_N][3]; /* by group and assay_rule_state_t */
    const assay_rule_t *first[GROUP_N][3];
    const char *remark;  /* of the rules that fail */
    const char *unknown; /* evidence of the unknown conditions */
} rules_tally_t;

static void tally_add(assay_decide_ctx_t *ctx, rules_tally_t *tally, const assay_rule_t *rule,
                      const char *remark) {
    const int group = group_of(rule->group);
    if (tally->n[group][rule->state]++ == 0) {
        tally->first[group][rule->state] = rule;
    }
    if (rule->state == ASSAY_RULE_NO && *remark) {
        tally->remark = join(ctx, tally->remark, assay_decide_phrase(ctx, remark));
    }
    if (rule->state == ASSAY_RULE_UNKNOWN && group == GROUP_CONDITION) {
        tally->unknown = join(ctx, tally->unknown, rule->text);
    }
}

/* The article's reading: what it says to defer stays; else all its conditions (or their
   interaction) make the move, one that fails prevents it, and what is unknown leaves it open. */
static rules_side_t side_of(assay_decide_ctx_t *ctx, const rules_tally_t *tally,
                            const char **out_why) {
    const uint32_t *condition = tally->n[GROUP_CONDITION];
    const assay_rule_t *deferred = tally->first[GROUP_DEFER][ASSAY_RULE_YES];
    const assay_rule_t *failed = tally->first[GROUP_CONDITION][ASSAY_RULE_NO];
    const assay_rule_t *interaction = tally->first[GROUP_INTERACTION][ASSAY_RULE_YES];
    if (deferred) {
        *out_why = deferred->text;
        return RULES_STAY;
    }
    if (failed && interaction) {
        *out_why = interaction->text;
        return RULES_MOVE;
    }
    if (failed) {
        *out_why = SAY(ctx, DECIDE_RULES_WHY_FAILED, failed->text, failed->evidence);
        return RULES_STAY;
    }
    if (condition[ASSAY_RULE_UNKNOWN] > 0 || condition[ASSAY_RULE_YES] == 0) {
        *out_why = SAY(ctx, DECIDE_RULES_WHY_UNKNOWN, tally->unknown ? tally->unknown : "-");
        return RULES_OPEN;
    }
    *out_why = SAY0(ctx, DECIDE_RULES_WHY_ALL);
    return RULES_MOVE;
}

/* "3 of 7": how many of a group's rules hold. */
static const char *share_text(assay_decide_ctx_t *ctx, const uint32_t n[3]) {
    const double all = n[ASSAY_RULE_YES] + n[ASSAY_RULE_NO] + n[ASSAY_RULE_UNKNOWN];
    return SAY(ctx, DECIDE_RULES_SHARE,
               assay_decide_format(ctx, n[ASSAY_RULE_YES], ASSAY_DIM_COUNT),
               assay_decide_format(ctx, all, ASSAY_DIM_COUNT));
}

static const char *compare_with_money(assay_decide_ctx_t *ctx, const rules_tally_t *tally) {
    assay_decision_t *decision = ctx->out;
    if (decision->choice < 0) {
        return SAY0(ctx, DECIDE_RULES_NO_CHOICE);
    }
    if (ctx->mover < 0) {
        return SAY0(ctx, DECIDE_RULES_NO_MOVER);
    }
    const char *why;
    const rules_side_t side = side_of(ctx, tally, &why);
    const char *choice = assay_decide_id(ctx, decision->choice);
    if (side == RULES_OPEN) {
        return SAY(ctx, DECIDE_RULES_OPEN, why, choice);
    }
    decision->rules_decided = true;
    decision->rules_agree =
        (side == RULES_MOVE) == decision->candidate[decision->choice].money_case.moves;
    if (decision->rules_agree) {
        return SAY(ctx, DECIDE_RULES_AGREE, choice, why);
    }
    return side == RULES_MOVE ? SAY(ctx, DECIDE_RULES_FOR_MOVE, why, choice)
                              : SAY(ctx, DECIDE_RULES_AGAINST_MOVE, why, choice);
}

assay_status_t assay_decide_rules(assay_decide_ctx_t *ctx, assay_error_t *err) {
    assay_decision_t *decision = ctx->out;
    assay_csv_t table;
    assay_status_t status = assay_data_table_keyed(ctx->arena, "rules.csv", ctx->data_dir,
                                                   ctx->n_data_dir, &table, err);
    if (status) {
        return status;
    }
    int column[COLUMN_N];
    for (int k = 0; k < COLUMN_N; k++) {
        column[k] = assay_csv_column(&table, column_name[k]);
        if (column[k] < 0) {
            return assay_error_set(err, ASSAY_INPUT, &(assay_place_t){table.file, 1, 0},
                                   "no column \"%s\"", column_name[k]);
        }
    }
    decision->rule = assay_arena_array(ctx->arena, table.n_rows, sizeof *decision->rule);
    if (!decision->rule) {
        ctx->failed = true;
        return ASSAY_OK;
    }
    assay_decide_answer_t answer[ASSAY_ANSWER_N];
    assay_decide_answers(ctx, answer);
    rules_tally_t tally = {0};
    for (uint32_t r = 0; r < table.n_rows; r++) {
        rule_row_t row = {.at = assay_csv_place(&table, r)};
        for (int k = 0; k < COLUMN_N; k++) {
            row.cell[k] = assay_csv_cell(&table, r, column[k]);
        }
        assay_rule_t *rule = &decision->rule[decision->n_rule++];
        status = read_rule(ctx, &row, answer, rule, err);
        if (status) {
            return status;
        }
        tally_add(ctx, &tally, rule, row.cell[COLUMN_REMARK]);
    }
    if (ctx->mover < 0) { /* nothing for them to speak about */
        decision->rules_sentence = compare_with_money(ctx, &tally);
        return ASSAY_OK;
    }
    decision->rules_sentence =
        SAY(ctx, DECIDE_RULES, compare_with_money(ctx, &tally),
            share_text(ctx, tally.n[GROUP_CONDITION]), share_text(ctx, tally.n[GROUP_RECOMMENDED]),
            share_text(ctx, tally.n[GROUP_DEFER]));
    if (tally.remark) {
        decision->rules_sentence =
            SAY(ctx, DECIDE_RULES_REMARK, decision->rules_sentence, tally.remark);
    }
    return ASSAY_OK;
}
