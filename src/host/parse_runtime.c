/* What programs say of themselves in their output: collective libraries, allocators. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

#define TEXT_BYTES 240 /* of a line that is kept */

static host_span_t behind(host_span_t line, const char *mark) {
    const ptrdiff_t at = host_find(line, mark);
    const size_t used = at >= 0 ? (size_t)at + strlen(mark) : line.n;
    return (host_span_t){line.s + used, line.n - used};
}

/* --- NCCL, RCCL ------------------------------------------------------------------------------ */

/* "node-a:12345:12400 [0] NCCL INFO ..." names host and process; something may stand in front. */
static bool prefix_of(host_span_t line, host_span_t *out_host, double *out_pid) {
    const ptrdiff_t mark = host_find(line, " NCCL ");
    host_span_t head = {line.s, mark > 0 ? (size_t)mark : 0}, word, rest;
    while ((word = host_word(&head)).n > 0) {
        host_span_t cut = word;
        const host_span_t host = host_cut(&cut, ":"), pid = host_cut(&cut, ":");
        double number;
        if (host.n > 0 && host_number(pid, out_pid, &rest) && rest.n == 0 &&
            host_number(cut, &number, &rest) && rest.n == 0) {
            *out_host = host;
            return true;
        }
    }
    return false;
}

static assay_host_rank_t *rank_of(host_parse_t *parse, host_span_t host, double pid) {
    for (uint32_t i = 0; i < parse->host->n_rank; i++) {
        assay_host_rank_t *rank = &parse->host->rank[i];
        if ((double)rank->pid == pid && rank->host && host_is(host, rank->host)) {
            return rank;
        }
    }
    const char *copy = host_copy(parse, host);
    assay_host_rank_t *rank = copy ? host_add(parse, rank) : NULL;
    if (rank) {
        *rank = (assay_host_rank_t){
            .host = copy, .pid = (int64_t)pid, .rank = -1, .at = host_here(parse)};
    }
    return rank;
}

/* "NCCL version 2.21.5+cuda12.4", "RCCL version : 2.20.5-HEAD:abc", "NCCL version 2.18.3". */
static host_span_t version_of(host_span_t line) {
    host_span_t rest = behind(line, "CCL version ");
    if (host_starts(rest, ": ")) {
        rest = (host_span_t){rest.s + 2, rest.n - 2};
    }
    const host_span_t word = host_word(&rest);
    return word.n > 0 && word.s[0] >= '0' && word.s[0] <= '9' ? word : (host_span_t){line.s, 0};
}

/* "[0]eth0:10.0.0.1<0>", "eth0:10.0.0.1<0>" -> "eth0" */
static host_span_t interface_in(host_span_t text) {
    text = host_trim(text);
    if (host_starts(text, "[")) {
        (void)host_cut(&text, "]");
    }
    const host_span_t name = host_cut(&text, ":");
    return text.n > 0 && !host_has(name, " ") ? name : (host_span_t){text.s, 0};
}

static void read_plugin(host_parse_t *parse, host_span_t line) {
    assay_host_text_t *plugin = &parse->host->net_plugin;
    host_span_t name = behind(line, "Loaded net plugin ");
    if (name.n == 0 && host_has(line, "Initializing aws-ofi-nccl")) {
        name = host_span("aws-ofi-nccl");
    }
    if (name.n > 0) {
        host_set_text(parse, plugin, host_cut(&name, "("));
    } else if (host_has(line, "No plugin found") || host_has(line, "Using internal net")) {
        host_set_text(parse, plugin, host_span("none"));
    }
}

void host_collective_line(host_parse_t *parse, host_span_t line) {
    assay_host_t *host = parse->host;
    host_span_t name, rest, version;
    double pid, rank_number;
    if (!host_has(line, "CCL")) {
        return;
    }
    const bool prefixed = prefix_of(line, &name, &pid);
    assay_host_rank_t *rank = prefixed ? rank_of(parse, name, pid) : NULL;
    version = version_of(line);
    if (version.n > 0) {
        host_set_text(parse, &host->collective_library, version);
        if (rank && !rank->version) {
            rank->version = host_copy(parse, version);
        }
    }
    if (!prefixed) {
        return;
    }
    if (rank && rank->rank < 0 && host_has(line, " nranks ") &&
        host_number(behind(line, " rank "), &rank_number, &rest) && rank_number >= 0 &&
        rank_number < 1e7) {
        rank->rank = (int64_t)rank_number;
    }
    host_span_t interface = interface_in(behind(line, "Bootstrap : Using "));
    if (interface.n == 0) {
        interface = interface_in(behind(line, "NET/Socket : Using "));
    }
    host_set_text(parse, &host->collective_interface, interface);
    host_set_text(parse, &host->collective_transport, behind(line, " Using network "));
    read_plugin(parse, line);
}

