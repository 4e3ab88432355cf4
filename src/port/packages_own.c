/* A tree that holds a package's sources imports itself: that is no dependency. One that is the
   package's project names itself in its lists as well. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

typedef enum { OWN_NOT, OWN_SOMEWHERE, OWN_PROJECT } own_t;

/* "", "src/", "MODULE/", "python/MODULE/": where a project keeps its package. */
static bool is_project_folder(const char *path, size_t n, const char *module) {
    static const char *const folders[] = {"", "src/", "python/", "lib/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t n_folder = strlen(folders[i]), n_module = strcspn(module, ".");
        if (n < n_folder || memcmp(path, folders[i], n_folder) != 0) {
            continue;
        }
        if (n == n_folder || (n == n_folder + n_module + 1 && path[n - 1] == '/' &&
                              memcmp(path + n_folder, module, n_module) == 0)) {
            return true;
        }
    }
    return false;
}

/* path is MODULE/__init__.py, in the root or in any folder; module as written in an import. */
static own_t init_of(const char *path, const char *module) {
    static const char init[] = "/__init__.py";
    const size_t n_path = strlen(path), n_module = strlen(module), n_init = sizeof init - 1;
    if (n_path < n_module + n_init || strcmp(path + n_path - n_init, init) != 0) {
        return OWN_NOT;
    }
    const char *start = path + n_path - n_init - n_module;
    if (start != path && start[-1] != '/') {
        return OWN_NOT;
    }
    for (size_t i = 0; i < n_module; i++) {
        if (start[i] != (module[i] == '.' ? '/' : module[i])) {
            return OWN_NOT;
        }
    }
    return is_project_folder(path, (size_t)(start - path), module) ? OWN_PROJECT : OWN_SOMEWHERE;
}

static own_t own_of(const port_packages_t *packages, const char *id,
                    const assay_port_scan_t *scan) {
    own_t most = OWN_NOT;
    for (uint32_t i = 0; i < scan->n_file && most != OWN_PROJECT; i++) {
        const port_package_t *package;
        const char *module;
        if (scan->file[i].language != ASSAY_PORT_PYTHON) {
            continue;
        }
        for (uint32_t k = 0; (module = port_module_at(packages, k, &package)) != NULL; k++) {
            const own_t own =
                strcmp(package->id, id) == 0 ? init_of(scan->file[i].path, module) : OWN_NOT;
            most = own > most ? own : most;
        }
    }
    return most;
}

bool port_packages_is_own(const port_packages_t *packages, const char *id,
                          const assay_port_scan_t *scan) {
    return own_of(packages, id, scan) != OWN_NOT;
}

const char *port_packages_own(const port_packages_t *packages, const assay_port_scan_t *scan) {
    const port_package_t *package;
    for (uint32_t k = 0; port_module_at(packages, k, &package) != NULL; k++) {
        const bool there = port_package_ready(package) || package->status == PORT_PACKAGE_FORK;
        if (there && port_packages_is_own(packages, package->id, scan)) {
            return package->id;
        }
    }
    return NULL;
}

static bool speaks_of_package(const char *rule) {
    return strncmp(rule, "package-", 8) == 0 || strcmp(rule, "framework-not-listed") == 0;
}

/* Takes back what reading_package counted. */
static void forget(const port_packages_t *packages, const assay_port_finding_t *finding,
                   assay_port_file_t *file) {
    const port_package_t *package = port_package_find(packages, finding->api, strlen(finding->api));
    file->finding[finding->effect] -= file->finding[finding->effect] > 0;
    assay_port_references_t *count = &file->references[ASSAY_PORT_REFERENCE_PACKAGE];
    count->all -= count->all > 0;
    if (package && package->status == PORT_PACKAGE_NONE) {
        count->cuda_only -= count->cuda_only > 0;
    } else if (package && port_package_ready(package)) {
        count->ready -= count->ready > 0;
    }
}

void port_packages_forget_own(const port_packages_t *packages, assay_port_scan_t *scan) {
    enum { MAX_ASKED = 64 };
    struct {
        const char *id;
        own_t own;
    } asked[MAX_ASKED];
    uint32_t n_asked = 0, kept = 0, at = 0;
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        const assay_port_finding_t *f = &scan->finding[i];
        while (at < scan->n_file && strcmp(scan->file[at].path, f->at.file) != 0) {
            at++; /* findings stand in the order of the files */
        }
        const uint8_t language = at < scan->n_file ? scan->file[at].language : ASSAY_PORT_OTHER;
        bool own = false;
        if (speaks_of_package(f->rule)) {
            uint32_t k = 0;
            while (k < n_asked && strcmp(asked[k].id, f->api) != 0) {
                k++;
            }
            if (k == n_asked && n_asked < MAX_ASKED) {
                asked[n_asked].id = f->api;
                asked[n_asked++].own = own_of(packages, f->api, scan);
            }
            const bool imports = language == ASSAY_PORT_PYTHON || language == ASSAY_PORT_NOTEBOOK;
            own = k < n_asked && asked[k].own >= (imports ? OWN_SOMEWHERE : OWN_PROJECT);
        }
        if (own) {
            forget(packages, f, &scan->file[at]);
        } else {
            scan->finding[kept++] = *f;
        }
    }
    scan->n_finding = kept;
}
