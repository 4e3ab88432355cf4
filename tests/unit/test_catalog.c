#include "resolve_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assay/catalog.h"

static const assay_system_t *system_of(const char *id) {
    const assay_system_t *found = NULL;
    assert_int_equal(assay_catalog_system(catalog, id, NULL, &found, NULL), ASSAY_OK);
    return found;
}

static const assay_fabric_t *fabric_of(const char *id) {
    for (uint32_t i = 0; i < catalog->n_fabric; i++) {
        if (strcmp(catalog->fabric[i].id, id) == 0) {
            return &catalog->fabric[i];
        }
    }
    fail_msg("no fabric %s", id);
    return NULL;
}

/* --- the built-in tables ------------------------------------------------------------------- */

static void every_row_of_the_tables_is_there(void **state) {
    (void)state;
    assert_int_equal(catalog->n_accelerator, 69);
    assert_int_equal(catalog->n_fabric, 46);
    assert_int_equal(catalog->n_system, 189);
    assert_int_equal(catalog->n_price, 650);
    assert_int_equal(catalog->n_energy, 438);
    assert_int_equal(catalog->n_model, 128);
    assert_int_equal(catalog->n_overlay, 0);
    assert_int_equal(catalog->n_warning, 0);
    assert_string_equal(catalog->date, "2026-11-09");
}

/* MI250X data sheet, one module: 220 CUs, 383.0 TFLOPS fp16 matrix, 95.7 fp32 matrix, 47.9 fp32
   vector, 128 GB, 3276.8 GB/s, 560 W. Software sees two devices with half of each. */
static void a_package_of_two_dies_is_two_devices(void **state) {
    (void)state;
    const assay_accelerator_t *part = part_of("amd-mi250x-128g");
    assert_int_equal(part->devices, 2);
    assert_int_equal(part->compute_units, 110);
    assay_test_close(part->peak_flops[ASSAY_DT_FP16].v, 191.5e12, 1e-12, 0, "fp16");
    assay_test_close(part->peak_flops[ASSAY_DT_FP32].v, 47.85e12, 1e-12, 0, "fp32 matrix");
    assay_test_close(part->vector_fp32_flops.v, 23.95e12, 1e-12, 0, "fp32 vector");
    assay_test_close(part->hbm_bytes.v, 64 * 1073741824.0, 1e-12, 0, "memory: 128 GiB of two dies");
    assay_test_close(part->hbm_bytes_per_s.v, 1638.4e9, 1e-12, 0, "bandwidth");
    assay_test_close(part->llc_bytes.v, 8e6, 1e-12, 0, "cache");
    assay_test_close(part->tdp_w.v, 560, 0, 0, "power is the package's");
    assay_test_close(part->price_usd.v, 14500, 0, 0, "price is the package's");
    assert_false(part->peak_flops[ASSAY_DT_FP8].known);
    assert_false(part->idle_w.known);
    assert_non_null(part->hbm_bytes.source);
}

static void a_single_die_keeps_its_figures(void **state) {
    (void)state;
    const assay_accelerator_t *part = part_of("nvidia-a100-pcie-80g");
    assert_int_equal(part->devices, 1);
    assert_int_equal(part->compute_units, 108);
    assay_test_close(part->peak_flops[ASSAY_DT_BF16].v, 312e12, 1e-12, 0, "dense, not sparse");
    assay_test_close(part->peak_flops[ASSAY_DT_FP64].v, 19.5e12, 1e-12, 0, "tensor fp64");
    assay_test_close(part->hbm_bytes_per_s.v, 1935e9, 1e-12, 0, "bandwidth");
    assay_test_close(part->clock_hz.v, 1410e6, 1e-12, 0, "clock");
    assert_string_equal(part->target, "sm_80");
}

static double pair_gb_s(const assay_fabric_t *fabric, uint32_t i, uint32_t j) {
    return fabric->pair[i * fabric->devices + j] / 1e9;
}

