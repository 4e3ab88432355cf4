/* The formats of a scan, over a hand-filled one: JSON and SARIF by parsing them, text by its width,
   the page by what must not be in it. */
#include "assay_test.h"

#include <jansson.h>

#include "assay/report_scan.h"

static const assay_port_days_t days[] = {{1.0, 2.0, 4.0}, {3.0, 6.0, 12.0}, {5.0, 10.0, 20.0}};
static const char *const assumption[] = {"scan.sigma = 0.6 (assumption)"};

typedef struct {
    assay_port_file_t file[3];
    assay_port_finding_t finding[4];
    assay_port_scan_t scan;
    uint64_t print[4];
    assay_buf_t out;
} fixture_t;

static int set_up(void **state) {
    static fixture_t f;
    f = (fixture_t){
        .file = {{.path = "big.bin", .language = ASSAY_PORT_OTHER, .skipped = "binary"},
                 {.path = "src/a <b>.cu",
                  .language = ASSAY_PORT_CUDA,
                  .bytes = 90,
                  .lines = 1000,
                  .kernels = 2,
                  .references = {{.all = 10, .ready = 7, .ported = 1, .cuda_only = 1}},
                  .residual_lines = 2.0},
                 {.path = "top.py", .language = ASSAY_PORT_PYTHON, .lines = 10}},
        .finding = {{.rule = "warp-mask-32bit",
                     .api = "__shfl_sync",
                     .replacement = "~0ull",
                     .status = "unsupported",
                     .message = "The mask has 64 bits & more",
                     .source = "a source",
                     .library = "device",
                     /* two columns of tab, then text; the e-acute is two bytes */
                     .text = "/* \xc3\xa9 */ v = __shfl_sync(<x>, v);",
                     .text_column = 3,
                     .at = {"src/a <b>.cu", 7, 16},
                     .length = 11,
                     .effect = ASSAY_EFFECT_COMPILE,
                     .severity = ASSAY_SEVERITY_ERROR,
                     .level = 2},
                    {.rule = "warp-size-assumed-32",
                     .api = "",
                     .replacement = "",
                     .status = "",
                     .message = "A warp has 64 lanes",
                     .source = "a source",
                     .at = {"src/a <b>.cu", 9, 1},
                     .effect = ASSAY_EFFECT_SILENT,
                     .severity = ASSAY_SEVERITY_CRITICAL,
                     .level = 2,
                     .heuristic = true},
                    {.rule = "zz-note",
                     .api = "x",
                     .replacement = "",
                     .status = "supported",
                     .message = "A note",
                     .source = "a source",
                     .at = {"top.py", 1, 1},
                     .length = 1,
                     .effect = ASSAY_EFFECT_NOTE,
                     .severity = ASSAY_SEVERITY_INFO,
                     .level = 3,
                     .known = true},
                    {.rule = "zz-slow",
                     .api = "",
                     .replacement = "",
                     .status = "",
                     .message = "Slow",
                     .source = "a source",
                     .at = {"top.py", 2, 1},
                     .effect = ASSAY_EFFECT_SLOW,
                     .severity = ASSAY_SEVERITY_WARNING,
                     .level = 1}},
        .print = {1, 2, 0xabc, 4},
    };
    f.scan = (assay_port_scan_t){.root = "tree",
                                 .file = f.file,
                                 .n_file = 3,
                                 .finding = f.finding,
                                 .n_finding = 4,
                                 .bytes = 100,
                                 .lines = 1010,
                                 .options = {.rocm = 604, .target = "gfx942"}};
    f.scan.effort = (assay_port_effort_t){.level = {days[0], days[1], days[2]},
                                          .training = days[0],
                                          .contingency = days[0],
                                          .total = days[2],
                                          .calendar = days[2],
                                          .review_wait = days[2],
                                          .tail_p95_days = 30.0,
                                          .tail_p99_days = 40.0,
                                          .covered_share = 0.6,
                                          .debt_days_per_year = 15.0,
                                          .debt_fork_days_per_year = 25.0,
                                          .cuda_lines = 1000,
                                          .residual_lines = 2.0,
                                          .hip_fit = 0.7,
                                          .cuda_only_share = 0.1,
                                          .assumption = assumption,
                                          .n_assumption = 1};
    assay_buf_init(&f.out, 1u << 20);
    *state = &f;
    return 0;
}
static int tear_down(void **state) {
    fixture_t *f = *state;
    assay_buf_done(&f->out);
    return 0;
}

