using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.FarEnds;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>The options that start the responder on the other host.</summary>
internal sealed class ViaOptions
{
    private const string Name = "--via";

    private readonly Option<ViaCommand?> _via = new(Name)
    {
        Description = "Start the responder on the other host for this run, through this command: ssh, or 'docker exec -i web'.",
        HelpName = "command",
        CustomParser = result => Quantities.Parse(result, ViaCommand.Parse),
    };

    private readonly Option<string> _program = new("--via-program")
    {
        Description = "This program on the other host, where its name alone is not found.",
        HelpName = "path",
        DefaultValueFactory = _ => "latencytuner",
    };

    private readonly Option<string> _shell = Symbols.Words("--via-shell", "The shell that takes the command line there.", "sh", "sh", "cmd", "powershell");

    private readonly Option<int?> _port = Symbols.Optional(
        "--via-port", "TCP port of the responder there, for a firewall that opens one; HTTP has the next one.", "n",
        (t, o) => (int)Quantities.Count(t, o, 1, 65535));

    private readonly Option<bool> _copy = new("--via-copy")
    {
        Description = "Copy this program there first, into a private folder that is removed afterwards (with ssh).",
    };

    private readonly Option<string?> _copyFrom = new("--via-copy-from")
    {
        Description = "Copy this program or release folder instead: latencytuner.exe for a far end with Windows.",
        HelpName = "path",
    };

    /// <summary>The names of all of them: a next step needs them to reach the same target.</summary>
    public static IReadOnlyList<string> Names { get; } = [Name, "--via-program", "--via-shell", "--via-port", "--via-copy", "--via-copy-from"];

    public void AddTo(Command command)
    {
        Option[] more = [_program, _shell, _port, _copy, _copyFrom];
        command.Options.Add(_via);
        Array.ForEach(more, command.Options.Add);
        command.Validators.Add(result =>
        {
            bool given = result.GetResult(_via) is { Implicit: false };
            if (given && command.Arguments.Count > 0
                && result.Children.OfType<ArgumentResult>().SelectMany(a => a.Tokens).All(t => t.Value == TargetOptions.Loopback))
            {
                result.AddError($"{Name} starts the responder on another host: give that host as the target.");
            }

            if (!given && Array.Find(more, o => result.GetResult(o) is { Implicit: false }) is { } alone)
            {
                result.AddError($"{alone.Name} needs {Name} COMMAND, which starts the responder on the other host.");
            }
        });
    }

    /// <summary>True when --via is given.</summary>
    public bool IsGiven(ParseResult parse) => parse.GetValue(_via) is not null;

    /// <summary>The values; null without --via.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="host">The host of the target.</param>
    /// <param name="longest">How long the responder may be needed; null for as long as one may run.</param>
    /// <param name="http">True for a responder that serves HTTP as well.</param>
    public ViaValues? Values(ParseResult parse, string host, TimeSpan? longest, bool http)
    {
        if (parse.GetValue(_via) is not { } command)
        {
            return null;
        }

        string? from = parse.GetValue(_copyFrom);
        bool copy = parse.GetValue(_copy) || from is not null;
        if (copy && parse.GetResult(_program) is { Implicit: false })
        {
            throw new ExpectedFailureException(ExitCode.Usage, "--via-copy and --via-program exclude each other: give one of them.");
        }

        if (copy && !command.IsSsh)
        {
            throw new ExpectedFailureException(
                ExitCode.Usage,
                $"--via-copy needs ssh, not '{command.Text}': copy the program there with 'docker cp', 'kubectl cp' or the like, and name it with "
                + "--via-program.");
        }

        List<string> arguments = ["serve", "--once"];
        int? chosen = parse.GetValue(_port);
        if (chosen is { } port)
        {
            arguments.AddRange(["--port", port.ToString(CultureInfo.InvariantCulture)]);
        }

        if (http)
        {
            // The next port, so that a firewall rule for two neighbours does.
            int next = chosen is null ? 0 : chosen.Value == IPEndPoint.MaxPort ? chosen.Value - 1 : chosen.Value + 1;
            arguments.AddRange(["--http-port", next.ToString(CultureInfo.InvariantCulture)]);
        }

        TimeSpan life = longest is { } needed && needed + ServeOnce.Standard < ServeOnce.Longest ? needed + ServeOnce.Standard : ServeOnce.Longest;
        if (life > 2 * ServeOnce.Standard)
        {
            arguments.AddRange(["--for", string.Create(CultureInfo.InvariantCulture, $"{Math.Ceiling(life.TotalMinutes):0}m")]);
        }

        RemoteShell shell = Enum.Parse<RemoteShell>(parse.GetValue(_shell)!, ignoreCase: true);
        if (!copy)
        {
            // Says at once what cannot be quoted.
            _ = command.WordsFor(host, parse.GetValue(_program)!, arguments, shell);
        }

        return new ViaValues(command, host, parse.GetValue(_program)!, shell, arguments, copy, http)
        {
            CopyFrom = from,
            Quiet = parse.GetValue<bool>("--quiet"),
        };
    }
}

/// <summary>What --via was asked for.</summary>
/// <param name="Command">The command that runs a program on the other host.</param>
/// <param name="Host">The host of the target.</param>
/// <param name="Program">The program there.</param>
/// <param name="Shell">The shell there.</param>
/// <param name="Arguments">The arguments of the program.</param>
/// <param name="Copy">True to copy this program there first.</param>
/// <param name="Http">True when the port of HTTP is the one to measure.</param>
internal sealed record ViaValues(
    ViaCommand Command, string Host, string Program, RemoteShell Shell, IReadOnlyList<string> Arguments, bool Copy, bool Http)
{
    /// <summary>The program to copy, or the folder of a release; null for the running program.</summary>
    public string? CopyFrom { get; init; }

    /// <summary>True when nothing is to be said of how far the copying is.</summary>
    public bool Quiet { get; init; }
}
