#include "assay/env.h"

#include <string.h>

#include "assay_test.h"
#include "host/env_read.h"
#include "host/env_tables.h"

typedef struct {
    assay_arena_t *arena;
    const assay_env_rules_t *rules;
} fixture_t;

static int setup(void **state) {
    static fixture_t fixture;
    assay_error_t err = {0};
    char line[1024];
    fixture.arena = assay_arena_create((size_t)256 << 20);
    if (!fixture.arena ||
        assay_env_rules_load(fixture.arena, NULL, 0, ASSAY_LANG_EN, &fixture.rules, &err)) {
        print_error("%s\n", assay_error_line(&err, line, sizeof line));
        return -1;
    }
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    assay_arena_destroy(((fixture_t *)*state)->arena);
    return 0;
}

/* --- reading --------------------------------------------------------------------------------- */

/* Settings of a text as "NAME=value@line:column NAME=?@..."; ?: not known before it runs. */
static const char *settings(void **state, const char *data) {
    const fixture_t *fixture = *state;
    env_text_t text = {.arena = fixture->arena, .file = "t"};
    const char *all = "";
    env_read(&text, data, strlen(data));
    assert_false(text.full);
    for (uint32_t i = 0; i < text.n_setting; i++) {
        const env_setting_t *s = &text.setting[i];
        all = assay_arena_printf(fixture->arena, "%s%s%s=%s@%u:%u", all, i ? " " : "", s->name,
                                 s->value ? s->value : "?", s->at.line, s->at.column);
    }
    return all;
}

static void test_formats(void **state) {
    static const struct {
        const char *text, *settings;
    } row[] = {
        /* shell */
        {"export NCCL_DEBUG=INFO\n", "NCCL_DEBUG=INFO@1:8"},
        {"A=1 B='x y' C=\"z\" cmd\n", "A=1@1:1 B=x y@1:5 C=z@1:13"},
        {"env A=0,1 cmd; export B=2&& x\n", "A=0,1@1:5 B=2@1:23"},
        {"export A=$HOME B=${C:-1} D=`x` E=$(f -a b)\nF='$x'\n",
         "A=?@1:8 B=?@1:16 D=?@1:26 E=?@1:32 F=$x@2:1"},
        {"X=1 \\\n  Y=2 \\\n  cmd\n", "X=1@1:1 Y=2@2:3"},
        {"# NCCL_DEBUG=INFO\nA=1 # B=2\nC='a # b'\n", "A=1@2:1 C=a # b@3:1"},
        {"if [ \"$A\" = 1 ] && [ $B == 2 ]; then echo C=3; fi\n", "C=3@1:43"},
        {"echo \"use A=1\"\necho A=1 >> .env\n", "A=1@2:6"},
        {"cmake -DHIP_X=1 --opt=Y /a/B=2 $C=1 ${D=2}\n", ""},
        {"if (HIP_X == 1) don't A=1\n", "A=1@1:23"},
        /* Slurm, MPI, containers */
        {"#SBATCH --export=ALL,A=1,B=2\n", "A=1@1:22 B=2@1:26"},
        {"srun --export=ALL,A=1 ./x C=0,1\n", "A=1@1:19 C=0,1@1:27"},
        {"mpirun -x A=1 -x B -genv C 3 ./a\n", "A=1@1:11 C=3@1:26"},
        {"docker run -e A=1 --env B=2 --env=C=3 -e \"D=4\" img\n",
         "A=1@1:15 B=2@1:25 C=3@1:35 D=4@1:43"},
        /* Dockerfile, csh, modules */
        {"ENV A=1 B=\"2\"\nENV C 3\nARG D=4\nsetenv E 5\n",
         "A=1@1:5 B=2@1:9 C=3@2:5 D=4@3:5 E=5@4:8"},
        {"setenv(\"A\", \"1\")\n", "A=1@1:9"},
        /* YAML and JSON */
        {"env:\n- name: A\n  value: \"1\"\n- name: B\n  valueFrom: {key: x}\n- name: c\n  value: "
         "2\n",
         "A=1@2:9 B=?@4:9"},
        {"- {name: A, value: \"1\"}\n- {name: B, value: 2}\n", "A=1@1:10 B=2@2:10"},
        {"environment:\n  A: 1\n  B: \"x\"\n  - C=3\nimage: Y\n", "A=1@2:3 B=x@3:3 C=3@4:5"},
        {"{\"name\": \"A\", \"value\": \"1\"}\n{\"B\": \"2\", \"C\": 3}\n",
         "A=1@1:11 B=2@2:3 C=3@2:13"},
        /* Python */
        {"os.environ[\"A\"] = \"1\"\nos.environ['B'] = str(x)\nos.environ.setdefault(\"C\", "
         "\"3\")\n",
         "A=1@1:13 B=?@2:13 C=3@3:24"},
        {"print(\"A\", x)\nd[\"A\"] == 1\n", ""},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_string_equal(settings(state, row[i].text), row[i].settings);
    }
}

