"""The Ansible role against two hosts in a lab, and monitor --otlp against a store of metrics. Run by tests/fleet/run: LAB_CLIENT_NS and LAB_SERVER_NS."""
import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / "src/LatencyTuner/bin/Release/net8.0"
CLIENT, SERVER = os.environ["LAB_CLIENT_NS"], os.environ["LAB_SERVER_NS"]
ADDRESS = {"client": "10.77.1.10", "server": "10.77.1.20"}
STORE, PART = pathlib.Path(sys.argv[1]), sys.argv[2]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="latencytuner-fleet-"))
HANG = 60
ENVIRONMENT = {
    **os.environ, "DOTNET_ROLL_FORWARD": "Major", "HOME": str(WORK), "ANSIBLE_NOCOLOR": "1", "ANSIBLE_HOST_KEY_CHECKING": "True", "LC_ALL": "C.UTF-8",
    "ANSIBLE_LOCAL_TEMP": str(WORK / "local"), "ANSIBLE_ROLES_PATH": str(ROOT / "deploy/ansible/roles"), "ANSIBLE_RETRY_FILES_ENABLED": "False",
    "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3", "ANSIBLE_PIPELINING": "True", "ANSIBLE_NOCOWS": "1"}

passed = failed = 0
started = []


def verdict(what, good, otherwise=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"ok - fleet: {what}" if good else f"not ok - fleet: {what}: {' / '.join(str(otherwise).splitlines())[-600:]}", flush=True)


def inside(namespace, *words):
    return ["ip", "netns", "exec", namespace, *map(str, words)]


def start(namespace, *words):
    log = open(WORK / f"log{len(started)}", "wb")
    process = subprocess.Popen(inside(namespace, *words), env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=WORK)
    started.append(process)
    return process, pathlib.Path(log.name)


def run(namespace, *words, within=180):
    return subprocess.run(inside(namespace, *words), env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=WORK, timeout=within)


def until(true, within=HANG):
    end = time.monotonic() + within
    while not true() and time.monotonic() < end:
        time.sleep(0.1)
    return true()


