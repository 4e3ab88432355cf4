#include "resolve_fixture.h"

#include "assay/catalog.h"
#include "assay/csv.h"
#include "assay/emit.h"
#include "assay/launch.h"
#include "assay/text.h"
#include "machine_fixture.h"

/* Two nodes of eight, a llama of 32 layers; every layout of the tests is of these 16 devices. */
static assay_emit_case_t make(const char *system, const char *model, assay_layout_t layout) {
    assay_machine_t *machine = assay_arena_alloc(arena, sizeof *machine);
    assay_workload_t *work = assay_arena_alloc(arena, sizeof *work);
    assay_estimate_t *estimate = assay_arena_alloc(arena, sizeof *estimate);
    assert_non_null(machine);
    assert_non_null(work);
    assert_non_null(estimate);
    *machine = (assay_machine_t){.id = system, .nodes = 2, .devices_per_node = 8, .devices = 16};
    for (uint32_t i = 0; i < catalog->n_system; i++) {
        if (strcmp(catalog->system[i].id, system) == 0) {
            machine->system = &catalog->system[i];
            machine->accelerator = catalog->system[i].accelerator;
        }
    }
    assert_non_null(machine->system);
    machine->device.hbm_bytes = 64 * 1073741824.0;
    *work = (assay_workload_t){.model = *model_of(model),
                               .sequence = 4096,
                               .global_batch = 512,
                               .dtype = ASSAY_DT_BF16,
                               .tokens = 4096.0 * 512 * 1000};
    *estimate = (assay_estimate_t){.layout = layout, .step_s = 1, .rel_p10 = .8, .rel_p90 = 1.2};
    return (assay_emit_case_t){machine, work, estimate, "a job"};
}

static const assay_emit_t *emit(assay_emit_tool_t tool, const assay_emit_case_t *of) {
    assay_emit_t *out = NULL;
    assay_error_t err = {0};
    const assay_status_t status = assay_emit(arena, tool, of, NULL, 0, &out, &err);
    if (status) {
        fail_msg("%s: %s", assay_emit_name(tool), err.what);
    }
    return out;
}

static const char *read_back(const char *file, const char *text, const char *key) {
    const assay_launch_file_t launch_file = {file, text, strlen(text)};
    assay_launch_t *launch;
    assay_error_t err = {0};
    if (assay_launch_read(arena, &launch_file, 1, NULL, NULL, 0, &launch, &err)) {
        fail_msg("%s: %s", file, err.what);
    }
    for (uint32_t i = 0; i < launch->n_item; i++) {
        const assay_launch_item_t *item = &launch->item[i];
        assert_true(item->state != ASSAY_LAUNCH_UNKNOWN);
        if (item->key && strcmp(item->key, key) == 0 &&
            (item->state == ASSAY_LAUNCH_TAKEN || item->state == ASSAY_LAUNCH_ASSUMED)) {
            return item->value;
        }
    }
    return NULL;
}

/* Every argument of the table is one that `assay job from` knows of that very tool. */
static void arguments_are_those_of_the_tools(void **state) {
    (void)state;
    assay_csv_t rows, known;
    assay_error_t err;
    assert_int_equal(assay_data_table(arena, "emit.csv", NULL, 0, &rows, &err), ASSAY_OK);
    assert_int_equal(assay_data_table(arena, "workload_args.csv", NULL, 0, &known, &err), ASSAY_OK);
    const int tool = assay_csv_column(&rows, "tool"),
              argument = assay_csv_column(&rows, "argument"),
              source = assay_csv_column(&rows, "source");
    for (uint32_t i = 0; i < rows.n_rows; i++) {
        const char *name = assay_csv_cell(&rows, i, argument), *of = assay_csv_cell(&rows, i, tool);
        assert_true(assay_csv_cell(&rows, i, source)[0] != '\0');
        if (strcmp(name, "!") == 0 || strncmp(name, "env:", 4) == 0) {
            continue;
        }
        if (strncmp(name, "#SBATCH ", 8) == 0) {
            name += 8;
            of = "slurm";
        }
        bool found = false;
        for (uint32_t k = 0; k < known.n_rows && !found; k++) {
            found =
                strcmp(assay_csv_cell(&known, k, assay_csv_column(&known, "tool")), of) == 0 &&
                strcmp(assay_csv_cell(&known, k, assay_csv_column(&known, "argument")), name) == 0;
        }
        if (!found) {
            fail_msg("%s has no argument %s", of, name);
        }
    }
}

