#!/usr/bin/env bash
# Shows training sentence by sentence: how fast a step is, how sure, which layout, and what runs it.
# Run by hand from anywhere:   tests/acceptance/issue_4_training.sh
# Needs build/release (./dev build) and build/asan (./dev test builds it). Takes about two minutes.
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/common.sh
assay=build/release/assay
seed=examples/seed-a-65b-training.yaml
unit() { build/asan/tests/"$1" 2>&1; }
step() { # PYTHON-EXPRESSION arguments of search...
    local expression=$1
    shift
    $assay search "$@" --json >"$scratch/answer.json" 2>"$scratch/err" || { cat "$scratch/err"; return 1; }
    json "$scratch/answer.json" "$expression"
}

section 'Physics'
physics() { for part in gemm attention collective power; do unit "test_$part" | tail -1 || return 1; done; }
show 'GEMM, attention, collectives, power: by hand' physics
show 'a dtype that a part lacks is an error that names what it has' sh -c "! $assay search --model llama-3-8b --on 8x-a100-sxm4-80g --precision fp8 2>$scratch/e && cat $scratch/e"
show 'measured shapes lead near them: by hand, and as measured at each shape that ships' unit test_gemm_shapes
LINES_SHOWN=3 show 'what rests on measured shapes says so' sh -c "$assay decide --model llama-3-8b --on dgx-h100 --sequence 4096 --global-batch 128 --tokens 1e9 2>&1 | grep -m1 'matrix products'"
formats() { # what a part lacks is refused, what it has is not
    for f in "fp8-fnuz dgx-h100" "fp8-ocp 8x-mi300x-oam" "nvfp4 8x-mi355x-oam" "mxfp4 dgx-h100"; do
        ! $assay search --model llama-3-8b --on "${f#* }" --precision "${f% *}" 2>&1 || return 1
    done
    for f in "fp8-ocp dgx-h100" "fp8-fnuz 8x-mi300x-oam" "mxfp4 8x-mi355x-oam" "nvfp4 dgx-b200"; do
        $assay search --model llama-3-8b --on "${f#* }" --precision "${f% *}" >/dev/null || return 1
    done
}
LINES_SHOWN=4 show 'FP8 FNUZ and OCP, MXFP, NVFP4 as data: a part that lacks one says what it has' formats
show 'mixture of experts, latent attention, windows, packing, expert and context parallelism' unit test_train_experts
show 'an MoE with EP' step 'd["candidates"][0]["best"]["step_time_s"] > 0' --model deepseek-v3 --on hgx-h100-8 --nodes 64 --sequence 4096 --global-batch 2048 --precision fp8
show 'context parallelism' step 'd["candidates"][0]["best"]["layout"]["cp"] == 4' --model llama-3-8b --on hgx-h100-8 --nodes 4 --sequence 131072 --global-batch 16 --cp 4
show 'pipelines agree with an event-by-event reference on 10,000 random cases' unit test_train_pipeline
dual='--model mixtral-8x7b --on hgx-h100-8 --nodes 16 --sequence 4096 --global-batch 512 --pp 4 --ep 8 --tp 1'
# shellcheck disable=SC2086 # a list of words
dual_pipe() { step 'd["candidates"][0]["best"]["layout"]["schedule"] == "dualpipev"' $dual --schedule dualpipev; }
show 'DualPipeV hides the tokens of experts' dual_pipe
show 'micro-batches that stages do not divide, interleaved, with the groups of Megatron-Core' sh -c "$assay search --model gpt3-175b --on hgx-h100-8 --nodes 16 --global-batch 26 --sequence 2048 --tp 8 --pp 8 --vpp 2 --micro-batch 1 --emit megatron | grep -m1 microbatch-group"
uneven() { step 'd["candidates"][0]["best"]["layout"]["pp"] == 16' --model deepseek-v3 --on hgx-h100-8 --nodes 128 --sequence 4096 --global-batch 2048 --tp 1 --pp 16 --vpp 1 --ep 8 && $assay search --model deepseek-v3 --on hgx-h100-8 --nodes 128 --sequence 4096 --global-batch 2048 --tp 1 --pp 16 --vpp 1 --ep 8 --emit megatron | grep -m1 pipeline-model-parallel-layout; }
show '61 layers on 16 stages: uneven, and as Megatron-Core is told' uneven
bucket() { for b in 2MB 4MB; do $assay search --model llama-2-70b --on lumi-g-node --nodes 16 --global-batch 512 --bucket $b --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["candidates"][0]["best"]["step_time_s"])'; done | tee "$scratch/b"; python3 -c 'a,b=[float(x) for x in open("'"$scratch"'/b")]; raise SystemExit(not b<a)'; }
show 'A8: buckets of 2 MB and 4 MB' bucket
library() { for c in rccl rccl-ib openmpi-ucx; do $assay search --model llama-2-70b --on lumi-g-node --nodes 16 --global-batch 512 --collectives $c --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["candidates"][0]["best"]["step_time_s"])'; done | tee "$scratch/b"; python3 -c 'a=[float(x) for x in open("'"$scratch"'/b")]; raise SystemExit(len(set(a)) < 3)'; }
LINES_SHOWN=3 show 'A11: the library of collectives is a choice that changes the step (RCCL, RCCL+IB, Open MPI+UCX)' library
show 'algorithm and protocol of each collective, beside the rows of nccl-tests' sh -c "$assay bench tests/hosts/61-nccl-tests-mi300x-healthy/capture/all_reduce_perf.txt --gpu mi300x | grep 'ring Simple'"
show 'MI300X: 48 GB/s for two, 310 for eight; H100 370 of 450; pairs of MI250X: NICs shared, nodes' unit test_fabric_facts
show 'attention: causal, windows, grouped queries, latent, packed, backward' unit test_attention
best() { # FLAG... : seconds and peak GB of a step of an 8B on 16 H100, at the layout that is pinned
    $assay search --model llama-3-8b --on dgx-h100 --nodes 2 --sequence 8192 --global-batch 64 --micro-batch 1 --tp 2 --pp 1 --json "$@" |
        python3 -c 'import json,sys; c=json.load(sys.stdin)["candidates"][0]; b=c["best"]; print(*sys.argv[1:], "%.4g s %.4g GB, %.3g s of gradients" % (b["step_time_s"], b["memory_bytes"] / 1e9, b["time_s"]["dp_comm"]))' "$@"
}
ways() { for z in 0 1 2 3; do best --zero $z --recompute full || return 1; done; best --zero 3 --shard 4 --recompute full; }
LINES_SHOWN=5 show 'ZeRO 0 to 3, fully and hybrid sharded' ways
optimizers() { for o in adam adam8bit adafactor muon sgd; do best --optimizer $o --zero 1 --recompute full || return 1; done; }
LINES_SHOWN=5 show 'optimizers: what they keep, what their update takes' optimizers
modes() { for r in none selective full; do best --zero 3 --recompute $r || return 1; done; }
LINES_SHOWN=3 show 'activations by recompute mode' modes
rings() { for c in p2p a2a; do step 'print(d["candidates"][0]["best"]["time_s"]["cp_comm"]) or True' --model llama-3-8b --on dgx-h100 --nodes 4 --sequence 131072 --global-batch 16 --cp 4 --tp 2 --cp-comm $c || return 1; done; }
LINES_SHOWN=4 show 'context parallelism round a ring, and with heads (all-to-all)' rings
show 'memory by hand: weights, gradients, optimizers, activations, logits, buffers, fragmentation' unit test_train_memory
show 'fine-tuning: full, LoRA, QLoRA' unit test_train_tune
LINES_SHOWN=10 show 'rows of fine-tuning: measured, predicted, interval, error' sh -c "$assay score --data data/measured/training.csv --csv | grep -E '^(TMBRG-00(69|7[0-3])|TNEMO-001[456]|TMLPT-00(19|20))' | cut -d, -f1-3,6-10"
show 'ResNet-50, BERT, ViT, SDXL from op lists: counts as published, one layer by hand, published runs in the interval' unit test_train_net
show 'ResNet-50 on MI250X against A100, images instead of tokens' step 'd["candidates"][0]["best"]["samples_per_s"] > 1e4' examples/seed-a-resnet50.yaml
for net in resnet-50 bert-large vit-h-14 sdxl; do
    show "$net" step '0 < d["candidates"][0]["best"]["mfu"] < 1' --model $net --on dgx-a100-80g --precision bf16
