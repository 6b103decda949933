using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class PlanFiles
{
    private static ChangePlan Sample
    {
        get
        {
            Bench bench = new();
            return Bench.Plan(
                "b1", [.. Bench.Samples.Select(
                    (value, i) => bench.Change(i % 6, value) with { Before = Bench.Samples[^(i + 1)], Filter = "10.0.0.0/8:443" })]) with
            {
                Ticket = "CHG-1 \"ü\"",
                NotAfterUtc = FixedClock.Start.AddDays(1),
            };
        }
    }

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    public void Read_GivesBackWhatWasWritten(string encoding)
    {
        ChangePlan plan = Sample;

        ChangePlan again =
            PlanFile.Read(
                [
                    .. Encoding.GetEncoding(encoding).GetPreamble(),
                    .. Encoding.GetEncoding(encoding).GetBytes(PlanFile.Write(plan).ReplaceLineEndings("\r\n"))], "plan.json");

        Assert.Equal(plan.Changes, again.Changes.Select((c, i) => c with { CreatedContainers = plan.Changes[i].CreatedContainers }));
        Assert.Equal(plan with { Changes = again.Changes }, again);
        Assert.Equal(PlanFile.Write(plan), PlanFile.Write(again));
    }

    [Theory]
    [InlineData("CORP", "EVIL", "the plan was edited after it was made")]
    [InlineData("\"value\": 1,", "\"value\": 3,", "the plan was edited after it was made")]
    [InlineData("plan/1", "plan/2", "was written by a newer version")]
    [InlineData("plan/1", "check/1", "its schema is")]
    [InlineData("\"scope\":", "\"scape\":", "expected a field \"scope\"")]
    [InlineData("\"absent\": true", "\"absent\": 1", "expected \"absent\" to be a boolean")]
    [InlineData("\"restart\": \"adapter\"", "\"restart\": \"reboot\"", "expected \"restart\" to be one of")]
    [InlineData("\"changes\": [", "\"changes\": ", "line ")]
    public void Read_SaysWhatIsWrong(string from, string to, string sentence)
    {
        string text = PlanFile.Write(Sample);
        Assert.Contains(from, text, StringComparison.Ordinal);

        ExpectedFailureException failure =
            Assert.Throws<ExpectedFailureException>(() => PlanFile.Read(Encoding.UTF8.GetBytes(text.Replace(from, to, StringComparison.Ordinal)), "plan.json"));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith("plan.json: ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(sentence, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_OfDamagedPlansFailsOnlyInTheExpectedWay()
    {
        Random random = new(4);
        string text = PlanFile.Write(Sample);
        for (int round = 0; round < 2000; round++)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            for (int n = random.Next(1, 4); n > 0; n--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            try
            {
                // Only what the checksum does not cover, such as spaces, may differ in a plan that is accepted.
                Assert.Equal(text, PlanFile.Write(PlanFile.Read(bytes, "plan.json")));
            }
            catch (ExpectedFailureException failure)
            {
                Assert.Equal(ExitCode.Input, failure.Code);
            }
        }
    }

    [Fact]
    public void Check_RefusesWithTheReason()
    {
        Bench bench = new();
        Change change = bench.Change(0, SettingValue.Dword(1));
        ChangePlan plan = Bench.Plan("b1", change);

        Refuses(plan with { Machine = new("other", "SRV02") }, "made on SRV02, but this machine is SRV01");
        Refuses(plan with { NotAfterUtc = FixedClock.Start.AddSeconds(-1) }, "it expired at 2026-11-20 03:04:04 UTC");
        Refuses(plan with { Batch = "../x" }, "the batch id \"../x\" is not valid");
        Refuses(plan with { Changes = [] }, "it has 0 changes");
        Refuses(
            plan with
            {
                Changes = [change, change with { Location = new SettingLocation.Registry(Bench.Interfaces.ToUpperInvariant(), "tcpACKfrequency") }],
            }, ", but change 1 already writes it");
        Refuses(plan with { Changes = [change with { SettingId = "tcp.typo" }] }, "change 1 (tcp.typo of Ethernet 2): there is no setting 'tcp.typo'.");
        Refuses(plan with { Changes = [change with { Location = new SettingLocation.Registry(@"HKLM\SOFTWARE\X", "Y") }] }, "a rollback could not restore it");
        PlanChecks.Check(plan with { Machine = new("6E4F", "RENAMED") }, Bench.Here, FixedClock.Start, Bench.Rules);

        static void Refuses(ChangePlan plan, string sentence)
        {
            ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => PlanChecks.Check(plan, Bench.Here, FixedClock.Start, Bench.Rules));
            Assert.Equal(ExitCode.Change, failure.Code);
            Assert.Contains(sentence, failure.Message, StringComparison.Ordinal);
            Assert.EndsWith("Nothing was changed.", failure.Message, StringComparison.Ordinal);
        }
    }
}
