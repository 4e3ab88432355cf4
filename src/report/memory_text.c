#include <string.h>

#include "report/memory_view.h"

#include "assay/units.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_MEMORY_##id)

static const char *size(assay_view_t *view, double bytes) {
    return assay_view_quantity(view, bytes, ASSAY_DIM_MEMORY);
}

static const assay_model_t *model_of(const assay_resolved_t *resolved) {
    return resolved->kind == ASSAY_WORK_SERVE ? &resolved->serving[0].model
                                              : &resolved->workload.model;
}

static const char *what(assay_view_t *view, const assay_resolved_t *resolved) {
    const char *id = model_of(resolved)->id;
    switch ((assay_work_kind_t)resolved->kind) {
    case ASSAY_WORK_SERVE:
        return SAY(view, MEMORY_WHAT_SERVE, id, resolved->serving[0].engine);
    case ASSAY_WORK_FINETUNE:
        return SAY(view, MEMORY_WHAT_FINETUNE, id);
    case ASSAY_WORK_TRAIN:
    case ASSAY_WORK_IMAGE: /* resolve refuses it */
        break;
    }
    return SAY(view, MEMORY_WHAT_TRAIN, id);
}

static const char *layout_text(assay_view_t *view, const assay_layout_t *layout, bool serve) {
    if (!serve) {
        return assay_view_layout(view, layout);
    }
    const char *ep = layout->ep > 1 ? assay_view_format(view, ", EP %u", layout->ep) : "";
    return assay_view_format(view, "TP %u, PP %u, DP %u%s", layout->tp, layout->pp, layout->dp, ep);
}

static void write_verdict(assay_view_t *view, const assay_memory_candidate_t *of,
                          const assay_resolved_t *resolved) {
    const char *job = what(view, resolved);
    if (!of->machine) {
        const bool serve = resolved->kind == ASSAY_WORK_SERVE;
        const char *longest =
            serve ? assay_view_count(view, resolved->serving[0].max_model_len) : "";
        assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                        !of->known ? SAY(view, MEMORY_NO_DEVICE, job)
                        : of->fits ? SAY(view, MEMORY_NO_DEVICE_ENOUGH, job, longest)
                                   : SAY(view, MEMORY_NO_DEVICE_SHORT, job, longest));
        return;
    }
    const char *devices = assay_view_count(view, of->machine->devices);
    const char *where = SAY(view, MEMORY_WHERE, devices, of->machine->accelerator->name,
                            size(view, of->memory_bytes));
    /* what a run holds for a moment before its first step */
    const bool starts = strcmp(of->limiting, "wrap") != 0 && strcmp(of->limiting, "load") != 0;
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                    of->fits ? SAY(view, MEMORY_FITS, job, where)
                    : starts ? SAY(view, MEMORY_FITS_NOT, job, where, of->limiting)
                             : SAY(view, MEMORY_STARTS_NOT, job, where, of->limiting));
}

static void write_recipe(assay_view_t *view, const assay_memory_t *memory,
                         const assay_memory_candidate_t *of) {
    const assay_resolved_t *resolved = memory->resolved;
    if (resolved->kind == ASSAY_WORK_SERVE) {
        const assay_checkpoint_t *checkpoint = &resolved->serving[0].checkpoint;
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, MEMORY_WEIGHTS, size(view, checkpoint->total_bytes),
                            checkpoint->dtype, assay_view_phrase(view, checkpoint->source)));
        return;
    }
    const double all = of->weight_each + of->master_each + of->gradient_each + of->moment_each;
    const char *weight = assay_view_number(view, of->weight_each);
    const char *gradient = assay_view_number(view, of->gradient_each);
    const char *moment = assay_view_number(view, of->moment_each);
    const char *whole = assay_view_quantity(view, of->state_model_bytes, ASSAY_DIM_BYTES);
    const char *params = assay_view_quantity(view, resolved->workload.count.total, ASSAY_DIM_COUNT);
    if (resolved->workload.recipe.method != ASSAY_METHOD_FULL) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, MEMORY_RECIPE_ADAPTERS,
                            assay_view_count(view, resolved->workload.recipe.lora_rank),
                            assay_view_number(view, all), weight, gradient, moment, whole, params));
        return;
    }
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                    SAY(view, MEMORY_RECIPE, assay_view_number(view, all), weight,
                        assay_view_number(view, of->master_each), gradient, moment, whole, params));
}

