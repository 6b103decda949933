"""What the attacks share: the program as a process with its exit code and peak memory, a responder, honest clients, crowds of strangers, and the verdicts.

Everything stays on 127.0.0.1 and in one temporary folder. A figure in milliseconds is never a verdict here: only limits that mean "it hangs" are.
"""
import atexit
import collections
import contextlib
import json
import os
import pathlib
import re
import resource
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata

LONG = "--long" in sys.argv[1:]
HOST = "127.0.0.1"
HANG = 30
PUBLISHED = range(8)
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "src/LatencyTuner/bin/Release/net8.0/latencytuner.dll"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="latencytuner-attack-"))
TOKEN = WORK / "token"
TOKEN.write_text("a token that no stranger knows 4711")
ENVIRONMENT = {**os.environ, "DOTNET_ROLL_FORWARD": "Major", "DOTNET_NOLOGO": "1", "NO_COLOR": "1"}

Ended = collections.namedtuple("Ended", "code out err peak_mb seconds")
Server = collections.namedtuple("Server", "process port http_port log")

_started = set()
_failed = 0
_unnamed = iter(range(1 << 30))
_verdicts = threading.Lock()

_most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (_most_files, _most_files))


@atexit.register
def _clean():
    for process in _started:
        with contextlib.suppress(OSError):
            os.kill(process.pid, signal.SIGKILL)
    shutil.rmtree(WORK, ignore_errors=True)


# The default of this signal ends python without the folder being removed.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def verdict(name, good, text):
    """Prints and counts one result."""
    global _failed
    with _verdicts:
        _failed += not good
        print(f"{'ok' if good else 'not ok'} - {name}: {' / '.join(text.splitlines())}", flush=True)


def finish():
    sys.exit(1 if _failed else 0)


def table(title, columns, rows):
    """The figures of the long form."""
    widths = [max(len(str(row[i])) for row in [columns, *rows]) for i in range(len(columns))]
    print(f"\n{title}")
    for row in [columns, *rows]:
        print("  " + "  ".join(str(value).rjust(width) if i else str(value).ljust(width) for i, (value, width) in enumerate(zip(row, widths))))
    print(flush=True)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


