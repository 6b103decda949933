using System.Text;
using System.Xml.Linq;
using LatencyTuner.Core;
using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Profiles;
using LatencyTuner.Tests.Commands;
using Xunit;

namespace LatencyTuner.Tests.Etw;

public sealed class EtwProfiles
{
    /// <summary>Providers whose events have no layout here, because nothing but their names is used.</summary>
    private static readonly string[] WithoutLayouts = ["Microsoft-Windows-Kernel-Process"];

    public static TheoryData<string> Names => new(EtwProfile.All.Select(p => p.Name));

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryEventId_IsWrittenWithTheProfilesLevelAndKeywords(string name)
    {
        foreach (EtwProfileProvider provider in EtwProfile.Find(name).Providers)
        {
            Assert.InRange(provider.EventIds.Count, 1, EtwProfileProvider.MaxEventIds);
            Assert.Equal(provider.EventIds.Order().Distinct(), provider.EventIds);
            if (WithoutLayouts.Contains(provider.Name))
            {
                continue;
            }

            foreach (int id in provider.EventIds)
            {
                List<EtwEventLayout> layouts = EtwLayoutTable.All.Where(l => l.Provider == provider.Provider && l.Number == id).ToList();
                Assert.NotEmpty(layouts);
                Assert.All(
                    layouts, l => Assert.True(provider.Writes(l, filtered: true), $"{name}: {l.Name} needs level {l.Level} and keywords 0x{l.Keywords:x}"));
            }
        }
    }

    /// <summary>The order that the schema of recording profiles asks for, and no reference into nothing.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Profile_HasTheFormOfTheRecorder(string name)
    {
        XElement root = XDocument.Parse(EtwProfile.Find(name).Text).Root!;
        List<string> parts = root.Element("Profiles")!.Elements().Select(e => e.Name.LocalName).ToList();

        Assert.Equal("WindowsPerformanceRecorder", root.Name.LocalName);
        Assert.Equal(parts.OrderBy(p => Array.IndexOf(["EventCollector", "EventProvider", "Profile"], p)), parts);
        Assert.Equal(["File", "Memory"], root.Descendants("Profile").Select(p => p.Attribute("LoggingMode")!.Value));
        Assert.All(
            root.Descendants("Profile"),
            p =>
                Assert.Equal(
                    $"{p.Attribute("Name")!.Value}.{p.Attribute("DetailLevel")!.Value}.{p.Attribute("LoggingMode")!.Value}", p.Attribute("Id")!.Value));
        Assert.Single(root.Descendants("Profile").Select(p => p.Attribute("Name")!.Value).Distinct());
        Assert.All(root.Descendants("EventProvider"), p => Assert.Equal(
            p.Elements().Select(e => e.Name.LocalName),
            new[] { "Keywords", "CaptureStateOnStart", "CaptureStateOnSave", "EventFilters" }.Where(n => p.Element(n) is not null)));
        Assert.All(root.Descendants().Attributes("Id"), id => Assert.DoesNotContain(id.Value, c => c is ':' or ' '));
    }

    [Fact]
    public void Latency_HasWhatNamesTheConnectionsAndTheirWaits()
    {
        IReadOnlyList<int> ids = EtwProfile.Find("latency").Providers[0].EventIds;

        Assert.Empty(new[] { 1033, 1017, 1300, 1066, 1223, 1100, 1102, 1351, 1477 }.Except(ids));
        Assert.Equal(0, EtwProfileCost.Of(EtwProfile.Find("Latency"), filtered: true).EventsPerRequest);
    }

