using System.Globalization;

namespace LatencyTuner.Lab;

/// <summary>The command line of <c>lab run</c>.</summary>
public sealed record RunArguments
{
    /// <summary>The network.</summary>
    public required LabPreset Preset { get; init; }

    /// <summary>The program and its arguments; empty: only keep the network up.</summary>
    public IReadOnlyList<string> Command { get; init; } = [];

    /// <summary>The host the command runs on; null: outside both, with the namespaces' names in its environment.</summary>
    public LabHost? In { get; init; }

    /// <summary>After this many seconds the command is ended; null: never.</summary>
    public double? Seconds { get; init; }

    /// <summary>One program with arguments, started on the server first; null: none.</summary>
    public string? Serve { get; init; }

    /// <summary>The TCP port <see cref="Serve"/> listens on, 1 to 65535.</summary>
    public int ServePort { get; init; } = 7117;

    /// <summary>Seed of the link.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Base name of the namespaces; null: unique.</summary>
    public string? Name { get; init; }

    /// <summary>MTU, bytes.</summary>
    public int Mtu { get; init; } = 1500;

    /// <summary>Whether TCP timestamps are offered.</summary>
    public bool Timestamps { get; init; } = true;

    /// <summary>pcap file as seen at the client; null: none.</summary>
    public string? ClientPcap { get; init; }

    /// <summary>pcap file as seen at the server; null: none.</summary>
    public string? ServerPcap { get; init; }

    /// <summary>Whether the summary at the end is left out.</summary>
    public bool Quiet { get; init; }

    /// <summary>Reads what follows <c>run</c>.</summary>
    /// <param name="arguments">Preset, options, and after <c>--</c> the command.</param>
    /// <exception cref="FormatException">Not usable; the message is one sentence that quotes the argument.</exception>
    public static RunArguments Parse(IReadOnlyList<string> arguments)
    {
        if (arguments.Count == 0)
        {
            throw new FormatException("`run` needs a preset; `lab list` shows them.");
        }

        LabPreset preset = LabPreset.Find(arguments[0])
            ?? throw new FormatException($"There is no preset \"{arguments[0]}\"; valid: {string.Join(", ", LabPreset.All.Select(p => p.Name))}.");
        RunArguments run = new() { Preset = preset };
        for (int i = 1; i < arguments.Count; i++)
        {
            string option = arguments[i];
            if (option == "--")
            {
                run = run with { Command = [.. arguments.Skip(i + 1)] };
                break;
            }

            run = option switch
            {
                "--quiet" => run with { Quiet = true },
                "--no-timestamps" => run with { Timestamps = false },
                "--in" => run with { In = Host(Value(arguments, ref i)) },
                "--seconds" => run with { Seconds = Number(option, Value(arguments, ref i), 0.001, 86_400) },
                "--serve" => run with { Serve = Value(arguments, ref i) },
                "--serve-port" => run with { ServePort = Whole(option, Value(arguments, ref i), 1, 65_535) },
                "--seed" => run with { Seed = Whole(option, Value(arguments, ref i), 0, int.MaxValue) },
                "--name" => run with { Name = Value(arguments, ref i) },
                "--delay" => run.On(Number(option, Value(arguments, ref i), 0, 60_000), (link, ms) => link with { DelayMs = ms }),
                "--rate" => run.On(Number(option, Value(arguments, ref i), 1_000, 1e12), (link, bits) => link with { RateBitsPerSecond = (long)bits }),
                "--client-hold" => run.With(l => l with { ClientHold = Hold(option, Value(arguments, ref i)) }),
                "--server-hold" => run.With(l => l with { ServerHold = Hold(option, Value(arguments, ref i)) }),
                "--mtu" => run with { Mtu = Whole(option, Value(arguments, ref i), 1280, 9000) },
                "--pcap-client" => run with { ClientPcap = Value(arguments, ref i) },
                "--pcap-server" => run with { ServerPcap = Value(arguments, ref i) },
                _ => throw new FormatException($"\"{option}\" is not an option of `run`; the command comes after `--`."),
            };
        }

        if (run.Command.Count == 0 && run.Seconds is null)
        {
            throw new FormatException("`run` needs a command after `--`, or --seconds.");
        }

        return run;
    }

    private static string Value(IReadOnlyList<string> arguments, ref int i) =>
        i + 1 < arguments.Count && arguments[i + 1] != "--"
            ? arguments[++i]
            : throw new FormatException($"{arguments[i]} needs a value.");

    private RunArguments On(double value, Func<LinkSpec, double, LinkSpec> change) => With(
        l => l with { ClientToServer = change(l.ClientToServer, value), ServerToClient = change(l.ServerToClient, value) });

    private RunArguments With(Func<LinkEmulatorOptions, LinkEmulatorOptions> change) => this with { Preset = Preset with { Link = change(Preset.Link) } };

    /// <summary>A timer in milliseconds, and after a comma from how many segments on an ACK leaves at once.</summary>
    private static AckHoldSpec Hold(string option, string value)
    {
        string[] parts = value.Split(',');
        AckHoldSpec hold = new() { TimerMs = Number(option, parts[0], 0.001, 60_000) };
        return parts.Length == 1 ? hold : hold with { SegmentsPerAck = Whole(option, parts[1], 1, 1_000_000) };
    }

    private static LabHost Host(string text) => text switch
    {
        "client" => LabHost.Client,
        "server" => LabHost.Server,
        _ => throw new FormatException($"--in takes client or server, not \"{text}\"."),
    };

    private static int Whole(string option, string text, int least, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int n) && n >= least && n <= most
            ? n
            : throw new FormatException($"{option} takes {least} to {most}, not \"{text}\".");

    private static double Number(string option, string text, double least, double most) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double n) && n >= least && n <= most
            ? n
            : throw new FormatException($"{option} takes {least} to {most}, not \"{text}\".");
}
