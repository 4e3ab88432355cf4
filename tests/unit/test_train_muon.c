/* Muon: its products over each matrix, who computes them, and what it keeps. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/train.h"
#include "machine_fixture.h"

#define H 2048.0
#define F 8192.0

static double gemm_s(const assay_machine_t *machine, double m, double n, double k) {
    const assay_gemm_t gemm = {m, n, k, 1, ASSAY_DT_BF16, 2, 2, 2};
    return assay_gemm_s(&machine->device, &gemm);
}

/* Five times A = X X^T, A A, B X, of X (m, n). */
static double orthogonal_s(const assay_machine_t *machine, double m, double n) {
    return 5 * (gemm_s(machine, m, m, n) + gemm_s(machine, m, m, m) + gemm_s(machine, m, n, m));
}

static double optimizer_s(const assay_machine_t *machine, uint8_t optimizer, assay_layout_t layout,
                          uint32_t batch) {
    assay_workload_t work = fixture_gpt(4, batch);
    assay_estimate_t e;
    work.recipe.optimizer = optimizer;
    layout.vpp = 1;
    layout.micro_batch = 1;
    assay_train_estimate(machine, &work, &layout, &e);
    assert_int_equal(e.reject, ASSAY_REJECT_NONE);
    return e.time_s[ASSAY_TIME_OPTIMIZER];
}

/* More than SGD with momentum, which keeps and moves the same: the products of four layers, of QKV
   (2048, 6144), output (2048, 2048), and up and down (2048, 8192). */
static double products_s(const assay_machine_t *machine, assay_layout_t layout, uint32_t batch) {
    return optimizer_s(machine, ASSAY_OPTIMIZER_MUON, layout, batch) -
           optimizer_s(machine, ASSAY_OPTIMIZER_MOMENTUM, layout, batch);
}

static void products_of_each_matrix(void **state) {
    (void)state;
    const assay_machine_t one = fixture_a100(1);
    assay_machine_t device = one;
    device.devices = device.devices_per_node = device.packages_per_node = 1;
    const double all_s = 4 * (orthogonal_s(&one, H, 3 * H) + orthogonal_s(&one, H, H) +
                              2 * orthogonal_s(&one, H, F));
    assay_test_close(products_s(&device, (assay_layout_t){.tp = 1, .pp = 1, .dp = 1}, 8), all_s,
                     1e-9, 0, "one device");
    /* each of 8 copies computes all; with ZeRO an eighth of it */
    assay_test_close(products_s(&one, (assay_layout_t){.tp = 1, .pp = 1, .dp = 8}, 8), all_s, 1e-9,
                     0, "copies");
    assay_test_close(products_s(&one, (assay_layout_t){.tp = 1, .pp = 1, .dp = 8, .zero = 1}, 8),
                     all_s / 8, 1e-9, 0, "shared out");
    /* 64 owners for 16 matrices: the longest decides */
    const assay_machine_t many = fixture_a100(8);
    assay_test_close(products_s(&many, (assay_layout_t){.tp = 1, .pp = 1, .dp = 64, .zero = 1}, 64),
                     orthogonal_s(&one, H, F), 1e-9, 0, "more owners than matrices");
}

/* Cut by tp = 8, all are gathered in fp32 first, and every rank computes all of them. */
static void what_tensor_parallelism_cuts_is_gathered(void **state) {
    (void)state;
    const assay_machine_t m = fixture_a100(1);
    const double side[4][2] = {{H, 3 * H}, {H, H}, {H, F}, {H, F}};
    double all_s = 0;
    for (int i = 0; i < 4; i++) {
        const double bytes = 4 * side[i][0] * side[i][1];
        all_s += 4 * (orthogonal_s(&m, side[i][0], side[i][1]) +
                      assay_collective_s(&m, ASSAY_COLL_ALL_GATHER, bytes, 8, 1));
    }
    assay_test_close(products_s(&m, (assay_layout_t){.tp = 8, .pp = 1, .dp = 1}, 8), all_s, 1e-9, 0,
                     "tp 8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_each_matrix),
        cmocka_unit_test(what_tensor_parallelism_cuts_is_gathered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
