#!/usr/bin/env python3
"""Makes settings.json, the embedded catalogue, from the shared facts plus the judgements below.

usage: generate.py [--check] [FACTS]     FACTS defaults to $LATENCYTUNER_SHARED/knowledge/settings.json

--check writes nothing and ends with 1 when settings.json differs from what would be written.
Every judgement here is stated in the facts, in "tool_advice", "status" or "range"; where they state none, none is made. What corrects the facts
names its own source (CORRECTED).
"""
import json
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
PROFILES = ["low-latency", "balanced", "throughput"]
ALL = PROFILES
INTERFACES = r"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces"
PARAMETERS = r"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters"

# Settings that the facts would automate, but that this program cannot change and restore exactly.
ACTIONS = {
    # Only netsh sets these, and its output is localised: a change could not be read back.
    "global.fastopen": "advise-only",
    "global.fastopenfallback": "advise-only",
    "global.hystart": "advise-only",
    "global.prr": "advise-only",
    "global.pacingprofile": "advise-only",
    # Two properties that are valid only together; a change writes one value.
    "template.dynamicport": "advise-only",
    # The published numbers end at DCTCP, and the facts say "read-only advice".
    "template.congestionprovider": "advise-only",
}

# id -> (profiles, acceptable values with the recommended one first, why). "absent" is a value.
RECOMMENDED = {
    "tcp.ackfrequency": [
        (["balanced", "throughput"], ["absent", "0", "2"], "1 doubles the pure ACKs of every connection on the interface; it pays only where a measurement shows delayed-ACK stalls"),
        (["low-latency"], ["absent", "0", "1", "2"], "set it to 1 only where a measurement shows delayed-ACK stalls; above 2 the receiver waits longer"),
    ],
    "tcp.delackticks": [(ALL, ["absent"], "documented for Windows 2003 and older only; the template's DelayedAckTimeout is the supported control")],
    "template.initialrto": [(ALL, ["1000"], "3000 ms costs three seconds for every lost SYN")],
    "template.initialcongestionwindow": [(ALL, ["10"], "10 segments is the default since Windows Server 2016 (RFC 6928); fewer cost a round trip per reply")],
    "template.cwndrestart": [(["low-latency", "balanced"], ["0"], "a restart of the congestion window after idle costs request/response servers a round trip or more")],
    "template.autotuninglevellocal": [(ALL, ["3"], "anything but Normal caps the receive window")],
    "template.scalingheuristics": [(ALL, ["0"], "the heuristics may switch window scaling off by themselves")],
    "global.rss": [(ALL, ["1"], "without it, one processor handles all received packets")],
    "global.taskoffload": [(ALL, ["1"], "switched off, every adapter loses its offloads")],
    "global.rsc": [(["throughput"], ["1"], "receive segment coalescing saves processor time per byte")],
    "global.pacingprofile": [(["low-latency"], ["off"], "pacing delays segments on purpose")],
    "nic.rss": [(ALL, ["1"], "without it, one processor handles all received packets")],
    "nic.lso": [(ALL, ["1"], "Microsoft's low-latency advice keeps static offloads on")],
    "nic.checksum": [(ALL, ["3"], "Microsoft's low-latency advice keeps static offloads on")],
    "nic.speedduplex": [(ALL, ["0"], "a forced speed against an automatic peer gives a duplex mismatch")],
    "nic.eee": [(["low-latency"], ["0"], "the link sleeps between packets and takes time to wake")],
    "nic.interruptmoderation": [(["throughput"], ["1"], "without it the interrupt rate can reduce throughput under load")],
    "power.plan": [(["low-latency"], ["8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c"], "Balanced adds tens to hundreds of microseconds after idle: exit from sleep states and frequency ramp")],
    "power.aspm": [(["low-latency"], ["0"], "PCIe links that sleep take time to wake")],
}

