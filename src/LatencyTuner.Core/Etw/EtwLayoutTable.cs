using System.Globalization;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Etw;

/// <summary>The built-in layouts, read from the embedded table (Etw/Tables/events.tsv).</summary>
internal static class EtwLayoutTable
{
    private static readonly Lazy<IReadOnlyList<EtwEventLayout>> Embedded = new(ReadEmbedded);

    /// <summary>Every built-in layout, by provider, number and version. An event without known fields has only a name.</summary>
    public static IReadOnlyList<EtwEventLayout> All => Embedded.Value;

    internal static EtwField[] ParseFields(string text)
    {
        if (text == "-")
        {
            return [];
        }

        string[] parts = text.Split(',');
        string[] names = new string[parts.Length];
        EtwFieldType[] types = new EtwFieldType[parts.Length];
        string?[] lengths = new string?[parts.Length];
        for (int i = 0; i < parts.Length; i++)
        {
            int colon = parts[i].IndexOf(':', StringComparison.Ordinal);
            int bracket = parts[i].IndexOf('[', StringComparison.Ordinal);
            names[i] = parts[i][..colon];
            types[i] = Enum.Parse<EtwFieldType>(bracket < 0 ? parts[i][(colon + 1)..] : parts[i][(colon + 1)..bracket]);
            lengths[i] = bracket < 0 ? null : parts[i][(bracket + 1)..^1];
        }

        List<string?> kept = lengths.Where(l => l is not null).Distinct().ToList();
        return [.. names.Select((name, i) => new EtwField
        {
            Name = name,
            Type = types[i],
            KeptIn = kept.IndexOf(name),
            LengthIn = lengths[i] is { } length ? kept.IndexOf(length) : -1,
        })];
    }

    private static List<EtwEventLayout> ReadEmbedded()
    {
        using Stream stream = typeof(EtwLayoutTable).Assembly.GetManifestResourceStream("etw/events.tsv")
            ?? throw new InvalidOperationException("The table of events is not embedded.");
        using StreamReader reader = new(stream);
        List<EtwEventLayout> all = [];
        while (reader.ReadLine() is { } line)
        {
            string[] cells = line.Split('\t');
            all.Add(new EtwEventLayout
            {
                Provider = Guid.Parse(cells[0]),
                Number = int.Parse(cells[1], CultureInfo.InvariantCulture),
                Version = byte.Parse(cells[2], CultureInfo.InvariantCulture),
                IsClassic = cells[3] == "classic",
                Name = cells[4],
                Level = byte.Parse(cells[5], CultureInfo.InvariantCulture),
                Keywords = ulong.Parse(cells[6].AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
                Meaning = cells[7] == "-" ? TcpEventKind.None : Enum.Parse<TcpEventKind>(cells[7]),
                IsVerified = cells[8] == "yes",
                Required = int.Parse(cells[9], CultureInfo.InvariantCulture),
                Fields = ParseFields(cells[10]),
            });
        }

        return all;
    }
}
