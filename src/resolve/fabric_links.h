/* The links of a node, as physics wants them, from the catalog's description of its fabric. */
#ifndef RESOLVE_FABRIC_LINKS_H
#define RESOLVE_FABRIC_LINKS_H

#include "assay/machine.h"

/**
 * Fills *out_links for a node of devices_per_node devices (the first ones of the fabric).
 * fabric NULL: no links, kind NONE. Rates that the fabric does not know are 0: the caller decides.
 * With a pair matrix of at most ASSAY_PAIR_DEVICES devices, cut_bytes_per_s[n][s] is the min-cut
 * of the worst group of n devices at stride s, groups being aligned blocks of n x s devices, and
 * p2p_bytes_per_s[s] the worst pair s apart; elsewhere both are 0.
 *
 * A group (or pair) that its own links do not connect sends through devices of other groups, which
 * do the same at that time: a way over h links is worth its narrowest link divided by h. Each
 * member that is cut off adds its best such way to the members connected with the first one.
 */
void assay_links_from_fabric(const assay_fabric_t *fabric, uint32_t devices_per_node,
                             assay_links_t *out_links);
/**
 * Is there a rate between any two devices of the node? Where not, no time of a collective is
 * finite. A full mesh of which only the rate of all links of a device is known has that divided
 * evenly.
 */
bool assay_links_known(const assay_links_t *links, uint32_t devices_per_node);

#endif
