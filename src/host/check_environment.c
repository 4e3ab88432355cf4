/* Environment variables: those that data/envvars.csv speaks against, and masks of devices. */
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

/* A variable that says no: as if it were not set. */
static bool is_off(const host_variable_t *variable, const char *value) {
    static const char *const off[] = {"", "0", "false", "off", "no", "none"};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        if (assay_text_equal_fold(value, off[i])) {
            return true;
        }
    }
    return strcmp(value, variable->initial) == 0;
}

/* What a name that does not exist was meant to be: the real one that its row names, else the
   nearest. */
static const char *meant(const assay_host_rules_t *rules, const host_variable_t *variable) {
    static const char real[] = "the real name is ";
    const char *told = strstr(variable->meaning, real);
    if (told) {
        return told + sizeof real - 1;
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
        if (!variable || (exists && is_off(variable, setting->value))) {
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

/* --- masks ----------------------------------------------------------------------------------- */

#define DEVICES_MAX 1024

/* Chooses of n devices by a list of numbers; an entry that is no number of them ends it. GPU-uuid
   entries count as one each: which one cannot be told. */
static uint32_t choose(const char *list, uint32_t n) {
    bool taken[DEVICES_MAX] = {false};
    uint32_t count = 0;
    while (*list && count < n) {
        char *end;
        list += strspn(list, " ");
        if (strncmp(list, "GPU-", 4) == 0) {
            count++;
        } else {
            const unsigned long index = strtoul(list, &end, 10);
            if (end == list || *list == '-' || index >= n || taken[index]) {
                break;
            }
            taken[index] = true;
            count++;
        }
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return count;
}

static uint32_t entries(const char *list) {
    uint32_t n = *list ? 1 : 0;
    for (; *list; list++) {
        n += *list == ',';
    }
    return n;
}

/* Larger than every number of the list: what a machine must have for the list to mean something. */
static uint32_t enough_for(const char *list) {
    uint32_t most = entries(list);
    while (*list) {
        char *end;
        const unsigned long index = strtoul(list, &end, 10);
        if (end != list && index < DEVICES_MAX && index + 1 > most) {
            most = (uint32_t)index + 1;
        }
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return most;
}

int host_visible_devices(const char *rocr, const char *hip, const char *cuda, uint32_t n) {
    const char *second = hip ? hip : cuda;
    if (!rocr && !second) {
        return n > 0 ? (int)n : -1;
    }
    uint32_t devices = n > 0 ? n : enough_for(rocr ? rocr : second);
    devices = devices < DEVICES_MAX ? devices : DEVICES_MAX;
    devices = rocr ? choose(rocr, devices) : devices;
    return (int)(second ? choose(second, devices) : devices);
}

/* 2.46.0 is at least 2.45. */
static bool at_least(const char *version, unsigned long major, unsigned long minor) {
    char *end;
    const unsigned long first = strtoul(version, &end, 10);
    const unsigned long second = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return first > major || (first == major && second >= minor);
}

/* Ray takes HIP_VISIBLE_DEVICES alone since 2.45. */
static bool ray_refuses(host_check_t *check, const assay_host_setting_t *rocr) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_package; i++) {
        const assay_host_setting_t *package = &host->package[i];
        if (strcmp(package->name, "ray") == 0 && at_least(package->value, 2, 45)) {
            host_check_fill(check, "keep", "HIP_VISIBLE_DEVICES");
            host_check_bad(check, &rocr->at, NULL,
                           "ROCR_VISIBLE_DEVICES=%s is set, and Ray %s refuses to start with it",
                           rocr->value, package->value);
            return true;
        }
    }
    return false;
}

static const assay_host_setting_t *setting_of(const assay_host_t *host, const char *name) {
    for (uint32_t i = 0; i < host->n_env; i++) {
        if (strcmp(host->env[i].name, name) == 0) {
            return &host->env[i];
        }
    }
    return NULL;
}

static void masks(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *rocr = setting_of(host, "ROCR_VISIBLE_DEVICES"),
                               *hip = setting_of(host, "HIP_VISIBLE_DEVICES"),
                               *cuda = setting_of(host, "CUDA_VISIBLE_DEVICES");
    const assay_host_setting_t *second = hip ? hip : cuda;
    if (!host->env_seen || (rocr && ray_refuses(check, rocr))) {
        return;
    }
    if (!rocr && !second) {
        host_check_good(check, NULL, "no mask is set");
        return;
    }
    const int seen = host_visible_devices(rocr ? rocr->value : NULL, hip ? hip->value : NULL,
                                          cuda ? cuda->value : NULL, host->n_gpu);
    const assay_host_setting_t *shown = rocr ? rocr : second;
    if (rocr && second && seen < (int)entries(second->value)) {
        host_check_fill(check, "keep", "%s", second->name);
        host_check_bad(check, &shown->at, NULL,
                       "ROCR_VISIBLE_DEVICES=%s leaves %u and numbers them from 0; of these %s=%s "
                       "chooses %d",
                       rocr->value, entries(rocr->value), second->name, second->value, seen);
    } else if (hip && cuda && strcmp(hip->value, cuda->value) != 0) {
        host_check_bad(check, &hip->at, NULL,
                       "HIP_VISIBLE_DEVICES=%s and CUDA_VISIBLE_DEVICES=%s; "
                       "HIP programs take the first, others may take the second",
                       hip->value, cuda->value);
    } else {
        host_check_good(check, &shown->at, "a HIP process sees %d device%s", seen,
                        seen == 1 ? "" : "s");
    }
}

/* --- single settings ------------------------------------------------------------------------- */

static void many_queues(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *setting = setting_of(host, "GPU_MAX_HW_QUEUES");
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
    const assay_host_setting_t *setting = setting_of(host, "NCCL_MIN_NCHANNELS");
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
}

static const host_check_row_t row[] = {
    {"ENV-001", NULL, variables},
    {"ENV-002", NULL, variables},
    {"ENV-003", NULL, masks},
    {"ENV-004", NULL, variables},
    {"ENV-005", NULL, variables},
    {"ENV-006", NULL, variables},
    {"ENV-008", &host_if_amd, many_queues},
    {"ENV-009", &host_if_amd, channels_on_gfx950},
};
const host_check_group_t host_checks_environment = {row, sizeof row / sizeof row[0]};
