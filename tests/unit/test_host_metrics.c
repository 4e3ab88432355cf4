/* gpu_metrics: tables made by hand, a field at a time, of each revision and size. */
#include "host/host_metrics.h"

#include <math.h>

#include "host_fixture.h"

typedef struct {
    uint8_t bytes[4096];
    size_t n;
} made_t;

static made_t make(uint8_t format, uint8_t content, size_t n) {
    made_t made = {.n = n};
    memset(made.bytes, 0xff, sizeof made.bytes);
    made.bytes[0] = (uint8_t)(n & 0xff);
    made.bytes[1] = (uint8_t)(n >> 8);
    made.bytes[2] = format;
    made.bytes[3] = content;
    return made;
}

static void put(made_t *made, size_t at, size_t n, uint64_t value) {
    for (size_t i = 0; i < n; i++) {
        made->bytes[at + i] = (uint8_t)(value >> (8 * i));
    }
}

static host_metrics_t decode(const made_t *made) {
    host_metrics_t metrics;
    assert_true(host_metrics_decode((host_span_t){(const char *)made->bytes, made->n}, &metrics));
    return metrics;
}

#define VALUE(metrics, field) (metrics).value[HOST_METRIC_##field]

/* Hotspot, power, compute clock and PCIe speed where kgd_pp_interface.h has them in each. */
static void test_every_revision(void **state) {
    (void)state;
    static const struct {
        uint8_t content;
        size_t size, hotspot, power, clock, speed, speed_bytes;
        bool average;
    } row[] = {{0, 80, 18, 34, 54, 75, 1, true},    {1, 96, 6, 22, 54, 76, 2, true},
               {2, 104, 6, 22, 54, 76, 2, true},    {3, 120, 6, 22, 54, 76, 2, true},
               {4, 288, 4, 10, 240, 50, 2, false},  {5, 360, 4, 10, 312, 114, 2, false},
               {6, 312, 4, 10, 264, 62, 2, false},  {6, 384, 4, 10, 336, 138, 2, false},
               {6, 1664, 4, 10, 264, 62, 2, false}, {7, 2208, 4, 10, 296, 70, 2, false},
               {8, 3872, 4, 10, 296, 70, 2, false}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        made_t made = make(1, row[i].content, row[i].size);
        put(&made, row[i].hotspot, 2, 61);
        put(&made, row[i].power, 2, 705);
        put(&made, row[i].clock, 2, 1200);
        put(&made, row[i].speed, row[i].speed_bytes, row[i].speed_bytes == 1 ? 160 : 320);
        const host_metrics_t metrics = decode(&made);
        assay_test_close(VALUE(metrics, hotspot), 61, 0, 0, "hotspot");
        assay_test_close(row[i].average ? VALUE(metrics, power_average) : VALUE(metrics, power_now),
                         705, 0, 0, "power");
        assay_test_close(VALUE(metrics, gfx_clock), 1200e6, 0, 0, "clock");
        assay_test_close(VALUE(metrics, pcie_speed), row[i].speed_bytes == 1 ? 16 : 32, 1e-12, 0,
                         "speed");
        assert_true(isnan(VALUE(metrics, mem))); /* all ones */
    }
}

static void test_size_and_revision_must_fit(void **state) {
    (void)state;
    host_metrics_t metrics;
    static const struct {
        uint8_t format, content;
        size_t n;
    } row[] = {{1, 3, 104}, {1, 6, 288}, {1, 10, 120}, {2, 3, 120}, {3, 0, 264}, {1, 7, 3872}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const made_t made = make(row[i].format, row[i].content, row[i].n);
        assert_false(
            host_metrics_decode((host_span_t){(const char *)made.bytes, made.n}, &metrics));
    }
    const made_t cut = make(1, 3, 120);
    assert_false(host_metrics_decode((host_span_t){(const char *)cut.bytes, 119}, &metrics));
    assert_false(host_metrics_decode((host_span_t){(const char *)cut.bytes, 3}, &metrics));
}

/* A link that is disabled has no status, one of a virtual function is not available (2); with all
   others up, none is down. */
