/* The picture: sockets one under the other, with NUMA nodes, devices and NICs as boxes, and beside
   them the matrix of links. Stands alone: its style is in the file, light and dark. */
#include <inttypes.h>
#include <string.h>

#include "report/svg.h"
#include "report/topology_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_TOPO_##id)

enum { MARGIN = 24, ROW = 26, INDENT = 18, TREE_WIDTH = 560, CELL = 34, HEAD = 56 };

static const char style[] =
    "<style>"
    "text{font:12px system-ui,sans-serif;fill:#1a1a1a}"
    ".title{font-size:15px;font-weight:600}.small{font-size:11px;fill:#555}"
    ".group{fill:none;stroke:#b8b8b8}.device{fill:#e3ecf7;stroke:#5b84b1}"
    ".nic{fill:#efe9dc;stroke:#a08a5b}.self{fill:#f2f2f2}.none{fill:#fff}"
    ".fast{fill:#5b84b1}.slow{fill:#e7c9a9}.unknown{fill:#ddd}.cell{stroke:#fff}"
    ".on{fill:#fff}"
    "@media(prefers-color-scheme:dark){svg{background:#16181c}text{fill:#e8e8e8}"
    ".small{fill:#aaa}.group{stroke:#555}.device{fill:#22354b}.nic{fill:#3a3325}"
    ".self{fill:#2a2d33}.none{fill:#16181c}.unknown{fill:#444}.cell{stroke:#16181c}"
    ".slow{fill:#7a5a38}}"
    "</style>\n";

typedef struct {
    assay_view_t *view;
    const assay_topology_t *t;
    bool draw; /* false: only the height is wanted */
    int y;
} picture_t;

static const char *number(assay_view_t *view, int value) {
    return assay_view_format(view, "%d", value);
}

static void text(picture_t *p, int x, int y, const char *css, const char *words) {
    if (p->draw) {
        assay_html_printf(p->view->out, "<text x=\"%s\" y=\"%s\" class=\"%s\">%s</text>\n",
                          number(p->view, x), number(p->view, y), css, words);
    }
}

static void box(picture_t *p, int x, int y, int width, int height, const char *css) {
    if (p->draw) {
        assay_html_printf(
            p->view->out,
            "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"3\" class=\"%s\"/>\n",
            number(p->view, x), number(p->view, y), number(p->view, width), number(p->view, height),
            css);
    }
}

static void row(picture_t *p, int depth, const char *css, const char *words) {
    const int x = MARGIN + depth * INDENT;
    if (*css) {
        box(p, x, p->y, TREE_WIDTH - depth * INDENT - INDENT, ROW - 4, css);
    }
    text(p, x + 8, p->y + 15, "", assay_view_cut(p->view, words, 76));
    p->y += ROW;
}

static void put_numa(picture_t *p, int64_t numa, int depth) {
    for (uint32_t i = 0; i < p->t->n_device; i++) {
        if (p->t->device[i].numa == numa) {
            row(p, depth, "device", assay_topology_device_line(p->view, &p->t->device[i]));
        }
    }
    for (uint32_t i = 0; i < p->t->n_nic; i++) {
        if (p->t->nic[i].numa == numa) {
            row(p, depth, "nic", assay_topology_nic_line(p->view, &p->t->nic[i]));
        }
    }
}

/* The frame of a group that began at y. */
static void frame(picture_t *p, int depth, int y) {
    const int x = MARGIN + depth * INDENT;
    box(p, x, y, TREE_WIDTH - depth * INDENT - INDENT / 2, p->y - y, "group");
    p->y += 6;
}

static bool any_outside(const assay_topology_t *t) {
    for (uint32_t i = 0; i < t->n_device; i++) {
        if (t->device[i].numa < 0) {
            return true;
        }
    }
    for (uint32_t i = 0; i < t->n_nic; i++) {
        if (t->nic[i].numa < 0) {
            return true;
        }
    }
    return false;
}

