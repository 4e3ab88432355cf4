/* Build files: words whose HIP form takes the same place. Lists of architectures, versions and
   options with arguments are left to the user, who finds them named by the scan. */
#include <string.h>

#include "port/reading.h"
#include "port/rewrite.h"

#include "base/banned.h"

void port_rewrite_build(port_rewrite_t *rewrite) {
    const port_packages_t *packages = port_tables_packages(rewrite->tables);
    const char *data = rewrite->data;
    const bool is_cmake = rewrite->language == ASSAY_PORT_CMAKE;
    const unsigned where = PORT_WHERE_FLAG | (is_cmake ? PORT_WHERE_CMAKE : PORT_WHERE_MAKE);
    bool in_block = false;
    if (build_has_hip(data, rewrite->size)) {
        return;
    }
    for (size_t at = 0, next; at < rewrite->size; at = next) {
        const size_t end = reading_line(data, at, rewrite->size, &next);
        const size_t stop = build_code_end(data, at, end, is_cmake, &in_block);
        for (size_t word, n, begin = at; reading_word(data, &begin, stop, &word, &n);) {
            const size_t sentence = reading_sentence_end(data, at, word, n, stop);
            begin = sentence ? sentence : begin;
            const port_term_t *term = port_term_find(packages, where, data + word, n, "", 0);
            const bool in_path = word > at && data[word - 1] == '/';
            if (term && term->rewrite[0] && !in_path) {
                port_rewrite_add(rewrite, word, n, term->rewrite);
            }
        }
    }
}
