using System.Globalization;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Recordings.Traces;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>Real traces against what Windows' own reader made of them.</summary>
public sealed class Baselines
{
    public static TheoryData<string> Names => new("perfview/gcevents", "perfview/primitive-types", "perfview/net.4.5.2.x64");

    /// <summary>Lines that PerfView counts otherwise, with the number of events in the trace and the reason.</summary>
    private static readonly Dictionary<string, (int InTrace, string Reason)> CountedOtherwise = new()
    {
        ["Windows Kernel/PerfInfo/Sample"] = (79_528, "PerfView drops the samples of idle processors: 6,215 busy ones and 105 within interrupts stay"),
    };

    /// <summary>Names of events that neither TraceEvent nor the trace explains by table: event id 0 of a self-describing source.</summary>
    private static readonly Dictionary<string, (Guid Provider, int Number)> SelfDescribing = new()
    {
        ["solar_system/PrimitiveTypesTest"] = (new("d3dd3dd4-aac2-4e2a-8dd4-a8fb61b77615"), 0),
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryEventLine_IsInTheTraceWithTimeProcessorAndLength(string name)
    {
        BaselineFile baseline = BaselineFile.Read(name + ".baseline.txt");
        using EtlReader reader = EtlSamples.Open(name + ".etl.zip");
        EventNames names = new(reader);
        Dictionary<(long, int, int, Guid, bool, int), int> left = new();
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            (long, int Processor, int Length, Guid Provider, bool, int EventNumber) key =
                ((header.TimeNs + 500) / 1000, header.Processor, payload.Length, header.Provider, header.Kind != EtwEventKind.Manifest, header.EventNumber);
            left[key] = left.GetValueOrDefault(key) + 1;
        });

        List<string> missing = [];
        foreach (BaselineEvent e in baseline.Events)
        {
            (long TimeUs, int Processor, int Length, Guid Provider, bool Classic, int Number) found = Keys(names, e.Name)
                .Select(k => (e.TimeUs, e.Processor, e.Length, k.Provider, k.Classic, k.Number)).FirstOrDefault(k => left.GetValueOrDefault(k) > 0);
            if (found == default)
            {
                missing.Add(e.Line);
            }
            else
            {
                left[found]--;
            }
        }

        Assert.NotEmpty(baseline.Events);
        Assert.Empty(missing);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryCountLine_IsTheNumberInTheTrace(string name)
    {
        BaselineFile baseline = BaselineFile.Read(name + ".baseline.txt");
        using EtlReader reader = EtlSamples.Open(name + ".etl.zip");
        EventNames names = new(reader);
        Dictionary<(Guid Provider, bool Classic, int Number), int> counts = EtlSamples.Count(reader);

        List<string> different = [];
        foreach ((string? line, int expected) in baseline.Counts)
        {
            int inTrace = Keys(names, line).Sum(k => counts.GetValueOrDefault(k));
            if (inTrace != (CountedOtherwise.TryGetValue(line, out (int InTrace, string Reason) known) ? known.InTrace : expected))
            {
                different.Add($"{line}: {expected} in the reference, {inTrace} in the trace");
            }
        }

        Assert.NotEmpty(baseline.Counts);
        Assert.Empty(different);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Read_IsInOrderOfTime(string name)
    {
        using EtlReader reader = EtlSamples.Open(name + ".etl.zip");
        long last = long.MinValue;
        int backwards = 0;
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            backwards += header.Timestamp < last ? 1 : 0;
            last = header.Timestamp;
        });

