"""The bill of materials in CycloneDX 1.5: packages of the lock files, packs of .NET in the program, and the script that pages of reports carry."""

import json
import re
import urllib.parse
import uuid
import xml.etree.ElementTree

import building
from failure import Failure

PROJECTS = ("src/LatencyTuner", "src/LatencyTuner.Core", "src/LatencyTuner.Http")
SCRIPT = "src/LatencyTuner.Core/Reporting/Script/uPlot.iife.min.js"


def licences(name, version):
    """As the package itself says; none where it is not on this machine."""
    path = building.package_folder() / name.lower() / version / f"{name.lower()}.nuspec"
    if not path.exists():
        return []
    for element in xml.etree.ElementTree.parse(path).iter():
        tag = element.tag.rsplit("}", 1)[-1]
        if tag == "license" and element.get("type") == "expression":
            return [{"expression": element.text}]
        if tag == "licenseUrl" and element.text and "aka.ms/deprecateLicenseUrl" not in element.text:
            return [{"license": {"name": "see the address", "url": element.text}}]
    return []


def component(kind, name, version, purl, properties=()):
    made = {"type": "library", "bom-ref": purl, "name": name, "version": version, "scope": "required", "purl": purl}
    if kind == "nuget" and (found := licences(name, version)):
        made["licenses"] = found
    if properties:
        made["properties"] = [{"name": key, "value": value} for key, value in properties]
    return made


def nuget(name, version):
    return f"pkg:nuget/{urllib.parse.quote(name)}@{version}"


def locked(source):
    """Package to (version, content hash, names it depends on), from all sections of the lock files of what is shipped."""
    found = {}
    for project in PROJECTS:
        sections = json.loads(source.text(f"{project}/packages.{building.FRAMEWORK}.lock.json"))["dependencies"]
        for entry in (e for section in sections.values() for e in section.items()):
            name, data = entry
            if data["type"] == "Project":
                continue
            version, digest, needs = found.setdefault(name, (data["resolved"], data["contentHash"], set()))
            if (version, digest) != (data["resolved"], data["contentHash"]):
                raise Failure(f"The lock files have {name} twice: {version} and {data['resolved']}.")
            needs.update(data.get("dependencies", {}))
    return found


def make(source, packs):
    packages = locked(source)
    components, needs = [], {}
    for name, (version, digest, wanted) in packages.items():
        # NuGet's hash of the contents, which leaves the signature of the package out: it is no hash of the file.
        components.append(component("nuget", name, version, nuget(name, version), [("nuget:contentHash", digest)]))
        needs[nuget(name, version)] = sorted(nuget(n, packages[n][0]) for n in wanted if n in packages)
    inside = sorted({pack for used in packs.values() for pack in used if not any(tool in pack[0].lower() for tool in building.TOOLS)})
    for name, version in inside:
        components.append(component("nuget", name, version, nuget(name, version), [("latencytuner:part", "runtime")]))
        needs[nuget(name, version)] = []
    script = re.search(r"\(v([0-9.]+)\)", source.text(SCRIPT)[:300])
    if script is None:
        raise Failure(f"{SCRIPT} does not name its version in its first line.")
    uplot = f"pkg:npm/uplot@{script.group(1)}"
    components.append(dict(component("npm", "uplot", script.group(1), uplot, [("latencytuner:part", SCRIPT)]), licenses=[{"license": {"id": "MIT"}}]))
    needs[uplot] = []
    itself = f"pkg:generic/{building.PRODUCT}@{source.version}?vcs_url={urllib.parse.quote('git+commit:' + source.commit, safe='')}"
    needs[itself] = sorted(needs)
    return (json.dumps({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'{building.PRODUCT} {source.version} {source.commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": source.utc,
            "component": {"type": "application", "bom-ref": itself, "name": building.PRODUCT, "version": source.version, "purl": itself},
            "properties": [{"name": "latencytuner:commit", "value": source.commit}],
        },
        "components": sorted(components, key=lambda c: c["bom-ref"]),
        "dependencies": [{"ref": ref, "dependsOn": needs[ref]} for ref in sorted(needs)],
    }, indent=2, ensure_ascii=True) + "\n").encode("ascii")
