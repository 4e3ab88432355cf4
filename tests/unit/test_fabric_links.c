#include "assay_test.h"

#include "resolve/fabric_links.h"

#define GB 1e9

static assay_fact_t known(double v) {
    return assay_fact_exact(v, "test");
}

/* ROCm/rccl src/graph/rome_models.cc, models 73 and 74 (Frontier, LUMI-G): links x 50 GB/s */
static const struct {
    uint32_t i, j, links;
} frontier[] = {{0, 1, 4}, {2, 3, 4}, {4, 5, 4}, {6, 7, 4}, {0, 6, 2}, {2, 4, 2},
                {0, 2, 1}, {1, 3, 1}, {1, 5, 1}, {3, 7, 1}, {4, 6, 1}, {5, 7, 1}},
  /* ROCm/rccl tools/topo_expl/models/topo_16p1h.xml (8 MI250X modules) */
    sixteen[] = {{0, 1, 4},   {2, 3, 4},   {4, 5, 4},  {6, 7, 4},  {8, 9, 4},  {10, 11, 4},
                 {12, 13, 4}, {14, 15, 4}, {0, 4, 2},  {3, 7, 2},  {8, 12, 2}, {11, 15, 2},
                 {0, 2, 1},   {1, 2, 1},   {1, 3, 1},  {1, 5, 1},  {2, 6, 1},  {4, 12, 1},
                 {5, 13, 1},  {5, 14, 1},  {6, 13, 1}, {6, 14, 1}, {7, 15, 1}, {8, 10, 1},
                 {9, 10, 1},  {9, 11, 1},  {9, 13, 1}, {10, 14, 1}};

/* MI250X node: matrix from the list of links */
#define MATRIX(list, n, pair)                                                               \
    for (size_t l = 0; l < sizeof(list) / sizeof *(list); l++) {                            \
        (pair)[(list)[l].i * (n) + (list)[l].j] = (pair)[(list)[l].j * (n) + (list)[l].i] = \
            50 * GB * (list)[l].links;                                                      \
    }

static assay_links_t links_of(const char *kind, uint32_t devices, const double *pair) {
    const assay_fabric_t fabric = {.kind = kind,
                                   .devices = devices,
                                   .pair_bytes_per_s = known(50 * GB),
                                   .device_bytes_per_s = known(300 * GB),
                                   .nics = 4,
                                   .nic_bits_per_s = known(200e9),
                                   .scaleup_devices = devices,
                                   .pair = pair};
    assay_links_t links;
    assay_links_from_fabric(&fabric, devices, &links);
    return links;
}

static void test_full_mesh(void **state) {
    (void)state;
    double pair[64];
    for (int i = 0; i < 64; i++) {
        pair[i] = i / 8 == i % 8 ? 0 : 64 * GB;
    }
    const assay_links_t links = links_of("full-mesh", 8, pair);
    assert_true(links.has_cut);
    assert_int_equal(links.kind, ASSAY_FABRIC_FULL_MESH);
    /* one link for two devices, seven for eight */
    for (uint32_t n = 2; n <= 8; n++) {
        assay_test_close(links.cut_bytes_per_s[n][1], (n - 1) * 64 * GB, 1e-12, 0, "mesh");
    }
    assay_test_close(links.cut_bytes_per_s[2][4], 64 * GB, 1e-12, 0, "stride");
    assay_test_close(links.p2p_bytes_per_s[3], 64 * GB, 1e-12, 0, "pair");
}

static void test_frontier(void **state) {
    (void)state;
    double pair[64] = {0};
    MATRIX(frontier, 8, pair)
    const assay_links_t l = links_of("partial-mesh", 8, pair);
    /* all eight: around the package {0, 1}: 0-6 100, 0-2, 1-3, 1-5 50 each */
    assay_test_close(l.cut_bytes_per_s[8][1], 250 * GB, 1e-12, 0, "node");
    /* {0, 1, 2, 3}: between the two packages 0-2 and 1-3 */
    assay_test_close(l.cut_bytes_per_s[4][1], 100 * GB, 1e-12, 0, "half a node");
    assay_test_close(l.cut_bytes_per_s[2][1], 200 * GB, 1e-12, 0, "package");
    /* even GCDs form the ring 0-2 50, 2-4 100, 4-6 50, 6-0 100; odd ones a ring of 50 */
    assay_test_close(l.cut_bytes_per_s[4][2], 100 * GB, 1e-12, 0, "one die of each package");
    assay_test_close(l.cut_bytes_per_s[2][2], 50 * GB, 1e-12, 0, "neighbour packages");
    /* {0, 4} has no link; over 2 or 6: two links, the narrower 50, shared: 25. {1, 5} has one */
    assay_test_close(l.cut_bytes_per_s[2][4], 25 * GB, 1e-12, 0, "across the node");
    assay_test_close(l.p2p_bytes_per_s[4], 25 * GB, 1e-12, 0, "pair across the node");
    /* 1 and 2 are not linked: over 0 or 3, 50/2 */
    assay_test_close(l.p2p_bytes_per_s[1], 25 * GB, 1e-12, 0, "neighbours");
    assay_test_close(l.nic_bytes_per_s, 100 * GB, 1e-12, 0, "NICs");
    assert_int_equal(l.domain, 8);
}

