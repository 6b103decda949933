using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Settings;

/// <summary>The JSON form that snapshots, plans, the journal and reports share.</summary>
public sealed class StoredForms
{
    [Fact]
    public void Snapshot_KeepsEveryValueExactlyAndAsAPlanDoes()
    {
        foreach (SettingValue value in Bench.Samples)
        {
            SnapshotValue stored = new()
            {
                Id = "x",
                Store = "registry",
                Path = @"HKLM\A",
                Name = "B",
                Absent = value.IsAbsent,
                Type = value.TypeName,
                Data = value.Data,
            };

            string text = ReportJson.Serialize(new HostSnapshot { Os = new HostOs(), Values = [stored] });
            SnapshotValue read = Assert.Single(ReportJson.Read<HostSnapshot>(Encoding.UTF8.GetBytes(text), "s").Values);

            Assert.Equal(value, SnapshotStore.ValueOf(read, "s"));
            JsonNode form = JsonNode.Parse(text)!["values"]![0]!;
            JsonNode planned = JsonNode.Parse(PlanFile.Write(Plan(value)))!["changes"]![0]!["before"]!;
            Assert.All(new[] { "absent", "type", "value", "utf16" }, name => Assert.True(JsonNode.DeepEquals(planned[name], form[name]), $"{name} of {value}"));
        }
    }

    [Theory]
    [InlineData("REG_DWORD", "\"1\"")]
    [InlineData("REG_DWORD", "-1")]
    [InlineData("REG_DWORD", "1.5")]
    [InlineData("REG_DWORD", "4294967296")]
    [InlineData("REG_DWORD", "[1]")]
    [InlineData("REG_DWORD", "null")]
    [InlineData("REG_SZ", "1")]
    [InlineData("REG_SZ", "[\"1\"]")]
    [InlineData("REG_MULTI_SZ", "\"1\"")]
    [InlineData("REG_MULTI_SZ", "[1]")]
    [InlineData("REG_BINARY", "\"0g\"")]
    [InlineData("REG_BINARY", "\"012\"")]
    public void Snapshot_EditedIntoAnotherFormIsNoValue(string type, string value)
    {
        using JsonDocument json = JsonDocument.Parse(value);
        SnapshotValue edited = new()
        {
            Id = "x",
            Store = "registry",
            Path = @"HKLM\A",
            Name = "B",
            Absent = false,
            Type = type,
            Value = json.RootElement.Clone(),
        };

        Assert.Throws<ExpectedFailureException>(() => SnapshotStore.ValueOf(edited, "edited.json"));
        Assert.NotNull(new StoredValue { Absent = false, Type = type, Value = json.RootElement.Clone() }.TryRead(out _));
    }

    private static ChangePlan Plan(SettingValue value) => Bench.Plan(
        "b1", new Change
        {
            SettingId = "x",
            Scope = "machine",
            Location = new SettingLocation.Registry(@"HKLM\A", "B"),
            Before = value,
            After = SettingValue.Absent,
        });
}
