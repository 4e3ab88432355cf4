#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k() {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto c = cg::this_cluster();
    cg::wait_prior<1>(tile);
    auto m = cg::this_multi_grid();
}
__global__ void __cluster_dims__(2, 1, 1) l() {}
