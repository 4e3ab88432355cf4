#include "resolve_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assay/ledger.h"
#include "assay/price_import.h"
#include "assay/text.h"

static assay_status_t import_text(const char *text, assay_price_import_options_t options,
                                  assay_price_import_t *out, assay_error_t *err) {
    return assay_price_import(arena, catalog, "list", text, strlen(text), &options, out, err);
}

static assay_price_import_t import_file(const char *name, assay_price_import_options_t options) {
    char *data;
    size_t size;
    assay_error_t err = {0};
    assay_price_import_t found;
    const char *path = assay_arena_printf(arena, "%s/tests/import/%s", ASSAY_SOURCE_DIR, name);
    assert_int_equal(assay_file_read(arena, path, 1u << 20, &data, &size, NULL), ASSAY_OK);
    if (assay_price_import(arena, catalog, name, data, size, &options, &found, &err) != ASSAY_OK) {
        fail_msg("%s: %s", name, err.what);
    }
    return found;
}

static const char *cell(const assay_price_import_t *found, const char *id, const char *column) {
    for (uint32_t row = 0; row < found->rows.n_rows; row++) {
        if (strcmp(assay_csv_cell(&found->rows, row, 0), id) == 0) {
            return assay_csv_cell(&found->rows, row, assay_csv_column(&found->rows, column));
        }
    }
    fail_msg("no offer %s", id);
    return "";
}

/* Two zones of one region are one offer with the lower spot price; AWS' p4d has A100 40 GB, which
   the list does not say; the row of an accelerator without a machine and of a CPU are no offers. */
static void skypilot_zones_become_one_offer(void **state) {
    (void)state;
    const assay_price_import_t found =
        import_file("skypilot.csv", (assay_price_import_options_t){"aws", "2026-11-30", NULL});
    const char *id = "aws-p4d.24xlarge-us-east-1";
    assert_string_equal(found.format, "SkyPilot");
    assert_int_equal(found.n_read, 6);
    assert_int_equal(found.rows.n_rows, 2);
    assert_int_equal(found.n_without, 2);
    assert_int_equal(found.n_unknown, 1);
    assert_string_equal(found.unknown[0].name, "M60");
    assert_string_equal(cell(&found, id, "spot_usd_h"), "12.4");
    assert_string_equal(cell(&found, id, "on_demand_usd_h"), "21.957642");
    assert_string_equal(cell(&found, id, "accelerator"), "nvidia-a100-sxm4-40g");
    assert_string_equal(cell(&found, id, "ram_gib"), "1152");
    assert_string_equal(cell(&found, id, "nvme_gb"), "8000"); /* the catalog's, of this instance */
    assert_string_equal(cell(&found, id, "date"), "2026-11-30");
}

static void gpuhunt_spot_and_on_demand_are_one_offer(void **state) {
    (void)state;
    const assay_price_import_t found =
        import_file("gpuhunt.csv", (assay_price_import_options_t){"lambda", "2026-11-30", NULL});
    const char *id = "lambda-gpu-1x-h100-pcie-us-east-1";
    assert_int_equal(found.rows.n_rows, 2);
    assert_string_equal(cell(&found, id, "on_demand_usd_h"), "2.49");
    assert_string_equal(cell(&found, id, "spot_usd_h"), "1.9");
    assert_string_equal(cell(&found, id, "accelerator"), "nvidia-h100-pcie-80g");
    const assay_price_import_t json =
        import_file("gpuhunt.json", (assay_price_import_options_t){NULL, "2026-11-30", NULL});
    assert_int_equal(json.rows.n_rows, 2);
    assert_string_equal(cell(&json, "runpod-amd-instinct-mi300x-oam-eu-ro-1", "accelerator"),
                        "amd-mi300x-192g");
}

/* Contracted 44 USD for an hour; committed 300 / 10 h = 30; spot (50 + 300) / 12 h = 29.1666... */
static void focus_rows_are_averaged_by_hours(void **state) {
    (void)state;
    const assay_price_import_t found =
        import_file("focus.csv", (assay_price_import_options_t){NULL, NULL, NULL});
    const char *id = "aws-p5.48xlarge-us-east-1";
    double spot;
    const char *text = cell(&found, id, "spot_usd_h");
    assert_int_equal(found.rows.n_rows, 1);
    assert_string_equal(cell(&found, id, "on_demand_usd_h"), "44");
    assert_string_equal(cell(&found, id, "reserved_1y_usd_h"), "30");
    assert_true(assay_text_to_double(text, strlen(text), &spot));
    assay_test_close(spot, 350.0 / 12.0, 1e-12, 0, "spot");
    assert_string_equal(cell(&found, id, "accelerator"), "nvidia-h100-sxm5-80g");
    assert_string_equal(cell(&found, id, "count"), "8");
    assert_string_equal(cell(&found, id, "date"), "2026-11-03");
}

static const struct {
    const char *text, *provider, *date, *what;
} wrong[] = {
    {"a,b\n1,2\n", NULL, NULL, "no price list that is known"},
    {"{\"a\": 1}", NULL, NULL, "array of objects"},
    {"[1]", NULL, NULL, "expected an object"},
    {"[{\"a\": 1}", NULL, NULL, "not JSON"},
    {"instance_name,gpu_name,gpu_count,price\nx,H100,1,2\n", NULL, "2026-01-01", "no provider"},
    {"instance_name,gpu_name,gpu_count,price\nx,H100,1,2\n", "p", NULL, "no date"},
    {"instance_name,gpu_name,gpu_count,price\nx,H100,1,cheap\n", "p", "2026-01-01",
     "'cheap' is not a number"},
    {"PricingQuantity,PricingUnit,SkuPriceDetails,BillingCurrency,EffectiveCost,ProviderName\n"
     "1,Hours,\"{\"\"InstanceType\"\": \"\"p5.48xlarge\"\"}\",EUR,40,AWS\n",
     NULL, "2026-01-01", "BillingCurrency is EUR"},
};

