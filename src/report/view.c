#include "report/view.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static const char *keep(assay_view_t *view, char *text) {
    if (!text) {
        view->failed = true;
        return "";
    }
    return text;
}

const char *assay_view_message(const assay_view_t *view, assay_message_t id) {
    return assay_message(view->lang, id);
}

const char *assay_view_sentence(assay_view_t *view, assay_message_t id, const char *const *arg,
                                size_t n_arg) {
    const char *text = assay_message_text(view->arena, view->lang, id, arg, n_arg);
    view->failed |= !text;
    return assay_view_or_empty(text);
}

const char *assay_view_format(assay_view_t *view, const char *format, ...) {
    va_list arg;
    va_start(arg, format);
    char *text = assay_arena_vprintf(view->arena, format, arg);
    va_end(arg);
    return keep(view, text);
}

const char *assay_view_number(assay_view_t *view, double value) {
    if (!isfinite(value)) {
        return assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN);
    }
    char text[32];
    const size_t n = assay_text_from_double_short(text, value, 3);
    return keep(view, assay_arena_strndup(view->arena, text, n));
}

const char *assay_view_cell(assay_view_t *view, double value) {
    const char *text = assay_view_number(view, value);
    const size_t digits = strspn(text, "-0123456789.");
    if (text[digits] || strspn(text, "-0.") == digits) {
        return text; /* unknown, with an exponent, or 0 */
    }
    size_t significant = 0;
    for (const char *c = text + strspn(text, "-0."); *c; c++) {
        significant += *c != '.';
    }
    static const char *const zeros[] = {"000", "00", "0"};
    return significant >= 3 ? text
                            : assay_view_format(view, "%s%s%s", text, strchr(text, '.') ? "" : ".",
                                                zeros[significant]);
}

const char *assay_view_p_best(assay_view_t *view, const assay_decision_t *decision, double p) {
    const bool sampled = decision->runner_up >= 0;
    return sampled && p > 0.99   ? ">99"
           : sampled && p < 0.01 ? "<1"
                                 : assay_view_cell(view, 100.0 * p);
}

const char *assay_view_count(assay_view_t *view, double value) {
    if (!isfinite(value)) {
        return assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN);
    }
    char text[32];
    const size_t n = assay_text_from_double(text, value);
    return keep(view, assay_arena_strndup(view->arena, text, n));
}

const char *assay_view_years(assay_view_t *view, double years) {
    const char *number = assay_view_number(view, years);
    return strcmp(number, "1") == 0 ? SAY(view, REPORT_YEAR, number)
                                    : SAY(view, REPORT_YEARS, number);
}

const char *assay_view_percent(assay_view_t *view, double fraction) {
    if (!isfinite(fraction)) {
        return assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN);
    }
    return assay_view_quantity(view, fraction, ASSAY_DIM_FRACTION);
}

const char *assay_view_quantity(assay_view_t *view, double value, assay_dim_t dim) {
    if (!isfinite(value)) {
        return assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN);
    }
    char text[48];
    return keep(view, assay_arena_strdup(view->arena,
                                         assay_units_format_in(value, dim, &view->locale, text)));
}

const char *assay_view_range(assay_view_t *view, double low, double high, double one) {
    if (!isfinite(low) || !isfinite(high)) {
        return assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN);
    }
    return keep(view, assay_arena_printf(view->arena, "%s-%s", assay_view_cell(view, low / one),
                                         assay_view_cell(view, high / one)));
}

const char *assay_view_join(assay_view_t *view, const char *a, const char *b) {
    return keep(view, assay_arena_printf(view->arena, "%s%s", a, b));
}

