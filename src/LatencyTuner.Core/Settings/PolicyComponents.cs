using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>The management software and policies that the registry shows, which may overwrite a change.</summary>
public static class PolicyComponents
{
    private const string Policies = @"HKLM\SOFTWARE\Policies\Microsoft\Windows";
    private const string GroupPolicy = @"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Group Policy\State\Machine\GPO-List";
    private const string Enrollments = @"HKLM\SOFTWARE\Microsoft\Enrollments";
    private const string Services = @"HKLM\SYSTEM\CurrentControlSet\Services";

    private static readonly (string Service, string Name)[] Agents =
    [
        ("CcmExec", "Microsoft Configuration Manager"), ("GCService", "Azure machine configuration"), ("GCArcService", "Azure machine configuration (Arc)"),
        ("puppet", "Puppet"), ("salt-minion", "Salt"), ("chef-client", "Chef"),
    ];

    /// <summary>The components, group policy first. Names of policies are left out: they say more about an organisation than about a machine.</summary>
    /// <param name="registry">The registry of the host.</param>
    /// <param name="cimAutoTuning">AutoTuningLevelEffective of the TCP templates: 1 says that group policy decides; null when unknown.</param>
    /// <param name="hasDscConfiguration">True when a DSC configuration is in force; null when that is unknown.</param>
    public static IReadOnlyList<HostComponent> Of(RegistryTree registry, ulong? cimAutoTuning = null, bool? hasDscConfiguration = null)
    {
        ArgumentNullException.ThrowIfNull(registry);
        List<HostComponent> found = new();
        int objects = registry.SubKeys(GroupPolicy).Count;
        if (objects > 0)
        {
            found.Add(Policy("Group policy", $"{objects} {(objects == 1 ? "object applies" : "objects apply")} to this machine"));
        }

        int qos = registry.SubKeys(Policies + @"\QoS").Count;
        if (qos > 0)
        {
            found.Add(Policy("QoS policies", $"{qos}, by group policy"));
        }

        foreach (string? name in new[] { "NonBestEffortLimit", "MaxOutstandingSends", "TimerResolution" })
        {
            if (registry.Value(Policies + @"\Psched", name) is { IsAbsent: false } value)
            {
                found.Add(Policy("QoS packet scheduler", $"{name} is {value}, by group policy"));
            }
        }

        if (cimAutoTuning == 1)
        {
            found.Add(Policy("Receive window auto-tuning", "the level is set by group policy"));
        }

        if (registry.SubKeys(Enrollments).Any(e => registry.Text($@"{Enrollments}\{e}", "ProviderID") == "MS DM Server"))
        {
            found.Add(Policy("Mobile device management (Intune)", null));
        }

        if (hasDscConfiguration == true)
        {
            found.Add(Policy("PowerShell DSC", "a configuration is in force"));
        }

        found.AddRange(
            Agents.Where(a => registry.Value($@"{Services}\{a.Service}", "ImagePath") is { IsAbsent: false })
                .Select(a => Policy(a.Name, $"service {a.Service}")));
        return found;
    }

    private static HostComponent Policy(string name, string? detail) => new() { Kind = "policy", Name = name, Detail = detail };
}
