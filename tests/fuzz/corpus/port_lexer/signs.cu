R"x(a)x" "\
" 'a' /* /* */ // \
x
#include <a
%: <<< a >> b >>>
0x1p3 1'0u \
#define X(a) a##b
