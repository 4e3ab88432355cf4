/* A host from lines of facts, so that checks are tested apart from parsers:
       gpu vendor=AMD bdf=0000:05:00.0 gfx_busy=1
       host cmdline='ro iommu=pt' threads=256
       seen env pci
   One entry of a list a line; every fact counts as measured in the file "facts". */
#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host_fixture.h"

typedef enum {
    FACT_NUMBER,
    FACT_TEXT,
    FACT_STRING,
    FACT_U32,
    FACT_I64,
    FACT_BOOL,
    FACT_DOUBLE
} fact_kind_t;
typedef struct {
    const char *name;
    size_t offset;
    fact_kind_t kind;
} fact_field_t;
typedef struct {
    const char *name;
    size_t items, count, size; /* of the list in assay_host_t; items 0: the host itself */
    const fact_field_t *field;
    ptrdiff_t at; /* of its place; -1: none */
} fact_list_t;

#define FACT(type, name, kind) \
    { #name, offsetof(type, name), FACT_##kind }
#define FACT_N(name, what) {#name, offsetof(FACT_OWNER, name), FACT_NUMBER},
#define FACT_T(name, what) {#name, offsetof(FACT_OWNER, name), FACT_TEXT},

#define FACT_OWNER assay_host_gpu_t
static const fact_field_t fact_gpu[] = {ASSAY_HOST_GPU_NUMBER_LIST(FACT_N)
                                            ASSAY_HOST_GPU_TEXT_LIST(FACT_T){NULL, 0, FACT_TEXT}};
#undef FACT_OWNER
#define FACT_OWNER assay_host_t
static const fact_field_t fact_host[] = {ASSAY_HOST_NUMBER_LIST(FACT_N)
                                             ASSAY_HOST_TEXT_LIST(FACT_T){NULL, 0, FACT_TEXT}};
#undef FACT_OWNER

#define FACT_END \
    { NULL, 0, FACT_TEXT }
static const fact_field_t fact_module[] = {FACT(assay_host_name_t, name, STRING), FACT_END};
static const fact_field_t fact_node[] = {
    FACT(assay_host_node_t, path, STRING),  FACT(assay_host_node_t, group, STRING),
    FACT(assay_host_node_t, mode, U32),     FACT(assay_host_node_t, gid, I64),
    FACT(assay_host_node_t, missing, BOOL), FACT_END};
static const fact_field_t fact_group[] = {FACT(assay_host_group_t, name, STRING),
                                          FACT(assay_host_group_t, gid, I64), FACT_END};
static const fact_field_t fact_setting[] = {FACT(assay_host_setting_t, name, STRING),
                                            FACT(assay_host_setting_t, value, STRING), FACT_END};
static const fact_field_t fact_service[] = {FACT(assay_host_service_t, name, STRING),
                                            FACT(assay_host_service_t, state, STRING), FACT_END};
static const fact_field_t fact_pci[] = {FACT(assay_host_pci_t, bdf, STRING),
                                        FACT(assay_host_pci_t, vendor_id, U32),
                                        FACT(assay_host_pci_t, device_id, U32),
                                        FACT(assay_host_pci_t, subclass, U32),
                                        FACT(assay_host_pci_t, width, NUMBER),
                                        FACT(assay_host_pci_t, width_max, NUMBER),
                                        FACT(assay_host_pci_t, acs_valid, NUMBER),
                                        FACT(assay_host_pci_t, acs_request, NUMBER),
                                        FACT(assay_host_pci_t, acs_complete, NUMBER),
                                        FACT(assay_host_pci_t, read_request_bytes, NUMBER),
                                        FACT(assay_host_pci_t, ats, NUMBER),
                                        FACT(assay_host_pci_t, bus_first, U32),
                                        FACT(assay_host_pci_t, bus_last, U32),
                                        FACT(assay_host_pci_t, bridge, BOOL),
                                        FACT_END};
static const fact_field_t fact_link[] = {
    FACT(assay_host_link_t, a, STRING),           FACT(assay_host_link_t, b, STRING),
    FACT(assay_host_link_t, type, STRING),        FACT(assay_host_link_t, hops, NUMBER),
    FACT(assay_host_link_t, bytes_per_s, NUMBER), FACT_END};
static const fact_field_t fact_port[] = {
    FACT(assay_host_port_t, name, STRING),       FACT(assay_host_port_t, state, STRING),
    FACT(assay_host_port_t, layer, STRING),      FACT(assay_host_port_t, interface, STRING),
    FACT(assay_host_port_t, bits_per_s, NUMBER), FACT(assay_host_port_t, link_downed, NUMBER),
    FACT(assay_host_port_t, discards, NUMBER),   FACT_END};
static const fact_field_t fact_gid[] = {
    FACT(assay_host_gid_t, device, STRING), FACT(assay_host_gid_t, type, STRING),
    FACT(assay_host_gid_t, port, U32), FACT(assay_host_gid_t, index, U32), FACT_END};
static const fact_field_t fact_interface[] = {FACT(assay_host_interface_t, name, STRING),
                                              FACT(assay_host_interface_t, mtu_bytes, NUMBER),
                                              FACT_END};
static const fact_field_t fact_numa[] = {FACT(assay_host_numa_t, node, I64),
                                         FACT(assay_host_numa_t, bytes, NUMBER),
                                         FACT(assay_host_numa_t, free_bytes, NUMBER), FACT_END};
static const fact_field_t fact_version[] = {
    FACT(assay_host_version_t, kind, STRING),    FACT(assay_host_version_t, path, STRING),
    FACT(assay_host_version_t, version, STRING), FACT(assay_host_version_t, state, STRING),
    FACT(assay_host_version_t, pid, I64),        FACT_END};
static const fact_field_t fact_command[] = {FACT(assay_host_command_t, program, STRING),
                                            FACT(assay_host_command_t, line, STRING), FACT_END};
static const fact_field_t fact_rank[] = {FACT(assay_host_rank_t, version, STRING),
                                         FACT(assay_host_rank_t, rank, I64), FACT_END};
static const fact_field_t fact_oom[] = {FACT(assay_host_oom_t, allocated_bytes, NUMBER),
                                        FACT(assay_host_oom_t, reserved_bytes, NUMBER), FACT_END};
static const fact_field_t fact_process[] = {
    FACT(assay_host_process_t, pid, I64), FACT(assay_host_process_t, name, STRING),
    FACT(assay_host_process_t, vram_bytes, NUMBER), FACT_END};
static const fact_field_t fact_event[] = {
    FACT(assay_host_event_t, event, STRING),
    FACT(assay_host_event_t, device, STRING),
    FACT(assay_host_event_t, word, STRING),
    FACT(assay_host_event_t, text, STRING),
    FACT(assay_host_event_t, count, U32),
    FACT(assay_host_event_t, n_number, U32),
    {"number", offsetof(assay_host_event_t, number[0]), FACT_DOUBLE},
    {"second", offsetof(assay_host_event_t, number[1]), FACT_DOUBLE},
    FACT_END};
static const fact_field_t fact_collective[] = {
    FACT(assay_host_collective_t, operation, STRING), FACT(assay_host_collective_t, bytes, DOUBLE),
    FACT(assay_host_collective_t, bus_bytes_per_s, DOUBLE),
    FACT(assay_host_collective_t, ranks, U32), FACT_END};
static const fact_field_t fact_communicator[] = {
    FACT(assay_host_communicator_t, ranks, U32), FACT(assay_host_communicator_t, expected, U32),
    FACT(assay_host_communicator_t, status, STRING), FACT_END};
static const fact_field_t fact_profile[] = {FACT(assay_host_profile_t, table, STRING),
                                            FACT(assay_host_profile_t, name, STRING),
                                            FACT(assay_host_profile_t, share, DOUBLE), FACT_END};
static const fact_field_t fact_mask[] = {
    FACT(assay_host_mask_t, name, STRING), FACT(assay_host_mask_t, rocr, STRING),
    FACT(assay_host_mask_t, hip, STRING), FACT(assay_host_mask_t, cuda, STRING), FACT_END};
static const fact_field_t fact_partition[] = {FACT(assay_host_partition_t, compute, STRING),
                                              FACT(assay_host_partition_t, memory, STRING),
                                              FACT_END};

#define FACT_LIST(name, type, fields, at)                                                    \
    {                                                                                        \
#name, offsetof(assay_host_t, name), offsetof(assay_host_t, n_##name), sizeof(type), \
            fields, at                                                                       \
    }
#define FACT_PLACED(name, type, fields) FACT_LIST(name, type, fields, offsetof(type, at))
static const fact_list_t fact_list[] = {
    {"host", 0, 0, 0, fact_host, -1},
    FACT_LIST(gpu, assay_host_gpu_t, fact_gpu, -1),
    FACT_PLACED(module, assay_host_name_t, fact_module),
    FACT_PLACED(node, assay_host_node_t, fact_node),
    FACT_PLACED(group, assay_host_group_t, fact_group),
    FACT_PLACED(env, assay_host_setting_t, fact_setting),
    FACT_PLACED(config, assay_host_setting_t, fact_setting),
    FACT_PLACED(package, assay_host_setting_t, fact_setting),
    FACT_PLACED(nic_setting, assay_host_setting_t, fact_setting),
    FACT_PLACED(module_parameter, assay_host_setting_t, fact_setting),
    FACT_PLACED(service, assay_host_service_t, fact_service),
    FACT_PLACED(pci, assay_host_pci_t, fact_pci),
    FACT_PLACED(link, assay_host_link_t, fact_link),
    FACT_PLACED(port, assay_host_port_t, fact_port),
    FACT_PLACED(gid, assay_host_gid_t, fact_gid),
    FACT_PLACED(interface, assay_host_interface_t, fact_interface),
    FACT_PLACED(numa, assay_host_numa_t, fact_numa),
    FACT_PLACED(library, assay_host_version_t, fact_version),
    FACT_PLACED(firmware, assay_host_version_t, fact_version),
    FACT_PLACED(dkms, assay_host_version_t, fact_version),
    FACT_PLACED(command, assay_host_command_t, fact_command),
    FACT_PLACED(rank, assay_host_rank_t, fact_rank),
    FACT_PLACED(oom, assay_host_oom_t, fact_oom),
    FACT_PLACED(process, assay_host_process_t, fact_process),
    FACT_PLACED(event, assay_host_event_t, fact_event),
    FACT_PLACED(collective, assay_host_collective_t, fact_collective),
    FACT_PLACED(communicator, assay_host_communicator_t, fact_communicator),
    FACT_PLACED(profile, assay_host_profile_t, fact_profile),
    FACT_PLACED(mask, assay_host_mask_t, fact_mask),
    FACT_PLACED(partition, assay_host_partition_t, fact_partition),
};

#define FACT_ITEMS_MAX 16

static inline void fact_fail(const char *line, const char *why) {
    fail_msg("%s in facts: %.60s", why, line);
}

/* The next word of *text, quotes taken off; NULL at the end of the line. */
static inline char *fact_word(assay_arena_t *arena, const char **text) {
    char word[512];
    size_t n = 0;
    *text += strspn(*text, " ");
    for (bool quoted = false; **text && **text != '\n' && (quoted || **text != ' '); ++*text) {
        if (**text == '\'') {
            quoted = !quoted;
        } else if (n + 1 < sizeof word) {
            word[n++] = **text;
        }
    }
    return n > 0 ? assay_arena_strndup(arena, word, n) : NULL;
}

static inline double fact_number(const char *text) {
    if (strncmp(text, "0x", 2) == 0) {
        return (double)strtoul(text, NULL, 16);
    }
    double value;
    if (strcmp(text, "inf") == 0) {
        return HUGE_VAL;
    }
    if (!assay_text_to_double(text, strlen(text), &value)) {
        fact_fail(text, "no number");
    }
    return value;
}

static inline void fact_set(void *item, const fact_field_t *field, const char *value,
                            uint32_t line) {
    void *to = (char *)item + field->offset;
    const assay_place_t at = {"facts", line, 0};
    switch (field->kind) {
    case FACT_NUMBER:
        *(assay_host_number_t *)to =
            (assay_host_number_t){fact_number(value), at, ASSAY_HOST_MEASURED};
        break;
    case FACT_TEXT:
        *(assay_host_text_t *)to = (assay_host_text_t){value, at, ASSAY_HOST_MEASURED};
        break;
    case FACT_STRING:
        *(const char **)to = value;
        break;
    case FACT_U32:
        *(uint32_t *)to = (uint32_t)fact_number(value);
        break;
    case FACT_I64:
        *(int64_t *)to = (int64_t)fact_number(value);
        break;
    case FACT_BOOL:
        *(bool *)to = fact_number(value) > 0;
        break;
    case FACT_DOUBLE:
        *(double *)to = fact_number(value);
        break;
    }
}

static inline void *fact_item(assay_arena_t *arena, assay_host_t *host, const fact_list_t *list,
                              uint32_t line) {
    if (list->size == 0) {
        return host;
    }
    void **items = (void **)((char *)host + list->items);
    uint32_t *n = (uint32_t *)((char *)host + list->count);
    if (*n == 0) {
        *items = assay_arena_array(arena, FACT_ITEMS_MAX, list->size);
    }
    assert_true(*items && *n < FACT_ITEMS_MAX);
    void *item = (char *)*items + list->size * (*n)++;
    if (strcmp(list->name, "node") == 0) {
        ((assay_host_node_t *)item)->gid = -1;
    } else if (strcmp(list->name, "group") == 0) {
        ((assay_host_group_t *)item)->gid = -1;
    } else if (list->field == fact_version) {
        ((assay_host_version_t *)item)->pid = -1;
    }
    if (list->at >= 0) {
        *(assay_place_t *)((char *)item + list->at) = (assay_place_t){"facts", line, 0};
    }
    return item;
}

static inline void fact_seen(assay_host_t *host, const char *word) {
    bool *const flag = strcmp(word, "env") == 0          ? &host->env_seen
                       : strcmp(word, "pci") == 0        ? &host->pci_seen
                       : strcmp(word, "groups") == 0     ? &host->groups_seen
                       : strcmp(word, "modules") == 0    ? &host->modules_seen
                       : strcmp(word, "kernel_log") == 0 ? &host->kernel_log_seen
                                                         : NULL;
    if (!flag) {
        fact_fail(word, "unknown word");
        return;
    }
    *flag = true;
}

/* Fields that tools always fill. */
static inline void fact_defaults(const fact_list_t *list, void *item) {
    if (strcmp(list->name, "event") == 0) {
        assay_host_event_t *event = item;
        event->device = event->device ? event->device : "";
        event->word = event->word ? event->word : "";
        event->text = event->text ? event->text : event->event;
        event->count = event->count ? event->count : 1;
    } else if (strcmp(list->name, "env") == 0) {
        assay_host_setting_t *setting = item;
        setting->value = setting->value ? setting->value : "";
    } else if (strcmp(list->name, "mask") == 0) {
        assay_host_mask_t *mask = item;
        mask->name = mask->name ? mask->name : "";
    }
}

static inline void fact_line(assay_arena_t *arena, assay_host_t *host, const char *text,
                             uint32_t line) {
    const char *begin = text;
    const char *kind = fact_word(arena, &text);
    const fact_list_t *list = NULL;
    if (!kind) {
        return;
    }
    const bool seen = strcmp(kind, "seen") == 0;
    for (size_t i = 0; i < sizeof fact_list / sizeof fact_list[0]; i++) {
        list = strcmp(fact_list[i].name, kind) == 0 ? &fact_list[i] : list;
    }
    if (!list && !seen) {
        fact_fail(begin, "unknown list");
        return;
    }
    void *item = seen ? NULL : fact_item(arena, host, list, line);
    for (char *word; (word = fact_word(arena, &text));) {
        char *equals = strchr(word, '=');
        if (seen) {
            fact_seen(host, word);
            continue;
        }
        if (!equals) {
            fact_fail(begin, "no value");
            return;
        }
        *equals = '\0';
        const fact_field_t *field = list->field;
        while (field->name && strcmp(field->name, word) != 0) {
            field++;
        }
        if (field->name) {
            fact_set(item, field, equals + 1, line);
        } else if (strcmp(list->name, "gpu") == 0 && strcmp(word, "vendor") == 0) {
            ((assay_host_gpu_t *)item)->vendor =
                strcmp(equals + 1, "AMD") == 0 ? ASSAY_VENDOR_AMD : ASSAY_VENDOR_NVIDIA;
        } else {
            fact_fail(begin, word);
        }
    }
    if (!seen) {
        fact_defaults(list, item);
    }
}

static inline assay_host_t *host_of_facts(assay_arena_t *arena, const char *facts) {
    assay_host_t *host = assay_arena_alloc(arena, sizeof *host);
    assert_non_null(host);
    host->name = "facts";
    for (uint32_t line = 1; *facts; line++) {
        fact_line(arena, host, facts, line);
        facts += strcspn(facts, "\n");
        facts += *facts == '\n';
    }
    return host;
}

#endif
