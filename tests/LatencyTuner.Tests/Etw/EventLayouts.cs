using System.Diagnostics;
using System.Reflection;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Tests.Settings;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Xunit;

namespace LatencyTuner.Tests.Etw;

public sealed class EventLayouts
{
    [Fact]
    public void Table_IsWhatItsGeneratorMakes()
    {
        string facts = Path.Combine(CatalogueEntries.Shared(), "knowledge");
        Assert.SkipUnless(Directory.Exists(facts), "The shared facts are not there.");
        string script = Path.Combine(Repository.Root, "src", "LatencyTuner.Core", "Etw", "Tables", "generate.py");
        Process? python;
        try
        {
            python = Process.Start(new ProcessStartInfo("python3", [script, "--check", facts]));
        }
        catch (System.ComponentModel.Win32Exception)
        {
            python = null;
        }

        Assert.SkipWhen(python is null, "python3 is not installed.");
        python!.WaitForExit();
        Assert.Equal(0, python.ExitCode);
    }

    [Fact]
    public void Table_EveryMeaningIsMadeBySomeEvent()
    {
        HashSet<TcpEventKind> made = EtwLayoutTable.All.Select(l => l.Meaning).ToHashSet();

        Assert.Empty(Enum.GetValues<TcpEventKind>().Except(made));
        Assert.DoesNotContain(EtwLayoutTable.All.GroupBy(l => (l.Provider, l.IsClassic, l.Number, l.Version)), g => g.Count() > 1);
        Assert.All(EtwLayoutTable.All.Where(l => l.Fields.Count > 0), l => Assert.InRange(l.Required, 1, l.Fields.Count));
        Assert.All(EtwLayoutTable.All.Where(l => l.Fields.Count == 0), l => Assert.Equal((0, TcpEventKind.None), (l.Required, l.Meaning)));
    }

    /// <summary>The numbers that docs/traces.md states.</summary>
    [Fact]
    public void Table_HasEveryIdOfTheNewestManifest()
    {
        ILookup<int, EtwEventLayout> ids = EtwLayoutTable.All.Where(l => l.Provider == TcpEventDecoder.TcpipProvider).ToLookup(l => l.Number);

        Assert.Equal((613, 1001, 1642), (ids.Count, ids.Min(i => i.Key), ids.Max(i => i.Key)));
        Assert.Equal(18, ids.Count(i => i.All(l => l.Fields.Count == 0)));
        Assert.Equal([96, 21, 3], new[] { TcpEventDecoder.AfdProvider, TcpEventDecoder.KernelNetworkProvider, new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716") }
            .Select(p => EtwLayoutTable.All.Where(l => l.Provider == p).Select(l => l.Number).Distinct().Count()));
    }

    [Fact]
    public void EventsWithoutLayout_AreCountedByName()
    {
        EtlWriter writer = new();
        writer.Add(
            new TcpipEvents(writer.Origin).Add(1, 1303, 0, new TcpipEvents().P(7)).Add(2, 1303, 0, new TcpipEvents().P(7))
                .Add(3, 2999, 0, new TcpipEvents().P(7)).DataSent(4, 7, 1, 1)
            .Add(5, 1449, 0, new TcpipEvents().P(7)).Records);
        using EtlReader reader = EtlReader.Open(writer.ToArray(), "made.etl");
        TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) => { });

