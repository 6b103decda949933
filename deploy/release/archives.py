"""Archives whose bytes depend on names and contents of the files alone, and on the time of the commit."""

import gzip
import io
import tarfile
import time
import zipfile

PROGRAMS = ("latencytuner", "latencytuner.exe")


def files_of(folder):
    """Path in the archive and file, sorted by the bytes of the path."""
    return sorted((p.relative_to(folder).as_posix(), p) for p in folder.rglob("*") if p.is_file())


def mode(name):
    return 0o755 if name.rsplit("/", 1)[-1] in PROGRAMS else 0o644


def zipped(folder, target, seconds, below=""):
    # MS-DOS times have steps of two seconds and no zone; they begin in 1980.
    when = time.gmtime(max(seconds, 315532800))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files_of(folder):
            entry = zipfile.ZipInfo(below + name, when)
            # The same on every system that builds.
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode(name)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes(), compresslevel=9)
    return target


def tarred(folder, target, seconds, below):
    with open(target, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=9, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, path in files_of(folder):
            entry = tarfile.TarInfo(below + name)
            entry.mtime, entry.mode, entry.uid, entry.gid, entry.uname, entry.gname = seconds, mode(name), 0, 0, "root", "root"
            data = path.read_bytes()
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return target


def all_of(source, trees, folder):
    """The archive of each system, and the module alone: what Windows' module folders take."""
    folder.mkdir()
    stem = f"latencytuner-{source.version}"
    made = []
    for rid, (_, tree) in sorted(trees.items()):
        if rid.startswith("win"):
            made.append(zipped(tree, folder / f"{stem}-{rid}.zip", source.time))
        else:
            made.append(tarred(tree, folder / f"{stem}-{rid}.tar.gz", source.time, f"{stem}/"))
    first = trees["win-x64"] if "win-x64" in trees else next(iter(trees.values()))
    made.append(zipped(first[1] / "LatencyTuner", folder / f"{stem}-powershell.zip", source.time, "LatencyTuner/"))
    return made