static void test_values(void **state) {
    (void)state;
    static const struct {
        const char *type, *good, *bad;
    } row[] = {
        {"flag", "1", "2"},         {"flag", "true", "maybe"},      {"flag01", "-2", "true"},
        {"integer", "0x10", "ten"}, {"integer", "-1", "1.5"},       {"size", "4M", "M"},
        {"yesno", "n", "maybe"},    {"devices", "0,1", "0-3"},      {"devices", "GPU-ab12", "x"},
        {"devices", "-1", "a,b"},   {"version", "9.0.10", "9.4"},   {"0..5", "5", "6"},
        {"-1..1", "-1", "2"},       {"INFO|WARN", "warn", "TRACES"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_true(env_value_fits(row[i].type, row[i].good));
        assert_false(env_value_fits(row[i].type, row[i].bad));
    }
    assert_true(env_value_fits("", "anything"));
    assert_true(env_value_fits("integer", ""));
}

/* Names that scripts have for themselves are no slips; those near a known name are. */
static void test_names(void **state) {
    const fixture_t *fixture = *state;
    static const char *const ordinary[] = {"HOME",
                                           "PATH",
                                           "MASTER_PORT",
                                           "CUDA_HOME",
                                           "CUDA_VERSION",
                                           "ROCM_PATH",
                                           "HIP_PATH",
                                           "HIP_PLATFORM",
                                           "NCCL_VERSION",
                                           "VLLM_VERSION",
                                           "GPU_COUNT",
                                           "DEBUG",
                                           "TORCH_HOME",
                                           "CUDA_DEVICES",
                                           "NCCL_TESTS_DIR",
                                           "HIP_CLANG_PATH",
                                           "OMP_NUM_THREADS",
                                           "MODEL_NAME",
                                           "VLLM_PORT",
                                           "VLLM_API_KEY",
                                           "CUDA_ARCHITECTURES",
                                           "TORCH_CUDA_ARCH_LIST",
                                           "UCX_HOME",
                                           "HIP_DEVICE_LIB_PATH",
                                           "NVIDIA_DRIVER_VERSION",
                                           "VLLM_USE_V2",
                                           "TEXT",
                                           "HSA_PATH"};
    for (size_t i = 0; i < sizeof ordinary / sizeof ordinary[0]; i++) {
        assert_null(env_name_meant(fixture->rules, ordinary[i]));
    }
    assert_string_equal(env_name_meant(fixture->rules, "NCCL_SOCKET_IFNMAE"), "NCCL_SOCKET_IFNAME");
    assert_string_equal(env_name_meant(fixture->rules, "HIP_VISIBLE_DEVICE"),
                        "HIP_VISIBLE_DEVICES");
    assert_string_equal(env_name_meant(fixture->rules, "VLLM_ROCM_USE_ATIER"),
                        "VLLM_ROCM_USE_AITER");
    assert_string_equal(env_name_meant(fixture->rules, "HSA_TURBO_BUTTON"), "");
}

/* --- the lint -------------------------------------------------------------------------------- */

static const assay_diagnosis_t *lint(void **state, const char *text,
                                     const assay_env_options_t *options) {
    const fixture_t *fixture = *state;
    const assay_host_file_t file = {"t", text, strlen(text)};
    assay_diagnosis_t *diagnosis = NULL;
    assay_error_t err = {0};
    assert_int_equal(assay_env_lint(fixture->arena, fixture->rules, "t", &file, 1, NULL, options,
                                    &diagnosis, &err),
                     ASSAY_OK);
    return diagnosis;
}

static const assay_env_options_t plain = {.threshold = ASSAY_SEVERITY_WARNING};
static const assay_env_options_t mi300x = {.target = "gfx942",
                                           .part = "MI300X",
                                           .rocm = "7.13",
                                           .engine = "vllm",
                                           .threshold = ASSAY_SEVERITY_WARNING};

/* Exactly one finding that is bad: this one. NULL id: none. */
static void expect(void **state, const char *text, const assay_env_options_t *options,
                   const char *id, assay_severity_t severity) {
    const assay_diagnosis_t *diagnosis = lint(state, text, options);
    assert_int_equal(diagnosis->n_status[ASSAY_CHECK_BAD], id ? 1 : 0);
    if (id) {
        assert_string_equal(diagnosis->finding[0].check->id, id);
        assert_int_equal(diagnosis->finding[0].severity, severity);
        assert_int_equal(diagnosis->reached, severity <= ASSAY_SEVERITY_WARNING);
    }
}

static void test_every_kind_of_finding(void **state) {
    const assay_env_options_t part = {
        .target = "gfx942", .part = "MI300X", .threshold = ASSAY_SEVERITY_WARNING};
    const assay_severity_t error = ASSAY_SEVERITY_ERROR, warning = ASSAY_SEVERITY_WARNING,
                           info = ASSAY_SEVERITY_INFO;
    expect(state, "NCCL_SOCKET_IFNMAE=eth0\n", &plain, "ENV-101", warning);
    expect(state, "HSA_TURBO_BUTTON=1\n", &plain, "ENV-101", info);
    expect(state, "HIP_COMPRESS_BUFFERS=1\n", &plain, "ENV-002", warning);
    expect(state, "HIP_LAUNCH_BLOCKING=1\n", &plain, "ENV-001", warning);
    expect(state, "HIP_LAUNCH_BLOCKING=0\n", &plain, NULL, info);
    expect(state, "HSA_ENABLE_SDMA=0\n", &plain, "ENV-001", info); /* its default is 1 */
    expect(state, "HSA_ENABLE_SDMA=1\n", &plain, NULL, info);
    expect(state, "NCCL_P2P_DISABLE=true\n", &plain, "ENV-102", warning);
    expect(state, "HIP_VISIBLE_DEVICES=0-3\n", &plain, "ENV-102", warning);
    expect(state, "NCCL_MIN_NRINGS=4\n", &plain, "ENV-005", info);
    expect(state, "VLLM_SERVER_DEV_MODE=1\n", &plain, "ENV-006", warning);
    expect(state, "RCCL_MSCCL_ENABLE=0\n", &plain, "ENV-004", info); /* its default was 1 */
    expect(state, "RCCL_MSCCL_FORCE_ENABLE=1\n", &plain, "ENV-004", info);
    const assay_env_options_t new = {.rocm = "7.13", .threshold = ASSAY_SEVERITY_WARNING};
    expect(state, "RCCL_MSCCL_FORCE_ENABLE=1\n", &new, "ENV-104", warning);
    const assay_env_options_t old = {.rocm = "7.2", .threshold = ASSAY_SEVERITY_WARNING};
    expect(state, "RCCL_MSCCL_FORCE_ENABLE=1\n", &old, "ENV-004", info);
    expect(state, "ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=2,3\n", &plain, "ENV-003", error);
    expect(state, "ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=0,1\n", &plain, NULL, info);
    expect(state, "HIP_FORCE_DEV_KERNARG=0\n", &part, "ENV-105", warning);
    expect(state, "GPU_MAX_HW_QUEUES=2\n", &part, NULL, info);
    expect(state, "GPU_MAX_HW_QUEUES=8\n", &part, "ENV-105", info);
    expect(state, "HSA_OVERRIDE_GFX_VERSION=9.0.0\n", &part, "SW-002", error);
    expect(state, "HSA_OVERRIDE_GFX_VERSION_0=9.4.2\n", &part, "SW-002", warning);
    expect(state, "hipcc --amdgpu-target=gfx942 a.cpp\n", &part, "ENV-106", warning);
    expect(state, "hipcc --offload-arch=gfx90a a.cpp\n", &part, "ENV-106", error);
    expect(state, "hipcc --offload-arch=gfx90a --offload-arch=gfx942 a.cpp\n", &part, NULL, info);
    expect(state, "hipcc --offload-arch=native a.cpp\n", &part, NULL, info);
    expect(state, "sudo chmod 666 /dev/kfd\n", &plain, "ENV-107", error);
    expect(state, "rocm-smi --setfan 80%\n", &plain, NULL, info);
    expect(state, "# HIP_LAUNCH_BLOCKING=1\nexport PATH=/opt/rocm/bin:$PATH FOO=1\n", &plain, NULL,
           info);
}

static void test_conflict_says_both(void **state) {
    const assay_diagnosis_t *diagnosis =
        lint(state, "NCCL_NET=Socket\nNCCL_IB_HCA=mlx5_0\n", &plain);
    assert_int_equal(diagnosis->n_status[ASSAY_CHECK_BAD], 1);
    assert_string_equal(diagnosis->finding[0].check->id, "ENV-103");
    assert_int_equal(diagnosis->finding[0].at.line, 2);
    assert_non_null(strstr(diagnosis->finding[0].evidence, "NCCL_NET=Socket in line 1"));
}

/* What the engine's guide asks for is remarked on where it is not set, and then only. */
static void test_advice_that_is_not_set(void **state) {
    const assay_diagnosis_t *diagnosis = lint(state, "VLLM_ROCM_USE_AITER=1\n", &mi300x);
    for (uint32_t i = 0; i < diagnosis->n_status[ASSAY_CHECK_BAD]; i++) {
        assert_int_equal(diagnosis->finding[i].severity, ASSAY_SEVERITY_INFO);
        assert_null(strstr(diagnosis->finding[i].evidence, "VLLM_ROCM_USE_AITER"));
    }
    assert_int_equal(diagnosis->n_status[ASSAY_CHECK_BAD], 2); /* hipBLASLt, safetensors */
    assert_int_equal(diagnosis->first, -1);
    assert_int_equal(lint(state, "FOO: 1\n", &plain)->n_status[ASSAY_CHECK_BAD], 0);
}

static void test_live(void **state) {
    const fixture_t *fixture = *state;
    static const char *const live[] = {"HOME=/root", "HIP_LAUNCH_BLOCKING=1", "NOVALUE", NULL};
    assay_diagnosis_t *diagnosis = NULL;
    assert_int_equal(assay_env_lint(fixture->arena, fixture->rules, "here", NULL, 0, live, &plain,
                                    &diagnosis, NULL),
                     ASSAY_OK);
    assert_int_equal(diagnosis->n_status[ASSAY_CHECK_BAD], 1);
    assert_non_null(strstr(diagnosis->finding[0].evidence, "environment: HIP_LAUNCH_BLOCKING=1"));
}

static void test_bad_options(void **state) {
    const fixture_t *fixture = *state;
    static const char *const only[] = {"ENV-999"};
    assay_env_options_t options = {.only = only, .n_only = 1};
    assay_diagnosis_t *diagnosis = NULL;
    assert_int_equal(assay_env_lint(fixture->arena, fixture->rules, "t", NULL, 0, NULL, &options,
                                    &diagnosis, NULL),
                     ASSAY_NOT_FOUND);
    options = (assay_env_options_t){.rocm = "seven"};
    assert_int_equal(assay_env_lint(fixture->arena, fixture->rules, "t", NULL, 0, NULL, &options,
                                    &diagnosis, NULL),
                     ASSAY_INPUT);
}

/* --- tables ---------------------------------------------------------------------------------- */

/* Names and values of the tables exist, and what the project says against itself it never advises.
 */
static void test_tables_fit_each_other(void **state) {
    const assay_env_rules_t *rules = ((fixture_t *)*state)->rules;
    uint32_t n_none = 0;
    for (uint32_t i = 0; i < rules->host->n_variable; i++) {
        const host_variable_t *variable = &rules->host->variable[i];
        n_none += strcmp(variable->component, "none") == 0;
        assert_true(!*variable->check || assay_env_rules_check(rules, variable->check));
    }
    assert_int_equal(n_none, 8); /* six of them the seed's */
    for (uint32_t i = 0; i < rules->n_conflict; i++) {
        assert_non_null(host_variable_find(rules->host, rules->conflict[i].first));
        assert_non_null(host_variable_find(rules->host, rules->conflict[i].second));
        assert_true(*rules->conflict[i].source);
    }
    for (uint32_t i = 0; i < rules->n_advice; i++) {
        const env_advice_t *advice = &rules->advice[i];
        const host_variable_t *variable = host_variable_find(rules->host, advice->name);
        assert_non_null(variable);
        assert_true(strcmp(advice->advice, "unset") == 0 ||
                    env_value_fits(variable->type, advice->advice));
        assert_true(*advice->source);
    }
    for (uint32_t i = 0; i < rules->n_command; i++) {
        assert_non_null(assay_env_rules_check(rules, rules->command[i].check));
        assert_null(strstr(rules->command[i].fix, "--privileged"));
        assert_null(strstr(rules->command[i].fix, "666"));
        assert_true(*rules->command[i].source);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_kind_of_finding),
        cmocka_unit_test(test_conflict_says_both),
        cmocka_unit_test(test_advice_that_is_not_set),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_tables_fit_each_other),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
