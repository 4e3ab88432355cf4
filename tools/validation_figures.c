/*
 * What docs/validation.md shows beside its tables of errors.
 * usage: validation_figures MEASURED.csv FOLDER
 *
 * Writes FOLDER/training-scatter.svg (predicted against measured tokens/s and device, by
 * accelerator) and FOLDER/training-errors.svg (errors of each source as a strip), and prints, as
 * Markdown, the predicted ratio of an all-reduce on eight MI250X dies to one on eight A100 over the
 * size of the message. Exit: 0 done, 2 input.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/physics.h"
#include "assay/resolve.h"
#include "assay/score.h"

#define TABLE_BYTES ((size_t)64 << 20)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- pictures ---- */

#define SIDE 560.0
#define EDGE 70.0
#define LEAST 10.0 /* tokens/s and device, both axes; decades */
#define MOST 1e6
#define ROW_PX 22.0

static const struct {
    const char *id, *name, *colour;
} part[] = {
    {"nvidia-a100-sxm4-80g", "A100", "#0072b2"},
    {"nvidia-h100-sxm5-80g", "H100", "#d55e00"},
    {"nvidia-b200-sxm-180g", "B200", "#cc79a7"},
    {"nvidia-gb200-nvl72-186g", "GB200", "#009e73"},
    {"nvidia-gb300-nvl72-279g", "GB300", "#56b4e9"},
    {"amd-mi250x-128g", "MI250X", "#000000"},
    {"amd-mi350x-288g", "MI350X", "#e69f00"},
};

static const char *colour_of(const char *id) {
    for (size_t i = 0; i < COUNT(part); i++) {
        if (strcmp(part[i].id, id) == 0) {
            return part[i].colour;
        }
    }
    return "#888888";
}

static double place(double value) {
    return SIDE * log(value / LEAST) / log(MOST / LEAST);
}

static void begin(FILE *out, double width, double height, const char *title) {
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>%s</title>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, title);
}

static void scatter(FILE *out, const assay_score_t *score) {
    const double bottom = EDGE / 2 + SIDE;
    begin(out, SIDE + 2 * EDGE, SIDE + 1.5 * EDGE, "Training: predicted against measured");
    for (double at = LEAST; at <= MOST * 1.01; at *= 10) {
        const double x = EDGE + place(at), y = bottom - place(at);
        fprintf(out,
                "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1f\" stroke=\"#ddd\"/>\n"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                x, EDGE / 2, bottom, EDGE, y, EDGE + SIDE, x, bottom + 18, at, EDGE - 6, y + 4, at);
    }
    /* what is within a quarter of the measurement */
    static const double factor[] = {1, 1.25, 0.8};
    for (size_t i = 0; i < COUNT(factor); i++) {
        const double low = LEAST * fmax(1, 1 / factor[i]), high = MOST / fmax(1, factor[i]);
        fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#555\"%s/>\n", EDGE + place(low),
                bottom - place(low * factor[i]), EDGE + place(high),
                bottom - place(high * factor[i]), i ? " stroke-dasharray=\"4 4\"" : "");
    }
    for (uint32_t i = 0; i < score->n_item; i++) {
        const assay_score_item_t *item = &score->item[i];
        if (!item->skipped) {
            fprintf(out,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\".6\"/>\n",
                    EDGE + place(item->tokens_per_s_per_device),
                    bottom - place(item->predicted_tokens_per_s_per_device),
                    colour_of(item->group_accelerator));
        }
    }
    for (size_t i = 0; i < COUNT(part); i++) {
        const double y = EDGE / 2 + 16 + 18.0 * (double)i;
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>"
                "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                EDGE + 16, y, part[i].colour, EDGE + 28, y + 4, part[i].name);
    }
    fprintf(
        out,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">measured, tokens/s and device</text>"
        "\n<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">predicted"
        "</text>\n</svg>\n",
        EDGE + SIDE / 2, bottom + 38, EDGE / 2 + SIDE / 2);
}

/* One line a source: ln of predicted over measured from -0.5 to 0.5. */
static void strips(FILE *out, const assay_score_t *score) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < score->n_group; i++) {
        n += strcmp(score->group[i].by, "source") == 0;
    }
    begin(out, SIDE + 2 * EDGE, n * ROW_PX + EDGE, "Training: errors by source");
    double y = ROW_PX;
    for (int percent = -40; percent <= 40; percent += 20) {
        const double x = EDGE + SIDE * (0.5 + log1p(percent / 100.0));
        fprintf(out,
                "<path d=\"M%.1f 0V%.1f\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"middle\">%+d %%</text>\n",
                x, n * ROW_PX + 10, percent ? "#ddd" : "#555", x, n * ROW_PX + 28, percent);
    }
    for (uint32_t i = 0; i < score->n_group; i++) {
        const assay_score_group_t *group = &score->group[i];
        if (strcmp(group->by, "source") != 0) {
            continue;
        }
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", EDGE - 8, y + 4,
                group->key);
        for (uint32_t k = 0; k < score->n_item; k++) {
            const assay_score_item_t *item = &score->item[k];
            if (item->skipped || strcmp(item->source, group->key) != 0) {
                continue;
            }
            const double ln =
                log(item->predicted_tokens_per_s_per_device / item->tokens_per_s_per_device);
            fprintf(
                out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\".5\"/>\n",
                EDGE + SIDE * fmin(1, fmax(0, 0.5 + ln)), y, colour_of(item->group_accelerator));
        }
        y += ROW_PX;
    }
    fputs("</svg>\n", out);
}

