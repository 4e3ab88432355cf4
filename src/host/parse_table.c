/* Which parser reads which text. More special kinds stand before more general ones. */
#include "host/host_rules.h"

#include "base/banned.h"

static bool has(host_span_t text, const char *const *needle, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (host_has(text, needle[i])) {
            return true;
        }
    }
    return false;
}
#define HAS(text, ...)                            \
    has(text, (const char *const[]){__VA_ARGS__}, \
        sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))

static bool is_rocminfo(host_span_t text) {
    return HAS(text, "ROCk module is", "HSA System Attributes",
               "Marketing Name:", "Unable to open /dev/kfd");
}

static bool is_lsmod(host_span_t text) {
    host_span_t line = host_cut(&text, "\n");
    return host_is(host_word(&line), "Module") && host_is(host_word(&line), "Size");
}

static bool is_cmdline(host_span_t text) {
    return host_starts(host_trim(text), "BOOT_IMAGE=");
}

/* An answer that lies beside the evidence is none. */
static void parse_nothing(host_parse_t *parse) {
    parse->source->reason = "a verdict, not evidence";
}

const host_parse_row_t host_parse_table[] = {
    {"verdict", NULL, "verdict.json|expected.json", parse_nothing, HOST_NAME_DECIDES},
    {"note", NULL, "context*|note*|question*|readme*", host_parse_note,
     HOST_NAME_DECIDES | HOST_STATED},
    {"rocminfo", is_rocminfo, "*rocminfo*", host_parse_rocminfo, 0},
    {"lsmod", is_lsmod, "*lsmod*|proc/modules|proc_modules*", host_parse_lsmod, 0},
    {"cmdline", is_cmdline, "*cmdline*", host_parse_cmdline, 0},
    {"sysctl", NULL, "*numa_balancing*|*sysctl*", host_parse_sysctl, 0},
    {"log", NULL, "*dmesg*|*journal*|*.log|*rccl*|*nccl*|app*|*kern*", host_parse_log, 0},
};
const uint32_t host_parse_table_n = sizeof host_parse_table / sizeof host_parse_table[0];
