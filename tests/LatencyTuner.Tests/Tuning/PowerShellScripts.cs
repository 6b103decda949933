using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed class PowerShellScripts
{
    private static readonly DateTimeOffset Made = new(2026, 11, 24, 8, 30, 0, TimeSpan.Zero);

    [Fact]
    public void Write_MakesTheChangesInOrderAndUndoesThemInReverse()
    {
        Bench bench = new();
        string script = Written(bench.Change(0, SettingValue.Dword(1)), bench.Change(5, SettingValue.Dword(1)));

        string[] halves = script.Split("\r\nelse {\r\n");
        Assert.Equal(2, halves.Length);
        Assert.True(
            halves[0].IndexOf("TcpAckFrequency", StringComparison.Ordinal) < halves[0].IndexOf("Set-NetTCPSetting", StringComparison.Ordinal), halves[0]);
        Assert.True(
            halves[1].IndexOf("Set-NetTCPSetting", StringComparison.Ordinal) < halves[1].IndexOf("TcpAckFrequency", StringComparison.Ordinal), halves[1]);
        foreach (Change change in new[] { bench.Change(0, SettingValue.Dword(1)), bench.Change(5, SettingValue.Dword(1)) })
        {
            Assert.All(PowerShellText.Lines(change.Location, change.After), l => Assert.Contains(l, halves[0], StringComparison.Ordinal));
            Assert.All(PowerShellText.Lines(change.Location, change.Before), l => Assert.Contains(l, halves[1], StringComparison.Ordinal));
        }
    }

    /// <summary>Each command stands inside a question, so that -WhatIf changes nothing.</summary>
    [Fact]
    public void Write_AsksBeforeEachChange()
    {
        Bench bench = new();
        bench.Store.Put(Bench.Places[5], SettingValue.Dword(2));
        string[] lines = Written(bench.Change(0, SettingValue.Dword(1)), bench.Change(5, SettingValue.Dword(1))).Split("\r\n");

        Assert.Equal(4, lines.Count(l => l.StartsWith("    if ($PSCmdlet.ShouldProcess('", StringComparison.Ordinal)));
        Assert.All(
            lines.Where(l => l.Contains("ItemProperty", StringComparison.Ordinal) || l.Contains("Set-NetTCPSetting", StringComparison.Ordinal)),
            l => Assert.True(l.StartsWith("        ", StringComparison.Ordinal) || l.Contains("ShouldProcess", StringComparison.Ordinal), l));
    }

    [Fact]
    public void Write_RunsOnTheMachineOfItsValuesOnly()
    {
        Bench bench = new();
        string script = PowerShellScript.Write([bench.Change(0, SettingValue.Dword(1))], "DB'1", "latencytuner 1", Made, []);

        Assert.Contains(
            "$env:COMPUTERNAME -ne 'DB''1') { throw 'This script holds the values of DB''1; make one on this machine.' }", script, StringComparison.Ordinal);
        Assert.DoesNotContain("COMPUTERNAME", PowerShellScript.Write([], null, "latencytuner 1", Made, []), StringComparison.Ordinal);
    }

    [Fact]
    public void Write_KeepsForeignTextInComments()
    {
        string script = PowerShellScript.Write([], "DB1", "latencytuner 1", Made, ["Ticket: CHG1\r\nRemove-Item C:\\", "two\u0085three"]);

        Assert.Contains("# Ticket: CHG1  Remove-Item C:\\\r\n", script, StringComparison.Ordinal);
        Assert.Contains("# two three\r\n", script, StringComparison.Ordinal);
        Assert.StartsWith("# Settings for DB1, made by latencytuner 1 at 2026-11-24", script, StringComparison.Ordinal);
    }

    private static string Written(params Change[] changes) => PowerShellScript.Write(changes, "DB1", "latencytuner 1", Made, []);
}
