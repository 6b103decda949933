"""Malicious servers against 'measure' and 'sweep': the responder's own protocol, HTTP/1.1, WebSocket and HTTP/2, each broken in the ways a hostile peer would.

The client ends within a minute, with a published exit code, at most one short sentence on stderr for each thing it measured, no control characters from the
peer anywhere in its output, no number in a report that cannot be (negative, or above 10^15), and little memory. A server that does not know the token is never
measured.
"""
import base64
import concurrent.futures
import contextlib
import hashlib
import itertools
import json
import os
import random
import socket
import struct
import threading
import time

import attack
from attack import frame

MOST_MB = 400
HUGE, TINY = 2**63 - 1, -2**63
NOISE = random.Random(1).randbytes(1 << 16)
WILD = "\x1b[2J\x07\u202e\u2028\x00 evil\r\n".encode() * 7
STATE = struct.pack("<BBiiiB", 2, 0, 65536, 65536, -1, 0)
SOME = [100, 50, 0, 0, 0, 0, 0, 100, 60, 60, 50, 50, 1448]

OWN = ["measure", "{host}:{port}", "--count", 20, "--warmup", "0s", "--timeout", "2s"]
HTTP = ["measure", "http://{host}:{port}/", "--count", 2, "--timeout", "2s"]
SOCKET = ["measure", "ws://{host}:{port}/", "--count", 2, "--timeout", "2s"]
HTTP2 = [*HTTP, "--http", "2"]
SWEEP = ["sweep", "window", "{host}:{port}", "--protocol", "http2", "--messages", 10, "--sizes", "dynamic", "--connections", 1, "--rounds", 1,
         "--duration", "50ms", "--warmup", "0s", "--timeout", "2s"]


def text(content):
    return bytes([len(content)]) + content


def hello(version=2, needs_token=0):
    return frame(2, struct.pack("<HB", version, needs_token) + bytes(32))


def ready(redirect=0, state=STATE, software=b"latencytuner 0.1.0"):
    return frame(6, state + struct.pack("<iQ", redirect, 1) + text(software) + text(b"Linux"))


def result(messages=20, sent=1280, residence=20000, start=SOME, end=SOME, host=b"", source=b"TCP_INFO"):
    counters = b"".join(text(source) + struct.pack("<13q", *values) for values in (start, end))
    return frame(7, struct.pack("<3q", messages, sent, residence) + STATE + counters + host)


def receive(peer, count):
    got = b""
    while len(got) < count and (part := peer.recv(count - len(got))):
        got += part
    return got


def receive_frame(peer):
    return receive(peer, struct.unpack("<I", receive(peer, 12)[8:])[0])


def say(*parts):
    """A server that sends these at once, and then nothing more until the client leaves."""
    def serve(peer):
        for part in parts:
            peer.sendall(part)
        while peer.recv(65536):
            pass
    return serve


def leave(*parts):
    """A server that reads the first bytes, sends these and closes."""
    def serve(peer):
        peer.recv(65536)
        for part in parts:
            peer.sendall(part)
    return serve


def endless(first, part, every=0):
    """A server that sends the second part for ever."""
    def serve(peer):
        peer.sendall(first)
        while True:
            peer.sendall(part)
            time.sleep(every)
    return serve


def slowly(content):
    """A server that sends a byte a second."""
    def serve(peer):
        for value in itertools.cycle(content):
            peer.sendall(bytes([value]))
            time.sleep(1)
    return serve


def reset(peer):
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def shake(peer, *answers):
    """The server's side of the handshake: an answer to each frame of the client."""
    for answer in answers:
        receive_frame(peer)
        peer.sendall(answer)


def reply(number, residence=1000, magic=0x5250544C, waits=(0, 0)):
    return struct.pack("<IIq", number, magic, residence) + struct.pack("<IIqq", 0x5757544C, 0, *waits) + bytes(24)


def responder(answer=reply, last=result(), greet=hello(), first=ready()):
    """A responder that is as it should be but for what it was given: the replies, its result, its greeting, its answer to the setup."""
    def serve(peer):
        shake(peer, greet, first)
        for number in itertools.count():
            if len(receive(peer, 64)) < 64:
                break
            peer.sendall(answer(number))
        peer.sendall(last)
        while peer.recv(65536):
            pass
    return serve


def after_handshake(then):
    def serve(peer):
        shake(peer, hello(), ready())
        then(peer)
    return serve


