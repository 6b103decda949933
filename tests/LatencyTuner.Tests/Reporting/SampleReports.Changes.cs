using LatencyTuner.Core.Reporting.Changes;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Tests.Tuning;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Reports of changes, made by the code that makes them for an admin.</summary>
internal static partial class SampleReports
{
    internal static ChangeReport ApplyWhatIf
    {
        get
        {
            Bench bench = new();
            return Report(
                bench.Apply(
                    Bench.Plan(
                        "20261120-030405", bench.Change(0, SettingValue.Dword(1)), bench.Change(3, SettingValue.Multi(["a", "b"])),
                        bench.Change(5, SettingValue.Dword(1))), whatIf: true));
        }
    }

    internal static ChangeReport ApplyRolledBack
    {
        get
        {
            Bench bench = new();
            ChangePlan plan = Bench.Plan("20261120-030405", bench.Change(0, SettingValue.Dword(1)), bench.Change(1, SettingValue.Dword(0)));
            bench.Store.Clamp = v => v.Number == 0 ? SettingValue.Dword(1) : v;
            return Report(bench.Apply(plan));
        }
    }

    internal static ChangeReport Verified
    {
        get
        {
            Bench bench = new();
            bench.Apply(Bench.Plan("20261120-030405", bench.Change(0, SettingValue.Dword(1)), bench.Change(1, SettingValue.Of("x"))));
            bench.Store.Put(Bench.Places[1], SettingValue.Of("y"));
            bench.Clock.Now += TimeSpan.FromHours(1);
            RestartTimes times = new(FixedClock.Start.AddDays(-3), _ => FixedClock.Start.AddDays(-3));
            return Report(
                new Verification(bench.Context).Verify(
                    null, times, MeasuredEffect.CannotTell("The measurement was made on this host; only its peer notices the change.")));
        }
    }

    private static ChangeReport Report(TuningResult result) => ChangeReportBuilder.From(result, Bench.Here, Started);
}
