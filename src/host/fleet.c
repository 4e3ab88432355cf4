#include "assay/fleet.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/archive.h"
#include "assay/pool.h"
#include "assay/text.h"
#include "host/host_archive.h"

#include "base/banned.h"

/* One host is read within this; what is kept of it is small. */
#define HOST_BYTES_MAX ((size_t)512 << 20)

/* --- facts that hosts of a fleet share -------------------------------------------------------- */

typedef struct {
    const char *what;
    size_t offset;
    bool gpu, number; /* gpu: of the accelerators, all of them */
} trait_t;

#define HOST_TEXT_TRAIT(what, field) \
    { what, offsetof(assay_host_t, field), false, false }
#define HOST_NUMBER_TRAIT(what, field) \
    { what, offsetof(assay_host_t, field), false, true }
#define GPU_TEXT_TRAIT(what, field) \
    { what, offsetof(assay_host_gpu_t, field), true, false }
#define GPU_NUMBER_TRAIT(what, field) \
    { what, offsetof(assay_host_gpu_t, field), true, true }

static const trait_t trait[] = {
    HOST_TEXT_TRAIT("CPU", cpu),
    HOST_NUMBER_TRAIT("sockets", sockets),
    HOST_NUMBER_TRAIT("CPU threads", threads),
    HOST_NUMBER_TRAIT("NUMA nodes", numa_nodes),
    HOST_TEXT_TRAIT("OS", os),
    HOST_TEXT_TRAIT("OS version", os_version),
    HOST_TEXT_TRAIT("kernel", kernel),
    HOST_TEXT_TRAIT("amdgpu driver", amdgpu_version),
    HOST_TEXT_TRAIT("NVIDIA driver", nvidia_module),
    HOST_TEXT_TRAIT("CUDA of the driver", cuda_driver),
    HOST_TEXT_TRAIT("RDMA stack", ofed),
    HOST_TEXT_TRAIT("ROCm", rocm),
    HOST_TEXT_TRAIT("CUDA toolkit", cuda_toolkit),
    HOST_TEXT_TRAIT("collective library", collective_library),
    HOST_TEXT_TRAIT("huge pages", thp),
    HOST_TEXT_TRAIT("governor", governor),
    HOST_TEXT_TRAIT("IOMMU", iommu),
    HOST_NUMBER_TRAIT("SMT", smt),
    HOST_NUMBER_TRAIT("kernel.numa_balancing", numa_balancing),
    GPU_TEXT_TRAIT("accelerator", name),
    GPU_TEXT_TRAIT("accelerator firmware", firmware),
    GPU_TEXT_TRAIT("compute partition", compute_partition),
    GPU_TEXT_TRAIT("memory partition", memory_partition),
    GPU_TEXT_TRAIT("performance level", perf_level),
    GPU_NUMBER_TRAIT("power cap [W]", power_cap_w),
    GPU_NUMBER_TRAIT("PCIe lanes", pcie_width),
    GPU_NUMBER_TRAIT("persistence mode", persistence),
    GPU_NUMBER_TRAIT("MIG mode", mig),
};
enum { N_FIELD = sizeof trait / sizeof trait[0], GPUS = N_FIELD, RDMA_PORTS, N_TRAIT };

static const char *what_of(uint32_t i) {
    return i < N_FIELD ? trait[i].what : i == GPUS ? "accelerators" : "RDMA ports";
}

/* The text of a fact; NULL: not known. */
static const char *text_of(assay_arena_t *arena, const trait_t *t, const void *owner) {
    const void *fact = (const char *)owner + t->offset;
    const assay_host_number_t *number = fact;
    const assay_host_text_t *word = fact;
    if (!t->number) {
        return assay_host_known(word->state) ? word->s : NULL;
    }
    char text[32];
    if (!assay_host_known(number->state)) {
        return NULL;
    }
    (void)assay_text_from_double_short(text, number->v, 9);
    return assay_arena_strdup(arena, text);
}

