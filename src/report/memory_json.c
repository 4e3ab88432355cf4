#include "report/memory_view.h"

static void write_model(assay_json_t *json, const assay_memory_t *memory) {
    const assay_resolved_t *resolved = memory->resolved;
    const bool serve = resolved->kind == ASSAY_WORK_SERVE;
    const assay_model_t *model = serve ? &resolved->serving[0].model : &resolved->workload.model;
    const assay_model_count_t *count =
        serve ? &resolved->serving[0].count : &resolved->workload.count;
    assay_json_begin_object(json, "model");
    assay_json_string(json, "id", model->id);
    assay_json_number(json, "params", count->total);
    assay_json_number(json, "active_params", count->active);
    if (serve) {
        const assay_checkpoint_t *checkpoint = &resolved->serving[0].checkpoint;
        assay_json_number(json, "checkpoint_bytes", checkpoint->total_bytes);
        assay_json_string(json, "checkpoint_dtype", checkpoint->dtype);
        assay_json_string(json, "checkpoint_source", checkpoint->source);
    }
    assay_json_end(json);
}

static void write_recipe(assay_json_t *json, const assay_memory_candidate_t *candidate) {
    assay_json_begin_object(json, "recipe");
    assay_json_number(json, "weight_bytes_each", candidate->weight_each);
    assay_json_number(json, "master_bytes_each", candidate->master_each);
    assay_json_number(json, "gradient_bytes_each", candidate->gradient_each);
    assay_json_number(json, "moment_bytes_each", candidate->moment_each);
    assay_json_end(json);
}

static void write_engine(assay_json_t *json, const assay_serving_t *work) {
    assay_json_begin_object(json, "engine");
    assay_json_string(json, "name", work->engine);
    assay_json_number(json, "gpu_memory_utilization", work->utilisation);
    assay_json_count(json, "block_tokens", work->block_tokens);
    assay_json_count(json, "max_model_len", work->max_model_len);
    assay_json_count(json, "max_batch_tokens", work->max_batch_tokens);
    assay_json_count(json, "max_num_seqs", work->max_num_seqs);
    assay_json_bool(json, "chunked_prefill", work->chunked_prefill);
    assay_json_end(json);
}

static void write_layout(assay_json_t *json, const char *key, const assay_layout_t *layout,
                         bool serve) {
    assay_json_begin_object(json, key);
    assay_json_count(json, "tp", layout->tp);
    assay_json_count(json, "pp", layout->pp);
    assay_json_count(json, "dp", layout->dp);
    assay_json_count(json, "ep", layout->ep > 1 ? layout->ep : 1);
    if (!serve) {
        assay_json_count(json, "micro_batch", layout->micro_batch);
        assay_json_count(json, "zero", layout->zero);
        assay_json_string(json, "recompute", assay_view_recompute(layout->recompute));
        assay_json_bool(json, "sequence_parallel", layout->sequence_parallel);
    }
    assay_json_end(json);
}

static void write_parts(assay_json_t *json, const assay_memory_candidate_t *candidate, bool serve) {
    const assay_serve_memory_t *memory = &candidate->serve;
    assay_json_begin_object(json, "parts");
    for (int i = 0; serve && i < ASSAY_SERVING_PART_N; i++) {
        assay_json_number(json, assay_serving_part_name((assay_serving_part_t)i), memory->bytes[i]);
    }
    for (int i = 0; !serve && i < ASSAY_MEMORY_N; i++) {
        assay_json_begin_object(json, assay_memory_part_name((assay_memory_part_t)i));
        assay_json_number(json, "steady_bytes", candidate->train.steady_bytes[i]);
        assay_json_number(json, "peak_bytes", candidate->train.peak_bytes[i]);
        assay_json_end(json);
    }
    assay_json_end(json);
    if (serve) {
        assay_json_begin_object(json, "weights_by_part");
        for (int i = 0; i < ASSAY_PART_N; i++) {
            if (memory->weight_part_bytes[i] > 0) {
                assay_json_number(json, assay_part_name((assay_part_t)i),
                                  memory->weight_part_bytes[i]);
            }
        }
        assay_json_end(json);
    }
}

static void write_cache(assay_json_t *json, const assay_serve_memory_t *memory) {
    assay_json_begin_object(json, "kv");
    assay_json_number(json, "bytes_per_token", memory->kv_bytes_per_token);
    assay_json_number(json, "bytes_per_token_model", memory->kv_bytes_per_token_model);
    assay_json_number(json, "block_bytes", memory->block_bytes);
    assay_json_number(json, "needed_bytes", memory->bytes[ASSAY_SERVING_KV]);
    assay_json_number(json, "blocks_needed", memory->blocks_needed);
    assay_json_number_if(json, "room_bytes", memory->known, memory->kv_room_bytes);
    assay_json_number_if(json, "blocks", memory->known, memory->blocks);
    assay_json_number_if(json, "tokens", memory->known, memory->tokens);
    assay_json_number_if(json, "longest", memory->known, memory->longest);
    assay_json_number_if(json, "short_bytes", memory->known, memory->short_bytes);
    assay_json_number_if(json, "short_bytes_model", memory->known, memory->short_model_bytes);
    assay_json_number_if(json, "sequences", memory->sequences > 0, memory->sequences);
    assay_json_end(json);
}

