using System.Globalization;
using System.IO.Compression;

namespace LatencyTuner.Tests.Capture;

/// <summary>What tshark said about each TCP frame of a capture.</summary>
internal sealed class TsharkRows
{
    private readonly Dictionary<string, int> _columns;

    private TsharkRows(Dictionary<string, int> columns, Dictionary<long, string[]> rows) => (_columns, Rows) = (columns, rows);

    /// <summary>Rows by frame number; rows of tunnels, which have two values in a field, are left out.</summary>
    public Dictionary<long, string[]> Rows { get; }

    public static TsharkRows Read(string path)
    {
        using StreamReader reader = new(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        string[] header = reader.ReadLine()!.Split('\t');
        Dictionary<string, int> columns = header.Select((name, i) => (name, i)).ToDictionary(c => c.name, c => c.i);
        Dictionary<long, string[]> rows = [];
        while (reader.ReadLine() is { } line)
        {
            string[] fields = line.Split('\t');
            if (!fields[columns["tcp.srcport"]].Contains(','))
            {
                rows.Add(long.Parse(fields[0], CultureInfo.InvariantCulture), fields);
            }
        }

        return new TsharkRows(columns, rows);
    }

    public string Field(string[] row, string name) => row[_columns[name]];

    public bool Has(string[] row, string name) => Field(row, name).Length > 0;

    /// <summary>The round trip of an ACK in nanoseconds; 0 where the frame it answers is named and no value is; null where there is neither.</summary>
    public long? RoundTripNs(string[] row) =>
        Has(row, "tcp.analysis.ack_rtt")
            ? (long)Math.Round(decimal.Parse(Field(row, "tcp.analysis.ack_rtt"), NumberStyles.Float, CultureInfo.InvariantCulture) * 1_000_000_000m)
        : Has(row, "tcp.analysis.acks_frame") ? 0
        : null;
}
