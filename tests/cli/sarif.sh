#!/bin/sh
# The SARIF that scan and doctor write: what the schema of SARIF 2.1.0 (OASIS) requires of the parts
# that are in it, and that they fit together. Needs python3 to read it.
# usage: sarif.sh ASSAY
set -eu
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! command -v python3 >/dev/null; then
    echo "skipped: no python3"
    exit 0
fi

check() { # FILE: of a SARIF log
    python3 - "$1" <<'PY'
import json, sys

log = json.load(open(sys.argv[1], encoding="utf-8"))
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
assert set(log) <= {"$schema", "version", "runs"} and len(log["runs"]) == 1
run = log["runs"][0]
assert set(run) <= {"tool", "columnKind", "results"}
assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
driver = run["tool"]["driver"]
assert driver["name"] == "assay"
rules = [rule["id"] for rule in driver["rules"]]
assert len(set(rules)) == len(rules)
levels = {"none", "note", "warning", "error"}
for rule in driver["rules"]:
    assert rule["shortDescription"]["text"]
    assert rule["defaultConfiguration"]["level"] in levels
for result in run["results"]:
    assert result["message"]["text"] and result["level"] in levels
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result.get("baselineState", "new") in {"new", "unchanged", "updated", "absent"}
    for location in result.get("locations", []):
        place = location.get("physicalLocation")
        if place:
            uri = place["artifactLocation"]["uri"]
            assert " " not in uri and "\\" not in uri and not uri.startswith("/")
            region = place.get("region", {"startLine": 1})
            assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1
            assert region.get("endColumn", 1 << 30) >= region.get("startColumn", 1)
print(len(run["results"]))
PY
}

mkdir "$tmp/a tree"
name=$(printf 'ein \303\244.cu')
printf '#define WARP_SIZE 32 // \303\274ber\nvoid f(float **p) { cudaMalloc(p, 1); }\n' >"$tmp/a tree/$name"
"$assay" scan "$tmp/a tree" --sarif >"$tmp/log"
[ "$(check "$tmp/log")" = 2 ]
"$assay" scan "$tmp/a tree" --write-baseline "$tmp/known" -q
"$assay" scan "$tmp/a tree" --baseline "$tmp/known" --sarif >"$tmp/log"
[ "$(check "$tmp/log")" = 2 ]
[ "$(grep -c '"baselineState": "unchanged"' "$tmp/log")" = 2 ]
"$assay" scan tests/rules --sarif --rocm 6.4 >"$tmp/log"
[ "$(check "$tmp/log")" -gt 20 ]
"$assay" doctor --from tests/hosts/healthy-mi300x --sarif >"$tmp/log" || [ $? = 1 ]
check "$tmp/log" >"$tmp/n"
