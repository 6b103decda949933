namespace LatencyTuner.Core.Text;

/// <summary>Texts of the Event Log.</summary>
public static class EventText
{
    /// <summary>
    /// The text as the Event Log needs it, since a percent sign before a digit is an insertion sequence there (learn.microsoft.com, ReportEventW).
    /// </summary>
    /// <param name="text">Any text.</param>
    public static string Escape(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return string.Concat(text.Select((c, i) => c == '%' && i + 1 < text.Length && char.IsAsciiDigit(text[i + 1]) ? "% " : c.ToString()));
    }
}
