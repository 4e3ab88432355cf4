#!/bin/sh
# Installs into a temporary folder and uses what was installed: the program, and the library from C,
# shared and static, through pkg-config.
set -eu
cd -- "$(dirname -- "$0")/../.."
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
./dev install --prefix "$prefix" >/dev/null
"$prefix/bin/assay" --version
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name assay.pc)")
export PKG_CONFIG_PATH

cat >"$prefix/ask.c" <<'C'
#include <stdio.h>
#include <string.h>

#include <assay/run.h>

int main(void) {
    static const char request[] =
        "{\"verb\": \"decide\", \"job\": {\"workload\": {\"train\": {\"model\": \"llama-65b\","
        "\"dataset_tokens\": 1.4e12}}, \"candidates\": [{\"system\": \"8x-a100-pcie-80g\","
        "\"nodes\": 256}, {\"system\": \"8x-mi250x-oam\", \"nodes\": 256}]}}";
    assay_buf_t out;
    assay_error_t err = {0};
    char line[1200];
    assay_buf_init(&out, 1u << 24);
    assay_status_t status = assay_run(request, strlen(request), NULL, &out, &err);
    if (status) {
        fprintf(stderr, "%s\n", assay_error_line(&err, line, sizeof line));
    } else {
        fwrite(out.data, 1, out.n, stdout);
    }
    assay_buf_done(&out);
    return assay_status_exit_code(status);
}
C
"$prefix/bin/assay" decide --model llama-65b --on 8x-a100-pcie-80g,8x-mi250x-oam --nodes 256 \
    --tokens 1.4e12 --json >"$prefix/program.json"
# shellcheck disable=SC2046 # lists of flags
cc "$prefix/ask.c" -o "$prefix/shared" $(pkg-config --cflags --libs assay)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir assay) "$prefix/shared" >"$prefix/shared.json"
# shellcheck disable=SC2046
cc "$prefix/ask.c" -o "$prefix/static" $(pkg-config --cflags assay) \
    "$(pkg-config --variable=libdir assay)/libassay.a" \
    $(pkg-config --libs yaml-0.1 jansson) -lm -pthread
"$prefix/static" >"$prefix/static.json"
cmp "$prefix/program.json" "$prefix/shared.json"
cmp "$prefix/program.json" "$prefix/static.json"
echo "program, shared and static library give the same answer"
