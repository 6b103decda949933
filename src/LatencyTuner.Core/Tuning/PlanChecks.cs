using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>Whether a plan may be applied: everything is checked before anything is touched.</summary>
internal static class PlanChecks
{
    /// <summary>The most changes that a batch may have.</summary>
    public const int MaxChanges = 500;

    /// <summary>Checks a plan and fails at the first reason not to apply it.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="machine">The machine it would be applied to.</param>
    /// <param name="now">The current time.</param>
    /// <param name="rules">The catalogue's rules.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Change"/>; nothing was changed.</exception>
    public static void Check(ChangePlan plan, MachineIdentity machine, DateTimeOffset now, ChangeRules rules)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(rules);
        if (!IsBatchId(plan.Batch))
        {
            throw Fail($"the batch id {PlannedChange.Quote(plan.Batch)} is not valid; valid are 1 to 64 letters, digits and hyphens.");
        }

        if (!plan.Machine.IsSame(machine))
        {
            throw Fail($"it was made on {plan.Machine.Name}, but this machine is {machine.Name}. Make the plan on the machine where you apply it.");
        }

        if (plan.NotAfterUtc is { } limit && now > limit)
        {
            throw Fail($"it expired at {limit.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC. Make a new plan.");
        }

        if (plan.Changes.Count is 0 or > MaxChanges)
        {
            throw Fail($"it has {Counted.Of(plan.Changes.Count, "change")}; valid are 1 to {MaxChanges}.");
        }

        Dictionary<string, int> seen = new();
        for (int i = 0; i < plan.Changes.Count; i++)
        {
            Change change = plan.Changes[i];
            string where = $"change {i + 1} ({change.Name})";
            if (!seen.TryAdd(RegistryPaths.Identity(change.Location), i))
            {
                throw Fail($"{where} writes {change.Location}, but change {seen[RegistryPaths.Identity(change.Location)] + 1} already writes it.");
            }

            if (rules.Refusal(change) is { } refusal)
            {
                throw Fail($"{where}: {refusal}");
            }

            // What could not be restored afterwards is not changed in the first place.
            foreach (SettingValue? value in new[] { change.After, change.Before })
            {
                if (!rules.IsAllowed(change.Location, value.Kind))
                {
                    throw Fail(
                        $"{where}: the catalogue has no setting at {change.Location} that may hold {StoredValue.TypeName(value)}, so a rollback could "
                        + "not restore it.");
                }
            }
        }
    }

    /// <summary>True for an id that is safe in file names and sentences.</summary>
    internal static bool IsBatchId(string? id) => id is { Length: > 0 and <= 64 } && id.All(c => char.IsAsciiLetterOrDigit(c) || c == '-');

    private static ExpectedFailureException Fail(string sentence) => new(ExitCode.Change, $"The plan is refused: {sentence} Nothing was changed.");
}
