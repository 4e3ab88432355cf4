#!/usr/bin/env bash
# Shows the doctor sentence by sentence: is this accelerator host set up right, and what to do first?
# Run by hand from anywhere:   tests/acceptance/issue_8_doctor.sh
# Needs build/release (./dev build) and build/asan (./dev test builds it).
set -u
cd "$(dirname "$0")/../.." || exit 2
assay=build/release/assay
hosts=tests/hosts
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
good=0
bad=0

section() { printf '\n== %s\n' "$1"; }
# show "sentence" command...: runs the command, prints its last line and whether it held.
show() {
    sentence=$1
    shift
    if "$@" >"$scratch/out" 2>&1; then
        good=$((good + 1))
        printf 'ok    %s\n' "$sentence"
    else
        bad=$((bad + 1))
        printf 'FAIL  %s\n' "$sentence"
    fi
    tail -n 1 "$scratch/out" | cut -c1-160 | sed 's/^/      /'
}
# doctor PYTHON-EXPRESSION FILE...: over the parsed answer d; ids() are the bad ones, find(id) one.
doctor() {
    expression=$1
    shift
    $assay doctor --json --from "$@" >"$scratch/doctor.json"
    python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
bad = [f for f in d["findings"] if f["status"] == "bad"]
def ids(severities=("critical", "error", "warning", "info")): return [f["id"] for f in bad if f["severity"] in severities]
def find(id): return next(f for f in bad if f["id"] == id)
v = eval(sys.argv[2]); print(v); sys.exit(0 if v else 1)' "$scratch/doctor.json" "$expression"
}
# exits CODE command...
exits() {
    want=$1
    shift
    "$@"
    code=$?
    echo "exit $code"
    [ "$code" -eq "$want" ]
}

