texture<float, 2> reference;
void f(image texture) { use(texture); texture = other; }
__global__ void k(cudaTextureObject_t t, float *x) {
    x[0] = tex2D<float>(t, 0, 0);
}
