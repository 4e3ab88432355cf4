// cudaMalloc
/* cudaFree */ const char *s = "cudaMemcpy";
#define cudaCheck(x) check(x, __LINE__)
void f() { cudaCheck(1); mycudaMalloc(); cudaMallocMine(); x.cudaFree; }
void g() { obj->cudaFree(1); other::cudaFree(1); }
const char *r = R"(cudaMalloc)";
char c = 'cudaFree';
