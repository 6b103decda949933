// A minimal blocking TCP ping-pong over 127.0.0.1, the floor that latencytuner is compared with.
// usage: pingpong CLIENT_CPU SERVER_CPU SECONDS [RATE]
// prints: p50 p99 min (us, full round trip) count [p99 of the send lateness in us]; with RATE, requests leave at planned times.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void must(int ok, const char *what) { if (!ok) { perror(what); exit(5); } }

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    must(sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity");
}

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int get(int s, char *buffer, int size) {
    for (int got = 0; got < size;) {
        ssize_t n = recv(s, buffer + got, size - got, 0);
        if (n <= 0) return 0;
        got += n;
    }
    return 1;
}

static int compare(const void *a, const void *b) { long x = *(const long *)a, y = *(const long *)b; return (x > y) - (x < y); }

static double percentile(long *values, long count, long percent) {
    qsort(values, count, sizeof *values, compare);
    return values[count * percent / 100] / 1e3;
}

// An open loop that spins: sends when the planned time has come, else looks for replies. Times count from the send, as in the closed loop.
static long paced(int s, char *buffer, int size, double rate, long counted, long *times, long *late, long planned) {
    static long sent_at[4096];
    long sent = 0, got = 0, bytes = 0, count = 0, start = now();
    while (got < planned) {
        long t = now(), due = start + (long)(sent * 1e9 / rate);
        if (sent < planned && t >= due && sent - got < 4096) {
            sent_at[sent++ % 4096] = t;
            if (due >= counted) late[count++] = t - due;
            must(send(s, buffer, size, MSG_NOSIGNAL) == size, "send");
        }
        ssize_t n = recv(s, buffer, 65536, MSG_DONTWAIT);
        must(n > 0 || (n < 0 && errno == EAGAIN), "recv");
        long received = now();
        for (bytes += n > 0 ? n : 0; bytes >= size; bytes -= size, got++)
            times[got] = received - sent_at[got % 4096];
    }
    for (long i = 0; i < count; i++) times[i] = times[planned - count + i];
    return count;
}

int main(int argc, char **argv) {
    if (argc < 4) { fprintf(stderr, "usage: pingpong CLIENT_CPU SERVER_CPU SECONDS [RATE]\n"); return 2; }
    int size = 64, one = 1;
    double rate = argc > 4 ? atof(argv[4]) : 0;
    static char buffer[65536];
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    must(bind(listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(listener, 1) == 0, "listen");
    must(getsockname(listener, (struct sockaddr *)&at, &length) == 0, "getsockname");
    pid_t server = fork();
    must(server >= 0, "fork");
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pin(atoi(argv[2]));
        int s = accept(listener, NULL, NULL);
        setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        while (get(s, buffer, size) && send(s, buffer, size, MSG_NOSIGNAL) == size) { }
        return 0;
    }
    pin(atoi(argv[1]));
    int s = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(s, (struct sockaddr *)&at, sizeof at) == 0, "connect");
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    long room = 1 << 22, count = 0, counted = now() + 200000000L, end = counted + (long)(atof(argv[3]) * 1e9);
    long *times = malloc(room * sizeof *times), *late = malloc(room * sizeof *late), planned = (long)(rate * (end - now()) / 1e9);
    must(times != NULL && late != NULL && planned < room, "malloc");
    if (rate > 0) count = paced(s, buffer, size, rate, counted, times, late, planned);
    while (rate == 0 && count < room) {
        long before = now();
        if (before >= end) break;
        must(send(s, buffer, size, MSG_NOSIGNAL) == size && get(s, buffer, size), "exchange");
        long after = now();
        if (before >= counted) times[count++] = after - before;
    }
    close(s);
    waitpid(server, NULL, 0);
    must(count > 0, "no samples");
    double p50 = percentile(times, count, 50), p99 = percentile(times, count, 99);
    printf("%.2f %.2f %.2f %ld", p50, p99, times[0] / 1e3, count);
    if (rate > 0) printf(" %.2f", percentile(late, count, 99));
    printf("\n");
    return 0;
}
