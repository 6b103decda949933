using LatencyTuner.Core.Reporting.Fleet;
using LatencyTuner.Core.Reporting.Sockets;

namespace LatencyTuner.Core.Reporting.Merging;

/// <summary>Adds up the sockets of the processes of one name, over all hosts.</summary>
internal sealed class FleetProcesses
{
    private readonly Dictionary<string, FleetProcess> _processes = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, HashSet<string>> _hosts = new(StringComparer.OrdinalIgnoreCase);

    internal void Add(string host, IReadOnlyList<SocketProcess> processes)
    {
        foreach (SocketProcess p in processes)
        {
            string name = p.Process ?? "";
            if (!_hosts.TryGetValue(name, out HashSet<string>? hosts))
            {
                _hosts[name] = hosts = new(StringComparer.OrdinalIgnoreCase);
            }

            hosts.Add(host);
            FleetProcess known = _processes.GetValueOrDefault(name) ?? new()
            {
                Process = p.Process,
                Hosts = [],
                Connections = 0,
                NagleConnections = 0,
                NoDelayConnections = 0,
                FixedBufferConnections = 0,
                Retransmitted = null,
                LongestRttUs = null,
            };
            bool isLonger = p.LongestRttUs > (known.LongestRttUs ?? -1);
            _processes[name] = known with
            {
                Connections = known.Connections + p.Connections,
                NagleConnections = known.NagleConnections + p.NagleConnections,
                NoDelayConnections = known.NoDelayConnections + p.NoDelayConnections,
                FixedBufferConnections = known.FixedBufferConnections + p.FixedBufferConnections,
                Retransmitted = p.Retransmitted is null ? known.Retransmitted : (known.Retransmitted ?? 0) + p.Retransmitted,
                LongestRttUs = isLonger ? p.LongestRttUs : known.LongestRttUs,
                LongestRttHost = isLonger ? host : known.LongestRttHost,
            };
        }
    }

    internal IReadOnlyList<FleetProcess> Build() =>
    [
        .. _processes.Select(p => p.Value with { Hosts = [.. _hosts[p.Key]] }).OrderByDescending(p => p.NagleConnections)
            .ThenByDescending(p => p.Connections).ThenBy(p => p.Process, StringComparer.OrdinalIgnoreCase),
    ];
}
