#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/port.h"

#include "base/banned.h"

#define HEADER "assay-baseline 1\n"
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* FNV-1a; the NUL is hashed too, so that "ab","c" and "a","bc" differ. */
static uint64_t hash_text(uint64_t hash, const char *text) {
    do {
        hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
    } while (*text++);
    return hash;
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* White space is one space, none at either end. */
static uint64_t hash_folded(uint64_t hash, const char *text) {
    bool gap = false, any = false;
    for (; *text; text++) {
        if (is_space(*text)) {
            gap = any;
            continue;
        }
        hash = gap ? (hash ^ ' ') * FNV_PRIME : hash;
        hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
        gap = false;
        any = true;
    }
    return hash_text(hash, "");
}

static uint64_t hash_count(uint64_t hash, uint32_t count) {
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ ((count >> (8 * i)) & 0xff)) * FNV_PRIME;
    }
    return hash;
}

typedef struct {
    uint64_t hash;
    uint32_t finding;
} keyed_t;

static int compare_keyed(const void *a, const void *b) {
    const keyed_t *left = a, *right = b;
    const int order = (left->hash > right->hash) - (left->hash < right->hash);
    return order ? order : (left->finding > right->finding) - (left->finding < right->finding);
}

assay_status_t assay_port_fingerprints(assay_arena_t *arena, const assay_port_scan_t *scan,
                                       const uint64_t **out, assay_error_t *err) {
    keyed_t *keyed = calloc((size_t)scan->n_finding + 1, sizeof *keyed);
    uint64_t *print = assay_arena_array(arena, scan->n_finding, sizeof *print);
    if (!keyed || !print) {
        free(keyed);
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        const assay_port_finding_t *f = &scan->finding[i];
        uint64_t hash = hash_text(FNV_BASIS, f->rule);
        hash = hash_text(hash, f->at.file);
        hash = hash_text(hash, f->api ? f->api : "");
        keyed[i] = (keyed_t){hash_folded(hash, f->text ? f->text : ""), i};
    }
    qsort(keyed, scan->n_finding, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0, of_kind = 0; i < scan->n_finding; i++) {
        of_kind = i > 0 && keyed[i].hash == keyed[i - 1].hash ? of_kind + 1 : 0;
        print[keyed[i].finding] = hash_count(keyed[i].hash, of_kind);
    }
    free(keyed);
    *out = print;
    return ASSAY_OK;
}

void assay_port_baseline_write(const assay_port_scan_t *scan, const uint64_t *fingerprint,
                               assay_buf_t *out) {
    assay_buf_puts(out, HEADER);
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        const assay_port_finding_t *f = &scan->finding[i];
        assay_buf_printf(out, "%016" PRIx64 " %s ", fingerprint[i], f->rule);
        for (const char *c = f->at.file; *c;
             c++) { /* a name may hold a line end; only we read it */
            assay_buf_add(out, *c == '\n' || *c == '\r' ? "?" : c, 1);
        }
        assay_buf_add(out, "\n", 1);
    }
}

static int compare_prints(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Sixteen lower-case hexadecimal digits and a space. */
static bool read_print(const char *line, size_t n, uint64_t *out) {
    static const char digit[] = "0123456789abcdef";
    *out = 0;
    for (size_t i = 0; i < 16; i++) {
        const char *at = n > 16 && line[i] ? strchr(digit, line[i]) : NULL;
        if (!at) {
            return false;
        }
        *out = *out << 4 | (uint64_t)(at - digit);
    }
    return line[16] == ' ';
}

static assay_status_t read_baseline(const char *file, const char *data, size_t size,
                                    uint64_t *known, uint32_t *out_n, assay_error_t *err) {
    const size_t n_header = strlen(HEADER);
    assay_place_t at = {file, 1, 0};
    *out_n = 0;
    if (size < n_header || memcmp(data, HEADER, n_header) != 0) {
        assay_error_set(err, ASSAY_INPUT, &at, "expected \"assay-baseline 1\"");
        assay_error_next(err, "write one with --write-baseline");
        return ASSAY_INPUT;
    }
    for (size_t i = n_header; i < size;) {
        const char *stop = memchr(data + i, '\n', size - i);
        const size_t n = stop ? (size_t)(stop - data) - i : size - i;
        at.line++;
        if (n > 0 && !read_print(data + i, n, &known[(*out_n)++])) {
            return assay_error_set(err, ASSAY_INPUT, &at, "expected \"fingerprint rule file\"");
        }
        i += n + 1;
    }
    return ASSAY_OK;
}

assay_status_t assay_port_baseline_apply(assay_arena_t *arena, const char *file, const char *data,
                                         size_t size, const uint64_t *fingerprint,
                                         assay_port_scan_t *scan, assay_error_t *err) {
    uint64_t *known = assay_arena_array(arena, size / 17 + 1, sizeof *known);
    uint32_t n;
    if (!known) {
        return assay_error_memory(err, NULL);
    }
    const assay_status_t status = read_baseline(file, data, size, known, &n, err);
    if (status) {
        return status;
    }
    qsort(known, n, sizeof *known, compare_prints);
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        scan->finding[i].known =
            n > 0 && bsearch(&fingerprint[i], known, n, sizeof *known, compare_prints) != NULL;
    }
    return ASSAY_OK;
}
