/* What a snapshot keeps, and what it hides. */
#include "assay/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/archive.h"
#include "assay/text.h"
#include "host/host_command.h"
#include "host/host_scrub.h"
#include "host/host_tape.h"
#include "host_fixture.h"

/* --- hiding ---------------------------------------------------------------------------------- */

static const char *hidden(void **state, const char *text, bool keys) {
    host_scrub_t scrub = {.host = {"node17.site.org", "node17"}, .user = {"alice"}};
    size_t n = 0;
    const char *out =
        host_scrub(&scrub, ((host_fixture_t *)*state)->arena, text, strlen(text), keys, &n);
    assert_non_null(out);
    assert_int_equal(strlen(out), n);
    return out;
}

static void test_what_is_hidden(void **state) {
    static const struct {
        const char *text, *hidden;
    } row[] = {
        {"node17.site.org:12:34 [0]", "host:12:34 [0]"},
        {"NODE17 node170 xnode17", "host node170 xnode17"},
        {"alice alices /home/alice/x /home/bob-2/y", "user alices /home/user/x /home/user/y"},
        {"GPU-1b2c3d4e-0a1b-2c3d-4e5f-0123456789ab", "GPU-00000000-0000-0000-0000-000000000000"},
        {"ether 3c:ec:ef:12:34:56 up", "ether 00:00:00:00:00:00 up"},
        {"inet 10.1.2.3/24 127.0.0.1 0.0.0.0", "inet 192.0.2.1/24 127.0.0.1 0.0.0.0"},
        {"fe80::3eec:efff:fe12:3456", "2001:db8::1"},
        {"fe80:0000:0000:0000:3eec:efff:fe12:3456", "fe80:0000:0000:0000:0000:0000:0000:0001"},
        {"0000:0000:0000:0000:0000:ffff:0a01:0203", "0000:0000:0000:0000:0000:ffff:0000:0001"},
        {"0000:0000:0000:0000:0000:0000:0000:0000", "0000:0000:0000:0000:0000:0000:0000:0000"},
        {"b859:9f03:0012:3456", "0000:0000:0000:0001"},
        {"Serial Number : 1563221012345", "Serial Number : 0"},
        {"\"serial\": \"PCB0123-45\", \"x\": 1", "\"serial\": \"0\", \"x\": 1"},
        {"unique_id 9223372036854775807\nsimd_count 1216", "unique_id 0\nsimd_count 1216"},
        /* what a diagnosis needs stays */
        {"0000:c1:00.0 amdgpu 6.8.5 05:00.0", "0000:c1:00.0 amdgpu 6.8.5 05:00.0"},
        {"570.124.06 6.3.0.60300 24.10-0.7.0.0", "570.124.06 6.3.0.60300 24.10-0.7.0.0"},
        {"12:34:56 std::string a::b 32 GT/s", "12:34:56 std::string a::b 32 GT/s"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_string_equal(hidden(state, row[i].text, true), row[i].hidden);
    }
    assert_string_equal(hidden(state, "serial 1234567", false), "serial 1234567");
}

/* Capability 3 at 0x100, eight bytes behind its head; 0x150 is another one. */
static void test_serial_number_of_pci(void **state) {
    host_scrub_t scrub = {0};
    char config[512];
    (void)state;
    memset(config, 0x77, sizeof config);
    memcpy(config + 0x100, "\x01\x00\x01\x15", 4);
    memcpy(config + 0x150, "\x03\x00\x01\x00", 4);
    host_scrub_config(&scrub, config, sizeof config);
    assert_int_equal(scrub.n_hidden, 1);
    assert_int_equal(config[0x153], 0);
    assert_memory_equal(config + 0x154, "\0\0\0\0\0\0\0\0", 8);
    assert_int_equal(config[0x15c], 0x77);
    host_scrub_config(&scrub, config, 256);
    assert_int_equal(scrub.n_hidden, 1);
}

/* --- tapes ----------------------------------------------------------------------------------- */

static void test_tape_as_text(void **state) {
    assay_arena_t *arena = ((host_fixture_t *)*state)->arena;
    host_tape_t tape = {.arena = arena}, again = {.arena = arena};
    const host_reply_t text = {.n = 3}, names = {.n = 4}, denied = {.error = 13},
                       node = {.mode = 020660, .uid = 0, .gid = 44};
    const char *data;
    size_t n = 0;
    host_tape_record(&tape, HOST_READ_FILE, "proc/a", &text, "one");
    host_tape_record(&tape, HOST_READ_LIST, "dev/dri", &names, "x\0y");
    host_tape_record(&tape, HOST_READ_FILE, "dev/x", &denied, NULL);
    host_tape_record(&tape, HOST_READ_STAT, "dev/kfd", &node, NULL);
    host_tape_record(&tape, HOST_READ_FILE, "g/gpu_metrics", &text, "1st");
    host_tape_record(&tape, HOST_READ_FILE, "g/gpu_metrics", &text, "2nd");
    host_tape_sort(&tape);
    const char *index = host_tape_index(&tape, &n);
    const assay_archive_file_t file[] = {{"h/root/g/gpu_metrics", "1st", 3},
                                         {"h/root/g/gpu_metrics_later", "2nd", 3},
                                         {"h/root/proc/a", "one", 3}};
    host_tape_read(&again, file, 3, "h/", index, n);
    assert_int_equal(again.n, tape.n);
    assert_int_equal(host_tape_play(&again, HOST_READ_FILE, "proc/a", &data).n, 3);
    assert_memory_equal(data, "one", 3);
    assert_int_equal(host_tape_play(&again, HOST_READ_LIST, "dev/dri", &data).n, 4);
    assert_memory_equal(data, "x\0y", 4);
    assert_int_equal(host_tape_play(&again, HOST_READ_FILE, "dev/x", &data).error, 13);
    assert_int_equal(host_tape_play(&again, HOST_READ_STAT, "dev/kfd", &data).gid, 44);
    assert_int_equal(host_tape_play(&again, HOST_READ_FILE, "g/gpu_metrics_later", &data).n, 3);
    assert_memory_equal(data, "2nd", 3);
    assert_int_equal(host_tape_play(&again, HOST_READ_FILE, "proc/b", &data).error, 2);
}

static void test_tape_of_a_copy(void **state) {
    host_tape_t tape = {.arena = ((host_fixture_t *)*state)->arena};
    const assay_archive_file_t file[] = {
        {"c/proc/a", "1", 1}, {"c/sys/d/e", "2", 1}, {"c/sys/d/f", "3", 1}, {"c/sys/g", "4", 1}};
    const char *data;
    host_tape_of_copy(&tape, file, 4, "c/");
    assert_int_equal(host_tape_play(&tape, HOST_READ_LIST, "sys", &data).n, 4);
    assert_memory_equal(data, "d\0g", 4);
    assert_int_equal(host_tape_play(&tape, HOST_READ_LIST, "sys/d", &data).n, 4);
    assert_int_equal(host_tape_play(&tape, HOST_READ_FILE, "sys/d/f", &data).n, 1);
    assert_int_equal(host_tape_play(&tape, HOST_READ_STAT, "sys/d", &data).error, 0);
    assert_false(tape.machine);
}

/* --- whole ----------------------------------------------------------------------------------- */

static void put(const char *root, const char *path, const char *text) {
    char name[512];
    (void)snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(name, 0755);
        *slash = '/';
    }
    assert_int_equal(assay_file_write(name, text, strlen(text), NULL), ASSAY_OK);
}

