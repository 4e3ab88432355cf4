/* The words of one command: which program it starts, and that program's arguments. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

/* Words that start a program, as they end. positional: a first word without a dash is its model. */
static const struct {
    const char *word, *tool;
    bool positional;
} programs[] = {
    {"pretrain_*.py", "megatron", false},
    {"vllm.entrypoints.openai.api_server", "vllm", false},
    {"vllm.entrypoints.api_server", "vllm", false},
    {"sglang.launch_server", "sglang", false},
    {"trtllm-serve", "trtllm", true},
    {"trtllm-build", "trtllm", false},
    {"trtllm-llmapi-launch", "", false},
    {"torchrun", "launcher", false},
    {"torch.distributed.run", "launcher", false},
    {"torch.distributed.launch", "launcher", false},
    {"deepspeed", "launcher", false},
    {"accelerate", "launcher", false},
    {"srun", "slurm", false},
    {"sbatch", "slurm", false},
    {"torchtitan.train", "torchtitan", false},
    {"train.py", "transformers", false},
    {".py", "transformers", false},
    {"axolotl", "transformers", false},
    {"llamafactory-cli", "transformers", false},
};
#define N_PROGRAM (sizeof programs / sizeof programs[0])

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), n_end = strlen(end);
    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* The last part of a path; "pretrain_*.py" by its two ends. */
static bool is_program(const char *word, const char *pattern) {
    const char *slash = strrchr(word, '/');
    const char *name = slash ? slash + 1 : word, *star = strchr(pattern, '*');
    if (star) {
        return strncmp(name, pattern, (size_t)(star - pattern)) == 0 && ends_with(name, star + 1);
    }
    return pattern[0] == '.' ? ends_with(name, pattern) : strcmp(name, pattern) == 0;
}

/* Index of the program that a word starts, or -1. "vllm serve" is two words. */
static int find_program(const char *const *word, uint32_t n) {
    if (n > 1 && strcmp(word[0], "vllm") == 0 && strcmp(word[1], "serve") == 0) {
        return (int)N_PROGRAM;
    }
    for (size_t i = 0; i < N_PROGRAM; i++) {
        if (is_program(word[0], programs[i].word)) {
            return (int)i;
        }
    }
    return -1;
}

/* An argument file without a program: the tool that knows the most of it. */
static const char *guess_tool(const launch_t *launch, const char *const *word, uint32_t n) {
    static const char *const tool[] = {"vllm",     "sglang",       "trtllm",
                                       "megatron", "transformers", "slurm"};
    const char *best = NULL;
    uint32_t most = 0;
    for (size_t i = 0; i < sizeof tool / sizeof tool[0]; i++) {
        uint32_t known = 0;
        for (uint32_t j = 0; j < n; j++) {
            known += word[j][0] == '-' && launch_find(launch, tool[i], word[j]) >= 0;
        }
        if (known > most) {
            most = known;
            best = tool[i];
        }
    }
    return best;
}

static bool is_flag(const char *word) {
    return word[0] == '-' && word[1] != '\0' && !(word[1] >= '0' && word[1] <= '9') &&
           word[1] != '.';
}

/* The argument at word[at] and its values; *io_at stands behind them. */
static assay_status_t read_argument(launch_t *launch, const char *tool, const char *const *word,
                                    const uint32_t *line, uint32_t n, uint32_t *io_at) {
    const uint32_t first = *io_at;
    const char *equal = strchr(word[first], '=');
    const char *name =
        equal ? assay_arena_strndup(launch->arena, word[first], (size_t)(equal - word[first]))
              : word[first];
    if (!name) {
        return assay_error_memory(launch->err, NULL);
    }
    const int row = launch_find(launch, tool, name);
    const char *takes = row >= 0 ? launch_takes(launch, row) : "1";
    const char *value = equal ? equal + 1 : "";
    (*io_at)++;
    if (!equal && takes[0] == '1' && *io_at < n && !is_flag(word[*io_at])) {
        value = word[(*io_at)++];
    }
    while (!equal && takes[0] == 'n' && *io_at < n && !is_flag(word[*io_at])) {
        value = value[0] ? assay_arena_printf(launch->arena, "%s,%s", value, word[*io_at])
                         : word[*io_at];
        if (!value) {
            return assay_error_memory(launch->err, NULL);
        }
        (*io_at)++;
    }
    return launch_take(launch, tool, name, value, line[first]);
}

assay_status_t launch_read_words(launch_t *launch, const char *const *word, const uint32_t *line,
                                 uint32_t n) {
    const char *tool = is_flag(word[0]) ? guess_tool(launch, word, n) : NULL;
    bool positional = false;
    assay_status_t status = ASSAY_OK;
    for (uint32_t at = 0; at < n && status == ASSAY_OK;) {
        const int program = is_flag(word[at]) ? -1 : find_program(word + at, n - at);
        if (program >= 0) {
            const bool two = program == (int)N_PROGRAM;
            tool = two ? "vllm" : programs[program].tool[0] ? programs[program].tool : tool;
            positional = two || programs[program].positional;
            at += two ? 2 : 1;
            if (positional && at < n && strcmp(word[at], "serve") == 0) {
                at++;
            }
        } else if (tool && is_flag(word[at])) {
            status = read_argument(launch, tool, word, line, n, &at);
        } else if (tool && positional) {
            status = launch_add(launch, ASSAY_LAUNCH_TAKEN, "work.model", word[at], "MODEL",
                                line[at], NULL);
            launch->serves = true;
            positional = false;
            at++;
        } else {
            at++; /* environment, interpreters, options of programs that say nothing of the job */
        }
    }
    if (tool && status == ASSAY_OK &&
        (strcmp(tool, "vllm") == 0 || strcmp(tool, "sglang") == 0 || strcmp(tool, "trtllm") == 0)) {
        status = launch_set_fact(launch, "@engine", tool);
    } else if (tool && status == ASSAY_OK &&
               (strcmp(tool, "megatron") == 0 || strcmp(tool, "torchtitan") == 0)) {
        status = launch_set_fact(launch, "@framework", tool);
    }
    return status;
}
