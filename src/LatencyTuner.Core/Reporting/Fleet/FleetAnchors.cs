using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Fleet;

/// <summary>The places in the page of a fleet: numbers, because names come from documents.</summary>
internal sealed class FleetAnchors
{
    private readonly Dictionary<string, string> _hosts = new(StringComparer.OrdinalIgnoreCase);
    private readonly HashSet<string> _first = new(StringComparer.OrdinalIgnoreCase);

    internal FleetAnchors(IReadOnlyList<FleetHost> hosts)
    {
        HashSet<VerdictKind> seen = [];
        for (int i = 0; i < hosts.Count; i++)
        {
            _hosts.TryAdd(hosts[i].Name, $"host-{i + 1}");
            if (seen.Add(hosts[i].Verdict))
            {
                _first.Add(hosts[i].Name);
            }
        }
    }

    /// <summary>The place of a host; null for a name that is none.</summary>
    internal string? Of(string host) => _hosts.GetValueOrDefault(host);

    /// <summary>Whether a host is the first with its verdict.</summary>
    internal bool IsFirst(FleetHost host) => _first.Contains(host.Name);

    /// <summary>The place of the hosts with a verdict.</summary>
    internal static string OfVerdict(VerdictKind verdict) => $"hosts-{Format.Kebab(verdict)}";
}
