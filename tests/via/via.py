"""--via against a real sshd, wrappers, hostile far ends, cut networks and kills. Run by tests/via/run, inside a lab: LAB_CLIENT_NS and LAB_SERVER_NS."""
import concurrent.futures
import contextlib
import functools
import glob
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

LONG = "--long" in sys.argv[1:]
CLIENT, SERVER = os.environ["LAB_CLIENT_NS"], os.environ["LAB_SERVER_NS"]
HOST, HOST6 = "10.77.1.20", "fd77:1::20"
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "src/LatencyTuner/bin/Release/net8.0/latencytuner"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="latencytuner-via-"))
ENVIRONMENT = {**os.environ, "DOTNET_ROLL_FORWARD": "Major", "NO_COLOR": "1", "HOME": str(WORK), "PATH": f"{WORK}/bin:{os.environ['PATH']}"}
for inherited in ("SSH_CONNECTION", "SSH_AUTH_SOCK", "SSH_CLIENT"):
    ENVIRONMENT.pop(inherited, None)
SHORT = ["--duration", "200ms", "--warmup", "0s", "--no-diagnosis", "--format", "json"]
# What a far end may live on after its client was killed: the lease, and how late a busy machine looks at it.
LEASE, UNTIL_CLIENT, LATE = 15, 60, 60
# A client waits 60 s for a start line, 4 s for each address, and a few seconds for a result and for the end of its remote shell: nothing without a limit.
HANG = 120
# Cases that run at the same time.
SLOTS = 3

# Where copies go: that of sh, and that of Windows PowerShell.
COPIES = WORK / "tmp", WORK / "home/.local/share/Temp"
# PowerShell 7 runs the script that goes to Windows PowerShell, where there is one.
PWSH = shutil.which("pwsh")
STAND_IN = r'''#!/usr/bin/env python3
"""Stands in for Windows PowerShell: without the call that sets an access list, and with this machine's program for the one that was copied."""
import os, re, subprocess, sys
line = sys.stdin.buffer.readline().decode("ascii")
line, made = re.subn(r"if \(\[IO.Directory\]::Exists\(\$folder\)\) \{{ throw.*?another one' \}}", "[void][IO.Directory]::CreateDirectory($folder)", line)
line, named = re.subn(r"\[IO.Path\]::Combine\(\$folder, 'latencytuner.exe'\)", "'{program}'", line)
assert made == named == 1
shell = subprocess.Popen(["{pwsh}", *sys.argv[1:]], stdin=subprocess.PIPE, env={{**os.environ, "TERM": "dumb", "POWERSHELL_TELEMETRY_OPTOUT": "1"}})
try:
    shell.stdin.write(line.encode())
    while piece := sys.stdin.buffer.read1(65536):
        shell.stdin.write(piece)
    shell.stdin.close()
except BrokenPipeError:
    pass
sys.exit(shell.wait())
'''

passed = failed = 0
_gate = threading.Lock()
_started = []
_waiting = []
# Far ends whose lease is being watched: no other case may strike them.
_spared = set()


def verdict(what, fault=None):
    global passed, failed
    with _gate:
        print(f"ok - via: {what}" if not fault else f"not ok - via: {what}: {fault}", flush=True)
        passed, failed = passed + (not fault), failed + bool(fault)


def inside(namespace, *words):
    return ["ip", "netns", "exec", namespace, *map(str, words)]


