/* What the readers of build files, scripts, Python and package lists share: the tables of packages,
   frameworks and terms, and the words of a text. */
#ifndef PORT_READING_H
#define PORT_READING_H

#include "port/port_scan.h"

/* Where a term of data/port_terms.csv counts. */
#define PORT_WHERE_LIST(X)                                            \
    X(CMAKE, "cmake")                                                 \
    X(MAKE, "make")                                                   \
    X(FLAG, "flag") /* compiler and linker flags, in whatever file */ \
    X(SHELL, "shell") X(DOCKER, "docker") X(PYTHON, "python") X(STRING, "string") /* of Python */
enum {
#define PORT_WHERE_BIT(code, name) PORT_WHERE_BIT_##code,
    PORT_WHERE_LIST(PORT_WHERE_BIT)
#undef PORT_WHERE_BIT
#define PORT_WHERE_ENUM(code, name) PORT_WHERE_##code = 1u << PORT_WHERE_BIT_##code,
        PORT_WHERE_LIST(PORT_WHERE_ENUM)
#undef PORT_WHERE_ENUM
};

/* One row of data/port_terms.csv. */
typedef struct {
    const char *word; /* as written in the table */
    size_t n_word;    /* of the first word, without a '*' at its end */
    const char *next; /* the word that must follow, "" = any */
    size_t n_next;
    bool is_prefix, next_is_prefix; /* a '*' ends it */
    uint8_t where;                  /* PORT_WHERE_ bits */
    const char *rule, *status, *replacement, *source;
    const char *rewrite; /* text that takes the word's place as it is; "" = none */
} port_term_t;

typedef enum {
    PORT_PACKAGE_NATIVE,
    PORT_PACKAGE_NEUTRAL,
    PORT_PACKAGE_AMD_ONLY,
    PORT_PACKAGE_PARTIAL,
    PORT_PACKAGE_FORK,
    PORT_PACKAGE_REPLACEMENT,
    PORT_PACKAGE_NONE,
    PORT_PACKAGE_DROP,
    PORT_PACKAGE_UNKNOWN,
    PORT_PACKAGE_STATUS_N
} port_package_status_t;

/* One row of data/port_packages.csv. */
typedef struct {
    const char *id, *replacement, *note, *source, *status_text;
    const char *since; /* first version that runs on ROCm, "" = not known */
    uint8_t status, level;
} port_package_t;

/* One row of data/port_frameworks.csv: what was found ready where. */
typedef struct {
    const char *package, *name, *versions, *how, *note, *source;
    const char *targets; /* "gfx90a|gfx942", prefixes; "" = all */
    uint16_t rocm_from, rocm_to;
} port_framework_t;

/** By the name that pip or conda knows, any spelling that PEP 503 makes equal. NULL = none. */
const port_package_t *port_package_find(const port_packages_t *packages, const char *name,
                                        size_t n);
/** By the module that is imported: "torch.nn" finds torch. */
const port_package_t *port_module_find(const port_packages_t *packages, const char *module,
                                       size_t n);
/** The modules one by one, with their package; NULL behind the last. */
const char *port_module_at(const port_packages_t *packages, uint32_t index,
                           const port_package_t **out_package);
/** Nothing to do but to install the build for ROCm, or nothing at all. */
static inline bool port_package_ready(const port_package_t *package) {
    return package->status <= PORT_PACKAGE_AMD_ONLY || package->status == PORT_PACKAGE_DROP;
}
/** The row that covers this ROCm and target; NULL: none does. *out_known: the package has rows. */
const port_framework_t *port_framework_find(const port_packages_t *packages, const char *package,
                                            const assay_port_options_t *options, bool *out_known);
/** Frameworks are counted in the order of the table, whose rows of one stand together;
 * PORT_FRAMEWORKS or more: the package is none. */
unsigned port_framework_number(const port_packages_t *packages, const char *package);
/** next: the word behind, may be empty. NULL = no term there. */
const port_term_t *port_term_find(const port_packages_t *packages, unsigned where, const char *word,
                                  size_t n, const char *next, size_t n_next);

/* One text being read. */
typedef struct {
    port_sink_t *sink;
    const port_text_t *text;
    const port_packages_t *packages;
    bool ported; /* the file has a HIP branch of its own */
} reading_t;

reading_t reading_begin(port_sink_t *sink, const port_text_t *text);
/** A word of letters, digits and what names and flags hold ('_', '-', '.', '+', '::'), without
 * what a sentence puts around it. false at end. */
bool reading_word(const char *data, size_t *at, size_t end, size_t *out_begin, size_t *out_n);
/** Reports the terms among the words of data[begin..end). */
void reading_terms(const reading_t *r, size_t begin, size_t end, unsigned where);
/** Where the sentence for people ends that the word begins, as echo and $(error do; 0: none. begin:
 * of the line or text. */
size_t reading_sentence_end(const char *data, size_t begin, size_t word, size_t n, size_t end);
void reading_report(const reading_t *r, const port_term_t *term, size_t offset, size_t length);
/** A finding that no table row describes further. */
void reading_add(const reading_t *r, const char *rule, size_t offset, size_t length);
/** Text in the sink's arena; "" when it is full. */
const char *reading_copy(const reading_t *r, size_t offset, size_t length);
/** Lists of gfx targets in data[begin..end) (--offload-arch=, PYTORCH_ROCM_ARCH ...) that are
 * complete without the target that was asked for. */
void reading_offload_archs(const reading_t *r, size_t begin, size_t end);
/** One requirement, "name[extra]==1.2+cu121 ; marker": package, pin, CUDA wheels. */
void reading_requirement(const reading_t *r, size_t begin, size_t end);
/** The arguments of pip, conda and the like: requirements and index addresses. */
void reading_install(const reading_t *r, size_t begin, size_t end);
/** A package that the text names; imported: by an import statement. */
void reading_package(const reading_t *r, const port_package_t *package, size_t offset,
                     size_t length, bool imported);
/** Lines of a shell: commands, variables, modules. */
void reading_shell(const reading_t *r, size_t begin, size_t end, unsigned where);

/** A build that has a HIP branch already: its CUDA half stays as it is. */
bool build_has_hip(const char *data, size_t size);
/** Tells the sink which sources a CMake text with a HIP branch names for CUDA alone, and which
 * else. */
void build_sides(port_sink_t *sink, const port_text_t *text);
/** Where code ends on a CMake or Make line; *in_block: within "#[[ ... ]]" of CMake. */
size_t build_code_end(const char *data, size_t begin, size_t end, bool is_cmake, bool *in_block);

/** End of the line that holds at, without its newline; *out_next behind that. */
size_t reading_line(const char *data, size_t at, size_t end, size_t *out_next);
bool reading_contains(const char *data, size_t size, const char *word);
bool reading_contains_any(const char *data, size_t size, const char *const *words);

#endif
