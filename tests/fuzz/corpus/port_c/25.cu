, 3)->at.column, 32);
    assert_int_equal(f->file.kernels, 1);
}

static void test_unfinished_texts(void **state) {
    port_fixture_t *f = *state;
    static const char *const texts[] = {
        ,
        