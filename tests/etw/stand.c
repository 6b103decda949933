// A stand-in for the part of the ETW API that a live trace uses, for tests on Linux: it keeps sessions, remembers what was enabled, and
// replays records as a real-time session would. Layouts and codes are those of evntrace.h and evntcons.h for 64-bit processes.
//
// LATENCYTUNER_ETW_STAND names a folder:
//   scenario      lines of key=value, see load()
//   events.bin    records that are replayed once a CAPTURE_STATE came, see struct stored
//   rundown.bin   records that a CAPTURE_STATE of their provider brings
//   file.etl      what a session with a file writes
//   sessions/     one file for each session that is there; they outlive the process, as sessions do
//   calls.log     one line for each call
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    ERROR_ACCESS_DENIED = 5, ERROR_ALREADY_EXISTS = 183, ERROR_NO_SYSTEM_RESOURCES = 1450, ERROR_WMI_INSTANCE_NOT_FOUND = 4201,
    ERROR_INVALID_PARAMETER = 87,
    HISTORICAL_CONTEXT = 8, LOGFILE_NAME_OFFSET = 112, LOGGER_NAME_OFFSET = 116, EVENTS_LOST = 88, BUFFERS_WRITTEN = 92, REAL_TIME_BUFFERS_LOST = 100,
    MAXIMUM_FILE_SIZE = 60, LOG_FILE_MODE = 64, BUFFER_SIZE = 48, MINIMUM_BUFFERS = 52,
    FILTER_EVENT_ID = (int)0x80000200,
    MAX_PROVIDERS = 16, MAX_IDS = 64, MAX_NAME = 200, MAX_PAYLOAD = 512,
};

// As the tests write it, little-endian; the payload follows.
struct stored {
    uint16_t length; uint8_t pointer; uint8_t version; uint16_t id; uint8_t level; uint8_t opcode;
    uint32_t process, thread; uint64_t keyword; int64_t ns; uint8_t provider[16]; uint8_t processor, classic, reserved[6];
} __attribute__((packed));

struct header {
    uint16_t size, type, flags, property; uint32_t thread, process; int64_t time; uint8_t provider[16];
    uint16_t id; uint8_t version, channel, level, opcode; uint16_t task; uint64_t keyword, times; uint8_t activity[16];
};

struct record {
    struct header header; uint8_t processor, alignment; uint16_t logger, items, length; void *extended, *data, *context;
};

struct slot { struct record record; uint8_t payload[MAX_PAYLOAD]; };

struct provider { uint8_t id[16]; uint8_t level; uint64_t any; int ids; uint16_t id_list[MAX_IDS]; };

struct session {
    char name[MAX_NAME]; char file[1024]; int used, opened; atomic_int stopping; uint32_t mode;
    struct provider providers[MAX_PROVIDERS]; int provider_count;
    struct slot *ring; atomic_long head, tail; pthread_mutex_t gate; pthread_cond_t more;
    int64_t began, paced; long produced, filtered, delivered, lost, buffers_lost; atomic_int producing, replayed; pthread_t producer;
    void (*callback)(struct record *); int (*buffer_callback)(void *); void *context;
};

static struct session sessions[8];
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static char folder[800];
static int loaded;

// The scenario.
static long elevated = 1, start_error, file_start_error, enable_error, enable_error_at, capture_error, query_error, max_sessions = 64, ring = 1 << 16, repeat = 1,
    span_ns, rate, wait_for_room = 1, slow_us, end_after_replay, lost_by_clock, buffers_lost_by_clock;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void path(char *to, size_t size, const char *name) { snprintf(to, size, "%s/%s", folder, name); }

static void say(const char *form, ...) {
    static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    char at[2048];
    path(at, sizeof at, "calls.log");
    pthread_mutex_lock(&gate);
    FILE *log = fopen(at, "a");
    if (log) {
        va_list list;
        va_start(list, form);
        vfprintf(log, form, list);
        va_end(list);
        fputc('\n', log);
        fclose(log);
    }
    pthread_mutex_unlock(&gate);
}

