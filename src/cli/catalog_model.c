/* What a model's file holds: parameters and bytes by part, what a token costs, what was assumed. */
#include "cli/catalog_model.h"

#include <stdio.h>
#include <string.h>

#include "assay/units.h"

#include "base/banned.h"

#define CONTEXT 4096 /* tokens of context of the second figure, and of what a sequence keeps */
#define KV_BYTES 2   /* 16-bit keys and values */

static const char *const kind_keys[ASSAY_IMAGE_KIND_N] = {
    [ASSAY_IMAGE_CONV] = "convolution_flops",
    [ASSAY_IMAGE_GEMM] = "linear_flops",
    [ASSAY_IMAGE_SELF] = "self_attention_flops",
    [ASSAY_IMAGE_CROSS] = "cross_attention_flops",
};

typedef struct {
    const char *name, *key; /* for people, in JSON */
    assay_dim_t dim;
    double v;
} figure_t;

/* What follows from the shape of a decoder. Returns how many. */
static uint32_t decoder_figures(const assay_model_t *model, figure_t out[24]) {
    assay_model_count_t count;
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    uint32_t n = 0, windowed = 0, linear = 0;
    assay_model_count(model, &count);
    const uint32_t n_kind = assay_model_layer_kinds(model, kind);
    for (uint32_t i = 0; i < n_kind; i++) {
        windowed += kind[i].window > 0 ? kind[i].layers : 0;
        linear += kind[i].linear ? kind[i].layers : 0;
    }
    const struct {
        bool shown;
        figure_t figure;
    } all[] = {
        {true, {"parameters", "params", ASSAY_DIM_COUNT, count.total}},
        {true, {"active for one token", "params_active", ASSAY_DIM_COUNT, count.active}},
        {true, {"layers", "layers", ASSAY_DIM_NUMBER, model->layers}},
        {count.moe_layers > 0,
         {"layers with experts", "moe_layers", ASSAY_DIM_NUMBER, count.moe_layers}},
        {model->experts > 0, {"experts", "experts", ASSAY_DIM_NUMBER, model->experts}},
        {model->experts > 0, {"experts of one token", "top_k", ASSAY_DIM_NUMBER, model->top_k}},
        {windowed > 0, {"layers with a window", "window_layers", ASSAY_DIM_NUMBER, windowed}},
        {windowed > 0, {"window", "sliding_window", ASSAY_DIM_NUMBER, model->sliding_window}},
        {linear > 0, {"layers of linear attention", "linear_layers", ASSAY_DIM_NUMBER, linear}},
        {true, {"width", "hidden", ASSAY_DIM_NUMBER, model->hidden}},
        {true, {"heads", "heads", ASSAY_DIM_NUMBER, model->heads}},
        {model->kv_lora == 0,
         {"key and value heads", "kv_heads", ASSAY_DIM_NUMBER, model->kv_heads}},
        {model->kv_lora > 0,
         {"latent of keys and values", "kv_lora", ASSAY_DIM_NUMBER, model->kv_lora}},
        {true, {"vocabulary", "vocab", ASSAY_DIM_NUMBER, model->vocab}},
        {true,
         {"keys and values of one token", "kv_bytes_per_token", ASSAY_DIM_BYTES,
          assay_model_kv_bytes_per_token(model, KV_BYTES)}},
        {windowed + linear > 0,
         {"of a sequence of 4096", "kv_bytes_of_4096", ASSAY_DIM_BYTES,
          assay_model_kv_bytes(model, CONTEXT, KV_BYTES, 1)}},
        {true,
         {"FLOPs of one token", "forward_flops_per_token", ASSAY_DIM_COUNT,
          assay_model_forward_flops_per_token(model, 0)}},
        {true,
         {"with 4096 before it", "forward_flops_per_token_at_4096", ASSAY_DIM_COUNT,
          assay_model_forward_flops_per_token(model, CONTEXT)}},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].shown) {
            out[n++] = all[i].figure;
        }
    }
    return n;
}

static void notes_json(assay_json_t *json, const assay_model_file_t *file) {
    assay_json_begin_array(json, "assumptions");
    for (uint32_t i = 0; i < file->notes.n; i++) {
        assay_json_string(json, NULL, file->notes.text[i]);
    }
    assay_json_end(json);
}

