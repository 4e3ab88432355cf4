/** Resolved work: what one step computes and how much of it there is. Const after resolve. */
#ifndef ASSAY_WORKLOAD_H
#define ASSAY_WORKLOAD_H

#include "assay/catalog.h"
#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    assay_model_t model;
    assay_model_count_t count;
    uint32_t sequence;      /* tokens */
    uint32_t global_batch;  /* sequences a step */
    assay_dtype_t dtype;    /* of the GEMMs */
    bool unfused_attention; /* scores go through memory: software without a fused kernel */
    double tokens;          /* dataset tokens x epochs; 0 = one step is asked */
    double tokens_per_epoch, epochs;
    double deadline_s;             /* 0 = none */
    double model_flops_per_token;  /* PaLM convention, full attention */
    double causal_flops_per_token; /* causal attention; MFU uses it */
} assay_workload_t;

#ifdef __cplusplus
}
#endif
#endif
