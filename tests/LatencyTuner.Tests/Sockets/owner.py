"""A process that owns sockets, for the tests of `sockets`. Python's standard library alone."""
import ctypes
import json
import socket
import sys
import threading

SO_BUF_LOCK = 72


def listener(port=0):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", port))
    one.listen(1024)
    return one


def described(one):
    """What the owner's own getsockopt says."""
    try:
        lock = one.getsockopt(socket.SOL_SOCKET, SO_BUF_LOCK)
    except OSError:
        lock = None
    return {
        "port": one.getsockname()[1],
        "peer": one.getpeername()[1],
        "noDelay": one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0,
        "keepAlive": one.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0,
        "sendBuffer": one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        "receiveBuffer": one.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
        "sendFixed": None if lock is None else lock & 1 != 0,
        "receiveFixed": None if lock is None else lock & 2 != 0,
        "congestion": one.getsockopt(socket.IPPROTO_TCP, 13, 16).rstrip(b"\0").decode(),
    }


def options(count, chosen=None):
    """Connections with options of every combination, or with one."""
    server = listener()
    kept = []
    for number in range(count):
        i = number if chosen is None else chosen
        client = socket.create_connection(server.getsockname())
        accepted, _ = server.accept()
        for one in (client, accepted):
            if i & 1:
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if i & 2:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32768)
            if i & 4:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            if i & 8:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            kept.append(one)
        client.sendall(b"q" * 100)
        accepted.recv(100)
    return [server] + kept


def closer():
    """Closes each connection as soon as it has sent a byte."""
    server = listener()
    print(server.getsockname()[1], flush=True)
    while True:
        one, _ = server.accept()
        one.recv(1)
        one.close()


def restarts(connections, times):
    """Closes connections and opens the same listener again and again; says each bind that fails."""
    server = listener()
    port = server.getsockname()[1]
    failed = 0
    for i in range(times):
        for _ in range(connections // times):
            client = socket.create_connection(("127.0.0.1", port))
            accepted, _ = server.accept()
            accepted.close()
            client.recv(1)
            client.close()
        server.close()
        try:
            server = listener(port)
        except OSError:
            failed += 1
            server = listener()
            port = server.getsockname()[1]
    print(failed, flush=True)


def churn():
    """Opens and closes connections as fast as it can, so that descriptors vanish and are given again."""
    server = listener()
    print(server.getsockname()[1], flush=True)

    def run():
        while True:
            client = socket.create_connection(server.getsockname())
            accepted, _ = server.accept()
            accepted.close()
            client.close()

    threading.Thread(target=run, daemon=True).start()


def pieces(port, count, no_delay):
    """Requests in two sends, each answered by one; the connection stays."""
    one = socket.create_connection(("127.0.0.1", port))
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, no_delay)
    for _ in range(count):
        one.sendall(b"h" * 20)
        one.sendall(b"b" * 100)
        one.recv(50, socket.MSG_WAITALL)
    print("sent", flush=True)
    return one


mode = sys.argv[1]
if mode == "hidden":
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
if mode == "named":
    ctypes.CDLL(None).prctl(15, sys.argv[3].encode(), 0, 0, 0)
if mode in ("options", "hidden", "named"):
    sockets = options(int(sys.argv[2]), int(sys.argv[4]) if mode == "named" else None)
    print(json.dumps([described(s) for s in sockets[1:]]), flush=True)
elif mode == "closer":
    threading.Thread(target=closer, daemon=True).start()
elif mode == "restarts":
    sys.stdin.readline()
    restarts(int(sys.argv[2]), int(sys.argv[3]))
elif mode == "churn":
    churn()
elif mode == "pieces":
    kept = pieces(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
sys.stdin.read()
