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
        foreach (var line in File.ReadLines(EtlSamples.Path(name)))
        {
            if (line.StartsWith("COUNT ", StringComparison.Ordinal))
            {
                var colon = line.LastIndexOf(':');
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
        var colon = line.IndexOf(": ", StringComparison.Ordinal);
        var pid = line.IndexOf(" PID=", StringComparison.Ordinal);
        var timeUs = (long)(decimal.Parse(line[6..colon], NumberStyles.AllowThousands | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture) * 1000);
        var fields = new Dictionary<string, string>();
        foreach (var part in line[(pid + 1)..].Split("; ", StringSplitOptions.RemoveEmptyEntries))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals > 0)
                fields.TryAdd(part[..equals], part[(equals + 1)..]);
        }

        return new BaselineEvent(line, timeUs, line[(colon + 2)..pid], fields);
    }
}