static void write_stages(assay_json_t *json, const assay_memory_candidate_t *candidate) {
    assay_json_begin_object(json, "stages");
    assay_json_number(json, "load_bytes", candidate->load_bytes);
    assay_json_number_if(json, "wrap_bytes", candidate->wrap_bytes > 0, candidate->wrap_bytes);
    assay_json_number(json, "first_step_bytes", candidate->first_step_bytes);
    assay_json_number(json, "steady_bytes", candidate->steady_bytes);
    assay_json_end(json);
}

static void write_answer(assay_json_t *json, const char *key, bool known, bool value) {
    if (known) {
        assay_json_bool(json, key, value);
    } else {
        assay_json_string(json, key, NULL);
    }
}

static void write_fewest(assay_json_t *json, const assay_memory_candidate_t *candidate,
                         bool serve) {
    assay_json_number_if(json, "fewest_devices", candidate->fewest_devices > 0,
                         candidate->fewest_devices);
    if (candidate->fewest_devices > 0) {
        write_layout(json, "fewest_layout", &candidate->fewest_layout, serve);
    }
}

static void write_candidate(assay_json_t *json, const assay_memory_candidate_t *candidate,
                            bool serve) {
    const assay_machine_t *machine = candidate->machine;
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", machine ? machine->id : NULL);
    assay_json_number_if(json, "devices", machine != NULL, machine ? machine->devices : 0);
    assay_json_number_if(json, "device_bytes", machine != NULL, candidate->memory_bytes);
    write_answer(json, "fits", candidate->known, candidate->fits);
    write_answer(json, "steady_fits", candidate->known, candidate->steady_fits);
    assay_json_string(json, "limiting", candidate->limiting[0] ? candidate->limiting : NULL);
    write_layout(json, "layout", &candidate->layout, serve);
    write_parts(json, candidate, serve);
    write_stages(json, candidate);
    assay_json_number(json, "state_bytes", candidate->state_bytes);
    assay_json_number(json, "state_bytes_model", candidate->state_model_bytes);
    if (serve) {
        write_cache(json, &candidate->serve);
    } else {
        write_recipe(json, candidate);
        assay_json_number(json, "reserved_bytes", candidate->reserved_bytes);
        assay_json_number_if(json, "largest_micro_batch", machine != NULL,
                             candidate->largest_micro_batch);
        assay_json_number_if(json, "largest_sequence", machine != NULL && !candidate->train.sample,
                             candidate->largest_sequence);
    }
    write_fewest(json, candidate, serve);
    assay_json_begin_array(json, "fixes");
    for (uint32_t i = 0; i < candidate->n_fix; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "key", candidate->fix[i].key);
        assay_json_string(json, "value", candidate->fix[i].value);
        assay_json_string(json, "cost", candidate->fix[i].cost);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_end(json);
}

static void write_notes(assay_json_t *json, const char *key, const assay_resolved_t *resolved,
                        assay_note_kind_t kind) {
    assay_json_begin_array(json, key);
    for (uint32_t i = 0; i < resolved->n_note; i++) {
        const assay_note_t *note = &resolved->note[i];
        if (note->kind == kind) {
            assay_json_begin_object(json, NULL);
            assay_json_string(json, "subject", note->subject);
            assay_json_string(json, "value", note->value);
            assay_json_string(json, "source", note->source);
            assay_json_string(json, "text", note->text);
            assay_json_end(json);
        }
    }
    assay_json_end(json);
}

static void write_log(assay_json_t *json, const assay_oom_t *log) {
    assay_json_begin_object(json, "log");
    assay_json_string(json, "program", log->program);
    assay_json_string(json, "part", log->part);
    assay_json_string(json, "stage", log->stage);
    assay_json_string(json, "evidence", log->evidence);
    assay_json_count(json, "line", log->line);
    assay_json_begin_object(json, "figures");
    for (uint32_t i = 0; i < log->n_figure; i++) {
        assay_json_number(json, log->figure[i].name, log->figure[i].value);
    }
    assay_json_end(json);
    assay_json_begin_array(json, "fixes");
    for (uint32_t i = 0; i < log->n_fix; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "set", log->fix[i].set);
        assay_json_string(json, "why", log->fix[i].why);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_end(json);
}

void assay_memory_write_json(assay_view_t *view, const assay_memory_view_t *of) {
    static const char *const kind[] = {"train", "finetune", "serve"};
    const assay_memory_t *memory = of->memory;
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    if (of->log) {
        write_log(&json, of->log);
    }
    if (memory) {
        const bool serve = memory->resolved->kind == ASSAY_WORK_SERVE;
        assay_json_string(&json, "kind", kind[memory->resolved->kind]);
        write_model(&json, memory);
        if (serve) {
            write_engine(&json, &memory->resolved->serving[0]);
        } else {
            assay_json_sample(&json, &memory->resolved->workload);
        }
        assay_json_begin_array(&json, "candidates");
        for (uint32_t i = 0; i < memory->n_candidate; i++) {
            write_candidate(&json, &memory->candidate[i], serve);
        }
        assay_json_end(&json);
        write_notes(&json, "assumptions", memory->resolved, ASSAY_NOTE_ASSUMPTION);
        write_notes(&json, "warnings", memory->resolved, ASSAY_NOTE_WARNING);
    }
    assay_json_end(&json);
}
