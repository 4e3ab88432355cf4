/* A decision as decide would hand it over, filled by hand: an owned A100 cluster, an owned MI250X
   cluster that has to be moved to, and a part that is too small. Names and texts are hostile. */
#ifndef DECISION_FIXTURE_H
#define DECISION_FIXTURE_H

#include "assay/decide.h"
#include "assay_test.h"

typedef struct {
    assay_accelerator_t accelerator[3];
    assay_system_t system[3];
    assay_machine_t machine[3];
    assay_candidate_t candidate[3];
    assay_estimate_t pareto[2];
    assay_resolved_t resolved;
    assay_note_t note[6];
    assay_rule_t rule[3];
    assay_flip_t flip[3];
    assay_reason_t reason[3];
    assay_decision_t decision;
} fixture_t;

static const double fixture_time_s[ASSAY_TIME_N] = {3.9,  0.6,  0.5, 0.3,  0.4,
                                                    0.25, 0.02, 0.1, 0.05, 0.08};
#define FIXTURE_STEP_S 6.2 /* their sum */
static const double fixture_memory_bytes[ASSAY_MEMORY_N] = {4e9,   8e9, 1.5e9, 22e9,
                                                            2.1e9, 0,   1.4e9, 3e9};
#define FIXTURE_MEMORY_BYTES 42e9 /* their sum */

static void fixture_estimate(assay_estimate_t *estimate, uint16_t tp, uint32_t dp, double factor) {
    *estimate = (assay_estimate_t){.layout = {.tp = tp,
                                              .pp = 4,
                                              .vpp = 1,
                                              .dp = dp,
                                              .micro_batch = 1,
                                              .n_micro = 2048 / dp,
                                              .zero = 1,
                                              .recompute = ASSAY_RECOMPUTE_SELECTIVE,
                                              .sequence_parallel = true},
                                   .step_s = FIXTURE_STEP_S * factor,
                                   .steady_total_bytes = 30e9,
                                   .peak_total_bytes = FIXTURE_MEMORY_BYTES,
                                   .tokens_per_s = 2048.0 * 2048.0 / (FIXTURE_STEP_S * factor),
                                   .mfu = 0.44 / factor,
                                   .hfu = 0.47 / factor,
                                   .compute_share = 0.78,
                                   .device_w = 310.0,
                                   .rel_p10 = 0.91,
                                   .rel_p90 = 1.12,
                                   .basis = ASSAY_BASIS_CALIBRATED};
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        estimate->time_s[i] = fixture_time_s[i] * factor;
    }
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        estimate->peak_bytes[i] = estimate->steady_bytes[i] = fixture_memory_bytes[i];
    }
}

static void fixture_machine(fixture_t *f, uint32_t i, const char *id, double peak, double hbm_bytes,
                            double hbm_bytes_per_s, double capex_usd) {
    f->accelerator[i] = (assay_accelerator_t){.id = "part", .vendor = "vendor", .name = id};
    f->system[i] = (assay_system_t){.id = id, .name = id, .accelerator = &f->accelerator[i]};
    f->machine[i] = (assay_machine_t){.id = id,
                                      .system = &f->system[i],
                                      .accelerator = &f->accelerator[i],
                                      .nodes = 256,
                                      .devices_per_node = 8,
                                      .devices = 2048,
                                      .capex_usd = assay_fact_exact(capex_usd, "test")};
    f->machine[i].device.peak_flops[ASSAY_DT_BF16] = peak;
    f->machine[i].device.hbm_bytes = hbm_bytes;
    f->machine[i].device.hbm_bytes_per_s = hbm_bytes_per_s;
}

/** 1.4 T tokens at the predicted rate, owned for three years. */
static void fixture_money(assay_candidate_t *candidate, double tokens, bool moves) {
    assay_money_case_t *c = &candidate->money_case;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c->central[d] = d <= ASSAY_DRAW_RESIDUAL ? 1.0 : 0.0;
    }
    c->central[ASSAY_DRAW_ELECTRICITY] = 0.1;
    c->central[ASSAY_DRAW_PUE] = 1.3;
    c->central[ASSAY_DRAW_OPERATIONS] = 2.4e6;
    c->central[ASSAY_DRAW_LEVEL_1] = moves ? 10.0 : 0.0;
    c->central[ASSAY_DRAW_LEVEL_2] = moves ? 15.0 : 0.0;
    c->central[ASSAY_DRAW_LEVEL_3] = moves ? 32.5 : 0.0;
    c->central[ASSAY_DRAW_RETROFIT] = moves ? 6500.0 : 0.0;
    c->central[ASSAY_DRAW_CONTINGENCY] = 0.065;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c->draw[d] = c->central[d] > 0.0
                         ? assay_dist_lognormal_p10_p90(0.9 * c->central[d], 1.1111 * c->central[d])
                         : assay_dist_fixed(c->central[d]);
    }
    c->owned = true;
    c->moves = moves;
    c->nodes = 256;
    c->racks = 64;
    c->job_h = tokens / candidate->plan.best.tokens_per_s / 3600.0;
    c->epochs = 1.0;
    c->node_w = 3600.0;
    c->capex_usd = candidate->machine->capex_usd.v;
    c->residual = 0.25;
    c->years = 3.0;
    c->rate = 0.09;
    c->utilisation = 0.75;
    c->labour_usd_per_day = 800.0;
    c->training_days = moves ? 20.0 : 0.0;
    c->debt_days_per_year = moves ? 15.0 : 0.0;
    assay_money_eval(c, NULL, &candidate->point);
    candidate->days = candidate->point.days;
    const double job = candidate->point.job_usd, tco = candidate->point.tco_usd;
    const double hours = candidate->point.hours;
    candidate->job_usd = (assay_spread_t){0.84 * job, job, 1.19 * job, job};
    candidate->tco_usd = (assay_spread_t){0.88 * tco, tco, 1.13 * tco, tco};
    candidate->hours = (assay_spread_t){0.91 * hours, hours, 1.12 * hours, hours};
}

