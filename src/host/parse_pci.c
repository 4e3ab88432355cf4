/* PCI functions: lspci in every verbosity. */
#include <ctype.h>
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

bool host_hex(host_span_t text, unsigned *out_value) {
    unsigned value = 0;
    if (text.n == 0 || text.n > 8) {
        return false;
    }
    for (size_t i = 0; i < text.n; i++) {
        const char c = (char)tolower((unsigned char)text.s[i]);
        if (!isxdigit((unsigned char)c)) {
            return false;
        }
        value = value * 16 + (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    *out_value = value;
    return true;
}

assay_host_pci_t *host_pci(host_parse_t *parse, const char *bdf) {
    for (uint32_t i = 0; i < parse->host->n_pci; i++) {
        if (strcmp(parse->host->pci[i].bdf, bdf) == 0) {
            return &parse->host->pci[i];
        }
    }
    assay_host_pci_t *pci = host_add(parse, pci);
    if (pci) {
        *pci = (assay_host_pci_t){.bdf = bdf, .at = host_here(parse)};
    }
    return pci;
}

/* Display controllers and processing accelerators of the two vendors. A display of a management
   controller has another vendor. */
bool host_pci_is_gpu(const assay_host_pci_t *pci) {
    const assay_vendor_t vendor = host_vendor(pci->vendor_id);
    return (vendor == ASSAY_VENDOR_AMD || vendor == ASSAY_VENDOR_NVIDIA) &&
           (pci->subclass >> 8 == 0x03 || pci->subclass == 0x1200);
}

void host_pci_gpu(host_parse_t *parse, const assay_host_pci_t *pci) {
    if (!pci || !host_pci_is_gpu(pci)) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, host_vendor(pci->vendor_id), -1, pci->bdf);
    if (!gpu) {
        return;
    }
    host_set_number(parse, &gpu->vendor_id, pci->vendor_id);
    if (pci->device_id) {
        host_set_number(parse, &gpu->device_id, pci->device_id);
    }
    if (pci->driver) {
        host_set_text(parse, &gpu->driver, host_span(pci->driver));
    }
    const struct {
        const assay_host_number_t *from;
        assay_host_number_t *to;
    } link[] = {{&pci->width, &gpu->pcie_width},
                {&pci->width_max, &gpu->pcie_width_max},
                {&pci->gt_s, &gpu->pcie_gt_s},
                {&pci->gt_s_max, &gpu->pcie_gt_s_max},
                {&pci->numa_node, &gpu->numa_node},
                {&pci->bar_bytes, &gpu->bar_bytes},
                {&pci->aer_correctable, &gpu->aer_correctable},
                {&pci->aer_uncorrectable, &gpu->aer_uncorrectable}};
    for (size_t i = 0; i < sizeof link / sizeof link[0]; i++) {
        if (link[i].to->state < link[i].from->state) {
            *link[i].to = *link[i].from;
        }
    }
}

/* The bridge right above: the one with the fewest buses that holds this bus. */
void host_pci_settle(assay_host_t *host) {
    for (uint32_t i = 0; i < host->n_pci; i++) {
        assay_host_pci_t *pci = &host->pci[i];
        uint32_t part[4], other[4], least = 256;
        size_t n;
        if (pci->parent || !host_bdf_parts(host_span(pci->bdf), part, &n)) {
            continue;
        }
        for (uint32_t k = 0; k < host->n_pci; k++) {
            const assay_host_pci_t *bridge = &host->pci[k];
            if (bridge->bus_first > 0 && bridge->bus_first <= part[1] &&
                part[1] <= bridge->bus_last && bridge->bus_last - bridge->bus_first < least &&
                host_bdf_parts(host_span(bridge->bdf), other, &n) && other[0] == part[0]) {
                least = bridge->bus_last - bridge->bus_first;
                pci->parent = bridge->bdf;
            }
        }
    }
}

/* --- configuration space --------------------------------------------------------------------- */

static uint32_t little(host_span_t bytes, size_t at, size_t n) {
    uint32_t value = 0;
    for (size_t i = 0; i < n && at + i < bytes.n; i++) {
        value |= (uint32_t)(unsigned char)bytes.s[at + i] << (8 * i);
    }
    return value;
}

/* Registers of the PCI Express capability: offsets and bits of the PCI Express base specification,
   as in Linux' pci_regs.h. */
static void read_express(host_parse_t *parse, host_span_t bytes, size_t at, assay_host_pci_t *pci) {
    const uint32_t control = little(bytes, at + 0x08, 2), capability2 = little(bytes, at + 0x24, 4);
    host_set_number(parse, &pci->read_request_bytes, 128u << (control >> 12 & 7));
    host_set_number(parse, &pci->relaxed, control >> 4 & 1);
    host_set_number(parse, &pci->atomics, (capability2 & 0x1c0) != 0); /* routes, or completes */
}

void host_pci_config(host_parse_t *parse, host_span_t bytes, assay_host_pci_t *pci) {
    enum { EXPRESS = 0x10, ACS = 0x0d, ATS = 0x0f, TURNS_MAX = 96 };
    if (bytes.n < 256 || !(little(bytes, 0x06, 2) & 0x10)) {
        return; /* without permission only the first 64 bytes are given */
    }
    size_t at = little(bytes, 0x34, 1) & 0xfc;
    for (int turn = 0; turn < TURNS_MAX && at >= 0x40 && at + 0x28 <= bytes.n; turn++) {
        if (little(bytes, at, 1) == EXPRESS) {
            read_express(parse, bytes, at, pci);
        }
        at = little(bytes, at + 1, 1) & 0xfc;
    }
    at = 0x100;
    for (int turn = 0; turn < TURNS_MAX && at >= 0x100 && at + 8 <= bytes.n; turn++) {
        const uint32_t head = little(bytes, at, 4), control = little(bytes, at + 6, 2);
        if ((head & 0xffff) == ACS) {
            host_set_number(parse, &pci->acs_valid, control & 1);
            host_set_number(parse, &pci->acs_request, control >> 2 & 1);
            host_set_number(parse, &pci->acs_complete, control >> 3 & 1);
        } else if ((head & 0xffff) == ATS) {
            host_set_number(parse, &pci->ats, control >> 15 & 1);
        }
        at = head >> 20 & 0xffc;
    }
}

/* --- lspci ----------------------------------------------------------------------------------- */

/* Names of classes that lspci prints without -n. */
static unsigned class_of(host_span_t text) {
    static const struct {
        const char *name;
        unsigned subclass;
    } row[] = {{"PCI bridge", 0x0604},
               {"Host bridge", 0x0600},
               {"VGA compatible controller", 0x0300},
               {"3D controller", 0x0302},
               {"Display controller", 0x0380},
               {"Processing accelerators", 0x1200},
               {"Ethernet controller", 0x0200},
               {"Infiniband controller", 0x0207},
               {"InfiniBand controller", 0x0207},
               {"Network controller", 0x0280}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_starts(text, row[i].name)) {
            return row[i].subclass;
        }
    }
    return 0;
}

