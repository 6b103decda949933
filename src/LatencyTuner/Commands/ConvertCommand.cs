using System.CommandLine;
using LatencyTuner.Core;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>convert</c>: packets of a trace as pcapng.</summary>
internal static class ConvertCommand
{
    public static Command Create(CliHost host)
    {
        Argument<string> input = new("trace") { Description = "A trace (.etl, also in gzip or zip) with packets of pktmon or netsh trace." };
        Argument<string> output = new("pcapng") { Description = "The capture to write; an existing file is replaced." };
        Command command = new("convert", "Writes the packets of an .etl trace as pcapng, with process ids in comments.")
        {
            input, output, CommonOptions.NewStopWith(),
        };
        command.SetAction((parse, cancellation) => Cli.Start(() => Run(host, parse.GetValue(input)!, parse.GetValue(output)!, cancellation)));
        return command;
    }

    private static ExitCode Run(CliHost host, string input, string output, CancellationToken cancellation)
    {
        using EtlReader reader = EtlReader.Open(input, cancellation: cancellation);
        string half = output + ".part";
        try
        {
            (long packets, long repeated, long malformed, long dropped) counts;
            using (FileStream file = new(half, FileMode.Create, FileAccess.Write))
            {
                counts = TraceConversion.Run(reader, file, cancellation);
            }

            if (counts.packets == 0)
            {
                throw new ExpectedFailureException(
                    ExitCode.Input, $"{input}: the trace holds no packets. 'pktmon start --capture' and 'netsh trace start capture=yes' record packets.");
            }

            File.Move(half, output, overwrite: true);
            host.Out.WriteLine(
                $"{output}: {Counted.Of(counts.packets, "packet")} written; left out: {Counted.Of(counts.repeated, "copy")} of these packets, "
                    + $"{Counted.Of(counts.malformed, "unreadable packet")}.");
            if (counts.dropped > 0)
            {
                host.Out.WriteLine($"This machine dropped {Counted.Of(counts.dropped, "packet")}: the comments of these packets name component and reason.");
            }

            return ExitCode.Done;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"{output} cannot be written: {e.Message.TrimEnd('.')}.", e);
        }
        finally
        {
            if (File.Exists(half))
            {
                File.Delete(half);
            }
        }
    }
}
