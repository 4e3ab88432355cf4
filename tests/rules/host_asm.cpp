// Assembly of the host, whose words look like PTX.
static void vector_add(void) {
    __asm__ volatile("vadd.vi v5, v5, -8 \n\t"
                     "mov.m.x m0, x0, 0xFF");
    asm("fence.i");
}
