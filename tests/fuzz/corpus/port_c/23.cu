.version 7.0
.target sm_80
.visible .entry k() {
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x; // mma.sync in a comment
  add.s32 %r2, %r1, 1;
  add.s32 %r3, %r1, 2;
  bar.sync 0;
  ret;
}