/* Links of a Frontier node as OLCF and RCCL draw it: four in a package, two between 0-6 and 2-4,
   one between 0-2, 1-3, 1-5, 3-7, 4-6, 5-7; 50 GB/s each and direction. */
static void frontier_has_the_links_of_its_drawing(void **state) {
    (void)state;
    static const uint8_t links[8][8] = {
        {0, 4, 1, 0, 0, 0, 2, 0}, {4, 0, 0, 1, 0, 1, 0, 0}, {1, 0, 0, 4, 2, 0, 0, 0},
        {0, 1, 4, 0, 0, 0, 0, 1}, {0, 0, 2, 0, 0, 4, 1, 0}, {0, 1, 0, 0, 4, 0, 0, 1},
        {2, 0, 0, 0, 1, 0, 0, 4}, {0, 0, 0, 1, 0, 1, 4, 0},
    };
    const assay_fabric_t *fabric = fabric_of("frontier-node");
    assert_int_equal(fabric->devices, 8);
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t j = 0; j < 8; j++) {
            assay_test_close(pair_gb_s(fabric, i, j), 50.0 * links[i][j], 1e-12, 0, "link");
        }
    }
}

/* Each die of the 8-module box: four links in its package and three outside, 350 GB/s. */
static void the_16_device_box_has_350_gb_s_a_device(void **state) {
    (void)state;
    const assay_fabric_t *fabric = fabric_of("8x-mi250x-oam");
    assert_int_equal(fabric->devices, 16);
    assay_test_close(fabric->device_bytes_per_s.v, 350e9, 1e-12, 0, "device");
    assay_test_close(fabric->package_bytes_per_s.v, 200e9, 1e-12, 0, "package");
    for (uint32_t i = 0; i < 16; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < 16; j++) {
            assay_test_close(pair_gb_s(fabric, i, j), pair_gb_s(fabric, j, i), 0, 0, "symmetric");
            sum += pair_gb_s(fabric, i, j);
        }
        assay_test_close(sum, 350.0, 1e-12, 0, "links of a device");
        assay_test_close(pair_gb_s(fabric, i, i ^ 1u), 200.0, 1e-12, 0, "package partner");
    }
}

