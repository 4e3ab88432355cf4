#include "audit/quantity.h"

#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

/* Words beside those of the bases. Tokens are a dimension; what is merely counted is not, so that
   "USD/h/GPU" times "8 GPU" is "USD/h". */
typedef struct {
    const char *word;
    bool is_token, is_device;
} counted_t;
static const counted_t counted[] = {
    {"tokens", true, false},      {"token", true, false},      {"tok", true, false},
    {"toks", true, false},        {"gpus", false, true},       {"gpu", false, true},
    {"devices", false, true},     {"device", false, true},     {"cards", false, true},
    {"card", false, true},        {"chips", false, true},      {"chip", false, true},
    {"gcds", false, true},        {"gcd", false, true},        {"accelerators", false, true},
    {"accelerator", false, true}, {"nodes", false, true},      {"node", false, true},
    {"servers", false, true},     {"server", false, true},     {"requests", false, false},
    {"request", false, false},    {"req", false, false},       {"reqs", false, false},
    {"sequences", false, false},  {"sequence", false, false},  {"seq", false, false},
    {"images", false, false},     {"image", false, false},     {"samples", false, false},
    {"sample", false, false},     {"params", false, false},    {"param", false, false},
    {"parameters", false, false}, {"parameter", false, false}, {"epochs", false, false},
    {"epoch", false, false},      {"steps", false, false},     {"step", false, false},
    {"users", false, false},      {"user", false, false},
};
static const struct {
    const char *text;
    double times;
} tally[] = {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"B", 1e9}, {"T", 1e12}};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static bool find_counted(const char *word, size_t n, double *out_times, const counted_t **out) {
    char rest[AUDIT_UNIT_MAX];
    for (size_t t = 0; t < COUNT_OF(tally); t++) {
        const size_t skip = strlen(tally[t].text);
        if (skip >= n || n - skip >= sizeof rest || strncmp(word, tally[t].text, skip) != 0) {
            continue;
        }
        memcpy(rest, word + skip, n - skip);
        rest[n - skip] = '\0';
        for (size_t i = 0; i < COUNT_OF(counted); i++) {
            if (assay_text_equal_fold(rest, counted[i].word)) {
                *out_times = tally[t].times;
                *out = &counted[i];
                return true;
            }
        }
    }
    return false;
}

static uint32_t saw_of(const audit_dim_t *dim) {
    static const struct {
        uint8_t base;
        uint32_t saw;
    } row[] = {
        {ASSAY_BASE_DATA, AUDIT_SAW_DATA},     {ASSAY_BASE_TIME, AUDIT_SAW_TIME},
        {ASSAY_BASE_WORK, AUDIT_SAW_WORK},     {AUDIT_TOKEN, AUDIT_SAW_TOKEN},
        {ASSAY_BASE_ENERGY, AUDIT_SAW_ENERGY},
    };
    uint32_t saw = 0;
    for (size_t i = 0; i < COUNT_OF(row); i++) {
        saw |= dim->power[row[i].base] ? row[i].saw : 0;
    }
    return saw;
}