static void fixture_candidate(fixture_t *f, uint32_t i, uint16_t tp, uint32_t dp, double factor,
                              bool moves) {
    static const char *const op_name[] = {"qkv",    "attention",  "attention_out",
                                          "mlp_up", "activation", "mlp_down"};
    static const double intensity[] = {420.0, 160.0, 300.0, 640.0, 0.6, 640.0};
    static const double of_roof[] = {0.72, 0.5, 0.66, 0.78, 0.8, 0.75};
    assay_candidate_t *candidate = &f->candidate[i];
    const assay_device_t *device = &f->machine[i].device;
    candidate->machine = &f->machine[i];
    candidate->fits = candidate->meets_deadline = candidate->eligible = true;
    candidate->plan = (assay_plan_t){.found = true, .visited = 4000, .legal = 200};
    fixture_estimate(&candidate->plan.best, tp, dp, factor);
    f->pareto[0] = f->pareto[1] = candidate->plan.best;
    f->pareto[1].step_s *= 1.2;
    f->pareto[1].peak_total_bytes *= 0.7;
    candidate->plan.pareto = f->pareto;
    candidate->plan.n_pareto = 2;
    fixture_money(candidate, f->resolved.workload.tokens, moves);
    candidate->n_op = sizeof intensity / sizeof intensity[0];
    for (uint32_t k = 0; k < candidate->n_op; k++) {
        const double peak = device->peak_flops[ASSAY_DT_BF16];
        const double roof = fmin(peak, device->hbm_bytes_per_s * intensity[k]);
        candidate->op[k] = (assay_op_t){.name = op_name[k],
                                        .flops = 1e12,
                                        .bytes = 1e12 / intensity[k],
                                        .time_s = 1e12 / (of_roof[k] / factor * roof)};
    }
}

static void fixture_refused(fixture_t *f) {
    assay_candidate_t *candidate = &f->candidate[2];
    candidate->machine = &f->machine[2];
    candidate->plan = (assay_plan_t){.visited = 4000};
    candidate->plan.refused[ASSAY_REJECT_HEADS].count = 3000;
    candidate->plan.refused[ASSAY_REJECT_HEADS].nearest.reject = ASSAY_REJECT_HEADS;
    candidate->plan.refused[ASSAY_REJECT_MEMORY].count = 1000;
    assay_estimate_t *nearest = &candidate->plan.refused[ASSAY_REJECT_MEMORY].nearest;
    fixture_estimate(nearest, 8, 64, 1.0);
    nearest->reject = ASSAY_REJECT_MEMORY;
    nearest->need = FIXTURE_MEMORY_BYTES;
    nearest->have = 16e9;
}