done
show 'SDXL: encoders that were run once cost nothing more' sh -c "for l in computed cached; do $assay search --model sdxl --on dgx-a100-80g --latents \$l | sed -n 2p; done"
LINES_SHOWN=26 show 'ResNet-50 and BERT-large of NVIDIA/DeepLearningExamples: measured, predicted, interval' sh -c "$assay score --data data/measured/training.csv --csv | grep ^TDLEX- | cut -d, -f1,5-10"
capped() { # lower caps: no faster, no more watts, and 700 W is what the part is built for
    for w in 700 600 500 400 300; do
        $assay search --model llama-3-8b --on dgx-h100 --sequence 8192 --global-batch 128 --power-cap "$w" --json |
            python3 -c 'import json,sys; b=json.load(sys.stdin)["candidates"][0]["best"]; print(sys.argv[1], b["step_time_s"], b["device_w"], b["clock"])' "$w" || return 1
    done | tee "$scratch/caps"
    python3 -c 'r=[[float(x) for x in l.split()] for l in open("'"$scratch"'/caps")]; raise SystemExit(not all(a[1]<=b[1] and a[2]>=b[2] for a,b in zip(r,r[1:])) or any(x[2]>x[0]*1.000001 for x in r))'
}
LINES_SHOWN=5 show 'power-capped clocks: W, seconds a step, watts of a device, clock' capped
show 'clocks under a cap by hand, and of published runs of a V100' unit test_power
decided() { $assay decide "${2:-$seed}" --json >"$scratch/decided.json"; json "$scratch/decided.json" "$1"; }
show 'joules per token, times the tokens, are the energy of the run' decided 'all(abs(c["joules_per_token"] * 1.4e12 / (c["energy_kwh"] * 3.6e6) - 1) < 1e-9 and c["joules_per_token_p10"] < c["joules_per_token"] < c["joules_per_token_p90"] for c in d["candidates"])'
show 'goodput of a long run by Young and Daly: stops, what one costs, when to write a checkpoint' decided 'all(0.8 < c["goodput"] < 1 and c["stops"] > 1 and c["checkpoint_interval_s"] > 0 for c in d["candidates"])' examples/seed-a-65b-training-public.yaml
show 'Daly by hand' unit test_money_terms
hosted() {
    for o in none optimizer all; do
        $assay search --model llama-3-8b --on dgx-h100 --sequence 8192 --global-batch 128 --offload "$o" --json |
            python3 -c 'import json,sys; b=json.load(sys.stdin)["candidates"][0]["best"]; print(sys.argv[1], b["step_time_s"], b["time_s"]["offload"], b["basis"])' "$o" || return 1
    done
}
LINES_SHOWN=3 show 'offload: seconds a step, of it in the host' hosted
show 'offload by hand' unit test_train_host
waiting() { # activations in the host: memory of a device, seconds that show, and what it may run on
    for a in false true; do
        $assay search --model llama-3-70b --on dgx-h100 --nodes 4 --sequence 8192 --global-batch 128 --zero 3 --recompute none --tp 8 --pp 1 --micro-batch 1 --offload-activations $a --json |
            python3 -c 'import json,sys; b=json.load(sys.stdin)["candidates"][0]["best"]; print("offload_activations", sys.argv[1], b["memory_peak_parts_bytes"]["activations"], "bytes", b["time_s"]["offload"], "s of", b["step_time_s"])' $a || return 1
    done
}
LINES_SHOWN=2 show 'activations that wait in the host' waiting
show 'a host that is not known names the key' sh -c "! $assay search --model llama-3-8b --on 8x-a100-pcie-80g --offload optimizer 2>$scratch/e && grep host_memory_gb_s $scratch/e"