def names():
    """No server of names can be reached in the lab: asking one that refuses at once keeps sudo and ssh from waiting for it with every task."""
    for namespace in (CLIENT, SERVER):
        folder = pathlib.Path("/etc/netns") / namespace
        folder.mkdir(parents=True)
        (folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")


def archive():
    path = WORK / "latencytuner.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as tar:
        for file in sorted(BUILT.iterdir()):
            if file.suffix not in (".pdb", ".xml"):
                tar.add(file, file.name)
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def sshd(namespace, address):
    for key in ("host", "user"):
        if not (WORK / key).exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", WORK / key], check=True)
    shutil.copy(WORK / "user.pub", WORK / "authorized")
    config = WORK / f"sshd-{address}.conf"
    # A home of its own: what this machine's root has in .bashrc would run with every task.
    config.write_text(f"""Port 2222
ListenAddress {address}
HostKey {WORK}/host
PidFile none
AuthorizedKeysFile {WORK}/authorized
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
SetEnv HOME={WORK}
""")
    os.makedirs("/run/sshd", exist_ok=True)
    start(namespace, "/usr/sbin/sshd", "-D", "-e", "-f", config)
    with open(WORK / "known", "a", encoding="ascii") as known:
        known.write(f"[{address}]:2222 {' '.join((WORK / 'host.pub').read_text().split()[:2])}\n")


def play(*more, **variables):
    """One run of the playbook that is shipped: its exit code, its text and the recap of each host."""
    inventory = WORK / "inventory"
    inventory.write_text("".join(
        f"{name} ansible_host={address} ansible_port=2222 ansible_user=root latencytuner_folder={WORK}/opt-{name}\n" for name, address in ADDRESS.items())
        + "[all:vars]\n"
        + f"ansible_ssh_private_key_file={WORK}/user\nansible_ssh_common_args='-o UserKnownHostsFile={WORK}/known'\n"
        + "latencytuner_targets=['10.77.1.20']\n"
        + f"latencytuner_options=['--token-file','{WORK}/token','--duration','2s','--warmup','0s','--no-diagnosis']\n"
        + f"latencytuner_results={WORK}/results\n")
    words = ["ansible-playbook", "-i", inventory, ROOT / "deploy/ansible/check.yml", "-e", json.dumps({"latencytuner_serial": "100%", **variables}), *more]
    ended = run(CLIENT, *words, within=600)
    recap = {m[1]: {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", m[2])} for m in re.finditer(r"^(\w+)\s+: (ok=.*)$", ended.stdout, re.M)}
    return ended.returncode, ended.stdout + ended.stderr, recap


def folders():
    return sorted(p.name for p in WORK.glob("opt-*"))


def documents():
    return {p.name: json.loads(p.read_text()) for p in (WORK / "results").glob("*.json")}


def responder():
    (WORK / "token").write_text("a token of this test alone, 4711\n")
    _, log = start(SERVER, BUILT / "latencytuner", "serve", "--bind", "10.77.1.20", "--token-file", WORK / "token")
    verdict("the responder listens", until(lambda: b"Listening" in log.read_bytes()), log.read_text())


def ansible():
    if shutil.which("ansible-playbook") is None:
        print("skipped - fleet: the role, because ansible-playbook is not installed", flush=True)
        return
    path, digest = archive()
    for name, namespace in (("client", CLIENT), ("server", SERVER)):
        sshd(namespace, ADDRESS[name])
    start(CLIENT, sys.executable, "-m", "http.server", "8000", "--bind", "10.77.1.10", "--directory", WORK)
    feed = f"http://10.77.1.10:8000/{path.name}"

    code, text, recap = play("--check", latencytuner_source=feed, latencytuner_sha256=digest)
    verdict("--check changes nothing and says what would change",
            code == 0 and not folders() and not documents() and all(r["changed"] for r in recap.values()) and len(recap) == 2, text)

    code, text, recap = play(latencytuner_source=feed, latencytuner_sha256="0" * 64)
    verdict("an archive that is not the pinned one is not installed", code != 0 and not folders(), text)

    code, text, recap = play(latencytuner_source=feed, latencytuner_sha256=digest)
    found = documents()
    verdict("from a feed: installed, checked, documents fetched",
            code == 0 and folders() == ["opt-client", "opt-server"] and sorted(found) == ["client-10.77.1.20.json", "server-10.77.1.20.json"]
            and all(d["verdict"] == "pass" and d["exitCode"] == 0 for d in found.values()), text)
    begun = sorted(datetime.datetime.fromisoformat(d["startedUtc"].replace("Z", "+00:00")) for d in found.values())
    verdict("one host measures at a time", len(begun) == 2 and begun[1] - begun[0] >= datetime.timedelta(seconds=2), begun)

    code, text, recap = play(latencytuner_source=feed, latencytuner_sha256=digest)
    verdict("a second run changes nothing", code == 0 and not any(r["changed"] for r in recap.values()), text)

    shutil.rmtree(WORK / "results", ignore_errors=True)
    code, text, recap = play(latencytuner_source=str(path), latencytuner_sha256=digest, latencytuner_options=[
        "--token-file", str(WORK / "token"), "--duration", "300ms", "--warmup", "0s", "--no-diagnosis", "--max-p99", "1us"])
    found = documents()
    verdict("a check that fails fails the play, after its document was fetched",
            code != 0 and len(found) == 2 and all(d["verdict"] == "fail" and d["exitCode"] == 1 for d in found.values()) and "exit code 1" in text, text)

    code, text, recap = play("--check", latencytuner_state="absent")
    verdict("absent with --check removes nothing", code == 0 and len(folders()) == 2, text)
    code, text, recap = play(latencytuner_state="absent")
    verdict("absent removes all of it", code == 0 and not folders(), text)

    for what, name, variables in (("from a path that the host sees", "opt-client", dict(latencytuner_source=str(path))),
                                  ("from the controller", "opt-client", dict(latencytuner_copy_from=str(path)))):
        code, text, recap = play("--limit", "client", latencytuner_sha256=digest, latencytuner_options=[
            "--token-file", str(WORK / "token"), "--duration", "300ms", "--warmup", "0s", "--no-diagnosis"], **variables)
        verdict(f"{what}: installed and checked", code == 0 and folders() == [name], text)
        play("--limit", "client", latencytuner_state="absent")


def query(path, **parameters):
    ended = run(CLIENT, sys.executable, "-c", "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=20).read().decode())",
                f"http://127.0.0.1:8428{path}?{urllib.parse.urlencode(parameters)}")
    with contextlib.suppress(ValueError):
        return json.loads(ended.stdout)
    return {"status": ended.stdout + ended.stderr}


def metrics():
    if not STORE.exists():
        print("skipped - fleet: the metrics, because victoria-metrics could not be fetched", flush=True)
        return
    start(CLIENT, STORE, f"-storageDataPath={WORK}/metrics", "-httpListenAddr=127.0.0.1:8428", "-opentelemetry.usePrometheusNaming", "-search.latencyOffset=0s")
    verdict("the store listens", until(lambda: query("/api/v1/labels").get("status") == "success"))
    ended = run(CLIENT, BUILT / "latencytuner", "monitor", "10.77.1.20", "--token-file", WORK / "token", "--rate", "50/s", "--interval", "1s", "--duration", "8s",
                "--store", WORK / "series", "--otlp", "http://127.0.0.1:8428/opentelemetry/v1/metrics", "--format", "json", "--quiet")
    document = json.loads(ended.stdout)
    sent = document["series"][0]["latency"]["count"] if "series" in document else None
    run(CLIENT, sys.executable, "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8428/internal/force_flush', timeout=20)")
    counts, planned = [], 50 * 8

    def whole():
        # The store takes in what it received when it has time for it.
        got = query("/api/v1/query", query="latencytuner_response_duration_seconds_count")
        counts[:] = [int(float(r["value"][1])) for r in got.get("data", {}).get("result", [])]
        return len(counts) == 1 and sent is not None and sent <= counts[0] <= planned

    until(whole, within=15)
    # The total is cumulative: the last export has every response that the document counts, and may have those that arrive while the run ends, never more than
    # the run sent.
    verdict("the store holds every response of the monitor", ended.returncode == 0 and whole(), f"{counts} in the store, {sent} in the document: {ended.stderr}")
    dashboard = json.loads((ROOT / "deploy/grafana/latencytuner.json").read_text())
    expressions = [t["expr"] for p in dashboard["panels"] for t in p["targets"]]
    for expression in expressions:
        for name, value in (("${hostlabel}", "service_instance_id"), ("$host", ".*"), ("$target", ".*"), ("$__rate_interval", "1m")):
            expression = expression.replace(name, value)
        got = query("/api/v1/query", query=expression)
        verdict(f"dashboard: {expression[:70]}", "$" not in expression and got.get("status") == "success" and got["data"]["result"], got)


try:
    names()
    responder()
    if PART in ("both", "ansible"):
        ansible()
    if PART in ("both", "metrics"):
        metrics()
finally:
    for process in reversed(started):
        process.terminate()
    for process in started:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        process.kill()
    for namespace in (CLIENT, SERVER):
        shutil.rmtree(pathlib.Path("/etc/netns") / namespace, ignore_errors=True)
    shutil.rmtree(WORK, ignore_errors=True)
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