static void fixture_words(fixture_t *f) {
    static const char prices[] =
        "seed article A (prices of 2023Q4), table 3; no public price confirms it";
    f->note[0] = (assay_note_t){ASSAY_NOTE_ASSUMPTION, "money.pue", "1.25",
                                "https://example.org/pue, 2024", NULL};
    f->note[1] = (assay_note_t){ASSAY_NOTE_ASSUMPTION, "money.utilisation", "75 %",
                                "assumption of the project",
                                "share of the hours in which owned machines do work"};
    f->note[2] =
        (assay_note_t){ASSAY_NOTE_ASSUMPTION, "8x-mi250x-oam.network.bits_per_s", "200 Gbit/s",
                       "Llama 2 paper (arXiv 2307.09288) section 2.2.1: both training clusters "
                       "interconnect 200 Gbit/s end-points",
                       NULL};
    f->note[3] =
        (assay_note_t){ASSAY_NOTE_ASSUMPTION,
                       "train.dataset | \"pipe\" and a very, very, very long subject of a note",
                       NULL, NULL, "only a text"};
    f->note[4] = (assay_note_t){ASSAY_NOTE_WARNING, "8x-mi250x-oam", NULL, prices,
                                "The claimed price of 93 kUSD is 0.48 of the catalog's 193 kUSD."};
    f->note[5] = (assay_note_t){ASSAY_NOTE_WARNING, "a\x1b[31mred", "1", "x<y & \"z\"", NULL};
    f->rule[0] =
        (assay_rule_t){"compute_dense",
                       "condition",
                       "GEMM, convolution and attention take more than 70 % of the device time",
                       "seed-a A2",
                       ASSAY_RULE_YES,
                       0.78,
                       0.7,
                       true,
                       "compute share: 78 % (predicted for 8x-mi250x-oam)",
                       true};
    f->rule[1] = (assay_rule_t){"utilisation",
                                "recommended",
                                "long pre-training: FLOPs utilisation stays above 65 %",
                                "seed-a A7",
                                ASSAY_RULE_NO,
                                0.44,
                                0.65,
                                true,
                                "FLOPs utilisation (MFU): 44 % (predicted for 8x-mi250x-oam). The "
                                "rule asks for 65 %, which training runs rarely reach",
                                true};
    f->rule[2] = (assay_rule_t){"hip_ci",
                                "recommended",
                                "HIP experience: continuous integration checks HIP",
                                "seed-a A7",
                                ASSAY_RULE_UNKNOWN,
                                0.0,
                                1.0,
                                false,
                                "unknown: give team.hip_ci",
                                true};
    f->flip[0] = (assay_flip_t){"buy_usd",
                                "8x-mi250x-oam",
                                ASSAY_DIM_MONEY,
                                NULL,
                                93000.0,
                                118000.0,
                                true,
                                "purchase price of one 8x-mi250x-oam: now 93 kUSD; at 118 kUSD the "
                                "choice becomes 8x-a100-pcie-80g."};
    f->flip[1] = (assay_flip_t){
        "run_days",
        NULL,
        ASSAY_DIM_TIME,
        NULL,
        23.1 * 86400.0,
        9.4 * 86400.0,
        true,
        "length of the run: now 23.1 d; at 9.4 d the choice becomes 8x-a100-pcie-80g."};
    f->flip[2] = (assay_flip_t){"electricity_usd_kwh",
                                NULL,
                                ASSAY_DIM_MONEY_PER_KWH,
                                NULL,
                                0.1,
                                0.0,
                                false,
                                "electricity price: now 0.1 USD/kWh; the choice stands from 0.0125 "
                                "USD/kWh to 0.8 USD/kWh."};
    f->reason[0] = (assay_reason_t){
        "servers: 8x-mi250x-oam pays 480 kUSD less than 8x-a100-pcie-80g.", -480e3};
    f->reason[1] = (assay_reason_t){
        "migration level 3: 8x-mi250x-oam pays 96 kUSD more than 8x-a100-pcie-80g.", 96e3};
    f->reason[2] =
        (assay_reason_t){"8x-mi250x-oam runs at 0.98 times the speed of 8x-a100-pcie-80g.", 0.0};
}

static void fixture_init(fixture_t *f) {
    memset(f, 0, sizeof *f);
    f->resolved =
        (assay_resolved_t){.name = "65B pre-training <script>alert(1)</script>, MI250X or A100",
                           .workload = {.model = {.id = "llama-65b"},
                                        .count = {.total = 65.3e9},
                                        .sequence = 2048,
                                        .global_batch = 2048,
                                        .dtype = ASSAY_DT_BF16,
                                        .tokens = 1.4e12,
                                        .tokens_per_epoch = 1.4e12,
                                        .epochs = 1.0},
                           .machine = f->machine,
                           .n_machine = 3,
                           .money = {.currency = "USD", .years = 3.0, .discount_rate = 0.09},
                           .samples = 2000,
                           .seed = 1,
                           .prices = "seed-a"};
    fixture_machine(f, 0, "8x-a100-pcie-80g", 312e12, 80e9, 1.935e12, 128e3);
    fixture_machine(f, 1, "8x-mi250x-oam", 191.5e12, 64e9, 1.6e12, 93e3);
    f->machine[1].needs_migration = true;
    fixture_machine(
        f, 2, "<script>alert(1)</script>8x-v100-with-a-name-as-long-as-a-user-may-write-it|pipe",
        125e12, 16e9, 0.9e12, 60e3);
    fixture_candidate(f, 0, 8, 64, 1.0, false);
    fixture_candidate(f, 1, 8, 64, 1.02, true);
    fixture_refused(f);
    fixture_words(f);
    f->candidate[0].p_best = 0.17;
    f->candidate[1].p_best = 0.83;
    f->decision = (assay_decision_t){
        .resolved = &f->resolved,
        .candidate = f->candidate,
        .n_candidate = 3,
        .choice = 1,
        .runner_up = 0,
        .probability = 0.83,
        .regret_usd = 31e3,
        .sentence = "Choose 8x-mi250x-oam: 12 % cheaper for this run than 8x-a100-pcie-80g (1.19 "
                    "MUSD against 1.35 MUSD), 83 % sure; it takes 24.2 d against 23.7 d.",
        .flip = f->flip,
        .n_flip = 3,
        .reason = f->reason,
        .n_reason = 3,
        .rule = f->rule,
        .n_rule = 3,
        .rules_sentence = "The article's rules leave it open (unknown: hip_ci); the money decides "
                          "for 8x-mi250x-oam.",
        .note = f->note,
        .n_note = 6};
}

#endif