def start(*args, namespace=CLIENT):
    process = subprocess.Popen(inside(namespace, PROGRAM, *args), env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    _started.append(process)
    return process


def run(*args, within=90, **more):
    process = start(*args, **more)
    out, err = process.communicate(timeout=within)
    return process.returncode, out, err


def far_ends():
    """The process ids of the far ends in the server's namespace."""
    found = []
    for pid in subprocess.run(["ip", "netns", "pids", SERVER], capture_output=True, text=True).stdout.split():
        with contextlib.suppress(OSError):
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if b"--once" in words and words[0].endswith(b"latencytuner"):
                found.append(int(pid))
    return found


def children(pid):
    """The processes whose parent a process is."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(pathlib.Path(path).read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(path.split("/")[2]))
    return found


def listeners():
    lines = subprocess.run(inside(SERVER, "ss", "-Htln"), capture_output=True, text=True).stdout.split("\n")
    return sorted({port for line in lines if line for port in [line.split()[3].rsplit(":", 1)[1]] if port not in ("22", "2222")})


def carriers():
    """The ssh processes of this test."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = pathlib.Path(path).read_bytes().split(b"\0")
            if os.path.basename(words[0]) == b"ssh" and str(WORK).encode() in b" ".join(words) and b"serve --once" in b" ".join(words):
                found.append(int(path.split("/")[2]))
    return found


def left():
    """What is left behind: far ends, listening ports, remote shells, folders of copies."""
    rest = [f"process {p}" for p in far_ends()] + [f"port {p}" for p in listeners()] + [f"ssh {p}" for p in carriers()]
    return rest + glob.glob("/tmp/latencytuner-" + "[0-9a-f]" * 32) + [str(p) for place in COPIES for p in place.glob("latencytuner-*")]


def nothing_left(within):
    end = time.monotonic() + within
    while left() and time.monotonic() < end:
        time.sleep(0.2)
    return None if not left() else f"left after {within} s: {', '.join(left())}"


def together(cases):
    """Runs cases at the same time, some of them at once; what they leave together is looked at behind all of them."""
    with concurrent.futures.ThreadPoolExecutor(SLOTS) as pool:
        for done in [pool.submit(case) for case in cases]:
            done.result()


def closed(port, within=5):
    """Null when nothing listens on the port any more."""
    return None if wait_for(lambda: str(port) not in listeners(), within) else f"port {port} is left after {within} s"


def checked(what, *args, code=0, says=None, address=HOST, more=None):
    """A check through --via: its exit code, the document, and that its far end is gone."""
    got, out, err = run("check", *args, *SHORT, within=HANG)
    fault = None
    # A measurement of 200 ms beside others may allow no verdict (7): here it counts that there was one.
    if got != code and not (code == 0 and got == 7):
        fault = f"exit code {got}: {err.strip()} {out[-300:]}"
    elif code == 0:
        target = json.loads(out)["measurements"][1]["target"]
        if target.get("via") is None or target["address"] != address:
            fault = f"the target is {target}"
        else:
            fault = (more(target, json.loads(out)) if more else None) or closed(target["port"])
    else:
        # A check reports a target that failed in its document.
        text = err + (json.loads(out).get("endedBecause") or json.loads(out)["text"] if out else "")
        fault = None if re.search(says, text) else f"it says {text.strip()}"
    verdict(what, fault)


def sshd(port, extra=""):
    config = WORK / f"sshd{port}.conf"
    config.write_text(f"""Port {port}
ListenAddress 0.0.0.0
ListenAddress ::
HostKey {WORK}/host
PidFile {WORK}/sshd{port}.pid
AuthorizedKeysFile {WORK}/authorized
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding yes
MaxStartups 100:30:200
MaxSessions 100
UseDNS no
SetEnv HOME={WORK}/home PATH={WORK}/bin:/usr/bin:/bin DOTNET_ROLL_FORWARD=Major TMPDIR={WORK}/tmp
{extra}
""")
    _started.append(subprocess.Popen(inside(SERVER, "/usr/sbin/sshd", "-D", "-e", "-f", config), stderr=open(WORK / f"sshd{port}.log", "w")))


def prepare():
    os.makedirs("/run/sshd", exist_ok=True)
    # A home without profiles: one of this machine's may take a lock that a killed shell leaves behind, and wait a minute for it.
    COPIES[1].mkdir(parents=True)
    (WORK / "bin").mkdir()
    (WORK / "tmp").mkdir()
    (WORK / "my tools").mkdir()
    os.symlink(PROGRAM, WORK / "bin/latencytuner")
    os.symlink(PROGRAM, WORK / "my tools/it's latencytuner")
    for key in ("host", "user", "stranger"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", WORK / key], check=True)
    shutil.copy(WORK / "user.pub", WORK / "authorized")
    key = (WORK / "host.pub").read_text().split(" ")
    (WORK / "known").write_text("".join(f"{h} {key[0]} {key[1]}\n" for h in (HOST, HOST6, f"[{HOST}]:2222")))
    common = f"UserKnownHostsFile {WORK}/known\nGlobalKnownHostsFile none\nStrictHostKeyChecking yes\nIdentitiesOnly yes\n"
    (WORK / "ssh.conf").write_text(f"Host bastion\n  HostName {HOST}\n  Port 2222\nHost db1\n  HostName {HOST}\nHost *\n  IdentityFile {WORK}/user\n{common}")
    (WORK / "stranger.conf").write_text(f"Host *\n  IdentityFile {WORK}/stranger\n{common}")
    (WORK / "unknown.conf").write_text(f"Host *\n  IdentityFile {WORK}/user\n{common.replace('/known', '/empty')}")
    (WORK / "shared.conf").write_text(
        f"Host *\n  ControlMaster auto\n  ControlPath {WORK}/control\n  ControlPersist 20\n  IdentityFile {WORK}/user\n{common}")
    for name, script in {
        # The streams of wrappers: closed from the start, and never closed.
        "closed": 'exec "$@" <&-',
        "open": 'exec "$@" <> "$FIFO"',
        "namespace": f'exec nsenter --net=/run/netns/{SERVER} -- "$@"',
        "never": "exec sleep 300",
        "banner": 'for i in $(seq 150); do echo "banner $i"; done; exec "$@"',
    }.items():
        (WORK / name).write_text(f"#!/bin/sh\n{script}\n")
        (WORK / name).chmod(0o755)
    if PWSH:
        (WORK / "bin/powershell").write_text(STAND_IN.format(pwsh=PWSH, program=PROGRAM))
        (WORK / "bin/powershell").chmod(0o755)
        (WORK / "release").mkdir()
        # A program for Windows on x64, by its first bytes, and a file beside it that takes more than one line.
        head = b"MZ".ljust(60, b"\0") + (128).to_bytes(4, "little")
        (WORK / "release/latencytuner.exe").write_bytes(head.ljust(128, b"\0") + b"PE\0\0\x64\x86" + bytes(64))
        (WORK / "release/latencytuner.dll").write_bytes(random.randbytes(3_000_000))
    os.mkfifo(WORK / "fifo")
    ENVIRONMENT["FIFO"] = str(WORK / "fifo")
    sshd(22)
    sshd(2222)
    end = time.monotonic() + 20
    while len([p for p in ("22", "2222") if f":{p} " in subprocess.run(inside(SERVER, "ss", "-Htln"), capture_output=True, text=True).stdout]) < 2:
        if time.monotonic() > end:
            sys.exit("not ok - via: sshd does not listen: " + (WORK / "sshd22.log").read_text())
        time.sleep(0.1)


SSH = f"ssh -F {WORK}/ssh.conf"
NSENTER = f"nsenter --net=/run/netns/{SERVER} --"


def shared():
    command = f"ssh -F {WORK}/shared.conf"
    checked("a shared connection (ControlMaster), its first session", HOST, "--via", command)
    checked("a shared connection, its second session", HOST, "--via", command)
    subprocess.run(inside(CLIENT, *shlex.split(command), "-O", "exit", HOST), env=ENVIRONMENT, capture_output=True)


def command_runs(*command, via=NSENTER):
    code, out, err = run(*command, "--via", via, "--format", "json")
    verdict(f"{' '.join(command[:2] if command[0] == 'sweep' else command[:1])} --via",
            None if code in (0, 7) and HOST in out else f"exit code {code}: {err}{out[-300:]}")


def ways():
    def case(*args, **more):
        return lambda: checked(*args, **more)

    return [
        case("ssh with a key, the destination from the target, PASS", HOST, "--via", SSH,
             more=lambda t, d: None if not t["via"]["allAddresses"] else "it listened on all addresses, not on that of SSH_CONNECTION"),
        case("ssh over IPv6", HOST6, "--via", SSH, address=HOST6),
        case("a name that only ssh knows: the address of the line answers", "db1", "--via", SSH),
        case("a jump host", HOST, "--via", f"{SSH} -J bastion"),
        case("a path that sh must quote", HOST, "--via", SSH, "--via-program", f"{WORK}/my tools/it's latencytuner"),
        shared,
        case("sh -c with a placeholder", HOST, "--via", f"{NSENTER} sh -c {{}}",
             more=lambda t, d: None if t["via"]["allAddresses"] else "without SSH_CONNECTION it listened on one address"),
        case("separate words without a shell (nsenter, as docker exec)", HOST, "--via", NSENTER),
        case("standard input closed from the start", HOST, "--via", f"{WORK}/closed {NSENTER}"),
        case("standard input never closed", HOST, "--via", f"{WORK}/open {NSENTER}"),
        case("a banner of 150 lines", HOST, "--via", f"{WORK}/banner {NSENTER}"),
        case("a port that was asked for", HOST, "--via", SSH, "--via-port", "7450", more=lambda t, d: None if t["port"] == 7450 else f"port {t['port']}"),
        case("a copy of the program, compared and removed", HOST, "--via", SSH, "--via-copy",
             more=lambda t, d: None if re.fullmatch("[0-9a-f]{64}", t["via"]["copySha256"] or "") else "its SHA-256 is not recorded"),
        *([case("a copy to Windows, its script run by PowerShell 7: compared, run and removed", HOST, "--via", SSH, "--via-copy-from", str(WORK / "release"),
                "--via-shell", "cmd",
                more=lambda t, d: None if re.fullmatch("[0-9a-f]{64}", t["via"]["copySha256"] or "") else "its SHA-256 is not recorded")] if PWSH else []),
        lambda: command_runs("measure", HOST, "--count", "20"),
        lambda: command_runs("diagnose", HOST, "--rounds", "1", "--cell-time", "20ms", "--no-loopback", "--allow-inconclusive"),
        lambda: command_runs("sweep", "size", HOST, "--sizes", "64", "--rounds", "1", "--duration", "50ms"),
        lambda: command_runs("sweep", "window", HOST, "--protocol", "http2", "--sizes", "64KiB", "--connections", "1", "--messages", "100", "--rounds", "1",
                             "--duration", "50ms", "--warmup", "0s", via=SSH),
        lambda: command_runs("monitor", HOST, "--duration", "1s", "--rate", "20/s", "--interval", "500ms", "--store", str(WORK / "series")),
    ]


def failures():
    def case(*args, **more):
        return lambda: checked(*args, code=5, **more)

    def blocked():
        # Frames to both addresses go to a neighbour that is not there: for a client, that is a firewall that drops them.
        code, out, err = run("measure", "10.77.1.99", "-4", "--via", f"{WORK}/elsewhere", "--count", "5")
        verdict("a far end whose port no packet reaches: the firewall is named, with --via-port",
                None if code == 5 and "a firewall blocks the port" in err and "--via-port" in err else f"exit code {code}: {err}")

    return [
        # First, because it takes its minute: a profile that waits for a lock looks like this.
        case("a remote shell that never starts the program: a sentence after 60 s", HOST, "--via", f"{WORK}/never",
             says="printed no start line within 60 s"),
        case("a password that cannot be asked for", HOST, "--via", f"ssh -F {WORK}/stranger.conf",
             says="The remote shell failed: .* exit code 255: .*Permission denied"),
        case("a host key that is not known", HOST, "--via", f"ssh -F {WORK}/unknown.conf",
             says="The remote shell failed: .*Host key verification failed"),
        case("a program that is not there, through ssh", HOST, "--via", SSH, "--via-program", "nosuchprogram", says="'nosuchprogram' was not found"),
        case("a program that is not there, without a shell", HOST, "--via", NSENTER, "--via-program", "/no/such", says="'/no/such' was not found"),
        lambda: checked("an address that leads nowhere: the one of the line answers", "10.77.1.99", "--via", f"{SSH} {HOST}", address=HOST),
        blocked,
    ]


def hostile():
    good = '{"port":%d,"token":"0123456789abcdef0123","version":"0.1.0","protocol":2,"pid":1,"addresses":["10.77.1.20"]}'
    for name, script, says in [
        ("random bytes", "exec cat /dev/urandom", "no 'latencytuner serve --once'"),
        ("an endless line", "exec yes | tr -d '\\n'", "no 'latencytuner serve --once'"),
        ("an endless start line", "printf 'LATENCYTUNER1 '; exec yes | tr -d '\\n'", "no 'latencytuner serve --once'"),
        ("a thousand lines", "exec seq 1000", "200 lines came without a start line"),
        ("other JSON", "echo 'LATENCYTUNER1 {\"hello\":[1,2]}'", "the start line is not valid"),
        ("a wrong token", f"echo 'LATENCYTUNER1 {good % 22}'; exec sleep 30", "answered without this run's token"),
        ("an address that is none", "echo 'LATENCYTUNER1 {}'".format(good.replace("10.77.1.20", "; reboot") % 22), "which is no address"),
        ("a flood on stderr", "yes error >&2 & sleep 1; kill $!; exit 4", "exit code 4"),
    ]:
        path = WORK / f"hostile-{name.replace(' ', '-')}"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        yield functools.partial(insult, name, path, says)


def insult(name, path, says):
    code, out, err = run("measure", HOST, "--via", str(path), "--count", "5")
    sentences = [line for line in err.split("\n") if line and not line.startswith("  | ")]
    good_end = code == 5 and len(sentences) == 1 and says in sentences[0] and not re.search("[\x00-\x08\x0b-\x1f\x7f]", err) and len(err) < 8000
    verdict(f"hostile far end: {name} costs a sentence", None if good_end else f"exit code {code}: {err[-600:]}")


def cut(addresses):
    """Leads frames of both hosts to a neighbour that is not there: no FIN and no RST arrives, and no call fails."""
    mac = {CLIENT: ("02:4c:54:00:00:14", "10.77.1.20", "ltc"), SERVER: ("02:4c:54:00:00:0a", "10.77.1.10", "lts")}
    for namespace, (there, address, device) in mac.items():
        subprocess.run(["ip", "-n", namespace, "neigh", "replace", address, "lladdr", "02:4c:54:00:00:ff" if addresses else there, "nud", "permanent", "dev",
                        device], check=True)


def wait_for(what, within=30):
    end = time.monotonic() + within
    while time.monotonic() < end:
        if got := what():
            return got
        time.sleep(0.05)
    return None


def ends_of(process):
    """The far ends that a client is connected to, by process id, and its connections to them."""
    lines = subprocess.run(inside(CLIENT, "ss", "-Htnp", "state", "established"), capture_output=True, text=True).stdout.split("\n")
    ports = [line.split()[3].rsplit(":", 1)[1] for line in lines if f"pid={process.pid}," in line]
    listening = subprocess.run(inside(SERVER, "ss", "-Htlnp"), capture_output=True, text=True).stdout.split("\n")
    found = {int(m[1]) for line in listening if line and line.split()[3].rsplit(":", 1)[1] in ports and (m := re.search(r"pid=(\d+),", line))}
    return found, len(ports)


def answering(process):
    """The far end, as soon as it is measured: beside the lease, another connection to it is established."""
    def connected():
        pids, count = ends_of(process)
        return pids if count > 1 else set()
    return wait_for(lambda: connected() or (process.poll() is not None and {0}), 60) if process.poll() is None else None


def alive(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def gone(pids, within):
    wait_for(lambda: not any(map(alive, pids)), within)
    return f"left after {within} s: {', '.join(f'process {p} ({waits_on(p)})' for p in pids if alive(p))}" if any(map(alive, pids)) else None


def death(what, arguments, stroke, judge, within, copies=None):
    """Starts a measurement, strikes once its far end has its client, and looks at how the client ended; what must end later is waited for aside."""
    process = start("measure", HOST, "--warmup", "0s", *arguments)
    far = answering(process)
    if not far or process.poll() is not None:
        out, err = process.communicate(timeout=60)
        return verdict(what, f"it never began: {err}{out[-300:]}")
    _spared.update(far)
    remote_shells = children(process.pid)
    stroke(process, far, remote_shells)
    out, err = process.communicate(timeout=90)
    fault = judge(process.returncode, out, err)

    def look():
        late = gone([*far, *remote_shells], within)
        if copies and not late and not wait_for(lambda: not [*copies.glob("latencytuner-*")], 5):
            late = "the copy is left"
        verdict(what, fault or late)

    _waiting.append(threading.Thread(target=look))
    _waiting[-1].start()


def kill(pids):
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def says(text):
    return lambda code, out, err: None if code == 5 and re.search(text, err + out) else f"exit code {code}: {err}{out[-300:]}"


def deaths():
    short = ["--duration", "5s", "--format", "json", "--via", SSH]
    return [
        lambda: death("the remote shell is killed in the middle: the measurement goes on, and the far end ends with it", short,
                      lambda process, far, shells: kill(shells),
                      lambda code, out, err: None if code == 0 and json.loads(out)["complete"] else f"exit code {code}: {err}", 5),
        lambda: death("the far end is killed in the middle: said as that", short, lambda process, far, shells: kill(far),
                      says("The far end of .* ended in the middle of the measurement"), 5),
        lambda: death("the client is killed: the lease ends the far end", short, lambda process, far, shells: kill([process.pid, *shells]), lambda *_: None,
                      LEASE + LATE),
        lambda: death("the client is killed, the copy of the program is removed", [*short, "--via-copy"], lambda process, far, shells: kill([process.pid]),
                      lambda *_: None, LEASE + LATE, copies=COPIES[0]),
        *([lambda: death("the client is killed, the copy for Windows is removed", [*short, "--via-copy-from", str(WORK / "release")],
                         lambda process, far, shells: kill([process.pid]), lambda *_: None, LEASE + LATE, copies=COPIES[1])] if PWSH else []),
    ]


def black_hole():
    death("the network is cut without a FIN: said as that, and the lease ends the far end",
          ["--duration", "60s", "--timeout", "3s", "--via", NSENTER], lambda *_: cut(True), says("no longer answers on the direct path"), LEASE + LATE)
    cut(False)


def waits_on(pid):
    """What a process that does not end is waiting for."""
    lines = []
    for task in glob.glob(f"/proc/{pid}/task/*"):
        with contextlib.suppress(OSError):
            lines.append(f"{pathlib.Path(task, 'comm').read_text().strip()} in {pathlib.Path(task, 'wchan').read_text()}")
    for child in children(pid):
        with contextlib.suppress(OSError):
            lines.append(f"child {child}: {pathlib.Path(f'/proc/{child}/cmdline').read_bytes()}")
    return "; ".join(lines)


def killed(count):
    """Starts with kills of either end at random moments; then nothing may be left."""
    random.seed(7)
    kinds = {"client": 0, "carrier": 0, "far end": 0, "client and carrier": 0}
    hit = {kind: 0 for kind in kinds}
    hung, took = [], []
    slots = threading.Semaphore(SLOTS)

    def one(what, after):
        with slots:
            process = start("measure", HOST, "--duration", "1500ms", "--warmup", "0s", "--via", SSH)
            time.sleep(after)
            # 'ip netns exec' becomes the program: its children are the remote shells. On a slow machine the first is late.
            own = (wait_for(lambda: children(process.pid) or process.poll() is not None and [0], 20) or [0]) if "carrier" in what else []
            struck = ([process.pid] if what.startswith("client") and process.poll() is None else []) + [p for p in own if p]
            struck += [p for p in far_ends() if p not in _spared][:1] if what == "far end" else []
            kill(struck)
            hit[what] += bool(struck)
            began = time.monotonic()
            try:
                process.communicate(timeout=HANG)
                took.append((time.monotonic() - began, what))
            except subprocess.TimeoutExpired:
                hung.append(f"{what} ({waits_on(process.pid)})")
                kill([process.pid])
                process.communicate()

    threads = []
    for i in range(count):
        what = list(kinds)[i % len(kinds)]
        kinds[what] += 1
        threads.append(threading.Thread(target=one, args=(what, random.uniform(0.1, 4))))
        threads[-1].start()
    for thread in threads:
        thread.join()
    began = time.monotonic()

    def look():
        for other in [t for t in _waiting if t is not threading.current_thread()]:
            other.join()
        fault = f"clients that did not end within {HANG} s after a kill of: {', '.join(hung)}" if hung else nothing_left(UNTIL_CLIENT + LATE)
        fault = fault or next((f"no kill of the {k} hit" for k, n in hit.items() if n == 0), None)
        print(f"    {count} starts: after 0.1 to 4 s a kill of {', '.join(f'the {k} {n} times ({hit[k]} hit)' for k, n in kinds.items())}; the slowest "
              f"client ended {max(took)[0]:.1f} s after its kill (of the {max(took)[1]}); nothing was left {time.monotonic() - began:.1f} s after the last",
              flush=True)
        verdict(f"{count} starts with kills of either end: no process, port or folder is left", fault)

    return look


def main():
    try:
        prepare()
        (WORK / "elsewhere").write_text(f"""#!/bin/sh
echo 'LATENCYTUNER1 {{"port":7999,"token":"0123456789abcdef0123","version":"0.1.0","protocol":2,"pid":1,"addresses":["10.77.1.98"]}}'
exec sleep 60
""")
        (WORK / "elsewhere").chmod(0o755)
        for name in ("10.77.1.99", "10.77.1.98"):
            subprocess.run(["ip", "-n", CLIENT, "neigh", "replace", name, "lladdr", "02:4c:54:00:00:fe", "nud", "permanent", "dev", "ltc"], check=True)
        together([*failures(), *ways(), *hostile()])
        verdict("after them no process, port or folder is left", nothing_left(10))
        together(deaths())
        # While the last far ends wait for the ends of their leases, the network is cut.
        look = killed(200 if LONG else 12)
        black_hole()
        look()
    finally:
        for process in _started:
            if process.poll() is None:
                process.kill()
        for pid in far_ends():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(WORK, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