/* --- memory of an allocator ------------------------------------------------------------------ */

static bool size_at(host_span_t text, double *out_bytes, host_span_t *out_rest) {
    double number, bytes;
    host_span_t rest;
    if (!host_number(text, &number, &rest)) {
        return false;
    }
    rest = host_trim(rest);
    size_t n = 0;
    while (n < rest.n && rest.s[n] >= 'A' && rest.s[n] <= 'z') {
        n++;
    }
    const host_span_t whole = {text.s, (size_t)(rest.s + n - text.s)};
    if (n == 0 || !host_quantity(whole, true, &bytes)) {
        return false;
    }
    *out_bytes = bytes;
    *out_rest = (host_span_t){rest.s + n, rest.n - n};
    return true;
}

static void set_behind(host_parse_t *parse, host_span_t line, const char *mark,
                       assay_host_number_t *fact) {
    double bytes;
    host_span_t rest;
    if (size_at(host_trim(behind(line, mark)), &bytes, &rest)) {
        host_set_number(parse, fact, bytes);
    }
}

/* A size in front of its word: "1.50 GiB is free", "22.50 GiB already allocated". */
static void set_in_front(host_parse_t *parse, host_span_t line, const char *mark,
                         assay_host_number_t *fact) {
    for (host_span_t rest = line; rest.n > 0;) {
        double bytes;
        host_span_t after;
        while (rest.n > 0 && !(rest.s[0] >= '0' && rest.s[0] <= '9')) {
            rest.s++;
            rest.n--;
        }
        if (size_at(rest, &bytes, &after) && host_starts(host_trim(after), mark)) {
            host_set_number(parse, fact, bytes);
            return;
        }
        while (rest.n > 0 && ((rest.s[0] >= '0' && rest.s[0] <= '9') || rest.s[0] == '.')) {
            rest.s++;
            rest.n--;
        }
    }
}

/* PyTorch's message, in its form of today and in that of 1.x, which tells what is reserved in
   total. */
void host_oom_line(host_parse_t *parse, host_span_t line) {
    if (!host_has(line, "out of memory. Tried to allocate ")) {
        return;
    }
    assay_host_oom_t *oom = host_add(parse, oom);
    if (!oom) {
        return;
    }
    host_span_t text = host_trim(line);
    text.n = text.n > TEXT_BYTES ? TEXT_BYTES : text.n;
    *oom = (assay_host_oom_t){.text = host_copy(parse, text), .at = host_here(parse)};
    set_behind(parse, line, "Tried to allocate ", &oom->asked_bytes);
    set_behind(parse, line, "total capacity of ", &oom->total_bytes);
    set_behind(parse, line, "total capacty of ", &oom->total_bytes); /* as 2.0 spelt it */
    set_in_front(parse, line, "total capacity", &oom->total_bytes);
    set_in_front(parse, line, "is free", &oom->free_bytes);
    set_in_front(parse, line, "free", &oom->free_bytes);
    set_in_front(parse, line, "is allocated by PyTorch", &oom->allocated_bytes);
    set_in_front(parse, line, "already allocated", &oom->allocated_bytes);
    set_in_front(parse, line, "is reserved by PyTorch but unallocated", &oom->reserved_bytes);
    assay_host_number_t total = {0};
    set_in_front(parse, line, "reserved in total", &total);
    if (assay_host_known(total.state) && assay_host_known(oom->allocated_bytes.state) &&
        total.v >= oom->allocated_bytes.v) {
        host_set_number(parse, &oom->reserved_bytes, total.v - oom->allocated_bytes.v);
    }
}
