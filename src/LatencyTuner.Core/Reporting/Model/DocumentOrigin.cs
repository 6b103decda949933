namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Where a document comes from: what a change ticket asks for.</summary>
public sealed record DocumentOrigin
{
    /// <summary>Name of the machine on which the command ran.</summary>
    public string? Host { get; init; }

    /// <summary>The command line, without the options that only shape the output.</summary>
    public string? CommandLine { get; init; }

    /// <summary>Who ran the command, as given with <c>--operator</c>; null when it was not given.</summary>
    public string? Operator { get; init; }

    /// <summary>The ticket, as given with <c>--ticket</c>; null when it was not given.</summary>
    public string? Ticket { get; init; }

    /// <summary>The note, as given with <c>--note</c>; null when it was not given.</summary>
    public string? Note { get; init; }

    /// <summary>This origin with what the user says of it now.</summary>
    /// <param name="now">What was given now; what is null there stays as it is.</param>
    internal DocumentOrigin With(DocumentOrigin now) =>
        this with { Operator = now.Operator ?? Operator, Ticket = now.Ticket ?? Ticket, Note = now.Note ?? Note };
}
