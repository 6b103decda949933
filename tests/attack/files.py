"""Files that are no files: /dev/zero, a pipe without a writer, 10 GB of nothing, deep brackets, huge JSON, noise, for every option that reads a file.

The command ends, with a published exit code, at most one short sentence on stderr, and little memory. A command may wait for a pipe's writer; so one comes
after three seconds, writes a few bytes and leaves.
"""
import concurrent.futures
import contextlib
import os
import random
import threading
import time

import attack

MOST_MB = 340
JSON_START = b'{"schema": "latencytuner/measurement/1", "complete": true, "notes": ['
CAPTURE_START = bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000")


def made(name, write):
    path = attack.WORK / name
    with open(path, "wb") as file:
        write(file)
    return path


def sparse(gigabytes, start=b""):
    def write(file):
        file.write(start)
        file.truncate(gigabytes << 30)
    return write


def repeated(part, megabytes, start=b"", end=b""):
    def write(file):
        file.write(start)
        for _ in range(megabytes):
            file.write(part * ((1 << 20) // len(part)))
        file.write(end)
    return write


@contextlib.contextmanager
def pipe():
    """A pipe whose writer comes late. Without a reader the writer cannot open it, so it tries until the command has ended."""
    path = attack.WORK / f"pipe{threading.get_ident()}"
    os.mkfifo(path)
    end = threading.Event()

    def feed():
        end.wait(3)
        while not end.is_set():
            with contextlib.suppress(OSError):
                writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
                try:
                    os.write(writer, b"a few bytes\n")
                finally:
                    os.close(writer)
            end.wait(0.1)

    thread = threading.Thread(target=feed, daemon=True)
    thread.start()
    try:
        yield path
    finally:
        end.set()
        thread.join()
        os.unlink(path)


GOOD = attack.WORK / "good.json"
attack.run(["measure", "loopback", "--count", 50, "--warmup", "0s", "--format", "json", "--output", GOOD, "--quiet"])
BRACKETS = "300 MB of [" if attack.LONG else "30 MB of ["
INPUTS = {
    "/dev/zero": "/dev/zero",
    "a pipe": None,
    "10 GB of nothing": made("sparse", sparse(10)),
    BRACKETS: made("brackets", repeated(b"[", 300 if attack.LONG else 30)),
    "an empty file": made("empty", lambda file: None),
    "100 MB of commas": made("commas", repeated(b",", 100, b"time,latency\n")),
    "noise": made("noise", lambda file: file.write(random.Random(1).randbytes(1 << 20))),
}
if attack.LONG:
    INPUTS |= {
        "100 MB of JSON": made("json", repeated(b'"0123456789ab",\n', 100, JSON_START, b'""]}')),
        "100 MB of one text": made("text", repeated(b"x", 100, b'{"schema": "', b'"}')),
        "100 MB of numbers": made("number", repeated(b"9", 100)),
        "a document and 10 GB of nothing": made("document", sparse(10, JSON_START)),
        "a capture of 64 million empty packets": made("capture", sparse(1, CAPTURE_START)),
        "100 MB of line ends": made("lines", repeated(b"\n", 100)),
        "a folder": attack.WORK,
    }

COMMANDS = {
    "report": ["report"],
    "compare": ["compare", GOOD],
    "analyze": ["analyze"],
    "recommend --from": ["recommend", "--from"],
    "recommend --snapshot": ["recommend", "--snapshot"],
    "apply --plan": ["apply", "--plan"],
    "apply --measure": ["apply", "--setting", "tcp.ackfrequency=1", "--interface", "Ethernet", "--measure"],
    "settings list --snapshot": ["settings", "list", "--snapshot"],
    "--severity": ["analyze", attack.TOKEN, "--severity"],
    "--token-file": ["measure", f"{attack.HOST}:1", "--token-file"],
    "serve --token-file": ["serve", "--port", 0, "--for", "100ms", "--token-file"],
}
# The short form: the hardest inputs for all commands, the others for these.
FEW = ("report", "analyze", "recommend --from", "--token-file")
HARD = ("/dev/zero", "10 GB of nothing", BRACKETS)


def read(command, name):
    with contextlib.ExitStack() as stack:
        path = INPUTS[name] or stack.enter_context(pipe())
        return attack.run([*COMMANDS[command], path], 120 if attack.LONG else attack.HANG)


wanted = [(command, name) for name in INPUTS for command in COMMANDS if attack.LONG or name in HARD or command in FEW]
rows = []
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for (command, name), ended in zip(wanted, pool.map(lambda case: read(*case), wanted)):
        wrong = attack.trouble(ended, MOST_MB)
        text = wrong or f"exit code {ended.code}, peak {ended.peak_mb} MB: {ended.err.strip()[:110]}"
        attack.verdict(f"files: {command}, {name}", not wrong, text)
        rows.append((command, name, ended.code, f"{ended.seconds:.1f}", ended.peak_mb))
if attack.LONG:
    attack.table("Commands that read such files", ("command", "file", "exit code", "seconds", "peak MB"), rows)
attack.finish()
