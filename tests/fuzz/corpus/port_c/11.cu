__device__ unsigned f(bool p, int lane) {
    unsigned a = __ballot_sync(~0ull, p);
    unsigned long long b = __ballot_sync(~0ull, p);
    auto c = __ballot(p);
    int n = __popc(__ballot(p));
    int m = __popcll(__ballot(p));
    uint32_t d;
    uint64_t e = __activemask();
    if (__ballot(p) != 0) n++;
    unsigned g = (unsigned)__ballot(p);
    int s = static_cast<int>(__activemask());
    unsigned below = (1u << lane) - 1;
    unsigned long long above = 1ull << lane;
    return __match_any_sync(~0ull, n);
}
