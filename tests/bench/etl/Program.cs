using System.Diagnostics;
using System.Globalization;
using LatencyTuner.Core.Analysis.Recordings;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings;
using LatencyTuner.EtlBench;
using Microsoft.Win32.SafeHandles;

// latencytuner-etlbench make FILE MEGABYTES [compressed] | plain FILE | walk FILE [THREADS] | tcp FILE [THREADS] | analyse FILE
switch (args)
{
    case ["make", var path, var megabytes, .. var rest]:
        TraceMaker.Write(path, long.Parse(megabytes, CultureInfo.InvariantCulture) << 20, rest is ["compressed"]);
        return 0;
    case ["plain", var path]:
        return Report("page cache, read and sum", path, () => (Sum(path), new FileInfo(path).Length, 0));
    case ["walk", var path, .. var rest]:
        return Report($"walk, {Threads(rest)} thread(s)", path, () => Walk(path, Threads(rest)));
    case ["tcp", var path, .. var rest]:
        return Report($"decode TCP, {Threads(rest)} thread(s)", path, () => Decode(path, Threads(rest)));
    case ["analyse", var path]:
        return Report("decode and analyse TCP", path, () => Analyse(path));
    default:
        Console.Error.WriteLine("make FILE MEGABYTES [compressed] | plain FILE | walk FILE [THREADS] | tcp FILE [THREADS] | analyse FILE");
        return 2;
}

static int Threads(string[] rest) => rest is [var n] ? int.Parse(n, CultureInfo.InvariantCulture) : 1;

static long Sum(string path)
{
    using SafeFileHandle handle = File.OpenHandle(path);
    byte[] buffer = new byte[1 << 20];
    long sum = 0;
    for (long at = 0; ;)
    {
        int read = RandomAccess.Read(handle, buffer, at);
        if (read == 0)
        {
            return sum;
        }

        at += read;
        foreach (long word in System.Runtime.InteropServices.MemoryMarshal.Cast<byte, long>(buffer.AsSpan(0, read)))
        {
            sum += word;
        }
    }
}

static (long Check, long Bytes, long Events) Walk(string path, int threads)
{
    using EtlReader reader = EtlReader.Open(path, new EtlReaderOptions { Threads = threads });
    long check = 0;
    reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) => check += header.TimeNs ^ payload.Length);
    Complain(reader);
    return (check, reader.Counts.DecodedBytes, reader.Counts.Events);
}

static (long Check, long Bytes, long Events) Decode(string path, int threads)
{
    using EtlReader reader = EtlReader.Open(path, new EtlReaderOptions { Threads = threads });
    long check = 0;
    TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) => check += (long)e.Bytes ^ e.Sequence);
    Complain(reader);
    return (check, reader.Counts.DecodedBytes, counts.Decoded);
}

// All that the command does up to its findings; the checksum of the file is taken beside it, by another thread.
static (long Check, long Bytes, long Events) Analyse(string path)
{
    RecordingInput input = new(path, () => new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0));
    RecordingResult result = RecordingAnalysis.Run([input], RecordingFilter.All, SeverityLimits.Standard, null, CancellationToken.None);
    return (result.Findings.Sum(f => f.Count), new FileInfo(path).Length, result.Files[0].Events);
}

static void Complain(EtlReader reader)
{
    if (reader.Counts.Damages.Count > 0)
    {
        throw new InvalidOperationException($"The trace is damaged: {string.Join("; ", reader.Counts.Located)}");
    }
}

static int Report(string what, string path, Func<(long Check, long Bytes, long Events)> run)
{
    TimeSpan best = TimeSpan.MaxValue;
    TimeSpan least = TimeSpan.MaxValue;
    (long Check, long Bytes, long Events) result = default;
    for (int i = 0; i < 3; i++)
    {
        TimeSpan before = Process.GetCurrentProcess().UserProcessorTime;
        Stopwatch watch = Stopwatch.StartNew();
        result = run();
        best = watch.Elapsed < best ? watch.Elapsed : best;
        TimeSpan used = Process.GetCurrentProcess().UserProcessorTime - before;
        least = used < least ? used : least;
    }

    double megabytes = new FileInfo(path).Length / 1e6;
    Console.WriteLine(
        $"{what,-28} {megabytes / best.TotalSeconds,8:0} file MB/s {result.Bytes / 1e6 / best.TotalSeconds,8:0} decoded MB/s "
        + $"{result.Events / 1e6 / best.TotalSeconds,7:0.00} M events/s {least.TotalSeconds,6:0.00} s user "
        + $"{Process.GetCurrentProcess().PeakWorkingSet64 / 1e6,6:0} MB peak  (check {result.Check & 0xFFFF:x4})");
    return 0;
}