/* The values of all accelerators, each once, in the order of their appearance. */
static const char *of_gpus(assay_arena_t *arena, const trait_t *t, const assay_host_t *host) {
    const char *all = NULL;
    for (uint32_t i = 0; i < host->n_gpu && i < 256; i++) {
        const char *text = text_of(arena, t, &host->gpu[i]);
        bool known = text == NULL;
        for (uint32_t k = 0; k < i && !known; k++) {
            const char *other = text_of(arena, t, &host->gpu[k]);
            known = other && strcmp(other, text) == 0;
        }
        if (!known) {
            all = all ? assay_arena_printf(arena, "%s, %s", all, text) : text;
        }
    }
    return all;
}

/* --- one host --------------------------------------------------------------------------------- */

typedef struct {
    assay_fleet_host_t host;
    const char *path;
    const char *value[N_TRAIT]; /* NULL: not known */
} item_t;

typedef struct {
    assay_arena_t *arena; /* of the result, under the lock */
    pthread_mutex_t lock;
    const assay_host_rules_t *rules;
    const assay_doctor_options_t *options;
    item_t *item;
    assay_error_t err; /* the first one that ends all */
    bool full;
} work_t;

static const char *keep(work_t *work, const char *text) {
    const char *copy = assay_arena_strdup(work->arena, text);
    work->full |= copy == NULL;
    return copy ? copy : "";
}

static void keep_result(work_t *work, item_t *item, const assay_host_t *host,
                        const assay_diagnosis_t *diagnosis, const char *const value[N_TRAIT]) {
    memcpy(item->host.n_severity, diagnosis->n_severity, sizeof item->host.n_severity);
    item->host.n_gpu = host->n_gpu;
    item->host.reached = diagnosis->reached;
    item->host.first = diagnosis->first >= 0 ? diagnosis->finding[diagnosis->first].check : NULL;
    for (uint32_t i = 0; i < N_TRAIT; i++) {
        item->value[i] = value[i] ? keep(work, value[i]) : NULL;
    }
}

static void read_host(void *ctx, size_t index, uint32_t worker) {
    work_t *work = ctx;
    item_t *item = &work->item[index];
    assay_arena_t *arena = assay_arena_create(HOST_BYTES_MAX);
    const char *value[N_TRAIT] = {NULL};
    assay_host_t *host = NULL;
    assay_diagnosis_t *diagnosis = NULL;
    assay_error_t err = {0};
    (void)worker;
    assay_status_t status =
        arena ? assay_host_read_capture(arena, work->rules, &item->path, 1, &host, &err)
              : assay_error_set(&err, ASSAY_MEMORY, NULL, "no memory");
    if (status == ASSAY_OK) {
        status = assay_doctor(arena, work->rules, host, work->options, &diagnosis, &err);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < N_FIELD; i++) {
        value[i] = trait[i].gpu ? of_gpus(arena, &trait[i], host) : text_of(arena, &trait[i], host);
    }
    if (status == ASSAY_OK) {
        value[GPUS] = host->n_gpu ? assay_arena_printf(arena, "%u", host->n_gpu) : NULL;
        value[RDMA_PORTS] = host->n_port ? assay_arena_printf(arena, "%u", host->n_port) : NULL;
    }
    (void)pthread_mutex_lock(&work->lock);
    if (status == ASSAY_OK) {
        keep_result(work, item, host, diagnosis, value);
    } else if (status == ASSAY_NOT_FOUND) { /* the options are wrong, for every host */
        work->err = err;
    } else {
        item->host.unread = keep(work, err.what);
    }
    (void)pthread_mutex_unlock(&work->lock);
    assay_arena_destroy(arena);
}

/* --- which hosts ------------------------------------------------------------------------------ */