const char *assay_view_cut(assay_view_t *view, const char *text, size_t columns) {
    if (assay_text_columns(text) <= columns) {
        return text;
    }
    size_t used = 0, at = 0;
    while (text[at]) {
        char one[5] = {text[at]};
        size_t bytes = 1;
        while (bytes < 4 && ((unsigned char)text[at + bytes] & 0xc0) == 0x80) {
            one[bytes] = text[at + bytes];
            bytes++;
        }
        used += assay_text_columns(one);
        if (used + 3 > columns) {
            break;
        }
        at += bytes;
    }
    return keep(view, assay_arena_printf(view->arena, "%.*s...", (int)at, text));
}

assay_table_t *assay_view_table(assay_view_t *view, uint32_t n_columns) {
    assay_table_t *table = assay_table_create(view->arena, n_columns);
    view->failed |= !table;
    return table;
}

assay_table_t *assay_view_table_of(assay_view_t *view, const assay_view_column_t *column,
                                   uint32_t n_columns) {
    assay_table_t *table = assay_view_table(view, n_columns);
    for (uint32_t c = 0; c < n_columns; c++) {
        assay_table_column(table, c, assay_view_message(view, column[c].name), column[c].unit,
                           column[c].right);
    }
    return table;
}

#define STEPS_MAX 5
/* $ is the currency. Chinese counts by ten thousands; what it has no row for is as in English. */
static const assay_scale_t steps[ASSAY_LANG_N][ASSAY_SCALE_N][STEPS_MAX] =
    {[ASSAY_LANG_EN] =
         {[ASSAY_SCALE_MONEY] = {{1.0, "$"}, {1e3, "k$"}, {1e6, "M$"}, {1e9, "G$"}},
          [ASSAY_SCALE_TIME] = {{1e-6, "us"}, {1e-3, "ms"}, {1.0, "s"}},
          /* of memory, whose sizes are binary */
          [ASSAY_SCALE_BYTES] =
              {{0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}},
          [ASSAY_SCALE_ENERGY] = {{1.0, "kWh"}, {1e3, "MWh"}, {1e6, "GWh"}},
          [ASSAY_SCALE_COUNT] = {{1.0, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "B"}, {1e12, "T"}},
          [ASSAY_SCALE_FLOPS] = {{1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"}},
          [ASSAY_SCALE_PLAIN] = {{1.0, ""}}},
     [ASSAY_LANG_ZH] = {
         [ASSAY_SCALE_MONEY] = {{1.0, "$"}, {1e4, "万$"}, {1e8, "亿$"}},
         [ASSAY_SCALE_COUNT] = {{1.0, ""}, {1e4, "万"}, {1e8, "亿"}, {1e12, "万亿"}}}};

assay_scale_t assay_view_scale(assay_view_t *view, assay_scale_kind_t kind, double max) {
    const assay_scale_t *const own = steps[view->lang][kind];
    const assay_scale_t *const step = own[0].unit ? own : steps[ASSAY_LANG_EN][kind];
    const bool money = kind == ASSAY_SCALE_MONEY;
    const double per_usd = money && view->locale.per_usd > 0.0 ? view->locale.per_usd : 1.0;
    const assay_scale_t *scale = &step[0];
    for (size_t i = 1; i < STEPS_MAX && step[i].unit && max * per_usd >= step[i].one; i++) {
        scale = &step[i];
    }
    if (!money) {
        return *scale;
    }
    const char *currency = strchr(scale->unit, '$');
    const char *unit = assay_view_format(view, "%.*s%s", (int)(currency - scale->unit), scale->unit,
                                         assay_currency_name(&view->locale));
    return (assay_scale_t){scale->one / per_usd, unit};
}

const char *assay_view_amount(assay_view_t *view, double usd) {
    return assay_view_cell(view, usd * (view->locale.per_usd > 0.0 ? view->locale.per_usd : 1.0));
}

const char *assay_view_priced(assay_view_t *view, assay_message_t id) {
    const char *currency = assay_currency_name(&view->locale);
    return assay_view_sentence(view, id, &currency, 1);
}

const char *assay_view_chance(assay_view_t *view, double p) {
    return p > 0.99 ? "> 99 %" : p < 0.01 ? "< 1 %" : assay_view_percent(view, p);
}

const char *assay_view_phrase(const assay_view_t *view, const char *english) {
    return assay_view_or_empty(assay_phrase(view->lang, english));
}

const char *assay_view_recompute(uint8_t recompute) {
    static const char *const name[ASSAY_RECOMPUTE_N] = {"none", "selective", "full"};
    return recompute < ASSAY_RECOMPUTE_N ? name[recompute] : "none";
}

const char *assay_view_basis(const assay_view_t *view, uint8_t basis) {
    return assay_view_phrase(view, assay_basis_name((assay_basis_t)basis));
}

void assay_view_layout_columns(assay_view_t *view, assay_table_t *table, uint32_t *io_at) {
    const struct {
        const char *name;
        bool right;
    } column[ASSAY_VIEW_LAYOUT_COLUMNS] = {
        {"TP", true},
        {"PP", true},
        {"DP", true},
        {assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_MICRO_BATCH), true},
        {"ZeRO", true},
        {assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_RECOMPUTE), false},
        {assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_SEQUENCE_PARALLEL), false}};
    for (uint32_t i = 0; i < ASSAY_VIEW_LAYOUT_COLUMNS; i++) {
        assay_table_column(table, (*io_at)++, column[i].name, "", column[i].right);
    }
}

