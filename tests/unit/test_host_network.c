/* Texts about RDMA, interfaces, NUMA, and what collective libraries and allocators say. */
#include <math.h>

#include "host_fixture.h"

/* One port, as three tools print it. */
static void test_one_port_of_three_tools(void **state) {
    const assay_host_t *const host[] = {
        HOST(state, "ibstat.txt",
             "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n"
             "\tFirmware version: 28.39.1002\n\tNode GUID: 0xb83fd20300000001\n\tPort 1:\n"
             "\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: 400\n"
             "\t\tLink layer: InfiniBand\n"),
        HOST(state, "ibstatus.txt",
             "Infiniband device 'mlx5_0' port 1 status:\n\tdefault gid:\t fe80::1\n"
             "\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n"
             "\trate:\t\t 400 Gb/sec (4X NDR)\n\tlink_layer:\t InfiniBand\n"),
        HOST(state, "ibv_devinfo.txt",
             "hca_id:\tmlx5_0\n\tfw_ver:\t\t28.39.1002\n\tphys_port_cnt:\t1\n\t\tport:\t1\n"
             "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tmax_mtu:\t\t4096 (5)\n"
             "\t\t\tactive_mtu:\t\t4096 (5)\n\t\t\tlink_layer:\t\tInfiniBand\n")};
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++) {
        assert_int_equal(host[i]->n_port, 1);
        assert_string_equal(host[i]->port[0].name, "mlx5_0");
        assert_int_equal(host[i]->port[0].port, 1);
        assert_string_equal(host[i]->port[0].state, "ACTIVE");
        assert_string_equal(host[i]->port[0].layer, "InfiniBand");
    }
    assay_test_close(host[0]->port[0].bits_per_s.v, 400e9, 0, 0, "rate");
    assay_test_close(host[1]->port[0].bits_per_s.v, 400e9, 0, 0, "rate");
    assay_test_close(host[2]->port[0].mtu_bytes.v, 4096, 0, 0, "mtu");
    assert_string_equal(host[0]->port[0].firmware, "28.39.1002");
    assert_string_equal(host[2]->port[0].firmware, "28.39.1002");
}

static void test_tools_of_one_host(void **state) {
    const assay_host_t *host =
        HOST(state, "a-rdma-link.txt",
             "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth2\n"
             "link mlx5_1/1 state DOWN physical_state DISABLED netdev eth3\n",
             "ethtool-eth2.txt",
             "NIC statistics:\n     rx_packets: 10\n     rx_discards_phy: 7\n"
             "     rx_prio3_pause: 3\n     rx_prio4_pause: 2\n",
             "ip-link.txt",
             "2: eth2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT\n"
             "    link/ether 00:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n    inet 10.0.0.1/24 scope\n",
             "show_gids.txt",
             "DEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV\n---\t----\t-----\t---\t----\t---\t---\n"
             "mlx5_0\t1\t0\tfe80:0000:0000:0000:ba3f:d2ff:fe00:0001\t\tv1\teth2\n"
             "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a00:0001\t10.0.0.1\tv2\teth2\n"
             "n_gids_found=2\n",
             "mlxconfig.txt",
             "Device #1:\n----------\nDevice type:    ConnectX7\nConfigurations:      Next Boot\n"
             "        PCI_WR_ORDERING                     force_relax(1)\n"
             "*       ATS_ENABLED                         False(0)\n");
    assert_int_equal(host->n_port, 2);
    assert_string_equal(host->port[0].interface, "eth2");
    assert_string_equal(host->port[1].state, "DOWN");
    assay_test_close(host->port[0].discards.v, 7, 0, 0, "discards");
    assay_test_close(host->port[0].pauses.v, 5, 0, 0, "pauses");
    assert_int_equal(host->n_interface, 1);
    assert_string_equal(host->interface[0].state, "up");
    assert_string_equal(host->interface[0].address, "10.0.0.1/24");
    assay_test_close(host->interface[0].mtu_bytes.v, 9000, 0, 0, "mtu");
    assert_int_equal(host->n_gid, 2);
    assert_string_equal(host->gid[0].type, "IB/RoCE v1");
    assert_string_equal(host->gid[1].type, "RoCE v2");
    assert_string_equal(host->gid[1].interface, "eth2");
    assert_int_equal(host->n_nic_setting, 2);
    assert_string_equal(host->nic_setting[0].value, "force_relax(1)");
    assert_string_equal(host->nic_setting[1].name, "ATS_ENABLED");
}