# flag-only entries: the meaning of a value that exists. "unless" and "from" name values that need no remark.
FLAGGED = {
    "tcp.nodelay.interface": ("no-effect", [], None, "no Microsoft page documents it here, and no trace shows that the TCP stack reads it; only the socket option TCP_NODELAY switches Nagle off"),
    "tcp.nodelay.msmq": ("no-effect", ["0"], None, "it acts on Message Queuing only, not on any other program"),
    "global.chimney": ("no-effect", ["0"], None, "TCP Chimney is not used on Windows Server 2016 and later"),
    "global.netdma": ("no-effect", [], None, "NetDMA was removed with Windows 8 and Server 2012"),
    "global.dca": ("no-effect", ["disabled"], None, "obsolete; current netsh output no longer shows it"),
    "afd.windows": ("not-recommended", [], None, "a fixed default buffer can switch dynamic send buffering off and recreates the stall of KB 823764"),
    "afd.nonblockingspecial": ("no-effect", ["0"], None, "documented for Windows Server 2003 SP1 only"),
    "mmcss.networkthrottling": ("not-recommended", ["10"], None, "it throttles only while multimedia tasks run; switched off it increased DPC time in a published test"),
    "mmcss.systemresponsiveness": ("no-effect", [], 10, "values below 10 are treated as 20"),
    "legacy.tcpwindowsize": ("no-effect", [], None, "ignored since Windows Vista; the receive window is auto-tuned"),
    "legacy.tcp1323opts": ("not-recommended", [], None, "superseded by the template's Timestamps and AutoTuningLevelLocal"),
    "legacy.sackopts": ("no-effect", [], None, "SACK is always on; no trace shows that Windows reads this value"),
    "legacy.defaultttl": ("no-effect", [], None, "the hop limit does not change latency"),
    "legacy.maxuserport": ("not-recommended", [], None, "superseded by the dynamic port range in Windows Vista; its effect on the range is unproven"),
    "legacy.enablepmtudiscovery": ("not-recommended", ["1"], None, "0 forces 576-byte path packets"),
    "legacy.misc": ("no-effect", [], None, "unsupported, or no trace shows that Windows reads it"),
}

# Values that are written with --force only, and why.
NEEDS_FORCE = {
    "tcp.delackticks": (["0"], "0 was a value of Windows Server 2003; from Windows Server 2012 on the TCP stack takes 1 to 60"),
    "template.memorypressureprotection": (["0"], "it lets Windows shed connections when memory runs short, as under a flood of connections; Disabled takes that defence away"),
}

# Corrections from a trace in a Microsoft support case of what tcpip.sys reads when an interface is added (IpFlcAddInterface), known second hand.
CORRECTED = {
    "tcp.ackfrequency": {
        "takesEffect": "adapter-restart",
        "takesEffectText": "the TCP stack reads it when the interface is added: disable and enable the adapter, or restart Windows (medium confidence: a trace of IpFlcAddInterface, second hand; KB 823764 names the restart of Windows only); existing connections keep what they have",
    },
    "tcp.delackticks": {
        "range": "1-60 (x100 ms), 2 by default, from Windows Server 2012 on (medium confidence); 0 was a value of Windows Server 2003",
        "allowed": {"min": 0, "max": 60, "step": 1},
        "effect": "a shorter timer ends the wait for a second segment sooner, in steps of 100 ms",
        "takesEffect": "adapter-restart",
        "takesEffectText": "the TCP stack reads it when the interface is added: disable and enable the adapter, or restart Windows (medium confidence: a trace of IpFlcAddInterface, second hand)",
    },
}

# The numbers of the names in a range that does not give them: the numbering of the CIM classes, not yet verified on Windows.
WORDS = {
    "False/True": {"False": 0, "True": 1},
    "0/1": {"Disabled": 0, "Enabled": 1},
    "Disabled/Enabled": {"Disabled": 0, "Enabled": 1},
    "Disabled/Enabled/Automatic": {"Disabled": 0, "Enabled": 1, "Automatic": 2},
}

# Where the facts give one text for several values.
ABSENT = {"legacy.enablepmtudiscovery": "1"}

