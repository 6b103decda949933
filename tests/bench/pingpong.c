// A minimal blocking TCP ping-pong over 127.0.0.1, the floor that latencytuner is compared with.
// usage: pingpong CLIENT_CPU SERVER_CPU SECONDS [BYTES]     prints: p50 p99 min (us, full round trip) count
#define _GNU_SOURCE
#include <arpa/inet.h>
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

int main(int argc, char **argv) {
    if (argc < 4) { fprintf(stderr, "usage: pingpong CLIENT_CPU SERVER_CPU SECONDS [BYTES]\n"); return 2; }
    int size = argc > 4 ? atoi(argv[4]) : 64, one = 1;
    must(size > 0 && size <= 65536, "BYTES");
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
    long *times = malloc(room * sizeof *times);
    must(times != NULL, "malloc");
    while (count < room) {
        long before = now();
        if (before >= end) break;
        must(send(s, buffer, size, MSG_NOSIGNAL) == size && get(s, buffer, size), "exchange");
        long after = now();
        if (before >= counted) times[count++] = after - before;
    }
    close(s);
    waitpid(server, NULL, 0);
    must(count > 0, "no samples");
    qsort(times, count, sizeof *times, compare);
    printf("%.2f %.2f %.2f %ld\n", times[count / 2] / 1e3, times[count * 99 / 100] / 1e3, times[0] / 1e3, count);
    return 0;
}
