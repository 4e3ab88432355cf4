/**
 * Uncertain inputs of the money: what is drawn, one uniform number each and sample, and which of
 * them move together.
 */
#ifndef ASSAY_MONEY_DRAW_H
#define ASSAY_MONEY_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/dist.h"
#include "assay/money_option.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Code, name in a job's correlations, what it is, common: drawn once for all candidates; the others
   are written name:CANDIDATE. Up to RESIDUAL they are factors around 1, then values; those from
   NETWORK_SHARE on are the options of assay/money_option.h, in its order, by its keys. */
#define ASSAY_DRAW_LIST(X)                                                \
    X(STEP_COMMON, "step_time_shared", "step time, shared physics", true) \
    X(STEP_OWN, "step_time", "step time, this machine", false)            \
    X(PRICE, "price", "purchase or hourly price", false)                  \
    X(POWER, "power", "power", false)                                     \
    X(LABOUR, "labour_usd_per_week", "labour cost", true)                 \
    X(RESIDUAL, "residual", "residual value", true)                       \
    X(ELECTRICITY, "electricity_usd_kwh", "electricity price", true)      \
    X(PUE, "pue", "PUE", true)                                            \
    X(OPERATIONS, "ops_usd_per_year", "staff and upkeep", true)           \
    X(LEVEL_1, "level1", "migration level 1", true)                       \
    X(LEVEL_2, "level2", "migration level 2", true)                       \
    X(LEVEL_3, "level3", "migration level 3", true)                       \
    X(RETROFIT, "retrofit_usd_per_rack", "retrofit", false)               \
    X(CONTINGENCY, "contingency", "contingency", true)
typedef enum {
#define ASSAY_DRAW_ENUM(code, name, what, common) ASSAY_DRAW_##code,
    ASSAY_DRAW_LIST(ASSAY_DRAW_ENUM)
#undef ASSAY_DRAW_ENUM
        ASSAY_DRAW_OPTION, /* the first of the options: ASSAY_DRAW_OPTION + assay_option_t */
    ASSAY_DRAW_N = ASSAY_DRAW_OPTION + ASSAY_OPTION_N
} assay_draw_t;
#define ASSAY_DRAW_OF(option) (ASSAY_DRAW_OPTION + ASSAY_OPTION_##option)

/** One input, of one candidate unless all share it. */
typedef struct {
    uint8_t draw;      /* assay_draw_t */
    int32_t candidate; /* -1: all share it */
} assay_draw_member_t;

#define ASSAY_CORRELATION_GROUPS 4u
/** Groups of inputs that move together by a Gaussian copula; no input is in two of them. */
typedef struct {
    uint32_t n;
    struct {
        assay_copula_t copula;
        assay_draw_member_t member[ASSAY_COPULA_MAX]; /* (copula.n) */
    } group[ASSAY_CORRELATION_GROUPS];
} assay_correlations_t;

#ifdef __cplusplus
}
#endif
#endif