/* Cut of members[0..n) by trying every subset: an independent implementation. */
static double brute_force(const double *pair, uint32_t devices, const uint32_t *member,
                          uint32_t n) {
    double best = INFINITY;
    for (uint32_t side = 1; side < 1u << (n - 1); side++) {
        double cut = 0;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) {
                if ((side >> i & 1) && !(side >> j & 1)) {
                    cut += pair[member[i] * devices + member[j]];
                }
            }
        }
        best = fmin(best, cut);
    }
    return best;
}

static void test_sixteen(void **state) {
    (void)state;
    double pair[256] = {0};
    MATRIX(sixteen, 16, pair)
    const assay_links_t l = links_of("partial-mesh", 16, pair);
    /* package {14, 15}: 5-14, 6-14, 10-14, 7-15 50 each, 11-15 100; no smaller cut exists */
    assay_test_close(l.cut_bytes_per_s[16][1], 300 * GB, 1e-12, 0, "node");
    for (uint32_t n = 2; n <= 16; n++) {
        for (uint32_t stride = 1; n * stride <= 16; stride++) {
            double worst = INFINITY;
            for (uint32_t first = 0; first < 16; first++) {
                const uint32_t block = first / (n * stride) * n * stride;
                if (first - block >= stride || block + n * stride > 16) {
                    continue; /* not the first of its group */
                }
                uint32_t member[16];
                for (uint32_t i = 0; i < n; i++) {
                    member[i] = first + i * stride;
                }
                worst = fmin(worst, brute_force(pair, 16, member, n));
            }
            if (worst > 0) { /* else ways over other devices count: see the Frontier test */
                assay_test_close(l.cut_bytes_per_s[n][stride], worst, 1e-12, 0, "brute force");
            } else {
                assert_true(l.cut_bytes_per_s[n][stride] > 0);
                assert_true(l.cut_bytes_per_s[n][stride] <= 300 * GB);
            }
        }
    }
}

static void test_uniform(void **state) {
    (void)state;
    assay_links_t l = links_of("switch", 8, NULL);
    assert_false(l.has_cut);
    assert_int_equal(l.kind, ASSAY_FABRIC_SWITCH);
    assay_test_close(l.device_bytes_per_s, 300 * GB, 1e-12, 0, "device");
    assay_fabric_t rack = {.kind = "switch", .devices = 4, .scaleup_devices = 72};
    assay_links_from_fabric(&rack, 4, &l);
    assert_int_equal(l.domain, 72);
    assay_fabric_t slots = {.kind = "pcie-tree", .devices = 8, .scaleup_devices = 1};
    assay_links_from_fabric(&slots, 8, &l);
    assert_int_equal(l.domain, 8);
    assert_int_equal(l.kind, ASSAY_FABRIC_PCIE);
}

static void test_no_fabric(void **state) {
    (void)state;
    assay_links_t l;
    assay_links_from_fabric(NULL, 8, &l);
    assert_int_equal(l.kind, ASSAY_FABRIC_NONE);
    assert_int_equal(l.domain, 8);
    assay_test_close(l.device_bytes_per_s, 0, 0, 0, "unknown");
}

static void test_part_of_a_node(void **state) {
    (void)state;
    double pair[64] = {0};
    MATRIX(frontier, 8, pair)
    assay_fabric_t fabric = {.kind = "partial-mesh", .devices = 8, .pair = pair};
    assay_links_t l;
    assay_links_from_fabric(&fabric, 4, &l);
    assay_test_close(l.cut_bytes_per_s[4][1], 100 * GB, 1e-12, 0, "first four");
    assay_test_close(l.cut_bytes_per_s[8][1], 0, 0, 0, "no eight");
}

static void test_known(void **state) {
    (void)state;
    assay_links_t l;
    assay_links_from_fabric(NULL, 8, &l);
    assert_false(assay_links_known(&l, 8));
    assert_true(assay_links_known(&l, 1));
    const assay_fabric_t bare = {.kind = "switch", .devices = 8};
    assay_links_from_fabric(&bare, 8, &l);
    assert_false(assay_links_known(&l, 8));
    l = links_of("pcie-tree", 8, NULL);
    assert_true(assay_links_known(&l, 8));
    /* 0-1 and 2-3, and nothing between */
    double pair[16] = {0};
    pair[1] = pair[4] = pair[11] = pair[14] = 50 * GB;
    l = links_of("partial-mesh", 4, pair);
    assert_false(assay_links_known(&l, 4));
    pair[6] = pair[9] = 50 * GB; /* 1-2 */
    l = links_of("partial-mesh", 4, pair);
    assert_true(assay_links_known(&l, 4));
}

/* h200-nvl-4: a bridge joins four, 450 GB/s a device in all: 150 to each of the others */
static void test_mesh_of_a_device_rate(void **state) {
    (void)state;
    const assay_fabric_t bridge = {
        .kind = "full-mesh", .devices = 4, .device_bytes_per_s = known(450 * GB)};
    assay_links_t l;
    assay_links_from_fabric(&bridge, 4, &l);
    assert_true(assay_links_known(&l, 4));
    assay_test_close(l.pair_bytes_per_s, 150 * GB, 1e-12, 0, "pair");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_mesh), cmocka_unit_test(test_frontier),
        cmocka_unit_test(test_sixteen),   cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_no_fabric), cmocka_unit_test(test_part_of_a_node),
        cmocka_unit_test(test_known),     cmocka_unit_test(test_mesh_of_a_device_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