section 'Facts first, checks second'
show 'text captures of every tool give one model: 32 parsers and more, content decides before the name' sh -c "n=\$(grep -c 'host_parse_[a-z_]*, ' src/host/parse_table.c); echo \$n kinds of text; [ \$n -ge 32 ]"
renamed() { cp "$hosts/healthy-mi300x/capture/amd-smi-static.txt" "$scratch/renamed.bin" && doctor 'd["summary"]["accelerators"] == 8' "$scratch/renamed.bin"; }
show 'a file under another name is read by its content' renamed
show 'live and captured facts meet the same checks; each fact knows its file and line' doctor 'find("KRN-006")["file"] and find("KRN-006")["line"] == 1' $hosts/10-numa-balancing-on/capture
show 'unknown stays unknown, with the reason' doctor 'all(f["evidence"] for f in d["findings"] if f["status"] == "not_checked") and len(d["findings"])' $hosts/10-numa-balancing-on/capture
fifo() { mkdir -p "$scratch/root/proc" "$scratch/root/sys"; mkfifo "$scratch/root/proc/cmdline"; timeout 30 $assay doctor --from "$scratch/root" >/dev/null; code=$?; echo "exit $code"; [ $code -lt 2 ]; }
show 'a FIFO in the place of a file cannot hang it' fifo
no_shell() { ! grep -nE '\b(system|popen)\(' src/host/*.c src/cli/verb_doctor.c && echo 'no shell is called'; }
show 'nothing is changed, no shell' no_shell

section 'Checks as rows'
show 'all 126 of the catalogue are there, compared id by id; every one fires, is quiet and does not know' build/asan/tests/test_checks
rows() { head -n 1 data/checks.csv | tr , '\n' | sort >"$scratch/columns"; for c in id severity applies condition cause fix verify reads source reference; do grep -qx $c "$scratch/columns" || { echo "no column $c"; return 1; }; done; n=$($assay doctor --list --csv | tail -n +2 | wc -l); echo "$n checks as rows"; [ "$n" -ge 126 ]; }
show 'id, severity, applies-when, evidence, condition, cause, fix, verify, reference are columns' rows
show 'thresholds are data, each with its source, ours where ours' sh -c "grep -c ours data/check_thresholds.csv && awk -F, 'NR > 1 && \$NF == \"\" { bad = 1 } END { exit bad }' data/check_thresholds.csv"
least() { ! $assay doctor --list --json | python3 -c 'import json,sys; d=json.load(sys.stdin)["checks"]; print([c["id"] for c in d if "--privileged" in c["fix"] or "chmod 666" in c["fix"] or "chmod a+rw" in c["fix"]])' | grep -v '^\[\]$' && echo 'no fix asks for more than it needs'; }
show 'least privilege: no chmod 666, no --privileged in any fix' least
overlay() { mkdir -p "$scratch/data" && printf 'id,value,unit,source\nTHM-001.margin_k,80,K,test\n' >"$scratch/data/check_thresholds.csv" && $assay doctor --from $hosts/healthy-mi300x/capture --only THM-001 >/dev/null && ! $assay doctor --data "$scratch/data" --from $hosts/healthy-mi300x/capture --only THM-001; }
show 'a threshold can be laid over with --data' overlay

section 'The seed by name'
show 'kernel and module: amdgpu not loaded, kept away by the boot line' doctor 'ids()[:2] == ["KRN-007", "KRN-002"] and "modprobe amdgpu" in find("KRN-007")["fix"]' $hosts/65-amdgpu-blacklisted/capture
show 'device nodes: groups, never chmod 666' doctor '"DEV-005" in ids() and "666" not in find("DEV-005")["fix"] and "group" in find("DEV-005")["fix"]' $hosts/mutated-chmod-666/capture
show 'ROCm x gfx x kernel matrix: ROCm 6.4 does not know gfx950' doctor '"gfx950" in find("KRN-001")["evidence"]' $hosts/mutated-mi350x-old-rocm/capture
matrix() { printf 'ROCk module version 6.7.0 is loaded\nAgent 1\n*******\n  Name:                    gfx942\n  Marketing Name:          AMD Instinct MI300X\n' >"$scratch/rocminfo.txt"; printf '6.2.4-139\n' >"$scratch/rocm-version.txt"; printf 'ID=ubuntu\nVERSION_ID="22.04"\n' >"$scratch/os-release.txt"; printf 'Linux n 6.8.0-45-generic x86_64\n' >"$scratch/uname.txt"; doctor '"5.15" in find("KRN-001")["evidence"] and "KRN-003" not in ids()' "$scratch/rocminfo.txt" "$scratch/rocm-version.txt" "$scratch/os-release.txt" "$scratch/uname.txt"; }
show 'and 6.2 on Ubuntu 22.04 lists 5.15 for MI300X, not 6.8; driver 6.7.0 (ROCm 6.1) is near enough' matrix
show 'PCIe width: x8 of x16; the slow rate at rest is none' doctor '"PCI-001" in ids() and "PCI-002" not in ids()' $hosts/mutated-narrow-link/capture
cap() { sed '/Power Limit  *: 700/s/^\(  *Power Limit\) .*/\1 : 500.00 W/' $hosts/healthy-h100/capture/nvidia-smi-q.txt >"$scratch/nvidia-smi-q.txt"; doctor '"500 W, by default 700 W" in find("PWR-001")["evidence"]' "$scratch/nvidia-smi-q.txt"; }
show 'power cap below its default' cap
show 'profiler hints: the profile is mostly start-up' doctor '"PRF-001" in ids()' $hosts/53-rocprof-hip-api-stats/capture
show 'thermal limits: 4 K below is told, 6 K below is not' sh -c "$assay doctor --from $hosts/mutated-hot-by-4/capture --only THM | grep -E 'slows down at' && $assay doctor --from $hosts/mutated-hot-by-6/capture --only THM | grep 'nothing wrong'"
sockets() { for i in 0 1 2 3 4 5 6 7; do printf 'GPU[%d]\t\t: (Topology) Numa Node: %d\n' $i $((i > 4)); done >"$scratch/rocm-smi.txt"; doctor '"from 3 to 5" in find("NUM-001")["evidence"]' "$scratch/rocm-smi.txt"; }
show 'four cards a socket: 5 and 3 are told' sockets
show 'NIC affinity: accelerators without a near NIC' doctor '"NUM-003" in ids()' $hosts/39-topo-8x4090-all-sys/capture
show 'the checks that the articles name say so' sh -c "$assay doctor --list --json | python3 -c 'import json,sys; c=[x for x in json.load(sys.stdin)[\"checks\"] if \"seed-\" in x[\"reference\"]+x[\"source\"]]; w=\" \".join(x[\"reference\"]+x[\"source\"] for x in c); n=[k for k in (\"B4\",\"B5\",\"B6\",\"B7\",\"B9\",\"A9\",\"A10\",\"A11\",\"A12\",\"A13\") if k not in w]; print(len(c), \"checks; missing:\", n); sys.exit(bool(n))'"
oom() { printf 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.23 GiB. GPU 0 has a total capacity of 63.98 GiB of which 1.88 GiB is free. Of the allocated memory 40.87 GiB is allocated by PyTorch, and 19.00 GiB is reserved by PyTorch but unallocated.\n' >"$scratch/train.log"; doctor '"32 %" in find("MEM-003")["evidence"]' "$scratch/train.log"; }
show 'fragmentation above 15 %, from the error: 19 / (40.87 + 19) = 32 %' oom
tables() { printf 'MemTotal: 100000000 kB\nPageTables: 1100000 kB\n' >"$scratch/meminfo.txt"; doctor '"1.1 %" in find("MEM-007")["evidence"]' "$scratch/meminfo.txt"; }
show 'page tables' tables
lanes() { printf '"Kernel_Name","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"\n"gemm","VALUBusy",60,1000,4000\n"add","VALUBusy",100,5000,6000\n' >"$scratch/counters.csv"; doctor '"70 %" in find("PRF-002")["evidence"] and "memory" in find("PRF-002")["cause"]' "$scratch/counters.csv"; }
show 'vector units 75 to 90 %, from rocprof CSV, with what low means: (3 x 60 + 100) / 4 = 70 %' lanes
illegal() { printf 'Agent 1\n*******\n  Name:                    gfx942\n  Marketing Name:          AMD Instinct MI300X\n' >"$scratch/rocminfo.txt"; printf 'Illegal instruction (core dumped)\n' >"$scratch/app.log"; doctor '"gfx942" in find("SW-001")["fix"]' "$scratch/rocminfo.txt" "$scratch/app.log"; }
show 'illegal instruction: the target of the build against the device, from a log' illegal
show 'stream-ordered allocation, unified memory by target, interleave, PyTorch settings' sh -c "$assay doctor --list | grep -E 'MEM-008|MEM-009|NUM-006|ENV-010|SW-010'"
show 'compression: HIP_COMPRESS_BUFFERS is told not to exist' doctor 'find("ENV-002")["evidence"].count("HIP_COMPRESS_BUFFERS")' $hosts/mutated-seed-variables/capture
trees() {
    for v in 6.3.1 7.0.2; do mkdir -p "$scratch/rocm-$v/.info" "$scratch/rocm-$v/lib"; echo $v-1 >"$scratch/rocm-$v/.info/version"; : >"$scratch/rocm-$v/lib/librccl.so.1.0.${v//./0}"; done
    $assay doctor --compare "$scratch/rocm-6.3.1" "$scratch/rocm-7.0.2" | grep -E 'librccl|rocm '
}
show 'two ROCm trees side by side: versions of the libraries' trees
slower() {
    for s in a b; do mkdir -p "$scratch/$s"; done
    head='# nThread 1 nGpus 8 minBytes 8388608 maxBytes 1073741824\n#  Rank  7 Group  0 Pid 1 on node device 7 [0000:75:00] AMD Instinct MI300X\n'
    printf "%b" "$head"'  1073741824 268435456 float sum -1 6024 178.29 312 0 6024 178.29 312 0\n' >"$scratch/a/all_reduce_perf.txt"
    printf "%b" "$head"'  1073741824 268435456 float sum -1 7230 148.57 260 0 7230 148.57 260 0\n' >"$scratch/b/all_reduce_perf.txt"
    exits 1 $assay doctor --compare "$scratch/a" "$scratch/b" && $assay doctor --compare "$scratch/a" "$scratch/b" | grep -- '-16.7 %, worse'
}
show 'and measured numbers: 260 after 312 GB/s is 16.7 % worse, exit 1' slower

section 'Visible devices, partitions'
show 'masks a to e: 1, 0, 1, 1, 0 devices, as measured; b and e are wrong' doctor '[v["count"] for v in d["visible_devices"]] == [1, 0, 1, 1, 0] and all("ROCR_VISIBLE_DEVICES" in f["fix"] for f in bad if f["id"] == "ENV-003")' $hosts/56-rocr-cuda-double-mask/capture
sees() { cp $hosts/healthy-mi300x/capture/* "$scratch/a/"; printf 'ROCR_VISIBLE_DEVICES=2,3,6,7\nHIP_VISIBLE_DEVICES=1,0\n' >"$scratch/a/env.txt"; $assay doctor --from "$scratch/a" | grep 'This process sees 2 devices: 3, 2.'; }
show 'this process will see 2 devices, these' sees
show 'Ray of 2.45 and later refuses ROCR_VISIBLE_DEVICES' doctor '"Ray" in find("ENV-003")["evidence"]' $hosts/57-ray-rocr-import-error/capture
ranks() { printf 'LOCAL_WORLD_SIZE=16\n' >"$scratch/a/env.txt"; doctor '"LOCAL_WORLD_SIZE=16" in find("ENV-003")["evidence"]' "$scratch/a"; }
show 'torchrun: 16 ranks on 8 devices' ranks
show 'NPS4 needs CPX; 64 devices in CPX' doctor '[p["legal"] for p in d["partitions"]] == [True, False, True, True] and d["partitions"][2]["devices"] == 64' $hosts/60-nps4-needs-cpx/capture

section 'Cases that users met'
show 'NUMA balancing: warning, numa_balancing=0' doctor 'find("KRN-006")["severity"] == "warning" and "numa_balancing=0" in find("KRN-006")["fix"]' $hosts/54-numa-balancing-on/capture
show 'fabric manager dead and of another version: exactly the driver'"'"'s' doctor '[f["severity"] for f in bad if f["id"] == "NVD-004"] == ["error"] and "550.54.15" in find("NVD-004")["fix"]' $hosts/55-fabricmanager-802/capture
show 'container with 64 MiB of shared memory' doctor 'find("CNT-002")["severity"] == "error" and "shm-size" in find("CNT-002")["fix"]' $hosts/58-docker-shm-64m/capture
show 'rootless container: the number of the group' doctor '"109" in find("CNT-005")["fix"]' $hosts/63-rootless-container-gid/capture

section 'What to do first, formats, selection'
show 'what follows from another finding is folded under it; one "do this first"' sh -c "$assay doctor --from $hosts/65-amdgpu-blacklisted/capture | grep -cE 'Do this first: KRN-007|follows from it' | grep -x 2"
show 'text, JSON, JUnit, SARIF, Markdown' sh -c "for f in json junit sarif md; do $assay doctor --from $hosts/28-shm-too-small/capture --\$f >$scratch/x.\$f; [ \$? -eq 1 ] && [ -s $scratch/x.\$f ] || exit 1; done; wc -c $scratch/x.* | tail -n 1"
show '--explain says for whom, when, why, what to do, the source' sh -c "$assay doctor --explain mem-003 | grep -cE '^  (for|when|why|reads|do|then|source)' | grep -x 7"
show '--only and --skip' sh -c "$assay doctor --from $hosts/healthy-mi300x/capture --only NET,PCI --skip PCI-003 --json | python3 -c 'import json,sys; i=[f[\"id\"] for f in json.load(sys.stdin)[\"findings\"]]; print(len(i)); sys.exit(\"PCI-003\" in i or not all(x[:3] in (\"NET\",\"PCI\") for x in i))'"
show '--threshold decides the exit code' sh -c "$assay doctor --from $hosts/10-numa-balancing-on/capture --threshold error >/dev/null && ! $assay doctor --from $hosts/10-numa-balancing-on/capture >/dev/null && echo 0 and 1"
show 'a wrong id: did you mean, exit 2' sh -c "$assay doctor --only KRN-0006 2>&1 | grep \"did you mean 'KRN-006'\" && ! $assay doctor --only KRN-0006 2>/dev/null"
show 'grammar: 1 check is good' sh -c "$assay doctor --from $hosts/healthy-mi300x/capture --only KRN-006 | grep '1 check is good'"

section 'Environment lint'
show 'the eight variables that do not exist are told, with the real name where there is one' sh -c "$assay env examples/seed-b-serving.sh | grep -E 'HIP_COMPRESS_BUFFERS|GPU_MAX_HW_QUEUES'"
show 'the first article'"'"'s compiler flags: --amdgpu-target is gone' sh -c "$assay env examples/seed-a-build.sh | grep -E 'offload-arch'"

section 'Topology'
show 'assay topo: text and SVG' sh -c "$assay topo --from $hosts/healthy-mi300x/capture | head -n 3 && $assay topo --help | grep -i svg"

section 'Shows'
show 'real and constructed hosts scored apart: recall, must-not-report, alarms on healthy hosts' sh -c "build/asan/tests/host_score $hosts | grep -E '^(real|constructed):.* 0 forbidden.* 0 alarms' | wc -l | grep -x 2"
show 'recall on real ones' sh -c "build/asan/tests/host_score $hosts | grep '^real'"
kinds() { n=$(grep -l '"real"' $hosts/*/verdict.json | wc -l); for h in mi210 mi250x mi300x mi350x a100 h100 b200; do [ -d $hosts/healthy-$h ] || return 1; done; echo "$n real ones; healthy MI210, MI250X, MI300X, MI350X, A100, H100, B200"; [ "$n" -ge 54 ]; }
show '54 captures and more marked real; seven constructed healthy hosts' kinds
note() { doctor 'any(f["stated"] for f in d["findings"] if f["status"] == "bad") or [s for s in d["summary"]["sources"] if s["stated"]]' $hosts/08-rccl-hang-no-iommu-pt/capture; }
show 'the sender'"'"'s note counts as stated' note
live() { $assay doctor >"$scratch/live" 2>"$scratch/err"; code=$?; cat "$scratch/err"; if ls /sys/module/amdgpu /sys/module/nvidia >/dev/null 2>&1; then [ $code -le 1 ]; else [ $code -eq 3 ] && grep -q 'no AMD or NVIDIA accelerator' "$scratch/err"; fi; }
show 'live on a machine without an accelerator: says so, exit 3' live
fast() {
    python3 - "$assay" <<'PY'
import resource, subprocess, sys, time
t = []
for _ in range(5):
    a = time.perf_counter(); subprocess.run([sys.argv[1], "doctor", "--from", "tests/hosts/healthy-mi300x/capture"], stdout=subprocess.DEVNULL); t.append(time.perf_counter() - a)
m = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{sorted(t)[2] * 1e3:.0f} ms, {m:.0f} MB"); sys.exit(sorted(t)[2] > 0.1 or m > 64)
PY
}
show 'a captured host of eight accelerators below 100 ms and 64 MB' fast

printf '\n%d sentences hold, %d do not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
