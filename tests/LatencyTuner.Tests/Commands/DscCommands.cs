using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What DSC 3.2 sends to a command resource and what it takes from one, operation by operation.</summary>
public sealed class DscCommands : IDisposable
{
    private const string Wanted = """
        {"settings":[{"id":"tcp.ackfrequency","interface":"Team1","value":1},{"id":"tcp.delackticks","interface":"Team1","value":"2"}],"ticket":"CHG7"}
        """;

    private readonly TunedMachine _machine = new();

    public void Dispose() => _machine.Dispose();

    [Fact]
    public async Task Get_GivesOneObject()
    {
        DscExchange get = (await Call("get", Wanted)).Done(1);

        Assert.Equal(["2", "\"absent\""], get.Values);
        Assert.Equal("Team1", get.State["settings"]![0]!["interface"]!.GetValue<string>());
        Assert.True(get.State.ContainsKey("_inDesiredState"));
        Assert.Null(get.State["_inDesiredState"]);
        Assert.True(get.State["_exist"]!.GetValue<bool>());
        // DSC takes neither of them as null.
        Assert.False(get.State.ContainsKey("_metadata") || get.State.ContainsKey("_restartRequired"));
        Assert.Equal("", get.Error);
    }

    [Theory]
    [InlineData("")]
    [InlineData(" \n")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData(null)]
    public async Task Get_WithoutAnInstance_GivesAllValues(string? input)
    {
        DscExchange get = (await Call("get", input)).Done(1);

        string[] ids = [.. get.State["settings"]!.AsArray().Select(s => s!["id"]!.GetValue<string>())];
        Assert.Contains("tcp.ackfrequency", ids);
        Assert.Contains(ids, i => i.StartsWith("template.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Get_OfValuesThatAreAbsent_SaysThatNothingExists()
    {
        DscExchange get = await Call("get", """{"settings":[{"id":"tcp.delackticks","interface":"Team1"}]}""");

        Assert.False(get.State["_exist"]!.GetValue<bool>());
        Assert.Equal(["\"absent\""], get.Values);
    }

    [Fact]
    public async Task Test_OfADifference_IsNoFailure()
    {
        DscExchange test = (await Call("test", Wanted)).Done(2);

        Assert.False(test.State["_inDesiredState"]!.GetValue<bool>());
        Assert.Equal(["settings"], test.Differing);
        Assert.Equal(["2", "\"absent\""], test.Values);
        Assert.Contains(("info", "tcp.ackfrequency of Team1 is 2, wanted is 1."), test.Traces);
        Assert.Equal(2, test.Traces.Count);
    }

    [Theory]
    [InlineData("""{"settings":[{"id":"tcp.ackfrequency","interface":"Team1","value":2}]}""", "2")]
    [InlineData("""{"settings":[{"id":"TcpAckFrequency","interface":"Team1","value":"0x2"}]}""", "\"0x2\"")]
    [InlineData("""{"settings":[{"id":"tcp.delackticks","interface":"Team1","value":"absent"}],"_exist":true}""", "\"absent\"")]
    [InlineData("""{"settings":[{"id":"tcp.delackticks","interface":"Team1"}],"_exist":false,"_metadata":{"a":1},"_inDesiredState":null}""", "\"absent\"")]
    public async Task Test_OfWhatIsThere_IsInDesiredState(string instance, string value)
    {
        DscExchange test = (await Call("test", instance)).Done(2);

        Assert.True(test.State["_inDesiredState"]!.GetValue<bool>());
        Assert.Empty(test.Differing);
        // In the words of the configuration, so that DSC shows no difference where there is none.
        Assert.Equal([value], test.Values);
        Assert.Empty(test.Traces);
    }

    [Fact]
    public async Task Test_OfAValueThatMayNotExist_NamesExist()
    {
        DscExchange test = await Call("test", """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1"}],"_exist":false}""");

        Assert.False(test.State["_inDesiredState"]!.GetValue<bool>());
        Assert.Equal(["_exist"], test.Differing);
    }

    [Fact]
    public async Task Set_GoesThroughTheJournal_AndRollbackUndoesIt()
    {
        string before = _machine.Dump;

        DscExchange set = (await Call("set", Wanted)).Done(2);

        Assert.Equal(["1", "\"2\""], set.Values);
        Assert.Equal(["settings"], set.Differing);
        Assert.Null(set.State["_inDesiredState"]);
        Assert.Equal((SettingValue.Dword(1), SettingValue.Dword(2)), (_machine.Store.Read(TunedMachine.Frequency), _machine.Store.Read(TunedMachine.Ticks)));
        Assert.Equal(
            $$"""[{"system":"{{_machine.Snapshot.Machine}}"}]""", set.State["_restartRequired"]!.ToJsonString());
        Assert.Contains(set.Traces, t => t.Level == "warn" && t.Text.StartsWith("The change is in force after a restart", StringComparison.Ordinal));
        string batch = set.State["batch"]!.GetValue<string>();
        Assert.Contains(set.Traces, t => t.Level == "info" && t.Text.Contains($"rollback --batch {batch} --yes", StringComparison.Ordinal));
        Assert.Contains("CHG7", _machine.Run("history", "--details").Done().Out, StringComparison.Ordinal);
        Assert.Equal(BatchEvent.Applied, Assert.Single(_machine.Events).Id);
        Assert.True((await Call("test", Wanted)).State["_inDesiredState"]!.GetValue<bool>());

        _machine.Run("rollback", "--batch", batch, "--yes").Done();
        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public async Task Set_ASecondTime_ChangesNothing()
    {
        _ = await Call("set", Wanted);

        DscExchange set = (await Call("set", Wanted)).Done(2);

        Assert.Empty(set.Differing);
        Assert.False(set.State.ContainsKey("_restartRequired") || set.State.ContainsKey("batch"));
        Assert.Single(_machine.Events);
    }

    [Fact]
    public async Task Set_WithoutPrivilege_IsRefused_AndWhatIfIsNot()
    {
        _machine.MissingPrivilege = "Changing settings needs an elevated console.";
        string before = _machine.Dump;

        Assert.Contains("elevated", (await Call("set", Wanted)).Failed(4), StringComparison.Ordinal);
        DscExchange whatIf = (await Call("set", Wanted, "--what-if")).Done(2);

        Assert.Equal(["1", "\"2\""], whatIf.Values);
        Assert.Equal(["settings"], whatIf.Differing);
        string[] says = Sentences(whatIf);
        Assert.StartsWith("tcp.ackfrequency of Team1", says[0], StringComparison.Ordinal);
        Assert.Contains(" sets ", says[0], StringComparison.Ordinal);
        Assert.Contains(says, s => s.Contains("elevated", StringComparison.Ordinal));
        Assert.All(says, s => Assert.DoesNotContain("--yes", s, StringComparison.Ordinal));
        Assert.True(whatIf.State.ContainsKey("_restartRequired"));
        Assert.Equal(before, _machine.Dump);
        Assert.False(Directory.Exists(_machine.Journal.Path));
        Assert.Empty(_machine.Events);
    }

    [Theory]
    [InlineData("set")]
    [InlineData("delete")]
    public async Task AnInstanceThatMayNotExist_LosesItsValues(string operation)
    {
        const string Instance = """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1","value":1}],"_exist":false}""";
        string before = _machine.Dump;

        DscExchange done = (await Call(operation, Instance)).Done(operation == "set" ? 2 : 0);

        Assert.True(_machine.Store.Read(TunedMachine.Frequency).IsAbsent);
        if (operation == "set")
        {
            Assert.False(done.State["_exist"]!.GetValue<bool>());
            Assert.Equal(["_exist"], done.Differing);
        }

        _machine.Run("rollback", "--yes").Done();
        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public async Task Delete_AsWhatIf_GivesItsSentencesAlone()
    {
        string before = _machine.Dump;

        DscExchange whatIf = (await Call("delete", """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1"}]}""", "--what-if")).Done(1);

        // DSC refuses any other property here.
        Assert.Equal("_metadata", Assert.Single(whatIf.State).Key);
        Assert.Contains(" deletes ", Assert.Single(Sentences(whatIf)), StringComparison.Ordinal);
        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public async Task Delete_OfATemplateProperty_IsRefused()
    {
        string sentence = (await Call("delete", """{"settings":[{"id":"template.initialrto","template":"InternetCustom"}]}""")).Failed(2);

        Assert.Contains("always has a value", sentence, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Set_OfTemplatesWithAFilter_IsOneBatch()
    {
        const string Instance = """
            {"settings":[{"id":"template.delayedackfrequency","template":"DatacenterCustom","filter":"10.1.0.0/16:1433","value":1},
            {"id":"tcp.ackfrequency","interface":"Team1","value":1}]}
            """;
        string before = _machine.Dump;
        DscExchange drift = await Call("test", Instance);

        DscExchange set = (await Call("set", Instance)).Done(2);

        Assert.False(drift.State["_inDesiredState"]!.GetValue<bool>());
        Assert.Null(drift.State["settings"]![0]!["filter"]);
        Assert.Equal("10.1.0.0/16:1433", set.State["settings"]![0]!["filter"]!.GetValue<string>());
        Assert.True((await Call("test", Instance)).State["_inDesiredState"]!.GetValue<bool>());
        _machine.Run("rollback", "--batch", set.State["batch"]!.GetValue<string>(), "--yes").Done();
        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public async Task Export_IsAnInstanceThatTestAccepts()
    {
        DscExchange export = (await Call("export", null)).Done(1);

        Assert.Equal(["settings"], export.State.Select(p => p.Key));
        DscExchange test = (await Call("test", export.Lines[0])).Done(2);
        Assert.True(test.State["_inDesiredState"]!.GetValue<bool>(), string.Join('\n', test.Traces));
        Assert.Equal(export.State["settings"]!.ToJsonString(), test.State["settings"]!.ToJsonString());
        DscExchange set = (await Call("set", export.Lines[0])).Done(2);
        Assert.Empty(set.Differing);
    }

    [Theory]
    [InlineData("""{"settings":[{"id":"tcp.ackfrequency"}]}""", "tcp.ackfrequency")]
    [InlineData("""{"settings":[{"id":"template.initialrto","template":"internetcustom"}]}""", "template.initialrto")]
    [InlineData("""{"settings":[{"id":"tcp.ackfrequency","interface":"Team1"}]}""", "tcp.ackfrequency")]
    public async Task Export_WithAFilter_GivesTheMeantAlone(string filter, string id)
    {
        DscExchange export = (await Call("export", filter)).Done(1);

        Assert.NotEmpty(export.Values);
        Assert.All(export.State["settings"]!.AsArray(), s => Assert.Equal(id, s!["id"]!.GetValue<string>()));
    }

    [Theory]
    [InlineData(null, "warn")]
    [InlineData("nonsense", "warn")]
    [InlineData("error", "error")]
    [InlineData("warn", "warn")]
    [InlineData("info", "info")]
    [InlineData("TRACE", "info")]
    public async Task Traces_AreThoseOfTheLevelThatDscWants(string? level, string least)
    {
        string[] order = ["error", "warn", "info"];

        DscExchange set = await DscExchange.Of(_machine, "set", Wanted, level);

        string[] expected = order[1..(Array.IndexOf(order, least) + 1)];
        Assert.Equal(expected, set.Traces.Select(t => t.Level).Distinct().OrderBy(l => Array.IndexOf(order, l)));
    }

    private Task<DscExchange> Call(string operation, string? input, params string[] options) =>
        DscExchange.Of(_machine, operation, input, "trace", options);

    private static string[] Sentences(DscExchange whatIf) =>
        [.. whatIf.State["_metadata"]!["whatIf"]!.AsArray().Select(n => n!.GetValue<string>())];
}
