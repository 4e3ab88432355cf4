/* Logs: kernel, journal, collective libraries, applications. What a line means is a row of
   data/log_events.csv; this file only finds it. */
#include <stdio.h>
#include <string.h>

#include "host/host_rules.h"

#include "base/banned.h"

#define EVENT_TEXT_BYTES 240 /* of a line that is kept as evidence */
#define EVENTS_MAX 1024      /* different ones; each line is compared with them */

typedef struct {
    double number[3];
    uint32_t n_number;
    host_span_t word;
} caught_t;

static bool is_word_end(char c) {
    return strchr(" \t,;)]'\"", c) != NULL;
}

/* Matches what is behind piece i's literal, at text; the literals of the others follow. */
static bool match_rest(const host_event_rule_t *rule, host_span_t text, caught_t *caught) {
    for (uint32_t i = 0; i + 1 < rule->n_piece; i++) {
        const host_span_t next = rule->piece[i + 1].literal;
        if (rule->piece[i].kind == HOST_PIECE_NUMBER) {
            double number;
            if (text.n == 0 || text.s[0] == ' ' || !host_number(text, &number, &text)) {
                return false;
            }
            if (caught->n_number < 3) {
                caught->number[caught->n_number++] = number;
            }
        } else if (rule->piece[i].kind == HOST_PIECE_WORD) {
            size_t n = 0;
            while (n < text.n && !is_word_end(text.s[n])) {
                n++;
            }
            if (n == 0) {
                return false;
            }
            caught->word = caught->word.n ? caught->word : (host_span_t){text.s, n};
            text = (host_span_t){text.s + n, text.n - n};
        } else if (next.n > 0) {
            const char *at = text.n > 0 ? memmem(text.s, text.n, next.s, next.n) : NULL;
            if (!at) {
                return false;
            }
            text = (host_span_t){at, text.n - (size_t)(at - text.s)};
        }
        if (next.n > text.n || memcmp(next.s, text.s, next.n) != 0) {
            return false;
        }
        text = (host_span_t){text.s + next.n, text.n - next.n};
    }
    return true;
}

static bool match(const host_event_rule_t *rule, host_span_t line, caught_t *caught) {
    const host_span_t first = rule->piece[0].literal;
    while (line.n >= first.n) {
        const char *at = memmem(line.s, line.n, first.s, first.n);
        if (!at) {
            return false;
        }
        const size_t used = (size_t)(at - line.s) + first.n;
        const host_span_t rest = {line.s + used, line.n - used};
        *caught = (caught_t){.word = {"", 0}};
        if (match_rest(rule, rest, caught)) {
            return true;
        }
        line = (host_span_t){at + 1, line.n - (size_t)(at - line.s) - 1};
    }
    return false;
}

/* The first PCI address of a line, as a span; n = 0: none. */
static host_span_t find_address(host_span_t line) {
    for (size_t i = 0; i < line.n; i++) {
        uint32_t part[4];
        size_t n;
        const bool starts = i == 0 || strchr(" =([:<\"'", line.s[i - 1]) != NULL;
        if (starts && host_bdf_parts((host_span_t){line.s + i, line.n - i}, part, &n)) {
            return (host_span_t){line.s + i, n};
        }
    }
    return (host_span_t){line.s, 0};
}

/* A kernel line without its level and time: "kern  :err   : 2026-01-07T... ", "[   12.3] ", and the
   journal's "Jan 07 12:00:01 host kernel: ". */
static host_span_t message_of(host_span_t line) {
    host_span_t rest = host_trim(line);
    const ptrdiff_t journal = host_find(rest, " kernel: ");
    if (host_starts(rest, "<") && host_has(rest, ">[")) { /* "<6>[   12.3] ": the raw buffer */
        (void)host_cut(&rest, ">");
    } else if (host_starts(rest, "kern ")) {
        (void)host_cut(&rest, ":");
        (void)host_cut(&rest, ":");
        (void)host_word(&rest);
    } else if (journal >= 0) {
        rest = (host_span_t){rest.s + journal + 9, rest.n - (size_t)journal - 9};
    }
    if (host_starts(rest, "[")) {
        host_span_t time = rest;
        (void)host_cut(&time, "]");
        rest = time.n > 0 ? time : rest;
    }
    return host_trim(rest);
}

/* Counts the event when there is one like it. */
static bool count_again(assay_host_t *host, const char *event, const char *device,
                        const caught_t *caught) {
    for (uint32_t i = 0; i < host->n_event; i++) {
        assay_host_event_t *have = &host->event[i];
        if (have->event == event && have->n_number == caught->n_number &&
            memcmp(have->number, caught->number, sizeof have->number) == 0 &&
            strcmp(have->device, device) == 0 && host_is(caught->word, have->word)) {
            have->count++;
            return true;
        }
    }
    return false;
}