static void add_row(assay_view_t *view, assay_table_t *table, const char *name, double a,
                    double b) {
    assay_table_row(table);
    assay_table_cell(table, 0, name);
    assay_table_cell(table, 1, assay_view_cell(view, a / ASSAY_GIB_BYTES));
    if (b >= 0) {
        assay_table_cell(table, 2, assay_view_cell(view, b / ASSAY_GIB_BYTES));
    }
}

static void write_serve_parts(assay_view_t *view, const assay_memory_candidate_t *of) {
    assay_table_t *table = assay_view_table(view, 2);
    double total = 0;
    assay_table_column(table, 0, TEXT(COLUMN_PART), "", false);
    assay_table_column(table, 1, TEXT(COLUMN_HELD), "GiB", true);
    for (int i = 0; i < ASSAY_SERVING_PART_N; i++) {
        const double bytes = of->serve.bytes[i];
        total += bytes;
        if (bytes > 0) {
            add_row(view, table,
                    assay_view_phrase(view, assay_serving_part_name((assay_serving_part_t)i)),
                    bytes, -1);
        }
    }
    add_row(view, table, TEXT(TOTAL), total, -1);
    if (of->machine) {
        add_row(view, table, TEXT(BUDGET), of->serve.budget_bytes, -1);
        add_row(view, table, TEXT(HAS), of->memory_bytes, -1);
    }
    assay_text_table(view, table, 0);
}

static void write_train_parts(assay_view_t *view, const assay_memory_candidate_t *of) {
    const assay_estimate_t *estimate = &of->train;
    assay_table_t *table = assay_view_table(view, 3);
    assay_table_column(table, 0, TEXT(COLUMN_PART), "", false);
    assay_table_column(table, 1, TEXT(COLUMN_STEADY), "GiB", true);
    assay_table_column(table, 2, TEXT(COLUMN_PEAK), "GiB", true);
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        if (estimate->peak_bytes[i] > 0) {
            add_row(view, table,
                    assay_view_phrase(view, assay_memory_part_name((assay_memory_part_t)i)),
                    estimate->steady_bytes[i], estimate->peak_bytes[i]);
        }
    }
    add_row(view, table, TEXT(TOTAL), estimate->steady_total_bytes, estimate->peak_total_bytes);
    if (of->machine) {
        add_row(view, table, TEXT(HAS), of->memory_bytes, of->memory_bytes);
    }
    assay_text_table(view, table, 0);
}

static void write_cache(assay_view_t *view, const assay_memory_candidate_t *of,
                        const assay_serving_t *work) {
    const assay_serve_memory_t *memory = &of->serve;
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                    SAY(view, MEMORY_CACHE,
                        assay_view_format(view, "%.0f", memory->kv_bytes_per_token),
                        assay_view_format(view, "%.0f", memory->kv_bytes_per_token_model),
                        assay_view_count(view, work->max_model_len),
                        assay_view_format(view, "%.0f", memory->blocks_needed),
                        assay_view_count(view, work->block_tokens),
                        size(view, memory->bytes[ASSAY_SERVING_KV])));
    if (!memory->known) {
        return;
    }
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                    SAY(view, MEMORY_CACHE_ROOM, assay_view_format(view, "%.0f", memory->blocks),
                        assay_view_format(view, "%.0f", memory->tokens),
                        size(view, memory->kv_room_bytes),
                        assay_view_format(view, "%.0f", memory->longest)));
    if (memory->short_bytes > 0 && memory->blocks < memory->blocks_needed) {
        assay_text_wrap(view, ASSAY_STYLE_WARN, "",
                        SAY(view, MEMORY_CACHE_SHORT,
                            assay_view_format(view, "%.0f", memory->blocks_needed - memory->blocks),
                            size(view, memory->short_bytes),
                            size(view, memory->short_model_bytes)));
    }
    if (memory->sequences > 0) {
        assay_text_wrap(
            view, ASSAY_STYLE_PLAIN, "",
            SAY(view, MEMORY_CACHE_SEQUENCES, assay_view_format(view, "%.0f", memory->sequences)));
    }
}