section 'Calibration and honesty'
./dev validate >"$scratch/validate" 2>&1
LINES_SHOWN=6 show 'mean of sources: median <= 8 %, p90 <= 25 %; no GPU of 20 rows above 12 %; a source left out <= 15 %' sh -c "! grep ABOVE $scratch/validate && grep -E 'macro_median_by_source|macro_p90|worst_accelerator|median@left_out=source|interval_over|ranking_over' $scratch/validate | head -6"
LINES_SHOWN=4 show 'MI250X from 128 to thousands of dies, by bubble and exposed traffic alone' sh -c "build/release/validate_scaling data/scaling_points.csv | tail -4"
show 'collectives against 2,283 measured rows' sh -c "! build/release/validate_collectives data/measured data/ceilings_collectives.csv | grep ABOVE && echo held"
LINES_SHOWN=22 show 'measured shapes of GEMMs: the model alone, and corrected with the shape left out' sh -c "grep -E 'left out .* used' $scratch/validate && grep 'holds the shapes' $scratch/validate"
show 'constants are what the rows give' sh -c "! grep 'other constants' $scratch/validate && echo yes"
show 'A5: all-reduce of MI250X over A100 by message size, with interval' sh -c "grep -m1 'MI250X over A100' $scratch/validate"
show 'A1 worked through; plots' sh -c 'grep -m1 -n "23 %" docs/validation.md && ls docs/*.svg | head -2'
show 'cases 17, 18, 21: rates above the peak, sparse peaks' run_cases

section 'Search'
show 'the same optimum as brute force on thousands of random cases; 4,000 random layouts for each property' unit test_plan
LINES_SHOWN=8 show 'GPT-3 175B on 3,072 devices; estimates and layouts a second' sh -c "./dev bench | grep -E 'gpt3|step_est|layouts'"
show 'a step estimate takes less than 2 us' sh -c "./dev bench | awk '/^step_estimates /{print \$3; exit !(\$3 > 500000)}'"
for tool in megatron sbatch; do
    show "$tool" sh -c "$assay search $seed --on lumi-g-node --nodes 256 --emit $tool | bash -n && echo 'bash reads it'"
done
for tool in torchtitan deepspeed accelerate; do
    show "$tool" sh -c "$assay search $seed --on hgx-h100-8 --nodes 16 --tp 1 --pp 1 --zero 3 --emit $tool | head -2 | tail -1"
done
show 'argument names are those of the tools, and what is written reads back as the layout' unit test_emit

printf '\n%d shown, %d not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