static void test_links_without_status(void **state) {
    (void)state;
    made_t made = make(1, 7, 2208);
    for (size_t i = 0; i < 6; i++) {
        put(&made, 264 + 2 * i, 2, 1);
    }
    put(&made, 264 + 2 * 6, 2, 2);
    const host_metrics_t metrics = decode(&made);
    assay_test_close(VALUE(metrics, links_up), 6, 0, 0, "up");
    assay_test_close(VALUE(metrics, links_down), 0, 0, 0, "down");
    const made_t none = make(1, 7, 2208);
    assert_true(isnan(VALUE(decode(&none), links_down)));
}

/* Counters of revision 1.7: 7 links up, one down; 8 clocks of which the fastest counts. */
static void test_links_and_clocks(void **state) {
    const host_fixture_t *fixture = *state;
    made_t made = make(1, 7, 2208);
    for (size_t i = 0; i < 8; i++) {
        put(&made, 264 + 2 * i, 2, i != 3);
        put(&made, 296 + 2 * i, 2, 1000 + 10 * i);
    }
    put(&made, 104, 8, 3);    /* recoveries */
    put(&made, 112, 8, 2);    /* replays */
    put(&made, 128, 4, 5);    /* NAKs sent */
    put(&made, 132, 4, 6);    /* received */
    put(&made, 24, 8, 65536); /* 1 J */
    const host_metrics_t metrics = decode(&made);
    assay_host_gpu_t gpu = {0};
    host_parse_t parse = {.arena = fixture->arena, .file = "gpu_metrics"};
    host_metrics_set(&parse, &metrics, &gpu);
    assay_test_close(gpu.xgmi_links_up.v, 7, 0, 0, "up");
    assay_test_close(gpu.xgmi_links_down.v, 1, 0, 0, "down");
    assay_test_close(gpu.gfx_hz.v, 1070e6, 0, 0, "clock");
    assay_test_close(gpu.pcie_recoveries.v, 3, 0, 0, "recoveries");
    assay_test_close(gpu.pcie_replays.v, 2, 0, 0, "replays");
    assay_test_close(gpu.pcie_naks.v, 11, 0, 0, "NAKs");
    assay_test_close(gpu.energy_j.v, 1, 1e-12, 0, "energy");
    assert_int_equal(gpu.power_w.state, ASSAY_HOST_UNSEEN);
}

/* An MI300X under load: +5008 ticks, of which 4342 were limited by power. The second counter of 32
   bits has run over in between: 4294967000 + 4342 - 2^32 = 4046. */
static void test_two_samples(void **state) {
    const host_fixture_t *fixture = *state;
    made_t first = make(1, 8, 3872), second = make(1, 8, 3872);
    put(&first, 40, 4, 1000);
    put(&second, 40, 4, 6008);
    put(&first, 48, 4, 4294967000u);
    put(&second, 48, 4, 4046);
    put(&first, 44, 4, 7);
    put(&second, 44, 4, 7);
    const host_metrics_t before = decode(&first), after = decode(&second);
    assay_host_gpu_t gpu = {0};
    host_parse_t parse = {.arena = fixture->arena, .file = "gpu_metrics"};
    host_metrics_set_delta(&parse, &before, &after, 5.0, &gpu);
    assay_test_close(gpu.sample_ticks.v, 5008, 0, 0, "ticks");
    assay_test_close(gpu.power_ticks.v, 4342, 0, 0, "power");
    assay_test_close(gpu.prochot_ticks.v, 0, 0, 0, "prochot");
    assay_test_close(gpu.sample_s.v, 5, 0, 0, "seconds");
    assert_int_equal(gpu.hbm_ticks.state, ASSAY_HOST_UNSEEN);
}

/* --- revision 1.9 ---------------------------------------------------------------------------- */

static void add(made_t *made, uint64_t unit, uint64_t type, uint64_t id, uint64_t n) {
    put(made, made->n, 8, unit << 24 | type << 20 | id << 10 | n);
    made->n += 8;
}

static void add_value(made_t *made, size_t bytes, uint64_t value) {
    put(made, made->n, bytes, value);
    made->n += bytes;
}

