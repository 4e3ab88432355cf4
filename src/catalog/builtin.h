/* The tables of data/ as cmake/data.cmake compiles them in; private to catalog. */
#ifndef ASSAY_CATALOG_BUILTIN_H
#define ASSAY_CATALOG_BUILTIN_H

typedef struct {
    const char *name;       /* file name in data/; NULL ends the list */
    const char *data, *end; /* a NUL stands at end */
} assay_builtin_t;

extern const assay_builtin_t assay_builtin[];

#endif