        Assert.Equal((1, 0, 4, 3), (counts.Decoded, counts.Undecoded, counts.Unused, counts.Unknown));
        Assert.Equal(
            ["TcpipWakePacketIndicated [event 1303] 2", "Microsoft-Windows-TCPIP [event 2999] 1"], counts.UnknownByName.Select(u => $"{u.Key} {u.Value}"));
    }

    /// <summary>Providers of which no public trace exists are not called verified.</summary>
    [Fact]
    public void Table_WhatRestsOnManifestsAlone_IsMarked()
    {
        Assert.All(
            EtwLayoutTable.All.Where(l => l.Provider == TcpEventDecoder.TcpipProvider || l.Provider == TcpEventDecoder.AfdProvider),
            l => Assert.False(l.IsVerified));
        Assert.All(EtwLayoutTable.All.Where(l => l.IsVerified), l => Assert.True(l.Version == 2 || !l.IsClassic));
    }

    /// <summary>Fields of 1202 and 1203 that later versions call otherwise.</summary>
    private static readonly HashSet<(byte Version, string Theirs, string Ours)> Renamed =
        [.. new byte[] { 1, 2, 3, 4, 5, 6 }.Select(v => (v, "LinkSpeed:8", "CurrLinkSpeed:8"))];

    /// <summary>Versions of later builds that insert, drop or replace fields of the version before. TraceEvent has none of them.</summary>
    internal static readonly HashSet<(int Number, int Version)> NotContinued =
    [
        (1005, 1), (1006, 1), (1007, 1), (1008, 1), (1009, 1), (1013, 2), (1064, 2), (1145, 1), (1146, 1), (1147, 1), (1319, 1), (1320, 1), (1328, 1),
        (1370, 1), (1381, 1), (1447, 1), (1470, 1), (1482, 1),
    ];

    [Fact]
    public void Table_AgreesWithTraceEventOnEveryEventItHas()
    {
        ILookup<int, TraceEvent> templates = EventNames.Templates(typeof(MicrosoftWindowsTCPIPTraceEventParser))
            .Where(t => t.ProviderGuid == TcpEventDecoder.TcpipProvider).ToLookup(t => (int)t.ID);
        List<string> different = [];
        int compared = 0;
        foreach (EtwEventLayout? layout in EtwLayoutTable.All.Where(
            l => l.Provider == TcpEventDecoder.TcpipProvider && templates.Contains(l.Number) && !NotContinued.Contains((l.Number, l.Version))))
        {
            compared++;
            List<string> ours = layout.Fields.Select(f => $"{f.Name}:{TypeOf(f)}").ToList();
            List<List<string>> all = templates[layout.Number].Select(t => t.PayloadNames.Select(n => $"{n}:{TypeOf(t.GetType().GetProperty(n)!)}").ToList())
                .ToList();
            if (layout.Fields.Count > 0
                && !all.Exists(
                    theirs => theirs.Count >= Older(layout)
                        && theirs.Zip(ours).All(f => f.First == f.Second || Renamed.Contains((layout.Version, f.First, f.Second)))))
            {
                different.Add(
                    $"{layout.Number} v{layout.Version}: {string.Join(" or ", all.Select(theirs => string.Join(',', theirs)))} against "
                    + $"{string.Join(',', ours)}");
            }
        }

        Assert.True(compared > 340, $"{compared} compared");
        Assert.Empty(different);
    }

    [Theory]
    [InlineData(1_332, 0, 0)]
    [InlineData(1_332, 5, 5)]
    [InlineData(1_332, 6, null)]
    [InlineData(1_064, 2, 2)]
    [InlineData(1_064, 3, null)]
    public void Find_TakesNoVersionThatIsNewerThanAllKnownOnes(int number, byte version, int? found) =>
        Assert.Equal(found, new EtwLayouts().Find(TcpEventDecoder.TcpipProvider, classic: false, number, version)?.Version);

    /// <summary>Versions that do not continue the one before.</summary>
    [Fact]
    public void VersionsOfLaterBuilds_AreReadByTheirOwnLayout()
    {
        TcpipEvents events = new TcpipEvents().TimerStartedV2(1, 7, 2, 50)
            .EndpointCreatedV2(2, 0x55, new(System.Net.IPAddress.Parse("10.0.0.5"), 50_123), 4_711)
            .Add(3, 1447, 1, new TcpipEvents().P(7).U32(1).U32(2).U32(3).U32(4).U32(5).U32(6).U32(8)).DataSentV3(4, 7, 100, 900, 800)
            .SocketOptionValue(5, 0x56, 6, 1, 1, 0, 0, 0);
        EtlWriter writer = new();
        using EtlReader reader = EtlReader.Open(writer.Add(events.Records).ToArray(), "made.etl");
        List<TcpEvent> read = [];
        TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) => read.Add(e));

        Assert.Equal((5, 0, 0), (counts.Decoded, counts.Undecoded, counts.Unused));
        Assert.Equal((2u, 50u), (read[0].TimerType, read[0].WaitMs));
        Assert.Equal((0x55ul, 4_711u, "10.0.0.5:50123"), (read[1].Endpoint, read[1].ProcessId, read[1].Local.ToString()));
        Assert.Equal((3u, false), (read[2].Available, read[2].Has(TcpFields.Bytes)));
        Assert.Equal((900u, 800u), (read[3].Sequence, read[3].SendUnacknowledged));
        Assert.Equal((0x56ul, 1u), (read[4].Endpoint, read[4].OptionValue));
    }

    [Fact]
    public void VersionsThatNobodyKnows_AreCountedByName()
    {
        EtlWriter writer = new();
        writer.Add(
            new TcpipEvents(writer.Origin).Add(1, 1159, 9, new TcpipEvents().P(7).Zeros(60)).Add(2, 1159, 9, new TcpipEvents().P(7).Zeros(60))
                .Add(3, 1003, 1, new ByteWriter().Zeros(80), provider: TcpEventDecoder.AfdProvider).DataSent(4, 7, 1, 1).Records);
        using EtlReader reader = EtlReader.Open(writer.ToArray(), "made.etl");
        TcpEventCounts counts = TcpEventDecoder.Read(reader, (in TcpEvent e, EtwPayload fields) => { });

        Assert.Equal((1, 3, 0), (counts.Decoded, counts.Undecoded, counts.Unused));
        Assert.Equal(
            ["TcpSendPosted_V2 [event 1159, version 9] 2", "AfdSendConnected [event 1003, version 1] 1"],
            counts.UndecodedByName.Select(u => $"{u.Key} {u.Value}"));
    }

    [Fact]
    public void Find_DescriptionOfAnOlderVersion_IsNotContinued()
    {
        EtwLayouts layouts = new();
        EtwEventLayout described = TraceEventInfo.Parse(EtlFuzz.Description())!;
        layouts.Add(described with { Provider = new("11111111-2222-3333-4444-555555555555") });
        layouts.Add(described with { Version = 1 });

        Assert.NotNull(layouts.Find(new("11111111-2222-3333-4444-555555555555"), classic: false, 1332, 0));
        Assert.Null(layouts.Find(new("11111111-2222-3333-4444-555555555555"), classic: false, 1332, 1));
        Assert.True(layouts.Find(TcpEventDecoder.TcpipProvider, classic: false, 1332, 1)!.IsFromTrace);
        Assert.False(layouts.Find(TcpEventDecoder.TcpipProvider, classic: false, 1332, 2)!.IsFromTrace);
        Assert.Null(layouts.Find(TcpEventDecoder.TcpipProvider, classic: false, 1332, 6));
    }

    [Fact]
    public void Find_UnknownEvent_Null() => Assert.Null(new EtwLayouts().Find(TcpEventDecoder.TcpipProvider, classic: false, 9999, 0));

    [Fact]
    public void TryDecode_EveryLength_EitherFitsOrIsCounted()
    {
        TcpEventDecoder decoder = new(new EtwLayouts());
        int undecoded = 0;
        foreach (EtwEventLayout? layout in EtwLayoutTable.All.Where(l => l.Meaning != TcpEventKind.None))
        {
            foreach (byte pointerSize in new byte[] { 4, 8 })
            {
                EtwEventHeader header = new()
                {
                    Provider = layout.Provider,
                    Id = (ushort)(layout.IsClassic ? 0 : layout.Number),
                    Opcode = (byte)(layout.IsClassic ? layout.Number : 0),
                    Kind = layout.IsClassic ? EtwEventKind.PerfInfo : EtwEventKind.Manifest,
                    Version = layout.Version,
                    PointerSize = pointerSize,
                };
                int decodedAt = -1;
                for (int length = 0; length < 400; length++)
                {
                    bool decoded = decoder.TryDecode(header, new byte[length], out _, out _);
                    undecoded += decoded ? 0 : 1;
                    decodedAt = decoded && decodedAt < 0 ? length : decodedAt;
                }

                Assert.True(decodedAt > 0, layout.Name);
            }
        }

        Assert.Equal(undecoded, decoder.Counts.Undecoded);
        Assert.True(undecoded > 0);
    }

    [Fact]
    public void TryDecode_LongerPayload_ByPrefix()
    {
        TcpEventDecoder decoder = new(new EtwLayouts());
        byte[] payload = new TcpipEvents().P(7).U32(1).U32(2).U32(3).U32(4).U32(5).U32(6).U32(8).U32(9).U32(10).U64(11).ToArray();
        EtwEventHeader header = new() { Provider = TcpEventDecoder.TcpipProvider, Id = 1332, Version = 1, PointerSize = 8 };

        Assert.True(decoder.TryDecode(header, payload, out TcpEvent e, out _));
        Assert.Equal((7ul, 1u, 3ul, 8u, 9u), (e.Tcb, e.Cwnd, e.Bytes, e.Rto, e.ReceiveWindow));
    }

    /// <summary>
    /// Fields that TraceEvent's manifest, older than ours, must have: those that every build writes, or for a later version all of the first.
    /// </summary>
    private static int Older(EtwEventLayout layout) =>
        layout.Version == 0 ? layout.Required : EtwLayoutTable.All.Where(l => l.Provider == layout.Provider && l.Number == layout.Number).Min(l => l.Required);

    /// <summary>
    /// A payload that the built-in layout of 1332 would refuse, described by the trace itself behind its first use, whatever the session is called.
    /// </summary>
    [Theory]
    [InlineData("Relogger", true, 1)]
    [InlineData("MySession", true, 1)]
    [InlineData("MySession", false, 0)]
    public void DescriptionInTheTrace_ComesBeforeTheTable(string logger, bool described, int decoded)
    {
        EtlWriter writer = new() { LoggerName = logger };
        writer.Add(new TcpipEvents(writer.Origin).Add(1, 1332, 0, new TcpipEvents().P(7).U32(5).Text("x")).Records);
        if (described)
        {
            writer.Add(EtlRecord.Classic(writer.Origin + 900, 1, TraceEventInfo.Class, TraceEventInfo.Opcode, 0, EtlFuzz.Description()));
        }

        using EtlReader reader = EtlReader.Open(writer.ToArray(), "made.etl");
        List<(ulong Tcb, uint Cwnd, bool Verified, string Text)> events = [];
        TcpEventCounts counts =
            TcpEventDecoder.Read(
                reader, (in TcpEvent e, EtwPayload fields) =>
                    events.Add((e.Tcb, e.Cwnd, e.IsVerified, fields.TryGetText("Text", out string? text) ? text : "")));

        Assert.Equal((decoded, 1 - decoded), (counts.Decoded, counts.Undecoded));
        Assert.Equal(decoded == 1 ? [(7ul, 5u, true, "x")] : [], events);
    }

    private static string TypeOf(EtwField field) => field.Type switch
    {
        EtwFieldType.Int8 or EtwFieldType.UInt8 or EtwFieldType.Int16 or EtwFieldType.UInt16 or EtwFieldType.Int32 or EtwFieldType.UInt32 => "integer",
        EtwFieldType.Int64 or EtwFieldType.UInt64 => "8",
        EtwFieldType.Pointer => "pointer",
        EtwFieldType.Guid => "guid",
        EtwFieldType.Binary => "binary",
        _ => "string",
    };

    /// <summary>What TraceEvent offers; it widens small integers, so that their size shows in values only.</summary>
    private static string TypeOf(PropertyInfo property)
    {
        Type type = property.PropertyType;
        return type == typeof(byte[]) ? "binary"
            : type == typeof(string) ? "string"
            : type == typeof(Guid) ? "guid"
            : type.Name == "Address" || type == typeof(ulong) ? "pointer"
            : type == typeof(long) ? "8"
            : "integer";
    }
}
