/* Keys of making images. */
#include "job/job_schema.h"

static assay_status_t check_image(const void *value, const assay_node_t *node, assay_error_t *err) {
    (void)node;
    const assay_job_image_t *image = value;
    return assay_job_refuse_both("rate", &image->rate_per_s, "concurrency", &image->concurrency,
                                 err);
}

static const char *const guidance_names[] = {"none", "cfg", NULL};

static const assay_field_t slo_field[] = {
    {NUMBER("latency_p99", assay_job_image_slo_t, latency_p99_s, TIME, 0, 1e-6, 1e6),
     .flag = "latency-p99", .help = "time of a whole request, of 99 in 100"},
};
static const assay_schema_t slo_schema =
    SCHEMA("slo", assay_job_image_slo_t, slo_field, offsetof(assay_job_image_slo_t, present), NULL);

static const assay_field_t image_field[] = {
    {STRING("model", assay_job_image_t, model), .required = true,
     .help = "pipeline (sdxl, sd-1.5, flux.1-dev) or one network (resnet-50, vit-b-16)"},
    {COUNT("width", assay_job_image_t, width, 1, 65536), .flag = "width",
     .help = "pixels; an encoder of text: tokens; without it what the model was made for"},
    {COUNT("height", assay_job_image_t, height, 1, 65536), .flag = "height", .help = "pixels"},
    {COUNT("steps", assay_job_image_t, steps, 1, 10000), .flag = "steps",
     .help = "denoising steps of an image; without it as the reference program does"},
    {CHOICE("guidance", assay_job_image_t, guidance, guidance_names), .flag = "guidance",
     .help = "cfg: each step looks with and without the text"},
    {COUNT("images", assay_job_image_t, images, 1, 4096), .default_text = "1", .flag = "images",
     .help = "images of one request, worked on together"},
    {NUMBER("rate", assay_job_image_t, rate_per_s, NUMBER, 1, 1e-6, 1e9),
     .help = "requests a second"},
    {COUNT("concurrency", assay_job_image_t, concurrency, 1, 1e7),
     .help = "requests at the same time; not together with rate"},
    {STRUCT("slo", assay_job_image_t, slo, slo_schema), .help = "what users may have to wait"},
    {STRING("precision", assay_job_image_t, precision), .default_text = "fp16",
     .help = "number format of the denoiser's matrix products: fp16, bf16, fp8, int8, fp32"},
    {STRING("engine", assay_job_image_t, engine),
     .help = "what runs it (image_engines.csv): tensorrt-10.2, shark, diffusers-2.1"},
};
const assay_schema_t assay_job_image_schema = SCHEMA(
    "image", assay_job_image_t, image_field, offsetof(assay_job_image_t, present), check_image);
