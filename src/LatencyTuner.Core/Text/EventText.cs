namespace LatencyTuner.Core.Text;

/// <summary>Texts of the Event Log.</summary>
public static class EventText
{
    /// <summary>
    /// The text as it is to be handed over, since a percent sign before a digit is a place to insert into (learn.microsoft.com, ReportEventW).
    /// </summary>
    /// <param name="text">Any text.</param>
    public static string Escape(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return string.Concat(text.Select((c, i) => c == '%' && i + 1 < text.Length && char.IsAsciiDigit(text[i + 1]) ? "% " : c.ToString()));
    }
}
