#include "assay_test.h"
#include "physics_fixture.h"

static void test_switch(void **state) {
    (void)state;
    const assay_machine_t m = fixture_machine();
    /* ring of 8, 0.8 GB: 2 x 7/8 x 0.8e9 / 1e11 = 14 ms; gathering is half of that */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 0.8e9, 8, 1), 14e-3, 1e-12, 0,
                     "all-reduce");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 0.8e9, 8, 1), 7e-3, 1e-12, 0,
                     "all-gather");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_REDUCE_SCATTER, 0.8e9, 8, 1), 7e-3, 1e-12, 0,
                     "reduce-scatter");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_TO_ALL, 0.8e9, 8, 1), 7e-3, 1e-12, 0,
                     "all-to-all");
    for (uint32_t ranks = 2; ranks <= 8; ranks++) {
        for (int kind = 0; kind < ASSAY_COLL_N; kind++) {
            const assay_collective_t k = (assay_collective_t)kind;
            assay_test_close(assay_collective_bus_bytes_per_s(&m, k, 1e9, ranks, 1), 1e11, 1e-12, 0,
                             "bus bandwidth is the link's");
        }
    }
}

/* 64 GB/s to each of seven others: two devices have one link, eight have seven */
static void test_full_mesh(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    m.links.kind = ASSAY_FABRIC_FULL_MESH;
    m.links.pair_bytes_per_s = 64e9;
    m.links.device_bytes_per_s = 448e9;
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_EFFICIENCY, 0.75);
    assay_test_close(assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_REDUCE, 1e9, 2, 1), 48e9,
                     1e-12, 0, "two");
    assay_test_close(assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_REDUCE, 1e9, 8, 1), 336e9,
                     1e-12, 0, "eight");
    m.devices = 8;
    assay_test_close(assay_p2p_s(&m, 48e6, 1), 1e-3, 1e-12, 0, "one link");
}

static void test_latency(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_HOP, 1);
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_START, 5);
    /* one byte: ring and the chain of a tree 2 x 7 steps; gathering 7, all-to-all log2(8) */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1, 8, 1), 19e-6, 1e-5, 0,
                     "all-reduce");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 1, 8, 1), 12e-6, 1e-5, 0,
                     "all-gather");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_TO_ALL, 1, 8, 1), 8e-6, 1e-5, 0,
                     "all-to-all");
    /* large: the ring moves less; 14 steps + 14 ms */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 0.8e9, 8, 1), 14e-3 + 19e-6,
                     1e-12, 0, "ring");
    /* square-root term: sqrt(14e-6 x 14e-3) = 4.427 x 1e-4 */
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_RAMP, 1.0);
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 0.8e9, 8, 1),
                     14e-3 + 19e-6 + 4.4271887242357311e-4, 1e-12, 0, "ramp");
}

static void test_two_tiers(void **state) {
    (void)state;
    const assay_machine_t m = fixture_machine();
    /* 16 ranks on 2 nodes, 1.6 GB: the ring passes 2 x 15/16 x 1.6 GB = 3 GB through the links of
       each device at 100 GB/s, and through the NICs of each node at 400 GB/s, in their shadow */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1.6e9, 16, 1), 30e-3, 1e-12, 0,
                     "link bound");
    /* NICs at a tenth: the ring would need 3e9 / 4e10 = 75 ms; of two trees each node sends half
       up and half down, 1.6e9 / 4e10 = 40 ms */
    assay_machine_t slow = m;
    slow.links.nic_bytes_per_s = 4e10;
    assay_test_close(assay_collective_s(&slow, ASSAY_COLL_ALL_REDUCE, 1.6e9, 16, 1), 40e-3, 1e-12,
                     0, "two trees");
    assert_int_equal(
        assay_collective_choose(&slow, ASSAY_COLL_ALL_REDUCE, 1.6e9, 16, 1).way->algorithm,
        ASSAY_ALGORITHM_TREE);
    /* on 4 nodes a node passes the buffer up and down, 2 x 1.6e9 / 4e10 = 80 ms; the ring of 32
       needs 2 x 31/32 x 1.6e9 / 4e10 = 77.5 ms */
    assay_test_close(assay_collective_s(&slow, ASSAY_COLL_ALL_REDUCE, 1.6e9, 32, 1), 77.5e-3, 1e-12,
                     0, "ring over four nodes");
    /* all-gather on 2 nodes: 15/16 x 1.6e9 / 4e10 = 37.5 ms */
    assay_test_close(assay_collective_s(&slow, ASSAY_COLL_ALL_GATHER, 1.6e9, 16, 1), 37.5e-3, 1e-12,
                     0, "all-gather");
    /* one member a node (stride 8), 4 nodes: 2 x 3/4 x 1.6e9 / 50e9 = 48 ms */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1.6e9, 4, 8), 48e-3, 1e-12, 0,
                     "stride of a node");
    /* two members a node (stride 4), 2 nodes: the ring takes 2 x 3/4 x 1.6e9 / 1e11 = 24 ms
       inside and as much over the two members' 100 GB/s of NICs */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1.6e9, 4, 4), 24e-3, 1e-12, 0,
                     "two members a node");
    /* all-to-all of 32: of 3.2 GB each device sends 24/32 over its 50 GB/s: 48 ms */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_TO_ALL, 3.2e9, 32, 1), 48e-3, 1e-12, 0,
                     "all-to-all");
}

