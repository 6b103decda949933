using LatencyTuner.Core;
using LatencyTuner.Core.Reporting;
using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Settings;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>Changes of TCP templates, for a prefix or for all, from the command to the store and back.</summary>
public sealed class TemplateCommands : IDisposable
{
    private static readonly SettingLocation.Template MinRto = new("InternetCustom", "MinRto");
    private readonly TunedMachine _machine = new();

    private string[] Ask { get; } =
        [
            "apply", "--setting", "template.minrto=60", "--setting", "template.delayedackfrequency=1", "--template", "InternetCustom", "--filter",
            "10.20.0.0/16:1433"];

    public void Dispose() => _machine.Dispose();

    [Fact]
    public void ApplyVerifyRollback_WithAFilter_EndAsItBegan()
    {
        string before = _machine.Dump;

        ChangeReport applied = Report(_machine.Run([.. Ask, "--yes", "--format", "json"]).Done());

        Assert.Equal(SettingValue.Dword(60), _machine.Templates.Read(MinRto));
        Assert.Equal(["template.minrto", "template.delayedackfrequency", FilterRules.SettingId], applied.Changes.Select(c => c.SettingId));
        Assert.Equal(SettingValue.Of("InternetCustom"), Assert.Single(_machine.Templates.Values, v => v.Key is SettingLocation.Filter).Value);
        Assert.Contains(
            "in force for connections opened since", _machine.Run("verify").Done().Out.ReplaceLineEndings(" ").Replace("  ", " ", StringComparison.Ordinal),
            StringComparison.Ordinal);
        _machine.Run("rollback", "--yes").Done();

        Assert.Equal(before, _machine.Dump);
    }

    [Fact]
    public void WhatIf_TellsTheReachAndTheSameAsPowerShell()
    {
        string before = _machine.Dump;

        ChangeReport report = Report(_machine.Run([.. Ask, "--format", "json"]).Done());

        Assert.Equal(before, _machine.Dump);
        Assert.Contains(
            report.PowerShell, l => l.StartsWith("New-NetTransportFilter", StringComparison.Ordinal) && l.Contains("10.20.0.0/16", StringComparison.Ordinal));
        Assert.Contains(report.Notes, n => n.Contains("take all values of InternetCustom", StringComparison.Ordinal));
    }

    [Fact]
    public void WhatIf_OfTheSwitchTellsEveryPropertyThatDiffers()
    {
        ChangeReport report = Report(_machine.Run("apply", "--setting", "template.automaticusecustom=Enabled", "--format", "json").Done());

        Assert.Contains(
            report.Notes, n => n.StartsWith("All connections without a filter move to InternetCustom and DatacenterCustom", StringComparison.Ordinal));
        Assert.Contains(report.Notes, n => n.StartsWith("Internet to InternetCustom:", StringComparison.Ordinal));
    }

    [Fact]
    public void Apply_WhereTheFilterIsRefused_PutsTheTemplateBack()
    {
        string before = _machine.Dump;
        _machine.Templates.BeforeWrite = (place, _) =>
        {
            if (place is SettingLocation.Filter)
            {
                throw new ExpectedFailureException(ExitCode.Change, "Access is denied.");
            }
        };

        CliRun run = _machine.Run([.. Ask, "--yes"]);

        Assert.Equal(((int)ExitCode.Change, before), (run.Code, _machine.Dump));
        Assert.StartsWith("NOT APPLIED  Change 3 of 3 failed: Access is denied", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_WithoutCim_IsRefusedAndChangesNothing()
    {
        string before = _machine.Dump;
        _machine.Templates.BeforeRead = place => throw new ExpectedFailureException(ExitCode.Platform, $"{place} cannot be read: CIM is not there.");

        CliRun run = _machine.Run([.. Ask, "--yes"]);

        Assert.Equal(((int)ExitCode.Platform, before), (run.Code, _machine.Dump));
        Assert.Contains("CIM is not there", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_OnAClient_SaysThatThereAreNoFilters()
    {
        _machine.Snapshot = _machine.Snapshot with { Os = SampleSnapshots.Win11.Os };

        CliRun run = _machine.Run("apply", "--setting", "template.delayedackfrequency=1", "--template", "InternetCustom", "--filter", "10.20.0.0/16", "--yes");

        Assert.Equal((int)ExitCode.Change, run.Code);
        Assert.Contains("Windows Server only", run.Error, StringComparison.Ordinal);
    }

    private static ChangeReport Report(CliRun run) => ReportJson.Read<ChangeReport>(System.Text.Encoding.UTF8.GetBytes(run.Out), "stdout");
}
