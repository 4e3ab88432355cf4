/* Rates that are published of real fabrics, against machines of the catalog with their calibration.
 */
#include "resolve_fixture.h"

#include "assay/physics.h"
#include "assay/resolve.h"

#define LARGE 4294967296.0 /* 4 GiB, the message of most of the figures */

static double bus(const assay_machine_t *m, assay_collective_t kind, uint32_t ranks) {
    return assay_collective_bus_bytes_per_s(m, kind, LARGE, ranks, 1);
}

/* stas00/ml-engineering network/README.md: 48 GB/s between two MI300X, 310 among eight */
static void test_mi300x_mesh(void **state) {
    (void)state;
    const assay_machine_t m = machine_of("amd-mi300x-192g", 8);
    assay_test_close(bus(&m, ASSAY_COLL_ALL_REDUCE, 2), 48e9, 0.1, 0, "two");
    assay_test_close(bus(&m, ASSAY_COLL_ALL_REDUCE, 8), 310e9, 0.1, 0, "eight");
    assert_int_equal(assay_collective_choose(&m, ASSAY_COLL_ALL_REDUCE, LARGE, 8, 1).way->algorithm,
                     ASSAY_ALGORITHM_RING);
}

/* The same page: a ring reaches about 367 of the 450 GB/s of a Hopper's links, reduction in the
   switch 480. */
static void test_h100_switch(void **state) {
    (void)state;
    assay_machine_t m = machine_of("nvidia-h100-sxm5-80g", 8);
    assay_test_close(bus(&m, ASSAY_COLL_ALL_REDUCE, 8), 480e9, 0.07, 0, "in the switch");
    assert_int_equal(assay_collective_choose(&m, ASSAY_COLL_ALL_REDUCE, LARGE, 8, 1).way->algorithm,
                     ASSAY_ALGORITHM_NVLS);
    uint32_t kept = 0; /* NCCL_ALGO=Ring */
    for (uint32_t i = 0; i < m.n_way; i++) {
        if (m.way[i].algorithm == ASSAY_ALGORITHM_RING) {
            m.way[kept++] = m.way[i];
        }
    }
    m.n_way = kept;
    assay_test_close(bus(&m, ASSAY_COLL_ALL_REDUCE, 8), 370e9, 0.07, 0, "ring");
}

/* Two dies of a module have four links of 50 GB/s, dies of different ones one or two: a pair inside
   is at least twice as fast, and eight dies see their links' min-cut. */
static void test_mi250x_package(void **state) {
    (void)state;
    const assay_machine_t m = machine_of("amd-mi250x-128g", 8);
    const double inside = assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_REDUCE, LARGE, 2, 1);
    const double between = assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_REDUCE, LARGE, 2, 2);
    assert_true(inside > 2 * between);
}

/* Eight dies of a node share its four NICs: a group with one rank a node has an eighth of them, one
   with all eight has all. */
static void test_nic_sharing(void **state) {
    (void)state;
    const assay_machine_t m = machine_of("amd-mi250x-128g", 64);
    const double one = assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_GATHER, LARGE, 8, 8);
    const double all = assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_GATHER, LARGE, 64, 1);
    assay_test_close(all / one, 8, 0.05, 0, "share of the NICs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mi300x_mesh),
        cmocka_unit_test(test_h100_switch),
        cmocka_unit_test(test_mi250x_package),
        cmocka_unit_test(test_nic_sharing),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
