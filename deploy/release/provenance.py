"""An in-toto statement with SLSA provenance, unsigned: what was built, from which commit, by whom, of what."""

import json
import platform

import building


def make(source, given, packs, before, after):
    subjects = []
    for name, digest in sorted({**after.archives, **after.inside}.items()):
        unsigned = {**before.archives, **before.inside}.get(name)
        subject = {"name": name, "digest": {"sha256": digest}}
        if unsigned != digest:
            subject["annotations"] = {"unsignedSha256": unsigned}
        subjects.append(subject)
    pins = json.loads(building.PINS.read_text(encoding="utf-8"))
    materials = [{"uri": "git+commit:" + source.commit, "digest": {"gitCommit": source.commit}}]
    for name, version in sorted({pack for used in packs.values() for pack in used}):
        digest = building.pack_file(name, version).read_text(encoding="utf-8").strip()
        materials.append({"uri": f"pkg:nuget/{name}@{version}", "annotations": {"sha512Base64": digest}})
    return (json.dumps({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:latencytuner:release:1",
                "externalParameters": {"commit": source.commit, "version": source.version, "rids": given.rid, "signed": bool(given.sign)},
                "internalParameters": {"sdk": pins["sdk"], "framework": building.FRAMEWORK, "system": platform.system().lower()},
                "resolvedDependencies": materials,
            },
            "runDetails": {
                "builder": {"id": given.builder},
                # The time of the commit: two builds of a commit give the same statement.
                "metadata": {"startedOn": source.utc},
            },
        },
    }, indent=2, ensure_ascii=True) + "\n").encode("ascii")