def start(arguments, files_limit=None):
    """Starts the program; its output goes to files, so that no pipe can fill up and stop it."""
    def limits():
        # A shell that starts something in the background has it ignore the interrupt, and so would all its children.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if files_limit:
            # Both limits: .NET raises its own to the hard one.
            resource.setrlimit(resource.RLIMIT_NOFILE, (files_limit, files_limit))

    name = WORK / f"run{next(_unnamed)}"
    with open(f"{name}.out", "wb") as out, open(f"{name}.err", "wb") as err:
        process = subprocess.Popen(
            ["dotnet", str(PROGRAM), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=ENVIRONMENT, cwd=WORK,
            preexec_fn=limits)
    process.name = name
    _started.add(process)
    return process


def run(arguments, within=60):
    """Runs the program to its end; code None means that it was still running after that many seconds and was killed."""
    began = time.monotonic()
    process = start(arguments)
    killer = threading.Timer(within, process.kill)
    killer.daemon = True
    killer.start()
    _, status, usage = os.wait4(process.pid, 0)
    killer.cancel()
    seconds = time.monotonic() - began
    _started.discard(process)
    process.returncode = os.waitstatus_to_exitcode(status)
    code = None if seconds >= within else process.returncode
    out, err = (text_of(f"{process.name}.{kind}") for kind in ("out", "err"))
    for kind in ("out", "err"):
        os.unlink(f"{process.name}.{kind}")
    return Ended(code, out, err, usage.ru_maxrss // 1024, seconds)


def text_of(path, most=1 << 22):
    with open(path, "rb") as file:
        return file.read(most).decode("utf-8", "replace")


def trouble(ended, most_mb, codes=PUBLISHED, lines=1):
    """What is wrong with how a run ended, or an empty text. Each line on stderr is a sentence."""
    wild = sorted({f"U+{ord(c):04X}" for c in ended.out + ended.err if c not in "\r\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Co", "Zl", "Zp")})
    found = [
        "still running" if ended.code is None else "",
        f"exit code {ended.code}" if ended.code is not None and ended.code not in codes else "",
        f"{len(ended.err)} characters on stderr" if len(ended.err) > 1000 else "",
        f"{len(ended.err.splitlines())} lines on stderr" if len(ended.err.splitlines()) > lines else "",
        f"nothing on stderr, exit code {ended.code}" if ended.code in range(2, 7) and not ended.err.strip() else "",
        f"characters {' '.join(wild)}" if wild else "",
        f"peak {ended.peak_mb} MB" if ended.peak_mb > most_mb else "",
    ]
    return ", ".join(filter(None, found)) + (f" ({ended.err.strip()[:300]!r})" if any(found) else "")


def peak_mb(process):
    """The peak resident memory of a running process so far; 0 when it has ended."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
        return int(found[1]) // 1024 if found else 0
    return 0


def open_files(process):
    """How many files a running process has open; 0 when it has ended."""
    with contextlib.suppress(OSError):
        return len(os.listdir(f"/proc/{process.pid}/fd"))
    return 0


def forgets(process, before):
    """Waits until strangers who have left cost the process no open file any more; a few of its own may have come."""
    deadline = time.monotonic() + HANG
    while process.poll() is None and open_files(process) > before + 10 and time.monotonic() < deadline:
        time.sleep(0.1)
    return 0 < open_files(process) <= before + 10


@contextlib.contextmanager
def serving(http=False, files_limit=None):
    """A responder with a token on ports that the system chose."""
    process = start(["serve", "--port", 0, *(["--http-port", 0] if http else []), "--token-file", TOKEN, "--quiet"], files_limit)
    try:
        ports = []
        deadline = time.monotonic() + HANG
        while len(ports) < 1 + http and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
            ports = re.findall(r"Listening on \S+:(\d+)[, ]", text_of(f"{process.name}.out"))
        if len(ports) < 1 + http:
            raise RuntimeError(f"serve did not listen: exit code {process.poll()}, {text_of(f'{process.name}.err')[:300]}")
        yield Server(process, int(ports[0]), int(ports[1]) if http else None, f"{process.name}.err")
    finally:
        process.kill()
        process.wait()
        _started.discard(process)


def stop(server):
    """Interrupts a responder as Ctrl-C would: its exit code (None when it did not end) and its last line."""
    server.process.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(HANG)
    lines = text_of(server.log).strip().splitlines()
    return server.process.poll(), lines[-1] if lines else ""


def ask(server, times):
    """Honest clients of the responder's own protocol, one after the other."""
    return [
        run(["measure", f"{HOST}:{server.port}", "--count", 50, "--warmup", "0s", "--token-file", TOKEN, "--format", "json", "--quiet"], HANG)
        for _ in range(times)]


def p99_us(server, count=2000):
    """The 99th percentile of the response times of one honest client, in microseconds; infinite when it was not served."""
    ended = run(["measure", f"{HOST}:{server.port}", "--count", count, "--token-file", TOKEN, "--format", "json", "--quiet"], HANG)
    return json.loads(ended.out)["responseTime"]["p99Us"] if ended.code == 0 else float("inf")


def ask_http(server, times):
    """Honest clients of the HTTP port: one point, one round, one short stream."""
    return [
        run(["sweep", "window", f"{HOST}:{server.http_port}", "--protocol", "http2", "--messages", 50, "--sizes", "dynamic", "--connections", 1, "--rounds", 1,
             "--duration", "50ms", "--warmup", "0s", "--token-file", TOKEN, "--format", "json", "--quiet"], HANG)
        for _ in range(times)]


def served(results):
    """How many of the honest clients were served, and what the first of the others said."""
    lost = [r for r in results if r.code != 0]
    said = f", exit code {lost[0].code}: {lost[0].err.strip()[:200]}" if lost else ""
    return len(results) - len(lost), f"{len(results) - len(lost)} of {len(results)} honest clients served{said}"


@contextlib.contextmanager
def crowd(port, count, say=b"", drip=b"", reset=False, again=100, wait_for=HANG):
    """Keeps that many strangers connected; for those turned away, up to `again` others come every tenth of a second. Each says something once, then one
    byte of drip a second. With reset they disconnect with a reset at once.

    Yields counts that change while it runs: came, connected, turned away, and how many are there now. The body
    begins when all have connected once, or after wait_for seconds.
    """
    counts = collections.Counter()
    end = threading.Event()
    thread = threading.Thread(target=_crowd, args=(port, count, say, drip, reset, again, counts, end), daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + wait_for
        while counts["connected"] < count and time.monotonic() < deadline:
            time.sleep(0.02)
        yield counts
    finally:
        end.set()
        thread.join()


def _crowd(port, count, say, drip, reset, again, counts, end):
    selector = selectors.DefaultSelector()
    waiting, there = set(), {}
    while not end.is_set():
        pass_ends = time.monotonic() + 0.1
        # At most 100 new ones each time: this must not take the processor from the honest clients.
        for _ in range(min(count - len(waiting) - len(there), 100 if counts["came"] < count else again)):
            counts["came"] += 1
            stranger = socket.socket()
            stranger.setblocking(False)
            stranger.connect_ex((HOST, port))
            selector.register(stranger, selectors.EVENT_WRITE)
            waiting.add(stranger)
        for key, _ in selector.select(0.05):
            stranger = key.fileobj
            try:
                if stranger in waiting:
                    waiting.discard(stranger)
                    selector.modify(stranger, selectors.EVENT_READ)
                    stranger.getpeername()
                    counts["connected"] += 1
                    if reset:
                        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        raise ConnectionError
                    if say:
                        stranger.send(say)
                    there[stranger] = [0, time.monotonic() + 1]
                elif not stranger.recv(65536):
                    raise ConnectionError
            except BlockingIOError:
                pass
            except OSError:
                counts["turned away"] += not reset
                selector.unregister(stranger)
                there.pop(stranger, None)
                stranger.close()
        for stranger, state in there.items() if drip else ():
            if state[1] <= time.monotonic():
                state[1] += 1
                state[0] += 1
                with contextlib.suppress(OSError):
                    stranger.send(drip[state[0] % len(drip):][:1])
        counts["now"] = len(there)
        end.wait(max(0, pass_ends - time.monotonic()))
    selector.close()
    for stranger in [*waiting, *there]:
        stranger.close()


def frame(kind, payload=b"", announced=None):
    """A control frame of the responder's protocol, without a MAC."""
    return struct.pack("<IHBBI", 0x3150544C, 2, kind, 0, len(payload) if announced is None else announced) + payload


def client_hello():
    return frame(1, struct.pack("<HHB", 2, 2, 1) + os.urandom(32))
