using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Next steps as text: a sentence wraps, a command line never does, because half a command does not work when it is pasted.</summary>
internal static class NextStepLines
{
    private const string Indent = TextReportWriter.Indent;

    internal static void Heading(TextCanvas text) => text.Wrapped("Next", "", "", bold: true);

    /// <summary>Adds a step: a sentence, or a command line with its note behind it as a comment; above it where one row is too short for both.</summary>
    internal static void Write(TextCanvas text, string step, int width)
    {
        int note = step.IndexOf(NextStep.NoteStart, StringComparison.Ordinal);
        if (note < 0 && step.TrimEnd().EndsWith('.'))
        {
            text.Wrapped(step, Indent, Indent + Indent);
        }
        else if (note < 0 || Indent.Length + step.Length <= width)
        {
            text.Line(Indent + text.Clean(step));
        }
        else
        {
            string lead = step[(note + NextStep.NoteStart.Length)..];
            text.Wrapped(char.ToUpperInvariant(lead[0]) + lead[1..] + ":", Indent, Indent + Indent);
            text.Line(Indent + Indent + text.Clean(step[..note]));
        }
    }
}
