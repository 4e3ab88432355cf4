/* Uncertain inputs that move together: pairs become groups, each with one Gaussian copula. */
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

#define MEMBERS (ASSAY_CORRELATION_GROUPS * ASSAY_COPULA_MAX)
#define PAIRS_MAX (ASSAY_CORRELATION_GROUPS * ASSAY_COPULA_MAX * (ASSAY_COPULA_MAX - 1) / 2)
#define RHO_MOST 0.99

static const struct {
    const char *name;
    bool drawn, common;
} draw_row[ASSAY_DRAW_N] = {
#define DRAW_ROW(code, name, what, common) [ASSAY_DRAW_##code] = {name, true, common},
    ASSAY_DRAW_LIST(DRAW_ROW)
#undef DRAW_ROW
#define OPTION_ROW(code, key, dim, scale, least, most, drawn, term, help) \
    [ASSAY_DRAW_OPTION + ASSAY_OPTION_##code] = {key, drawn, true},
        ASSAY_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

typedef struct {
    uint32_t a, b; /* of the members */
    double rho;
    assay_place_t at;
    bool given; /* by the job; else the table's */
} pair_t;

typedef struct {
    resolve_context_t *context;
    const assay_resolved_t *resolved;
    assay_draw_member_t member[MEMBERS];
    uint32_t group_of[MEMBERS]; /* the least member that it is joined with */
    uint32_t n_member;
    pair_t pair[PAIRS_MAX];
    uint32_t n_pair;
} work_t;

/* ---- names ---- */

static assay_status_t refuse_name(const work_t *w, const assay_place_t *at, const char *name,
                                  size_t n) {
    const char *known[ASSAY_DRAW_N];
    char head[64];
    uint32_t n_known = 0;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        if (draw_row[d].drawn) {
            known[n_known++] = draw_row[d].name;
        }
    }
    n = n < sizeof head - 1 ? n : sizeof head - 1;
    memcpy(head, name, n);
    head[n] = '\0';
    const char *near = assay_text_nearest(head, known, n_known);
    assay_error_set(w->context->err, ASSAY_INPUT, at, "there is no uncertain input '%s'", head);
    assay_error_next(w->context->err, near ? "did you mean '%s'?" : "the first is '%s'",
                     near ? near : known[0]);
    return ASSAY_INPUT;
}

static assay_status_t find_candidate(const work_t *w, const assay_place_t *at, const char *id,
                                     int32_t *out) {
    for (uint32_t c = 0; c < w->resolved->n_machine; c++) {
        if (assay_text_equal_fold(w->resolved->machine[c].id, id)) {
            *out = (int32_t)c;
            return ASSAY_OK;
        }
    }
    assay_error_set(w->context->err, ASSAY_INPUT, at, "no candidate is called '%s'", id);
    assay_error_next(w->context->err, "the first is '%s'", w->resolved->machine[0].id);
    return ASSAY_INPUT;
}

/* "electricity_usd_kwh", "price:8x-h100-sxm" */
static assay_status_t read_name(const work_t *w, const assay_string_t *name,
                                assay_draw_member_t *out) {
    const char *colon = strchr(name->s, ':');
    const size_t n = colon ? (size_t)(colon - name->s) : strlen(name->s);
    int draw = 0;
    while (draw < ASSAY_DRAW_N && !(draw_row[draw].drawn && strlen(draw_row[draw].name) == n &&
                                    strncmp(draw_row[draw].name, name->s, n) == 0)) {
        draw++;
    }
    if (draw == ASSAY_DRAW_N) {
        return refuse_name(w, &name->at, name->s, n);
    }
    *out = (assay_draw_member_t){(uint8_t)draw, -1};
    if (draw_row[draw].common == !colon) {
        return colon ? find_candidate(w, &name->at, colon + 1, &out->candidate) : ASSAY_OK;
    }
    assay_error_set(w->context->err, ASSAY_INPUT, &name->at,
                    colon ? "'%s' is the same for all candidates" : "'%s' is of one candidate",
                    draw_row[draw].name);
    assay_error_next(w->context->err, colon ? "write %s" : "write %s:CANDIDATE",
                     draw_row[draw].name);
    return ASSAY_INPUT;
}

/* ---- pairs ---- */

static assay_status_t refuse_many(const work_t *w, const assay_place_t *at) {
    assay_error_set(w->context->err, ASSAY_LIMIT, at,
                    "at most %d inputs can move together, in at most %u groups", ASSAY_COPULA_MAX,
                    ASSAY_CORRELATION_GROUPS);
    assay_error_next(w->context->err, "leave the weakest correlations out");
    return ASSAY_LIMIT;
}

static assay_status_t add_member(work_t *w, const assay_draw_member_t *member,
                                 const assay_place_t *at, uint32_t *out_index) {
    for (uint32_t k = 0; k < w->n_member; k++) {
        if (w->member[k].draw == member->draw && w->member[k].candidate == member->candidate) {
            *out_index = k;
            return ASSAY_OK;
        }
    }
    if (w->n_member == MEMBERS) {
        return refuse_many(w, at);
    }
    w->group_of[w->n_member] = w->n_member;
    w->member[w->n_member] = *member;
    *out_index = w->n_member++;
    return ASSAY_OK;
}

static void join(work_t *w, uint32_t a, uint32_t b) {
    const uint32_t x = w->group_of[a], y = w->group_of[b];
    const uint32_t from = x > y ? x : y, to = x > y ? y : x;
    for (uint32_t k = 0; k < w->n_member; k++) {
        w->group_of[k] = w->group_of[k] == from ? to : w->group_of[k];
    }
}

static assay_status_t add_pair(work_t *w, const assay_string_t *of, const assay_string_t *with,
                               double rho, bool given) {
    assay_draw_member_t a, b;
    pair_t pair = {.rho = rho, .at = with->at, .given = given};
    assay_status_t status = read_name(w, of, &a);
    status = status ? status : read_name(w, with, &b);
    status = status ? status : add_member(w, &a, &of->at, &pair.a);
    status = status ? status : add_member(w, &b, &with->at, &pair.b);
    if (status != ASSAY_OK) {
        return status;
    }
    if (pair.a == pair.b) {
        assay_error_set(w->context->err, ASSAY_INPUT, &with->at,
                        "'%s' cannot be correlated with itself", with->s);
        assay_error_next(w->context->err, "name two inputs");
        return ASSAY_INPUT;
    }
    join(w, pair.a, pair.b);
    for (uint32_t k = 0; k < w->n_pair; k++) {
        pair_t *other = &w->pair[k];
        if (!(other->a == pair.a && other->b == pair.b) &&
            !(other->a == pair.b && other->b == pair.a)) {
            continue;
        }
        if (given && !other->given) {
            *other = pair; /* the job's word */
            return ASSAY_OK;
        }
        assay_error_set(w->context->err, ASSAY_INPUT, &with->at,
                        "the correlation of '%s' with '%s' is given twice", of->s, with->s);
        assay_error_next(w->context->err, "keep one of them");
        return ASSAY_INPUT;
    }
    if (w->n_pair == PAIRS_MAX) {
        return refuse_many(w, &with->at);
    }
    w->pair[w->n_pair++] = pair;
    return ASSAY_OK;
}

static assay_status_t add_defaults(work_t *w) {
    resolve_context_t *context = w->context;
    assay_csv_t table;
    assay_status_t status =
        assay_data_table(context->arena, "correlations.csv", context->catalog->dir,
                         context->catalog->n_dir, &table, context->err);
    for (uint32_t row = 0; status == ASSAY_OK && row < table.n_rows; row++) {
        const assay_place_t at = assay_csv_place(&table, row);
        const assay_string_t of = {assay_csv_cell(&table, row, assay_csv_column(&table, "of")),
                                   ASSAY_DEFAULT, at};
        const assay_string_t with = {assay_csv_cell(&table, row, assay_csv_column(&table, "with")),
                                     ASSAY_DEFAULT, at};
        const char *text = assay_csv_cell(&table, row, assay_csv_column(&table, "rho"));
        double rho;
        if (!assay_text_to_double(text, strlen(text), &rho) || !(rho >= -RHO_MOST) ||
            !(rho <= RHO_MOST)) {
            return assay_error_set(context->err, ASSAY_INPUT, &at,
                                   "rho is \"%s\", expected a number from -0.99 to 0.99", text);
        }
        status = add_pair(w, &of, &with, rho, false);
    }
    return status;
}

/* ---- groups ---- */

/* The copula of the group whose least member is `first`. */
static assay_status_t add_group(const work_t *w, uint32_t first, assay_correlations_t *io) {
    double matrix[ASSAY_COPULA_MAX][ASSAY_COPULA_MAX] = {{0}};
    uint32_t place[MEMBERS] = {0}, n = 0;
    const assay_place_t *at = NULL;
    if (io->n == ASSAY_CORRELATION_GROUPS) {
        return refuse_many(w, NULL);
    }
    for (uint32_t k = first; k < w->n_member; k++) {
        if (w->group_of[k] != first) {
            continue;
        }
        if (n == ASSAY_COPULA_MAX) {
            return refuse_many(w, at);
        }
        matrix[n][n] = 1.0;
        io->group[io->n].member[n] = w->member[k];
        place[k] = n++;
    }
    for (uint32_t p = 0; p < w->n_pair; p++) {
        const pair_t *pair = &w->pair[p];
        if (w->group_of[pair->a] == first) {
            matrix[place[pair->a]][place[pair->b]] = matrix[place[pair->b]][place[pair->a]] =
                pair->rho;
            at = pair->given ? &pair->at : at;
        }
    }
    if (!assay_copula_set(&io->group[io->n].copula, n, matrix)) {
        assay_error_set(w->context->err, ASSAY_INPUT, at,
                        "these correlations cannot hold together: the matrix of the %u inputs that "
                        "'%s' belongs to is not positive definite",
                        n, draw_row[w->member[first].draw].name);
        assay_error_next(w->context->err,
                         "bring them nearer to 0, or give those between the others of the group");
        return ASSAY_INPUT;
    }
    io->n++;
    return ASSAY_OK;
}

assay_status_t resolve_correlations(resolve_context_t *context, assay_resolved_t *resolved) {
    const assay_list_t *list = &context->job->analysis.correlations;
    const assay_job_correlation_t *item = list->item;
    work_t *w = assay_arena_alloc(context->arena, sizeof *w);
    assay_correlations_t *out = assay_arena_alloc(context->arena, sizeof *out);
    if (!w || !out) {
        return resolve_no_memory(context);
    }
    memset(w, 0, sizeof *w);
    memset(out, 0, sizeof *out);
    w->context = context;
    w->resolved = resolved;
    assay_status_t status = add_defaults(w);
    for (uint32_t i = 0; i < list->n && status == ASSAY_OK; i++) {
        status = add_pair(w, &item[i].of, &item[i].with, item[i].rho.v, true);
    }
    for (uint32_t k = 0; k < w->n_member && status == ASSAY_OK; k++) {
        if (w->group_of[k] == k) {
            status = add_group(w, k, out);
        }
    }
    resolved->money.correlations = out;
    return status;
}
