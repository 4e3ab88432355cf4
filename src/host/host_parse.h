/**
 * How a text becomes facts. One parser per source: it reads one text (clean: UTF-8, no CR, no
 * escape codes, NUL-terminated) and sets what it understands. A parser never fails for what the
 * text holds: it skips lines it does not know. Its status is an error only when the arena is full.
 *
 * To add one: a function here, its row in parse_table.c, tests, tests/fuzz/fuzz_host_NAME.c.
 */
#ifndef HOST_PARSE_H
#define HOST_PARSE_H

#include "assay/host.h"
#include "assay/node.h"

/* A part of a text, not NUL-terminated. */
typedef struct {
    const char *s;
    size_t n;
} host_span_t;

typedef struct {
    assay_arena_t *arena;   /* what is kept */
    assay_arena_t *scratch; /* until the text is read: trees, tables */
    const assay_host_rules_t *rules;
    assay_host_t *host;
    const char *file;            /* for places */
    const char *name;            /* of this text: the file's, or the command's that printed it */
    uint32_t first;              /* lines of the file in front of this text */
    uint32_t line;               /* of the line that host_next_line gave last, from 1 */
    bool stated;                 /* the sender's note: facts count as stated */
    bool full;                   /* the arena's limit was reached; everything below bears it */
    assay_host_source_t *source; /* of this text; a parser may set its reason */
    host_span_t rest;            /* not yet read */
} host_parse_t;

/* The text of a parser is parse->rest; it reads it line by line or hands it to a tree reader. */
typedef void (*host_parser_t)(host_parse_t *parse);

typedef struct {
    const char *name;
    /* Content decides first: whether the text is of this kind. NULL: only the name tells. */
    bool (*sniff)(host_span_t text);
    /* Names of files, as "lsmod*|*proc_modules*"; "" none. Compared without directory and case. */
    const char *names;
    host_parser_t parse;
    unsigned flags; /* of those below; 0 mostly */
} host_parse_row_t;
#define HOST_NAME_DECIDES 1u /* a name that matches comes before all content */
#define HOST_STATED 2u       /* what it says is the sender's word, not measured */

extern const host_parse_row_t host_parse_table[];
extern const uint32_t host_parse_table_n;

/** Row that reads text, or NULL: nothing knows it. */
const host_parse_row_t *host_parse_select(const assay_host_rules_t *rules, const char *name,
                                          host_span_t text);
/** Makes a text clean, in parse->scratch; NULL beyond its limit. */
char *host_clean(assay_arena_t *scratch, const char *data, size_t n, size_t *out_n);
/** Reads one clean text, that may hold several outputs one after the other ("$ lsmod" between
 * them). */
void host_parse_text(host_parse_t *parse, const char *name, host_span_t text);

/* --- lines and words ------------------------------------------------------------------------- */

/** Next line without its end, or false at the end of parse->rest. Counts parse->line. */
bool host_next_line(host_parse_t *parse, host_span_t *out_line);
host_span_t host_span(const char *s);
host_span_t host_trim(host_span_t text);
/** Columns (bytes; a tab is one) of white space in front. */
size_t host_indent(host_span_t line);
bool host_is(host_span_t text, const char *word);
bool host_is_fold(host_span_t text, const char *word);
bool host_starts(host_span_t text, const char *prefix);
bool host_has(host_span_t text, const char *needle);
/** Offset of needle in text, or -1. */
ptrdiff_t host_find(host_span_t text, const char *needle);
/** Cuts the next word (white space between) from *rest; empty at the end. */
host_span_t host_word(host_span_t *rest);
/** Cuts what is in front of any byte of separators from *rest, and the separator. */
host_span_t host_cut(host_span_t *rest, const char *separators);
/** "key : value" -> both trimmed. false: no separator. */
bool host_key_value(host_span_t line, char separator, host_span_t *out_key, host_span_t *out_value);
/** "a|b*|*c*" against name, case-insensitive, * is any text. */
bool host_name_matches(const char *patterns, const char *name);
/** Copy in the arena; NULL beyond its limit. */
const char *host_copy(host_parse_t *parse, host_span_t text);

