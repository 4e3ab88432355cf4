/* A simulation as Chrome trace events: times in microseconds, to the nanosecond. */
#include "assay/report_simulate.h"

#include <inttypes.h>

#include "assay/json.h"

#define TIME "%" PRId64 ".%03d"
#define TIME_OF(ticks) \
    (ticks) / ASSAY_TICKS_PER_NS / 1000, (int)((ticks) / ASSAY_TICKS_PER_NS % 1000)

void assay_chrome_trace_begin(assay_chrome_trace_t *trace, assay_buf_t *out) {
    *trace = (assay_chrome_trace_t){.out = out, .first_process = 1};
    assay_buf_puts(out, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
                        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,"
                        "\"args\":{\"name\":\"assay simulate\"}}");
}

void assay_chrome_trace_fleet(assay_chrome_trace_t *trace, const char *name, uint32_t replicas) {
    trace->first_process += trace->n_process;
    trace->n_process = replicas;
    for (uint32_t k = 0; k < replicas; k++) {
        assay_json_t json;
        assay_buf_t label;
        assay_buf_init(&label, 1024);
        assay_buf_printf(&label, "%s, replica %u", name, k);
        assay_buf_puts(trace->out, ",\n");
        assay_json_init(&json, trace->out);
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "ph", "M");
        assay_json_string(&json, "name", "process_name");
        assay_json_count(&json, "pid", trace->first_process + k);
        assay_json_begin_object(&json, "args");
        assay_json_string(&json, "name", label.data);
        assay_json_end(&json);
        assay_json_end(&json);
        assay_buf_done(&label);
    }
}

/* false: there is no room for so many more. */
static bool has_room(assay_chrome_trace_t *trace, uint32_t n) {
    const bool room = trace->events + n <= ASSAY_CHROME_TRACE_EVENTS;
    *(room ? &trace->events : &trace->left_out) += n;
    return room;
}

void assay_chrome_trace_stepped(void *ctx, const assay_sim_event_t *event) {
    assay_chrome_trace_t *trace = ctx;
    const uint32_t process = trace->first_process + event->replica;
    if (!has_room(trace, 2)) {
        return;
    }
    assay_buf_printf(
        trace->out,
        ",\n{\"ph\":\"X\",\"cat\":\"step\",\"name\":\"%s\",\"pid\":%u,\"tid\":0,\"ts\":" TIME
        ",\"dur\":" TIME ",\"args\":{\"steps\":%" PRIu64 ",\"decode\":%u,\"prefill_tokens\":%u}}",
        event->prefill_tokens == 0 ? "decode"
        : event->decode == 0       ? "prefill"
                                   : "mixed",
        process, TIME_OF(event->start_ticks), TIME_OF(event->ticks), event->steps, event->decode,
        event->prefill_tokens);
    assay_buf_printf(trace->out,
                     ",\n{\"ph\":\"C\",\"name\":\"load\",\"pid\":%u,\"ts\":" TIME
                     ",\"args\":{\"waiting\":%" PRIu64 ",\"blocks\":%" PRIu64 "}}",
                     process, TIME_OF(event->start_ticks), event->waiting, event->blocks);
}

static void span(const assay_chrome_trace_t *trace, uint32_t process, uint64_t id, const char *name,
                 int64_t from, int64_t to) {
    const struct {
        char phase;
        int64_t at;
    } end[2] = {{'b', from}, {'e', to}};
    for (int i = 0; i < 2; i++) {
        assay_buf_printf(trace->out,
                         ",\n{\"ph\":\"%c\",\"cat\":\"request\",\"name\":\"%s\",\"id\":%" PRIu64
                         ",\"pid\":%u,\"ts\":" TIME "}",
                         end[i].phase, name, id, process, TIME_OF(end[i].at));
    }
}

void assay_chrome_trace_finished(void *ctx, const assay_sim_done_t *done) {
    assay_chrome_trace_t *trace = ctx;
    const uint32_t process = trace->first_process + done->replica;
    if (!has_room(trace, 8)) {
        return;
    }
    span(trace, process, done->id, "request", done->arrival_ticks, done->last_token_ticks);
    span(trace, process, done->id, "wait", done->arrival_ticks, done->scheduled_ticks);
    span(trace, process, done->id, "prompt", done->scheduled_ticks, done->first_token_ticks);
    span(trace, process, done->id, "answer", done->first_token_ticks, done->last_token_ticks);
}

void assay_chrome_trace_end(assay_chrome_trace_t *trace) {
    assay_buf_printf(trace->out, "\n], \"otherData\": {\"events_left_out\": %" PRIu64 "}}\n",
                     trace->left_out);
}
