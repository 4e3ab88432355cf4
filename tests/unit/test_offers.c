#include "resolve_fixture.h"

#include "assay/calibration.h"
#include "assay/offers.h"

/* Prices of our own, so that nothing depends on what clouds ask: 8 and 1 MI300X, 1 L4, a family. */
static const char *const header[] = {
    "id",         "provider", "sku",     "accelerator", "count", "on_demand_usd_h",
    "spot_usd_h", "ram_gib",  "nvme_gb", "date",        "source"};
static const char *cells[] = {
    "x-8",  "p", "a", "amd-mi300x-192g", "8", "16",  "",  "2048", "30000", "2026-11-01", "s",
    "x-1",  "p", "b", "amd-mi300x-192g", "1", "2.5", "1", "200",  "",      "2026-11",    "s",
    "x-l4", "p", "c", "nvidia-l4-24g",   "1", "0.7", "",  "16",   "0",     "2025Q2",     "s",
    "x-a",  "p", "d", "nvidia-a100-80g", "8", "12",  "",  "",     "",      "2026",       "s",
};
static uint32_t lines[] = {1, 2, 3, 4};

static int set_up(void **state) {
    const assay_catalog_extra_t extra = {"prices.csv",
                                         {.file = "own",
                                          .n_columns = 11,
                                          .n_rows = 4,
                                          .header = (const char **)header,
                                          .cell = cells,
                                          .line = lines},
                                         "own prices"};
    return tables_set_up(state) ||
           assay_catalog_load_extra(arena, NULL, 0, &extra, 1, &catalog, NULL) != ASSAY_OK;
}
static assay_offers_t *offers_of(const char *yaml) {
    assay_job_t *job;
    assay_offers_t *offers = NULL;
    assay_error_t err = {0};
    char line[1024];
    if (assay_job_read(arena, "job.yaml", yaml, strlen(yaml), NULL, 0, &job, &err) != ASSAY_OK ||
        assay_offers(arena, job, catalog, calibration, &offers, &err) != ASSAY_OK) {
        fail_msg("%s", assay_error_line(&err, line, sizeof line));
    }
    return offers;
}

static const assay_offer_t *offer_of(const assay_offers_t *offers, const char *id,
                                     assay_offer_term_t term) {
    for (uint32_t i = 0; i < offers->n_offer; i++) {
        if (strcmp(offers->offer[i].price->id, id) == 0 && offers->offer[i].term == term) {
            return &offers->offer[i];
        }
    }
    return NULL;
}

static const char serve_70b[] = "assay: 1\nworkload:\n  serve:\n    model: llama-3.1-70b\n"
                                "    precision: bf16\n    max_model_len: 8192\n";

/* 70.55e9 parameters in 16 bit are 141.1 GB: one MI300X of 192 GiB holds them, one L4 of 24 GB does
   not, and L4s of several hosts are no replica. From disk 141.1 GB take 70.6 s at 2 GB/s, over the
   network 141.1 s at 1 GB/s. */
static void a_replica_fits_one_instance_or_whole_nodes(void **state) {
    (void)state;
    const assay_offers_t *offers = offers_of(serve_70b);
    const assay_offer_t *eight = offer_of(offers, "x-8", ASSAY_OFFER_ON_DEMAND);
    const assay_offer_t *one = offer_of(offers, "x-1", ASSAY_OFFER_ON_DEMAND);
    assert_non_null(eight);
    assert_non_null(one);
    assert_null(offer_of(offers, "x-l4", ASSAY_OFFER_ON_DEMAND));
    assert_int_equal(one->instances, 1);
    assert_false(offers->by_work);
    assay_test_close(offers->weights_bytes, 141.1e9, 1e-3, 0, "weights");
    assay_test_close(eight->load_s, 70.55, 1e-3, 0, "from disk");
    assay_test_close(one->load_s, 141.1, 1e-3, 0, "over the network");
    assert_true(eight->from_disk && !one->from_disk);
    assert_int_equal(eight->ram, ASSAY_HOLDS_YES);
    assert_int_equal(one->ram, ASSAY_HOLDS_YES); /* 200 GiB */
    assert_int_equal(one->disk, ASSAY_HOLDS_UNKNOWN);
}

static void terms_are_offers_of_their_own_and_ages_count_days(void **state) {
    (void)state;
    const assay_offers_t *offers = offers_of(serve_70b);
    const assay_offer_t *spot = offer_of(offers, "x-1", ASSAY_OFFER_SPOT);
    const assay_offer_t *eight = offer_of(offers, "x-8", ASSAY_OFFER_ON_DEMAND);
    assert_non_null(spot);
    assay_test_close(spot->usd_per_h, 1.0, 1e-12, 0, "spot");
    assert_null(offer_of(offers, "x-8", ASSAY_OFFER_SPOT));
    assert_int_equal(spot->age_days, eight->age_days); /* 2026-11 begins on 2026-11-01 */
    assert_true(eight->age_days >= 29);                /* the data are of 2026-11-30 */
    for (uint32_t i = 1; i < offers->n_offer; i++) {
        assert_true(offers->offer[i - 1].usd_per_h <= offers->offer[i].usd_per_h);
    }
}

static void a_family_counts_as_its_board_and_says_so(void **state) {
    (void)state;
    const assay_offer_t *family = offer_of(offers_of(serve_70b), "x-a", ASSAY_OFFER_ON_DEMAND);
    assert_non_null(family);
    assert_false(family->variant_stated);
    assert_string_equal(family->part->id, "nvidia-a100-sxm4-80g");
}

/* 16 USD/h over 8 x 1307.4e12 FLOP/s: 16 / (8 x 1307.4e12 x 3600) x 1e18 = 0.4249 USD. */
static void training_is_ranked_by_work(void **state) {
    (void)state;
    const assay_offers_t *offers =
        offers_of("assay: 1\nworkload:\n  finetune:\n    model: llama-3.1-8b\n    method: lora\n"
                  "    precision: bf16\n    sequence: 2048\n    global_batch: 8\n");
    const assay_offer_t *eight = offer_of(offers, "x-8", ASSAY_OFFER_ON_DEMAND);
    assert_true(offers->by_work);
    assert_non_null(eight);
    assay_test_close(eight->usd_per_eflop, 0.4249, 1e-3, 0, "USD for 1e18 operations");
    for (uint32_t i = 1; i < offers->n_offer; i++) {
        assert_true(offers->offer[i - 1].usd_per_eflop <= offers->offer[i].usd_per_eflop);
    }
}

/* Four models of 16.06 GB: all of them are read. */
static void several_models_need_more_of_the_host(void **state) {
    (void)state;
    const assay_offers_t *offers =
        offers_of("assay: 1\nworkload:\n  serve:\n    model: llama-3.1-8b\n    precision: bf16\n"
                  "    max_model_len: 8192\n    models_per_host: 4\n");
    const assay_offer_t *eight = offer_of(offers, "x-8", ASSAY_OFFER_ON_DEMAND);
    assert_non_null(eight);
    assert_int_equal(offers->models_per_host, 4);
    /* 4 x 16.06 GB at 2 GB/s */
    assay_test_close(eight->load_s, 32.1, 1e-2, 0, "all models");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replica_fits_one_instance_or_whole_nodes),
        cmocka_unit_test(terms_are_offers_of_their_own_and_ages_count_days),
        cmocka_unit_test(a_family_counts_as_its_board_and_says_so),
        cmocka_unit_test(training_is_ranked_by_work),
        cmocka_unit_test(several_models_need_more_of_the_host),
    };
    return cmocka_run_group_tests(tests, set_up, arena_tear_down);
}
