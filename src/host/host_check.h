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
    host_answer_t (*ask)(const assay_host_t *host);
    const char *otherwise;
} host_condition_t;
extern const host_condition_t host_if_amd, host_if_nvidia, host_if_gpu, host_if_many_gpus,
    host_if_container, host_if_rdma;

typedef struct {
    const char *id;
    const host_condition_t *applies; /* NULL: always. HOST_NO: evaluate is not called */
    void (*evaluate)(host_check_t *check);
} host_check_row_t;

typedef struct {
    const host_check_row_t *row;
    uint32_t n;
} host_check_group_t;
/* One group per file check_GROUP.c, listed in check_table.c. */
extern const host_check_group_t host_checks_kernel, host_checks_device, host_checks_pci,
    host_checks_topology, host_checks_power, host_checks_reliability, host_checks_software,
    host_checks_network, host_checks_nvidia, host_checks_environment, host_checks_settings;
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

/** Two AMD accelerators or more, as software sees them: they copy to each other. */
host_answer_t host_has_amd_peers(const assay_host_t *host);
host_answer_t host_has_vendor(const assay_host_t *host, assay_vendor_t vendor);
/** A data-centre part (Instinct, or NVIDIA's A, H, B, L series), as far as its name or id tells. */
host_answer_t host_is_datacentre(const assay_host_gpu_t *gpu);

/**
 * Devices that a HIP process sees of n (0: not known): ROCR_VISIBLE_DEVICES chooses first and
 * numbers anew, then HIP_VISIBLE_DEVICES, or CUDA_VISIBLE_DEVICES where that is not set, chooses of
 * the rest up to the first number that is none. NULL: not set. -1: cannot be told.
 */
int host_visible_devices(const char *rocr, const char *hip, const char *cuda, uint32_t n);

#endif