static void fabrics_count_one_direction(void **state) {
    (void)state;
    static const struct {
        const char *id, *kind;
        double pair_gb_s, device_gb_s;
        uint32_t devices, scaleup, nics;
    } rows[] = {
        {"hgx-a100-8", "switch", 300, 300, 8, 8, 8},
        {"hgx-h100-8", "switch", 450, 450, 8, 8, 8},
        {"hgx-b200-8", "switch", 900, 900, 8, 8, 8},
        {"gb200-nvl72", "switch", 900, 900, 4, 72, 4},
        {"8x-mi300x-oam", "full-mesh", 64, 448, 8, 8, 8},
        {"a100-pcie", "pcie-tree", 32, 32, 8, 1, 0},
        {"tpu-v5p", "partial-mesh", 100, 600, 4, 8960, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const assay_fabric_t *fabric = fabric_of(rows[i].id);
        assert_string_equal(fabric->kind, rows[i].kind);
        assay_test_close(fabric->pair_bytes_per_s.v, rows[i].pair_gb_s * 1e9, 1e-12, 0, "pair");
        assay_test_close(fabric->device_bytes_per_s.v, rows[i].device_gb_s * 1e9, 1e-12, 0,
                         rows[i].id);
        assert_int_equal(fabric->devices, rows[i].devices);
        assert_int_equal(fabric->scaleup_devices, rows[i].scaleup);
        assert_int_equal(fabric->nics, rows[i].nics);
        assert_null(fabric->pair);
    }
}

static void the_mi250x_server_is_an_estimate_apart_from_the_claim(void **state) {
    (void)state;
    const assay_system_t *ours = system_of("8x-mi250x-oam"),
                         *claim = system_of("seed-8x-mi250x-oam");
    assay_test_close(ours->capex_usd.v, 8 * 14500 * 1.66, 1e-12, 0, "module estimate x server");
    assert_true(ours->capex_usd.p10 < ours->capex_usd.v && ours->capex_usd.v < ours->capex_usd.p90);
    assert_int_equal(ours->confidence, ASSAY_CONFIDENCE_LOW);
    assert_false(ours->is_claim);
    assert_int_equal(ours->packages * ours->accelerator->devices, ours->fabric->devices);
    assert_true(claim->is_claim);
    assert_string_equal(claim->claim_set, "seed-a");
    assay_test_close(claim->capex_usd.v, 93000, 0, 0, "claim");
}

static void prices_of_a_family_name_no_part(void **state) {
    (void)state;
    uint32_t n_family = 0;
    for (uint32_t i = 0; i < catalog->n_price; i++) {
        const assay_price_t *price = &catalog->price[i];
        assert_true(price->accelerator_name[0] != '\0');
        if (strcmp(price->accelerator_name, "nvidia-a100-80g") == 0) {
            assert_null(price->accelerator);
            n_family++;
        }
    }
    assert_int_equal(n_family, 33);
}

/* The article's figures against ours: 8 x 312 TFLOPS = 2.496 PFLOPS dense where it says 5.0. */
static void claims_stand_beside_the_catalog(void **state) {
    (void)state;
    static const struct {
        const char *set, *id;
        double claimed, catalog;
    } rows[] = {
        {"seed-a", "a3.a100.fp16", 5.0, 2.496},
        {"seed-a", "a3.mi250x.fp16", 7.8, 3.064},
        {"seed-a", "a3.mi250x.memory", 1024, 1024},
        {"seed-a", "a3.mi250x.bandwidth", 3.2, 3.2768},
        {"seed-a", "a3.mi250x.capex", 93000, 192560},
        {"seed-b", "b1.cus", 304, 256},
        {"seed-b", "b1.power", 300, 1000},
        {"seed-b", "b1.cache", 128, 256},
    };
    double value;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const assay_claim_t *claim = assay_catalog_claim(catalog, rows[i].set, rows[i].id);
        assert_non_null(claim);
        assay_test_close(claim->v, rows[i].claimed, 0, 0, rows[i].id);
        assert_true(assay_catalog_claim_compare(catalog, claim, &value));
        assay_test_close(value, rows[i].catalog, 1e-12, 0, rows[i].id);
    }
    assert_false(
        assay_catalog_claim_compare(catalog, assay_catalog_claim(catalog, "seed-a", "a1"), &value));
    assert_null(assay_catalog_claim(catalog, "seed-a", "b1.cus"));
    assert_string_equal(
        assay_catalog_claim_about(catalog, "seed-a", "system:8x-mi250x-oam:capex_usd")->id,
        "a3.mi250x.capex");
}

/* --- looking up ---------------------------------------------------------------------------- */

static void spellings_and_aliases_are_understood(void **state) {
    (void)state;
    assert_string_equal(part_of("H100")->id, "nvidia-h100-sxm5-80g");
    assert_string_equal(part_of("h100 SXM")->id, "nvidia-h100-sxm5-80g");
    assert_string_equal(part_of("AMD_MI300X_192G")->id, "amd-mi300x-192g");
    assert_string_equal(part_of("TPU v5p")->id, "google-tpu-v5p");
    assert_string_equal(system_of("8xH100 SXM")->id, "hgx-h100-8");
    const assay_model_t *model;
    assert_int_equal(assay_catalog_model(catalog, "meta-llama/Llama-2-70b-hf", NULL, &model, NULL),
                     ASSAY_OK);
    assert_string_equal(model->id, "llama-2-70b");
    assert_non_null(strstr(assay_catalog_note(catalog, "accelerator", "a100-80g"), "SXM4"));
    assert_null(assay_catalog_note(catalog, "accelerator", "mi300x"));
    assert_null(assay_catalog_note(catalog, "accelerator", "nvidia-a100-pcie-80g"));
}