        Assert.Equal(0, backwards);
        Assert.Empty(reader.Counts.Damages);
        Assert.Equal(reader.LogHeader!.BuffersWritten, reader.Counts.Buffers);
    }

    [Fact]
    public void EveryTcpLine_HasTheSameFields()
    {
        BaselineFile baseline = BaselineFile.Read("perfview/net.4.5.2.x64.baseline.txt");
        using EtlReader reader = EtlSamples.Open("perfview/net.4.5.2.x64.etl.zip");
        List<string> decoded = [];
        TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) => decoded.Add(Line(e)));

        List<BaselineEvent> expected = baseline.Events.Where(e => e.Name.StartsWith("Windows Kernel/TcpIp/", StringComparison.Ordinal)).ToList();
        Assert.NotEmpty(expected);
        Assert.Equal(490, counts.Decoded);
        Assert.Equal(0, counts.Undecoded);
        Assert.All(expected, e => Assert.Contains(Line(e), decoded));
    }

    /// <summary>
    /// The reference reads UdpIp/Recv by an older layout: its context is the process id and the size together, and it has no process id of its own.
    /// It prints no IPv6 address of UDP.
    /// </summary>
    [Fact]
    public void EveryUdpLine_HasTheSameFields()
    {
        BaselineFile baseline = BaselineFile.Read("perfview/net.4.5.2.x64.baseline.txt");
        using EtlReader reader = EtlSamples.Open("perfview/net.4.5.2.x64.etl.zip");
        EtwLayouts layouts = reader.ReadLayouts();
        Guid udp = new("bf3a50c5-a9c9-4988-a005-2df0b7c80f80");
        Dictionary<(string, long, int), Dictionary<string, string>> ours = [];
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            if (header.Provider != udp || !layouts.TryGetPayload(in header, payload, out EtwPayload fields))
            {
                return;
            }

            Dictionary<string, string> values = [];
            foreach (EtwField field in fields.Layout.Fields)
            {
                if (field.Type is EtwFieldType.IPv4 or EtwFieldType.IPv6 && fields.TryGetBytes(field.Name, out ReadOnlySpan<byte> address))
                {
                    values[field.Name] = new System.Net.IPAddress(address).ToString();
                }
                else if (fields.TryGetNumber(field.Name, out ulong number))
                {
                    values[field.Name] = number.ToString(CultureInfo.InvariantCulture);
                }
            }

            ours.Add(
                ($"Windows Kernel/{fields.Layout.Name.Replace("UdpIp", "UdpIp/", StringComparison.Ordinal)}", (header.TimeNs + 500) / 1000,
                    header.Processor), values);
        });

        List<BaselineEvent> lines = baseline.Events.Where(e => e.Name.StartsWith("Windows Kernel/UdpIp/", StringComparison.Ordinal)).ToList();
        Assert.Equal((16, 36), (lines.Count, ours.Count));
        Assert.All(lines, line =>
        {
            Dictionary<string, string> values = ours[(line.Name, line.TimeUs, line.Processor)];
            Assert.Equal(line.Fields["PID"], values["PID"]);
            foreach ((string? name, string? text) in line.Fields.Where(f => values.ContainsKey(f.Key)))
            {
                Assert.Equal(
                    text.Replace(",", "", StringComparison.Ordinal),
                    name == "connid" ? $"0x{ulong.Parse(values[name], CultureInfo.InvariantCulture):x8}" : values[name]);
            }

            if (line.Fields.TryGetValue("context", out string? context))
            {
                Assert.Equal(
                    context,
                    $"0x{(ulong.Parse(values["size"], CultureInfo.InvariantCulture) << 32) | uint.Parse(values["PID"], CultureInfo.InvariantCulture):x}");
            }

            Assert.Contains("size", line.Fields.Keys);
            Assert.Contains("sport", line.Fields.Keys);
        });
    }

    /// <summary>
    /// Lines of processes, threads, images and services carry ids that the reference takes from the payload or its own tables, not from the header.
    /// </summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void EveryLineOfAProvider_HasTheSameProcessAndThread(string name)
    {
        BaselineFile baseline = BaselineFile.Read(name + ".baseline.txt");
        using EtlReader reader = EtlSamples.Open(name + ".etl.zip");
        EventNames names = new(reader);
        HashSet<(long, int, int, Guid, int, int, int)> ours = [];
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) =>
        {
            if (header.Kind == EtwEventKind.Manifest)
            {
                ours.Add(
                    ((header.TimeNs + 500) / 1000, header.Processor, payload.Length, header.Provider, header.EventNumber, header.ProcessId, header.ThreadId));
            }
        });

        List<BaselineEvent> lines = baseline.Events.Where(e => Keys(names, e.Name).Any(k => !k.Classic)).ToList();
        Assert.NotEmpty(lines);
        Assert.Empty(
            lines.Where(
                e => !Keys(names, e.Name).Any(k => ours.Contains((e.TimeUs, e.Processor, e.Length, k.Provider, k.Number, e.Number("PID"), e.Number("TID")))))
                .Select(e => e.Line));
    }

    [Fact]
    public void EveryProcessLine_NamesTheProcess()
    {
        BaselineFile baseline = BaselineFile.Read("perfview/net.4.5.2.x64.baseline.txt");
        using EtlReader reader = EtlSamples.Open("perfview/net.4.5.2.x64.etl.zip");
        ProcessNames processes = new();
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) => processes.Take(in header, payload));

        List<BaselineEvent> lines = baseline.Events
            .Where(e => e.Name.StartsWith("Windows Kernel/Process/", StringComparison.Ordinal) && e.Fields.ContainsKey("ImageFileName")).ToList();
        Assert.True(lines.Count >= 10, $"{lines.Count} lines");
        Assert.All(lines, e => Assert.Equal(e.Fields["ImageFileName"], processes.Find((uint)e.Number("ProcessID"))));
    }

    [Fact]
    public void LogHeader_SaysWhatTheFirstLineSays()
    {
        BaselineEvent line = BaselineFile.Read("perfview/net.4.5.2.x64.baseline.txt").Events[0];
        using EtlReader reader = EtlSamples.Open("perfview/net.4.5.2.x64.etl.zip");
        EtlLogHeader header = reader.LogHeader!;

        Assert.Equal(
            [
                line.Number("BufferSize"), line.Number("ProviderVersion"), line.Number("NumberOfProcessors"), line.Number("LogFileMode"),
                line.Number("BuffersWritten"), line.Number("PointerSize"), line.Number("EventsLost"), line.Number("CPUSpeed"), line.Number("PerfFreq"),
                line.Number("ReservedFlags"), line.Number("BuffersLost"), line.Number("UtcOffsetMinutes")],
            [
                header.BufferBytes, header.Build, header.Processors, (int)header.Mode, header.BuffersWritten, header.PointerSize, (int)header.EventsLost,
                header.ProcessorMhz, (int)header.ClockFrequency, (int)header.ClockType, (int)header.BuffersLost, header.UtcBiasMinutes]);
        Assert.StartsWith(
            line.Fields["StartTime"].TrimEnd('.'), reader.Clock.StartUtc!.Value.UtcDateTime.ToString("yy/MM/dd HH:mm:ss.ff", CultureInfo.InvariantCulture),
            StringComparison.Ordinal);
        Assert.Equal(line.Fields["SessionName"], header.LoggerName);
    }

    /// <summary>The reference cuts long values; the ports and times make its lines unambiguous.</summary>
    private static string Line(BaselineEvent e) =>
        $"{(e.Name.EndsWith("SendIPV6", StringComparison.Ordinal) ? "KernelSend" : "KernelReceive")} {e.TimeUs} {e.Processor} {e.Number("PID")} "
        + $"{e.Number("size")} {Cut(e.Fields["saddr"])} {e.Number("sport")} {Cut(e.Fields["daddr"])} {e.Number("dport")}";

    private static string Line(TcpEvent e) =>
        $"{e.Kind} {(e.TimeNs + 500) / 1000} {e.Processor} {e.ProcessId} {e.Bytes} {Cut(e.Local.Address.ToString())} {e.Local.Port} "
        + $"{Cut(e.Remote.Address.ToString())} {e.Remote.Port}";

    private static string Cut(string address) => address[..Math.Min(20, address.Length)];

    private static IEnumerable<(Guid Provider, bool Classic, int Number)> Keys(EventNames names, string name) =>
        SelfDescribing.TryGetValue(name, out (Guid Provider, int Number) own) ? [(own.Provider, false, own.Number)] : names.Of(name);
}
