using System.Globalization;

namespace LatencyTuner.Tests.Etw;

/// <summary>A reference text that PerfView made of a trace on Windows: counts of all events, and many single ones.</summary>
internal sealed class BaselineFile
{
    private BaselineFile(IReadOnlyList<BaselineEvent> events, IReadOnlyDictionary<string, int> counts) => (Events, Counts) = (events, counts);

    internal IReadOnlyList<BaselineEvent> Events { get; }

    internal IReadOnlyDictionary<string, int> Counts { get; }

    internal static BaselineFile Read(string name)
    {
        List<BaselineEvent> events = [];
        Dictionary<string, int> counts = [];
        foreach (string line in File.ReadLines(EtlSamples.Path(name)))
        {
            if (line.StartsWith("COUNT ", StringComparison.Ordinal))
            {
                int colon = line.LastIndexOf(':');
                counts.Add(line[6..colon], int.Parse(line[(colon + 1)..], NumberStyles.AllowThousands, CultureInfo.InvariantCulture));
            }
            else if (line.StartsWith("EVENT ", StringComparison.Ordinal))
            {
                events.Add(Event(line));
            }
        }

        return new BaselineFile(events, counts);
    }

    private static BaselineEvent Event(string line)
    {
        int colon = line.IndexOf(": ", StringComparison.Ordinal);
        int pid = line.IndexOf(" PID=", StringComparison.Ordinal);
        long timeUs = (long)(decimal.Parse(line[6..colon], NumberStyles.AllowThousands | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) * 1000);
        Dictionary<string, string> fields = new();
        foreach (string part in line[(pid + 1)..].Split("; ", StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals > 0)
            {
                fields.TryAdd(part[..equals], part[(equals + 1)..]);
            }
        }

        return new BaselineEvent(line, timeUs, line[(colon + 2)..pid], fields);
    }
}