# Second and further values that the entry stands for.
VALUES = {
    "legacy.tcpwindowsize": ["TcpWindowSize", "GlobalMaxTcpWindowSize"],
    "legacy.enablepmtudiscovery": ["EnablePMTUDiscovery"],
    "legacy.misc": ["TcpMaxDupAcks", "TCPInitialRtt", "DelayedAckFrequency", "DelayedAckTicks", "CongestionAlgorithm", "NumTcbTablePartitions", "MaxHashTableSize", "MaxFreeTcbs"],
}

# Keys in which forum recipes put per-interface values, and in which nothing reads them.
WRONG_KEYS = {
    "tcp.ackfrequency": [INTERFACES, PARAMETERS],
    "tcp.delackticks": [INTERFACES, PARAMETERS],
    "tcp.nodelay.interface": [INTERFACES, PARAMETERS],
}


def store_of(entry):
    location, kind = entry["location"], entry["location"]["kind"]
    if kind in ("registry", "netsh+registry"):
        values = VALUES.get(entry["id"]) or [location["value"]]
        for alias in location.get("aliases", []):
            if alias.lower() not in (v.lower() for v in values):
                values.append(alias)
        result = {"kind": "registry", "key": location["key"], "values": values, "type": location["type"]}
        if entry["id"] in WRONG_KEYS:
            result["wrongKeys"] = WRONG_KEYS[entry["id"]]
        return result
    if kind == "cim" and location["class"] == "MSFT_NetTCPSetting" and "," not in location["property"]:
        result = {"kind": "template", "namespace": location["namespace"], "class": location["class"], "property": location["property"]}
        if entry["id"] == "template.automaticusecustom":
            result["template"] = "Automatic"
        return result
    if kind == "cim":
        return {"kind": "cim", "namespace": location["namespace"], "class": location["class"], "properties": re.split(r",\s*", location["property"])}
    if kind == "ndis-keyword":
        keywords = [location["keyword"]] + [k for k in re.findall(r"\*\w+", entry["title"]) if k != location["keyword"]]
        result = {"kind": "adapter", "keywords": keywords, "key": location["key"], "type": "REG_SZ", "namespace": "root/StandardCimv2", "class": location["cim_class"]}
        if "dedicated_cim_class" in location:
            result["dedicatedClass"] = location["dedicated_cim_class"].split()[0]
        return result
    if kind == "powercfg":
        name = "active scheme" if "guid" in location else f'{location["subgroup"]} {location["setting"].split()[0]}'
        return {"kind": "power", "name": name}
    if kind in ("netsh", "cmdlet"):
        return {"kind": kind, "name": location["command"]}
    names = {"sockopt": "name", "ioctl": "name", "api": "dll", "config": "file", "app": "httpsys", "nic+esxi": "guest"}
    return {"kind": {"sockopt": "socket-option", "app": "application", "nic+esxi": "adapter-host"}.get(kind, kind), "name": location[names[kind]]}


def scope_of(entry, store):
    if store["kind"] == "registry":
        return "interface" if "{InterfaceGuid}" in store["key"] else "machine"
    if store["kind"] == "template":
        return "machine" if "template" in store else "template"
    if store["kind"] == "cim":
        return {"MSFT_NetTransportFilter": "filter", "MSFT_NetTCPConnection": "connection"}.get(store["class"], "machine")
    if entry["id"].startswith("nic.") or entry["id"] == "virt.vmxnet3":
        return "adapter"
    return {"socket-option": "socket", "ioctl": "socket", "api": "connection", "config": "application", "application": "application"}.get(store["kind"], "machine")


def allowed_of(entry, store):
    """The range as data: bounds and step, or the words with their numbers; None when it is unknown."""
    text = entry["range"]
    if store["kind"] not in ("registry", "template", "cim", "adapter"):
        return None
    words = WORDS.get(text) if store["kind"] in ("template", "cim") else None
    if words is None and store["kind"] == "template" and re.match(r"[A-Z]\w+ \d", text):
        words = {name: int(number) for name, number in re.findall(r"([A-Z]\w+) (\d+)", text.split("(")[0])}
    if words:
        return {"min": min(words.values()), "max": max(words.values()), "step": 1, "words": words}
    if match := re.match(r"\*RSS (\d)/(\d)|(\d+)[-/](\d+)\b", text):
        low, high = (int(n) for n in match.groups() if n is not None)
        step = re.search(r"in steps of (\d+)", text)
        return {"min": low, "max": high, "step": int(step[1]) if step else 2 if "even" in text else 1}
    return None


