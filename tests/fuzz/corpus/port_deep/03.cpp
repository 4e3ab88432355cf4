namespace a { constexpr int warp_size = 32; template <int N> struct s { static constexpr int n = N * warp_size; }; }
int main() { return a::s<1 + (2 << 3)>::n % 0; }