/* One word as a unit of its own. */
static bool read_word(const char *word, size_t n, audit_unit_t *out) {
    const counted_t *thing;
    double times;
    *out = (audit_unit_t){.times = 1, .over = 1};
    if (find_counted(word, n, &times, &thing)) {
        out->times = times;
        out->dim.power[AUDIT_TOKEN] = thing->is_token;
        out->devices = thing->is_device ? times : 0;
    } else if (!assay_units_word(word, n, out->dim.power, &out->times, &out->over)) {
        return false;
    }
    out->saw = saw_of(&out->dim) | (word[0] == '%' ? AUDIT_SAW_PERCENT : 0);
    return true;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Letters, or one of the signs; a word that goes on as a name ("h200", "s_max") is none. */
static size_t word_length(const char *text, size_t n) {
    if (n > 0 && (text[0] == '%' || text[0] == '$')) {
        return 1;
    }
    size_t i = 0;
    while (i < n && is_letter(text[i])) {
        i++;
    }
    const bool goes_on =
        i < n && ((text[i] >= '0' && text[i] <= '9') || strchr("_.:(", text[i]) != NULL);
    return goes_on ? 0 : i;
}

static size_t skip_space(const char *text, size_t n, size_t i) {
    while (i < n && (text[i] == ' ' || text[i] == '\t')) {
        i++;
    }
    return i;
}

/* "^2", "^-1" behind a word; *io_at stands behind it. */
static int read_power(const char *text, size_t n, size_t *io_at) {
    size_t i = *io_at;
    int sign = 1;
    if (i >= n || text[i] != '^') {
        return 1;
    }
    i++;
    if (i < n && text[i] == '-') {
        sign = -1;
        i++;
    }
    if (i >= n || text[i] < '1' || text[i] > '9') {
        return 1;
    }
    *io_at = i + 1;
    return sign * (text[i] - '0');
}

/* Multiplies *io by word^power. */
static bool take_word(audit_unit_t *io, const audit_unit_t *word, int power) {
    audit_dim_t dim = io->dim;
    const int sign = power < 0 ? -1 : 1;
    for (int k = 0; k < sign * power; k++) {
        if (!audit_dim_multiply(&dim, &word->dim, sign, &dim)) {
            return false;
        }
        io->times *= sign > 0 ? word->times : word->over;
        io->over *= sign > 0 ? word->over : word->times;
    }
    io->dim = dim;
    io->saw |= word->saw;
    io->devices = word->devices > 0 && power > 0 ? word->devices : io->devices;
    return true;
}

size_t audit_unit_read(const char *text, size_t n, audit_unit_t *out) {
    size_t at = 0, length = 0;
    int sign = 1;
    *out = (audit_unit_t){.times = 1, .over = 1};
    for (;;) {
        audit_unit_t word;
        const size_t n_word = word_length(text + at, n - at);
        if (n_word == 0 || !read_word(text + at, n_word, &word)) {
            return length;
        }
        at += n_word;
        const int power = read_power(text, n, &at);
        if (!take_word(out, &word, sign * power)) {
            return length;
        }
        length = at;
        const size_t next = skip_space(text, n, at);
        if (next < n && (text[next] == '/' || text[next] == '*')) {
            sign = text[next] == '/' ? -1 : 1;
            at = skip_space(text, n, next + 1);
        } else if (n - next > 4 && strncmp(text + next, "per ", 4) == 0) {
            sign = -1;
            at = skip_space(text, n, next + 4);
        } else {
            return length;
        }
    }
}

bool audit_dim_equal(const audit_dim_t *a, const audit_dim_t *b) {
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

bool audit_dim_multiply(const audit_dim_t *a, const audit_dim_t *b, int sign, audit_dim_t *out) {
    audit_dim_t product = *a;
    for (int i = 0; i < AUDIT_DIM_N; i++) {
        const int power = a->power[i] + sign * b->power[i];
        if (power < -AUDIT_POWER_MAX || power > AUDIT_POWER_MAX) {
            return false;
        }
        product.power[i] = (int8_t)power;
    }
    *out = product;
    return true;
}

const char *audit_dim_text(assay_arena_t *arena, const audit_dim_t *dim) {
    static const char *const name[AUDIT_DIM_N] = {
#define BASE_NAME(code, unit) [ASSAY_BASE_##code] = unit,
        ASSAY_BASE_LIST(BASE_NAME)
#undef BASE_NAME
            [AUDIT_TOKEN] = "token"};
    const char *text = "";
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < AUDIT_DIM_N && text; i++) {
            const int power = sign * dim->power[i];
            if (power <= 0) {
                continue;
            }
            const char *joint = sign < 0 ? (*text ? "/" : "1/") : (*text ? "*" : "");
            text = power > 1 ? assay_arena_printf(arena, "%s%s%s^%d", text, joint, name[i], power)
                             : assay_arena_printf(arena, "%s%s%s", text, joint, name[i]);
        }
    }
    return text && !*text ? "1" : text;
}

audit_dim_t audit_dim_of(assay_dim_t dim, double *out_scale) {
    static const struct {
        audit_dim_t dim;
        double scale;
    } row[ASSAY_DIM_N] = {
        [ASSAY_DIM_BYTES] = {{{[ASSAY_BASE_DATA] = 1}}, 1},
        [ASSAY_DIM_MEMORY] = {{{[ASSAY_BASE_DATA] = 1}}, 1},
        [ASSAY_DIM_BYTES_PER_S] = {{{[ASSAY_BASE_DATA] = 1, [ASSAY_BASE_TIME] = -1}}, 1},
        [ASSAY_DIM_BITS_PER_S] = {{{[ASSAY_BASE_DATA] = 1, [ASSAY_BASE_TIME] = -1}}, 0.125},
        [ASSAY_DIM_FLOPS] = {{{[ASSAY_BASE_WORK] = 1, [ASSAY_BASE_TIME] = -1}}, 1},
        [ASSAY_DIM_TIME] = {{{[ASSAY_BASE_TIME] = 1}}, 1},
        [ASSAY_DIM_MONEY] = {{{[ASSAY_BASE_MONEY] = 1}}, 1},
        [ASSAY_DIM_MONEY_PER_HOUR] = {{{[ASSAY_BASE_MONEY] = 1, [ASSAY_BASE_TIME] = -1}},
                                      1 / 3600.0},
        [ASSAY_DIM_MONEY_PER_KWH] = {{{[ASSAY_BASE_MONEY] = 1, [ASSAY_BASE_ENERGY] = -1}},
                                     1 / 3.6e6},
        [ASSAY_DIM_POWER] = {{{[ASSAY_BASE_ENERGY] = 1, [ASSAY_BASE_TIME] = -1}}, 1},
        [ASSAY_DIM_LABOUR] = {{{[ASSAY_BASE_LABOUR] = 1}}, 1},
    };
    *out_scale = row[dim].scale > 0 ? row[dim].scale : 1;
    return row[dim].dim;
}

const char *audit_text_of(assay_arena_t *arena, double low, double high, const char *unit) {
    char from[32], to[32];
    const bool plain = strcmp(unit, "1") == 0 || unit[0] == '\0';
    const char *gap = plain || unit[0] == '%' ? "" : " ";
    assay_text_from_double_short(from, low, 4);
    assay_text_from_double_short(to, high, 4);
    return strcmp(from, to) == 0
               ? assay_arena_printf(arena, "%s%s%s", from, gap, plain ? "" : unit)
               : assay_arena_printf(arena, "%s to %s%s%s", from, to, gap, plain ? "" : unit);
}