/* --- values ---------------------------------------------------------------------------------- */

/** N/A, [Not Supported], [Unknown Error], -, "": the source has no value. */
bool host_is_missing(host_span_t text);
/** Decimal or 0x number at the start of text, what follows in *out_rest. */
bool host_number(host_span_t text, double *out_value, host_span_t *out_rest);
/**
 * A number with a unit: "750.0W", "32 GT/s", "65520 MiB", "38.0°C", "132Mhz", "16 GB", "85 %".
 * SI out; % gives a share; "KB", "MB" of these tools are powers of 1024 when binary is set.
 */
bool host_quantity(host_span_t text, bool binary, double *out_value);
/**
 * PCI address in any spelling ("c1:00.0", "00000001:00:00.0", "0000:C1:00", "PCI:0000:9b:00") ->
 * "0000:c1:00.0" in the arena; NULL: text holds none at its start.
 */
const char *host_bdf(host_parse_t *parse, host_span_t text);
/** Domain, bus, device, function at the start of text, and its bytes; false: no address. A time of
 * day ("12:34:56") is none. */
bool host_bdf_parts(host_span_t text, uint32_t part[4], size_t *out_n);

/* --- facts ----------------------------------------------------------------------------------- */

/* A fact that is known already is not overwritten by a stated one, nor by an unknown one. */
void host_set_number(host_parse_t *parse, assay_host_number_t *fact, double value);
void host_set_text(host_parse_t *parse, assay_host_text_t *fact, host_span_t value);
void host_set_unknown_number(host_parse_t *parse, assay_host_number_t *fact,
                             assay_host_state_t why);
void host_set_unknown_text(host_parse_t *parse, assay_host_text_t *fact, assay_host_state_t why);
/** Parses value as host_quantity and sets fact; missing -> UNSUPPORTED; nonsense -> UNREADABLE. */
void host_set_quantity(host_parse_t *parse, assay_host_number_t *fact, host_span_t value,
                       bool binary);
/** yes/enabled/on/active -> 1, no/disabled/off -> 0; else as host_set_quantity. */
void host_set_flag(host_parse_t *parse, assay_host_number_t *fact, host_span_t value);

/**
 * New zeroed entry at the end of a list of the host, its place set where it has one; NULL when
 * the list or the arena is full. host_add(parse, pci).
 */
#define host_add(parse, field)                                                            \
    ((__typeof__((parse)->host->field))host_grow((parse), (void **)&(parse)->host->field, \
                                                 &(parse)->host->n_##field,               \
                                                 sizeof *(parse)->host->field))
void *host_grow(host_parse_t *parse, void **items, uint32_t *n, size_t size);
assay_place_t host_here(const host_parse_t *parse);

/**
 * The accelerator with this address, or this number of this vendor's tools (index < 0: not known;
 * bdf NULL: not known); a new one when there is none yet. NULL when full. Two that turn out to be
 * one when a source gives both are the one with the address. The pointer is valid until the next
 * call.
 */
assay_host_gpu_t *host_gpu(host_parse_t *parse, assay_vendor_t vendor, int64_t index,
                           const char *bdf);
/** Once all texts are read: accelerators that are only stated go when others were measured, and one
 * without address and number is the others of its name. */
void host_gpu_settle(assay_host_t *host);
/** By address alone, without making one; NULL: none. */
assay_host_gpu_t *host_gpu_find(const assay_host_t *host, const char *bdf);
assay_vendor_t host_vendor(uint32_t pci_vendor);
/** 1 to 8 hexadecimal digits, no sign, nothing else. */
bool host_hex(host_span_t text, unsigned *out_value);
/** Bridges above functions, where only the bridges' buses tell: once all texts are read. */
void host_pci_settle(assay_host_t *host);
/** Configuration space of a function: its links' controls, ACS, ATS. */
void host_pci_config(host_parse_t *parse, host_span_t bytes, assay_host_pci_t *pci);
/** The PCI function with this address (kept, not copied), or a new one; NULL when full. */
assay_host_pci_t *host_pci(host_parse_t *parse, const char *bdf);
/** An accelerator or GPU of AMD or NVIDIA. */
bool host_pci_is_gpu(const assay_host_pci_t *pci);
/** Makes the accelerator of a function that is one, with what the function knows. NULL allowed. */
void host_pci_gpu(host_parse_t *parse, const assay_host_pci_t *pci);
/** A key of rocm-smi's lines, JSON or CSV; false: none of them. */
bool host_rocm_smi_set(host_parse_t *parse, host_span_t key, host_span_t value,
                       assay_host_gpu_t *gpu);