static made_t make_attributes(void) {
    made_t made = make(1, 9, 8);
    put(&made, 4, 4, 5);
    add(&made, 3, 2, 3, 1); /* socket power, u16 */
    add_value(&made, 2, 707);
    add(&made, 0, 6, 9, 1); /* accumulation counter, u64 */
    add_value(&made, 8, 123456);
    add(&made, 0, 2, 31, 8); /* link status, 8 times u16 */
    for (size_t i = 0; i < 8; i++) {
        add_value(&made, 2, i != 7);
    }
    add(&made, 2, 2, 60, 3); /* one that is not read */
    for (size_t i = 0; i < 3; i++) {
        add_value(&made, 2, 1);
    }
    add(&made, 1, 2, 33, 2); /* compute clocks */
    add_value(&made, 2, 1300);
    add_value(&made, 2, 0xffff);
    put(&made, 0, 2, made.n);
    return made;
}

static void test_self_describing(void **state) {
    (void)state;
    const made_t made = make_attributes();
    const host_metrics_t metrics = decode(&made);
    assay_test_close(VALUE(metrics, power_now), 707, 0, 0, "power");
    assay_test_close(VALUE(metrics, accumulation), 123456, 0, 0, "accumulation");
    assay_test_close(VALUE(metrics, links_up), 7, 0, 0, "up");
    assay_test_close(VALUE(metrics, links_down), 1, 0, 0, "down");
    assay_test_close(VALUE(metrics, gfx_clock), 1300e6, 0, 0, "clock");
}

static void test_self_describing_cut(void **state) {
    (void)state;
    host_metrics_t metrics;
    made_t made = make_attributes();
    for (size_t n = 0; n < made.n; n++) {
        put(&made, 0, 2, n);
        assert_false(host_metrics_decode((host_span_t){(const char *)made.bytes, n}, &metrics));
    }
    put(&made, 0, 2, made.n);
    put(&made, 4, 4, 0xffffffff); /* more attributes than there are */
    assert_false(host_metrics_decode((host_span_t){(const char *)made.bytes, made.n}, &metrics));
}

/* Tables as files of a capture: an address in the path, a number in the name, two of one. */
static void test_files(void **state) {
    const host_fixture_t *fixture = *state;
    made_t first = make(1, 7, 2208), second = make(1, 7, 2208), unknown = make(1, 30, 64);
    put(&first, 40, 4, 2000);
    put(&second, 40, 4, 1000);
    put(&first, 48, 4, 900);
    put(&second, 48, 4, 100);
    put(&first, 10, 2, 700);
    const assay_host_file_t file[] = {
        {"0000:47:00.0/gpu_metrics", (const char *)first.bytes, first.n},
        {"0000:47:00.0/gpu_metrics.2", (const char *)second.bytes, second.n},
        {"card3-gpu_metrics.bin", (const char *)first.bytes, first.n},
        {"gpu_metrics-9", (const char *)unknown.bytes, unknown.n}};
    assay_host_t *host = NULL;
    assert_int_equal(
        assay_host_read_files(fixture->arena, fixture->rules, "test", file, 4, &host, NULL),
        ASSAY_OK);
    assert_int_equal(host->n_gpu, 2);
    assert_string_equal(host->gpu[0].bdf.s, "0000:47:00.0");
    assay_test_close(host->gpu[0].sample_ticks.v, 1000, 0, 0, "ticks");
    assay_test_close(host->gpu[0].power_ticks.v, 800, 0, 0, "power");
    assay_test_close(host->gpu[1].index.v, 3, 0, 0, "number");
    assay_test_close(host->gpu[1].power_w.v, 700, 0, 0, "power");
    assert_non_null(host->source[3].reason);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_revision),
                                       cmocka_unit_test(test_size_and_revision_must_fit),
                                       cmocka_unit_test(test_links_and_clocks),
                                       cmocka_unit_test(test_links_without_status),
                                       cmocka_unit_test(test_two_samples),
                                       cmocka_unit_test(test_self_describing),
                                       cmocka_unit_test(test_self_describing_cut),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