void assay_view_layout_cells(assay_view_t *view, assay_table_t *table, uint32_t *io_at,
                             const assay_layout_t *layout) {
    uint32_t at = *io_at;
    if (layout->cp > 1) {
        assay_table_cellf(table, at++, "%u, CP %u", layout->tp, layout->cp);
    } else {
        assay_table_cellf(table, at++, "%u", layout->tp);
    }
    if (layout->vpp > 1) {
        assay_table_cellf(table, at++, "%u x %u", layout->pp, layout->vpp);
    } else if (layout->schedule != ASSAY_SCHEDULE_1F1B) {
        assay_table_cellf(table, at++, "%u %s", layout->pp, assay_view_schedule(layout->schedule));
    } else {
        assay_table_cellf(table, at++, "%u", layout->pp);
    }
    if (layout->ep > 1) {
        assay_table_cellf(table, at++, "%u, EP %u", layout->dp, layout->ep);
    } else {
        assay_table_cellf(table, at++, "%u", layout->dp);
    }
    assay_table_cellf(table, at++, "%u x %u", layout->micro_batch, layout->n_micro);
    assay_table_cellf(table, at++, "%u", layout->zero);
    assay_table_cell(table, at++, assay_view_phrase(view, assay_view_recompute(layout->recompute)));
    assay_table_cell(table, at++,
                     assay_view_message(view, layout->sequence_parallel ? ASSAY_MSG_REPORT_YES
                                                                        : ASSAY_MSG_REPORT_NO));
    *io_at = at;
}

const char *assay_view_cp_comm(uint8_t comm) {
    static const char *const name[ASSAY_CP_COMM_N] = {"p2p", "a2a"};
    return comm < ASSAY_CP_COMM_N ? name[comm] : "p2p";
}

const char *assay_view_schedule(uint8_t schedule) {
    static const char *const name[ASSAY_SCHEDULE_N] = {"1f1b", "zb-h1", "zb-h2", "dualpipe",
                                                       "dualpipev"};
    return schedule < ASSAY_SCHEDULE_N ? name[schedule] : "1f1b";
}

