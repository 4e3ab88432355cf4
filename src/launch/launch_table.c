/* data/workload_args.csv: which argument means which key. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

static char fold(char c) {
    return c == '_' ? '-' : c;
}

/* "--tp", "-tp" and a tree's "tp" are one name. */
static bool same_name(const char *a, const char *b) {
    a += strspn(a, "-");
    b += strspn(b, "-");
    while (*a && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

int launch_find(const launch_t *launch, const char *tool, const char *argument) {
    for (uint32_t row = 0; row < launch->table.n_rows; row++) {
        if (strcmp(assay_csv_cell(&launch->table, row, launch->tool), tool) == 0 &&
            same_name(assay_csv_cell(&launch->table, row, launch->argument), argument)) {
            return (int)row;
        }
    }
    return -1;
}

const char *launch_takes(const launch_t *launch, int row) {
    return assay_csv_cell(&launch->table, (uint32_t)row, launch->takes);
}

/* "a=x|b=y|*=z": the value of a word, *out_n bytes. Where the map only names words that say nothing
   ("auto="), any other stands for itself. NULL: the word is not among them. */
static const char *mapped(const char *map, const char *word, size_t *out_n) {
    const size_t n_word = strlen(word);
    const char *any = NULL;
    size_t n_any = 0;
    bool nothing = true;
    for (const char *at = map; *at;) {
        const size_t whole = strcspn(at, "|"), n = strcspn(at, "=");
        const char *value = at + n + 1;
        nothing = nothing && n + 1 == whole;
        if (n < whole && n == n_word && memcmp(at, word, n) == 0) {
            *out_n = whole - n - 1;
            return value;
        }
        if (n < whole && n == 1 && *at == '*') {
            any = value;
            n_any = whole - n - 1;
        }
        at += whole + (at[whole] == '|');
    }
    *out_n = nothing && !any ? n_word : n_any;
    return nothing && !any ? word : any;
}

assay_status_t launch_add(launch_t *launch, assay_launch_state_t state, const char *key,
                          const char *value, const char *argument, uint32_t line,
                          const char *text) {
    if (launch->n_item == LAUNCH_ITEMS_MAX) {
        const assay_place_t at = {launch->file, line, 0};
        return assay_error_set(launch->err, ASSAY_LIMIT, &at, "more than %u arguments",
                               LAUNCH_ITEMS_MAX);
    }
    const bool in_job = state == ASSAY_LAUNCH_TAKEN || state == ASSAY_LAUNCH_ASSUMED;
    for (uint32_t i = 0; in_job && i < launch->n_item; i++) {
        assay_launch_item_t *item = &launch->item[i];
        if (item->state <= ASSAY_LAUNCH_ASSUMED && strcmp(item->key, key) == 0) {
            item->state = ASSAY_LAUNCH_REPLACED;
            item->text = strcmp(item->value, value) == 0 ? "said again" : "another value follows";
        }
    }
    launch->item[launch->n_item++] =
        (assay_launch_item_t){(uint8_t)state, key, value, argument, launch->file, line, text};
    return ASSAY_OK;
}

assay_status_t launch_set_fact(launch_t *launch, const char *name, const char *value) {
    uint32_t i = 0;
    if (!value) {
        return assay_error_memory(launch->err, NULL);
    }
    while (i < launch->n_fact && strcmp(launch->fact[i].name, name) != 0) {
        i++;
    }
    if (i == LAUNCH_FACTS_MAX) {
        return assay_error_set(launch->err, ASSAY_INTERNAL, NULL, "too many facts");
    }
    launch->n_fact += i == launch->n_fact;
    launch->fact[i] = (launch_fact_t){name, value};
    return ASSAY_OK;
}

const char *launch_fact(const launch_t *launch, const char *name) {
    for (uint32_t i = 0; i < launch->n_fact; i++) {
        if (strcmp(launch->fact[i].name, name) == 0) {
            return launch->fact[i].value;
        }
    }
    return NULL;
}

const char *launch_value(const launch_t *launch, const char *key) {
    for (uint32_t i = launch->n_item; i > 0; i--) {
        const assay_launch_item_t *item = &launch->item[i - 1];
        if (item->state <= ASSAY_LAUNCH_ASSUMED && strcmp(item->key, key) == 0) {
            return item->value;
        }
    }
    return NULL;
}

double launch_number(const launch_t *launch, const char *name, double otherwise) {
    const char *text = name[0] == '@' ? launch_fact(launch, name) : launch_value(launch, name);
    uint64_t value;
    return text && assay_text_to_u64(text, strlen(text), &value) && value > 0 && value < 1u << 30
               ? (double)value
               : otherwise;
}

/* What kind of work a tool does. */
static void note_tool(launch_t *launch, const char *tool) {
    launch->serves = launch->serves || strcmp(tool, "vllm") == 0 || strcmp(tool, "sglang") == 0 ||
                     strncmp(tool, "trtllm", 6) == 0;
    launch->tunes = launch->tunes || strcmp(tool, "transformers") == 0 ||
                    strcmp(tool, "accelerate") == 0 || strcmp(tool, "deepspeed") == 0;
}

assay_status_t launch_take(launch_t *launch, const char *tool, const char *argument,
                           const char *value, uint32_t line) {
    const int row = launch_find(launch, tool, argument);
    note_tool(launch, tool);
    if (row < 0) {
        const char *text =
            assay_arena_printf(launch->arena, "no argument of %s that is known", tool);
        return text ? launch_add(launch, ASSAY_LAUNCH_UNKNOWN, NULL, value, argument, line, text)
                    : assay_error_memory(launch->err, NULL);
    }
    const char *key = assay_csv_cell(&launch->table, (uint32_t)row, launch->key);
    const char *map = assay_csv_cell(&launch->table, (uint32_t)row, launch->value);
    const bool flag = strcmp(launch_takes(launch, row), "0") == 0;
    if (strcmp(key, "-") == 0) {
        return launch_add(launch, ASSAY_LAUNCH_UNUSED, NULL, value, argument, line, NULL);
    }
    if (strcmp(key, "!") == 0) {
        return launch_add(launch, ASSAY_LAUNCH_LEFT, NULL, value, argument, line, map);
    }
    if (strchr(value, '$') || strchr(value, '`')) {
        return launch_add(launch, ASSAY_LAUNCH_LEFT, NULL, value, argument, line,
                          "the value is computed when the script runs");
    }
    const char *meant = flag && map[0] ? map : value;
    if (!flag && map[0]) {
        size_t n;
        const char *word = mapped(map, value, &n);
        if (!word) {
            return launch_add(launch, ASSAY_LAUNCH_LEFT, NULL, value, argument, line,
                              "a word that a job has no word for");
        }
        meant = assay_arena_strndup(launch->arena, word, n);
        if (!meant) {
            return assay_error_memory(launch->err, NULL);
        }
    }
    if (key[0] == '@') {
        const assay_status_t status =
            meant[0] || flag ? launch_set_fact(launch, key, meant) : ASSAY_OK;
        return status ? status
                      : launch_add(launch, ASSAY_LAUNCH_UNUSED, key, value, argument, line,
                                   "see what follows from it");
    }
    if (meant[0] == '\0') { /* as without it */
        return launch_add(launch, ASSAY_LAUNCH_UNUSED, NULL, value, argument, line, NULL);
    }
    return launch_add(launch, ASSAY_LAUNCH_TAKEN, key, meant, argument, line, NULL);
}