#define GPU "sys/bus/pci/devices/0000:c1:00.0/"

/* Of a small root: the archive says what the root said, and hides the serial number. */
static void test_snapshot_answers_as_the_root(void **state) {
    const host_fixture_t *fixture = *state;
    char root[] = "/tmp/assay-root-XXXXXX", archive[64], fifo[128];
    static const char *const environment[] = {"HIP_LAUNCH_BLOCKING=1", "SECRET_TOKEN=abc", NULL};
    const assay_snapshot_options_t options = {.environment = environment, .root = root};
    assay_snapshot_t snapshot;
    assay_host_t *live = NULL, *read = NULL;
    assay_error_t err = {0};
    assert_non_null(mkdtemp(root));
    put(root, "proc/sys/kernel/numa_balancing", "1\n");
    put(root, "proc/cmdline", "BOOT_IMAGE=/vmlinuz modprobe.blacklist=amdgpu\n");
    put(root, GPU "uevent", "DRIVER=amdgpu\nPCI_ID=1002:74A1\nPCI_CLASS=120000\n");
    put(root, GPU "vendor", "0x1002\n");
    put(root, GPU "device", "0x74a1\n");
    put(root, GPU "class", "0x120000\n");
    put(root, GPU "unique_id", "8a9b7c6d5e4f3a2b\n");
    put(root, GPU "current_link_width", "8\n");
    put(root, GPU "max_link_width", "16\n");
    (void)snprintf(fifo, sizeof fifo, "%s/" GPU "power_dpm_force_performance_level", root);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    (void)snprintf(archive, sizeof archive, "%s.tar", root);
    const assay_status_t status =
        assay_snapshot_write(fixture->arena, fixture->rules, archive, &options, &snapshot, &err);
    if (status == ASSAY_UNAVAILABLE) {
        skip();
    }
    assert_int_equal(status, ASSAY_OK);
    const char *const path = archive;
    assert_int_equal(
        assay_host_read_live(fixture->arena, fixture->rules, root, environment, &live, NULL),
        ASSAY_OK);
    assert_int_equal(assay_host_read_capture(fixture->arena, fixture->rules, &path, 1, &read, NULL),
                     ASSAY_OK);
    assert_int_equal(read->n_gpu, live->n_gpu);
    assert_int_equal(read->n_gpu, 1);
    static const char *const id[] = {"KRN-006", "KRN-007", "PCI-001", "ENV-001"};
    for (size_t i = 0; i < sizeof id / sizeof id[0]; i++) {
        const assay_doctor_finding_t *a = host_finding(state, live, id[i]),
                                     *b = host_finding(state, read, id[i]);
        assert_int_equal(a->status, ASSAY_CHECK_BAD);
        assert_int_equal(b->status, a->status);
        assert_int_equal(b->severity, a->severity);
    }
    char *data;
    size_t n;
    assert_int_equal(assay_file_read(fixture->arena, archive, 1 << 24, &data, &n, NULL), ASSAY_OK);
    assert_null(memmem(data, n, "8a9b7c6d5e4f3a2b", 16));
    assert_null(memmem(data, n, "SECRET_TOKEN", 12));
    (void)unlink(archive);
    const char *const remove[] = {"rm", "-r", root, NULL};
    host_command_t command = {.argv = {remove[0], remove[1], remove[2]}};
    host_command_run(&command, 1, 10);
    assay_buf_done(&command.out);
}

/* A tool that hangs is killed in time, and the others are heard. */
static void test_commands(void **state) {
    host_command_t command[] = {{.argv = {"sleep", "60"}},
                                {.argv = {"echo", "hello"}},
                                {.argv = {"assay-no-such-tool"}},
                                {.argv = {"false"}}};
    (void)state;
    host_command_run(command, 4, 0.3);
    assert_true(command[0].started && !command[0].ended);
    assert_true(command[1].ended && command[1].status == 0);
    assert_string_equal(command[1].out.data, "hello\n");
    assert_false(command[2].started);
    assert_int_equal(command[3].status, 1);
    for (size_t i = 0; i < 4; i++) {
        assay_buf_done(&command[i].out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_hidden),
        cmocka_unit_test(test_serial_number_of_pci),
        cmocka_unit_test(test_tape_as_text),
        cmocka_unit_test(test_tape_of_a_copy),
        cmocka_unit_test(test_snapshot_answers_as_the_root),
        cmocka_unit_test(test_commands),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
