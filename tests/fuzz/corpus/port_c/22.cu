__device__ void f() {
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1}, {%2}, {%3}, "
        "{%0, %1};\n" : "+f"(a));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" :: "r"(s));
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p add.u32 %0, %0, 1; }" : );
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global [%0];" ::);
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
    asm volatile("v_add_f32 %0, %1, %2" : "=v"(y));
    asm volatile("s_waitcnt vmcnt(0)");
    asm("rdtsc" : "=a"(lo));
    asm volatile("ld.global.nc.v4.f32 {%0,%1}, [%2];" : );
    asm volatile("" ::: "memory");
    // asm("bar.sync 0;");
}
