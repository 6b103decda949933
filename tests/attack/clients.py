"""Strangers attack the port of 'serve --token-file': idle, garbage, one byte a second, a wrong token, resets, frames that announce gigabytes.

While they do, honest clients are served, every one of them; the responder stays alive and small; afterwards it has counted every stranger that it
refused, and ends with 0 when interrupted.
"""
import contextlib
import os
import re
import statistics

import attack

MOST_MB = 250
ROUNDS = 15
TIMES = 20 if attack.LONG else 2
ATTACKS = {
    "400 idle connections": dict(count=400),
    "garbage": dict(count=50, say=os.urandom(16384)),
    "one byte a second": dict(count=100, drip=attack.client_hello()),
    "a wrong token": dict(count=50, say=attack.client_hello() + attack.frame(3, bytes(32))),
    "half a handshake": dict(count=100, say=attack.client_hello()),
    "resets at once": dict(count=50, reset=True),
    "a frame of 4 GB": dict(count=50, say=attack.frame(1, b"", announced=0xFFFFFFFF)),
    "a frame of 300 bytes before the token": dict(count=50, say=attack.frame(1, bytes(300))),
}

rows = []
connected = 0
asked = 0
with attack.serving() as server:
    files = attack.open_files(server.process)
    attacks = [*ATTACKS.items()] if attack.LONG else []
    # All at once in both forms: that is the hardest, and in the short form the only time.
    for name, strangers in [*attacks, ("all of them at once", None)]:
        with contextlib.ExitStack() as stack:
            crowds = [stack.enter_context(attack.crowd(server.port, **each)) for each in (ATTACKS.values() if strangers is None else [strangers])]
            results = attack.ask(server, TIMES if strangers else 2 * TIMES)
        count, text = attack.served(results)
        asked += count
        came = sum(c["connected"] for c in crowds)
        connected += came
        turned_away = sum(c["turned away"] for c in crowds)
        good = count == len(results) and server.process.poll() is None
        attack.verdict(f"clients: {name}", good, f"{text}; {came} strangers, {turned_away} turned away")
        seconds = [r.seconds for r in results]
        rows.append((name, came, f"{count}/{len(results)}", *(f"{attack.percentile(seconds, s):.2f}" for s in (0.5, 0.9, 1)), attack.peak_mb(server.process)))
    up = attack.forgets(server.process, files)
    attack.verdict("clients: strangers are forgotten", up, f"{attack.open_files(server.process)} open files, {files} before")
    peak = attack.peak_mb(server.process)
    attack.verdict("clients: memory of the responder", 0 < peak < MOST_MB, f"peak {peak} MB, at most {MOST_MB}")
    code, line = attack.stop(server)
    found = re.search(r"Stopped: (\d+) connections? and \d+ messages? served (\d+) refused", line.replace(",", ""))
    good = code == 0 and found is not None and int(found[1]) == asked and int(found[2]) == connected
    attack.verdict("clients: everyone is counted", good, f"exit code {code}, {connected} strangers connected, {asked} clients were served; it says: {line}")
if attack.LONG:
    with attack.serving() as attacked, attack.serving() as another, contextlib.ExitStack() as stack:
        crowds = [
            stack.enter_context(attack.crowd(attacked.port, count=400, **what))
            for what in (dict(), dict(say=os.urandom(16384), again=10), dict(drip=attack.client_hello()))]
        # In turns, and each first as often as the other: what the processors give to the strangers, both responders lack.
        rounds = []
        for turn in range(ROUNDS):
            one, two = (attacked, another) if turn % 2 else (another, attacked)
            p99 = {server.port: attack.p99_us(server) for server in (one, two)}
            rounds.append((p99[attacked.port], p99[another.port]))
        came = sum(c["came"] for c in crowds)
    ratios = [of_attacked / of_another for of_attacked, of_another in rounds]
    attack.table(
        f"99th percentile of honest clients beside 1,200 strangers ({came:,} came), medians of {ROUNDS} rounds",
        ("on the responder that they attack, us", "on another one, us", "ratio", "least", "most"),
        [(*(f"{statistics.median(column):.0f}" for column in zip(*rounds)), f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f}", f"{max(ratios):.2f}")])
    attack.table("Honest clients beside strangers, seconds", ("attack", "strangers", "served", "p50", "p90", "max", "peak MB"), rows)
attack.finish()
