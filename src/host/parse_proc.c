/* Files of /proc and /sys, and lscpu, which prints them: processors, memory, time. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

void host_parse_os_release(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, '=', &key, &value)) {
            continue;
        }
        if (value.n >= 2 && (value.s[0] == '"' || value.s[0] == '\'')) {
            value = (host_span_t){value.s + 1, value.n - 2};
        }
        if (host_is(key, "ID")) {
            host_set_text(parse, &parse->host->os, value);
        } else if (host_is(key, "VERSION_ID")) {
            host_set_text(parse, &parse->host->os_version, value);
        }
    }
}

/* --- memory ---------------------------------------------------------------------------------- */

void host_parse_meminfo(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    const struct {
        const char *name;
        assay_host_number_t *fact;
    } row[] = {{"MemTotal", &host->ram_bytes},           {"MemAvailable", &host->ram_free_bytes},
               {"Unevictable", &host->ram_pinned_bytes}, {"PageTables", &host->page_table_bytes},
               {"HugePages_Total", &host->huge_pages},   {"HugePages_Free", &host->huge_pages_free},
               {"Hugepagesize", &host->huge_page_bytes}};
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, ':', &key, &value)) {
            continue;
        }
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
            if (host_is(key, row[i].name)) {
                host_set_quantity(parse, row[i].fact, value, true);
            }
        }
    }
}

/* "always [madvise] never": the one in brackets is chosen. */
void host_parse_thp(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        (void)host_cut(&rest, "[");
        if (rest.n > 0) {
            host_set_text(parse, &parse->host->thp, host_cut(&rest, "]"));
        }
    }
}

/* --- processors ------------------------------------------------------------------------------ */

/* "cpu user nice system idle iowait irq softirq steal guest ...", in ticks since boot; guest time
   is part of user time. */
void host_parse_proc_stat(host_parse_t *parse) {
    enum { STEAL = 7, N = 8 };
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, after;
        double tick[N], sum = 0;
        if (!host_is(host_word(&rest), "cpu")) {
            continue;
        }
        for (size_t i = 0; i < N; i++) {
            if (!host_number(host_word(&rest), &tick[i], &after) || tick[i] < 0) {
                return;
            }
            sum += tick[i];
        }
        if (sum > 0) {
            host_set_number(parse, &parse->host->steal, tick[STEAL] / sum);
        }
        return;
    }
}

void host_parse_uptime(host_parse_t *parse) {
    host_span_t line, rest;
    double seconds;
    if (host_next_line(parse, &line) && host_number(line, &seconds, &rest) && seconds >= 0) {
        host_set_number(parse, &parse->host->uptime_s, seconds);
    }
}

static bool has_word(host_span_t text, const char *word) {
    for (host_span_t next; (next = host_word(&text)).n > 0;) {
        if (host_is(next, word)) {
            return true;
        }
    }
    return false;
}

void host_parse_cpuinfo(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    double siblings = 0, cores = 0;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value, rest;
        if (!host_key_value(line, ':', &key, &value)) {
            continue;
        }
        if (host_is(key, "model name")) {
            host_set_text(parse, &host->cpu, value);
        } else if (host_is(key, "flags")) {
            if (assay_host_known(host->hypervisor.state)) {
                continue;
            }
            host_set_text(
                parse, &host->hypervisor,
                host_span(has_word(value, "hypervisor") ? HOST_HYPERVISOR_UNNAMED : "none"));
        } else if (host_is(key, "siblings") && siblings == 0) {
            (void)host_number(value, &siblings, &rest);
        } else if (host_is(key, "cpu cores") && cores == 0 && host_number(value, &cores, &rest) &&
                   cores > 0 && siblings > 0) {
            host_set_number(parse, &host->smt, siblings > cores);
        }
    }
}