static void load(void) {
    pthread_mutex_lock(&all);
    if (!loaded) {
        loaded = 1;
        const char *given = getenv("LATENCYTUNER_ETW_STAND");
        snprintf(folder, sizeof folder, "%s", given ? given : "/nonexistent");
        char at[2048], line[200];
        path(at, sizeof at, "scenario");
        FILE *file = fopen(at, "r");
        struct { const char *name; long *value; } keys[] = {
            {"elevated", &elevated},            // 0: the process is not elevated
            {"start_error", &start_error},      // StartTrace fails with this; of a session with a file: file_start_error
            {"file_start_error", &file_start_error},
            {"enable_error", &enable_error},    // EnableTraceEx2 fails with this, from its enable_error_at-th call on
            {"enable_error_at", &enable_error_at},
            {"capture_error", &capture_error},
            {"query_error", &query_error},      // QueryAllTraces fails with this
            {"max_sessions", &max_sessions},    // sessions that the machine has room for
            {"ring", &ring},                    // events that fit into the buffers
            {"repeat", &repeat},                // how often events.bin is replayed
            {"span_ns", &span_ns},              // time of the records moves on by this with each replay
            {"rate", &rate},                    // events per second; 0: as fast as it goes
            {"wait_for_room", &wait_for_room},  // 0: what finds no room is lost
            {"slow_us", &slow_us},              // the consumer takes this much longer for each event
            {"end_after_replay", &end_after_replay}, // somebody stops the session when all is replayed
            {"lost", &lost_by_clock},           // events lost before any was delivered
            {"buffers_lost", &buffers_lost_by_clock},
        };
        while (file && fgets(line, sizeof line, file)) {
            char *equals = strchr(line, '=');
            if (!equals) continue;
            *equals = 0;
            for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
                if (!strcmp(line, keys[i].name)) *keys[i].value = atol(equals + 1);
        }
        if (file) fclose(file);
        path(at, sizeof at, "sessions");
        mkdir(at, 0777);
    }
    pthread_mutex_unlock(&all);
}

static void narrow(char *to, size_t size, const uint16_t *from) {
    size_t i = 0;
    for (; from && from[i] && i + 1 < size; i++) to[i] = (char)from[i];
    to[i] = 0;
}

static void widen(uint16_t *to, const char *from) {
    size_t i = 0;
    for (; from[i]; i++) to[i] = (uint8_t)from[i];
    to[i] = 0;
}

static void guid(char *to, const uint8_t *g) {
    sprintf(to, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
        g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6], g[8], g[9], g[10], g[11], g[12], g[13], g[14], g[15]);
}

static void session_file(char *to, size_t size, const char *name) {
    char below[MAX_NAME + 20];
    snprintf(below, sizeof below, "sessions/%s", name);
    path(to, size, below);
}

static int is_there(const char *name) {
    char at[2048];
    session_file(at, sizeof at, name);
    return access(at, F_OK) == 0;
}

static struct session *find(const char *name) {
    for (int i = 0; i < 8; i++)
        if (sessions[i].used && !strcmp(sessions[i].name, name)) return &sessions[i];
    return NULL;
}

static struct session *of(uint64_t handle) { return handle >= 1 && handle <= 8 && sessions[handle - 1].used ? &sessions[handle - 1] : NULL; }

// Whether a session writes an event: enabled, level, any keyword, and the filter by id, which decides for manifest events.
static int passes(struct session *s, const struct stored *e) {
    for (int i = 0; i < s->provider_count; i++) {
        struct provider *p = &s->providers[i];
        if (memcmp(p->id, e->provider, 16)) continue;
        if (e->level > p->level || (e->keyword && !(e->keyword & p->any))) return 0;
        if (!p->ids) return 1;
        for (int k = 0; k < p->ids; k++)
            if (p->id_list[k] == e->id) return 1;
        return 0;
    }
    return 0;
}

static void wait_a_little(struct session *s) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&s->more, &s->gate, &until);
}

static void put(struct session *s, const struct stored *e, const uint8_t *payload, int64_t time) {
    pthread_mutex_lock(&s->gate);
    s->produced++;
    if (!passes(s, e)) {
        s->filtered++;
        pthread_mutex_unlock(&s->gate);
        return;
    }
    while (s->tail - atomic_load(&s->head) >= ring && wait_for_room && !s->stopping) wait_a_little(s);
    if (s->tail - atomic_load(&s->head) >= ring || e->length > MAX_PAYLOAD) {
        s->lost++;
        pthread_mutex_unlock(&s->gate);
        return;
    }
    struct slot *slot = &s->ring[s->tail % ring];
    memset(&slot->record, 0, sizeof slot->record);
    struct header *h = &slot->record.header;
    h->size = sizeof *h + e->length;
    h->flags = (e->pointer == 8 ? 0x40 : 0x20) | (e->classic ? 0x100 : 0);
    h->thread = e->thread, h->process = e->process, h->time = time;
    memcpy(h->provider, e->provider, 16);
    h->id = e->id, h->version = e->version, h->level = e->level, h->opcode = e->opcode, h->keyword = e->keyword;
    slot->record.processor = e->processor;
    slot->record.length = e->length;
    memcpy(slot->payload, payload, e->length);
    slot->record.data = slot->payload;
    slot->record.context = s->context;
    atomic_fetch_add(&s->tail, 1);
    pthread_mutex_unlock(&s->gate);
}

