#!/usr/bin/env python3
"""Makes events.tsv, the embedded event layouts, from the shared facts, tcpip.tsv and afd.tsv beside this file, and the judgements below.

usage: generate.py [--check] [FOLDER]     FOLDER defaults to $LATENCYTUNER_SHARED/knowledge

--check writes nothing and ends with 1 when events.tsv is not what would be written.
Columns: provider, number (id, or opcode of classic events), version, form (manifest or classic), name, level, keywords, meaning (a
TcpEventKind, or "-"), verified (yes when real events agreed with the layout), required (leading fields that every event of this version has),
fields as name:type, a length that another field holds in brackets; "-" for an event of which only the name is known.
"""
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

TCPIP = "2f07e2ee-15db-40f1-90ef-9d7ba282188a"
AFD = "e53c6823-7bb8-44bb-90dc-3f86090d48a6"
KERNEL_NETWORK = "7dd42a49-5329-4832-8dfd-43d979153a88"
KERNEL_TCP = "9a280ac0-c8e0-11d1-84e2-00c04fb998a2"
KERNEL_UDP = "bf3a50c5-a9c9-4988-a005-2df0b7c80f80"
PKTMON = "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"
KERNEL_PROCESS = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"
NDIS = "2ed6006e-4729-4609-b423-3ee7bcd678ef"

# What an event means to an analysis; several ids may mean the same.
TCPIP_MEANING = {
    1002: "ConnectRequested", 1004: "SynSent", 1013: "EndpointCreated", 1017: "Accepted", 1031: "ConnectStarted", 1033: "Connected",
    1038: "CloseRequested", 1039: "AbortRequested", 1040: "Aborted", 1043: "Disconnected", 1044: "ShutDown", 1051: "StateChanged",
    1064: "TimerStarted", 1065: "TimerStopped", 1066: "TimerExpired", 1067: "IdealBacklogChanged", 1070: "RttSampled", 1071: "CumulativeAck",
    1072: "DuplicateAck", 1073: "DataSent", 1074: "DataReceived", 1077: "RetransmitRound", 1092: "AutoTuningStarted", 1093: "AutoTuningEnded",
    1097: "ReceiveBufferChanged", 1100: "SwsAvoidanceStarted", 1101: "SwsAvoidanceEnded", 1102: "ZeroWindowProbingStarted",
    1103: "ZeroWindowProbingEnded", 1104: "TcpOptionSet", 1105: "SocketOptionSet", 1110: "GlobalParameters", 1111: "LargeSendSegmented",
    1151: "CumulativeAck", 1152: "DuplicateAck", 1153: "DataSent",
    1156: "ReceiveRequested", 1157: "DeliveryIndicated", 1158: "DeliverySatisfied", 1159: "SendPosted", 1160: "SendTransmitted",
    1161: "SendAdvanced", 1178: "DeliveryPushed", 1186: "ConnectRetransmitted", 1187: "Retransmitted", 1221: "CwndRestarted",
    1222: "InitialCwndAdjusted", 1223: "TemplateParameters", 1224: "TemplateChanged", 1227: "SegmentsCoalesced", 1229: "CwndRestarted",
    1300: "Rundown", 1330: "CumulativeAck", 1331: "CumulativeAck", 1332: "DataSent", 1333: "DataSent",
    1341: "RttSampled", 1343: "DuplicateAck", 1344: "DuplicateAck", 1351: "RetransmitRound",
    1352: "Summary", 1385: "TailLossProbe", 1386: "TailLossProbe", 1387: "Rack", 1429: "CumulativeAck", 1430: "DuplicateAck",
    1447: "PacedSend", 1477: "Summary", 1480: "ConnectFailed", 1544: "SocketOptionValue",
}
AFD_MEANING = {
    1000: "SocketCreated", 1001: "SocketClosed", 1002: "SocketCleanedUp", 1003: "SocketSend", 1004: "SocketReceive", 1017: "SocketConnect",
    1018: "SocketConnect", 1020: "SocketConnect", 1021: "SocketConnect", 1023: "SocketAccept", 1024: "SocketAccept", 1026: "SocketAccept",
    1027: "SocketAccept", 1029: "SocketBind", 1030: "SocketBind", 1032: "SocketAborted", 1035: "SocketOption", 1037: "SocketListen",
    3000: "SocketConnectIndicated", 3001: "SocketConnectIndicated", 3003: "SocketDataIndicated", 3006: "SocketDisconnectIndicated", 3007: "SocketSendBacklog",
}

# Events that grew while keeping their version: the fields of the oldest manifest.
REQUIRED = {(TCPIP, 1223, 0): 9, (TCPIP, 1226, 0): 5}

