namespace LatencyTuner.Commands;

/// <summary>The examples of every command. The options that they use are the ones that its help explains first.</summary>
internal static class HelpExamples
{
    private static readonly Dictionary<string, string[]> Examples = new()
    {
        ["check"] =
        [
            "latencytuner check",
            "latencytuner check db1 --via ssh",
            "latencytuner check db1 --token-file token.txt --max-p99 20ms",
            "latencytuner check db1 web2:7200 --pattern split --format junit --output check.xml",
        ],
        ["serve"] =
        [
            "latencytuner serve",
            "latencytuner serve --bind 0.0.0.0 --token-file token.txt --for 30m",
            "latencytuner serve --bind 0.0.0.0 --token-file token.txt --http-port 7118",
            "latencytuner serve --once",
        ],
        ["measure"] =
        [
            "latencytuner measure loopback --duration 2s",
            "latencytuner measure db1 --rate 1000/s --arrivals poisson --series series.csv",
            "latencytuner measure db1 --pattern split --no-delay --runs 5 --format json --output after.json",
            "latencytuner measure db1 --hedge db2 --hedge-after p95 --duration 1m",
            "latencytuner measure db1 --token-file token.txt --under-load both",
            "latencytuner measure web --via 'docker exec -i web' --count 1000",
            "latencytuner measure icmp://web2 tcp://web2:443 https://web2/health --http both --duration 1m",
        ],
        ["diagnose"] =
        [
            "latencytuner diagnose loopback",
            "latencytuner diagnose db1 --token-file token.txt",
            "latencytuner diagnose db1 --via 'ssh -J bastion admin@db1'",
        ],
        ["sweep"] =
        [
            "latencytuner sweep rate loopback",
            "latencytuner sweep receive-buffer db1 --token-file token.txt",
            "latencytuner sweep window db1 --by connections --state window.state",
        ],
        ["sweep size"] = ["latencytuner sweep size db1 --sizes 64,1KiB,16KiB,256KiB"],
        ["sweep connections"] = ["latencytuner sweep connections db1 --connections 1,2,4,8,16 --size 4KiB"],
        ["sweep receive-buffer"] =
        [
            "latencytuner sweep receive-buffer db1 --token-file token.txt",
            "latencytuner sweep receive-buffer db1 --load one-way --sizes auto,64KiB,128KiB,1MiB",
        ],
        ["sweep send-buffer"] = ["latencytuner sweep send-buffer db1 --load one-way --connections 1"],
        ["sweep window"] =
        [
            "latencytuner sweep window db1 --by connections",
            "latencytuner sweep window db1 --sizes dynamic,64KiB --connections 1,8 --state window.state",
            "latencytuner sweep window db1 --by connections --protocol http2 --messages 5000",
        ],
        ["sweep batch"] =
        [
            "latencytuner sweep batch db1 --size 256 --messages 64 --per-write 1,8,64",
            "latencytuner sweep batch db1 --protocol http2 --size 64 --per-write 1,16,256 --fetch ahead",
        ],
        ["sweep rate"] =
        [
            "latencytuner sweep rate loopback --pattern split --no-delay false",
            "latencytuner sweep rate db1 --from 100/s --to 20000/s --steps 8 --rounds 5",
        ],
        ["sockets"] =
        [
            "latencytuner sockets",
            "latencytuner sockets --process nginx --watch 2s --for 1m",
            "latencytuner sockets --port 1433 --with-capture slow.pcap",
        ],
        ["analyze"] =
        [
            "latencytuner analyze server.pcap",
            "latencytuner analyze server.pcap --filter host=10.0.0.5 --filter port=1433 --slower-than 100ms",
            "latencytuner analyze trace.etl",
            "latencytuner analyze client.pcap server.pcap --format json --output both.json",
        ],
        ["convert"] =
        [
            "latencytuner convert PktMon.etl packets.pcapng",
        ],
        ["trace"] =
        [
            "latencytuner trace",
            "latencytuner trace --pid 4321 --duration 2m --output trace.etl",
            "latencytuner trace --profile Latency --duration 1h --format json --report trace.json",
        ],
        ["compare"] = ["latencytuner compare before.json after.json --limit 100us"],
        ["report"] =
        [
            "latencytuner report db1.csv web2.csv --slower-than 50ms",
            "latencytuner report db1.series --bin 1m",
            "latencytuner report u_ex261121.log --exclude 2026-11-21T02:00Z..2026-11-21T02:30Z",
            "latencytuner report check.json before.json after.json --format html --output hosts.html",
        ],
        ["monitor"] =
        [
            "latencytuner monitor db1 web2:7200 --token-file token.txt --rate 10/s",
            "latencytuner monitor tcp://sql01:1433 https://web2/health icmp://web2 --rate 1/s",
            "latencytuner monitor db1 --duration 7d --max-p99 20ms --store db1.series",
        ],
        ["settings"] = ["latencytuner settings list --snapshot server2022.json"],
        ["settings list"] =
        [
            "latencytuner settings list --profile low-latency --fail-on warning",
            "latencytuner settings list --snapshot sql01.reg --format csv",
        ],
        ["settings show"] = ["latencytuner settings show tcp.ackfrequency --snapshot server2022.json --interface Team1"],
        ["settings explain"] = ["latencytuner settings explain tcp.nodelay.interface --snapshot server2022.json"],
        ["snapshot"] = ["latencytuner snapshot --format json --output before.json"],
        ["recommend"] =
        [
            "latencytuner recommend --from diagnosis.json --snapshot server2022.json",
            "latencytuner recommend --from check.json measure.json --ignore LT141 --language java",
        ],
        ["apply"] =
        [
            "latencytuner apply --setting tcp.ackfrequency=1 --interface Ethernet",
            "latencytuner apply --setting tcp.ackfrequency=1 --interface Ethernet --save-plan plan.json",
            "latencytuner apply --plan plan.json --yes",
        ],
        ["verify"] =
        [
            "latencytuner verify",
            "latencytuner verify --batch 20261121-101500-3fa2 --against before.json after.json",
        ],
        ["rollback"] =
        [
            "latencytuner rollback --batch 20261121-101500-3fa2",
            "latencytuner rollback --all --yes",
        ],
        ["history"] = ["latencytuner history --format csv"],
        ["token"] = ["latencytuner token new token.txt"],
        ["token new"] = ["latencytuner token new token.txt"],
        ["setup"] = ["latencytuner setup", "latencytuner setup --remove", "latencytuner setup --remove --with-journal"],
        ["dsc"] =
        [
            "latencytuner dsc schema",
            "latencytuner dsc test --input desired.json",
        ],
        ["dsc get"] = ["latencytuner dsc get", "latencytuner dsc get --input desired.json"],
        ["dsc test"] = ["latencytuner dsc test --input desired.json --snapshot sql01.json"],
        ["dsc set"] = ["latencytuner dsc set --input desired.json --what-if"],
        ["dsc delete"] = ["latencytuner dsc delete --input desired.json --what-if"],
        ["dsc export"] = ["latencytuner dsc export"],
        ["dsc schema"] = ["latencytuner dsc schema"],
        ["selftest"] =
        [
            "latencytuner selftest", "latencytuner selftest --format json --output selftest.json", "latencytuner selftest --read evidence.zip",
        ],
        ["profiles"] = ["latencytuner profiles --rate 5000/s", "latencytuner profiles Detail", "latencytuner profiles Latency --wprp --output Latency.wprp"],
        ["schema"] = ["latencytuner schema", "latencytuner schema measurement"],
        ["exit-codes"] = ["latencytuner exit-codes"],
        ["help"] = ["latencytuner help measure", "latencytuner help measure --all", "latencytuner help targets"],
        ["completion"] =
        [
            "latencytuner completion powershell | Out-String | Invoke-Expression",
            "eval \"$(latencytuner completion bash)\"",
        ],
        ["latencytuner"] =
        [
            "latencytuner check                                        # this machine",
            "latencytuner serve --bind 0.0.0.0 --token-file token.txt  # on the other host",
            "latencytuner check HOST --token-file token.txt            # the path to it",
        ],
    };

    /// <summary>The examples of a command, named by its path without the program: <c>sweep rate</c>; the program's own are under its name.</summary>
    public static IReadOnlyList<string> Of(string path) => Examples.GetValueOrDefault(path, []);
}