static uint8_t *read_all(const char *name, size_t *size) {
    char at[2048];
    path(at, sizeof at, name);
    FILE *file = fopen(at, "rb");
    *size = 0;
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(length > 0 ? length : 1);
    *size = fread(bytes, 1, length, file);
    fclose(file);
    return bytes;
}

static void replay(struct session *s, const uint8_t *bytes, size_t size, int64_t origin, const uint8_t *only) {
    for (size_t at = 0; at + sizeof(struct stored) <= size && !s->stopping;) {
        struct stored e;
        memcpy(&e, bytes + at, sizeof e);
        if (!only || !memcmp(only, e.provider, 16)) put(s, &e, bytes + at + sizeof e, origin + e.ns);
        at += sizeof e + e.length;
        if (rate && !only && ++s->paced % 1000 == 0) {
            int64_t ahead = s->began + s->paced * 1000000000 / rate - now();
            if (ahead > 0) usleep(ahead / 1000);
        }
    }
}

static void *produce(void *argument) {
    struct session *s = argument;
    size_t size;
    uint8_t *bytes = read_all("events.bin", &size);
    int64_t origin = s->began = now();
    for (long i = 0; i < repeat && !s->stopping; i++) replay(s, bytes, size, origin + i * span_ns, NULL);
    free(bytes);
    pthread_mutex_lock(&s->gate);
    s->replayed = 1;
    pthread_cond_broadcast(&s->more);
    pthread_mutex_unlock(&s->gate);
    char at[2048];
    say("replayed %s produced=%ld", s->name, s->produced);
    if (end_after_replay) {
        session_file(at, sizeof at, s->name);
        unlink(at);
        pthread_mutex_lock(&s->gate);
        s->stopping = 1;
        pthread_cond_broadcast(&s->more);
        pthread_mutex_unlock(&s->gate);
    }
    return NULL;
}

int StartTraceW(uint64_t *handle, const uint16_t *wide, uint8_t *properties) {
    load();
    char name[MAX_NAME], at[2048], file[1024] = "";
    narrow(name, sizeof name, wide);
    uint32_t file_offset, mode, cap, kilobytes, buffers;
    memcpy(&file_offset, properties + LOGFILE_NAME_OFFSET, 4);
    memcpy(&mode, properties + LOG_FILE_MODE, 4);
    memcpy(&cap, properties + MAXIMUM_FILE_SIZE, 4);
    memcpy(&kilobytes, properties + BUFFER_SIZE, 4);
    memcpy(&buffers, properties + MINIMUM_BUFFERS, 4);
    if (file_offset) narrow(file, sizeof file, (uint16_t *)(properties + file_offset));
    long error = *file ? file_start_error : start_error;
    *handle = 0;
    if (!error && is_there(name)) error = ERROR_ALREADY_EXISTS;
    if (!error) {
        path(at, sizeof at, "sessions");
        DIR *dir = opendir(at);
        long count = -2;
        while (dir && readdir(dir)) count++;
        if (dir) closedir(dir);
        if (count >= max_sessions) error = ERROR_NO_SYSTEM_RESOURCES;
    }
    say("start %s mode=%x cap=%u buffers=%ux%uK file=%s -> %ld", name, mode, cap, buffers, kilobytes, file, error);
    if (error) return (int)error;
    pthread_mutex_lock(&all);
    for (int i = 0; i < 8; i++) {
        struct session *s = &sessions[i];
        if (s->used) continue;
        memset(s, 0, sizeof *s);
        s->used = 1, s->mode = mode, s->lost = lost_by_clock, s->buffers_lost = buffers_lost_by_clock;
        snprintf(s->name, sizeof s->name, "%s", name);
        snprintf(s->file, sizeof s->file, "%s", file);
        pthread_mutex_init(&s->gate, NULL);
        pthread_cond_init(&s->more, NULL);
        if (!*file) s->ring = malloc(ring * sizeof *s->ring);
        *handle = i + 1;
        memcpy(properties + HISTORICAL_CONTEXT, handle, 8);
        break;
    }
    pthread_mutex_unlock(&all);
    session_file(at, sizeof at, name);
    FILE *mark = fopen(at, "w");
    if (mark) fclose(mark);
    return *handle ? 0 : ERROR_NO_SYSTEM_RESOURCES;
}

