/* Terms of cost that only a job that asks for them has; currency, site, depreciation. */
#include <math.h>
#include <string.h>

#include "base/det_math.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

static const struct {
    const char *key; /* "money.network_share" */
    const char *term;
    assay_dim_t dim;
} option_row[ASSAY_OPTION_N] = {
#define OPTION_ROW(code, name, dimension, scale, least, most, drawn, asked, help) \
    [ASSAY_OPTION_##code] = {"money." name, asked, ASSAY_DIM_##dimension},
    ASSAY_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

const char *resolve_option_term(assay_option_t option) {
    return option_row[option].term;
}

static bool is_given(const assay_job_money_t *money, int option) {
    return money->option[option].origin == ASSAY_GIVEN;
}

/* A figure that is asked for and that nobody gives. */
static assay_status_t refuse_missing(resolve_context_t *context, const char *term,
                                     const char *key) {
    const assay_list_t *terms = &context->job->money.terms;
    const assay_place_t *at = terms->n > 0 ? &terms->at : &context->job->at;
    assay_error_set(context->err, ASSAY_INPUT, at,
                    "the cost of '%s' needs a figure that has no default", term);
    assay_error_next(context->err, "give %s", key);
    return ASSAY_INPUT;
}

/* The site's country or state; without one what the price of electricity is of. */
static const char *place_of(const assay_energy_t *site) {
    return site ? site->code : "USA";
}

static assay_status_t take_default(resolve_context_t *context, const assay_energy_t *site,
                                   int option, assay_fact_t *out) {
    const assay_status_t status =
        resolve_default_at(context, option_row[option].key, place_of(site), out);
    const char *text = option == ASSAY_OPTION_MTBF && !resolve_asks(context, "goodput")
                           ? assay_message(context->locale.lang, ASSAY_MSG_RESOLVE_LONG_RUN)
                           : NULL;
    return status == ASSAY_OK && out->known
               ? resolve_assume(context, option_row[option].key, option_row[option].dim, out, text)
               : status;
}

/* How much is stored or leaves the cloud is the job's to say. */
static assay_status_t need_bytes(resolve_context_t *context, assay_money_input_t *io) {
    static const struct {
        int price, amount;
    } pair[] = {{ASSAY_OPTION_STORAGE, ASSAY_OPTION_STORED},
                {ASSAY_OPTION_EGRESS, ASSAY_OPTION_EGRESS_BYTES}};
    const assay_number_t *raw = &context->job->data.raw_bytes;
    assay_fact_t *stored = &io->option[ASSAY_OPTION_STORED];
    if (io->option[ASSAY_OPTION_STORAGE].known && !stored->known && raw->origin == ASSAY_GIVEN) {
        *stored = assay_fact_exact(raw->v, "data.raw_bytes");
    }
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        if (io->option[pair[k].price].known && !io->option[pair[k].amount].known) {
            return refuse_missing(context, option_row[pair[k].price].term,
                                  option_row[pair[k].amount].key);
        }
    }
    return ASSAY_OK;
}

/* Whether the default of an option counts where the job does not give it. */
static bool takes_default(const resolve_context_t *context, int option) {
    const assay_job_money_t *money = &context->job->money;
    const char *term = option_row[option].term;
    switch (option) {
    case ASSAY_OPTION_CHECKPOINT:
    case ASSAY_OPTION_RESTART:
        return resolve_asks(context, "goodput") || resolve_asks(context, "spot") ||
               resolve_is_usual(context, "goodput");
    case ASSAY_OPTION_NETWORK_SHARE: /* where ports are not priced */
        return !resolve_asks(context, "ports") &&
               (resolve_asks(context, term) || resolve_is_usual(context, term));
    case ASSAY_OPTION_SWITCH_PORT: /* a network without switches, or with those of the job */
    case ASSAY_OPTION_SWITCH_RADIX:
        return resolve_asks(context, term) && !is_given(money, ASSAY_OPTION_NETWORK_PORT);
    default:
        return term[0] != '\0' && (resolve_asks(context, term) || resolve_is_usual(context, term));
    }
}

static assay_status_t take_options(resolve_context_t *context, const assay_energy_t *site,
                                   assay_money_input_t *io) {
    const assay_job_money_t *money = &context->job->money;
    assay_fact_t mean_h;
    const assay_status_t known = resolve_default(context, "money.gpu_hours_per_stop", &mean_h);
    if (known != ASSAY_OK) {
        return known;
    }
    context->stop_h = mean_h.known ? mean_h.v : (double)INFINITY;
    for (int k = 0; k < ASSAY_OPTION_N; k++) {
        assay_fact_t *out = &io->option[k];
        const char *term = option_row[k].term;
        *out = assay_fact_unknown();
        if (k == ASSAY_OPTION_CHECKPOINT && is_given(money, ASSAY_OPTION_CHECKPOINT_RATE)) {
            continue; /* follows from the rate */
        }
        if (is_given(money, k)) {
            *out = resolve_given(&money->option[k]);
            continue;
        }
        if (k == ASSAY_OPTION_INTENSITY && site && site->carbon_g_per_kwh.known) {
            *out = site->carbon_g_per_kwh;
            continue;
        }
        if (!takes_default(context, k)) {
            continue;
        }
        const assay_status_t status = take_default(context, site, k, out);
        if (status != ASSAY_OK) {
            return status;
        }
        /* a figure that only goes with one that is given may stay unknown */
        bool alone = resolve_asks(context, term);
        for (int other = 0; other < ASSAY_OPTION_N; other++) {
            alone &= !(strcmp(option_row[other].term, term) == 0 && is_given(money, other));
        }
        if (!out->known && alone) {
            return refuse_missing(context, term, option_row[k].key);
        }
    }
    if (io->option[ASSAY_OPTION_FACILITY].known && io->option[ASSAY_OPTION_COLOCATION].known) {
        const assay_number_t *at = &money->option[ASSAY_OPTION_COLOCATION];
        assay_error_set(context->err, ASSAY_INPUT,
                        at->origin == ASSAY_GIVEN ? &at->at : &context->job->at,
                        "the data centre is either paid for as capital (facility) or rented "
                        "(colocation), not both");
        assay_error_next(context->err, "leave one of the two out");
        return ASSAY_INPUT;
    }
    if (is_given(money, ASSAY_OPTION_CHECKPOINT) && is_given(money, ASSAY_OPTION_CHECKPOINT_RATE)) {
        assay_error_set(context->err, ASSAY_INPUT, &money->option[ASSAY_OPTION_CHECKPOINT_RATE].at,
                        "the time of a checkpoint is given, or follows from a rate, not both");
        assay_error_next(context->err, "leave checkpoint_s or checkpoint_gb_s out");
        return ASSAY_INPUT;
    }
    return need_bytes(context, io);
}

assay_status_t resolve_currency(resolve_context_t *context) {
    assay_locale_t *locale = &context->locale;
    const assay_job_money_t *money = &context->job->money;
    const assay_catalog_t *catalog = context->catalog;
    assay_csv_t table;
    locale->currency = money->currency.s;
    locale->per_usd = 1.0;
    if (strcmp(locale->currency, "USD") == 0) {
        return ASSAY_OK;
    }
    if (money->currency_per_usd.origin == ASSAY_GIVEN) {
        locale->per_usd = money->currency_per_usd.v;
        context->fx_source = "job";
        return ASSAY_OK;
    }
    const assay_status_t status = assay_data_table_keyed(context->arena, "fx.csv", catalog->dir,
                                                         catalog->n_dir, &table, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (uint32_t row = 0; row < table.n_rows; row++) {
        if (strcmp(assay_csv_cell(&table, row, assay_csv_column(&table, "currency")),
                   locale->currency) != 0) {
            continue;
        }
        const assay_place_t at = assay_csv_place(&table, row);
        const char *rate = assay_csv_cell(&table, row, assay_csv_column(&table, "per_usd"));
        if (!assay_text_to_double(rate, strlen(rate), &locale->per_usd) ||
            !(locale->per_usd >= 1e-6 && locale->per_usd <= 1e6)) {
            return assay_error_set(context->err, ASSAY_INPUT, &at,
                                   "per_usd is \"%s\", expected a number from 1e-6 to 1e6", rate);
        }
        context->fx_date = assay_csv_cell(&table, row, assay_csv_column(&table, "date"));
        context->fx_source = assay_csv_cell(&table, row, assay_csv_column(&table, "source"));
        const char *value = RESOLVE_SAY(context, FX, rate, locale->currency, context->fx_date);
        return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, "money.currency", value,
                                    context->fx_source, NULL)
                     : resolve_no_memory(context);
    }
    assay_error_set(context->err, ASSAY_INPUT, &money->currency.at, "fx.csv has no rate of %s",
                    locale->currency);
    assay_error_next(context->err, "give money.currency_per_usd");
    return ASSAY_INPUT;
}

/* ---- value over time ---- */

/* Between two points of a curve the share falls at one rate, beyond the last at the last rate. */
static double share_at(const double *year, const double *share, uint32_t n, double at) {
    uint32_t k = 1;
    while (k + 1 < n && year[k] < at) {
        k++;
    }
    const double rate = assay_det_log(share[k] / share[k - 1]) / (year[k] - year[k - 1]);
    return share[k - 1] * assay_det_exp(rate * (at - year[k - 1]));
}

static assay_status_t read_curve(resolve_context_t *context, const char *curve, double *year,
                                 double *share, uint32_t most, uint32_t *out_n) {
    const assay_catalog_t *catalog = context->catalog;
    assay_csv_t table;
    const assay_status_t status = assay_data_table(context->arena, "depreciation.csv", catalog->dir,
                                                   catalog->n_dir, &table, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    *out_n = 0;
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const assay_place_t at = assay_csv_place(&table, row);
        const char *name = assay_csv_cell(&table, row, assay_csv_column(&table, "curve"));
        const char *y = assay_csv_cell(&table, row, assay_csv_column(&table, "years"));
        const char *s = assay_csv_cell(&table, row, assay_csv_column(&table, "share"));
        const uint32_t n = *out_n;
        if (strcmp(name, curve) != 0 || n == most) {
            continue;
        }
        if (!assay_text_to_double(y, strlen(y), &year[n]) ||
            !assay_text_to_double(s, strlen(s), &share[n]) ||
            !(share[n] > 0.0 && share[n] <= 1.0) ||
            !(n == 0 ? year[n] >= 0.0 : year[n] > year[n - 1])) {
            return assay_error_set(context->err, ASSAY_INPUT, &at,
                                   "years must rise and shares lie above 0 and up to 1");
        }
        ++*out_n;
    }
    return *out_n >= 2 ? ASSAY_OK
                       : assay_error_set(context->err, ASSAY_INPUT, NULL,
                                         "depreciation.csv needs two rows of '%s'", curve);
}

/* Another curve than the declining one says what is left, where the job does not. */
static assay_status_t take_depreciation(resolve_context_t *context, assay_money_input_t *io) {
    enum { POINTS = 16 };
    const assay_job_money_t *money = &context->job->money;
    double year[POINTS], share[POINTS];
    uint32_t n = 0;
    io->depreciation = (uint8_t)money->depreciation.v;
    assay_fact_t left = assay_fact_exact(0.0, "depreciation.csv");
    if (io->depreciation == ASSAY_DEPRECIATION_DECLINING) {
        return ASSAY_OK;
    }
    if (io->depreciation == ASSAY_DEPRECIATION_STRAIGHT) {
        assay_fact_t *life = &io->option[ASSAY_OPTION_LIFE];
        const assay_status_t status =
            life->known ? ASSAY_OK : take_default(context, NULL, ASSAY_OPTION_LIFE, life);
        if (status != ASSAY_OK) {
            return status;
        }
        left.v = life->known ? fmax(0.0, 1.0 - io->years / life->v) : 0.0;
        left.source = "straight line over money.useful_life_years";
    } else {
        const char *curve = io->depreciation == ASSAY_DEPRECIATION_MARKET ? "market" : "plateau";
        const assay_status_t status = read_curve(context, curve, year, share, POINTS, &n);
        if (status != ASSAY_OK) {
            return status;
        }
        for (int t = 0; t <= 50; t++) {
            io->value_share[t] = share_at(year, share, n, t);
        }
        left.v = share_at(year, share, n, io->years);
    }
    if (money->residual.origin == ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    left.p10 = left.p90 = left.v;
    io->residual = left.v;
    io->residual_p10 = io->residual_p90 = 0.0;
    return resolve_assume(context, "money.residual", ASSAY_DIM_FRACTION, &left,
                          assay_message(context->locale.lang, ASSAY_MSG_RESOLVE_CURVE));
}

assay_status_t resolve_site(resolve_context_t *context, const assay_energy_t **out_site) {
    const assay_string_t *site = &context->job->money.site;
    const assay_catalog_t *catalog = context->catalog;
    *out_site = NULL;
    for (uint32_t i = 0; site->s && i < catalog->n_energy; i++) {
        if (assay_text_equal_fold(catalog->energy[i].id, site->s)) {
            *out_site = &catalog->energy[i];
            return ASSAY_OK;
        }
    }
    if (!site->s) {
        return ASSAY_OK;
    }
    assay_error_set(context->err, ASSAY_NOT_FOUND, &site->at, "energy.csv has no row '%s'",
                    site->s);
    assay_error_next(context->err, "\"assay catalog list energy\" lists them");
    return ASSAY_NOT_FOUND;
}

assay_status_t resolve_options(resolve_context_t *context, assay_money_input_t *io_money) {
    const assay_energy_t *site;
    assay_status_t status = resolve_terms_known(context);
    if (status == ASSAY_OK) {
        status = resolve_site(context, &site);
    }
    if (status == ASSAY_OK) {
        status = take_options(context, site, io_money);
    }
    io_money->currency = context->locale.currency;
    io_money->currency_per_usd = context->locale.per_usd;
    io_money->fx_date = context->fx_date;
    io_money->fx_source = context->fx_source;
    if (status == ASSAY_OK) {
        status = take_depreciation(context, io_money);
    }
    if (status == ASSAY_OK) {
        status = resolve_note_uncounted(context, io_money);
    }
    io_money->machines_wait = context->job->migration.machines_wait.origin == ASSAY_GIVEN &&
                              context->job->migration.machines_wait.v;
    return status;
}