static void record(host_parse_t *parse, const char *event, host_span_t line,
                   const caught_t *caught) {
    char device[24] = "";
    uint32_t part[4];
    size_t n;
    const host_span_t address = find_address(line);
    if (address.n > 0 && host_bdf_parts(address, part, &n)) {
        (void)snprintf(device, sizeof device, "%04x:%02x:%02x.%x", part[0], part[1], part[2],
                       part[3]);
    }
    if (count_again(parse->host, event, device, caught)) {
        return;
    }
    if (parse->host->n_event >= EVENTS_MAX) {
        parse->source->reason = "more kinds of messages than are kept";
        return;
    }
    line = message_of(line);
    line.n = line.n > EVENT_TEXT_BYTES ? EVENT_TEXT_BYTES : line.n;
    const char *text = host_copy(parse, line), *word = host_copy(parse, caught->word);
    const char *address_copy = host_copy(parse, host_span(device));
    assay_host_event_t *entry = text && word && address_copy ? host_add(parse, event) : NULL;
    if (entry) {
        *entry = (assay_host_event_t){.event = event,
                                      .device = address_copy,
                                      .word = word,
                                      .n_number = caught->n_number,
                                      .count = 1,
                                      .text = text,
                                      .at = host_here(parse)};
        memcpy(entry->number, caught->number, sizeof entry->number);
    }
}

bool host_log_line(host_parse_t *parse, host_span_t line) {
    bool found = false;
    for (uint32_t i = 0; i < parse->rules->n_event_rule; i++) {
        const host_event_rule_t *rule = &parse->rules->event_rule[i];
        caught_t caught;
        if (match(rule, line, &caught)) {
            record(parse, rule->event, line, &caught);
            found = true;
        }
    }
    return found;
}

bool host_log_matches(const assay_host_rules_t *rules, host_span_t text) {
    for (uint32_t i = 0; i < rules->n_event_rule; i++) {
        const host_span_t literal = rules->event_rule[i].piece[0].literal;
        if (text.n > 0 && memmem(text.s, text.n, literal.s, literal.n)) {
            return true;
        }
    }
    return false;
}

/* Lines that only a kernel log has. */
static bool is_kernel_line(host_span_t line) {
    return host_starts(line, "kern  :") || host_starts(line, "[    0.000000]") ||
           host_has(line, "Linux version ") || host_has(line, " kernel: ") ||
           host_has(line, "[drm]");
}

/* Facts of the machine that only its boot messages tell. */
static void read_boot(host_parse_t *parse, host_span_t line) {
    assay_host_t *host = parse->host;
    const ptrdiff_t at = host_find(line, "Command line: ");
    if (at >= 0) {
        host_set_text(parse, &host->cmdline,
                      (host_span_t){line.s + at + 14, line.n - (size_t)at - 14});
    }
    if (host_has(line, "x2apic enabled") || host_has(line, "remapping in x2apic mode")) {
        host_set_number(parse, &host->x2apic, 1);
    } else if (host_has(line, "x2apic: disabled") || host_has(line, "remapping in xapic mode")) {
        host_set_number(parse, &host->x2apic, 0);
    }
}

static void read_line(host_parse_t *parse, host_span_t line) {
    host_log_line(parse, line);
    host_collective_line(parse, line);
    host_oom_line(parse, line);
}

void host_parse_log(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        if (is_kernel_line(line)) {
            parse->host->kernel_log_seen = true;
        }
        if (host_starts(line, "kern ") || host_starts(line, "[ ") || host_starts(line, "<") ||
            host_has(line, " kernel: ")) {
            read_boot(parse, line);
        }
        read_line(parse, line);
    }
}

/* --- journalctl -o json ---------------------------------------------------------------------- */

/* The string behind "name":, its escapes undone, in scratch. */
static host_span_t member(host_parse_t *parse, host_span_t line, const char *name) {
    const ptrdiff_t at = host_find(line, name);
    host_span_t rest = {line.s, 0};
    if (at >= 0) {
        rest = (host_span_t){line.s + at + strlen(name), line.n - (size_t)at - strlen(name)};
        (void)host_cut(&rest, ":");
        rest = host_trim(rest);
    }
    char *text = host_starts(rest, "\"") ? assay_arena_array(parse->scratch, rest.n, 1) : NULL;
    size_t n = 0;
    for (size_t i = 1; text && i < rest.n && rest.s[i] != '"'; i++) {
        char c = rest.s[i];
        if (c == '\\' && i + 1 < rest.n) {
            c = rest.s[++i];
            c = c == 'n' || c == 't' || c == 'r' ? ' ' : c == 'u' ? '?' : c;
        }
        text[n++] = c;
    }
    return text ? (host_span_t){text, n} : (host_span_t){"", 0};
}

void host_parse_journal(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t message = member(parse, line, "\"MESSAGE\""),
                          from = member(parse, line, "\"_TRANSPORT\"");
        if (host_is(from, "kernel")) {
            parse->host->kernel_log_seen = true;
            read_boot(parse, message);
        }
        read_line(parse, message);
    }
}
