/* A server that sets TCP_NODELAY and buffers of each connection at random, and prints what its own getsockopt says. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define SO_BUF_LOCK_OPTION 72

static int option(int s, int level, int name)
{
    int value = -1;
    socklen_t length = sizeof value;
    return getsockopt(s, level, name, &value, &length) == 0 ? value : -1;
}

static void set(int s, int level, int name, int value)
{
    setsockopt(s, level, name, &value, sizeof value);
}

int main(int argc, char **argv)
{
    int count = atoi(argv[1]), listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    srand(atoi(argv[2]));
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 512) || getsockname(listener, (struct sockaddr *)&at, &length))
        return 1;
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    for (int i = 0; i < count; i++) {
        struct sockaddr_in peer;
        length = sizeof peer;
        int s = accept(listener, (struct sockaddr *)&peer, &length), bits = rand();
        if (bits & 16)
            set(s, IPPROTO_TCP, TCP_NODELAY, 1);
        if (bits & 32)
            set(s, IPPROTO_TCP, TCP_NODELAY, 0);
        if (bits & 64)
            set(s, SOL_SOCKET, SO_SNDBUF, 8192 + rand() % 200000);
        if (bits & 128)
            set(s, SOL_SOCKET, SO_RCVBUF, 8192 + rand() % 200000);
        if (bits & 256)
            set(s, SOL_SOCKET, SO_KEEPALIVE, 1);
        printf("%d %d %d %d %d %d\n", ntohs(peer.sin_port), option(s, IPPROTO_TCP, TCP_NODELAY), option(s, SOL_SOCKET, SO_SNDBUF),
               option(s, SOL_SOCKET, SO_RCVBUF), option(s, SOL_SOCKET, SO_BUF_LOCK_OPTION), option(s, SOL_SOCKET, SO_KEEPALIVE));
    }
    fflush(stdout);
    return getchar() == 'x';
}
