using System.Globalization;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning;

/// <summary>What an admin should know before a plan is applied, beside the changes themselves.</summary>
public static class PlanNotes
{
    /// <summary>The notes, a sentence or two each: what each setting costs, a second way back, and what may overwrite the change.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="catalogue">The settings.</param>
    /// <param name="snapshot">The machine.</param>
    public static IReadOnlyList<string> Of(ChangePlan plan, SettingsCatalogue catalogue, HostSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(snapshot);
        List<string> notes = new();
        List<SettingDefinition> definitions = plan.Changes.Select(c => catalogue.TryFind(c.SettingId)).OfType<SettingDefinition>().Distinct().ToList();
        string? version = snapshot.Os.DefaultsOf();
        notes.AddRange(definitions.Select(d =>
            plan.Changes.Where(c => c.SettingId == d.Id).All(
                c => c.After.IsAbsent || c.After.Number?.ToString(CultureInfo.InvariantCulture) == d.DefaultOn(version))
                ? $"{d.Id} goes back to what Windows does by default. What any other value costs ends with it: {d.Cost.TrimEnd('.')}."
                : $"The cost of {d.Id}: {d.Cost.TrimEnd('.')}."));
        List<string> ofAcks = definitions.Select(d => d.Id).Where(AckSettings.IsOfAcks).ToList();
        if (ofAcks.Count > 0)
        {
            notes.Add($"{AckSettings.OnlyThePeerFeelsIt(ofAcks)}. Measure from the peer, before and after.");
        }

        if (snapshot.VirtualMachine == true)
        {
            notes.Add(
                $"This is a virtual machine{(snapshot.Hypervisor is { } on ? $" ({on})" : "")}. A checkpoint taken before the change is a second way back if "
                + "the journal is lost.");
        }

        List<string> policies = snapshot.Components.Where(c => c.Kind == "policy").Select(c => c.Detail is null ? c.Name : $"{c.Name} ({c.Detail})").ToList();
        if (policies.Count > 0)
        {
            notes.Add($"Settings of this machine are managed by {string.Join(", ", policies)}, which may overwrite the change.");
        }

        return notes;
    }
}