KERNEL_MEANING = {10: "KernelSend", 11: "KernelReceive", 12: "KernelConnect", 13: "KernelDisconnect", 14: "KernelRetransmit", 15: "KernelAccept", 16: "KernelReconnect", 17: "KernelFail", 18: "KernelCopy"}
KERNEL_NAMES = {10: "Send", 11: "Recv", 12: "Connect", 13: "Disconnect", 14: "Retransmit", 15: "Accept", 16: "Reconnect", 17: "Fail", 18: "TCPCopy"}
# Opcodes whose version 2 layout agreed with real events.
KERNEL_TCP_SEEN = {10, 11, 13, 15, 18, 26, 27, 29, 31, 34}
KERNEL_UDP_SEEN = {10, 11, 26, 27}
NETWORK_SEEN = {10, 11, 26, 27, 29, 42, 43, 59}

TAILS = {
    "Basic": "seqnum:UInt32,connid:Pointer",
    "Send": "startime:UInt32,endtime:UInt32,seqnum:UInt32,connid:Pointer",
    "Connect": "mss:UInt16,sackopt:UInt16,tsopt:UInt16,wsopt:UInt16,rcvwin:UInt32,rcvwinscale:Int16,sndwinscale:Int16,seqnum:UInt32,connid:Pointer",
}


def rows(text, width):
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == width and re.fullmatch(r"\d{4}", cells[0]):
            yield cells


def fields(text):
    parts = [p.strip() for p in text.split(",")]
    for part in parts:
        if not re.fullmatch(r"\w+:(U?Int(8|16|32|64)|Pointer|Guid|Sid|UnicodeString|AnsiString|Binary\[\w+\])", part):
            raise SystemExit(f"a field of unknown form: {part!r}")
    return ",".join(parts)


def line(provider, number, version, form, name, level, keywords, meaning, verified, text):
    count = 0 if text == "-" else len(text.split(","))
    return "\t".join([provider, str(number), str(version), form, name, str(level), keywords, meaning, "yes" if verified else "no", str(REQUIRED.get((provider, number, version), count)), text])


def more(name):
    for text in (HERE / name).read_text().splitlines():
        if not text.startswith("#"):
            yield text.split("\t")


def manifests(folder):
    shared = set()
    for number, version, name, level, keywords, _, payload, _ in rows((folder / "etw-tcpip.md").read_text(), 8):
        shared.add((number, version))
        yield line(TCPIP, int(number), int(version), "manifest", name, level, keywords, TCPIP_MEANING.get(int(number), "-"), False, fields(payload))
    for number, version, name, level, keywords, payload in more("tcpip.tsv"):
        if (number, version) not in shared:
            yield line(TCPIP, int(number), int(version), "manifest", name, level, keywords, TCPIP_MEANING.get(int(number), "-"), False, payload if payload == "-" else fields(payload))
    for number, name, level, keywords, payload in rows((folder / "etw-afd.md").read_text(), 5):
        yield line(AFD, int(number), 0, "manifest", name, level, keywords, AFD_MEANING.get(int(number), "-"), False, fields(payload))
    for number, version, name, level, keywords, payload in more("afd.tsv"):
        yield line(AFD, int(number), int(version), "manifest", name, level, keywords, "-", False, fields(payload))


def common(six):
    kind = "IPv6" if six else "IPv4"
    return f"PID:UInt32,size:UInt32,daddr:{kind},saddr:{kind},dport:Port,sport:Port"


def kernel():
    for op, name in KERNEL_NAMES.items():
        if op == 17:
            yield line(KERNEL_TCP, 17, 2, "classic", "TcpIpFail", 0, "0x10000", KERNEL_MEANING[17], False, "Proto:UInt16,FailureCode:UInt16")
            yield line(KERNEL_UDP, 17, 2, "classic", "UdpIpFail", 0, "0x10000", "-", False, "Proto:UInt16,FailureCode:UInt16")
            yield line(KERNEL_NETWORK, 17, 0, "manifest", "KernelNetworkFail", 4, "0x0", KERNEL_MEANING[17], False, "Proto:UInt16,FailureCode:UInt16")
            for version in (0, 1):
                yield line(KERNEL_TCP, 17, version, "classic", "TcpIpFail", 0, "0x10000", KERNEL_MEANING[17], False, "Proto:UInt32")
            continue
        tail = TAILS["Send" if op == 10 else "Connect" if op in (12, 15) else "Basic"]
        for six in (False, True):
            number = op + 16 * six
            suffix = "IPV6" if six else ""
            payload = common(six) + "," + tail
            yield line(KERNEL_TCP, number, 2, "classic", f"TcpIp{name}{suffix}", 0, "0x10000", KERNEL_MEANING[op], number in KERNEL_TCP_SEEN, payload)
            yield line(KERNEL_NETWORK, number, 0, "manifest", f"KernelNetwork{name}{suffix}", 4, "0x20" if six else "0x10", KERNEL_MEANING[op], number in NETWORK_SEEN, payload)
        if op <= 15:
            yield line(KERNEL_TCP, op, 0, "classic", f"TcpIp{name}", 0, "0x10000", KERNEL_MEANING[op], False, "daddr:IPv4,saddr:IPv4,dport:Port,sport:Port,size:UInt32,PID:UInt32")
        if op <= 16:
            yield line(KERNEL_TCP, op, 1, "classic", f"TcpIp{name}", 0, "0x10000", KERNEL_MEANING[op], False, common(False))
    for op in (10, 11, 26, 27):
        name = KERNEL_NAMES[op & 15] + ("IPV6" if op > 15 else "")
        payload = common(op > 15) + "," + TAILS["Basic"]
        yield line(KERNEL_UDP, op, 2, "classic", f"UdpIp{name}", 0, "0x10000", "-", op in KERNEL_UDP_SEEN, payload)
        yield line(KERNEL_NETWORK, op + 32, 0, "manifest", f"KernelNetworkUdp{name}", 4, "0x20" if op > 15 else "0x10", "-", op + 32 in NETWORK_SEEN, payload)