/** A column of amd-smi's CSV; false: none of them. */
bool host_amd_smi_set(host_parse_t *parse, host_span_t key, host_span_t value,
                      assay_host_gpu_t *gpu);
/** Letters, digits and _, not a digit first. */
bool host_is_env_name(host_span_t text);
/** "docker run ...": what the container is given. */
void host_container_line(host_parse_t *parse, const char *program, host_span_t line);
/** Adds a variable; quotes around the value are taken off. */
void host_env_add(host_parse_t *parse, host_span_t name, host_span_t value);
/** The link between two names, in either direction, or a new one; NULL when full. */
assay_host_link_t *host_link(host_parse_t *parse, const char *a, const char *b);
/** The NUMA node with this number, or a new one; NULL when full. */
assay_host_numa_t *host_numa(host_parse_t *parse, int64_t node);
/** The RDMA port of that name and number, or a new one; the name is copied. NULL when full. */
assay_host_port_t *host_port(host_parse_t *parse, host_span_t name, uint32_t number);
/** The network interface of that name, or a new one; the name is copied. NULL when full. */
assay_host_interface_t *host_interface(host_parse_t *parse, host_span_t name);
/** Adds a setting to one of the lists of settings. */
#define host_setting_add(parse, field, name, value) \
    host_setting_fill((parse), host_add((parse), field), (name), (value))
void host_setting_fill(host_parse_t *parse, assay_host_setting_t *setting, host_span_t name,
                       host_span_t value);
/** Adds to host->tree, library, firmware or dkms what is not there yet; empty: not known. */
typedef enum { HOST_TREE, HOST_LIBRARY, HOST_FIRMWARE, HOST_DKMS } host_version_list_t;
void host_version_add(host_parse_t *parse, host_version_list_t list, host_span_t kind,
                      host_span_t path, host_span_t version, host_span_t state);
/** Entry with this name, or a new one. */
assay_host_service_t *host_service(host_parse_t *parse, const char *name);
/** NULL: none, or not seen. */
const assay_host_name_t *host_module_find(const assay_host_t *host, const char *name);
const assay_host_node_t *host_node_find(const assay_host_t *host, const char *path);
const char *host_env_find(const assay_host_t *host, const char *name);

/** The rate of a generation of PCI Express, 1 to 7: of 4, 16 GT/s. */
void host_set_pcie_generation(host_parse_t *parse, assay_host_number_t *fact, double generation);

/* --- tables of fields ------------------------------------------------------------------------ */

/* One name that a tool prints, and the fact it is. */
typedef enum {
    HOST_TEXT,
    HOST_NUMBER,  /* a quantity as host_quantity reads it; sizes are powers of 1000 */
    HOST_BINARY,  /* sizes are powers of 1024 */
    HOST_FLAG,    /* yes, enabled, active: 1 */
    HOST_PERCENT, /* a share, with or without % */
    HOST_MEGA,    /* a bare number counts millions: MHz */
    HOST_MEBI,    /* a bare number counts 2^20: MiB */
} host_field_kind_t;
typedef struct {
    const char *key; /* compared without case; a path is matched by its end */
    size_t offset;   /* of the fact in assay_host_gpu_t */
    uint8_t kind;    /* host_field_kind_t */
} host_field_t;
/** Sets the gpu's fact that key names; false: the table has no such key. */
bool host_field_set(host_parse_t *parse, const host_field_t *table, size_t n, host_span_t key,
                    host_span_t value, assay_host_gpu_t *gpu);

