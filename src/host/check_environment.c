/* Environment variables: those that data/envvars.csv speaks against. */
#include <string.h>

#include "assay/text.h"
#include "host/env_tables.h"
#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

/* What a name that does not exist was meant to be: the real one that its row names, else the
   nearest. */
static const char *meant(const assay_host_rules_t *rules, const host_variable_t *variable) {
    if (*variable->instead) {
        return variable->instead;
    }
    const char *best = NULL;
    uint32_t least = 4; /* further away it is another word */
    for (uint32_t i = 0; i < rules->n_variable; i++) {
        const host_variable_t *other = &rules->variable[i];
        const uint32_t distance = strcmp(other->component, "none") == 0
                                      ? least
                                      : assay_text_distance(variable->name, other->name, least);
        if (distance < least) {
            least = distance;
            best = other->name;
        }
    }
    return best;
}

/* The first entry of a name that speaks for this check. */
static const host_variable_t *spoken_against(const assay_host_rules_t *rules, const char *name,
                                             const char *check) {
    const host_variable_t *variable = host_variable_find(rules, name);
    const host_variable_t *end = rules->variable + rules->n_variable;
    for (; variable && variable < end && strcmp(variable->name, name) == 0; variable++) {
        if (strcmp(variable->check, check) == 0) {
            return variable;
        }
    }
    return NULL;
}

/* ENV-001, 002, 004, 005, 006: the table says which variable belongs to which. */
static void variables(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_rules_t *rules = host_check_rules(check);
    bool any = false;
    for (uint32_t i = 0; i < host->n_env; i++) {
        const assay_host_setting_t *setting = &host->env[i];
        const host_variable_t *variable =
            spoken_against(rules, setting->name, host_check_id(check));
        const bool exists = variable && strcmp(variable->component, "none") != 0;
        if (!variable || (exists && env_value_is_quiet(variable, setting->value))) {
            continue;
        }
        const char *real = exists ? NULL : meant(rules, variable);
        any = true;
        host_check_fill(check, "name", "%s", setting->name);
        host_check_bad_as(check, (assay_severity_t)variable->severity, &setting->at, NULL,
                          "%s=%s: %s%s%s%s%s", setting->name, setting->value, variable->meaning,
                          *variable->effect ? " (" : "", variable->effect,
                          *variable->effect ? ")" : "",
                          real ? host_check_printf(check, "; perhaps %s was meant", real) : "");
    }
    if (!any && host->env_seen) {
        host_check_good(check, NULL, "no such variable is set");
    }
}

/* --- single settings ------------------------------------------------------------------------- */

static void many_queues(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *setting = host_setting(host, "GPU_MAX_HW_QUEUES");
    double value;
    host_span_t rest;
    if (setting && host_number(host_span(setting->value), &value, &rest) &&
        value > host_check_threshold(check, "queues")) {
        host_check_bad(check, &setting->at, NULL, "GPU_MAX_HW_QUEUES=%s", setting->value);
    } else if (host->env_seen) {
        host_check_good(check, NULL, "GPU_MAX_HW_QUEUES is small or not set");
    }
}

static void channels_on_gfx950(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *setting = host_setting(host, "NCCL_MIN_NCHANNELS");
    if (!setting) {
        if (host->env_seen) {
            host_check_good(check, NULL, "NCCL_MIN_NCHANNELS is not set");
        }
        return;
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        if (host->gpu[i].target.s && strcmp(host->gpu[i].target.s, "gfx950") == 0 &&
            strcmp(setting->value, "112") == 0) {
            host_check_bad(check, &setting->at, NULL, "NCCL_MIN_NCHANNELS=112 on gfx950");
            return;
        }
    }
    if (host->n_gpu > 0 && host->gpu[0].target.s) {
        host_check_good(check, &setting->at, "NCCL_MIN_NCHANNELS=%s on %s", setting->value,
                        host->gpu[0].target.s);
    }
}

static const host_check_row_t row[] = {
    {"ENV-001", variables},          {"ENV-002", variables}, {"ENV-004", variables},
    {"ENV-005", variables},          {"ENV-006", variables}, {"ENV-008", many_queues},
    {"ENV-009", channels_on_gfx950},
};
const host_check_group_t host_checks_environment = {row, sizeof row / sizeof row[0]};