/* ---- all-reduce on eight devices ---- */

/* Sigma of ln(measured/predicted) of an all-reduce inside a node: what the fits of
   data/measured/collectives.csv leave; and for messages that nobody measured on MI250X what is left
   where a part is left out of the fit (its 90th percentile over 1.64). */
#define SPREAD 0.15
#define SPREAD_TRANSFERRED 0.28
#define MEASURED_BYTES 6e7

static assay_status_t all_reduce(const assay_catalog_t *catalog,
                                 const assay_calibration_t *calibration, assay_error_t *err) {
    static const char *const id[] = {"amd-mi250x-128g", "nvidia-a100-sxm4-80g"};
    assay_machine_t machine[2];
    for (int i = 0; i < 2; i++) {
        const assay_accelerator_t *accelerator;
        assay_status_t status = assay_catalog_accelerator(catalog, id[i], NULL, &accelerator, err);
        if (!status) {
            status = assay_resolve_machine(NULL, catalog, calibration, accelerator, NULL, NULL, 0,
                                           0, 8, ASSAY_DT_BF16, &machine[i], err);
        }
        if (status) {
            return status;
        }
    }
    printf(
        "| message | 8 dies of MI250X | 8 A100 | bus bandwidth, MI250X over A100 (80 %%) | of the "
        "links' peak, MI250X | A100 | efficiency, MI250X over A100 |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n");
    const double peak[2] = {machine[0].links.cut_bytes_per_s[8][1],
                            machine[1].links.device_bytes_per_s};
    for (double bytes = 65536; bytes <= 1.1e9; bytes *= 4) {
        double bus[2];
        for (int i = 0; i < 2; i++) {
            bus[i] =
                assay_collective_bus_bytes_per_s(&machine[i], ASSAY_COLL_ALL_REDUCE, bytes, 8, 1);
        }
        const double open = bytes < MEASURED_BYTES ? SPREAD_TRANSFERRED : SPREAD;
        const double ratio = bus[0] / bus[1], reach = exp(1.2816 * hypot(open, SPREAD));
        printf("| %.4g MiB | %.3g GB/s | %.3g GB/s | %.2f (%.2f to %.2f) | %.0f %% | %.0f %% | "
               "%.2f |\n",
               bytes / 1048576, bus[0] / 1e9, bus[1] / 1e9, ratio, ratio / reach, ratio * reach,
               100 * bus[0] / peak[0], 100 * bus[1] / peak[1],
               bus[0] / peak[0] / (bus[1] / peak[1]));
    }
    return ASSAY_OK;
}

static assay_status_t draw(const char *folder, const char *name,
                           void (*picture)(FILE *out, const assay_score_t *score),
                           const assay_score_t *score, assay_error_t *err) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out) {
        return assay_error_set(err, ASSAY_IO, NULL, "cannot write %s", path);
    }
    picture(out, score);
    return fclose(out) ? assay_error_set(err, ASSAY_IO, NULL, "cannot write %s", path) : ASSAY_OK;
}

int main(int argc, char **argv) {
    assay_arena_t *arena = assay_arena_create((size_t)1 << 30);
    assay_error_t err = {0};
    assay_catalog_t *catalog = NULL;
    assay_calibration_t *calibration = NULL;
    assay_score_t *score = NULL;
    assay_csv_t table;
    char *data;
    size_t size;
    if (argc != 3 || !arena) {
        fputs("usage: validation_figures MEASURED.csv FOLDER\n", stderr);
        return 2;
    }
    assay_status_t status = assay_file_read(arena, argv[1], TABLE_BYTES, &data, &size, &err);
    status = status ? status : assay_csv_parse(arena, argv[1], data, size, &table, &err);
    status = status ? status : assay_catalog_load(arena, NULL, 0, &catalog, &err);
    status = status ? status : assay_calibration_load(arena, NULL, 0, &calibration, &err);
    status = status ? status : assay_score(arena, catalog, calibration, &table, NULL, &score, &err);
    status = status ? status : draw(argv[2], "training-scatter.svg", scatter, score, &err);
    status = status ? status : draw(argv[2], "training-errors.svg", strips, score, &err);
    status = status ? status : all_reduce(catalog, calibration, &err);
    if (status) {
        char line[1200];
        fprintf(stderr, "validation_figures: %s\n", assay_error_line(&err, line, sizeof line));
    }
    assay_arena_destroy(arena);
    return status ? assay_status_exit_code(status) : 0;
}