int EnableTraceEx2(uint64_t handle, const uint8_t *id, uint32_t control, uint8_t level, uint64_t any, uint64_t all_of, uint32_t timeout, const uint8_t *parameters) {
    static long calls;
    load();
    struct session *s = of(handle);
    char text[40];
    guid(text, id);
    if (!s) return ERROR_INVALID_PARAMETER;
    if (control == 2) {
        say("capture %s %s any=%llx -> %ld", s->name, text, (unsigned long long)any, capture_error);
        if (capture_error) return (int)capture_error;
        if (!s->ring) return 0;
        size_t size;
        uint8_t *bytes = read_all("rundown.bin", &size);
        replay(s, bytes, size, now(), id);
        free(bytes);
        if (!s->producing) {
            s->producing = 1;
            pthread_create(&s->producer, NULL, produce, s);
        }
        return 0;
    }
    struct provider p = {.level = level, .any = any};
    memcpy(p.id, id, 16);
    const uint8_t *descriptors;
    uint32_t version, count = 0, property;
    memcpy(&version, parameters, 4);
    memcpy(&property, parameters + 4, 4);
    memcpy(&descriptors, parameters + 32, 8);
    if (version == 2) memcpy(&count, parameters + 40, 4);
    char list[600] = "";
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *data;
        int32_t type;
        memcpy(&data, descriptors + i * 16, 8);
        memcpy(&type, descriptors + i * 16 + 12, 4);
        if (type != FILTER_EVENT_ID) {
            sprintf(list + strlen(list), " filter=%x", (unsigned)type);
            continue;
        }
        uint16_t ids;
        memcpy(&ids, data + 2, 2);
        sprintf(list + strlen(list), " %s=", data[0] ? "ids" : "not");
        for (int k = 0; k < ids && k < MAX_IDS; k++) {
            memcpy(&p.id_list[k], data + 4 + k * 2, 2);
            sprintf(list + strlen(list), k ? ",%u" : "%u", p.id_list[k]);
        }
        p.ids = ids;
    }
    long error = enable_error && ++calls > enable_error_at ? enable_error : 0;
    say("enable %s %s control=%u level=%u any=%llx all=%llx timeout=%u property=%x%s -> %ld", s->name, text, control, level, (unsigned long long)any, (unsigned long long)all_of, timeout, property, list, error);
    if (error) return (int)error;
    pthread_mutex_lock(&s->gate);
    if (s->provider_count < MAX_PROVIDERS) s->providers[s->provider_count++] = p;
    pthread_mutex_unlock(&s->gate);
    return 0;
}

static void copy_file(const char *to) {
    size_t size;
    uint8_t *bytes = read_all("file.etl", &size);
    FILE *file = bytes ? fopen(to, "wb") : NULL;
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    free(bytes);
}

int ControlTraceW(uint64_t handle, const uint16_t *wide, uint8_t *properties, uint32_t control) {
    load();
    char name[MAX_NAME], at[2048];
    narrow(name, sizeof name, wide);
    struct session *s = handle ? of(handle) : find(name);
    int there = is_there(name);
    if (control != 0) say("control %s code=%u -> %d", name, control, there ? 0 : ERROR_WMI_INSTANCE_NOT_FOUND);
    if (s) {
        uint64_t context = (uint64_t)(s - sessions) + 1;
        memcpy(properties + HISTORICAL_CONTEXT, &context, 8);
        pthread_mutex_lock(&s->gate);
        uint32_t lost = s->lost, buffers = s->buffers_lost, written = (uint32_t)(s->delivered / 100);
        memcpy(properties + EVENTS_LOST, &lost, 4);
        memcpy(properties + REAL_TIME_BUFFERS_LOST, &buffers, 4);
        memcpy(properties + BUFFERS_WRITTEN, &written, 4);
        pthread_mutex_unlock(&s->gate);
    }
    if (!there) return ERROR_WMI_INSTANCE_NOT_FOUND;
    if (control == 1) {
        session_file(at, sizeof at, name);
        unlink(at);
        if (s && *s->file) copy_file(s->file);
        if (s) {
            // All of the scenario happens before the end, however slow the machine; what was lost is told after that.
            if (s->producing) pthread_join(s->producer, NULL);
            pthread_mutex_lock(&s->gate);
            s->producing = 2;
            s->stopping = 1;
            pthread_cond_broadcast(&s->more);
            uint32_t lost = s->lost;
            memcpy(properties + EVENTS_LOST, &lost, 4);
            pthread_mutex_unlock(&s->gate);
        }
    }
    return 0;
}