/* An indented outline ("GPU: 0" / "    POWER:" / "        SOCKET_POWER: 20 W"). */
#define HOST_OUTLINE_DEPTH 12
typedef struct {
    size_t indent[HOST_OUTLINE_DEPTH];
    host_span_t key[HOST_OUTLINE_DEPTH];
    uint32_t depth;
    char path[256]; /* "POWER.SOCKET_POWER", with what is above it */
} host_outline_t;
/** Takes one line; true: it is "key: value" and path is set. Headings have an empty value. */
bool host_outline_line(host_outline_t *outline, host_span_t line, host_span_t *out_value);
/** Takes a heading that has no colon. */
void host_outline_heading(host_outline_t *outline, host_span_t line);

/* --- JSON ------------------------------------------------------------------------------------ */

/** Text of a scalar; empty when node is NULL or no scalar. */
host_span_t host_node_text(const assay_node_t *node);
/** Facts that are set next stand where node does. */
void host_node_place(host_parse_t *parse, const assay_node_t *node);
/* Readers of one shape of JSON; false: the document is not theirs. */
bool host_read_amd_smi(host_parse_t *parse, const assay_node_t *root);
bool host_read_rocm_smi(host_parse_t *parse, const assay_node_t *root);
bool host_read_docker_inspect(host_parse_t *parse, const assay_node_t *root);
bool host_read_lscpu(host_parse_t *parse, const assay_node_t *root);
bool host_read_metrics_delta(host_parse_t *parse, const assay_node_t *root);
bool host_read_masks(host_parse_t *parse, const assay_node_t *root);
bool host_read_partitions(host_parse_t *parse, const assay_node_t *root);

/* --- logs ------------------------------------------------------------------------------------ */

/** Compares one line with the rows of data/log_events.csv and counts what it finds in
 * host->event. Parsers of texts that may hold messages among other things call it per line. */
bool host_log_line(host_parse_t *parse, host_span_t line);
/** Of one line of a program's output: what a collective library says of its version, its ranks and
 * its network; what an allocator says that had no memory left. */
void host_collective_line(host_parse_t *parse, host_span_t line);
void host_oom_line(host_parse_t *parse, host_span_t line);
/** Any row of data/log_events.csv matches somewhere in text. */
bool host_log_matches(const assay_host_rules_t *rules, host_span_t text);

#define HOST_HYPERVISOR_UNNAMED "a hypervisor" /* the processor says so, nothing says which */

/** A folder that is a tree of ROCm or CUDA: its version and those of its libraries; false: none. */
bool host_tree_read(host_parse_t *parse, const char *path);

/* --- parsers, as in parse_table.c ------------------------------------------------------------ */

