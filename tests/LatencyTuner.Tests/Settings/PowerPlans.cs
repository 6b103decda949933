using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class PowerPlans
{
    private const string Balanced = "381b4222-f694-41f0-9685-ff5bb260df2e";
    private const string Aspm = @"501a4d13-42af-4429-9fd1-a8218c268e20\ee12f906-d277-404b-b6da-e5fa1a576df5";
    private const string Defaults = @"HKLM\SYSTEM\CurrentControlSet\Control\Power\PowerSettings";

    private static SnapshotValue Of(string id, MemorySettingsStore store) => PowerFacts.Of(SettingsCatalogue.Current.Find(id), store)!;

    private static MemorySettingsStore Store(params (string Key, string Name, SettingValue Value)[] values)
    {
        MemorySettingsStore store = new();
        foreach ((string? key, string? name, SettingValue? value) in values)
        {
            store.Write(new SettingLocation.Registry(key, name), value);
        }

        return store;
    }

    [Fact]
    public void Plan_IsTheGuidOfTheActiveScheme()
    {
        SnapshotValue value = Of("power.plan", Store((PowerFacts.Schemes, "ActivePowerScheme", SettingValue.Of(Balanced.ToUpperInvariant()))));

        Assert.Equal(("power", "REG_SZ", Balanced), (value.Store, value.Type, Assert.Single(value.Data)));
    }

    [Fact]
    public void Aspm_IsThePlansOwnValueElseItsDefault()
    {
        (string Key, string Name, SettingValue Value) active = (PowerFacts.Schemes, "ActivePowerScheme", SettingValue.Of(Balanced));
        (string Key, string Name, SettingValue Value) fallback =
            ($@"{Defaults}\{Aspm}\DefaultPowerSchemeValues\{Balanced}", "ACSettingIndex", SettingValue.Dword(1));
        (string Key, string Name, SettingValue Value) own = ($@"{PowerFacts.Schemes}\{Balanced}\{Aspm}", "ACSettingIndex", SettingValue.Dword(0));

        Assert.Equal("1", Assert.Single(Of("power.aspm", Store(active, fallback)).Data));
        Assert.Equal("0", Assert.Single(Of("power.aspm", Store(active, fallback, own)).Data));
        Assert.Contains("neither a value nor a default", Of("power.aspm", Store(active)).NotReadBecause, StringComparison.Ordinal);
    }

    [Fact]
    public void Plan_ThatIsNotNamedOrDeniedSaysSo()
    {
        Assert.Contains("does not name", Of("power.plan", Store()).NotReadBecause, StringComparison.Ordinal);
        Assert.Contains(
            "does not name", Of("power.plan", Store((PowerFacts.Schemes, "ActivePowerScheme", SettingValue.Of("High")))).NotReadBecause,
            StringComparison.Ordinal);
        Assert.Equal(
            "denied.",
            Of("power.plan", new MemorySettingsStore { BeforeRead = _ => throw new ExpectedFailureException(ExitCode.Platform, "denied.") }).NotReadBecause);
        Assert.Null(PowerFacts.Of(SettingsCatalogue.Current.Find("tcp.ackfrequency"), Store()));
    }
}
