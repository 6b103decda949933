using System.Globalization;
using System.Text;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>A table in the format of RFC 4180: CRLF, quotes doubled, a header line; figures in the invariant culture.</summary>
internal sealed class CsvTable
{
    private readonly StringBuilder _text = new();
    private readonly int _columns;

    internal CsvTable(params string[] header)
    {
        _columns = header.Length;
        Row(header);
    }

    /// <summary>Adds a row; null is an empty field.</summary>
    internal void Row(params object?[] values)
    {
        if (values.Length != _columns)
        {
            throw new ArgumentException($"The table has {_columns} columns, not {values.Length}.", nameof(values));
        }

        _text.AppendJoin(',', values.Select(Field)).Append("\r\n");
    }

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    private static string Field(object? value) => value switch
    {
        null => "",
        double number => double.IsFinite(number) ? number.ToString("0.######", CultureInfo.InvariantCulture) : "",
        bool flag => flag ? "true" : "false",
        DateTime time => Field(new DateTimeOffset(time.ToUniversalTime())),
        DateTimeOffset time => time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture),
        IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
        _ => Text(value.ToString() ?? ""),
    };

    private static string Text(string value)
    {
        // What comes from a peer or a file must not steer the terminal that shows this one.
        if (value.Any(IsHarmful))
        {
            value = string.Concat(value.Select(c => IsHarmful(c) ? '?' : c));
        }

        // A spreadsheet evaluates a field that starts like a formula; the apostrophe makes it text.
        if (value.Length > 0 && value.TrimStart(' ') is ['=' or '+' or '-' or '@' or '\t' or '\r' or '\n', ..])
        {
            value = "'" + value;
        }

        return value.AsSpan().IndexOfAny(",\"\r\n") >= 0 || value.StartsWith(' ') || value.EndsWith(' ')
            ? "\"" + value.Replace("\"", "\"\"", StringComparison.Ordinal) + "\""
            : value;
    }

    private static bool IsHarmful(char c) => char.IsControl(c) && c is not ('\t' or '\r' or '\n');
}
