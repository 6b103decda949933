namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>Next steps as text: a sentence wraps, a command line never does, because half a command does not work when it is pasted.</summary>
internal static class NextStepLines
{
    private const string NoteStart = "   (";
    private const string Indent = TextReportWriter.Indent;

    internal static void Heading(TextCanvas text) => text.Wrapped("Next", "", "", bold: true);

    /// <summary>Adds a step: a sentence, or a command line below what it does and when it applies.</summary>
    internal static void Write(TextCanvas text, string step)
    {
        if (!IsCommand(step))
        {
            text.Wrapped(step, Indent, Indent + Indent);
            return;
        }

        (string lead, string command) = Parts(step);
        if (lead.Length > 0)
        {
            text.Wrapped(lead + ":", Indent, Indent + Indent);
        }

        text.Line(Indent + (lead.Length > 0 ? Indent : "") + text.Clean(command));
    }

    /// <summary>True for a command line with or without a note; a sentence ends in a full stop.</summary>
    internal static bool IsCommand(string step) => !step.TrimEnd().EndsWith('.');

    /// <summary>What the command does and when it applies, and the command itself: <c>When: command   (note)</c>.</summary>
    private static (string Lead, string Command) Parts(string step)
    {
        int note = step.EndsWith(')') ? step.LastIndexOf(NoteStart, StringComparison.Ordinal) : -1;
        string command = note < 0 ? step : step[..note];
        string does = note < 0 ? "" : step[(note + NoteStart.Length)..^1];
        int when = command.IndexOf(": ", StringComparison.Ordinal);
        string applies = when < 0 ? "" : command[..when];
        string lead = applies.Length == 0 ? does : does.Length == 0 ? applies : $"{applies} ({does})";
        return (lead.Length == 0 ? "" : char.ToUpperInvariant(lead[0]) + lead[1..], when < 0 ? command : command[(when + 2)..]);
    }
}