static void test_numactl(void **state) {
    const assay_host_t *host =
        HOST(state, "numactl-H.txt",
             "available: 2 nodes (0-1)\nnode 0 cpus: 0 1 2 3 8\nnode 0 size: 515614 MB\n"
             "node 0 free: 500000 MB\nnode 1 cpus:\nnode 1 size: 96000 MB\nnode distances:\n"
             "node   0   1 \n  0:  10  32 \n",
             "numactl-s.txt", "policy: interleave\npreferred node: 0\nphyscpubind: 0 1 2 \n");
    assert_int_equal(host->n_numa, 2);
    assert_string_equal(host->numa[0].cpus, "0-3,8");
    assay_test_close(host->numa[0].bytes.v, 515614.0 * 1048576, 0, 0, "memory");
    assert_null(host->numa[1].cpus); /* memory without processors */
    assay_test_close(host->numa_nodes.v, 1, 0, 0, "nodes with processors");
    assert_string_equal(host->numa_policy.s, "interleave");
    assert_string_equal(host->cpus_allowed.s, "0-2");
}

static void test_ranks_of_a_log(void **state) {
    const assay_host_t *host = HOST(
        state, "nccl.log",
        "node-a:100:100 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n"
        "node-a:100:100 [0] NCCL INFO NET/Plugin : Plugin load (libnccl-net.so) returned 2\n"
        "node-a:100:100 [0] NCCL INFO NET/Plugin : No plugin found, using internal "
        "implementation\n"
        "NCCL version 2.18.3+cuda12.2\n"
        "node-a:100:140 [0] NCCL INFO Using network IB\n"
        "node-a:100:140 [0] NCCL INFO comm 0x55 rank 0 nranks 16 cudaDev 0 busId 101000 - Init\n"
        "node-b: node-b:200:240 [3] NCCL INFO NCCL version 2.20.5+cuda12.4\n"
        "node-b: node-b:200:240 [3] NCCL INFO comm 0x66 rank 11 nranks 16 cudaDev 3\n");
    assert_string_equal(host->collective_interface.s, "eth0");
    assert_string_equal(host->net_plugin.s, "none");
    assert_string_equal(host->collective_transport.s, "IB");
    assert_string_equal(host->collective_library.s, "2.18.3+cuda12.2");
    assert_int_equal(host->n_rank, 2);
    assert_string_equal(host->rank[0].host, "node-a");
    assert_int_equal(host->rank[0].rank, 0);
    assert_null(host->rank[0].version); /* the line without a prefix is nobody's */
    assert_string_equal(host->rank[1].host, "node-b");
    assert_int_equal(host->rank[1].pid, 200);
    assert_int_equal(host->rank[1].rank, 11);
    assert_string_equal(host->rank[1].version, "2.20.5+cuda12.4");
    const assay_host_t *rccl =
        HOST(state, "rccl.log",
             "h:1:1 [0] NCCL INFO RCCL version : 2.20.5-HEAD:7c9b1e8\n"
             "h:1:1 [0] NCCL INFO NET/Plugin: Loaded net plugin AWS Libfabric (v7)\n"
             "h:1:9 [0] NCCL INFO NET/Socket : Using [0]docker0:172.17.0.1<0>\n");
    assert_string_equal(rccl->rank[0].version, "2.20.5-HEAD:7c9b1e8");
    assert_string_equal(rccl->net_plugin.s, "AWS Libfabric");
    assert_string_equal(rccl->collective_interface.s, "docker0");
}

/* PyTorch 2.x says what is reserved and not allocated; 1.x what is reserved in total: 22.80 - 20.50
   GiB = 2.30 GiB. */
