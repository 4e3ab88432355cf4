/* What a file is: by name where the name says so, else by how it begins. */
#include <string.h>

#include "port/walk.h"

#include "base/banned.h"

#define LANGUAGE(code) ASSAY_PORT_##code

const char *assay_port_language_name(assay_port_language_t language) {
    static const char *const name[] = {
#define LANGUAGE_NAME(code, text) text,
        ASSAY_PORT_LANGUAGE_LIST(LANGUAGE_NAME)
#undef LANGUAGE_NAME
    };
    return (unsigned)language < ASSAY_PORT_LANGUAGE_N ? name[language] : "other";
}

typedef struct {
    const char *pattern; /* as of walk_match, against the lower-case name */
    uint8_t language;
} pattern_t;

/* The first that matches counts. */
static const pattern_t patterns[] = {
    {"*.cu", LANGUAGE(CUDA)},
    {"*.cuh", LANGUAGE(CUDA)},
    {"*.hip", LANGUAGE(CUDA)},
    {"*.cu.in", LANGUAGE(CUDA)},
    {"*.cuh.in", LANGUAGE(CUDA)},
    {"*.cu.jinja", LANGUAGE(CUDA)},
    {"*.c", LANGUAGE(C)},
    {"*.h", LANGUAGE(C)},
    {"*.inc", LANGUAGE(C)},
    {"*.h.in", LANGUAGE(C)},
    {"*.cc", LANGUAGE(CPP)},
    {"*.cpp", LANGUAGE(CPP)},
    {"*.cxx", LANGUAGE(CPP)},
    {"*.c++", LANGUAGE(CPP)},
    {"*.hpp", LANGUAGE(CPP)},
    {"*.hh", LANGUAGE(CPP)},
    {"*.hxx", LANGUAGE(CPP)},
    {"*.h++", LANGUAGE(CPP)},
    {"*.inl", LANGUAGE(CPP)},
    {"*.ipp", LANGUAGE(CPP)},
    {"*.tpp", LANGUAGE(CPP)},
    {"*.hdl", LANGUAGE(CPP)},
    {"*.hpp.in", LANGUAGE(CPP)},
    {"*.cpp.in", LANGUAGE(CPP)},
    {"*.ptx", LANGUAGE(PTX)},
    {"*.py", LANGUAGE(PYTHON)},
    {"*.pyi", LANGUAGE(PYTHON)},
    {"*.pyx", LANGUAGE(PYTHON)},
    {"*.pxd", LANGUAGE(PYTHON)},
    {"sconstruct", LANGUAGE(PYTHON)},
    {"wscript", LANGUAGE(PYTHON)},
    {"*.ipynb", LANGUAGE(NOTEBOOK)},
    {"cmakelists.txt", LANGUAGE(CMAKE)},
    {"*.cmake", LANGUAGE(CMAKE)},
    {"*.cmake.in", LANGUAGE(CMAKE)},
    {"cmakelists*.txt", LANGUAGE(CMAKE)},
    {"makefile", LANGUAGE(MAKE)},
    {"gnumakefile", LANGUAGE(MAKE)},
    {"makefile.*", LANGUAGE(MAKE)},
    {"*.mk", LANGUAGE(MAKE)},
    {"*.mak", LANGUAGE(MAKE)},
    {"*.make", LANGUAGE(MAKE)},
    {"*.rsp", LANGUAGE(MAKE)},
    {"*flags.txt", LANGUAGE(MAKE)},
    {"dockerfile", LANGUAGE(DOCKER)},
    {"dockerfile.*", LANGUAGE(DOCKER)},
    {"*.dockerfile", LANGUAGE(DOCKER)},
    {"containerfile", LANGUAGE(DOCKER)},
    {"containerfile.*", LANGUAGE(DOCKER)},
    {"environment*.y*ml", LANGUAGE(CONDA)},
    {"conda*.y*ml", LANGUAGE(CONDA)},
    {"*conda_env*.y*ml", LANGUAGE(CONDA)},
    {"env.y*ml", LANGUAGE(CONDA)},
    {"meta.yaml", LANGUAGE(CONDA)},
    {"*requirements*.txt", LANGUAGE(REQUIREMENTS)},
    {"*requirements*.in", LANGUAGE(REQUIREMENTS)},
    {"constraints*.txt", LANGUAGE(REQUIREMENTS)},
    {"pyproject.toml", LANGUAGE(PYPROJECT)},
    {"setup.cfg", LANGUAGE(PYPROJECT)},
    {"pipfile", LANGUAGE(PYPROJECT)},
    {"*.sh", LANGUAGE(SHELL)},
    {"*.bash", LANGUAGE(SHELL)},
    {"*.zsh", LANGUAGE(SHELL)},
    {"*.ksh", LANGUAGE(SHELL)},
    {"*.sbatch", LANGUAGE(SLURM)},
    {"*.slurm", LANGUAGE(SLURM)},
};

