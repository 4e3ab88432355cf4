/* Jobs and containers: scripts, Slurm, Kubernetes, docker. */
#include <math.h>

#include "host_fixture.h"

static const char *env_of(const assay_host_t *host, const char *name) {
    for (uint32_t i = 0; i < host->n_env; i++) {
        if (strcmp(host->env[i].name, name) == 0) {
            return host->env[i].value;
        }
    }
    return NULL;
}

static void test_sbatch(void **state) {
    const assay_host_t *host = HOST(state, "job.sbatch",
                                    "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gres=gpu:mi300x:8\n"
                                    "export NCCL_DEBUG=INFO\n# rocm-smi in a comment\n"
                                    "sudo rocm-smi --setpoweroverdrive 300\n"
                                    "srun --cpu-bind=map_cpu:1 python3 train.py\n");
    assert_string_equal(host->scheduler.s, "slurm");
    assert_string_equal(host->scheduler_gpus.s, "gpu:mi300x:8");
    assay_test_close(host->gpus_requested.v, 8, 0, 0, "accelerators");
    assay_test_close(host->power_cap_asked_w.v, 300, 0, 0, "cap");
    assert_int_equal(host->power_cap_asked_w.at.line, 6);
    assert_string_equal(env_of(host, "NCCL_DEBUG"), "INFO");
    assert_int_equal(host->n_command, 3);
    assert_string_equal(host->command[0].program, "rocm-smi");
    assert_int_equal(host->command[0].at.line, 6);
    assert_string_equal(host->command[1].program, "srun");
    assert_string_equal(host->command[2].program, "python3");
}

static void test_scontrol(void **state) {
    const assay_host_t *host =
        HOST(state, "scontrol.txt",
             "NodeName=n1 Arch=x86_64 CoresPerSocket=64\n   CPUAlloc=0 CPUTot=128 CPULoad=0.1\n"
             "   Gres=gpu:mi250x:8(S:0-3)\n   State=IDLE+DRAIN ThreadsPerCore=1\n"
             "   Reason=bad link [root@2026]\n");
    assert_string_equal(host->scheduler_state.s, "IDLE+DRAIN");
    assay_test_close(host->gpus_expected.v, 8, 0, 0, "accelerators");
    const assay_host_t *job =
        HOST(state, "scontrol-job.txt",
             "JobId=1 JobName=x\n   JobState=RUNNING Reason=None\n   TresPerNode=gres/gpu:4\n");
    assay_test_close(job->gpus_requested.v, 4, 0, 0, "accelerators");
}

static void test_docker_run(void **state) {
    const assay_host_t *host =
        HOST(state, "docker-run.sh",
             "docker run --rm -it --device=/dev/dri --shm-size 16g \\\n"
             "  --ipc=host --ulimit memlock=-1:-1 -e HIP_VISIBLE_DEVICES=0,1 image\n");
    assert_string_equal(host->container.s, "docker");
    assay_test_close(host->shm_bytes.v, 17179869184.0, 0, 0, "shm");
    assert_string_equal(host->ipc.s, "host");
    assert_true(isinf(host->locked_bytes.v));
    assay_test_close(host->privileged.v, 0, 0, 0, "privileged");
    assert_int_equal(host->n_node, 1); /* /dev/dri without /dev/kfd */
    assert_string_equal(host->node[0].path, "/dev/kfd");
    assert_true(host->node[0].missing);
    assert_string_equal(env_of(host, "HIP_VISIBLE_DEVICES"), "0,1");
    const assay_host_t *nvidia =
        HOST(state, "a.sh", "podman run --gpus 4 --privileged --shm-size=64m image\n");
    assay_test_close(nvidia->gpus_requested.v, 4, 0, 0, "accelerators");
    assay_test_close(nvidia->privileged.v, 1, 0, 0, "privileged");
    assert_int_equal(nvidia->n_node, 0);
}

static void test_docker_inspect(void **state) {
    const assay_host_t *host =
        HOST(state, "inspect.json",
             "[{\"HostConfig\": {\"ShmSize\": 67108864, \"IpcMode\": \"private\", \"Privileged\": "
             "false,\n"
             "\"Memory\": 0, \"NanoCpus\": 8000000000, \"CpusetCpus\": \"0-7\",\n"
             "\"Devices\": [{\"PathOnHost\": \"/dev/kfd\", \"PathInContainer\": \"/dev/kfd\"}],\n"
             "\"Ulimits\": [{\"Name\": \"memlock\", \"Soft\": 65536, \"Hard\": 65536}]},\n"
             "\"Config\": {\"Env\": [\"PATH=/bin\", \"NCCL_DEBUG=WARN\"]}}]\n");
    assay_test_close(host->shm_bytes.v, 67108864, 0, 0, "shm");
    assert_string_equal(host->ipc.s, "private");
    assert_true(isinf(host->memory_limit_bytes.v));
    assay_test_close(host->cpu_limit.v, 8, 1e-12, 0, "cpus");
    assert_string_equal(host->cgroup_cpus.s, "0-7");
    assay_test_close(host->locked_bytes.v, 65536, 0, 0, "locked");
    assert_string_equal(host->node[0].path, "/dev/dri");
    assert_string_equal(env_of(host, "NCCL_DEBUG"), "WARN");
}

static void test_kubernetes(void **state) {
    const assay_host_t *host =
        HOST(state, "pod.yaml",
             "apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n---\napiVersion: apps/v1\n"
             "kind: Deployment\nspec:\n  template:\n    spec:\n      hostIPC: true\n"
             "      containers:\n      - name: a\n        securityContext: {privileged: false}\n"
             "        resources:\n          limits:\n            amd.com/gpu: 8\n"
             "            memory: 512Gi\n            cpu: 500m\n        env:\n"
             "        - {name: NCCL_DEBUG, value: INFO}\n        volumeMounts:\n"
             "        - {name: shm, mountPath: /dev/shm}\n      volumes:\n      - name: shm\n"
             "        emptyDir: {medium: Memory, sizeLimit: 64Gi}\n");
    assert_string_equal(host->scheduler.s, "kubernetes");
    assert_string_equal(host->container.s, "kubernetes");
    assay_test_close(host->gpus_requested.v, 8, 0, 0, "accelerators");
    assay_test_close(host->memory_limit_bytes.v, 512 * 1073741824.0, 0, 0, "memory");
    assert_int_equal(host->memory_limit_bytes.at.line, 17);
    assay_test_close(host->cpu_limit.v, 0.5, 1e-12, 0, "cpus");
    assay_test_close(host->shm_bytes.v, 64 * 1073741824.0, 0, 0, "shm");
    assert_string_equal(host->ipc.s, "host");
    assay_test_close(host->privileged.v, 0, 0, 0, "privileged");
    assert_string_equal(env_of(host, "NCCL_DEBUG"), "INFO");
}

static void test_traceback(void **state) {
    const assay_host_t *host =
        HOST(state, "x.txt",
             "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n"
             "torch.AcceleratorError: HIP error: invalid device function\n");
    assert_string_equal(host->source[0].parser, "traceback");
    assert_int_equal(host->n_event, 1);
    assert_string_equal(host->event[0].event, "invalid-device-function");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbatch),     cmocka_unit_test(test_scontrol),
        cmocka_unit_test(test_docker_run), cmocka_unit_test(test_docker_inspect),
        cmocka_unit_test(test_kubernetes), cmocka_unit_test(test_traceback)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
