/* Which number of a decision is asked about, and who makes its tree: tables of paths, one a topic.
   The paths are those of the decision's JSON; a test asks for every number of it. */
#include "decide/explain_tree.h"

#include <string.h>

#include "base/banned.h"

/* ---- rows ---- */

/* Whether a row's path is that of the steps from `depth` on. */
static bool is_path(const char *row, const assay_explain_path_t *path, uint32_t depth) {
    for (uint32_t k = depth; k < path->n; k++) {
        const char *key = path->step[k].key;
        const size_t n = strcspn(row, ".");
        if (strcmp(row, "**") == 0) {
            return true;
        }
        const bool any = n == 1 && *row == '*';
        if (n == 0 || (!any && !(key && strlen(key) == n && memcmp(key, row, n) == 0))) {
            return false;
        }
        row += n;
        row += *row == '.';
    }
    return *row == '\0';
}

explained_t explain_match(explain_t *e, const explain_row_t *row, size_t n, uint32_t depth) {
    for (size_t k = 0; k < n; k++) {
        if (row[k].work & e->explainer->game.work && is_path(row[k].path, e->path, depth)) {
            return row[k].make(e);
        }
    }
    return NULL;
}

static explained_t make(explain_t *e) {
#define TABLE(topic) \
    { explain_##topic##_row, explain_##topic##_n }
    const struct {
        const explain_row_t *row;
        size_t n;
    } table[] = {TABLE(money), TABLE(step),  TABLE(fleet), TABLE(image), TABLE(sample),
                 TABLE(flip),  TABLE(study), TABLE(rule),  TABLE(asked)};
#undef TABLE
    explained_t node = NULL;
    for (size_t k = 0; k < sizeof table / sizeof table[0] && !node && !e->failed; k++) {
        node = explain_match(e, table[k].row, table[k].n, 0);
    }
    return node;
}

/* ---- candidates ---- */

bool explain_open(explain_t *e, uint32_t c) {
    const assay_explain_of_t *of = &e->explainer->of;
    const decide_player_t *player = &e->explainer->game.player[c];
    e->index = c;
    e->machine = player->machine;
    e->money_case = player->fits ? player->money_case : NULL;
    e->point = player->point;
    e->estimate = player->estimate;
    e->serving = of->serving ? &of->serving->candidate[c] : NULL;
    e->fleet = e->serving ? e->serving->fleet : NULL;
    e->image = of->images ? &of->images->candidate[c] : NULL;
    e->was = NULL;
    if (!e->money_case) {
        return false;
    }
    assay_money_flows(e->money_case, &e->flows);
    assay_money_draw(e->money_case, NULL, e->x);
    return true;
}

const assay_resolved_t *assay_explain_resolved(const assay_explain_of_t *of) {
    return of->training  ? of->training->resolved
           : of->serving ? of->serving->resolved
                         : of->images->resolved;
}

assay_status_t assay_explainer_create(assay_arena_t *arena, const assay_explain_of_t *of,
                                      const char *const *dir, uint32_t n_dir,
                                      assay_explainer_t **out, assay_error_t *err) {
    assay_explainer_t *explainer = assay_arena_alloc(arena, sizeof *explainer);
    if (!explainer) {
        return assay_error_memory(err, NULL);
    }
    explainer->of = *of;
    explainer->ctx = (assay_decide_ctx_t){.arena = arena,
                                          .resolved = assay_explain_resolved(of),
                                          .data_dir = dir,
                                          .n_data_dir = n_dir};
    decide_game_t *game = &explainer->game;
    assay_status_t status = assay_decide_settings(arena, dir, n_dir, &explainer->ctx.settings, err);
    status = status
                 ? status
                 : assay_data_table_keyed(arena, "rules.csv", dir, n_dir, &explainer->rules, err);
    status = status ? status : decide_game_of(&explainer->ctx, of, game, err);
    if (status) {
        return status;
    }
    explainer->central = assay_arena_array(arena, (size_t)game->n + 1, sizeof *explainer->central);
    if (!explainer->central || !decide_world_create(arena, game, &explainer->world)) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t c = 0; c < game->n; c++) {
        if (game->player[c].fits) {
            decide_values(&game->player[c], NULL, 0, explainer->central[c]);
        }
    }
    *out = explainer;
    return ASSAY_OK;
}

assay_status_t assay_explain(assay_explainer_t *explainer, assay_arena_t *arena,
                             const assay_explain_path_t *path, const assay_explained_t **out,
                             assay_error_t *err) {
    explain_t e = {
        .arena = arena, .explainer = explainer, .path = path, .resolved = explainer->ctx.resolved};
    if (path->n > 1 && path->step[0].key && strcmp(path->step[0].key, "candidates") == 0 &&
        path->step[1].index < explainer->game.n) {
        (void)explain_open(&e, path->step[1].index);
    }
    *out = make(&e);
    if (e.failed || explainer->ctx.failed) {
        return assay_error_memory(err, NULL);
    }
    return *out ? ASSAY_OK
                : assay_error_set(err, ASSAY_NOT_FOUND, NULL, "nothing explains %s",
                                  explain_last(&e));
}