static void an_unknown_id_says_what_was_meant(void **state) {
    (void)state;
    const assay_place_t at = {"job.yaml", 12, 14};
    const assay_accelerator_t *part = NULL;
    const assay_system_t *found = NULL;
    const assay_model_t *model = NULL;
    assay_error_t err;
    assert_int_equal(assay_catalog_accelerator(catalog, "amd-mi250x", &at, &part, &err),
                     ASSAY_NOT_FOUND);
    assert_string_equal(err.what, "unknown accelerator 'amd-mi250x'");
    assert_string_equal(err.next, "did you mean 'amd-mi250x-128g'?");
    assert_int_equal(err.line, 12);
    assert_int_equal(assay_catalog_system(catalog, "8x-mi250x-oma", &at, &found, &err),
                     ASSAY_NOT_FOUND);
    assert_string_equal(err.next, "did you mean '8x-mi250x-oam'?");
    assert_int_equal(assay_catalog_system(catalog, "mi250x", &at, &found, &err), ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.what, "is an accelerator"));
    assert_non_null(strstr(err.next, "frontier-node, 8x-mi250x-oam"));
    assert_int_equal(assay_catalog_model(catalog, "lama-65b", &at, &model, &err), ASSAY_NOT_FOUND);
    assert_string_equal(err.next, "did you mean 'llama-65b'?");
    assert_int_equal(assay_catalog_accelerator(catalog, "nvidia-k80-12g", &at, &part, &err),
                     ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.what, "only prices are known"));
    assert_int_equal(assay_catalog_model(catalog, "", &at, &model, &err), ASSAY_NOT_FOUND);
    assert_null(part);
    assert_null(found);
    assert_null(model);
}

static void dtypes_have_names_and_sizes(void **state) {
    (void)state;
    assay_dtype_t dtype;
    assert_true(assay_dtype_parse("BF16", &dtype));
    assert_int_equal(dtype, ASSAY_DT_BF16);
    assert_string_equal(assay_dtype_name(dtype), "bf16");
    assay_test_close(assay_dtype_bytes(ASSAY_DT_FP4), 0.5, 0, 0, "fp4");
    assert_false(assay_dtype_parse("bfloat", &dtype));
    assert_string_equal(assay_dtype_name(ASSAY_DT_N), "unknown");
}

/* --- overlays ------------------------------------------------------------------------------ */

static char folder[2][64];

static int make_folders(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(folder[i], sizeof folder[i], "/tmp/assay-catalog-XXXXXX");
        if (!mkdtemp(folder[i])) {
            return 1;
        }
    }
    return 0;
}

static const char *path_of(int i, const char *name) {
    return assay_arena_printf(arena, "%s/%s", folder[i], name);
}

static int remove_folders(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        static const char *const names[] = {"accelerators.csv", "systems.csv", "prices.csv",
                                            "fabric_pairs.csv", "aliases.csv", "claims.csv",
                                            "energy.csv",       "models.csv",  "fabrics.csv"};
        for (size_t name = 0; name < sizeof names / sizeof names[0]; name++) {
            (void)unlink(path_of(i, names[name]));
        }
        (void)rmdir(folder[i]);
    }
    return 0;
}