static void write_limits(assay_view_t *view, const assay_memory_candidate_t *of, bool serve) {
    if (!serve) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, MEMORY_STAGES, size(view, of->load_bytes),
                            size(view, of->wrap_bytes), size(view, of->first_step_bytes)));
        if (of->machine) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                            of->train.sample ? SAY(view, MEMORY_LARGEST_BATCH,
                                                   assay_view_count(view, of->largest_micro_batch))
                                             : SAY(view, MEMORY_LARGEST,
                                                   assay_view_count(view, of->largest_micro_batch),
                                                   assay_view_count(view, of->largest_sequence)));
        }
    }
    if (of->fewest_devices > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, MEMORY_FEWEST, assay_view_count(view, of->fewest_devices),
                            layout_text(view, &of->fewest_layout, serve)));
    } else if (of->machine) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "", TEXT(FEWEST_NONE));
    }
}

static void write_candidate(assay_view_t *view, const assay_memory_t *memory, uint32_t i) {
    const assay_resolved_t *resolved = memory->resolved;
    const assay_memory_candidate_t *of = &memory->candidate[i];
    const bool serve = resolved->kind == ASSAY_WORK_SERVE;
    write_verdict(view, of, resolved);
    write_recipe(view, memory, of);
    if (of->machine) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, MEMORY_LAYOUT, layout_text(view, &of->layout, serve)));
    }
    assay_text_heading(view, TEXT(HEADING_PARTS));
    if (serve) {
        write_serve_parts(view, of);
    } else {
        write_train_parts(view, of);
    }
    assay_text_line(view);
    if (serve) {
        write_cache(view, of, &resolved->serving[i < resolved->n_machine ? i : 0]);
    }
    write_limits(view, of, serve);
    if (of->n_fix > 0) {
        assay_text_heading(view, TEXT(HEADING_FIXES));
    }
    for (uint32_t j = 0; j < of->n_fix; j++) {
        assay_text_wrap(
            view, ASSAY_STYLE_PLAIN, "  - ",
            SAY(view, MEMORY_FIX_COSTS, of->fix[j].key, of->fix[j].value, of->fix[j].cost));
    }
}

static void write_notes(assay_view_t *view, const assay_resolved_t *resolved) {
    static const assay_message_t heading[] = {ASSAY_MSG_REPORT_HEADING_ASSUMPTIONS,
                                              ASSAY_MSG_REPORT_HEADING_WARNINGS};
    for (int kind = ASSAY_NOTE_WARNING; kind >= ASSAY_NOTE_ASSUMPTION; kind--) {
        bool any = false;
        for (uint32_t i = 0; i < resolved->n_note; i++) {
            if (resolved->note[i].kind != kind) {
                continue;
            }
            if (!any) {
                assay_text_heading(view, assay_view_message(view, heading[kind]));
                any = true;
            }
            assay_text_wrap(view, kind == ASSAY_NOTE_WARNING ? ASSAY_STYLE_WARN : ASSAY_STYLE_PLAIN,
                            "  - ", assay_view_note_sourced(view, &resolved->note[i]));
        }
    }
}

static void write_log(assay_view_t *view, const assay_oom_t *log) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                    SAY(view, MEMORY_LOG, log->program, log->stage, log->sentence, log->part));
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                    SAY(view, MEMORY_LOG_LINE, assay_view_count(view, log->line), log->evidence));
    assay_text_heading(view, TEXT(HEADING_FIXES));
    for (uint32_t i = 0; i < log->n_fix; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ",
                        SAY(view, MEMORY_FIX, log->fix[i].set, log->fix[i].why));
    }
}

void assay_memory_write_text(assay_view_t *view, const assay_memory_view_t *of) {
    if (of->log) {
        write_log(view, of->log);
    }
    for (uint32_t i = 0; of->memory && i < of->memory->n_candidate; i++) {
        if (i > 0 || of->log) {
            assay_text_line(view);
        }
        write_candidate(view, of->memory, i);
    }
    if (of->memory) {
        write_notes(view, of->memory->resolved);
    }
}