def absent_of(entry, store):
    if entry["id"] in ABSENT:
        return ABSENT[entry["id"]]
    texts = set(entry["default"].values())
    if store["kind"] not in ("registry", "adapter"):
        return None
    if len(texts) == 1:
        text = texts.pop()
        return re.sub(r"^absent\b[\s=;(]*", "", text).rstrip(")") if text.startswith("absent (") else re.sub(r"^absent\b[\s=;]*", "", text) or "no value is the default"
    return "the default of the Windows version"


def entry_of(entry):
    store = store_of(entry)
    result = {
        "id": entry["id"],
        "title": entry["title"],
        "area": entry["area"],
        "what": entry["what"],
        "effect": entry["latency_effect"],
        "cost": entry["cost"],
        "scope": scope_of(entry, store),
        "scopeText": entry["scope"],
        "store": store,
        "absentMeans": absent_of(entry, store),
        "range": entry["range"],
        "allowed": allowed_of(entry, store),
        "defaults": entry["default"],
        "action": ACTIONS.get(entry["id"], entry["tool_action"]),
        "takesEffect": entry["restart_class"],
        "takesEffectText": entry["takes_effect"],
        "status": entry["status"],
        "read": entry["read"],
        "set": entry["set"],
        "undo": entry["undo"],
        "advice": entry["tool_advice"],
        "notes": entry["notes"],
        "clientWritable": entry.get("client_writable"),
        "sources": entry["sources"],
        "confidence": entry["confidence"],
    }
    result |= CORRECTED.get(entry["id"], {})
    if entry["id"] in NEEDS_FORCE:
        values, why = NEEDS_FORCE[entry["id"]]
        result["needsForce"] = {"values": values, "because": why}
    if entry["id"] in RECOMMENDED:
        result["recommended"] = {p: {"values": values, "because": why} for profiles, values, why in RECOMMENDED[entry["id"]] for p in profiles}
    if entry["id"] in FLAGGED:
        state, unless, start, why = FLAGGED[entry["id"]]
        result["flagged"] = {"state": state, "unless": unless, "from": start, "because": why}
    return {k: v for k, v in result.items() if v is not None}


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    shared = os.environ.get("LATENCYTUNER_SHARED") or ROOT.parent / "shared"
    facts = Path(arguments[0]) if arguments else Path(shared) / "knowledge" / "settings.json"
    data = json.loads(facts.read_text(encoding="utf-8"))
    known = {e["id"] for e in data["entries"]}
    for name, table in {"ABSENT": ABSENT, "ACTIONS": ACTIONS, "RECOMMENDED": RECOMMENDED, "FLAGGED": FLAGGED, "NEEDS_FORCE": NEEDS_FORCE, "CORRECTED": CORRECTED, "VALUES": VALUES, "WRONG_KEYS": WRONG_KEYS}.items():
        if unknown := set(table) - known:
            sys.exit(f"{name} names unknown settings: {', '.join(sorted(unknown))}")
    catalogue = {"schema": "latencytuner/catalogue/1", "generated": data["generated"], "osColumns": data["os_columns"], "profiles": PROFILES,
                 "entries": [entry_of(e) for e in data["entries"]]}
    text = json.dumps(catalogue, indent=1, ensure_ascii=True) + "\n"
    target = HERE / "settings.json"
    if "--check" in sys.argv:
        sys.exit(0 if target.exists() and target.read_text(encoding="utf-8") == text else "settings.json differs from what generate.py makes from these facts.")
    target.write_text(text, encoding="utf-8")
    print(f"{len(catalogue['entries'])} entries")


if __name__ == "__main__":
    main()