static void test_network_latency(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_HOP, 1);
    fixture_set(&m.device, ASSAY_CALIB_NETWORK_HOP, 10);
    /* 8 a node, 4 nodes, one byte: chain and trees: 2 x 7 x 1 us + 2 x 2 x 10 us; the ring needs
       2 x (28 x 1 us + 3 x 10 us) */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1, 32, 1), 54e-6, 1e-4, 0,
                     "all-reduce");
    /* ring: 28 x 1 us + 3 x 10 us */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 1, 32, 1), 58e-6, 1e-4, 0,
                     "all-gather");
    /* one rank a node, doublings instead: 2 x 10 us and 4 x 1 us */
    m.way[m.n_way++] = (assay_way_t){.algorithm = ASSAY_ALGORITHM_PAT,
                                     .protocol = ASSAY_PROTOCOL_SIMPLE,
                                     .many_nodes = true,
                                     .hop_s = 1e-6,
                                     .network_hop_s = 1e-6,
                                     .network_rate = 0.5};
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 1, 4, 8), 24e-6, 1e-4, 0, "pat");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 1, 32, 1), 58e-6, 1e-4, 0,
                     "not where a node has several");
}

/* The start of a protocol against its rate: LL starts in a us and moves at half the rate, Simple
   starts in 11. */
static void test_protocols(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_START, 1);
    m.way[0].base_s = 11e-6;
    m.way[m.n_way] = m.way[0];
    m.way[m.n_way].protocol = ASSAY_PROTOCOL_LL;
    m.way[m.n_way].base_s = 1e-6;
    m.way[m.n_way++].rate = 0.5;
    /* 8 MB: 7/8 x 8e6 / 1e11 = 70 us against 140; 80 kB: 0.7 us against 1.4 */
    assay_collective_choice_t c = assay_collective_choose(&m, ASSAY_COLL_ALL_GATHER, 8e6, 8, 1);
    assay_test_close(c.elapsed_s, 81e-6, 1e-12, 0, "large");
    assert_int_equal(c.way->protocol, ASSAY_PROTOCOL_SIMPLE);
    c = assay_collective_choose(&m, ASSAY_COLL_ALL_GATHER, 8e4, 8, 1);
    assay_test_close(c.elapsed_s, 2.4e-6, 1e-12, 0, "small");
    assert_int_equal(c.way->protocol, ASSAY_PROTOCOL_LL);
    assert_null(assay_collective_choose(&m, ASSAY_COLL_ALL_GATHER, 8e4, 1, 1).way);
}

/* Reduction in the switch: 8 devices read and write 9/8 of the buffer, a ring 14/8. */
static void test_switch_reduction(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    m.way[m.n_way++] = (assay_way_t){.algorithm = ASSAY_ALGORITHM_NVLS,
                                     .protocol = ASSAY_PROTOCOL_SIMPLE,
                                     .one_node = true,
                                     .rate = 0.8};
    /* 9/8 x 0.8e9 / 0.8e11 = 11.25 ms instead of 14 */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 0.8e9, 8, 1), 11.25e-3, 1e-12, 0,
                     "all-reduce");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 0.8e9, 8, 1), 7e-3, 1e-12, 0,
                     "nothing to reduce");
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_SWITCH_GAIN, 1.25);
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 0.8e9, 8, 1), 9e-3, 1e-12, 0,
                     "gain");
    /* with trees between 2 nodes: inside 9/8 x 1.6e9 / 1e11 = 18 ms, across 1.6e9 / 4e11 = 4 ms */
    m.way[m.n_way++] = (assay_way_t){.algorithm = ASSAY_ALGORITHM_NVLS_TREE,
                                     .protocol = ASSAY_PROTOCOL_SIMPLE,
                                     .many_nodes = true,
                                     .rate = 0.8,
                                     .network_rate = 1};
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1.6e9, 16, 1), 18e-3, 1e-12, 0,
                     "two nodes");
}

static void test_cut_table(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    m.links.kind = ASSAY_FABRIC_PARTIAL_MESH;
    m.links.has_cut = true;
    m.links.cut_bytes_per_s[4][2] = 1e10;
    m.links.p2p_bytes_per_s[2] = 5e9;
    assay_test_close(assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_GATHER, 1e9, 4, 2), 1e10,
                     1e-12, 0, "group of the table");
    m.devices = 8;
    assay_test_close(assay_p2p_s(&m, 1e9, 2), 0.2, 1e-12, 0, "pair of the table");
}