/* "[1002:74a1]" and "[1200]" of lspci -nn. */
static void read_ids(host_span_t text, assay_host_pci_t *pci) {
    for (host_span_t rest = text; rest.n > 0;) {
        (void)host_cut(&rest, "[");
        host_span_t inside = rest;
        inside = host_cut(&inside, "]");
        unsigned first, second;
        if (inside.n == 9 && inside.s[4] == ':' && host_hex((host_span_t){inside.s, 4}, &first) &&
            host_hex((host_span_t){inside.s + 5, 4}, &second)) {
            pci->vendor_id = first;
            pci->device_id = second;
        } else if (inside.n == 4 && host_hex(inside, &first) && pci->subclass == 0) {
            pci->subclass = first;
        }
    }
    static const struct {
        const char *name;
        uint32_t vendor;
    } vendor[] = {{"[AMD/ATI]", 0x1002}, {"NVIDIA Corporation", 0x10de}, {"Mellanox", 0x15b3}};
    for (size_t i = 0; pci->vendor_id == 0 && i < sizeof vendor / sizeof vendor[0]; i++) {
        if (host_has(text, vendor[i].name)) {
            pci->vendor_id = vendor[i].vendor;
        }
    }
}

static assay_host_pci_t *read_head(host_parse_t *parse, host_span_t line, host_span_t address) {
    const char *bdf = host_bdf(parse, address);
    assay_host_pci_t *pci = bdf ? host_pci(parse, bdf) : NULL;
    if (!pci) {
        return NULL;
    }
    const host_span_t text = host_trim(
        (host_span_t){address.s + address.n, (size_t)(line.s + line.n - address.s) - address.n});
    pci->subclass = class_of(text);
    read_ids(text, pci);
    unsigned number, vendor, device;
    host_span_t rest = text, ids;
    if (pci->subclass == 0 && host_hex(host_cut(&rest, ":"), &number)) { /* lspci -n */
        pci->subclass = number;
        rest = host_trim(rest);
        ids = host_word(&rest);
        if (host_hex(host_cut(&ids, ":"), &vendor) && host_hex(ids, &device)) {
            pci->vendor_id = vendor;
            pci->device_id = device;
        }
    }
    const ptrdiff_t colon = host_find(text, ": ");
    pci->name = colon >= 0 ? host_copy(parse, host_trim((host_span_t){text.s + colon + 2,
                                                                      text.n - (size_t)colon - 2}))
                           : NULL;
    pci->bridge = pci->subclass == 0x0604;
    return pci;
}