static void test_out_of_memory(void **state) {
    const double gib = 1073741824.0;
    const assay_host_t *host = HOST(
        state, "app.log",
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
        "capacity of 191.98 GiB of which 1.50 GiB is free. Of the allocated memory 150.25 GiB is "
        "allocated by PyTorch, and 38.12 GiB is reserved by PyTorch but unallocated. If reserved "
        "but unallocated memory is large try setting PYTORCH_HIP_ALLOC_CONF\n"
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.69 GiB total "
        "capacity; 20.50 GiB already allocated; 11.69 MiB free; 22.80 GiB reserved in total by "
        "PyTorch)\n");
    assert_int_equal(host->n_oom, 2);
    const assay_host_oom_t *oom = host->oom;
    assay_test_close(oom[0].asked_bytes.v, 2 * gib, 1e-12, 0, "asked");
    assay_test_close(oom[0].total_bytes.v, 191.98 * gib, 1e-12, 0, "total");
    assay_test_close(oom[0].free_bytes.v, 1.5 * gib, 1e-12, 0, "free");
    assay_test_close(oom[0].allocated_bytes.v, 150.25 * gib, 1e-12, 0, "allocated");
    assay_test_close(oom[0].reserved_bytes.v, 38.12 * gib, 1e-12, 0, "reserved");
    assay_test_close(oom[1].total_bytes.v, 23.69 * gib, 1e-12, 0, "total");
    assay_test_close(oom[1].free_bytes.v, 11.69 * 1048576, 1e-12, 0, "free");
    assay_test_close(oom[1].reserved_bytes.v, 2.3 * gib, 1e-9, 0, "reserved");
    assert_int_equal(oom[1].at.line, 2);
}

static void test_journal(void **state) {
    const assay_host_t *host = HOST(
        state, "journal.json",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"NVRM: Xid (PCI:"
        "0000:9b:00): 79, \\\"GPU has fallen off the bus.\\\"\"}\n"
        "{\"MESSAGE\":\"DMAR-IR: Enabled IRQ remapping in x2apic mode\",\"_TRANSPORT\":\"kernel\","
        "\"__REALTIME_TIMESTAMP\":\"2\"}\n",
        "journal.txt",
        "Jan 07 12:00:01 node-a kernel: [   12.3] NVRM: Xid (PCI:0000:9b:00): 48, x\n");
    assert_true(host->kernel_log_seen);
    assay_test_close(host->x2apic.v, 1, 0, 0, "x2apic");
    assert_int_equal(host->n_event, 3);
    assert_string_equal(host->event[0].text,
                        "NVRM: Xid (PCI:0000:9b:00): 79, \"GPU has fallen off the bus.\"");
    assert_string_equal(host->event[2].text, "NVRM: Xid (PCI:0000:9b:00): 48, x");
}

static void test_services(void **state) {
    const assay_host_t *host =
        HOST(state, "services.txt",
             "\xe2\x97\x8f nvidia-imex.service - NVIDIA IMEX\n"
             "     Loaded: loaded (/lib/systemd/system/nvidia-imex.service; enabled)\n"
             "     Active: active (running) since Mon 2026-01-05\n\n"
             "\xe2\x97\x8b nvidia-fabricmanager.service - FabricManager\n"
             "     Loaded: loaded (/lib/systemd/system/nvidia-fabricmanager.service; disabled)\n"
             "     Active: inactive (dead)\n");
    assert_int_equal(host->n_service, 2);
    assert_string_equal(host->service[0].name, "nvidia-imex");
    assert_string_equal(host->service[0].state, "active (running) since Mon 2026-01-05");
    assert_string_equal(host->fabric_manager.s, "inactive (dead)");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_port_of_three_tools),
                                       cmocka_unit_test(test_tools_of_one_host),
                                       cmocka_unit_test(test_numactl),
                                       cmocka_unit_test(test_ranks_of_a_log),
                                       cmocka_unit_test(test_out_of_memory),
                                       cmocka_unit_test(test_journal),
                                       cmocka_unit_test(test_services)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
