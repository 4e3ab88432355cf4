/* What the readers share: the table of arguments, and what has been taken so far. */
#ifndef LAUNCH_LAUNCH_PARTS_H
#define LAUNCH_LAUNCH_PARTS_H

#include "assay/catalog.h"
#include "assay/launch.h"
#include "assay/node.h"

#define LAUNCH_ITEMS_MAX 4096u
#define LAUNCH_FACTS_MAX 64u

/* What an argument says that is no key of a job by itself: "@nodes", "@gres". */
typedef struct {
    const char *name, *value;
} launch_fact_t;

typedef struct {
    assay_arena_t *arena;
    assay_csv_t table;
    int tool, argument, versions, takes, key, value;
    assay_launch_item_t *item; /* (LAUNCH_ITEMS_MAX) */
    uint32_t n_item;
    launch_fact_t fact[LAUNCH_FACTS_MAX];
    uint32_t n_fact;
    bool serves, tunes; /* what the tools seen so far do */
    const char *file;   /* that is being read */
    const assay_launch_file_t *files;
    uint32_t n_files;
    assay_error_t *err;
} launch_t;

/** Row of an argument, or -1. Dashes and underscores inside a name are the same. */
int launch_find(const launch_t *launch, const char *tool, const char *argument);
/** "0", "1", "n": how many words an argument takes. */
const char *launch_takes(const launch_t *launch, int row);
/** Takes what an argument says; value "" for a flag. Unknown ones are noted. */
assay_status_t launch_take(launch_t *launch, const char *tool, const char *argument,
                           const char *value, uint32_t line);
assay_status_t launch_add(launch_t *launch, assay_launch_state_t state, const char *key,
                          const char *value, const char *argument, uint32_t line, const char *text);
/** Sets a fact, or replaces it. value NULL: no memory. */
assay_status_t launch_set_fact(launch_t *launch, const char *name, const char *value);
/** NULL: not said. */
const char *launch_fact(const launch_t *launch, const char *name);
/** The last value taken for a key, or NULL. */
const char *launch_value(const launch_t *launch, const char *key);
/** The same as a whole number > 0, else otherwise. */
double launch_number(const launch_t *launch, const char *key_or_fact, double otherwise);

/* The readers. */
assay_status_t launch_read_shell(launch_t *launch, const char *data, size_t size);
/** One command line that is given as words. */
assay_status_t launch_read_words(launch_t *launch, const char *const *word, const uint32_t *line,
                                 uint32_t n);
/** Every scalar below node by its path; tool: whose paths they are. */
assay_status_t launch_read_tree(launch_t *launch, const char *tool, const assay_node_t *root);
assay_status_t launch_read_kubernetes(launch_t *launch, const assay_node_t *root);
assay_status_t launch_parse_toml(assay_arena_t *arena, const char *file, const char *data,
                                 size_t size, assay_node_t **out_root, assay_error_t *err);
/** Keyword arguments of nested calls, as a tree: training=TrainingConfig(steps=5). */
assay_status_t launch_parse_python(assay_arena_t *arena, const char *file, const char *data,
                                   size_t size, assay_node_t **out_root, assay_error_t *err);
/** What follows from the facts: batch, layout, machines. */
assay_status_t launch_settle(launch_t *launch, const char *on, assay_launch_t *out);

#endif