enum { N_PATTERNS = sizeof patterns / sizeof *patterns, MAX_NAME = 255 };

/* The name in lower case; false when it is longer than any name. */
static bool lower_name(const char *path, char out[MAX_NAME + 1]) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t n = strlen(name);
    if (n > MAX_NAME) {
        return false;
    }
    for (size_t i = 0; i <= n; i++) {
        out[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    }
    return true;
}

/* "requirements/base.txt": the folder says it. */
static bool in_requirements_folder(const char *path, const char *name) {
    const size_t n = strlen(path), n_name = strlen(name);
    static const char folder[] = "requirements/";
    const size_t n_folder = sizeof folder - 1;
    return n_name > 4 && strcmp(name + n_name - 4, ".txt") == 0 && n >= n_name + n_folder &&
           strncmp(path + n - n_name - n_folder, folder, n_folder) == 0;
}

static assay_port_language_t language_by_name(const char *path) {
    char name[MAX_NAME + 1];
    if (!lower_name(path, name)) {
        return ASSAY_PORT_OTHER;
    }
    for (size_t i = 0; i < N_PATTERNS; i++) {
        if (walk_match(patterns[i].pattern, strlen(patterns[i].pattern), name)) {
            return (assay_port_language_t)patterns[i].language;
        }
    }
    return in_requirements_folder(path, name) ? ASSAY_PORT_REQUIREMENTS : ASSAY_PORT_OTHER;
}

/* Files whose beginning may tell more: no suffix ("launch"), or one that means nothing. */
static bool begins_matter(const char *path) {
    char name[MAX_NAME + 1];
    const char *dot = lower_name(path, name) ? strrchr(name, '.') : ".";
    return !dot || strcmp(dot, ".job") == 0 || strcmp(dot, ".sub") == 0 ||
           strcmp(dot, ".batch") == 0;
}

bool port_language_possible(const char *path) {
    return language_by_name(path) != ASSAY_PORT_OTHER || begins_matter(path);
}

static bool contains(const char *data, size_t size, const char *word) {
    return size && memmem(data, size, word, strlen(word)) != NULL;
}

static assay_port_language_t language_by_shebang(const char *data, size_t size) {
    static const struct {
        const char *word;
        uint8_t language;
    } interpreters[] = {{"python", LANGUAGE(PYTHON)}, {"bash", LANGUAGE(SHELL)},
                        {"zsh", LANGUAGE(SHELL)},     {"ksh", LANGUAGE(SHELL)},
                        {"dash", LANGUAGE(SHELL)},    {"/sh", LANGUAGE(SHELL)},
                        {"env sh", LANGUAGE(SHELL)},  {"make", LANGUAGE(MAKE)}};
    if (size < 2 || memcmp(data, "#!", 2) != 0) {
        return ASSAY_PORT_OTHER;
    }
    const char *end = memchr(data, '\n', size);
    const size_t n = end ? (size_t)(end - data) : size;
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
        if (contains(data, n, interpreters[i].word)) {
            return (assay_port_language_t)interpreters[i].language;
        }
    }
    return ASSAY_PORT_OTHER;
}

/* Headers and sources of any name may hold kernels. */
static bool holds_kernels(const char *data, size_t size) {
    return contains(data, size, "__global__") || contains(data, size, "__device__");
}

assay_port_language_t port_language(const char *path, const char *data, size_t size) {
    enum { HEAD_BYTES = 16384 };
    assay_port_language_t language = language_by_name(path);
    const size_t n_head = size < HEAD_BYTES ? size : HEAD_BYTES;
    if (language == ASSAY_PORT_OTHER && begins_matter(path)) {
        language = language_by_shebang(data, n_head);
        if (language == ASSAY_PORT_OTHER && contains(data, n_head, "\n#SBATCH")) {
            language = ASSAY_PORT_SHELL;
        }
    }
    switch (language) {
    case ASSAY_PORT_SHELL:
        return contains(data, n_head, "#SBATCH") ? ASSAY_PORT_SLURM : ASSAY_PORT_SHELL;
    case ASSAY_PORT_C:
    case ASSAY_PORT_CPP:
        return holds_kernels(data, size) ? ASSAY_PORT_CUDA : language;
    case ASSAY_PORT_CONDA:
        return contains(data, n_head, "dependencies:") || contains(data, n_head, "requirements:")
                   ? ASSAY_PORT_CONDA
                   : ASSAY_PORT_OTHER;
    default:
        return language;
    }
}