// Windows finds these by their names with a W; elsewhere the runtime looks for what the import says.
int ControlTrace(uint64_t handle, const uint16_t *wide, uint8_t *properties, uint32_t control) { return ControlTraceW(handle, wide, properties, control); }

uint64_t OpenTraceW(uint8_t *logfile) {
    load();
    char name[MAX_NAME];
    uint16_t *wide;
    memcpy(&wide, logfile + 8, 8);
    narrow(name, sizeof name, wide);
    struct session *s = find(name);
    say("open %s -> %d", name, s ? 0 : ERROR_WMI_INSTANCE_NOT_FOUND);
    if (!s) {
        errno = ERROR_WMI_INSTANCE_NOT_FOUND;
        return UINT64_MAX;
    }
    uint8_t *h = logfile + 120;
    uint32_t buffer = 65536, version = 10, build = 20348, processors = 4, pointer = 8, clock = 1;
    int64_t frequency = 1000000000;
    memcpy(h, &buffer, 4), memcpy(h + 4, &version, 4), memcpy(h + 8, &build, 4), memcpy(h + 12, &processors, 4), memcpy(h + 44, &pointer, 4);
    memcpy(h + 256, &frequency, 8), memcpy(h + 272, &clock, 4);
    memcpy(&s->buffer_callback, logfile + 400, 8), memcpy(&s->callback, logfile + 424, 8), memcpy(&s->context, logfile + 440, 8);
    s->opened = 1;
    return (uint64_t)(s - sessions) + 1;
}

int ProcessTrace(const uint64_t *handles, uint32_t count, const void *from, const void *to) {
    struct session *s = count == 1 ? of(handles[0]) : NULL;
    if (!s || !s->opened) return 6;
    say("process %s", s->name);
    for (;;) {
        // Without the lock, which a producer of a million events a second would hardly ever give away.
        int last = s->stopping && (s->replayed || s->producing != 1);
        long end = s->tail;
        if (s->head == end) {
            if (last) break;
            usleep(200);
            continue;
        }
        for (; s->head < end; atomic_fetch_add(&s->head, 1)) {
            s->callback(&s->ring[s->head % ring].record);
            if (slow_us) usleep(slow_us);
        }
        s->delivered = s->head;
        pthread_cond_broadcast(&s->more);
        if (s->buffer_callback && !s->buffer_callback(NULL)) break;
    }
    s->stopping = 1;
    say("processed %s produced=%ld filtered=%ld delivered=%ld lost=%ld", s->name, s->produced, s->filtered, s->delivered, s->lost - lost_by_clock);
    return 0;
}

int CloseTrace(uint64_t handle) { say("close %llu", (unsigned long long)handle); return 0; }

int QueryAllTracesW(uint8_t **properties, uint32_t most, uint32_t *count) {
    load();
    char at[2048];
    path(at, sizeof at, "sessions");
    *count = 0;
    if (query_error) return (int)query_error;
    DIR *dir = opendir(at);
    for (struct dirent *entry; dir && (entry = readdir(dir)) && *count < most;) {
        if (entry->d_name[0] == '.') continue;
        uint32_t offset;
        memcpy(&offset, properties[*count] + LOGGER_NAME_OFFSET, 4);
        widen((uint16_t *)(properties[(*count)++] + offset), entry->d_name);
    }
    if (dir) closedir(dir);
    return 0;
}

int QueryAllTraces(uint8_t **properties, uint32_t most, uint32_t *count) { return QueryAllTracesW(properties, most, count); }

int TraceSetInformation(uint64_t handle, uint32_t what, void *data, uint32_t length) { say("set %u", what); return 0; }

int OpenProcessToken(void *process, uint32_t access, void **token) { load(); *token = (void *)1; return 1; }

int GetTokenInformation(void *token, int what, void *data, int length, int *needed) {
    // TokenElevationType: 2 is full, 3 limited. TokenElevation: whether.
    int answer = what == 18 ? (elevated ? 2 : 3) : elevated != 0;
    say("elevation %d", what);
    *needed = 4;
    if (length >= 4) memcpy(data, &answer, 4);
    return 1;
}

int CloseHandle(void *handle) { return 1; }
