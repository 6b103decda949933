"""The step that signs, done by a command of the site, and what it may touch; hashes before and after."""

import dataclasses
import shlex
import subprocess

import archives
import building
from failure import Failure

SIGNABLE = (".exe", ".psm1", ".psd1", ".ps1xml")
CATALOG = ".cat"


@dataclasses.dataclass(frozen=True)
class Hashes:
    """SHA-256 of the archives, and of the files in them that signing changes, as RID/path."""
    archives: dict
    inside: dict


def is_signable(name):
    # The program for Linux stays as it was built; Authenticode is for Windows.
    return name.endswith(SIGNABLE + (CATALOG,)) or name == building.PRODUCT


def hashes(trees):
    return {
        f"{rid}/{name}": building.sha256(path)
        for rid, (_, tree) in sorted(trees.items()) for name, path in archives.files_of(tree) if is_signable(name)}


def everything(tree):
    return {name: building.sha256(path) for name, path in archives.files_of(tree)}


def sign(command, trees):
    """Calls the command once for each folder for Windows. It signs files in their place and may add a catalog; anything else is refused."""
    for rid, (_, tree) in sorted(trees.items()):
        if not rid.startswith("win"):
            continue
        before = everything(tree)
        subprocess.run([*shlex.split(command), str(tree)], check=True)
        after = everything(tree)
        for name in sorted({**before, **after}):
            may = name in after and (name.endswith(CATALOG) or name.endswith(SIGNABLE) and name in before)
            if before.get(name) != after.get(name) and not may:
                raise Failure(f"The command that signs changed {name} of {rid}. It may change {', '.join(SIGNABLE)} and add {CATALOG} files.")
        left = [name for name in sorted(before) if name.endswith(SIGNABLE) and before[name] == after[name]]
        if left:
            raise Failure(f"The command that signs left {', '.join(left)} of {rid} as it was.")


def table(before, after, is_signed):
    lines = [
        "SHA-256 of the files as they were built and as they are released. Two builds of one commit agree in the first column."
        if is_signed else "SHA-256 of the files. Nothing was signed: both columns are the same.",
        f"{'as built':64}  {'as released':64}  file"]
    for built, released in ((before.archives, after.archives), (before.inside, after.inside)):
        lines += [f"{built.get(name, '-'):64}  {released[name]:64}  {name}" for name in sorted(released)]
    return "\n".join(lines) + "\n"
