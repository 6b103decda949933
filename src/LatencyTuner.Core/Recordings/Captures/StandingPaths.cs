using System.Runtime.InteropServices;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Waits for what was sent again while nothing from anybody reached their host: where the answers to several connections then come at once, however long
/// ago each was asked, the path had held them, and perhaps nothing was lost.
/// </summary>
internal static class StandingPaths
{
    private const int Fewest = 2;

    /// <summary>Answers that the path held come so soon behind each other, nanoseconds.</summary>
    private const long AtOnceNs = 30_000_000;

    /// <summary>Answers to copies that were sent so far apart would not come at once by themselves, nanoseconds.</summary>
    private const long ApartNs = 100_000_000;

    /// <summary>Marks the waits that lie in such a silence.</summary>
    /// <param name="connections">All connections of the capture.</param>
    /// <param name="silences">When nothing reached which host.</param>
    public static void Mark(IReadOnlyList<ConnectionFacts> connections, IReadOnlyDictionary<IpAddressValue, HostSilences> silences)
    {
        Dictionary<(IpAddressValue Host, long FromNs), List<(ConnectionFacts Connection, int Index)>> waits = [];
        HashSet<IpAddressValue> beside = [.. connections.Where(c => c.Vantage == Vantage.Client).Select(c => c.Client),
            .. connections.Where(c => c.Vantage == Vantage.Server).Select(c => c.Server)];
        foreach (ConnectionFacts connection in connections)
        {
            for (int i = 0; i < connection.TimerWaits.Count; i++)
            {
                ref TimerWait wait = ref connection.TimerWaits[i];
                IpAddressValue host = wait.Side == 0 ? connection.Client : connection.Server;
                if (beside.Contains(host) && connection.Client != connection.Server && silences.TryGetValue(host, out HostSilences? heard)
                    && heard.At(wait.LastCopyNs) is { } silence)
                {
                    wait.SilenceNs = Math.Min(silence.ToNs, connection.LastNs) - silence.FromNs;
                    bool held = wait.AnsweredNs >= silence.ToNs && wait.AnsweredNs - silence.ToNs <= AtOnceNs;
                    bool deaf = wait.AnsweredNs == long.MaxValue && silence.FromNs <= wait.FirstCopyNs;
                    if (held || deaf)
                    {
                        (CollectionsMarshal.GetValueRefOrAddDefault(waits, (host, silence.FromNs), out _) ??= []).Add((connection, i));
                    }
                }
            }
        }

        foreach (List<(ConnectionFacts Connection, int Index)> alike in waits.Values)
        {
            Mark(alike);
        }
    }

    private static void Mark(List<(ConnectionFacts Connection, int Index)> alike)
    {
        (ConnectionFacts Connection, int Index)[] held = [.. alike.Where(w => w.Connection.TimerWaits[w.Index].AnsweredNs != long.MaxValue)];
        long[] copiesNs = [.. held.Select(w => w.Connection.TimerWaits[w.Index].LastCopyNs)];
        bool stood = held.Select(w => w.Connection).Distinct().Count() >= Fewest && copiesNs.Max() - copiesNs.Min() >= ApartNs;
        bool deaf = alike.Select(w => (w.Connection.Client, w.Connection.Server)).Distinct().Count() >= Fewest;
        foreach ((ConnectionFacts connection, int index) in alike)
        {
            ref TimerWait wait = ref connection.TimerWaits[index];
            wait.IsHeld = stood && wait.AnsweredNs != long.MaxValue;
            wait.IsDeaf = deaf && wait.AnsweredNs == long.MaxValue;
        }
    }
}