/* A folder or an archive below path; the name in the arena, NULL: neither. */
static const char *host_name(assay_arena_t *arena, const char *path, const char *name,
                             bool *out_file) {
    const char *below = assay_arena_printf(arena, "%s/%s", path, name);
    struct stat st;
    *out_file = false;
    if (!below || name[0] == '.' || lstat(below, &st) != 0) {
        return NULL;
    }
    const bool archive = S_ISREG(st.st_mode) && assay_archive_is_named(name);
    *out_file = S_ISREG(st.st_mode) && !archive;
    return S_ISDIR(st.st_mode) || archive ? below : NULL;
}

bool assay_fleet_is(const char *path) {
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    struct stat st;
    DIR *dir = arena && strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
                       !host_live_is_root(path) && !host_archive_is_unpacked(path)
                   ? opendir(path)
                   : NULL;
    uint32_t n_host = 0, n_file = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        bool file;
        n_host += host_name(arena, path, entry->d_name, &file) != NULL;
        n_file += file;
    }
    if (dir) {
        (void)closedir(dir);
    }
    assay_arena_destroy(arena);
    return n_host >= 2 && n_file < n_host;
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(((const item_t *)a)->path, ((const item_t *)b)->path);
}

static assay_status_t list_hosts(assay_arena_t *arena, const char *path, item_t **out_item,
                                 uint32_t *out_n, assay_error_t *err) {
    const assay_place_t at = {path, 0, 0};
    DIR *dir = opendir(path);
    uint32_t n = 0, capacity = 0;
    item_t *item = NULL;
    assay_status_t status = dir ? ASSAY_OK : assay_error_set(err, ASSAY_IO, &at, "cannot be read");
    for (struct dirent *entry; status == ASSAY_OK && (entry = readdir(dir));) {
        bool file;
        const char *below = host_name(arena, path, entry->d_name, &file);
        if (!below) {
            continue;
        }
        if (n == ASSAY_FLEET_MAX_HOSTS) {
            status =
                assay_error_set(err, ASSAY_LIMIT, &at, "more than %u hosts", ASSAY_FLEET_MAX_HOSTS);
            break;
        }
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            item_t *more = assay_arena_array(arena, capacity, sizeof *more);
            if (!more) {
                status = assay_error_memory(err, &at);
                break;
            }
            if (n > 0) {
                memcpy(more, item, n * sizeof *more);
            }
            item = more;
        }
        item[n] = (item_t){.path = below};
        item[n++].host.name = below + strlen(path) + 1;
    }
    if (dir) {
        (void)closedir(dir);
    }
    if (n > 0) {
        qsort(item, n, sizeof *item, compare_paths);
    }
    *out_item = item;
    *out_n = n;
    return status;
}

/* --- who is not like the others ----------------------------------------------------------------
 */

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#define OUTLIERS_FROM 3u /* hosts that know a fact: of two, none is usual */

/* The value of more than half of those that know it; NULL: there is none. */
static const char *usual_value(const item_t *item, uint32_t n, uint32_t t, const char **scratch,
                               uint32_t *out_n_usual, uint32_t *out_n_known) {
    const char *usual = NULL;
    uint32_t n_known = 0, run = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (item[i].value[t]) {
            scratch[n_known++] = item[i].value[t];
        }
    }
    if (n_known < OUTLIERS_FROM) {
        return NULL;
    }
    qsort(scratch, n_known, sizeof *scratch, compare_texts);
    for (uint32_t i = 0; i < n_known; i++) {
        run = i > 0 && strcmp(scratch[i], scratch[i - 1]) == 0 ? run + 1 : 1;
        if (2 * run > n_known) {
            usual = scratch[i];
            *out_n_usual = run;
        }
    }
    *out_n_known = n_known;
    return usual;
}

static int compare_outliers(const void *a, const void *b) {
    const assay_fleet_outlier_t *x = a, *y = b;
    int order = strcmp(x->what, y->what);
    order = order ? order : strcmp(x->value, y->value);
    return order ? order : x->host < y->host ? -1 : x->host > y->host;
}