/* As PipelineParallelLayerLayout.parse_str_to_list of Megatron-Core reads it (x*n, (..)*n, a piece
   up to each |): 126 layers on 8 stages as 15, 16 x 6, 15; layers that divide need no word. */
static void stages_that_do_not_divide_are_written(void **state) {
    (void)state;
    const assay_layout_t layout = {
        .tp = 8, .pp = 8, .vpp = 1, .dp = 8, .micro_batch = 1, .zero = 1};
    const assay_emit_case_t uneven = make("hgx-h100-8", "llama-3.1-405b", layout);
    const char *text = emit(ASSAY_EMIT_MEGATRON, &uneven)->text;
    assert_non_null(strstr(text, "--pipeline-model-parallel-layout 'Et*15|(t*16|)*6t*15L'"));
    const assay_emit_case_t even = make("hgx-h100-8", "llama-3.1-70b", layout);
    assert_null(strstr(emit(ASSAY_EMIT_MEGATRON, &even)->text, "parallel-layout"));
}

/* torchtitan shares out the layers and what each end has less: 80 + 0 + 0 and 126 + 1 + 1 by 8
   stages, 61 + 0 + 3 (8 x 7, 5). By itself it would take one from each end of 80 as well. */
static void ends_of_torchtitan_have_as_many_less(void **state) {
    (void)state;
    static const struct {
        const char *model;
        char first, last;
    } rows[] = {
        {"llama-3.1-70b", '0', '0'}, {"llama-3.1-405b", '1', '1'}, {"deepseek-v3", '0', '3'}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const assay_emit_case_t of =
            make("hgx-h100-8", rows[i].model,
                 (assay_layout_t){.tp = 2, .pp = 8, .vpp = 1, .dp = 1, .micro_batch = 1});
        const char *text = emit(ASSAY_EMIT_TORCHTITAN, &of)->text;
        const char *first = strstr(text, "pipeline_parallel_first_stage_less_layers = ");
        const char *last = strstr(text, "pipeline_parallel_last_stage_less_layers = ");
        assert_non_null(first);
        assert_non_null(last);
        assert_int_equal(strchr(first, '=')[2], rows[i].first);
        assert_int_equal(strchr(last, '=')[2], rows[i].last);
    }
}

/* What is written is read back as the same layout. */
static void what_is_written_reads_back(void **state) {
    (void)state;
    const assay_emit_case_t pipeline = make("lumi-g-node", "llama-2-7b",
                                            (assay_layout_t){.tp = 2,
                                                             .pp = 4,
                                                             .vpp = 2,
                                                             .dp = 2,
                                                             .micro_batch = 2,
                                                             .zero = 1,
                                                             .recompute = ASSAY_RECOMPUTE_FULL,
                                                             .sequence_parallel = true});
    static const struct {
        const char *key, *value;
    } expected[] = {{"layout.tp", "2"},           {"layout.pp", "4"},
                    {"layout.vpp", "2"},          {"layout.micro_batch", "2"},
                    {"layout.zero", "1"},         {"layout.recompute", "full"},
                    {"work.global_batch", "512"}, {"work.sequence", "4096"},
                    {"work.precision", "bf16"},   {"layout.sequence_parallel", "true"}};
    const char *megatron = emit(ASSAY_EMIT_MEGATRON, &pipeline)->text;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *value = read_back("run.sh", megatron, expected[i].key);
        assert_non_null(value);
        assert_string_equal(value, expected[i].value);
    }
    const assay_emit_case_t sharded =
        make("hgx-h100-8", "llama-2-7b",
             (assay_layout_t){.tp = 1, .pp = 1, .vpp = 1, .dp = 16, .micro_batch = 4, .zero = 3});
    static const struct {
        assay_emit_tool_t tool;
        const char *file;
    } trees[] = {{ASSAY_EMIT_TORCHTITAN, "run.toml"},
                 {ASSAY_EMIT_DEEPSPEED, "ds.json"},
                 {ASSAY_EMIT_ACCELERATE, "fsdp.yaml"}};
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        const char *text = emit(trees[i].tool, &sharded)->text;
        assert_string_equal(read_back(trees[i].file, text, "layout.zero"), "3");
        assert_string_equal(read_back(trees[i].file, text, "work.precision"), "bf16");
        if (trees[i].tool != ASSAY_EMIT_ACCELERATE) { /* it does not set the batch */
            assert_string_equal(read_back(trees[i].file, text, "layout.micro_batch"), "4");
            assert_string_equal(read_back(trees[i].file, text, "work.global_batch"), "512");
        }
    }
}

