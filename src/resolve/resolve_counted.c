/* Which terms of cost count: the job's word, else what is usual; of the others, why not. */
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

/* Words in money.terms that are no term. */
static const struct {
    const char *name;
    bool usual;
} set_row[] = {{"usual", true}, {"article", false}, {"none", false}};
#define N_SET (sizeof set_row / sizeof *set_row)

static const char *cell(const resolve_context_t *context, uint32_t row, const char *column) {
    return assay_csv_cell(&context->terms, row, assay_csv_column(&context->terms, column));
}

static bool is_named(const resolve_context_t *context, const char *term) {
    const assay_list_t *terms = &context->job->money.terms;
    const assay_string_t *name = terms->item;
    for (uint32_t i = 0; i < terms->n; i++) {
        if (assay_text_equal_fold(name[i].s, term)) {
            return true;
        }
    }
    return false;
}

/* The word that leaves the usual terms out; NULL: none does. */
static const char *named_set(const resolve_context_t *context) {
    for (size_t k = 0; k < N_SET; k++) {
        if (!set_row[k].usual && is_named(context, set_row[k].name)) {
            return set_row[k].name;
        }
    }
    return NULL;
}

assay_status_t resolve_terms_known(resolve_context_t *context) {
    enum { KNOWN_MAX = 64 };
    const assay_list_t *terms = &context->job->money.terms;
    const assay_string_t *name = terms->item;
    const char *known[KNOWN_MAX];
    uint32_t n_known = 0;
    const assay_status_t status =
        assay_data_table_keyed(context->arena, "money_terms.csv", context->catalog->dir,
                               context->catalog->n_dir, &context->terms, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (uint32_t row = 0; row < context->terms.n_rows && n_known < KNOWN_MAX - N_SET; row++) {
        known[n_known++] = cell(context, row, "term");
    }
    for (size_t k = 0; k < N_SET; k++) {
        known[n_known++] = set_row[k].name;
    }
    for (uint32_t i = 0; i < terms->n; i++) {
        uint32_t k = 0;
        while (k < n_known && !assay_text_equal_fold(known[k], name[i].s)) {
            k++;
        }
        if (k == n_known) {
            const char *near = assay_text_nearest(name[i].s, known, n_known);
            assay_error_set(context->err, ASSAY_INPUT, &name[i].at,
                            "money.terms knows no term '%s'", name[i].s);
            assay_error_next(context->err, near ? "did you mean '%s'?" : "the first is '%s'",
                             near ? near : known[0]);
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

bool resolve_asks(const resolve_context_t *context, const char *term) {
    const assay_job_t *job = context->job;
    const assay_number_t *option = job->money.option;
    if (is_named(context, term)) {
        return true;
    }
    for (int k = 0; k < ASSAY_OPTION_N; k++) {
        if (strcmp(resolve_option_term((assay_option_t)k), term) == 0 &&
            option[k].origin == ASSAY_GIVEN) {
            return true;
        }
    }
    if (strcmp(term, "storage") == 0) {
        return option[ASSAY_OPTION_STORED].origin == ASSAY_GIVEN;
    }
    if (strcmp(term, "egress") == 0) {
        return option[ASSAY_OPTION_EGRESS_BYTES].origin == ASSAY_GIVEN;
    }
    if (strcmp(term, "spot") != 0) {
        return false;
    }
    if (resolve_has_load(job)) {
        return true; /* spot is one of the ways to serve it */
    }
    const assay_job_candidate_t *candidate = job->candidates.item;
    for (uint32_t i = 0; i < job->candidates.n; i++) {
        if (candidate[i].pricing.origin == ASSAY_GIVEN &&
            candidate[i].pricing.v == ASSAY_PRICING_SPOT) {
            return true;
        }
    }
    return false;
}

/* Whether some candidate can have the term. */
static bool applies(const resolve_context_t *context, uint32_t row) {
    const bool all = resolve_has_load(context->job); /* bought and rented alike */
    const char *of = cell(context, row, "of");
    return strcmp(of, "owned") == 0    ? all || context->owns
           : strcmp(of, "rented") == 0 ? all || context->rents
                                       : true;
}

/* Is a stop to be expected, however fast the run is? */
static bool is_long(const resolve_context_t *context) {
    return context->package_h > 0.0 && context->package_h >= context->stop_h;
}

bool resolve_is_usual(const resolve_context_t *context, const char *term) {
    const assay_job_t *job = context->job;
    if (named_set(context) ||
        (strcmp(term, "colocation") == 0 && resolve_asks(context, "facility")) ||
        (strcmp(term, "network") == 0 && resolve_asks(context, "ports")) ||
        (strcmp(term, "storage") == 0 && job->data.raw_bytes.origin != ASSAY_GIVEN)) {
        return false;
    }
    if (strcmp(term, "goodput") == 0) {
        return is_long(context);
    }
    for (uint32_t row = 0; row < context->terms.n_rows; row++) {
        if (strcmp(cell(context, row, "term"), term) == 0) {
            return strcmp(cell(context, row, "usual"), "yes") == 0 && applies(context, row);
        }
    }
    return false;
}

static bool counts(const assay_money_input_t *money, const char *term) {
    for (int k = 0; k < ASSAY_OPTION_N; k++) {
        if (money->option[k].known && k != ASSAY_OPTION_INTENSITY && k != ASSAY_OPTION_LIFE &&
            strcmp(resolve_option_term((assay_option_t)k), term) == 0) {
            return true;
        }
    }
    return false;
}

assay_status_t resolve_note_uncounted(resolve_context_t *context,
                                      const assay_money_input_t *money) {
    const char *set = named_set(context);
    assay_status_t status = ASSAY_OK;
    for (uint32_t row = 0; row < context->terms.n_rows && status == ASSAY_OK; row++) {
        const char *term = cell(context, row, "term");
        const char *why = cell(context, row, "why_not");
        const bool by_port = strcmp(term, "network") == 0 && counts(money, "ports");
        if (counts(money, term) || by_port || !applies(context, row)) {
            continue;
        }
        if (set && strcmp(cell(context, row, "usual"), "yes") == 0) {
            why = RESOLVE_SAY(context, TERMS_SET, set);
        }
        const char *subject = assay_arena_printf(context->arena, "money.terms.%s", term);
        status = subject && why ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject,
                                               "not counted", why, NULL)
                                : resolve_no_memory(context);
    }
    return status;
}
