#include "assay/rng.h"
#include "assay_test.h"

/* Random123 kat_vectors, lines "philox4x32 10". There the counter block is ctr0..3 and the key
   key0..1; here the counter is ctr0..1, the stream ctr2..3, the seed the key. */
static void test_known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t ctr[4], key[2], expected[4];
    } row[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint32_t word[4];
        assay_rng_block((uint64_t)row[i].key[1] << 32 | row[i].key[0],
                        (uint64_t)row[i].ctr[3] << 32 | row[i].ctr[2],
                        (uint64_t)row[i].ctr[1] << 32 | row[i].ctr[0], word);
        assert_memory_equal(word, row[i].expected, sizeof word);
    }
}

/* From the first vector: 0xe169c58d6627e8d5 >> 11, made odd, over 2^53. */
static void test_uniform_is_the_first_53_bits(void **state) {
    (void)state;
    assay_test_close(assay_rng_uniform(0, 0, 0), (double)(0xe169c58d6627e8d5u >> 11 | 1) / 0x1p53,
                     0, 0, "first uniform");
}

static void test_uniform_is_uniform(void **state) {
    (void)state;
    enum { N = 100000, BINS = 20 };
    uint32_t bin[BINS] = {0};
    double sum = 0, product = 0, previous = 0.5;
    for (uint64_t i = 0; i < N; i++) {
        const double u = assay_rng_uniform(7, 3, i);
        assert_true(u > 0 && u < 1);
        bin[(int)(u * BINS)]++;
        sum += u;
        product += (u - 0.5) * (previous - 0.5);
        previous = u;
    }
    assay_test_close(sum / N, 0.5, 0, 5 / sqrt(12.0 * N), "mean within 5 sigma");
    assay_test_close(product / N, 0, 0, 5 / (12 * sqrt((double)N)), "neighbours independent");
    double chi2 = 0;
    for (int i = 0; i < BINS; i++) {
        const double expected = (double)N / BINS;
        chi2 += (bin[i] - expected) * (bin[i] - expected) / expected;
    }
    assert_true(chi2 < 43.8); /* 19 degrees of freedom, upper 0.1 % */
}

static void test_seed_stream_and_counter_all_matter(void **state) {
    (void)state;
    const double u = assay_rng_uniform(1, 2, 3);
    assert_true(u == assay_rng_uniform(1, 2, 3));
    assert_true(u != assay_rng_uniform(2, 2, 3));
    assert_true(u != assay_rng_uniform(1, 3, 3));
    assert_true(u != assay_rng_uniform(1, 2, 4));
    assert_true(u != assay_rng_uniform(UINT64_C(1) << 32 | 1, 2, 3));
    assert_true(u != assay_rng_uniform(1, UINT64_C(1) << 32 | 2, 3));
    assert_true(u != assay_rng_uniform(1, 2, UINT64_C(1) << 32 | 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_uniform_is_the_first_53_bits),
        cmocka_unit_test(test_uniform_is_uniform),
        cmocka_unit_test(test_seed_stream_and_counter_all_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
