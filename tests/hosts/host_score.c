/**
 * Scores the doctor against the hosts of this folder: usage: host_score DIR. Each DIR/NAME holds
 * capture/ (what somebody sent) and verdict.json (what must be found, what must not). Real and
 * constructed ones are counted apart. Fails below the recall that is asked for, on any finding that
 * must not be, and on anything above info on a healthy host.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/doctor.h"
#include "assay/node.h"
#include "assay/text.h"

#define RECALL_MIN 0.95
#define HOSTS_MAX 1024

typedef struct {
    uint32_t hosts, expected, found, right_severity, forbidden, healthy, alarms, extra;
} tally_t;

static bool is_text(const assay_node_t *node, const char *text) {
    return node && node->kind == ASSAY_NODE_SCALAR && strcmp(node->text, text) == 0;
}

static const char *text_of(const assay_node_t *mapping, const char *key) {
    const assay_node_t *node = assay_node_find(mapping, key);
    return node && node->kind == ASSAY_NODE_SCALAR ? node->text : "";
}

static bool names_device(const assay_doctor_finding_t *finding, const char *device) {
    for (uint32_t i = 0; i < finding->n_device; i++) {
        if (strcmp(finding->device[i], device) == 0) {
            return true;
        }
    }
    return *device == '\0';
}

/* 2: found with that severity, 1: found with another, 0: not found. */
static int find(const assay_diagnosis_t *diagnosis, const char *check, const char *severity,
                const char *device) {
    int best = 0;
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        if (finding->status == ASSAY_CHECK_BAD && strcmp(finding->check->id, check) == 0 &&
            names_device(finding, device)) {
            const bool same =
                strcmp(assay_severity_name((assay_severity_t)finding->severity), severity) == 0;
            best = same ? 2 : best > 1 ? best : 1;
        }
    }
    return best;
}

static void score(const char *name, const assay_node_t *verdict, const assay_diagnosis_t *diagnosis,
                  tally_t *tally) {
    const assay_node_t *expected = assay_node_find(verdict, "expected_findings"),
                       *forbidden = assay_node_find(verdict, "must_not_report");
    tally->hosts++;
    for (const assay_node_t *node = expected ? expected->child : NULL; node; node = node->next) {
        const char *check = text_of(node, "check"), *severity = text_of(node, "severity"),
                   *device = text_of(node, "device");
        const int found = find(diagnosis, check, severity, device);
        tally->expected++;
        tally->found += found > 0;
        tally->right_severity += found == 2;
        if (found < 2) {
            printf("%s: %s %s%s%s: %s\n", name, check, severity, *device ? " of " : "", device,
                   found ? "found with another severity" : "not found");
        }
    }
    for (const assay_node_t *node = forbidden ? forbidden->child : NULL; node; node = node->next) {
        if (find(diagnosis, node->text, "", "") > 0) {
            tally->forbidden++;
            printf("%s: %s must not be reported\n", name, node->text);
        }
    }
    const bool healthy = is_text(assay_node_find(verdict, "severity"), "ok");
    tally->healthy += healthy;
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        bool asked = false;
        for (const assay_node_t *node = expected ? expected->child : NULL; node;
             node = node->next) {
            asked |= is_text(assay_node_find(node, "check"), finding->check->id);
        }
        if (finding->status != ASSAY_CHECK_BAD || asked) {
            continue;
        }
        tally->extra++;
        tally->alarms += healthy && finding->severity < ASSAY_SEVERITY_INFO;
        printf("%s: %s %s besides: %s\n", name, finding->check->id,
               assay_severity_name((assay_severity_t)finding->severity), finding->evidence);
    }
}

static assay_status_t run(const assay_host_rules_t *rules, const char *dir, const char *name,
                          tally_t tally[2], assay_error_t *err) {
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    if (!arena) {
        return ASSAY_MEMORY;
    }
    const char *capture = assay_arena_printf(arena, "%s/%s/capture", dir, name);
    const char *path = assay_arena_printf(arena, "%s/%s/verdict.json", dir, name);
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    char *text;
    size_t n;
    assay_node_t *verdict;
    assay_host_t *host;
    assay_diagnosis_t *diagnosis;
    assay_status_t status = assay_file_read(arena, path, 1u << 20, &text, &n, err);
    if (status == ASSAY_OK) {
        status = assay_node_parse(arena, path, text, n, &verdict, err);
    }
    if (status == ASSAY_OK) {
        status = assay_host_read_capture(arena, rules, &capture, 1, &host, err);
    }
    if (status == ASSAY_OK) {
        status = assay_doctor(arena, rules, host, &options, &diagnosis, err);
    }
    if (status == ASSAY_OK) {
        score(name, verdict, diagnosis, &tally[is_text(assay_node_find(verdict, "kind"), "real")]);
    }
    assay_arena_destroy(arena);
    return status;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the hosts in the folder, in byte order. */
static uint32_t list(const char *path, char **name) {
    uint32_t n = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && n < HOSTS_MAX && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.' && !strchr(entry->d_name, '.')) {
            name[n] = strdup(entry->d_name);
            n += name[n] != NULL;
        }
    }
    if (dir) {
        closedir(dir);
    }
    qsort(name, n, sizeof *name, compare);
    return n;
}

static bool report(const char *kind, const tally_t *tally) {
    const double recall = tally->expected ? (double)tally->found / tally->expected : 1.0;
    const double severity = tally->expected ? (double)tally->right_severity / tally->expected : 1.0;
    printf("%s: %u hosts, %u findings expected, recall %.1f %%, with the right severity %.1f %%; "
           "%u forbidden, %u besides; %u healthy with %u alarms\n",
           kind, tally->hosts, tally->expected, 100 * recall, 100 * severity, tally->forbidden,
           tally->extra, tally->healthy, tally->alarms);
    return severity >= RECALL_MIN && tally->forbidden == 0 && tally->alarms == 0;
}

int main(int argc, char **argv) {
    static char *name[HOSTS_MAX];
    tally_t tally[2] = {{0}};
    assay_error_t err = {0};
    char line[1024];
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    const assay_host_rules_t *rules;
    if (argc != 2 || !arena) {
        fputs("usage: host_score DIR\n", stderr);
        return 2;
    }
    assay_status_t status = assay_host_rules_load(arena, NULL, 0, ASSAY_LANG_EN, &rules, &err);
    const uint32_t n = status == ASSAY_OK ? list(argv[1], name) : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (status == ASSAY_OK) {
            status = run(rules, argv[1], name[i], tally, &err);
        }
        free(name[i]);
    }
    assay_arena_destroy(arena);
    if (status != ASSAY_OK || n == 0) {
        fprintf(stderr, "%s\n", n ? assay_error_line(&err, line, sizeof line) : "no hosts");
        return 2;
    }
    const bool constructed = report("constructed", &tally[0]), real = report("real", &tally[1]);
    return constructed && real ? 0 : 1;
}