/* What the job says of optimizer, formats and traffic of experts is written, reads back, or is
   refused; nothing is written that would run as something else. */
static void recipes_are_written_or_refused(void **state) {
    (void)state;
    static const struct {
        assay_emit_tool_t tool;
        const char *file;
    } tools[] = {{ASSAY_EMIT_MEGATRON, "run.sh"},
                 {ASSAY_EMIT_TORCHTITAN, "run.toml"},
                 {ASSAY_EMIT_DEEPSPEED, "ds.json"}};
    static const struct {
        assay_recipe_t recipe;
        assay_dtype_t dtype;
        bool once;
        const char *key, *value[3]; /* of each tool; NULL: refused */
    } rows[] = {
        {{.optimizer = ASSAY_OPTIMIZER_ADAM},
         ASSAY_DT_BF16,
         false,
         "work.optimizer",
         {"adam", "adam", "adam"}},
        {{.optimizer = ASSAY_OPTIMIZER_MUON},
         ASSAY_DT_BF16,
         false,
         "work.optimizer",
         {"muon", NULL, "muon"}},
        {{.optimizer = ASSAY_OPTIMIZER_SGD},
         ASSAY_DT_BF16,
         false,
         "work.optimizer",
         {"sgd", NULL, "sgd"}},
        {{.optimizer = ASSAY_OPTIMIZER_LAMB},
         ASSAY_DT_BF16,
         false,
         "work.optimizer",
         {NULL, NULL, "lamb"}},
        {{.optimizer = ASSAY_OPTIMIZER_ADAM8BIT},
         ASSAY_DT_BF16,
         false,
         "work.optimizer",
         {NULL, NULL, NULL}},
        {{.bf16_moments = true}, ASSAY_DT_BF16, false, "work.moment_dtype", {"bf16", NULL, NULL}},
        {{0}, ASSAY_DT_FP8, false, "work.precision", {"fp8", "fp8", NULL}},
        {{.format = "mxfp8"}, ASSAY_DT_FP8, false, "work.precision", {"mxfp8", "mxfp8", NULL}},
        {{.format = "nvfp4"}, ASSAY_DT_FP4, false, "work.precision", {"fp4", NULL, NULL}},
        {{.format = "mxfp4"}, ASSAY_DT_FP4, false, "work.precision", {NULL, NULL, NULL}},
        {{0}, ASSAY_DT_BF16, true, "work.expert_dispatch", {"deepep", "deepep", NULL}},
        {{.host_activations = true},
         ASSAY_DT_BF16,
         false,
         "work.offload_activations",
         {"true", NULL, NULL}},
        /* adapters are the script's business, as its configuration goes */
        {{.method = ASSAY_METHOD_LORA},
         ASSAY_DT_BF16,
         false,
         "work.optimizer",
         {NULL, NULL, "adam"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t t = 0; t < sizeof tools / sizeof tools[0]; t++) {
            const bool megatron = tools[t].tool == ASSAY_EMIT_MEGATRON;
            assay_emit_case_t of = make("hgx-h100-8", rows[i].once ? "mixtral-8x7b" : "llama-2-7b",
                                        (assay_layout_t){.tp = 1,
                                                         .pp = 1,
                                                         .vpp = 1,
                                                         .dp = 16,
                                                         .ep = rows[i].once ? 8 : 1,
                                                         .micro_batch = 4,
                                                         .zero = megatron ? 1 : 3});
            assay_workload_t work = *of.work;
            work.recipe = rows[i].recipe;
            work.dtype = rows[i].dtype;
            work.expert_once = rows[i].once;
            of.work = &work;
            assay_emit_t *out = NULL;
            assay_error_t err = {0};
            const assay_status_t status =
                assay_emit(arena, tools[t].tool, &of, NULL, 0, &out, &err);
            const char *value = rows[i].value[t];
            assert_int_equal(status, value ? ASSAY_OK : ASSAY_UNAVAILABLE);
            const char *back = value ? read_back(tools[t].file, out->text, rows[i].key) : NULL;
            if (value && (!back || strcmp(back, value) != 0)) {
                fail_msg("row %zu of %s: %s is %s, expected %s", i, assay_emit_name(tools[t].tool),
                         rows[i].key, back ? back : "(nothing)", value);
            }
        }
    }
}

/* LUMI's guide: --cpu-bind=map_cpu:49,57,17,25,1,9,33,41, the first CPU of each device; a mask of
   49-55 is fe000000000000. */
static void ranks_of_lumi_are_bound_in_the_order_of_its_dies(void **state) {
    (void)state;
    const assay_emit_case_t of =
        make("lumi-g-node", "llama-2-7b",
             (assay_layout_t){.tp = 8, .pp = 1, .vpp = 1, .dp = 2, .micro_batch = 1, .zero = 1});
    const char *text = emit(ASSAY_EMIT_SBATCH, &of)->text;
    assert_non_null(strstr(text, "mask_cpu:fe000000000000,fe00000000000000,fe0000,fe000000,fe,fe00,"
                                 "fe00000000,fe0000000000\n"));
    assert_non_null(strstr(text, "#SBATCH --nodes=2\n"));
    assert_non_null(strstr(text, "#SBATCH --job-name='a job'\n"));
    assert_non_null(strstr(text, "ROCR_VISIBLE_DEVICES=$SLURM_LOCALID"));
    assert_non_null(strstr(text, "--train-iters 1000 "));
}

static void a_layout_that_a_tool_lacks_is_refused(void **state) {
    (void)state;
    const assay_emit_case_t of =
        make("hgx-h100-8", "llama-2-7b",
             (assay_layout_t){.tp = 1, .pp = 4, .vpp = 1, .dp = 4, .micro_batch = 1, .zero = 1});
    static const assay_emit_tool_t tool[] = {ASSAY_EMIT_TORCHTITAN, ASSAY_EMIT_DEEPSPEED,
                                             ASSAY_EMIT_ACCELERATE};
    for (size_t i = 0; i < sizeof tool / sizeof tool[0]; i++) {
        assay_emit_t *out;
        assay_error_t err = {0};
        assert_int_equal(assay_emit(arena, tool[i], &of, NULL, 0, &out, &err), ASSAY_UNAVAILABLE);
        assert_non_null(strstr(err.what, "cannot run this"));
        assert_true(err.next[0] != '\0');
    }
}

/* A name from a job ends no word, no line and no comment. */
static void names_cannot_leave_their_place(void **state) {
    (void)state;
    assay_emit_case_t of =
        make("hgx-h100-8", "llama-2-7b",
             (assay_layout_t){.tp = 1, .pp = 1, .vpp = 1, .dp = 16, .micro_batch = 1, .zero = 3});
    assay_workload_t *work = assay_arena_alloc(arena, sizeof *work);
    assert_non_null(work);
    *work = *of.work;
    work->model.hf_id = work->model.id = "x\nrm -rf \"$HOME\" '; reboot";
    of.work = work;
    of.job = "x'\n$(reboot)";
    assert_null(strstr(emit(ASSAY_EMIT_SBATCH, &of)->text, "\nrm"));
    assert_null(strstr(emit(ASSAY_EMIT_SBATCH, &of)->text, "\n$(reboot)"));
    assert_non_null(strstr(emit(ASSAY_EMIT_TORCHTITAN, &of)->text, "name = \"x rm -rf \\\"$HOME"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_those_of_the_tools),
        cmocka_unit_test(stages_that_do_not_divide_are_written),
        cmocka_unit_test(ends_of_torchtitan_have_as_many_less),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(recipes_are_written_or_refused),
        cmocka_unit_test(ranks_of_lumi_are_bound_in_the_order_of_its_dies),
        cmocka_unit_test(a_layout_that_a_tool_lacks_is_refused),
        cmocka_unit_test(names_cannot_leave_their_place),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