/* Number behind key: "Speed 8GT/s", "Width x16", "MaxReadReq 512 bytes". */
static void read_after(host_parse_t *parse, host_span_t line, const char *key,
                       assay_host_number_t *fact) {
    const ptrdiff_t at = host_find(line, key);
    double number;
    host_span_t rest;
    if (at >= 0) {
        const size_t used = (size_t)at + strlen(key);
        if (host_number((host_span_t){line.s + used, line.n - used}, &number, &rest)) {
            host_set_number(parse, fact, number);
        }
    }
}

static void read_mark(host_parse_t *parse, host_span_t line, const char *name,
                      assay_host_number_t *fact) {
    const ptrdiff_t at = host_find(line, name);
    const size_t sign = (size_t)at + strlen(name);
    if (at >= 0 && sign < line.n && (line.s[sign] == '+' || line.s[sign] == '-')) {
        host_set_number(parse, fact, line.s[sign] == '+');
    }
}

static void read_detail(host_parse_t *parse, host_span_t text, assay_host_pci_t *pci) {
    host_span_t key, value;
    if (host_has(text, "MaxReadReq ")) {
        read_after(parse, text, "MaxReadReq ", &pci->read_request_bytes);
    }
    if (host_starts(text, "AtomicOpsCap:")) { /* what it passes on, or completes */
        host_set_number(parse, &pci->atomics, host_has(text, "Routing+") || host_has(text, "bit+"));
    }
    const ptrdiff_t size = host_find(text, " [size=");
    double window;
    if ((host_starts(text, "Memory at ") || host_starts(text, "Region ")) && size >= 0) {
        host_span_t rest = {text.s + size + 7, text.n - (size_t)size - 7};
        if (host_quantity(host_cut(&rest, "]"), true, &window) && window > pci->bar_bytes.v) {
            pci->bar_bytes = (assay_host_number_t){0};
            host_set_number(parse, &pci->bar_bytes, window);
        }
    }
    if (host_has(text, "RlxdOrd")) {
        read_mark(parse, text, "RlxdOrd", &pci->relaxed);
    }
    if (host_starts(text, "Bus: primary=")) {
        const ptrdiff_t second = host_find(text, "secondary="),
                        last = host_find(text, "subordinate=");
        unsigned from, to;
        if (second >= 0 && last >= 0 && (size_t)second + 12 <= text.n &&
            (size_t)last + 14 <= text.n &&
            host_hex((host_span_t){text.s + second + 10, 2}, &from) &&
            host_hex((host_span_t){text.s + last + 12, 2}, &to)) {
            pci->bus_first = from;
            pci->bus_last = to;
        }
    }
    if (!host_key_value(text, ':', &key, &value)) {
        return;
    }
    if (host_is(key, "LnkCap")) {
        read_after(parse, value, "Speed ", &pci->gt_s_max);
        read_after(parse, value, "Width x", &pci->width_max);
    } else if (host_is(key, "LnkSta")) {
        read_after(parse, value, "Speed ", &pci->gt_s);
        read_after(parse, value, "Width x", &pci->width);
    } else if (host_is(key, "ACSCtl")) {
        read_mark(parse, value, "SrcValid", &pci->acs_valid);
        read_mark(parse, value, "ReqRedir", &pci->acs_request);
        read_mark(parse, value, "CmpltRedir", &pci->acs_complete);
    } else if (host_is(key, "ATSCtl")) {
        read_mark(parse, value, "Enable", &pci->ats);
    } else if (host_is(key, "NUMA node")) {
        host_set_quantity(parse, &pci->numa_node, value, false);
    } else if (host_is(key, "Kernel driver in use")) {
        pci->driver = host_copy(parse, value);
    }
}

void host_parse_lspci(host_parse_t *parse) {
    assay_host_pci_t *pci = NULL;
    bool whole = false;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        if (host_indent(line) > 0) {
            if (pci) {
                read_detail(parse, host_trim(line), pci);
            }
            continue;
        }
        const host_span_t address = host_word(&rest);
        uint32_t part[4];
        size_t n;
        if (host_bdf_parts(address, part, &n) && n == address.n) {
            host_pci_gpu(parse, pci);
            pci = read_head(parse, line, address);
            whole |= pci && pci->subclass == 0x0600; /* an excerpt has no host bridge */
        }
    }
    host_pci_gpu(parse, pci);
    parse->host->pci_seen |= whole;
}