/* lscpu in English and German; other languages keep "CPU(s):" and the numbers of NUMA nodes. */
static bool set_lscpu(host_parse_t *parse, host_span_t key, host_span_t value) {
    assay_host_t *host = parse->host;
    const struct {
        const char *name;
        assay_host_number_t *fact;
    } number[] = {{"CPU(s)", &host->threads},
                  {"Socket(s)", &host->sockets},
                  {"Sockel", &host->sockets},
                  {"NUMA node(s)", &host->numa_nodes},
                  {"NUMA-Knoten", &host->numa_nodes}};
    const struct {
        const char *name;
        assay_host_text_t *fact;
    } text[] = {{"Model name", &host->cpu},
                {"Modellname", &host->cpu},
                {"Hypervisor vendor", &host->hypervisor},
                {"Hypervisor-Anbieter", &host->hypervisor}};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        if (host_is(key, number[i].name)) {
            host_set_quantity(parse, number[i].fact, value, false);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        if (host_is(key, text[i].name)) {
            host_set_text(parse, text[i].fact, value);
            return true;
        }
    }
    double threads, node;
    host_span_t rest;
    if ((host_is(key, "Thread(s) per core") || host_is(key, "Thread(s) pro Kern")) &&
        host_number(value, &threads, &rest)) {
        host_set_number(parse, &host->smt, threads > 1);
        return true;
    }
    const size_t word = host_starts(key, "NUMA node")     ? 9
                        : host_starts(key, "NUMA-Knoten") ? 11
                                                          : 0;
    if (word > 0 && host_number((host_span_t){key.s + word, key.n - word}, &node, &rest) &&
        node >= 0 && node < 65536) { /* "NUMA node0 CPU(s)" */
        assay_host_numa_t *numa = host_numa(parse, (int64_t)node);
        if (numa && !numa->cpus && !host_is_missing(value)) {
            numa->cpus = host_copy(parse, value);
        }
        return true;
    }
    return false;
}

void host_parse_lscpu(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (host_key_value(line, ':', &key, &value)) {
            (void)set_lscpu(parse, key, value);
        }
    }
}

/* lscpu -J: {"lscpu": [{"field": "CPU(s):", "data": "128", "children": [...]}]} */
static void read_fields(host_parse_t *parse, const assay_node_t *list) {
    for (const assay_node_t *row = list ? list->child : NULL; row; row = row->next) {
        const assay_node_t *field = assay_node_find(row, "field"),
                           *data = assay_node_find(row, "data"),
                           *children = assay_node_find(row, "children");
        host_span_t key = host_node_text(field);
        if (key.n > 0 && key.s[key.n - 1] == ':') {
            key.n--;
        }
        if (data) {
            host_node_place(parse, data);
            (void)set_lscpu(parse, key, host_node_text(data));
        }
        if (children && children->kind == ASSAY_NODE_SEQUENCE) {
            read_fields(parse, children);
        }
    }
}

bool host_read_lscpu(host_parse_t *parse, const assay_node_t *root) {
    const assay_node_t *list = assay_node_find(root, "lscpu");
    if (!list || list->kind != ASSAY_NODE_SEQUENCE) {
        return false;
    }
    read_fields(parse, list);
    return true;
}

/* One governor a line, as of "cat /sys/devices/system/cpu/cpu*" "/cpufreq/scaling_governor". */
void host_parse_governors(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    host_span_t all = {"", 0}, other = {"", 0};
    uint32_t n_other = 0, at = 1, other_at = 1;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, word = {"", 0};
        for (host_span_t next; (next = host_word(&rest)).n > 0;) {
            word = next; /* behind a path, or a count of uniq -c */
        }
        if (word.n == 0) {
            continue;
        }
        at = all.n ? at : parse->line;
        all = all.n ? all : word;
        if (!host_is(word, "performance")) {
            other_at = other.n ? other_at : parse->line;
            other = other.n ? other : word;
            n_other++;
        }
    }
    if (all.n > 0 && !assay_host_known(host->governor.state)) {
        parse->line = other.n ? other_at : at;
        host_set_text(parse, &host->governor, other.n ? other : all);
        host_set_number(parse, &host->governor_others, n_other);
    }
}
