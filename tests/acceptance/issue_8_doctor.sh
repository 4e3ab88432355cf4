#!/usr/bin/env bash
# Shows the doctor sentence by sentence: is this accelerator host set up right, and what to do first?
# Run by hand from anywhere:   tests/acceptance/issue_8_doctor.sh
# Needs build/release (./dev build) and build/asan (./dev test builds it).
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/common.sh
assay=build/release/assay
hosts=tests/hosts

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

kinds_of_text() {
    $assay doctor --json --from $hosts/*/capture >"$scratch/all.json" 2>/dev/null
    python3 -c '
import json, sys
kinds = {s["kind"] for s in json.load(open(sys.argv[1]))["summary"]["sources"]}
named = {"rocm-smi", "amd-smi", "rocminfo", "json", "csv", "nvidia-smi", "nvidia-smi -q", "nvidia-smi topo", "lspci", "lstopo",
         "log", "nccl-tests", "ibstat", "numactl", "script", "traceback", "topology table", "KFD node"}
print(len(kinds), "kinds in the captures; missing:", sorted(named - kinds)); sys.exit(not named <= kinds)' "$scratch/all.json"
}
show 'every kind of text that the captures hold is told apart' kinds_of_text
show 'XML of nvidia-smi -q -x and of lstopo' build/asan/tests/test_host_xml
metrics() { build/asan/tests/test_host_metrics 2>&1; }
show 'gpu_metrics v1.0 to v1.9 by revision and size' metrics
show 'vendor libraries that hang, lie or are not there' build/asan/tests/test_host_vendor
snap() {
    USER=somebody-else-42 python3 - "$assay" "$scratch/host.tar.zst" <<'PY'
import subprocess, sys, time
a = time.perf_counter(); r = subprocess.run([sys.argv[1], "snapshot", "-o", sys.argv[2]], capture_output=True, text=True); a = time.perf_counter() - a
print(r.stdout.strip().replace("\n", " ")); print(f"{a:.1f} s"); sys.exit(r.returncode != 0 or a >= 5 or "oot would add" not in r.stdout)
PY
}
show 'assay snapshot: below 5 s with the tools, says what root would add' snap
hidden() { mkdir -p "$scratch/snap" && tar -xf "$scratch/host.tar.zst" -C "$scratch/snap" && ! grep -rqaE 'somebody-else-42|(^|[^0-9a-f:])([0-9a-f]{2}:){5}[0-9a-f]{2}([^0-9a-f:]|$)' "$scratch/snap" && echo 'no user, no MAC address'; }
show 'names and addresses are not in it' hidden
show 'serial numbers, unique ids, users, hosts, addresses are replaced' build/asan/tests/test_snapshot
as_live() { $assay doctor --json >"$scratch/live.json" 2>/dev/null; live=$?; $assay doctor --json --from "$scratch/host.tar.zst" >"$scratch/read.json" 2>/dev/null; read=$?; python3 -c '
import json, sys
a, b = ({f["id"]: (f["status"], f["severity"]) for f in json.load(open(p))["findings"]} for p in sys.argv[1:])
print(len(a), "checks, all alike" if a == b else [k for k in a if a[k] != b.get(k)]); sys.exit(a != b)' "$scratch/live.json" "$scratch/read.json" && [ $live -eq $read ]; }
show 'doctor --from the archive answers as live, with the same exit code' as_live
fleet() {
    mkdir -p "$scratch/fleet" && for i in 1 2 3 4 5; do cp -r $hosts/healthy-mi300x/capture "$scratch/fleet/n$i"; done
    echo 1 >"$scratch/fleet/n4/numa_balancing.txt"
    $assay doctor --from "$scratch/fleet" | tr '\n' ' ' | grep -oE 'Not like the others.*on n4.{0,60}'
}
show 'a directory of hosts: outliers against the majority' fleet
nothing() { mkdir -p "$scratch/empty" && exits 3 $assay doctor --from "$scratch/empty"; }
show 'an empty folder is no all-clear: exit 3' nothing

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

limits() { $assay doctor --explain prf-002 | grep -cE 'PRF-002.(high = 0.9|low = 0.75), from' | grep -x 2 && $assay doctor --explain thm-001 | grep 'THM-001.margin_k = 5 K, from ours'; }
show '--explain shows the thresholds with their source' limits
formats() {
    for f in json junit sarif md; do $assay doctor --from $hosts/65-amdgpu-blacklisted/capture --$f >"$scratch/x.$f"; done
    python3 - "$scratch" <<'PY'
import json, sys, xml.etree.ElementTree as e
d = sys.argv[1]
j = json.load(open(d + "/x.json")); s = json.load(open(d + "/x.sarif")); u = e.parse(d + "/x.junit").getroot(); m = open(d + "/x.md").read()
n = len(list(u.iter("failure"))), len(s["runs"][0]["results"]), j["summary"]["bad"]
print("failures, results, bad:", n); sys.exit(not (n[0] == n[2] == 2 and n[1] == 2 and s["version"] == "2.1.0" and "KRN-007" in m and j["first"]["id"] == "KRN-007"))
PY
}
show 'and each of them is read by its own kind of reader, with the same two findings' formats

section 'Environment lint'
eight='AMD_OCL_SC_LDS_NUM_BANKS HIP_COMPRESS_BUFFERS HIP_DEVICE_MAX_HW_QUEUES HIP_ENABLE_NEW_BF16_OPS HIP_FAST_MATH HSA_EMULATE_AQL HSA_OVERRIDE_THERMAL_LIMIT HSA_SIG_HANDLER'
# lint PATTERN-OF-EVIDENCE ID ARGUMENT...: a finding of that id whose evidence matches.
lint() {
    pattern=$1 id=$2
    shift 2
    $assay env --json "$@" >"$scratch/env.json"
    python3 -c '
import json, re, sys
hit = [f["evidence"] for f in json.load(open(sys.argv[1]))["findings"] if f["status"] == "bad" and f["id"] == sys.argv[3] and re.search(sys.argv[2], f["evidence"])]
print(len(hit), hit[:1]); sys.exit(not hit)' "$scratch/env.json" "$pattern" "$id"
}
eight_told() { for v in $eight; do echo "export $v=1"; done >"$scratch/eight.sh"; n=$($assay env --json "$scratch/eight.sh" | grep -c '"id": "ENV-002"'); echo "$n of 8"; [ "$n" -ge 8 ]; }
show 'all eight names that nothing reads' eight_told
printf 'HIP_VISIBLE_DEVICE=0\nNCCL_IB_DISABLE=yes\nNCCL_P2P_DISABLE=1\nNCCL_P2P_LEVEL=NVL\nHSA_ENABLE_SDMA=0\nHIP_FORCE_DEV_KERNARG=0\nNCCL_DEBUG=TRACE\n' >"$scratch/a.env"
show 'unknown: the nearest known name' lint 'did you mean HIP_VISIBLE_DEVICES' ENV-101 "$scratch/a.env"
show 'wrong type' lint 'NCCL_IB_DISABLE=yes' ENV-102 "$scratch/a.env"
show 'conflicting' lint 'NCCL_P2P_LEVEL=NVL.*NCCL_P2P_DISABLE=1' ENV-103 "$scratch/a.env"
show 'debug in production, and 0 where the default is 1' lint 'HSA_ENABLE_SDMA=0' ENV-001 "$scratch/a.env"
show 'a level of logging that slows' lint 'NCCL_DEBUG=TRACE' ENV-001 "$scratch/a.env"
quiet_info() { printf 'NCCL_DEBUG=INFO\n' >"$scratch/info.env"; exits 0 $assay env "$scratch/info.env"; }
show 'and one that does not' quiet_info
show 'differing from the advice for this part' lint 'HIP_FORCE_DEV_KERNARG=0; the advice for Instinct MI300X' ENV-105 --gpu mi300x --rocm 7.0 --engine vllm "$scratch/a.env"
gone() { v=$(python3 -c '
import csv
print(next(r["name"] for r in csv.DictReader(open("data/envvars.csv")) if r["gone"].startswith("rocm ")))'); printf '%s=1\n' "$v" >"$scratch/gone.env"; lint "$v" ENV-104 --rocm 99.0 "$scratch/gone.env"; }
show 'obsolete by version' gone
printf 'FROM rocm/pytorch\nENV HIP_FAST_MATH=1\nRUN hipcc --amdgpu-target=gfx90a a.cpp\n' >"$scratch/Dockerfile"
printf '#!/bin/bash\n#SBATCH --export=ALL,HIP_FAST_MATH=1\n' >"$scratch/job.slurm"
printf 'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - env:\n    - name: HIP_FAST_MATH\n      value: "1"\n' >"$scratch/pod.yaml"
show 'Dockerfile, Slurm, Kubernetes' sh -c "for f in Dockerfile job.slurm pod.yaml; do $assay env $scratch/\$f | grep HIP_FAST_MATH=1 || exit 1; done"
show 'a docker line, the live environment' sh -c "$assay env -- docker run -e HIP_FAST_MATH=1 image | grep HIP_FAST_MATH=1 && HIP_FAST_MATH=1 $assay env | grep 'environment: HIP_FAST_MATH=1'"
show 'compiler flags: --amdgpu-target is gone' lint 'amdgpu-target=gfx90a' ENV-106 "$scratch/Dockerfile"
show 'the eight variables that do not exist are told, with the real name where there is one' sh -c "$assay env examples/seed-b-serving.sh | grep -E 'HIP_COMPRESS_BUFFERS|GPU_MAX_HW_QUEUES'"
show 'the first article'"'"'s compiler flags: --amdgpu-target is gone' sh -c "$assay env examples/seed-a-build.sh | grep -E 'offload-arch'"

section 'Topology'
show 'text: sockets, NUMA, PCIe, accelerators, links' sh -c "$assay topo --from $hosts/healthy-mi300x/capture | grep -cE '^  socket|NUMA node|PCIe x16|^  gpu 7  +X|^  gpu 7 ' | awk '\$1 > 10 { print; ok = 1 } END { exit !ok }'"
svg() { $assay topo --from $hosts/healthy-mi250x/capture --svg "$scratch/t.svg" >/dev/null && python3 -c '
import sys, xml.etree.ElementTree as e
t = [x.text for x in e.parse(sys.argv[1]).getroot().iter("{http://www.w3.org/2000/svg}text")]
print(t.count("X4"), "cells with 4 links"); sys.exit(t.count("X4") != 8)' "$scratch/t.svg"; }
show 'SVG: the four packages of an MI250X node have 4 links inside, told twice each' svg
show 'found as expected' sh -c "$assay topo --from $hosts/healthy-mi250x/capture | tr '\n' ' ' | grep -o 'wired as frontier-node is expected to be'"
show 'expected against found' sh -c "$assay topo --from $hosts/mutated-xgmi-pair-down/capture | grep 'expected 1 link between gpu 0 and gpu 1'"
weights() { sed -n '/^WEIGHT/,/^NUMA BW/p' $hosts/healthy-mi250x/capture/amd-smi-topology.txt | sed '$d' >"$scratch/amd-smi-topology.txt" && cp $hosts/healthy-mi250x/capture/rocminfo.txt "$scratch/w.rocminfo.txt" && cp $hosts/healthy-mi250x/capture/amd-smi-static.txt "$scratch/w.amd-smi-static.txt" && $assay topo --from "$scratch/amd-smi-topology.txt" "$scratch/w.rocminfo.txt" "$scratch/w.amd-smi-static.txt" >"$scratch/w" && ! grep -E 'expected .* link' "$scratch/w" && head -n 1 "$scratch/w"; }
show 'weights do not tell how many links: no difference is made of them' weights
show 'binding: numactl, taskset, srun' sh -c "$assay topo --from $hosts/healthy-mi300x/capture | grep -oE 'numactl --cpunodebind=1 --membind=1|taskset -c 4-7|srun .*map_cpu:0,0,0,0,4,4,4,4' | sort -u | wc -l | grep -x 3"
show 'order of GCDs of LUMI and Frontier' sh -c "for s in lumi frontier; do $assay topo --system \$s | grep -E 'map_cpu|mask_cpu' | head -n 1 || exit 1; done"
topology_in_job() { $assay job check --model llama-7b --on 8x-mi300x-oam --tokens 1e9 --topology $hosts/mutated-xgmi-pair-down/capture | grep -i 'links'; }
show 'found links replace the catalog'"'"'s in a job' topology_in_job

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

big_fleet() {
    mkdir -p "$scratch/hosts" && for i in $(seq 1000); do cp -r $hosts/healthy-mi300x/capture "$scratch/hosts/n$i"; done
    python3 - "$assay" "$scratch/hosts" <<'PY'
import resource, subprocess, sys, time
a = time.perf_counter(); r = subprocess.run(["taskset", "-c", "0,1", sys.argv[1], "doctor", "--from", sys.argv[2]], stdout=subprocess.DEVNULL); a = time.perf_counter() - a
print(f"{a:.1f} s, {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB"); sys.exit(a >= 20 or r.returncode != 0)
PY
}
show '1,000 hosts of eight accelerators below 20 s on 2 cores' big_fleet
show 'docs/checks.md and docs/env.md are what the rows say' sh -c "build/asan/tests/write_docs --check docs || build/asan/write_docs --check docs"
parsers() {
    python3 - <<'PY'
import glob, os, re, sys
table = open("src/host/parse_table.c").read()
rows = re.findall(r'\{"([^"]+)",[^{}]*?host_parse_([a-z_]+),', table[table.index("host_parse_table[]"):], re.S)
fuzzed = set(re.findall(r'FUZZ_HOST\("([^"]+)"', "".join(open(f).read() for f in glob.glob("tests/fuzz/fuzz_host_*.c"))))
parsers = {f: [n for n, g in rows if g == f] for _, f in rows}
missing = [f for f, names in parsers.items() if not fuzzed & set(names)]
targets = [os.path.basename(f)[5:-2] for f in glob.glob("tests/fuzz/fuzz_*.c")]
bare = [t for t in targets if not os.path.isdir("tests/fuzz/corpus/" + t) or not os.listdir("tests/fuzz/corpus/" + t)]
print(f"{len(parsers)} parsers, {len(targets)} targets; no target: {missing}, no corpus: {bare}"); sys.exit(bool(missing or bare))
PY
}
show 'a fuzz target per parser, each with a corpus' parsers
traps() { for t in truncated ansi crlf device-order one-file; do [ -d $hosts/mutated-$t ] || return 1; done; build/asan/tests/test_host_traps 2>&1; }
show 'truncated, localised, coloured, CRLF, concatenated' traps
hostile() {
    python3 - "$scratch" <<'PY'
import io, sys, tarfile
def make(name, members, mode="w"):
    with tarfile.open(sys.argv[1] + "/" + name, mode) as t:
        for path, kind, data, link in members:
            i = tarfile.TarInfo(path); i.type, i.linkname, i.size = kind, link, len(data); t.addfile(i, io.BytesIO(data))
f = ("root/proc/sys/kernel/numa_balancing", tarfile.REGTYPE, b"1\n", "")
make("escape.tar", [f, ("../../outside-of-it", tarfile.REGTYPE, b"x", "")])
make("link.tar", [("root/proc/cmdline", tarfile.SYMTYPE, b"", "/etc/passwd"), ("root/etc/os-release", tarfile.LNKTYPE, b"", "/etc/passwd"), f])
make("bomb.tar.gz", [("dmesg.txt", tarfile.REGTYPE, bytes(300_000_000), "")], "w:gz")
PY
    exits 2 $assay doctor --from "$scratch/escape.tar" && ! $assay doctor --json --from "$scratch/link.tar" | grep -E 'passwd|"kind": "(cmdline|os-release)"' && exits 2 $assay doctor --from "$scratch/bomb.tar.gz"
}
show 'hostile archives: paths that leave and bombs are refused, links are not followed' hostile

printf '\n%d sentences hold, %d do not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