def packets():
    head = "PktGroupId:UInt64,PktNumber:UInt16,AppearanceCount:UInt16,DirTag:UInt16,PacketType:UInt16,ComponentId:UInt16,EdgeId:UInt16,FilterId:UInt16,DropReason:UInt32,DropLocation:UInt32,OriginalPayloadSize:UInt16,LoggedPayloadSize:UInt16,Payload:Binary[LoggedPayloadSize]"
    yield line(PKTMON, 160, 0, "manifest", "PktMonPacket", 4, "0x10", "-", True, head)
    yield line(PKTMON, 170, 0, "manifest", "PktMonDrop", 4, "0x10", "-", False, head)
    # The flags of pktmon start are its keywords: 0x2 are the components, 0x10 the packets.
    yield line(PKTMON, 20, 0, "manifest", "PktMonComponent", 4, "0x2", "-", True, "Id:UInt16,Type:UInt16,Name:UnicodeString,Description:UnicodeString")
    yield line(PKTMON, 30, 0, "manifest", "PktMonComponentProperty", 4, "0x2", "-", True, "ComponentId:UInt16,Type:UInt16,Value:UInt32")
    yield line(NDIS, 1001, 0, "manifest", "NdisPacketFragment", 4, "0x0", "-", True, "MiniportIfIndex:UInt32,LowerIfIndex:UInt32,FragmentSize:UInt32,Fragment:Binary[FragmentSize],GftFlowEntryId:UInt64,GftOffloadInformation:UInt64")


def processes():
    start = "ProcessID:UInt32,CreateTime:UInt64,ParentProcessID:UInt32,SessionID:UInt32"
    package = "ImageChecksum:UInt32,TimeDateStamp:UInt32,PackageFullName:UnicodeString,PackageRelativeAppId:UnicodeString"
    numbered = f"ProcessID:UInt32,ProcessSequenceNumber:UInt64,CreateTime:UInt64,ParentProcessID:UInt32,ParentProcessSequenceNumber:UInt64,SessionID:UInt32,Flags:UInt32,ProcessTokenElevationType:UInt32,ProcessTokenIsElevated:UInt32,MandatoryLabel:Sid,ImageName:UnicodeString,{package}"
    mitigated = f"{numbered},SecurityMitigations:UInt32"
    partitioned = f"{mitigated},PartitionID:UInt32,ProcessMachine:UInt16"
    packaged = f"{start},Flags:UInt32,ImageName:UnicodeString,{package}"
    stop = "CreateTime:UInt64,ExitTime:UInt64,ExitCode:UInt32,TokenElevationType:UInt32,HandleCount:UInt32,CommitCharge:UInt64,CommitPeak:UInt64"
    counted = "CPUCycleCount:UInt64,ReadOperationCount:UInt32,WriteOperationCount:UInt32,ReadTransferKiloBytes:UInt32,WriteTransferKiloBytes:UInt32,HardFaultCount:UInt32"
    for number, name, versions in (
        (1, "ProcessStart", (f"{start},ImageName:UnicodeString", f"{start},Flags:UInt32,ImageName:UnicodeString", packaged, numbered, mitigated, partitioned)),
        (2, "ProcessStop", (f"ProcessID:UInt32,{stop},ImageName:AnsiString", f"ProcessID:UInt32,{stop},{counted},ImageName:AnsiString", f"ProcessID:UInt32,ProcessSequenceNumber:UInt64,{stop},{counted},ImageName:AnsiString")),
        (15, "ProcessRundown", (packaged, numbered, mitigated, partitioned)),
    ):
        for version, text in enumerate(versions):
            yield line(KERNEL_PROCESS, number, version, "manifest", f"{name}_V{version}" if version else name, 4, "0x10", "-", False, fields(text))


def main():
    check = "--check" in sys.argv
    names = [a for a in sys.argv[1:] if a != "--check"]
    folder = Path(names[0]) if names else Path(os.environ["LATENCYTUNER_SHARED"]) / "knowledge"
    lines = [*manifests(folder), *kernel(), *packets(), *processes()]
    lines.sort(key=lambda l: (l.split("\t")[0], int(l.split("\t")[1]), int(l.split("\t")[2])))
    text = "".join(l + "\n" for l in lines)
    target = HERE / "events.tsv"
    if check:
        sys.exit(0 if target.exists() and target.read_text() == text else 1)
    target.write_text(text)
    print(f"{len(lines)} layouts")


main()