def impostor(proof, needs_token=1):
    """A server that asks for the token and does not know it; the proof may be made of the client's greeting. It must get none of the client."""
    def serve(peer):
        greeting = receive_frame(peer)
        peer.sendall(hello(needs_token=needs_token))
        peer.sendall(frame(4, proof(greeting)))
        shake(peer, ready() + bytes(32))
    return serve


def redirect_home(peer):
    """Each connection is sent on to the same port."""
    shake(peer, hello(), ready(redirect=peer.getsockname()[1]))


def http(*parts):
    """An HTTP server that answers each request with these bytes."""
    def serve(peer):
        while peer.recv(65536):
            for part in parts:
                peer.sendall(part)
    return serve


def websocket(then, key=None):
    """A WebSocket server: the upgrade with the right or the given key, and then what it was given."""
    def serve(peer):
        request = b""
        while b"\r\n\r\n" not in request:
            request += peer.recv(65536)
        asked = request.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
        right = base64.b64encode(hashlib.sha1(asked + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        peer.sendall(b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + (key or right) + b"\r\n\r\n")
        then(peer)
    return serve


def h2(kind, flags=0, stream=0, payload=b"", announced=None):
    length = len(payload) if announced is None else announced
    return struct.pack(">I", length)[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def h2_field(name, value):
    """A header that is never compressed; the length of a long value has more than one byte."""
    rest, length = len(value) - 127, b""
    while rest >= 128:
        length += bytes([rest % 128 + 128])
        rest //= 128
    return b"\x00" + bytes([len(name)]) + name + (bytes([127]) + length + bytes([rest]) if len(value) >= 127 else bytes([len(value)])) + value


def h2_server(answer):
    """An HTTP/2 server; each request is answered by what `answer` does with the peer, the number of the request and its stream."""
    def serve(peer):
        receive(peer, 24)
        peer.sendall(SETTINGS)
        number = 0
        while len(head := receive(peer, 9)) == 9:
            receive(peer, int.from_bytes(head[:3], "big"))
            if head[3] == 1:
                answer(peer, number, int.from_bytes(head[5:], "big"))
                number += 1
    return serve


def h2_answer(flags, fields, then=b""):
    """The same answer to each request: its headers, and what follows once."""
    return h2_server(lambda peer, number, stream: peer.sendall(h2(1, flags, stream, b"\x88" + fields) + then))


def h2_endless(fields, flags, kind, payload):
    """The headers of an answer, then frames of one kind in its stream for ever."""
    def answer(peer, number, stream):
        peer.sendall(h2(1, flags, stream, b"\x88" + fields))
        while True:
            peer.sendall(h2(kind, 0, stream if kind in (0, 9) else 0, payload))
    return h2_server(answer)


def greets(then):
    """The HTTP port of a responder without a token: three greetings, then what `then` does with the request for the stream."""
    def answer(peer, number, stream):
        if number < 3:
            peer.sendall(h2(1, 5, stream, GREETING + NONCE))
        else:
            then(peer, stream)
    return h2_server(answer)


def stream_of(messages, times=None):
    """A stream of 4 KiB messages as asked, with the responder's own times, if any, in its trailer."""
    def then(peer, stream):
        trailer = h2(1, 5, stream, h2_field(b"latencytuner-times", times)) if times is not None else h2(0, 1, stream)
        body = b"".join(h2(0, 0, stream, struct.pack("<q", n) + bytes(4088)) for n in range(messages))
        peer.sendall(h2(1, 4, stream, b"\x88") + body + trailer)
    return then


def times_of(value):
    """The trailer's times, each of that many nanoseconds."""
    return (struct.pack("<5q", *[value] * 5) + result(value, value, value, [value] * 13, [value] * 13)[12:]).hex().encode()


SETTINGS = h2(4) + h2(4, 1)
GREETING = b"\x88" + h2_field(b"latencytuner-protocol", b"2") + h2_field(b"latencytuner-token", b"none")
NONCE = h2_field(b"latencytuner-nonce", b"0" * 32)
OK = b"HTTP/1.1 200 OK\r\n"

CASES = {
    "own protocol": (OWN, {
        "closes at once": lambda peer: None,
        "resets at once": reset,
        "garbage": say(NOISE),
        "endless garbage": endless(b"", NOISE),
        "endless greetings": endless(b"", hello()),
        "a greeting, then silence": say(hello()),
        "a greeting a byte a second": slowly(hello()),
        "a refusal of 60 kB": say(frame(8, struct.pack("<H", 4) + WILD * 1400)),
        "a refusal of 255 control characters": say(frame(8, struct.pack("<H", 4) + text(WILD[:255]))),
        "a refusal that is not text": say(frame(8, struct.pack("<H", 99) + text(bytes(range(128, 256))))),
        "a refusal that is cut off": say(frame(8, struct.pack("<H", 4) + b"\xffx")),
        "version 65535": say(hello(version=65535)),
        "a payload of 4 GB": say(frame(2, b"", announced=0xFFFFFFFF)),
        "a payload of 2 GB": say(frame(2, b"", announced=0x7FFFFFFF)),
        "names of control characters": responder(first=ready(software=WILD[:200])),
        "ready, then a flood": after_handshake(endless(b"", NOISE)),
        "ready, then replies nobody asked for": after_handshake(endless(b"", reply(0))),
        "ready with options of 2^31": responder(first=ready(state=struct.pack("<BBiiiB", 255, 255, 2**31 - 1, -2**31, 2**31 - 1, 255))),
        "short replies": responder(lambda n: reply(n)[:63]),
        "long replies": responder(lambda n: reply(n) + b"x"),
        "replies with wrong numbers": responder(lambda n: reply(7 * n + 3)),
        "replies without a stamp": responder(lambda n: reply(n, magic=0)),
        "residence of 2^63-1": responder(lambda n: reply(n, residence=HUGE)),
        "residence of -2^63": responder(lambda n: reply(n, residence=TINY)),
        "residence of an hour": responder(lambda n: reply(n, residence=3600 * 10**9)),
        "waits of 2^63-1": responder(lambda n: reply(n, waits=(HUGE, HUGE))),
        "waits of -2^63": responder(lambda n: reply(n, waits=(TINY, TINY))),
        "a result of 2^63-1": responder(last=result(HUGE, HUGE, HUGE, [HUGE] * 13, [HUGE] * 13, b"\x0a" + struct.pack("<10q", *[HUGE] * 10))),
        "a result of -2^63": responder(last=result(TINY, TINY, TINY, [TINY] * 13, [TINY] * 13, b"\x0a" + struct.pack("<10q", *[TINY] * 10))),
        "counters from -2^63 to 2^63-1": responder(last=result(start=[0] * 13, end=[HUGE] * 13)),
        "counters that fall": responder(last=result(start=[HUGE] * 13, end=[0] * 13)),
        "a result with control characters": responder(last=result(source=WILD[:255])),
        "a result that never comes": responder(last=b""),
        "a result that is cut off": responder(last=result()[:40]),
        "a redirect nobody asked for": redirect_home,
    }),
    "an impostor": ([*OWN, "--token-file", attack.TOKEN], {
        "a wrong proof": impostor(lambda greeting: bytes(32)),
        "the client's own greeting": impostor(lambda greeting: greeting[-32:]),
        "an empty proof": impostor(lambda greeting: b""),
        "a long proof": impostor(lambda greeting: bytes(2000)),
        "no token needed": responder(),
        "no proof at all": responder(greet=hello()[:14] + b"\x01" + hello()[15:]),
    }),
    "redirects": ([*OWN, "--peer-receive-buffer", 65536], {"to itself for ever": redirect_home}),
    "one way": ([*OWN[:2], "--pattern", "stream", "--duration", "500ms", "--warmup", "0s", "--timeout", "2s"], {
        "reads nothing": after_handshake(lambda peer: time.sleep(120)),
        "a flood the other way": after_handshake(endless(b"", NOISE)),
    }),
    "HTTP/1.1": (HTTP, {
        "a status line of 1 MB": http(b"HTTP/1.1 200 " + b"x" * (1 << 20)),
        "a reason of control characters": http(b"HTTP/1.1 503 " + WILD.split(b"\r")[0] + b"\r\nContent-Length: 0\r\n\r\n"),
        "headers that never end": endless(OK, b"x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n"),
        "one header that never ends": endless(OK + b"x: ", NOISE.replace(b"\r", b"y").replace(b"\n", b"y")),
        "a byte a second": slowly(OK),
        "a Content-Length too long": leave(OK + b"Content-Length: 1000\r\n\r\nshort"),
        "a Content-Length too short": http(OK + b"Content-Length: 2\r\n\r\n" + b"much longer" * 1000),
        "a Content-Length of 2^64": http(OK + b"Content-Length: 18446744073709551616\r\n\r\n"),
        "a Content-Length of control characters": http(OK + b"Content-Length: 1\x1b[2J\x07\r\n\r\n"),
        "two of them": http(OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
        "an endless body": endless(OK + b"\r\n", NOISE),
        "a chunk of 2^64": http(OK + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n" + NOISE),
        "a chunk of 2^31-1": http(OK + b"Transfer-Encoding: chunked\r\n\r\n7FFFFFFF\r\n" + NOISE),
        "a chunk that is no number": http(OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nx"),
        "an endless chunk extension": endless(OK + b"Transfer-Encoding: chunked\r\n\r\n5;", b"x" * 65536),
        "endless trailers": endless(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n" * 1000),
        "a redirect to itself": http(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
        "endless 100 Continue": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        "101 unasked": http(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: evil\r\nConnection: Upgrade\r\n\r\n"),
        "garbage": say(NOISE),
        "closes at once": leave(),
        "resets at once": reset,
    }),
    "WebSocket": (SOCKET, {
        "resets at once": reset,
        "closes at once": leave(),
        "a wrong key": websocket(say(), key=b"d3Jvbmc="),
        "a key of control characters": websocket(say(), key=b"\x1b[2J\x07"),
        "a frame of 2^63": websocket(say(b"\x82\x7f" + struct.pack(">Q", 1 << 63) + NOISE)),
        "a frame of 2 GB": websocket(endless(b"\x82\x7f" + struct.pack(">Q", 1 << 31), NOISE)),
        "masked frames": websocket(say(b"\x8a\x88" + bytes(12))),
        "endless pings": websocket(endless(b"", b"\x89\x00" * 1000)),
        "endless pongs that nobody asked for": websocket(endless(b"", b"\x8a\x08" + bytes(8))),
        "a ping of 65535 bytes": websocket(say(b"\x89\x7e\xff\xff" + NOISE)),
        "a ping a second": websocket(endless(b"", b"\x89\x00", every=1)),
        "closes with control characters": websocket(say(b"\x88\x0a\x03\xe8" + WILD[:8])),
        "headers that never end": endless(b"HTTP/1.1 101 x\r\n", b"x: y\r\n" * 100),
        "garbage": say(NOISE),
        "silence": say(),
    }),
    "HTTP/2": (HTTP2, {
        "resets at once": reset,
        "garbage": say(NOISE),
        "HTTP/1.1": say(OK + b"Content-Length: 0\r\n\r\n"),
        "a frame of 16 MB": say(SETTINGS, h2(0, 0, 1, b"", announced=0xFFFFFF), NOISE),
        "endless settings": endless(b"", h2(4) * 100),
        "endless pings": h2_endless(b"", 4, 6, bytes(8)),
        "endless continuations": h2_endless(b"", 0, 9, h2_field(b"x", b"y") * 100),
        "a header that is no HPACK": h2_answer(5, b"\xff" * 100),
        "goes away with control characters": h2_answer(4, b"", h2(7, 0, 0, struct.pack(">II", 0, 11) + WILD)),
        "an endless body": h2_endless(b"", 4, 0, NOISE[:16384]),
        "a stream nobody opened": h2_answer(4, b"", h2(1, 5, 4711, b"\x88")),
        "silence": say(),
        "a window of 2^31-1 twice": h2_answer(5, b"", h2(8, 0, 0, struct.pack(">I", 2**31 - 1)) * 2),
        "empty frames for ever": h2_endless(b"", 4, 0, b""),
        "headers of 16 MB": h2_endless(b"", 0, 9, h2_field(b"x", b"y" * 16000)),
        "resets every stream": h2_server(lambda peer, number, stream: peer.sendall(h2(3, 0, stream, struct.pack(">I", 7)))),
    }),
    "sweep over HTTP/2": (SWEEP, {
        "resets at once": reset,
        "closes at once": leave(),
        "garbage": say(NOISE),
        "silence": say(),
        "no greeting": h2_answer(5, b""),
        "a greeting of control characters": h2_answer(5, GREETING[1:] + h2_field(b"latencytuner-nonce", b"\x01\x1b" * 32)),
        "names of control characters": h2_answer(5, GREETING[1:] + NONCE + h2_field(b"latencytuner-software", b"\x1b[2J\x07" * 16)),
        "a nonce of 12 kB": h2_answer(5, GREETING[1:] + h2_field(b"latencytuner-nonce", b"0" * 12000)),
        "a refusal of control characters": greets(
            lambda peer, stream: peer.sendall(h2(1, 4, stream, b"\x8e") + h2(0, 1, stream, (WILD * 200)[:16000]))),
        "an endless stream": greets(lambda peer, stream: endless(h2(1, 4, stream, b"\x88"), h2(0, 0, stream, bytes(16384)))(peer)),
        "a stream that ends early": greets(stream_of(5)),
        "a stream that is too long": greets(stream_of(14)),
        "times of 2^63-1": greets(stream_of(10, times_of(HUGE))),
        "times of -2^63": greets(stream_of(10, times_of(TINY))),
        "times that are none": greets(stream_of(10, b"zz" * 3000)),
    }),
}
SHORT = {
    "own protocol": (
        "closes at once", "endless garbage", "a greeting, then silence", "a refusal of 60 kB", "a refusal of 255 control characters", "version 65535",
        "a payload of 4 GB", "names of control characters", "ready, then a flood", "short replies", "residence of 2^63-1", "residence of -2^63",
        "waits of 2^63-1", "a result of 2^63-1", "a result of -2^63", "counters from -2^63 to 2^63-1"),
    "an impostor": ("the client's own greeting", "no token needed"),
    "redirects": ("to itself for ever",),
    "one way": (),
    "HTTP/1.1": (
        "a status line of 1 MB", "a reason of control characters", "headers that never end", "a byte a second", "a Content-Length too long",
        "a chunk of 2^64", "a redirect to itself", "endless 100 Continue", "resets at once"),
    "WebSocket": ("resets at once", "a wrong key", "a frame of 2^63", "masked frames", "endless pings"),
    "HTTP/2": ("resets at once", "garbage", "endless settings", "endless continuations", "an endless body"),
    "sweep over HTTP/2": ("resets at once", "garbage", "names of control characters", "times of 2^63-1"),
}


@contextlib.contextmanager
def fake(serve):
    """A malicious server: each connection on a thread of its own."""
    def connection(peer):
        # How a client leaves is its own business.
        with contextlib.suppress(OSError, struct.error), peer:
            peer.settimeout(90)
            serve(peer)

    def accept():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=connection, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server((attack.HOST, 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        # Wakes up the thread that accepts.
        listener.shutdown(socket.SHUT_RDWR)


def numbers(document, name=""):
    if isinstance(document, (dict, list)):
        for key, value in document.items() if isinstance(document, dict) else enumerate(document):
            yield from numbers(value, f"{name}.{key}" if isinstance(document, dict) else f"{name}[]")
    elif isinstance(document, (int, float)) and not isinstance(document, bool):
        yield name.lstrip("."), document


def impossible(ended):
    """What a report in JSON says that cannot be, because a peer said so; or an empty text."""
    try:
        wild = {name: value for name, value in numbers(json.loads(ended.out or "0")) if not 0 <= value < 1e15}
    except ValueError as e:
        return f"not JSON: {e}"
    return f"the report has {', '.join(f'{name} {value}' for name, value in [*wild.items()][:3])} ({len(wild)} such fields)" if wild else ""


def measure(group, name):
    arguments, servers = CASES[group]
    with fake(servers[name]) as port:
        started = [str(a).format(host=attack.HOST, port=port) for a in arguments] + ["--quiet"]
        # In the short form only what might control a terminal is also shown as text.
        return [attack.run([*started, "--format", form]) for form in ("json", "text")[:1 + (attack.LONG or "control" in name)]]


wanted = [(group, name) for group, (_, servers) in CASES.items() for name in servers if attack.LONG or name in SHORT[group]]
rows = []
# Most of them wait, for a timeout or for the start of the program.
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    for (group, name), results in zip(wanted, pool.map(lambda case: measure(*case), wanted)):
        codes = [5] if group == "an impostor" else attack.PUBLISHED
        # Servers without a responder are measured on a kept connection and on two new ones, or request by request, which may fail in different ways.
        lines = 3 if CASES[group][0] in (HTTP, HTTP2, SOCKET) else 1
        for ended in results:
            form = "JSON" if ended is results[0] else "text"
            wrong = attack.trouble(ended, MOST_MB, codes, lines) or (impossible(ended) if form == "JSON" else "")
            attack.verdict(f"peers: {group}, {name}, {form}", not wrong, wrong or f"exit code {ended.code}, peak {ended.peak_mb} MB {ended.err.strip()[:110]}")
            rows.append((group, name, form, ended.code, f"{ended.seconds:.1f}", ended.peak_mb))
if attack.LONG:
    attack.table("Clients of malicious servers", ("protocol", "server", "form", "exit code", "seconds", "peak MB"), rows)
attack.finish()