static void checkpoint_json(assay_json_t *json, const assay_checkpoint_t *checkpoint) {
    assay_json_begin_object(json, "checkpoint");
    assay_json_number(json, "bytes", checkpoint->total_bytes);
    assay_json_string(json, "dtype", checkpoint->dtype);
    assay_json_string(json, "source", checkpoint->source);
    assay_json_bool(json, "measured", checkpoint->measured);
    assay_json_begin_array(json, "parts");
    for (int part = 0; part < ASSAY_PART_N; part++) {
        if (checkpoint->part_params[part] > 0 || checkpoint->part_bytes[part] > 0) {
            assay_json_begin_object(json, NULL);
            assay_json_string(json, "part", assay_part_name((assay_part_t)part));
            assay_json_number(json, "params", checkpoint->part_params[part]);
            assay_json_number(json, "bytes", checkpoint->part_bytes[part]);
            assay_json_end(json);
        }
    }
    assay_json_end(json);
    assay_json_end(json);
}

typedef struct {
    double params, sum, flops[ASSAY_IMAGE_KIND_N];
} forward_t;

static assay_status_t lay_out(cli_t *cli, const assay_component_t *component, forward_t *out) {
    const assay_image_shape_t *image = &component->image;
    assay_image_net_t net;
    const assay_status_t status =
        assay_image_ops(cli->arena, image, image->width, image->height, &net, &cli->err);
    if (status == ASSAY_OK) {
        out->params = assay_image_params(&net);
        out->sum = assay_image_flops(&net, out->flops);
    }
    return status;
}

static assay_status_t component_json(cli_t *cli, assay_json_t *json,
                                     const assay_component_t *component) {
    forward_t forward = {0};
    const assay_status_t status =
        component->laid_out ? lay_out(cli, component, &forward) : ASSAY_OK;
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "name", component->name);
    assay_json_string(json, "kind", component->kind);
    assay_json_number_if(json, "params", component->laid_out || component->bytes > 0,
                         component->laid_out ? forward.params : component->params);
    assay_json_number_if(json, "bytes", component->bytes > 0, component->bytes);
    if (component->laid_out) {
        assay_json_count(json, "width", component->image.width);
        assay_json_count(json, "height", component->image.height);
        assay_json_number(json, "forward_flops", forward.sum);
    }
    for (int i = 0; i < ASSAY_IMAGE_KIND_N; i++) {
        if (component->laid_out && kind_keys[i] && forward.flops[i] > 0) {
            assay_json_number(json, kind_keys[i], forward.flops[i]);
        }
    }
    assay_json_end(json);
    return status;
}

static assay_status_t show_json(cli_t *cli, const assay_model_file_t *file) {
    assay_json_t json;
    assay_status_t status = ASSAY_OK;
    figure_t figure[24];
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "id", file->model.id);
    assay_json_string(&json, "format", file->format);
    assay_json_string(&json, "kind", file->model.kind);
    assay_json_string(&json, "family", file->model.family);
    if (file->decoder) {
        const uint32_t n = decoder_figures(&file->model, figure);
        assay_json_begin_object(&json, "figures");
        for (uint32_t i = 0; i < n; i++) {
            assay_json_number(&json, figure[i].key, figure[i].v);
        }
        assay_json_end(&json);
    }
    if (file->checkpoint.source) {
        checkpoint_json(&json, &file->checkpoint);
    }
    assay_json_begin_array(&json, "components");
    for (uint32_t i = 0; i < file->n_component && !status; i++) {
        status = component_json(cli, &json, &file->component[i]);
    }
    assay_json_end(&json);
    notes_json(&json, file);
    assay_json_end(&json);
    return status;
}

static const char *people(const figure_t *figure, char text[48]) {
    if (figure->dim == ASSAY_DIM_NUMBER) {
        snprintf(text, 48, "%.0f", figure->v);
        return text;
    }
    return assay_units_format(figure->v, figure->dim, text);
}

static void show_figures(cli_t *cli, const assay_model_t *model, assay_table_format_t format) {
    figure_t figure[24];
    char text[48];
    const uint32_t n = decoder_figures(model, figure);
    assay_table_t *table = assay_table_create(cli->arena, 2);
    assay_table_column(table, 0, "figure", "", false);
    assay_table_column(table, 1, "value", "", true);
    for (uint32_t i = 0; i < n; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, figure[i].name);
        assay_table_cell(table, 1, people(&figure[i], text));
    }
    assay_table_print(table, format, 100, &cli->out);
}

