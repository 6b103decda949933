using System.Text;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>The entry of a batch in the Event Log: one for each batch that changed something, or that failed on the way.</summary>
/// <param name="Id">The event id, fixed for good: alarms depend on it.</param>
/// <param name="IsError">True for an error, false for an information.</param>
/// <param name="Text">Operator, ticket, and each value before and after.</param>
public sealed record BatchEvent(int Id, bool IsError, string Text)
{
    /// <summary>A batch was applied.</summary>
    public const int Applied = 1000;

    /// <summary>Values were put back.</summary>
    public const int RolledBack = 1001;

    /// <summary>An apply or a rollback failed on the way.</summary>
    public const int Failed = 1002;

    /// <summary>The most characters of a text: an insertion string of ReportEvent takes 31,839 (learn.microsoft.com, ReportEventW).</summary>
    public const int MaxLength = 31_000;

    /// <summary>The entry of a result; null when nothing was changed and nothing failed on the way.</summary>
    /// <param name="result">The result of an apply or a rollback.</param>
    /// <param name="who">The operator, as DOMAIN\user.</param>
    /// <param name="ticket">The change ticket; null for none.</param>
    public static BatchEvent? Of(TuningResult result, string who, string? ticket)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(who);
        int? id = (result.Operation, result.Outcome) switch
        {
            ("apply", TuningOutcome.Done) => Applied,
            ("rollback", TuningOutcome.Done) => RolledBack,
            ("apply" or "rollback", TuningOutcome.RolledBack or TuningOutcome.Incomplete) => Failed,
            _ => null,
        };
        if (id is null)
        {
            return null;
        }

        StringBuilder text = new(
            $"latencytuner {result.Operation}: {result.Text}\r\nBatch: {result.Batch ?? "several"}\r\nOperator: {who}\r\nTicket: {ticket ?? "none"}\r\n");
        foreach (ChangeOutcome outcome in result.Changes)
        {
            (string? before, string? after) = (ChangeSentences.Show(outcome.Change.Before), ChangeSentences.Show(outcome.Change.After));
            if (result.Operation == "rollback")
            {
                (before, after) = (after, before);
            }

            text.Append("\r\n").Append(outcome.Change.Name).Append(": ").Append(outcome.Change.Location).Append(", from ").Append(before).Append(" to ")
                .Append(after)
                .Append(", ").Append(SettingStatus(outcome.Change.Status));
        }

        string all = EventText.Escape(text.ToString());
        return new(id.Value, id == Failed, all.Length <= MaxLength ? all : all[..MaxLength] + "\r\n... (the journal has the whole text)");
    }

    private static string SettingStatus(ChangeStatus status) => status == ChangeStatus.RolledBack ? "rolled back" : status.ToString().ToLowerInvariant();
}