const char *assay_view_layout(assay_view_t *view, const assay_layout_t *layout) {
    const char *stages =
        layout->vpp > 1 ? assay_view_format(view, "%u x %u", layout->pp, layout->vpp)
        : layout->schedule != ASSAY_SCHEDULE_1F1B
            ? assay_view_format(view, "%u %s", layout->pp, assay_view_schedule(layout->schedule))
            : assay_view_format(view, "%u", layout->pp);
    const char *batch =
        layout->n_micro > 0 /* 0: refused before they were counted */
            ? assay_view_format(view, "%u x %u", layout->micro_batch, layout->n_micro)
            : assay_view_format(view, "%u", layout->micro_batch);
    const char *tp = layout->cp > 1
                         ? assay_view_format(view, "%u, CP %u (%s)", layout->tp, layout->cp,
                                             assay_view_cp_comm(layout->cp_comm))
                         : assay_view_format(view, "%u", layout->tp);
    const char *etp = layout->etp && layout->etp != layout->tp
                          ? assay_view_format(view, ", ETP %u", layout->etp)
                          : "";
    const char *dp = layout->ep > 1
                         ? assay_view_format(view, "%u, EP %u%s", layout->dp, layout->ep, etp)
                         : assay_view_format(view, "%u%s", layout->dp, etp);
    const char *zero = layout->shard
                           ? assay_view_format(view, "%u / %u", layout->zero, layout->shard)
                           : assay_view_format(view, "%u", layout->zero);
    const char *text = SAY(view, REPORT_LAYOUT, tp, stages, dp, batch, zero);
    if (layout->recompute != ASSAY_RECOMPUTE_NONE) {
        text = SAY(view, REPORT_LAYOUT_RECOMPUTE, text,
                   assay_view_phrase(view, assay_view_recompute(layout->recompute)));
    }
    return layout->sequence_parallel ? SAY(view, REPORT_LAYOUT_SEQUENCE, text) : text;
}

const char *assay_view_refusal(assay_view_t *view, const assay_estimate_t *nearest) {
    const char *sentence =
        assay_view_phrase(view, assay_reject_sentence((assay_reject_t)nearest->reject));
    if (!assay_reject_is_memory((assay_reject_t)nearest->reject)) {
        return sentence;
    }
    const char *need = assay_view_quantity(view, nearest->need, ASSAY_DIM_MEMORY);
    const char *have = assay_view_quantity(view, nearest->have, ASSAY_DIM_MEMORY);
    return strcmp(need, have) == 0 /* as printed: say what is missing */
               ? SAY(view, REPORT_REFUSED_MEMORY_BY, sentence,
                     assay_view_quantity(view, nearest->need - nearest->have, ASSAY_DIM_MEMORY),
                     have)
               : SAY(view, REPORT_REFUSED_MEMORY, sentence, need, have);
}

const assay_refusal_t *assay_view_main_refusal(const assay_plan_t *plan) {
    const assay_refusal_t *main_one = NULL;
    if (plan->refused[ASSAY_REJECT_MEMORY].count > 0) {
        return &plan->refused[ASSAY_REJECT_MEMORY];
    }
    for (int i = ASSAY_REJECT_NONE + 1; i < ASSAY_REJECT_N; i++) {
        if (plan->refused[i].count > (main_one ? main_one->count : 0)) {
            main_one = &plan->refused[i];
        }
    }
    return main_one;
}

const char *assay_view_why_not(assay_view_t *view, const assay_decision_t *decision,
                               const assay_candidate_t *candidate) {
    if (candidate->eligible) {
        return NULL;
    }
    const char *id = candidate->machine->id;
    if (!candidate->fits) {
        const assay_refusal_t *refusal = assay_view_main_refusal(&candidate->plan);
        return refusal
                   ? SAY(view, REPORT_DOES_NOT_FIT, id, assay_view_refusal(view, &refusal->nearest),
                         assay_view_layout(view, &refusal->nearest.layout))
                   : SAY(view, REPORT_NO_LAYOUT, id);
    }
    return SAY(view, REPORT_MISSES_DEADLINE, id,
               assay_view_quantity(view, candidate->days * 86400.0, ASSAY_DIM_TIME),
               assay_view_quantity(view, decision->resolved->workload.deadline_s, ASSAY_DIM_TIME));
}

bool assay_view_has_work(const assay_decision_t *decision) {
    return decision->resolved->workload.tokens > 0.0;
}