void host_parse_log(host_parse_t *parse);  /* dmesg, journal, NCCL and RCCL logs, any output */
void host_parse_note(host_parse_t *parse); /* context.txt: what the sender says */
void host_parse_cmdline(host_parse_t *parse);
void host_parse_sysctl(host_parse_t *parse); /* one value a file, or "name = value" lines */
void host_parse_lsmod(host_parse_t *parse);
void host_parse_rocminfo(host_parse_t *parse);
void host_parse_json(host_parse_t *parse); /* tries the readers above */
void host_parse_amd_smi(host_parse_t *parse);
void host_parse_amd_overview(host_parse_t *parse);  /* amd-smi without a verb */
void host_parse_amd_monitor(host_parse_t *parse);   /* monitor, partition, version */
void host_parse_rocm_smi(host_parse_t *parse);      /* concise table, "GPU[0] : key: value" */
void host_parse_csv(host_parse_t *parse);           /* rocm-smi, nvidia-smi queries, rocprof */
void host_parse_matrix(host_parse_t *parse);        /* amd-smi, rocm-smi topology */
void host_parse_nvidia_topo(host_parse_t *parse);   /* nvidia-smi topo -m */
void host_parse_nvidia_q(host_parse_t *parse);      /* nvidia-smi -q, any part of it */
void host_parse_nvidia_list(host_parse_t *parse);   /* nvidia-smi -L, nvlink --status */
void host_parse_nvidia_smi(host_parse_t *parse);    /* the table, or why there is none */
void host_parse_nvidia_module(host_parse_t *parse); /* /proc/driver/nvidia/version */
void host_parse_lspci(host_parse_t *parse);
void host_parse_lstopo(host_parse_t *parse);
void host_parse_kfd_node(host_parse_t *parse); /* properties of a KFD topology node */
/** The same; the accelerator, or NULL: it is a processor's node. */
assay_host_gpu_t *host_kfd_node(host_parse_t *parse);
void host_parse_os_release(host_parse_t *parse);
void host_parse_meminfo(host_parse_t *parse);
void host_parse_thp(host_parse_t *parse); /* /sys/kernel/mm/transparent_hugepage/enabled */
void host_parse_proc_stat(host_parse_t *parse);
void host_parse_uptime(host_parse_t *parse); /* /proc/uptime */
void host_parse_cpuinfo(host_parse_t *parse);
void host_parse_status(host_parse_t *parse); /* /proc/PID/status */
void host_parse_lscpu(host_parse_t *parse);
void host_parse_governors(host_parse_t *parse);
void host_parse_kernel_config(host_parse_t *parse);
void host_parse_dkms(host_parse_t *parse);     /* dkms status */
void host_parse_modprobe(host_parse_t *parse); /* /etc/modprobe.d */
void host_parse_maps(host_parse_t *parse);     /* /proc/PID/maps, ldd */
void host_parse_torch(host_parse_t *parse);    /* torch/version.py */
void host_parse_ls(host_parse_t *parse);       /* ls -l of device nodes, and its complaints */
void host_parse_id(host_parse_t *parse);       /* id, groups */
void host_parse_limits(host_parse_t *parse);   /* ulimit -a, /proc/PID/limits */
void host_parse_df(host_parse_t *parse);
void host_parse_ofed(host_parse_t *parse);
void host_parse_packages(host_parse_t *parse);  /* pip list, pip freeze */
void host_parse_systemctl(host_parse_t *parse); /* systemctl status */
void host_parse_driver(host_parse_t *parse);    /* versions, in words */
void host_parse_uname(host_parse_t *parse);
void host_parse_rocm_version(host_parse_t *parse); /* .info/version of a tree */
void host_parse_nvcc(host_parse_t *parse);
void host_parse_env(host_parse_t *parse); /* NAME=value lines */
void host_parse_modinfo(host_parse_t *parse);
void host_parse_targets(host_parse_t *parse);    /* architectures of a build */
void host_parse_ports(host_parse_t *parse);      /* RDMA ports, a line each */
void host_parse_ibstat(host_parse_t *parse);     /* ibstat, ibstatus, ibv_devinfo */
void host_parse_rdma_link(host_parse_t *parse);  /* rdma link */
void host_parse_gids(host_parse_t *parse);       /* show_gids */
void host_parse_mlxconfig(host_parse_t *parse);  /* firmware settings of a NIC */
void host_parse_ip(host_parse_t *parse);         /* ip link, ip address */
void host_parse_ethtool(host_parse_t *parse);    /* ethtool, ethtool -S */
void host_parse_numactl(host_parse_t *parse);    /* numactl -H, -s */
void host_parse_journal(host_parse_t *parse);    /* journalctl -o json */
void host_parse_xml(host_parse_t *parse);        /* nvidia-smi -q -x, hwloc */
void host_parse_slurm(host_parse_t *parse);      /* scontrol show node, job */
void host_parse_script(host_parse_t *parse);     /* shell, sbatch, docker run */
void host_parse_kubernetes(host_parse_t *parse); /* manifests */
void host_parse_collective(host_parse_t *parse); /* nccl-tests, rccl-tests */
void host_parse_ras_report(host_parse_t *parse); /* NCCL, RCCL RAS */
void host_parse_counts(host_parse_t *parse);     /* "expected_logical_gpus=64" */

#endif