static void show_parts(cli_t *cli, const assay_checkpoint_t *checkpoint,
                       assay_table_format_t format) {
    char text[48];
    double params = 0;
    assay_table_t *table = assay_table_create(cli->arena, 4);
    assay_table_column(table, 0, "part", "", false);
    assay_table_column(table, 1, "parameters", "", true);
    assay_table_column(table, 2, "bytes", "", true);
    assay_table_column(table, 3, "bits a parameter", "", true);
    for (int part = 0; part <= ASSAY_PART_N; part++) {
        const bool all = part == ASSAY_PART_N;
        const double n = all ? params : checkpoint->part_params[part];
        const double bytes = all ? checkpoint->total_bytes : checkpoint->part_bytes[part];
        if (n <= 0 && bytes <= 0) {
            continue;
        }
        params += all ? 0 : n;
        assay_table_row(table);
        assay_table_cell(table, 0, all ? "all" : assay_part_name((assay_part_t)part));
        assay_table_cell(table, 1, assay_units_format(n, ASSAY_DIM_COUNT, text));
        assay_table_cell(table, 2, assay_units_format(bytes, ASSAY_DIM_BYTES, text));
        if (n > 0) {
            assay_table_cellf(table, 3, "%.2f", 8 * bytes / n);
        }
    }
    assay_table_print(table, format, 100, &cli->out);
}

static assay_status_t show_components(cli_t *cli, const assay_model_file_t *file,
                                      assay_table_format_t format) {
    static const char *const title[] = {"component", "kind",  "parameters",
                                        "bytes",     "image", "FLOPs"};
    char text[48];
    assay_table_t *table = assay_table_create(cli->arena, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assay_table_column(table, i, title[i], "", i > 1);
    }
    for (uint32_t i = 0; i < file->n_component; i++) {
        const assay_component_t *component = &file->component[i];
        forward_t forward = {.params = component->params};
        const assay_status_t status =
            component->laid_out ? lay_out(cli, component, &forward) : ASSAY_OK;
        if (status != ASSAY_OK) {
            return status;
        }
        assay_table_row(table);
        assay_table_cell(table, 0, component->name);
        assay_table_cell(table, 1, component->kind);
        if (forward.params > 0) {
            assay_table_cell(table, 2, assay_units_format(forward.params, ASSAY_DIM_COUNT, text));
        }
        if (component->bytes > 0) {
            assay_table_cell(table, 3, assay_units_format(component->bytes, ASSAY_DIM_BYTES, text));
        }
        if (component->laid_out) {
            assay_table_cellf(table, 4, "%u x %u", component->image.width, component->image.height);
            assay_table_cell(table, 5, assay_units_format(forward.sum, ASSAY_DIM_COUNT, text));
        }
    }
    assay_table_print(table, format, 100, &cli->out);
    return ASSAY_OK;
}

static assay_status_t show_text(cli_t *cli, const assay_model_file_t *file,
                                assay_report_format_t format) {
    const bool text = format == ASSAY_REPORT_TEXT;
    const assay_table_format_t table = cli_table_format(format);
    if (text) {
        assay_buf_printf(&cli->out, "%s: %s, %s\n\n", file->model.id, file->format,
                         file->decoder ? file->model.family : file->model.kind);
    }
    if (file->decoder) {
        show_figures(cli, &file->model, table);
    }
    if (file->checkpoint.source) {
        assay_buf_puts(&cli->out, file->decoder ? "\n" : "");
        show_parts(cli, &file->checkpoint, table);
        if (text) {
            assay_buf_printf(&cli->out, "\nbytes: %s, most in %s\n", file->checkpoint.source,
                             file->checkpoint.dtype);
        }
    }
    const assay_status_t status =
        file->n_component > 0 ? show_components(cli, file, table) : ASSAY_OK;
    for (uint32_t i = 0; text && i < file->notes.n; i++) {
        assay_buf_printf(&cli->out, "assumed: %s\n", file->notes.text[i]);
    }
    return status;
}

assay_status_t cli_show_model_file(cli_t *cli, const char *path, assay_report_format_t format) {
    assay_model_file_t *file = assay_arena_alloc(cli->arena, sizeof *file);
    if (!file) {
        return assay_error_memory(&cli->err, NULL);
    }
    const assay_status_t status = assay_model_file_read(cli->arena, path, file, &cli->err);
    if (status != ASSAY_OK) {
        return status;
    }
    return format == ASSAY_REPORT_JSON ? show_json(cli, file) : show_text(cli, file, format);
}