/* What a job counts: tokens, or the samples of a network. */
static size_t sample_index(const char *sample) {
    return !sample ? 0 : strcmp(sample, "image") == 0 ? 1 : 2;
}

assay_message_t assay_view_rate_column(const char *sample) {
    static const assay_message_t column[] = {ASSAY_MSG_REPORT_COLUMN_TOKENS,
                                             ASSAY_MSG_REPORT_COLUMN_IMAGES,
                                             ASSAY_MSG_REPORT_COLUMN_SEQUENCES};
    return column[sample_index(sample)];
}

assay_message_t assay_view_energy_column(const char *sample) {
    static const assay_message_t column[] = {
        ASSAY_MSG_REPORT_COLUMN_TOKEN, ASSAY_MSG_REPORT_WORK_IMAGE, ASSAY_MSG_REPORT_WORK_SEQUENCE};
    return column[sample_index(sample)];
}

const char *assay_view_sample(assay_view_t *view, const char *sample, bool one) {
    static const assay_message_t word[][2] = {
        {ASSAY_MSG_REPORT_WORK_TOKENS, ASSAY_MSG_REPORT_WORK_TOKEN},
        {ASSAY_MSG_REPORT_WORK_IMAGES, ASSAY_MSG_REPORT_WORK_IMAGE},
        {ASSAY_MSG_REPORT_WORK_SEQUENCES, ASSAY_MSG_REPORT_WORK_SEQUENCE}};
    return assay_view_message(view, word[sample_index(sample)][one]);
}

const char *assay_view_samples(assay_view_t *view, const char *sample, double n) {
    static const assay_message_t sentence[] = {ASSAY_MSG_REPORT_WORK_N_TOKENS,
                                               ASSAY_MSG_REPORT_WORK_N_IMAGES,
                                               ASSAY_MSG_REPORT_WORK_N_SEQUENCES};
    const char *const arg[] = {assay_view_quantity(view, n, ASSAY_DIM_COUNT)};
    return assay_view_sentence(view, sentence[sample_index(sample)], arg, 1);
}

bool assay_view_any_moves(const assay_decision_t *decision) {
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        if (decision->candidate[i].fits && decision->candidate[i].machine->needs_migration) {
            return true;
        }
    }
    return false;
}

bool assay_view_has_epochs(const assay_decision_t *decision) {
    return fabs(decision->resolved->workload.epochs - 1.0) > 0.0;
}

assay_figures_t assay_view_figures(const assay_decision_t *decision,
                                   const assay_candidate_t *candidate) {
    assay_figures_t f = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                         NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    f.memory_has_bytes = candidate->machine->device.hbm_bytes;
    if (!candidate->fits) {
        return f;
    }
    const assay_estimate_t *best = &candidate->plan.best;
    f.step_s = best->step_s;
    f.tokens_per_s = best->tokens_per_s;
    f.mfu = best->mfu;
    f.device_w = best->device_w;
    f.memory_bytes = best->peak_total_bytes;
    f.tco_usd = candidate->point.tco_usd;
    f.tco_p10_usd = candidate->tco_usd.p10;
    f.tco_p90_usd = candidate->tco_usd.p90;
    assay_token_energy_t energy;
    if (assay_money_token_energy(&candidate->money_case, &candidate->point, &energy)) {
        f.token_j = energy.v;
        f.token_p10_j = energy.p10;
        f.token_p90_j = energy.p90;
        f.token_packages_j = energy.packages;
        f.host_share = energy.host_share;
    }
    if (assay_view_has_work(decision)) {
        f.days = candidate->days;
        f.energy_kwh = candidate->point.energy_kwh;
        f.job_usd = candidate->point.job_usd;
        f.job_p10_usd = candidate->job_usd.p10;
        f.job_p90_usd = candidate->job_usd.p90;
        f.epoch_usd = candidate->point.per_epoch_usd;
        if (candidate->eligible) {
            f.p_best = candidate->p_best;
        }
    }
    return f;
}

