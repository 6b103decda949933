"""Strangers exhaust the open files of 'serve' under 'ulimit -n': as many idle connections as the limit allows and 200 more, on each of its ports.

While they are there, honest clients are served; the process neither aborts nor ends, and ends with 0 when interrupted.
"""
import contextlib

import attack

TIMES = 5 if attack.LONG else 1
BEYOND = 200
CASES = [(limit, http) for limit in (256, 1024, 2048) for http in (False, True)] if attack.LONG else [(256, False), (256, True), (1024, True), (2048, False)]

rows = []
for limit, http in CASES:
    name = f"limits: {limit} open files{' and HTTP' if http else ''}"
    with attack.serving(http=http, files_limit=limit) as server:
        strangers = []
        with contextlib.ExitStack() as stack:
            for port in filter(None, (server.port, server.http_port)):
                strangers.append(stack.enter_context(attack.crowd(port, limit + BEYOND, again=2, wait_for=5)))
            files = attack.open_files(server.process)
            results = attack.ask(server, TIMES)
            over_http = attack.ask_http(server, TIMES) if http else []
        came = sum(c["connected"] for c in strangers)
        count, text = attack.served(results)
        attack.verdict(name, count == TIMES, f"{text}; {came} strangers connected, {files} open files")
        if http:
            count, text = attack.served(over_http)
            attack.verdict(f"{name}, over HTTP", count == TIMES, text)
        peak = attack.peak_mb(server.process)
        code, line = attack.stop(server)
        attack.verdict(f"{name}, the responder", code == 0, f"exit code {code}, peak {peak} MB, {line[:300]}")
        counts = [f"{attack.served(r)[0]}/{len(r)}" for r in (results, over_http)]
        rows.append((name.removeprefix("limits: "), came, files, *counts, peak, code))
if attack.LONG:
    attack.table("Responders without open files", ("limit", "strangers", "open files", "served", "over HTTP", "peak MB", "exit code"), rows)
attack.finish()