static void write_table(int i, const char *name, const char *text) {
    FILE *file = fopen(path_of(i, name), "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static assay_status_t load_with(uint32_t n_dir, const assay_catalog_t **out, assay_error_t *err) {
    const char *const dir[] = {folder[0], folder[1]};
    assay_catalog_t *loaded = NULL;
    const assay_status_t status = assay_catalog_load(arena, dir, n_dir, &loaded, err);
    *out = loaded;
    return status;
}

static void a_row_is_replaced_whole_and_said_so(void **state) {
    (void)state;
    write_table(0, "accelerators.csv",
                "id,vendor,name,arch,devices,bf16_tflops,source,confidence\n"
                "amd-mi250x-128g,AMD,MI250X,CDNA2,2,300,our test,high\n"
                "acme-1,Acme,One,A1,1,100,our test,low\n");
    const assay_catalog_t *loaded;
    assay_error_t err;
    assert_int_equal(load_with(1, &loaded, &err), ASSAY_OK);
    assert_int_equal(loaded->n_accelerator, 70);
    assert_int_equal(loaded->n_overlay, 2);
    assert_string_equal(loaded->overlay[0],
                        assay_arena_printf(arena, "accelerators.csv: acme-1 added from %s:3",
                                           path_of(0, "accelerators.csv")));
    assert_string_equal(loaded->overlay[1],
                        assay_arena_printf(arena,
                                           "accelerators.csv: amd-mi250x-128g replaced by %s:2",
                                           path_of(0, "accelerators.csv")));
    const assay_accelerator_t *part;
    assert_int_equal(assay_catalog_accelerator(loaded, "amd-mi250x-128g", NULL, &part, NULL),
                     ASSAY_OK);
    assay_test_close(part->peak_flops[ASSAY_DT_BF16].v, 150e12, 1e-12, 0, "theirs, per device");
    assert_false(part->hbm_bytes.known); /* left out: unknown, not ours */
    assert_string_equal(part->peak_flops[ASSAY_DT_BF16].source, "our test");
}

static void the_later_folder_wins(void **state) {
    (void)state;
    static const char header[] = "id,provider,sku,accelerator,count,on_demand_usd_h,date,source\n";
    write_table(0, "prices.csv",
                assay_arena_printf(arena, "%smine,p,s,h100-sxm,8,16,2026-01,x\n", header));
    write_table(1, "prices.csv",
                assay_arena_printf(arena, "%smine,p,s,h100-sxm,8,24,2026-01,x\n", header));
    const assay_catalog_t *loaded;
    assert_int_equal(load_with(2, &loaded, NULL), ASSAY_OK);
    assert_int_equal(loaded->n_price, 651);
    const assay_price_t *price = &loaded->price[650];
    assay_test_close(price->on_demand_usd_per_h.v, 24, 0, 0, "price");
    assert_string_equal(price->accelerator->id, "nvidia-h100-sxm5-80g");
}

static void an_odd_price_is_kept_and_mentioned(void **state) {
    (void)state;
    /* the median of this part lies near 3 USD/h, so 25 is about eight times it */
    write_table(0, "prices.csv",
                "id,provider,sku,accelerator,count,on_demand_usd_h,date,source\n"
                "dear,p,s,nvidia-h100-sxm5-80g,1,25,2026-01-31,x\n");
    const assay_catalog_t *loaded;
    assert_int_equal(load_with(1, &loaded, NULL), ASSAY_OK);
    assert_int_equal(loaded->n_warning, 1);
    assert_non_null(strstr(loaded->warning[0], "prices.csv:2: 'dear'"));
}

static void pairs_of_a_fabric_are_replaced_together(void **state) {
    (void)state;
    write_table(0, "fabric_pairs.csv",
                "fabric,between,i,j,gb_s,source\n"
                "frontier-node,device,0,1,42,x\n");
    const assay_catalog_t *loaded;
    assert_int_equal(load_with(1, &loaded, NULL), ASSAY_OK);
    for (uint32_t i = 0; i < loaded->n_fabric; i++) {
        if (strcmp(loaded->fabric[i].id, "frontier-node") == 0) {
            assay_test_close(pair_gb_s(&loaded->fabric[i], 1, 0), 42, 0, 0, "given");
            assay_test_close(pair_gb_s(&loaded->fabric[i], 2, 3), 0, 0, 0, "not given: no link");
        }
    }
}

#define PRICE "id,provider,sku,accelerator,count,on_demand_usd_h,spot_usd_h,date,source\n"
#define PART "id,vendor,name,arch,devices,compute_units,mem_gib,source,confidence\n"
#define PEAK "id,vendor,name,arch,devices,compute_units,clock_mhz,fp16_tflops,source,confidence\n"
#define MEMORY \
    "id,vendor,name,arch,devices,mem_gib,mem_type,mem_gb_s,hbm_stacks,source,confidence\n"
#define LINK "id,vendor,name,arch,devices,scaleup_gb_s,source,confidence\n"
#define SYSTEM \
    "id,kind,name,accelerator,packages,capex_usd,capex_date,capex_basis,source,confidence\n"
#define MODEL "id,family,kind,layers,hidden,heads,kv_heads,head_dim,ffn,vocab,source\n"

static const struct {
    const char *file, *text;
    uint32_t line;
    const char *what;
} refused[] = {
    {"accelerators.csv", "id,vendro\na,b\n", 1, "unknown column 'vendro'"},
    {"accelerators.csv", "vendor,name\na,b\n", 1, "column 'id' is missing"},
    {"accelerators.csv", PART "a,v,n,x,1,8,16,s,high\na,v,n,x,1,8,16,s,high\n", 3, "given twice"},
    {"accelerators.csv", PART ",v,n,x,1,8,16,s,high\n", 2, "'id' is empty"},
    {"accelerators.csv", PART "a,v,n,x,1,8,16,,high\n", 2, "'source' is empty"},
    {"accelerators.csv", PART "a,v,n,x,1,8,-16,s,high\n", 2, "out of range"},
    {"accelerators.csv", PART "a,v,n,x,1,8,nan,s,high\n", 2, "not a number"},
    {"accelerators.csv", PART "a,v,n,x,1,8,1e999,s,high\n", 2, "not a number"},
    {"accelerators.csv", PART "a,v,n,x,1.5,8,16,s,high\n", 2, "not a whole number"},
    {"accelerators.csv", PART "a,v,n,x,2,7,16,s,high\n", 2, "do not divide"},
    {"accelerators.csv", PART "a,v,n,x,1,8,16,s,sure\n", 2, "'sure' is not low"},
    /* 304 x 2.1 GHz x 2048 = 1307.4 TFLOPS dense; 2614.8 counts 2:4 sparsity */
    {"accelerators.csv", PEAK "a,v,n,CDNA3,1,304,2100,2614.8,s,high\n", 2,
     "2.00 times what 304 units of CDNA3 can do"},
    /* no clock: the highest of the architecture counts, 148 x 2.032 GHz x 8192 = 2464 */
    {"accelerators.csv", PEAK "a,v,n,Blackwell,1,148,,4500,s,high\n", 2, "1.83 times"},
    {"accelerators.csv", PEAK "nvidia-b200-sxm-180g,NVIDIA,B200,x,1,148,,4500,s,high\n", 2,
     "a known error: 4500 is the rate with 2:4 sparsity"},
    {"accelerators.csv", MEMORY "amd-mi325x-256g,AMD,Instinct MI325X,CDNA3,1,288,,,,s,high\n", 2,
     "announced with 288 GB and ships with 256"},
    {"accelerators.csv", MEMORY "mi-325x-288g,AMD,n,CDNA3,1,288,,,,s,high\n", 2, "a known error"},
    {"accelerators.csv", MEMORY "x-64g,v,n,x,1,80,,,,s,high\n", 2, "mem_gib 80, its id says 64"},
    /* 53000 GB/s over 8 x 1024 pins is 51.8 Gbit/s each: a slip of the unit */
    {"accelerators.csv", MEMORY "a,v,n,x,1,192,HBM3,53000,8,s,high\n", 2, "51.8 Gbit/s a pin"},
    {"accelerators.csv", LINK "a,AMD,Instinct MI250X,CDNA2,2,800,s,high\n", 2,
     "800 counts all eight ports"},
    {"systems.csv", SYSTEM "a,server,n,amd-mi250x-128g,8,1000,2999Q1,b,s,low\n", 2,
     "'capex_date': 2999Q1 lies ahead"},
    {"systems.csv", SYSTEM "a,server,n,amd-mi25ox-128g,8,1000,2026,b,s,low\n", 2,
     "unknown accelerator"},
    {"systems.csv", SYSTEM "a,sever,n,amd-mi250x-128g,8,1000,2026,b,s,low\n", 2,
     "unknown value 'sever'"},
    {"systems.csv", SYSTEM "a,server,n,amd-mi250x-128g,8,1000,,b,s,low\n", 2, "no capex_date"},
    {"systems.csv", SYSTEM "a,server,n,amd-mi250x-128g,8,1000,2026-13,b,s,low\n", 2,
     "'2026-13' is not a date"},
    {"prices.csv", PRICE "a,p,s,nvidia-h100-sxm5-80g,8,20,24,2026-01,s\n", 2,
     "spot_usd_h is above on_demand_usd_h"},
    {"prices.csv", PRICE "a,p,s,nvidia-h100-sxm5-80g,1,98,,2026-01,s\n", 2, "expected 0.02 to 40"},
    /* a bid floor taken for a price, of one and of eight */
    {"prices.csv", PRICE "a,p,s,nvidia-b200-sxm-180g,1,0.01,,2026-01,s\n", 2,
     "0.01 USD/h for each of 1, expected 0.02 to 40"},
    {"prices.csv", PRICE "a,p,s,nvidia-b200-sxm-180g,8,30,0.08,2026-01,s\n", 2,
     "spot_usd_h is 0.01 USD/h"},
    /* the median of H100 is about 3 USD/h: 0.1 is less than a twentieth of it */
    {"prices.csv", PRICE "a,p,s,nvidia-h100-sxm5-80g,8,0.8,,2026-01,s\n", 2, "times the median"},
    {"prices.csv", PRICE "a,p,s,nvidia-h100-80g,8,0.8,,2026-01,s\n", 2, "times the median"},
    {"prices.csv", PRICE "a,p,s,nvidia-h100-sxm5-80g,8,20,,2999-01-01,s\n", 2, "lies ahead"},
    {"prices.csv", PRICE "a,p,s,nvidia-t4-16g,1,35,,2026-01,s\n", 2, "times the median"},
    {"prices.csv", PRICE "a,p,s,nvidia-h100-sxm5-80g,8,20,,,s\n", 2, "'date' is empty"},
    {"prices.csv", PRICE "a,p,s,h1000,8,20,,2026-01,s\n", 2, "unknown accelerator 'h1000'"},
    {"fabric_pairs.csv", "fabric,between,i,j,gb_s\nfrontier-node,device,0,8,50\n", 2,
     "not two of its 8 devices"},
    {"fabric_pairs.csv",
     "fabric,between,i,j,gb_s\nfrontier-node,device,0,1,50\nfrontier-node,device,1,0,50\n", 3,
     "given twice"},
    {"fabric_pairs.csv", "fabric,between,i,j,gb_s\nfrontier,device,0,1,50\n", 2,
     "unknown fabric 'frontier'"},
    {"aliases.csv", "id,kind,alias_of\nbest,accelerator,h10000\n", 2,
     "unknown accelerator 'h10000'"},
    {"claims.csv",
     "set,id,subject,quantity,value,unit,field,text,source\n"
     "s,1,x,y,3,W,accelerator:amd-mi250x-128g:peak_fp16,t,s\n",
     2, "unit 'W' does not fit"},
    {"claims.csv",
     "set,id,subject,quantity,value,unit,field,text,source\n"
     "s,1,x,y,3,W,accelerator:amd-mi250x-128g:weight,t,s\n",
     2, "names no catalog figure"},
    {"models.csv", MODEL "m,f,decoder-LLM,32,4096,32,5,128,11008,32000,s\n", 2, "kv_heads"},
    {"energy.csv", "id,kind,usd_per_kwh,source\nx,country,12,s\n", 2, "out of range"},
    {"energy.csv", "id,kind,usd_per_kwh,source\nx,country,0.1\n", 2, "while the header has 4"},
};

static void a_wrong_row_is_refused_at_its_line(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        write_table(0, refused[i].file, refused[i].text);
        const assay_catalog_t *loaded;
        assay_error_t err = {0};
        char line[1024];
        assert_int_equal(load_with(1, &loaded, &err), ASSAY_INPUT);
        assay_error_line(&err, line, sizeof line);
        if (!strstr(err.what, refused[i].what)) {
            fail_msg("%s: expected '%s'", line, refused[i].what);
        }
        assert_string_equal(err.file, path_of(0, refused[i].file));
        assert_int_equal(err.line, refused[i].line);
        assert_null(loaded);
        assert_int_equal(unlink(path_of(0, refused[i].file)), 0);
    }
}