const char *assay_view_note(assay_view_t *view, const assay_note_t *note) {
    if (note->text) {
        return SAY(view, REPORT_NOTE, note->subject, note->text);
    }
    return SAY(view, REPORT_NOTE_VALUE, note->subject, assay_view_or_empty(note->value));
}

const char *assay_view_note_sourced(assay_view_t *view, const assay_note_t *note) {
    const char *text = assay_view_note(view, note);
    return note->source ? SAY(view, REPORT_SOURCED, text, note->source) : text;
}

const char *assay_view_note_basis(assay_view_t *view, const assay_note_t *note) {
    return note->text && note->source ? SAY(view, REPORT_SOURCED, note->text, note->source)
           : note->text               ? note->text
                                      : assay_view_or_empty(note->source);
}

const char *assay_view_tco_sentence(assay_view_t *view, const assay_decision_t *decision) {
    if (decision->choice < 0) {
        return NULL;
    }
    const assay_candidate_t *choice = &decision->candidate[decision->choice], *best = choice;
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_candidate_t *candidate = &decision->candidate[i];
        if (candidate->eligible && candidate->point.tco_usd < best->point.tco_usd) {
            best = candidate;
        }
    }
    return best == choice
               ? NULL
               : SAY(view, REPORT_TCO_DIFFERS,
                     assay_view_number(view, decision->resolved->money.years), best->machine->id,
                     assay_view_quantity(view, best->point.tco_usd, ASSAY_DIM_MONEY),
                     assay_view_quantity(view, choice->point.tco_usd, ASSAY_DIM_MONEY));
}

assay_even_t assay_view_break_even(const assay_decision_t *decision, double *out_share) {
    *out_share = NAN;
    if (decision->choice < 0 || decision->runner_up < 0 || !assay_view_has_work(decision)) {
        return ASSAY_EVEN_NONE;
    }
    const assay_money_result_t *a = &decision->candidate[decision->choice].point;
    const assay_money_result_t *b = &decision->candidate[decision->runner_up].point;
    const double ahead_usd = a->one_time_usd - b->one_time_usd; /* spent before the work starts */
    const double saved_usd = (b->job_usd - b->one_time_usd) - (a->job_usd - a->one_time_usd);
    if (ahead_usd * saved_usd > 0.0) {
        *out_share = ahead_usd / saved_usd;
        return saved_usd > 0.0 ? ASSAY_EVEN_AFTER : ASSAY_EVEN_UNTIL;
    }
    return ahead_usd <= 0.0 && saved_usd >= 0.0 ? ASSAY_EVEN_ALWAYS : ASSAY_EVEN_NEVER;
}

const char *assay_view_break_even_sentence(assay_view_t *view, const assay_decision_t *decision) {
    static const assay_message_t sentence[ASSAY_EVEN_N] = {
        ASSAY_MSG_REPORT_EVEN_NONE, ASSAY_MSG_REPORT_EVEN_AFTER, ASSAY_MSG_REPORT_EVEN_UNTIL,
        ASSAY_MSG_REPORT_EVEN_ALWAYS, ASSAY_MSG_REPORT_EVEN_NEVER};
    double share;
    const assay_even_t even = assay_view_break_even(decision, &share);
    if (even == ASSAY_EVEN_NONE) {
        return assay_view_message(view, sentence[even]);
    }
    const assay_workload_t *work = &decision->resolved->workload;
    const char *const arg[] = {
        decision->candidate[decision->choice].machine->id,
        decision->candidate[decision->runner_up].machine->id,
        even == ASSAY_EVEN_ALWAYS
            ? assay_view_sample(view, work->net.sample, true)
            : assay_view_samples(view, work->net.sample, share * work->tokens),
        assay_view_percent(view, share)};
    return assay_view_sentence(view, sentence[even], arg, sizeof arg / sizeof arg[0]);
}
