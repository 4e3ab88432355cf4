/**
 * How facts become findings. One function per check: it looks at the host and says bad, good, not
 * applicable or not known, any number of times (once per device); the worst that it said counts,
 * bad ones of equal severity make one finding. Says nothing: not checked.
 *
 * To add one: its words in data/checks.csv, its thresholds in data/check_thresholds.csv, the
 * function and its row in check_GROUP.c, tests that it fires, stays quiet, and does not know.
 */
#ifndef HOST_CHECK_H
#define HOST_CHECK_H

#include "assay/doctor.h"

typedef struct host_check host_check_t;

typedef enum { HOST_NO, HOST_UNKNOWN, HOST_YES } host_answer_t;

/* What must be so for a check to speak of this host, and what it says when it is not. */
typedef struct {
    const char *name; /* in data/checks.csv, column applies: "AMD", "container" */
    host_answer_t (*ask)(const assay_host_t *host); /* NULL: always */
    const char *otherwise;
} host_condition_t;
/** NULL: no such name. */
const host_condition_t *host_condition_find(const char *name);

typedef struct {
    const char *id;
    void (*evaluate)(host_check_t *check); /* not called where the check does not apply */
} host_check_row_t;

typedef struct {
    const host_check_row_t *row;
    uint32_t n;
} host_check_group_t;
/* One group per file check_GROUP.c, listed in check_table.c. */
extern const host_check_group_t host_checks_kernel, host_checks_device, host_checks_pci,
    host_checks_topology, host_checks_power, host_checks_reliability, host_checks_software,
    host_checks_network, host_checks_nvidia, host_checks_environment, host_checks_settings,
    host_checks_versions, host_checks_processor, host_checks_link, host_checks_clock,
    host_checks_fabric, host_checks_memory, host_checks_masks, host_checks_container;
extern const host_check_group_t *const host_check_group[];
extern const uint32_t host_check_group_n;

const assay_host_t *host_check_host(const host_check_t *check);
const assay_host_rules_t *host_check_rules(const host_check_t *check);
/** Id of the check that runs. */
const char *host_check_id(const host_check_t *check);
/** data/check_thresholds.csv, row "ID.name". A missing row is a mistake of ours (assert). */
double host_check_threshold(const host_check_t *check, const char *name);
/** Fills {name} of this check's texts in what is reported next. */
void host_check_fill(host_check_t *check, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* at: first evidence, NULL or line 0 when there is none. device "" or NULL: the whole host.
   The sentence says the fact; file and line are put in front of it. */
void host_check_bad(host_check_t *check, const assay_place_t *at, const char *device,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
void host_check_bad_as(host_check_t *check, assay_severity_t severity, const assay_place_t *at,
                       const char *device, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void host_check_good(host_check_t *check, const assay_place_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** There is nothing here that this check speaks of. */
void host_check_none(host_check_t *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Not known, and why. */
void host_check_unknown(host_check_t *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** The next report rests on a stated fact when state says so. */
void host_check_rests_on(host_check_t *check, uint8_t state);

/** "gpu 3 (0000:c1:00.0)" or what of it is known; in the arena. */
const char *host_check_gpu_name(host_check_t *check, const assay_host_gpu_t *gpu);
/** Its address, or else its name as above: what findings list as device. */
const char *host_check_device(host_check_t *check, const assay_host_gpu_t *gpu);
/** A part of a sentence, in the language of the rules. Formats are translated as they are printed:
 * src/base/phrase_zh_host_list.h has all of them. */
const char *host_check_said(const host_check_t *check, const char *english);
const char *host_check_printf(host_check_t *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** First event of that kind at or after index i, or NULL; *i moves behind it. */
const assay_host_event_t *host_check_event(const host_check_t *check, const char *event,
                                           uint32_t *i);

/** Every event of that kind is bad. false: there is none. */
bool host_check_events(host_check_t *check, const char *event);
/** The same for lines of the kernel's log, which without one is good. */
void host_check_kernel_events(host_check_t *check, const char *event);

/* --- what more than one check asks ----------------------------------------------------------- */

/** Numbers of two versions compared one by one: "6.10.5" > "6.8"; a missing one counts as equal,
 * so that "6.2" covers "6.2.4". -1, 0, 1. */
int host_version_compare(const char *a, const char *b);
/** Newest text of a package, or NULL. */
const assay_host_setting_t *host_package(const assay_host_t *host, const char *name);
const assay_host_setting_t *host_setting(const assay_host_t *host, const char *name);
/** A name of a container is known, and it is not "none". */
bool host_in_container(const assay_host_t *host);
/** Bus of a PCI address. */
unsigned host_bdf_bus(const char *bdf);
/** A NIC that collectives may use: InfiniBand, or Ethernet of Mellanox. */
bool host_is_fabric_nic(const assay_host_pci_t *pci);
/** Accelerator of that series by name, target or PCI id: "MI300". */
bool host_is_part(const assay_host_gpu_t *gpu, const char *name);
/** First accelerator of that series, or NULL. */
const assay_host_gpu_t *host_part(const assay_host_t *host, const char *name);

/** Two AMD accelerators or more, as software sees them: they copy to each other. */
host_answer_t host_has_amd_peers(const assay_host_t *host);
host_answer_t host_has_vendor(const assay_host_t *host, assay_vendor_t vendor);
/** A data-centre part (Instinct, or NVIDIA's A, H, B, L series), as far as its name or id tells. */
host_answer_t host_is_datacentre(const assay_host_gpu_t *gpu);

/* --- which devices a process sees ------------------------------------------------------------ */

#define HOST_VISIBLE_MAX 1024u
typedef struct {
    uint32_t device[HOST_VISIBLE_MAX]; /* (n) numbers before any mask */
    uint32_t n;
    bool known; /* there is a count or a mask to tell from */
    bool named; /* device[] holds them; a mask by UUID only counts */
} host_visible_t;
/**
 * Of n devices (0: not known) those that a HIP process sees: ROCR_VISIBLE_DEVICES chooses first and
 * numbers anew, then HIP_VISIBLE_DEVICES, or CUDA_VISIBLE_DEVICES where that is not set, chooses of
 * the rest up to the first number that is none. NULL: not set.
 */
host_visible_t host_visible(const char *rocr, const char *hip, const char *cuda, uint32_t n);
/** The same for the environment of the host, with what Slurm leaves and partitions add. */
host_visible_t host_visible_here(const assay_host_rules_t *rules, const assay_host_t *host);
uint32_t host_mask_entries(const char *list);
/** Devices of all accelerators in their modes of partition; 0: not known. */
uint32_t host_device_count(const assay_host_rules_t *rules, const assay_host_t *host);
/** Devices that a part becomes in these modes, memory NULL: in any; 0: no such modes. */
uint32_t host_partition_devices(const assay_host_rules_t *rules, const assay_host_gpu_t *gpu,
                                const char *compute, const char *memory);
/** Slurm's list of devices of the step or job, or NULL. */
const assay_host_setting_t *host_slurm_list(const assay_host_t *host);
/** Fills diagnosis->partition, ->visible; false: no memory. */
bool host_partition_report(assay_arena_t *arena, const assay_host_rules_t *rules,
                           const assay_host_t *host, assay_diagnosis_t *out);
bool host_visible_report(assay_arena_t *arena, const assay_host_rules_t *rules,
                         const assay_host_t *host, assay_diagnosis_t *out);

#endif
