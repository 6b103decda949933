"""Strangers without a token occupy the HTTP port of 'serve --http-port': greeted HTTP/1.1 connections that are kept, connections that say nothing,
HTTP/2 connections that stay silent, request headers that come a byte a second. Twenty others a second come for those turned away: more than that from one
network would be a flood, in which no server can tell who is honest before it has seen a proof.

While they do, honest clients of the HTTP port and of the main port are served, the responder stays alive and small, forgets the strangers when they leave,
and ends with 0 when interrupted.
"""
import attack

MOST_MB = 350
TIMES = 10 if attack.LONG else 2
GREETING = b"GET /latencytuner/hello HTTP/1.1\r\nHost: a\r\n\r\n"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
HEADERS = b"GET /latencytuner/hello HTTP/1.1\r\n" + b"x: y\r\n" * 100
ATTACKS = {
    "64 greeted": dict(count=64, say=GREETING),
    "400 greeted": dict(count=400, say=GREETING),
    "400 that say nothing": dict(count=400),
    "200 HTTP/2 prefaces": dict(count=200, say=PREFACE),
    "200 slow headers": dict(count=200, drip=HEADERS),
}
MORE = {
    "200 greeted": dict(count=200, say=GREETING),
    "200 HTTP/2 connections": dict(count=200, say=PREFACE + SETTINGS),
    "200 halves of a preface": dict(count=200, say=PREFACE[:10]),
    "200 headers that never end": dict(count=200, say=b"GET / HTTP/1.1\r\nHost: a\r\n", drip=b"x: y\r\n"),
    "200 requests without a token": dict(count=200, say=GREETING.replace(b"hello", b"stream") * 20),
    "200 resets": dict(count=200, reset=True),
}

rows = []
for name, strangers in {**ATTACKS, **(MORE if attack.LONG else {})}.items():
    with attack.serving(http=True) as server:
        attack.ask_http(server, 1)
        files = attack.open_files(server.process)
        with attack.crowd(server.http_port, again=2, wait_for=3, **strangers) as counts:
            results = attack.ask_http(server, TIMES)
            main = attack.ask(server, 1)
        count, text = attack.served(results)
        figures = f"{text}; {counts['connected']} strangers came, {counts['turned away']} were turned away"
        attack.verdict(f"squatters: {name}", count == len(results), figures)
        peak = attack.peak_mb(server.process)
        forgotten = attack.forgets(server.process, files)
        code, line = attack.stop(server)
        good = main[0].code == 0 and 0 < peak < MOST_MB and forgotten and code == 0
        attack.verdict(
            f"squatters: {name}, the responder", good,
            f"main port {attack.served(main)[1]}, peak {peak} MB, strangers {'forgotten' if forgotten else 'kept'}, exit code {code}, {line}")
        seconds = [r.seconds for r in results]
        rows.append((name, counts["connected"], f"{count}/{len(results)}", *(f"{attack.percentile(seconds, s):.2f}" for s in (0.5, 0.9, 1)), peak))
if attack.LONG:
    attack.table("Honest clients of the HTTP port beside squatters, seconds", ("attack", "strangers", "served", "p50", "p90", "max", "peak MB"), rows)
attack.finish()
