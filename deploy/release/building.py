"""The sources of one commit, the program built from them, and the folder that becomes an archive."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from failure import Failure

PRODUCT = "latencytuner"
FRAMEWORK = "net10.0"
ROOT = pathlib.Path(__file__).resolve().parents[2]
PINS = pathlib.Path(__file__).resolve().parent / "pins.json"
# Packages that only the build uses and that leave nothing in the program but machine code.
TOOLS = ("crossgen2", "ilcompiler")


def run(*words, cwd=None):
    return subprocess.run(words, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout.strip()


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def package_folder():
    return pathlib.Path(os.environ.get("NUGET_PACKAGES") or pathlib.Path.home() / ".nuget/packages")


class Source:
    """A clone of its own, so that nothing but the commit is built."""

    def __init__(self, revision, folder):
        self.folder = folder
        # The commit itself: a tag of the same name as a branch would be the other one.
        self.commit = run("git", "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}", cwd=ROOT)
        run("git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder))
        run("git", "-c", "core.autocrlf=false", "checkout", "--quiet", "--detach", self.commit, cwd=folder)
        self.time = int(run("git", "show", "--no-patch", "--format=%ct", self.commit, cwd=folder))
        self.utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.time))
        self.version = self.one(r"<Version>([0-9.]+)</Version>", "Directory.Build.props")

    def one(self, pattern, path):
        found = re.findall(pattern, self.text(path))
        if len(found) != 1:
            raise Failure(f"{path} has {len(found)} times what {pattern} finds, and exactly one is expected.")
        return found[0]

    def text(self, path):
        return (self.folder / path).read_text(encoding="utf-8")

    def dsc_manifests(self):
        return sorted((self.folder / "deploy").rglob("*.dsc.resource.json"))

    def check_versions(self):
        """Module, DSC resource and change log belong to the version of Directory.Build.props."""
        module = self.one(r"ModuleVersion\s+= '([0-9.]+)'", "deploy/powershell/LatencyTuner/LatencyTuner.psd1")
        others = {"the PowerShell module": module}
        others.update({path.name: json.loads(path.read_text(encoding="utf-8"))["version"] for path in self.dsc_manifests()})
        for what, version in others.items():
            if version != self.version:
                raise Failure(f"{what} has version {version}, and Directory.Build.props {self.version}.")
        if f"## [{self.version}]" not in self.text("CHANGELOG.md"):
            raise Failure(f"CHANGELOG.md has no section for {self.version}.")

    def publish(self, rid, output):
        """The program as one file, and the packs (name, version) that it was made of."""
        words = [
            "dotnet", "publish", "src/LatencyTuner", "-c", "Release", "-r", rid, "--self-contained", f"-p:LatencyTunerFramework={FRAMEWORK}",
            "-p:LatencyTunerRelease=true", "-p:RunAnalyzers=false", "-o", str(output), "-v", "quiet", "-nologo",
            # A build server would keep the folder, and what it has loaded from it, after the end.
            "-p:UseSharedCompilation=false", "-nodeReuse:false"]
        environment = dict(os.environ, CI="true", DOTNET_CLI_TELEMETRY_OPTOUT="1", DOTNET_NOLOGO="1")
        if rid == "win-arm64":
            # Nothing but a release restores for it, so its packs are not in the lock files; the versions of all packages are.
            words += ["-p:RuntimeIdentifiers=win-arm64", "-p:RestoreLockedMode=false", "-p:RestorePackagesWithLockFile=false"]
        subprocess.run(words, cwd=self.folder, check=True, env=environment, stdout=sys.stderr)
        files = sorted(p.name for p in output.rglob("*") if p.is_file())
        name = PRODUCT + (".exe" if rid.startswith("win") else "")
        if files != [name]:
            raise Failure(f"The release for {rid} must be one file, {name}, and these are there: {', '.join(files)}.")
        assets = json.loads(self.text(f"src/LatencyTuner/obj/{FRAMEWORK}/project.assets.json"))
        wanted = assets["project"]["frameworks"][FRAMEWORK].get("downloadDependencies", [])
        packs = {(d["name"], d["version"].strip("[]() ").split(",")[0]) for d in wanted}
        # Every system's packs are listed: those of this one, and the compiler, which runs on the machine that builds.
        return output / name, sorted(p for p in packs if p[0].lower().endswith(rid) or any(tool in p[0].lower() for tool in TOOLS))


def tree(source, program, folder):
    """The folder of an archive: program, module, DSC manifest, profiles, manual, licences of what is inside."""
    folder.mkdir()
    shutil.copy(program, folder / program.name)
    for name in ("README.md", "CHANGELOG.md"):
        shutil.copy(source.folder / name, folder / name)
    shutil.copytree(source.folder / "docs", folder / "docs")
    shutil.copytree(source.folder / "etw-profiles", folder / "etw-profiles")
    shutil.copytree(source.folder / "deploy/powershell/LatencyTuner", folder / "LatencyTuner")
    for path in source.dsc_manifests():
        # DSC finds a manifest in a folder of PATH, and starts the program that lies beside it.
        shutil.copy(path, folder / path.name)
    return folder


def pack_file(name, version):
    return package_folder() / name.lower() / version / f"{name.lower()}.{version}.nupkg.sha512"


def compare_pins(packs, update):
    """A release is made with the SDK and the packs that pins.json names, whose bytes are part of every program."""
    found = {
        "sdk": run("dotnet", "--version", cwd=ROOT),
        "packs": {
            f"{name}/{version}": pack_file(name, version).read_text(encoding="utf-8").strip() for name, version in sorted(packs)},
    }
    pinned = json.loads(PINS.read_text(encoding="utf-8")) if PINS.exists() else {"sdk": None, "packs": {}}
    if update:
        kept = pinned["packs"] if pinned["sdk"] == found["sdk"] else {}
        pins = {"sdk": found["sdk"], "packs": dict(sorted({**kept, **found["packs"]}.items()))}
        PINS.write_bytes((json.dumps(pins, indent=2) + "\n").encode("ascii"))
        return
    if found["sdk"] != pinned["sdk"]:
        raise Failure(
            f"Releases are made with .NET SDK {pinned['sdk']}, and this is {found['sdk']}. Install that one, or run with --update-pins and commit "
            f"{PINS.name}.")
    for pack, digest in found["packs"].items():
        if pack not in pinned["packs"]:
            raise Failure(f"{PINS.name} does not name {pack}. Run with --update-pins, look at the change, and commit it.")
        if pinned["packs"][pack] != digest:
            raise Failure(f"{pack} on this machine is not the one of {PINS.name}: SHA-512 {digest}.")