    [Fact]
    public void Detail_HasWhatShowsANagleHold()
    {
        HashSet<TcpEventKind> meanings = EtwProfile.Find("Detail").Providers.SelectMany(p => EtwLayoutTable.All.Where(l => p.Writes(l, filtered: true)))
            .Select(l => l.Meaning).ToHashSet();

        Assert.Superset(
            new HashSet<TcpEventKind> {
                TcpEventKind.SendPosted, TcpEventKind.SendTransmitted, TcpEventKind.DataSent, TcpEventKind.CumulativeAck, TcpEventKind.DataReceived,
                TcpEventKind.TimerStarted, TcpEventKind.TimerExpired, TcpEventKind.DeliveryIndicated, TcpEventKind.SocketSend, TcpEventKind.SocketReceive },
            meanings);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Cost_OfToolsWithoutAFilter_IsNotLess(string name)
    {
        (EtwProfileCost? filtered, EtwProfileCost? unfiltered) = (EtwProfileCost.Of(EtwProfile.Find(name), true),
            EtwProfileCost.Of(EtwProfile.Find(name), false));

        Assert.True(unfiltered.EventsPerRequest >= filtered.EventsPerRequest && unfiltered.BytesPerRequest >= filtered.BytesPerRequest);
        Assert.True(filtered.BytesPerRequest >= filtered.EventsPerRequest * 80);
    }

    [Theory]
    [InlineData("<x", "not valid XML")]
    [InlineData("<x/>", "Profiles is missing")]
    [InlineData(
        "<x><Profiles><EventCollector><BufferSize Value=\"many\"/></EventCollector><Profile LoggingMode=\"File\" Description=\"d\"/></Profiles></x>",
        "not a recording profile")]
    public void Read_AnythingElse_IsRefused(string text, string expected)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => EtwProfileReader.Read(text, "x.wprp"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.Contains(expected, failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("text")]
    [InlineData("json")]
    [InlineData("csv")]
    [InlineData("junit")]
    [InlineData("html")]
    public void Command_PrintsEveryForm(string format)
    {
        Assert.NotEmpty(CliRun.Of("profiles", "--format", format, "--rate", "500/s").Done().Out);
        string one = CliRun.Of("profiles", "detail", "--format", format).Done().Out;
        Assert.True(one.Contains("Detail", StringComparison.Ordinal) || format == "junit");
        if (format == "json")
        {
            Assert.Equal("Detail", Assert.Single(ReportJson.Read<ProfilesReport>(Encoding.UTF8.GetBytes(one), "out").Profiles).Name);
        }
    }

    [Fact]
    public void Command_WritesTheProfileAsItIs()
    {
        using TempFolder folder = new();
        string path = Path.Combine(folder.Path, "Detail.wprp");

        Assert.Equal((int)ExitCode.Done, CliRun.Of("profiles", "Detail", "--wprp", "--output", path).Code);
        Assert.Equal(EtwProfile.Find("Detail").Text, File.ReadAllText(path));
    }

    /// <summary>The recorder of Server 2016 has no filters in its schema.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void TextWithoutFilters_IsTheSameProfileWithEveryEvent(string name)
    {
        EtwProfile profile = EtwProfile.Find(name);

        string text = CliRun.Of("profiles", name, "--wprp", "--no-filters").Done().Out;

        Assert.DoesNotContain("EventFilters", text, StringComparison.Ordinal);
        Assert.DoesNotContain("EventId ", text, StringComparison.Ordinal);
        Assert.StartsWith("<?xml version=\"1.0\" encoding=\"utf-8\"", text, StringComparison.Ordinal);
        EtwProfile read = EtwProfileReader.Read(text, name);
        Assert.Equal(
            profile.Providers.Select(p => (p.Provider, p.Name, p.Level, p.Keywords, p.CaptureKeywords)),
            read.Providers.Select(p => (p.Provider, p.Name, p.Level, p.Keywords, p.CaptureKeywords)));
        Assert.All(read.Providers, p => Assert.Empty(p.EventIds));
    }

    [Theory]
    [InlineData(14393, true)]
    [InlineData(17763, false)]
    [InlineData(26100, false)]
    [InlineData(null, false)]
    public void Lines_AreThoseOfTheBuildThatRecords(int? build, bool noFilters) => Assert.Equal(
        noFilters, EtwProfileCommands.Wpr(EtwProfile.Find("Detail"), build)[0].Contains(" --no-filters ", StringComparison.Ordinal));

    [Fact]
    public void NoFilters_WithoutAFile_IsRefused() => CliRun.Of("profiles", "Detail", "--no-filters").Failed(2);

    [Fact]
    public void Packets_HasDropsAndTheNamesOfComponents()
    {
        EtwProfileProvider pktmon = EtwProfile.Find("Packets").Providers.Single(p => p.Name == "Microsoft-Windows-PktMon");

        Assert.Equal([20, 160, 170], pktmon.EventIds);
        Assert.Equal(0x12ul, pktmon.Keywords);
    }
}
