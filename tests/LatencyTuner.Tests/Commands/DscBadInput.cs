using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning.Dsc;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>What the command resource refuses: one error in the trace, the published exit code, nothing on stdout, nothing changed, no secret shown.</summary>
public sealed class DscBadInput : IDisposable
{
    private const string Secret = "hunter2-secret";

    private readonly TunedMachine _machine = new();

    public static TheoryData<string, int, string> Faults => new()
    {
        { "[]", 3, "is an array" },
        { $$"""[{"settings":[{"id":"{{Secret}}"}]}]""", 3, "one instance with each call" },
        { "5", 3, "not a JSON object" },
        { "{\"settings\":[", 3, "not JSON at line 1" },
        { "{'settings'}", 3, "not JSON at line 1, byte 2" },
        { """{"settings":{}}""", 3, "\"settings\" that is no array" },
        { """{"settings":["x"]}""", 3, "settings[0] that is no JSON object" },
        { """{"settings":[{"value":1}]}""", 3, "settings[0] without \"id\"" },
        { $$"""{"password":"{{Secret}}","settings":[]}""", 3, "property \"password\"" },
        { $$"""{"settings":[{"id":"tcp.ackfrequency","token":"{{Secret}}"}]}""", 3, "property \"token\"" },
        { $$"""{"settings":[{"id":"tcp.ackfrequency","value":{"secureString":"{{Secret}}"} }]}""", 3, "settings[0].value" },
        { $$"""{"settings":[],"ticket":{"secureString":"{{Secret}}"} }""", 3, "\"ticket\"" },
        { """{"settings":[{"id":"tcp.ackfrequency","value":1.5}]}""", 3, "settings[0].value" },
        { """{"settings":[{"id":"tcp.ackfrequency","value":-1}]}""", 3, "settings[0].value" },
        { """{"settings":[{"id":"tcp.ackfrequency","value":4294967296}]}""", 3, "settings[0].value" },
        { """{"settings":[{"id":"tcp.ackfrequency","value":true}]}""", 3, "settings[0].value" },
        { """{"settings":[{"id":"a","id":"b"}]}""", 3, "twice" },
        { """{"_exist":"no"}""", 3, "\"_exist\" that is neither true nor false" },
        { """{"settings":[{"id":"tcp.ackfrequency\u0007"}]}""", 3, "settings[0].id" },
        { """{"settings":[{"id":"\ud800"}]}""", 3, "not valid Unicode" },
        { """{"settings":[]}""", 2, "has no \"settings\"" },
        { "", 2, "has no \"settings\"" },
        { """{"settings":[{"id":"tcp.nothing","value":1}]}""", 2, "no setting 'tcp.nothing'" },
        { """{"settings":[{"id":"tcp.nodelay.interface","value":1}]}""", 2, "not changed by this program" },
        { """{"settings":[{"id":"tcp.ackfrequency","value":1}]}""", 2, "\"interface\"" },
        { """{"settings":[{"id":"tcp.ackfrequency","interface":"Team9","value":1}]}""", 2, "no interface 'Team9'" },
        { """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1","value":"often"}]}""", 2, "not a value of tcp.ackfrequency" },
        { """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1"}]}""", 2, "has no \"value\"" },
        { """{"settings":[{"id":"template.initialrto","template":"Fast","value":1000}]}""", 2, "no TCP template" },
        { """{"settings":[{"id":"template.initialrto","template":"Internet","filter":"10.0.0.0/8","value":1000}]}""", 2, "\"filter\" needs \"template\"" },
        {
            """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1","value":1},{"id":"TcpAckFrequency","interface":"Team1","value":2}]}""",
            2, "more than once"
        },
    };

    public void Dispose() => _machine.Dispose();

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task ABadInstance_IsRefused(string input, int code, string says)
    {
        string before = _machine.Dump;
        foreach (string operation in (string[])["test", "set"])
        {
            DscExchange run = await DscExchange.Of(_machine, operation, input);

            string sentence = run.Failed(code);
            Assert.Contains(says, sentence, StringComparison.Ordinal);
            Assert.DoesNotContain(Secret, run.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("--interface", sentence, StringComparison.Ordinal);
            Assert.Equal((before, 0), (_machine.Dump, _machine.Events.Count));
        }
    }

    [Fact]
    public void AHugeInput_IsRefused()
    {
        byte[] huge = new byte[DscInput.MaxBytes + 1];
        huge.AsSpan().Fill((byte)' ');

        Assert.Equal(ExitCode.Input, Assert.Throws<ExpectedFailureException>(() => DscInput.Read(huge)).Code);
        Assert.Null(DscInput.Read(huge.AsMemory(1)));
    }

    [Fact]
    public void AnyBytes_AreAnInstanceOrRefused()
    {
        byte[] good = "{\"settings\":[{\"id\":\"tcp.ackfrequency\",\"interface\":\"Team1\",\"value\":1}],\"_exist\":true}"u8.ToArray();
        Random random = new(21);
        for (int round = 0; round < 5_000; round++)
        {
            byte[] bytes = [.. good];
            for (int flips = random.Next(1, 6); flips > 0; flips--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            try
            {
                _ = DscInput.Read(bytes);
            }
            catch (ExpectedFailureException e)
            {
                Assert.Equal(ExitCode.Input, e.Code);
                Assert.All(e.Message, c => Assert.False(char.IsControl(c)));
            }
        }
    }

    [Fact]
    public async Task AWriteThatFails_IsPutBackAndFails()
    {
        const string Instance = """
            {"settings":[{"id":"tcp.delackticks","interface":"Team1","value":2},{"id":"tcp.ackfrequency","interface":"Team1","value":1}]}
            """;
        string before = _machine.Dump;
        _machine.Store.BeforeWrite = (place, value) =>
        {
            if (place.Equals(TunedMachine.Frequency) && value.Equals(SettingValue.Dword(1)))
            {
                throw new IOException("The registry is full.");
            }
        };

        DscExchange set = await DscExchange.Of(_machine, "set", Instance);

        Assert.NotEqual("", set.Failed(6));
        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public async Task ATypeThatWindowsDoesNotExpect_IsADifferenceThatSetRefuses()
    {
        const string Instance = """{"settings":[{"id":"tcp.ackfrequency","interface":"Team1","value":1}]}""";
        _machine.Store.Write(TunedMachine.Frequency, SettingValue.Of("1"));

        DscExchange test = (await DscExchange.Of(_machine, "test", Instance)).Done(2);
        DscExchange set = await DscExchange.Of(_machine, "set", Instance);

        Assert.False(test.State["_inDesiredState"]!.GetValue<bool>());
        Assert.Contains("REG_SZ", set.Failed(6), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("test", 2)]
    [InlineData("set", 2)]
    [InlineData("delete", 2)]
    public async Task ATerminalAsInput_IsNotWaitedFor(string operation, int code) =>
        Assert.Contains("--input FILE", (await DscExchange.Of(_machine, operation, input: null)).Failed(code), StringComparison.Ordinal);

    [Fact]
    public async Task AWrongOption_IsATraceToo()
    {
        DscExchange run = await DscExchange.Of(_machine, "get", "{}", "trace", "--bogus");

        Assert.Contains("--bogus", run.Failed(2), StringComparison.Ordinal);
    }
}