static void a_missing_folder_is_an_error(void **state) {
    (void)state;
    const char *const dir[] = {"/tmp/assay-catalog-none"};
    assay_catalog_t *loaded = NULL;
    assay_error_t err;
    assert_int_equal(assay_catalog_load(arena, dir, 1, &loaded, &err), ASSAY_IO);
    assert_string_equal(err.file, dir[0]);
}

static void tables_of_other_modules_are_overlaid_alike(void **state) {
    (void)state;
    size_t size;
    assert_non_null(assay_data_builtin("aliases.csv", &size));
    assert_true(size > 1000);
    assert_null(assay_data_builtin("nothing.csv", &size));
    write_table(0, "aliases.csv", "note,id,kind\nours,h100,accelerator\n");
    const char *const dir[] = {folder[0]};
    assay_csv_t csv;
    assert_int_equal(assay_data_table(arena, "aliases.csv", dir, 1, &csv, NULL), ASSAY_OK);
    const uint32_t last = csv.n_rows - 1;
    assert_string_equal(assay_csv_cell(&csv, last, assay_csv_column(&csv, "id")), "h100");
    assert_string_equal(assay_csv_cell(&csv, last, assay_csv_column(&csv, "note")), "ours");
    assert_string_equal(assay_csv_cell(&csv, last, assay_csv_column(&csv, "alias_of")), "");
    const assay_place_t ours = assay_csv_place(&csv, last), theirs = assay_csv_place(&csv, 0);
    assert_string_equal(ours.file, path_of(0, "aliases.csv"));
    assert_int_equal(ours.line, 2);
    assert_string_equal(theirs.file, "data/aliases.csv");
}

