/* Shell scripts and Slurm jobs: programs, variables, modules, what is installed, what is asked of
   the scheduler. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

static bool word_is(const char *data, size_t begin, size_t n, const char *word) {
    return strlen(word) == n && memcmp(data + begin, word, n) == 0;
}

static bool word_in(const char *data, size_t begin, size_t n, const char *const *words) {
    for (; *words; words++) {
        if (word_is(data, begin, n, *words)) {
            return true;
        }
    }
    return false;
}

static bool word_begins(const char *data, size_t begin, size_t n, const char *const *prefixes) {
    for (; *prefixes; prefixes++) {
        const size_t n_prefix = strlen(*prefixes);
        if (n >= n_prefix && memcmp(data + begin, *prefixes, n_prefix) == 0) {
            return true;
        }
    }
    return false;
}

/* Where code ends: at a '#' that opens a comment, outside quotes. */
static size_t code_end(const char *data, size_t begin, size_t end) {
    char quote = 0;
    for (size_t i = begin; i < end; i++) {
        const char c = data[i];
        if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '\\') {
            i++;
        } else if (c == '#' && (i == begin || strchr(" \t;", data[i - 1]))) {
            return i;
        }
    }
    return end;
}

/* "module load gcc cuda/12.4" */
static void read_modules(const reading_t *r, size_t begin, size_t end) {
    static const char *const verbs[] = {"load", "add", "switch", "swap", NULL};
    static const char *const cuda[] = {"cuda",  "CUDA",  "cudnn",    "cuDNN",  "nccl", "NCCL",
                                       "nvhpc", "NVHPC", "TensorRT", "nvidia", NULL};
    const char *data = r->text->data;
    size_t at = begin, word, n;
    if (!reading_word(data, &at, end, &word, &n) ||
        !(word_is(data, word, n, "module") || word_is(data, word, n, "ml"))) {
        return;
    }
    const bool is_short = n == 2;
    bool loads = is_short;
    while (reading_word(data, &at, end, &word, &n)) {
        const bool is_version = word > begin && data[word - 1] == '/';
        if (word_in(data, word, n, verbs)) {
            loads = true;
        } else if (loads && !is_version && word_begins(data, word, n, cuda)) {
            reading_add(r, "shell-module-cuda", word, n);
        }
    }
}

/* GPUs asked for by NVIDIA names: --gres=gpu:a100:4, --constraint=h100. */
static void read_slurm(const reading_t *r, size_t begin, size_t end) {
    static const char *const options[] = {
        "--gres", "--gpus", "--gpus-per-node", "--gpus-per-task", "-G", "--constraint", "-C", NULL};
    static const char *const devices[] = {
        "a100", "A100",  "h100", "H100",  "h200",  "H200",  "v100",  "V100", "p100",
        "P100", "b200",  "B200", "gh200", "GH200", "gb200", "a40",   "A40",  "a30",
        "A30",  "a6000", "l40",  "L40",   "rtx",   "RTX",   "tesla", "k80",  NULL};
    const char *data = r->text->data;
    size_t at = begin, word, n;
    bool asked = false;
    while (reading_word(data, &at, end, &word, &n)) {
        if (data[word] == '-') {
            asked = word_in(data, word, n, options);
        } else if (asked && word_begins(data, word, n, devices)) {
            reading_add(r, "slurm-gpu-type", word, n);
            asked = false;
        }
    }
}

/* Where the arguments of an installer begin, or end. */
static size_t find_install(const char *data, size_t begin, size_t end) {
    static const char *const programs[] = {"pip",   "pip3",       "uv",     "conda",
                                           "mamba", "micromamba", "poetry", NULL};
    static const char *const verbs[] = {"install", "add", "create", NULL};
    bool program = false;
    for (size_t at = begin, word, n; reading_word(data, &at, end, &word, &n);) {
        if (program && word_in(data, word, n, verbs)) {
            return at;
        }
        program |= word_in(data, word, n, programs);
    }
    return end;
}

/* The end of a simple command. */
static size_t command_end(const char *data, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        if (data[i] == ';' || data[i] == '|' ||
            (data[i] == '&' && i + 1 < end && data[i + 1] == '&')) {
            return i;
        }
    }
    return end;
}

void reading_shell(const reading_t *r, size_t begin, size_t end, unsigned where) {
    static const char *const launchers[] = {"srun", "sbatch", "salloc", NULL};
    const char *data = r->text->data;
    bool installs = false; /* a line before this one did, and went on */
    for (size_t at = begin, next; at < end; at = next) {
        const size_t line_end = reading_line(data, at, end, &next);
        if (line_end - at >= 7 && memcmp(data + at, "#SBATCH", 7) == 0) {
            read_slurm(r, at + 7, line_end);
            continue;
        }
        const size_t stop = code_end(data, at, line_end);
        reading_terms(r, at, stop, where);
        read_modules(r, at, stop);
        if (reading_contains_any(data + at, stop - at, launchers)) {
            read_slurm(r, at, stop);
        }
        for (size_t command = at; command < stop;) {
            const size_t command_stop = command_end(data, command, stop);
            const size_t arguments = installs ? command : find_install(data, command, command_stop);
            installs = installs || arguments < command_stop;
            reading_install(r, arguments, command_stop);
            installs = installs && command_stop == stop;
            command = command_stop + (command_stop < stop);
            while (command < stop && (data[command] == '&' || data[command] == '|')) {
                command++;
            }
        }
        installs = installs && stop == line_end && stop > at && data[stop - 1] == '\\';
    }
}

void port_read_shell(port_sink_t *sink, const port_text_t *text) {
    const reading_t r = reading_begin(sink, text);
    reading_shell(&r, 0, text->size, PORT_WHERE_SHELL | PORT_WHERE_FLAG);
    reading_offload_archs(&r, 0, text->size);
}