static void test_p2p(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    fixture_set(&m.device, ASSAY_CALIB_NETWORK_HOP, 10);
    assay_test_close(assay_p2p_s(&m, 0, 8), 0, 0, 0, "nothing");
    /* a node apart: all 8 devices of a node send at once, 50 GB/s each */
    assay_test_close(assay_p2p_s(&m, 1e9, 8), 20e-3 + 10e-6, 1e-12, 0, "between nodes");
    /* 4 apart: half of the neighbours are in the node (10 ms), half are not: 4 senders share the
       NICs, 10 ms + 10 us */
    assay_test_close(assay_p2p_s(&m, 1e9, 4), 10e-3 + 10e-6, 1e-12, 0, "across the boundary");
    m.devices = 8;
    assay_test_close(assay_p2p_s(&m, 1e9, 4), 10e-3, 1e-12, 0, "inside a node");
}

static void test_rack_domain(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    m.links.domain = 32; /* all four nodes behind one switch */
    assay_test_close(assay_collective_bus_bytes_per_s(&m, ASSAY_COLL_ALL_REDUCE, 1e9, 32, 1), 1e11,
                     1e-12, 0, "no NIC on the way");
}

/* Pipeline of four on one node of 16: the first and the last stage, 12 apart, reduce the gradient
   of a shared table. There is no network, and the table of cuts has no group of two at that stride.
 */
static void test_first_and_last_stage(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    m.nodes = 1;
    m.devices = m.devices_per_node = m.links.domain = 16;
    m.links.nics = 0;
    m.links.nic_bytes_per_s = 0;
    /* 2 x 1/2 x 1e9 / 1e11 = 10 ms */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1e9, 2, 12), 10e-3, 1e-12, 0,
                     "switch");
    m.links.kind = ASSAY_FABRIC_PARTIAL_MESH;
    m.links.has_cut = true;
    m.links.p2p_bytes_per_s[12] = 25e9; /* 40 ms */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1e9, 2, 12), 40e-3, 1e-12, 0,
                     "the links between the two");
}

static void test_own_share(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_OWN_SHARE, 0.5);
    /* of 8 parts 7 travel and half a part's time goes into the own one: 7.5/8 x 0.8e9 / 1e11 */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, 0.8e9, 8, 1), 7.5e-3, 1e-12, 0,
                     "all-gather");
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 0.8e9, 8, 1), 14e-3, 1e-12, 0,
                     "reduced in place");
    /* one member a node: nothing of it */
    assay_test_close(assay_collective_s(&m, ASSAY_COLL_ALL_REDUCE, 1.6e9, 4, 8), 48e-3, 1e-12, 0,
                     "across nodes");
}

static void test_properties(void **state) {
    (void)state;
    assay_machine_t m = fixture_machine();
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_HOP, 1);
    fixture_set(&m.device, ASSAY_CALIB_NETWORK_HOP, 10);
    fixture_set(&m.device, ASSAY_CALIB_FABRIC_RAMP, 0.5);
    assay_machine_t wide = m;
    wide.links.device_bytes_per_s *= 2;
    wide.links.nic_bytes_per_s *= 2;
    static const uint32_t group[][2] = {{2, 1}, {8, 1}, {32, 1}, {4, 8}, {8, 4}, {12, 1}, {3, 2}};
    for (int kind = 0; kind < ASSAY_COLL_N; kind++) {
        const assay_collective_t k = (assay_collective_t)kind;
        assay_test_close(assay_collective_s(&m, k, 1e9, 1, 1), 0, 0, 0, "alone");
        assay_test_close(assay_collective_s(&m, k, 0, 8, 1), 0, 0, 0, "nothing");
        for (size_t g = 0; g < sizeof group / sizeof *group; g++) {
            double previous = 0;
            for (double bytes = 64; bytes < 1e11; bytes *= 3) {
                const double t = assay_collective_s(&m, k, bytes, group[g][0], group[g][1]);
                assert_true(t > previous);
                assert_true(assay_collective_s(&wide, k, bytes, group[g][0], group[g][1]) < t);
                previous = t;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_full_mesh),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_two_tiers),
        cmocka_unit_test(test_network_latency),
        cmocka_unit_test(test_cut_table),
        cmocka_unit_test(test_p2p),
        cmocka_unit_test(test_rack_domain),
        cmocka_unit_test(test_first_and_last_stage),
        cmocka_unit_test(test_protocols),
        cmocka_unit_test(test_switch_reduction),
        cmocka_unit_test(test_own_share),
        cmocka_unit_test(test_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