static void a_list_that_cannot_be_read_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_price_import_t found;
        assay_error_t err = {0};
        assert_int_equal(
            import_text(wrong[i].text,
                        (assay_price_import_options_t){wrong[i].provider, wrong[i].date, NULL},
                        &found, &err),
            ASSAY_INPUT);
        if (!strstr(err.what, wrong[i].what)) {
            fail_msg("expected '%s', got '%s'", wrong[i].what, err.what);
        }
    }
}

/* --- the ledger --------------------------------------------------------------------------------
 */

static char path[64];
static int make_path(void **state) {
    (void)state;
    char folder[] = "/tmp/assay-ledger-XXXXXX";
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/deep/ledger.db", folder);
    return 0;
}
static int remove_path(void **state) {
    (void)state;
    (void)unlink(path);
    for (int i = 0; i < 2; i++) {
        *strrchr(path, '/') = '\0';
        (void)rmdir(path);
    }
    return 0;
}

static const char two_offers[] = "provider,sku,accelerator,count,on_demand_usd_h,date\n"
                                 "p,b,MI300X,8,16,2026-01-01\np,a,MI300X,1,2,2026-01-02\n";

static assay_csv_t rows_of(const char *text) {
    assay_price_import_t found;
    assert_int_equal(import_text(text, (assay_price_import_options_t){0}, &found, NULL), ASSAY_OK);
    return found.rows;
}

static void the_newest_price_of_an_offer_counts(void **state) {
    (void)state;
    assay_ledger_t *ledger;
    assay_csv_t first = rows_of(two_offers), read;
    assay_csv_t second = rows_of("provider,sku,accelerator,count,on_demand_usd_h,date\n"
                                 "p,b,MI300X,8,12,2026-02-01\np,a,MI300X,1,3,2025-12-31\n");
    assert_int_equal(assay_ledger_open(path, false, &ledger, NULL), ASSAY_NOT_FOUND);
    assert_int_equal(assay_ledger_open(path, true, &ledger, NULL), ASSAY_OK);
    assert_int_equal(assay_ledger_add_prices(ledger, &first, NULL), ASSAY_OK);
    assert_int_equal(assay_ledger_add_prices(ledger, &second, NULL), ASSAY_OK);
    assay_ledger_close(ledger);
    assert_int_equal(assay_ledger_open(path, false, &ledger, NULL), ASSAY_OK);
    assert_int_equal(assay_ledger_prices(ledger, arena, &read, NULL), ASSAY_OK);
    assay_ledger_close(ledger);
    const int price = assay_csv_column(&read, "on_demand_usd_h");
    assert_int_equal(read.n_rows, 2);
    assert_string_equal(assay_csv_cell(&read, 0, 0), "p-a");
    assert_string_equal(assay_csv_cell(&read, 0, price), "2.0");
    assert_string_equal(assay_csv_cell(&read, 1, price), "12.0");
    assert_string_equal(assay_csv_cell(&read, 1, assay_csv_column(&read, "spot_usd_h")), "");
}

static void imported_prices_stand_over_the_catalog(void **state) {
    (void)state;
    const assay_catalog_extra_t extra = {"prices.csv", rows_of(two_offers), "two offers"};
    assay_catalog_t *loaded;
    uint32_t n = 0;
    assert_int_equal(assay_catalog_load_extra(arena, NULL, 0, &extra, 1, &loaded, NULL), ASSAY_OK);
    assert_int_equal(loaded->n_price, catalog->n_price + 2);
    assert_int_equal(loaded->n_overlay, 1);
    assert_string_equal(loaded->overlay[0], "two offers");
    for (uint32_t i = 0; i < loaded->n_price; i++) {
        n += loaded->price[i].is_imported;
    }
    assert_int_equal(n, 2);
}

static void a_file_that_is_no_ledger_is_left_alone(void **state) {
    (void)state;
    assay_ledger_t *ledger;
    assay_error_t err = {0};
    sqlite3 *db;
    assert_int_equal(assay_ledger_open(path, true, &ledger, NULL), ASSAY_OK);
    assay_ledger_close(ledger);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL);
    assert_int_equal(assay_ledger_open(path, true, &ledger, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "newer assay"));
    sqlite3_exec(db, "PRAGMA application_id = 7", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_int_equal(assay_ledger_open(path, true, &ledger, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "no ledger"));
    assert_int_equal(assay_file_write(path, "some text that is no data base at all", 37, NULL),
                     ASSAY_OK);
    assert_int_equal(assay_ledger_open(path, true, &ledger, &err), ASSAY_INPUT);
}

#define LEDGER_TEST(test) cmocka_unit_test_setup_teardown(test, make_path, remove_path)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skypilot_zones_become_one_offer),
        cmocka_unit_test(gpuhunt_spot_and_on_demand_are_one_offer),
        cmocka_unit_test(focus_rows_are_averaged_by_hours),
        cmocka_unit_test(a_list_that_cannot_be_read_is_refused),
        LEDGER_TEST(the_newest_price_of_an_offer_counts),
        cmocka_unit_test(imported_prices_stand_over_the_catalog),
        LEDGER_TEST(a_file_that_is_no_ledger_is_left_alone),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