static void a_small_arena_is_a_limit_not_a_crash(void **state) {
    (void)state;
    for (size_t bytes = 1000; bytes < 2000000; bytes += 50000) {
        assay_arena_t *small = assay_arena_create(bytes);
        assay_catalog_t *loaded = NULL;
        const assay_status_t status = assay_catalog_load(small, NULL, 0, &loaded, NULL);
        assert_true(status == ASSAY_OK ? loaded != NULL : status == ASSAY_LIMIT && !loaded);
        assay_arena_destroy(small);
    }
}

#define OVERLAY_TEST(test) cmocka_unit_test_setup_teardown(test, make_folders, remove_folders)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_tables_is_there),
        cmocka_unit_test(a_package_of_two_dies_is_two_devices),
        cmocka_unit_test(a_single_die_keeps_its_figures),
        cmocka_unit_test(frontier_has_the_links_of_its_drawing),
        cmocka_unit_test(the_16_device_box_has_350_gb_s_a_device),
        cmocka_unit_test(fabrics_count_one_direction),
        cmocka_unit_test(the_mi250x_server_is_an_estimate_apart_from_the_claim),
        cmocka_unit_test(prices_of_a_family_name_no_part),
        cmocka_unit_test(claims_stand_beside_the_catalog),
        cmocka_unit_test(spellings_and_aliases_are_understood),
        cmocka_unit_test(an_unknown_id_says_what_was_meant),
        cmocka_unit_test(dtypes_have_names_and_sizes),
        OVERLAY_TEST(a_row_is_replaced_whole_and_said_so),
        OVERLAY_TEST(the_later_folder_wins),
        OVERLAY_TEST(an_odd_price_is_kept_and_mentioned),
        OVERLAY_TEST(pairs_of_a_fabric_are_replaced_together),
        OVERLAY_TEST(a_wrong_row_is_refused_at_its_line),
        OVERLAY_TEST(tables_of_other_modules_are_overlaid_alike),
        cmocka_unit_test(a_missing_folder_is_an_error),
        cmocka_unit_test(a_small_arena_is_a_limit_not_a_crash),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