static bool find_outliers(assay_arena_t *arena, const item_t *item, assay_fleet_t *fleet) {
    const uint32_t n = fleet->n_host;
    const char **scratch = assay_arena_array(arena, n, sizeof *scratch);
    uint32_t n_outlier = 0;
    for (int pass = 0; scratch && pass < 2; pass++) {
        assay_fleet_outlier_t *outlier =
            pass ? assay_arena_array(arena, n_outlier, sizeof *outlier) : NULL;
        if (pass && !outlier) {
            return false;
        }
        n_outlier = 0;
        for (uint32_t t = 0; t < N_TRAIT; t++) {
            uint32_t n_usual = 0, n_known = 0;
            const char *usual = usual_value(item, n, t, scratch, &n_usual, &n_known);
            for (uint32_t i = 0; usual && i < n; i++) {
                const char *value = item[i].value[t];
                if (!value || strcmp(value, usual) == 0) {
                    continue;
                }
                if (pass) {
                    outlier[n_outlier] =
                        (assay_fleet_outlier_t){i, what_of(t), value, usual, n_usual, n_known};
                }
                n_outlier++;
            }
        }
        if (pass && n_outlier > 0) {
            qsort(outlier, n_outlier, sizeof *outlier, compare_outliers);
        }
        fleet->outlier = outlier;
    }
    fleet->n_outlier = n_outlier;
    return scratch != NULL;
}

/* Unread ones, then by what is worst, then by name. */
static int compare_hosts(const void *a, const void *b) {
    const item_t *x = a, *y = b;
    if (!x->host.unread != !y->host.unread) {
        return x->host.unread ? -1 : 1;
    }
    for (int s = 0; s < ASSAY_SEVERITY_INFO; s++) {
        if (x->host.n_severity[s] != y->host.n_severity[s]) {
            return x->host.n_severity[s] > y->host.n_severity[s] ? -1 : 1;
        }
    }
    return strcmp(x->path, y->path);
}

static assay_status_t summarise(work_t *work, const char *path, uint32_t n,
                                const assay_fleet_t **out_fleet, assay_error_t *err) {
    assay_fleet_t *fleet = assay_arena_alloc(work->arena, sizeof *fleet);
    assay_fleet_host_t *host = assay_arena_array(work->arena, n, sizeof *host);
    if (!fleet || !host || work->full) {
        return assay_error_memory(err, NULL);
    }
    qsort(work->item, n, sizeof *work->item, compare_hosts);
    *fleet = (assay_fleet_t){.name = assay_arena_strdup(work->arena, path),
                             .host = host,
                             .n_host = n,
                             .threshold = work->options->threshold};
    for (uint32_t i = 0; i < n; i++) {
        host[i] = work->item[i].host;
        fleet->n_reached += host[i].reached;
        fleet->n_unread += host[i].unread != NULL;
    }
    if (!fleet->name || !find_outliers(work->arena, work->item, fleet)) {
        return assay_error_memory(err, NULL);
    }
    *out_fleet = fleet;
    return ASSAY_OK;
}

assay_status_t assay_fleet_read(assay_arena_t *arena, const assay_host_rules_t *rules,
                                const char *path, const assay_doctor_options_t *options,
                                uint32_t threads, const assay_hooks_t *hooks,
                                const assay_fleet_t **out_fleet, assay_error_t *err) {
    work_t work = {
        .arena = arena, .lock = PTHREAD_MUTEX_INITIALIZER, .rules = rules, .options = options};
    uint32_t n;
    assay_status_t status = list_hosts(arena, path, &work.item, &n, err);
    if (status == ASSAY_OK) {
        status = assay_pool_for(threads, n, read_host, &work, hooks);
        if (status == ASSAY_CANCELLED) {
            (void)assay_error_set(err, status, NULL, "stopped while reading %s", path);
        }
    }
    (void)pthread_mutex_destroy(&work.lock);
    if (status == ASSAY_OK && work.err.status != ASSAY_OK) {
        *err = work.err;
        status = work.err.status;
    }
    return status == ASSAY_OK ? summarise(&work, path, n, out_fleet, err) : status;
}
