/* One UTF-8 sequence at a time; private to base. */
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/**
 * Length (1..4) of the valid sequence at text[0..n), its code point in *out_code; 0 when the bytes
 * are not valid UTF-8 (overlong, surrogate, beyond 10FFFF, cut short) or n is 0.
 */
size_t assay_utf8_decode(const char *text, size_t n, uint32_t *out_code);
/** Columns of a code point on a terminal: 2 for wide East Asian ones and emoji, else 1. */
uint32_t assay_utf8_columns(uint32_t code);

#endif