static void write(fixture_t *f, assay_report_format_t format) {
    assert_int_equal(assay_report_scan(&f->scan, f->print, format, NULL, &f->out, NULL), ASSAY_OK);
    assert_true(f->out.n > 0);
}

static json_t *parse(const fixture_t *f) {
    json_error_t error;
    json_t *root = json_loadb(f->out.data, f->out.n, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return root;
}

static double number(const json_t *object, const char *a, const char *b) {
    const json_t *value = json_object_get(object, a);
    return json_number_value(b ? json_object_get(value, b) : value);
}

static const char *string(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void test_json_keeps_the_contract(void **state) {
    fixture_t *f = *state;
    write(f, ASSAY_REPORT_JSON);
    json_t *root = parse(f);
    const json_t *findings = json_object_get(root, "findings");
    assert_int_equal(json_array_size(findings), 4);
    const json_t *first = json_array_get(findings, 0);
    assert_string_equal(string(first, "rule"), "warp-mask-32bit");
    assert_string_equal(string(first, "file"), "src/a <b>.cu");
    assert_string_equal(string(first, "severity"), "error");
    assert_string_equal(string(first, "effect"), "compile");
    assert_string_equal(string(first, "api"), "__shfl_sync");
    assert_string_equal(string(first, "status"), "unsupported");
    assert_string_equal(string(first, "replacement"), "~0ull");
    assert_string_equal(string(first, "fingerprint"), "0000000000000001");
    assay_test_close(number(first, "line", NULL), 7.0, 0.0, 0.0, "line");
    assay_test_close(number(first, "level", NULL), 2.0, 0.0, 0.0, "level");
    const json_t *effort = json_object_get(root, "effort");
    assay_test_close(number(effort, "level2", "p50_days"), 6.0, 0.0, 0.0, "level 2");
    assay_test_close(number(effort, "total", "p90_days"), 20.0, 0.0, 0.0, "total");
    assay_test_close(number(effort, "hip_fit", NULL), 0.7, 0.0, 0.0, "fit");
    assay_test_close(number(effort, "cuda_only_share", NULL), 0.1, 0.0, 0.0, "CUDA only");
    const json_t *summary = json_object_get(root, "summary");
    assay_test_close(number(summary, "files", NULL), 2.0, 0.0, 0.0, "files");
    assay_test_close(number(summary, "skipped", NULL), 1.0, 0.0, 0.0, "skipped");
    assay_test_close(number(summary, "new", NULL), 3.0, 0.0, 0.0, "new");
    assay_test_close(number(summary, "known", NULL), 1.0, 0.0, 0.0, "known");
    assay_test_close(number(summary, "level2", "silent"), 1.0, 0.0, 0.0, "silent at level 2");
    const json_t *directory = json_array_get(json_object_get(summary, "directories"), 0);
    assert_string_equal(string(directory, "name"), "src"); /* it has the silent one */
    assay_test_close(number(directory, "lines", NULL), 1000.0, 0.0, 0.0, "lines");
    assay_test_close(number(directory, "files", NULL), 1.0, 0.0, 0.0, "files of src");
    const json_t *library = json_array_get(json_object_get(summary, "libraries"), 0);
    assert_string_equal(string(library, "name"), "device");
    assay_test_close(number(library, "files", NULL), 1.0, 0.0, 0.0, "files of the library");
    json_decref(root);
}

static void test_json_leaves_out_an_unknown_fit(void **state) {
    fixture_t *f = *state;
    f->scan.effort.hip_fit = f->scan.effort.cuda_only_share = -1.0;
    write(f, ASSAY_REPORT_JSON);
    json_t *root = parse(f);
    assert_null(json_object_get(json_object_get(root, "effort"), "hip_fit"));
    json_decref(root);
}

static void test_sarif_has_the_published_structure(void **state) {
    fixture_t *f = *state;
    write(f, ASSAY_REPORT_SARIF);
    json_t *root = parse(f);
    assert_string_equal(string(root, "version"), "2.1.0");
    assert_non_null(strstr(string(root, "$schema"), "sarif-schema-2.1.0.json"));
    const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
    const json_t *rules =
        json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
    assert_int_equal(json_array_size(rules), 4);
    const json_t *results = json_object_get(run, "results");
    assert_int_equal(json_array_size(results), 4);
    static const char *const level[] = {"error", "error", "note", "warning"};
    static const char *const baseline[] = {"new", "new", "unchanged", "new"};
    for (size_t i = 0; i < 4; i++) {
        const json_t *result = json_array_get(results, i);
        const size_t rule = (size_t)number(result, "ruleIndex", NULL);
        assert_string_equal(string(result, "level"), level[i]);
        assert_string_equal(string(result, "baselineState"), baseline[i]);
        assert_string_equal(string(json_array_get(rules, rule), "id"), string(result, "ruleId"));
    }
    const json_t *place =
        json_object_get(json_array_get(json_object_get(json_array_get(results, 0), "locations"), 0),
                        "physicalLocation");
    assert_string_equal(string(json_object_get(place, "artifactLocation"), "uri"),
                        "src/a%20%3Cb%3E.cu");
    const json_t *region = json_object_get(place, "region");
    assay_test_close(number(region, "startLine", NULL), 7.0, 0.0, 0.0, "line");
    /* byte column 16; one character before it has two bytes */
    assay_test_close(number(region, "startColumn", NULL), 15.0, 0.0, 0.0, "column");
    assay_test_close(number(region, "endColumn", NULL), 26.0, 0.0, 0.0, "end");
    json_decref(root);
}

static void test_text_fits_and_ranks_silent_faults_first(void **state) {
    fixture_t *f = *state;
    f->file[1].path = f->finding[0].at.file = f->finding[1].at.file =
        "a/very/long/path/that/goes/on/and/on/and/on/and/on/and/on/and/on/and/on/and/on/and/on/"
        "and/on/a.cu";
    write(f, ASSAY_REPORT_TEXT);
    for (const char *line = f->out.data; *line;) {
        const size_t n = strcspn(line, "\n");
        assert_true(n <= 100);
        line += n + (line[n] == '\n');
    }
    const char *silent = strstr(f->out.data, "warp-size-assumed-32 x1");
    const char *compile = strstr(f->out.data, "warp-mask-32bit x1");
    assert_true(silent && compile && silent < compile);
    assert_non_null(strstr(f->out.data, "1 more are in the baseline"));
    assert_null(strstr(f->out.data, "zz-note"));
    assert_non_null(strstr(f->out.data, "big.bin: binary"));
}

static void test_page_is_self_contained_and_escaped(void **state) {
    fixture_t *f = *state;
    write(f, ASSAY_REPORT_HTML);
    assert_null(strstr(f->out.data, "<script"));
    assert_null(strstr(f->out.data, "http://"));
    assert_null(strstr(f->out.data, "https://"));
    assert_null(strstr(f->out.data, "<b>.cu"));
    assert_non_null(strstr(f->out.data, "<mark>__shfl_sync</mark>(&lt;x&gt;, v);"));
    assert_non_null(strstr(f->out.data, "class=\"heat h1\">1</td>")); /* 1 in 1,000 lines */
}

static void test_other_formats_are_refused(void **state) {
    fixture_t *f = *state;
    assert_int_equal(assay_report_scan(&f->scan, f->print, ASSAY_REPORT_CSV, NULL, &f->out, NULL),
                     ASSAY_USAGE);
    assert_int_equal(f->out.n, 0);
}

static void test_an_empty_scan_has_every_format(void **state) {
    fixture_t *f = *state;
    const assay_report_format_t format[] = {ASSAY_REPORT_TEXT, ASSAY_REPORT_JSON,
                                            ASSAY_REPORT_SARIF, ASSAY_REPORT_HTML};
    f->scan.n_file = f->scan.n_finding = 0;
    f->scan.effort = (assay_port_effort_t){.hip_fit = -1.0, .cuda_only_share = -1.0};
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        write(f, format[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_json_keeps_the_contract),
        TEST(test_json_leaves_out_an_unknown_fit),
        TEST(test_sarif_has_the_published_structure),
        TEST(test_text_fits_and_ranks_silent_faults_first),
        TEST(test_page_is_self_contained_and_escaped),
        TEST(test_other_formats_are_refused),
        TEST(test_an_empty_scan_has_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
