using System.Security.Cryptography;
using System.Text.Json;
using LatencyTuner.Core.Measurement.Monitoring;

namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>
/// The state file of a sweep: one line per finished round, each with its checksum, flushed to the disk before the next begins, so that an
/// interrupted sweep continues where it stopped. The first line says which sweep it is.
/// </summary>
public sealed class SweepLog : IDisposable
{
    private const string Magic = "LTSWEEP1";
    private const int MostBytes = 1 << 30;
    private readonly FileStream _file;
    private readonly List<(int Cell, int Round, SweepRound Measured)> _kept;

    private SweepLog(FileStream file, List<(int Cell, int Round, SweepRound Measured)> kept)
    {
        _file = file;
        _kept = kept;
    }

    /// <summary>Rounds kept from an interrupted run.</summary>
    public int Count => _kept.Count;

    internal IEnumerable<(int Cell, int Round, SweepRound Measured)> Kept => _kept;

    /// <summary>Opens a state file: creates it, or reads the rounds of an interrupted run of the same sweep.</summary>
    /// <param name="path">The file.</param>
    /// <param name="target">The responder; the same sweep of another target is another sweep.</param>
    /// <param name="plan">The sweep.</param>
    /// <exception cref="ExpectedFailureException">It cannot be written, is not a state file, is in use, or belongs to another sweep.</exception>
    public static SweepLog Open(string path, MeasurementTarget target, SweepPlan plan)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(plan);
        FileStream? file = null;
        try
        {
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            return Read(file, path, $"{Magic} {Identity(target, plan)}", plan);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            file?.Dispose();
            throw new ExpectedFailureException(ExitCode.Usage, $"--state '{path}' cannot be used: {e.Message.TrimEnd('.')}.", e);
        }
        catch
        {
            file?.Dispose();
            throw;
        }
    }

    /// <summary>Closes the file.</summary>
    public void Dispose() => _file.Dispose();

    /// <summary>Keeps a round.</summary>
    /// <exception cref="IOException">The disk is full or gone; earlier rounds stay readable.</exception>
    internal void Append(int cell, int round, SweepRound measured)
    {
        _file.Write(MonitorRecord.Sealed(SweepRecord.Write(cell, round, measured)));
        _file.Flush(flushToDisk: true);
    }

    private static SweepLog Read(FileStream file, string path, string header, SweepPlan plan)
    {
        if (file.Length > MostBytes)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"--state '{path}' has {file.Length} bytes; a state file has at most {MostBytes} bytes.");
        }

        byte[] bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        List<(int Cell, int Round, SweepRound Measured)> kept = [];
        HashSet<(int, int)> seen = [];
        int good = 0;
        int lines = 0;
        while (good < bytes.Length && bytes.AsSpan(good).IndexOf((byte)'\n') is >= 0 and var length)
        {
            bool whole = MonitorRecord.TryOpen(bytes.AsSpan(good, length), out string text);
            if (lines == 0 && (!whole || text != header))
            {
                throw new ExpectedFailureException(ExitCode.Usage, whole && text.StartsWith(Magic, StringComparison.Ordinal)
                    ? $"--state '{path}' belongs to another sweep; give the same target and options to continue it, or another file."
                    : $"--state '{path}' is not a state file of a sweep; give another file.");
            }

            if (lines > 0 && whole && SweepRecord.Read(text) is var (cell, round, measured) && cell >= 0 && cell < plan.Cells.Count && round >= 0
                && round < plan.Rounds && seen.Add((cell, round)))
            {
                kept.Add((cell, round, measured));
            }

            good += length + 1;
            lines++;
        }

        if (lines == 0 && bytes.Length > 0 && !MonitorRecord.Sealed(header).AsSpan().StartsWith(bytes))
        {
            throw new ExpectedFailureException(ExitCode.Usage, $"--state '{path}' is not a state file of a sweep; give another file.");
        }

        // A round whose line is incomplete after a crash is measured again.
        file.SetLength(good);
        file.Position = good;
        if (lines == 0)
        {
            file.Write(MonitorRecord.Sealed(header));
            file.Flush(flushToDisk: true);
        }

        return new SweepLog(file, kept);
    }

    /// <summary>The identity of a sweep: target, points with all their options, rounds, seed.</summary>
    private static string Identity(MeasurementTarget target, SweepPlan plan)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        // The port of loopback, and of a responder that is started for each run, is a new one each time.
        string name = target.IsLoopback ? "loopback" : target.Via is not null ? $"{target.Name} {target.Endpoint.Address}" : $"{target.Name} {target.Endpoint}";
        hash.AppendData(System.Text.Encoding.UTF8.GetBytes($"{name} {plan.Rounds} {plan.Seed} "));
        hash.AppendData(JsonSerializer.SerializeToUtf8Bytes(plan.Cells, SweepJsonContext.Default.IReadOnlyListSweepCell));
        return Convert.ToHexString(hash.GetHashAndReset());
    }
}
