#include <inttypes.h>

#include "report/topology_view.h"

#include "base/banned.h"

static void put_node(assay_json_t *json, const char *key, int64_t node) {
    assay_json_number_if(json, key, node >= 0, (double)node);
}

static void put_text(assay_json_t *json, const char *key, const char *text) {
    assay_json_string(json, key, text && *text ? text : NULL);
}

static void put_device(assay_json_t *json, const assay_topology_t *t, uint32_t i) {
    const assay_topology_device_t *d = &t->device[i];
    const int32_t nic = assay_topology_near_nic(t, i);
    assay_json_begin_object(json, NULL);
    assay_json_count(json, "index", i);
    assay_json_string(json, "name", d->name);
    put_text(json, "address", d->bdf);
    put_text(json, "model", d->model);
    assay_json_count(json, "package", d->package);
    put_node(json, "numa", d->numa);
    put_text(json, "cpus", d->cpus);
    put_text(json, "switch", d->bridge);
    assay_json_string(json, "near_nic", nic >= 0 ? t->nic[nic].name : NULL);
    if (d->gpu) {
        const assay_host_gpu_t *gpu = d->gpu;
        assay_json_number_if(json, "memory_bytes", assay_host_known(gpu->vram_bytes.state),
                             gpu->vram_bytes.v);
        assay_json_number_if(json, "pcie_width_max", assay_host_known(gpu->pcie_width_max.state),
                             gpu->pcie_width_max.v);
        assay_json_number_if(json, "pcie_gt_s_max", assay_host_known(gpu->pcie_gt_s_max.state),
                             gpu->pcie_gt_s_max.v);
        put_text(json, "compute_partition", gpu->compute_partition.s);
        put_text(json, "memory_partition", gpu->memory_partition.s);
    }
    assay_json_end(json);
}

static void put_links(assay_json_t *json, const assay_topology_t *t) {
    assay_json_begin_array(json, "links");
    for (uint32_t i = 0; t->any_link && i < t->n_device; i++) {
        for (uint32_t k = i + 1; k < t->n_device; k++) {
            const assay_topology_link_t *link = &t->link[(size_t)i * t->n_device + k];
            assay_json_begin_object(json, NULL);
            assay_json_count(json, "a", i);
            assay_json_count(json, "b", k);
            assay_json_string(json, "kind", assay_link_kind_name((assay_link_kind_t)link->kind));
            put_text(json, "type", link->type);
            assay_json_number_if(json, "links", link->direct_known, link->links);
            assay_json_number_if(json, "bytes_per_s", link->bytes_per_s > 0, link->bytes_per_s);
            assay_json_end(json);
        }
    }
    assay_json_end(json);
}

static void put_bindings(assay_view_t *view, assay_json_t *json, const assay_topology_t *t) {
    assay_json_begin_object(json, "binding");
    assay_json_string(json, "map", assay_topology_srun(view, t, false));
    assay_json_string(json, "mask", assay_topology_srun(view, t, true));
    put_text(json, "source", t->bind_source);
    assay_json_end(json);
}

static void put_nodes(assay_json_t *json, const assay_topology_t *t) {
    assay_json_begin_array(json, "numa");
    for (uint32_t i = 0; i < t->n_numa; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_number(json, "node", (double)t->numa[i].node);
        put_node(json, "socket", t->numa[i].socket);
        put_text(json, "cpus", t->numa[i].cpus);
        assay_json_number_if(json, "memory_bytes", t->numa[i].bytes > 0, t->numa[i].bytes);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_begin_array(json, "devices");
    for (uint32_t i = 0; i < t->n_device; i++) {
        put_device(json, t, i);
    }
    assay_json_end(json);
    assay_json_begin_array(json, "nics");
    for (uint32_t i = 0; i < t->n_nic; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "name", t->nic[i].name);
        put_node(json, "numa", t->nic[i].numa);
        assay_json_number_if(json, "bits_per_s", t->nic[i].bits_per_s > 0, t->nic[i].bits_per_s);
        put_text(json, "state", t->nic[i].state);
        assay_json_end(json);
    }
    assay_json_end(json);
}

void assay_topology_write_json(assay_view_t *view, const assay_topology_t *t) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_count(&json, "topology", 1);
    assay_json_string(&json, "host", t->name);
    assay_json_string(&json, "accelerator", t->accelerator ? t->accelerator->id : NULL);
    assay_json_string(&json, "system", t->system ? t->system->id : NULL);
    assay_json_string(&json, "fabric", t->fabric ? t->fabric->id : NULL);
    assay_json_bool(&json, "measured", !t->catalog_only);
    assay_json_number_if(&json, "sockets", t->sockets > 0, t->sockets);
    put_nodes(&json, t);
    put_links(&json, t);
    assay_json_begin_array(&json, "differences");
    for (uint32_t i = 0; i < t->n_difference; i++) {
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "expected", t->difference[i].expected);
        assay_json_string(&json, "found", t->difference[i].found);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    put_bindings(view, &json, t);
    assay_json_string(&json, "sentence", assay_topology_sentence(view, t));
    assay_json_end(&json);
}