static void put_tree(picture_t *p) {
    const assay_topology_t *t = p->t;
    assay_view_t *view = p->view;
    p->y = HEAD;
    for (uint32_t i = 0; i < t->n_numa;) {
        const int64_t socket = t->numa[i].socket;
        const int start = p->y;
        if (socket >= 0) {
            row(p, 0, "", SAY(view, TOPO_SOCKET, assay_view_format(view, "%" PRId64, socket)));
        }
        do {
            const int depth = socket >= 0 ? 1 : 0, top = p->y;
            row(p, depth, "", assay_topology_numa_line(view, &t->numa[i]));
            put_numa(p, t->numa[i].node, depth + 1);
            frame(p, depth, top);
            i++;
        } while (i < t->n_numa && socket >= 0 && t->numa[i].socket == socket);
        if (socket >= 0) {
            frame(p, 0, start);
        }
    }
    if (any_outside(t)) {
        const int start = p->y;
        row(p, 0, "", t->catalog_only ? TEXT(DEVICES) : TEXT(NO_NUMA));
        put_numa(p, -1, 1);
        frame(p, 0, start);
    }
}

static const char *shade(const assay_topology_link_t *link) {
    switch ((assay_link_kind_t)link->kind) {
    case ASSAY_LINK_XGMI:
        return link->direct_known && link->links == 0 ? "none" : "fast";
    case ASSAY_LINK_NVLINK:
        return "fast";
    case ASSAY_LINK_PCIE:
        return "slow";
    default:
        return link->direct_known ? "none" : "unknown";
    }
}

#define MATRIX_MAX 64u

static void put_matrix(picture_t *p) {
    const assay_topology_t *t = p->t;
    assay_view_t *view = p->view;
    const int left = MARGIN + TREE_WIDTH + 70;
    if (!t->any_link || t->n_device > MATRIX_MAX) {
        return;
    }
    for (uint32_t i = 0; i < t->n_device; i++) {
        const int y = HEAD + 20 + (int)i * CELL;
        text(p, left - 52, y + 21, "small", t->device[i].name);
        text(p, left + (int)i * CELL + 12, HEAD + 12, "small", t->device[i].name + 4);
        for (uint32_t k = 0; k < t->n_device; k++) {
            const char *css = i == k ? "self" : shade(&t->link[(size_t)i * t->n_device + k]);
            const int x = left + (int)k * CELL;
            assay_html_printf(view->out,
                              "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" "
                              "class=\"cell %s\"/>\n",
                              number(view, x), number(view, y), number(view, CELL),
                              number(view, CELL), css);
            if (i != k) {
                text(p, x + 5, y + 21, strcmp(css, "fast") == 0 ? "small on" : "small",
                     assay_topology_cell(view, t, i, k));
            }
        }
    }
    text(p, left - 52, HEAD + 40 + (int)t->n_device * CELL, "small", TEXT(LEGEND_SHORT));
}

void assay_topology_write_svg(assay_view_t *view, const assay_topology_t *t) {
    picture_t p = {.view = view, .t = t};
    put_tree(&p);
    const bool matrix = t->any_link && t->n_device <= MATRIX_MAX;
    const int columns = matrix ? (int)t->n_device : 0;
    const int matrix_height = matrix ? HEAD + 60 + columns * CELL : 0;
    const int height =
        (p.y > matrix_height ? p.y : matrix_height) + MARGIN + (int)t->n_difference * 18;
    const int width =
        matrix ? MARGIN + TREE_WIDTH + 70 + columns * CELL + MARGIN : 2 * MARGIN + TREE_WIDTH;
    assay_html_printf(view->out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" "
                      "width=\"%s\" height=\"%s\" role=\"img\">\n<title>%s</title>\n",
                      number(view, width), number(view, height), number(view, width),
                      number(view, height), assay_topology_sentence(view, t));
    assay_buf_puts(view->out, style);
    p.draw = true;
    text(&p, MARGIN, 30, "title",
         assay_view_cut(view, assay_topology_sentence(view, t), (size_t)width / 9));
    put_tree(&p);
    put_matrix(&p);
    int y = p.y > matrix_height ? p.y : matrix_height;
    for (uint32_t i = 0; i < t->n_difference; i++, y += 18) {
        text(&p, MARGIN, y + 14, "", assay_topology_difference(view, &t->difference[i]));
    }
    assay_buf_puts(view->out, "</svg>\n");
}
