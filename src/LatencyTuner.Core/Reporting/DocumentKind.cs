using LatencyTuner.Core.Analysis;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Writers;

namespace LatencyTuner.Core.Reporting;

/// <summary>A kind of published document: its name, and how each output format is made from it.</summary>
internal sealed class DocumentKind
{
    private DocumentKind(string name, Type type, int version) => (Name, Type, Version) = (name, type, version);

    /// <summary>The published name, such as <c>under-load</c>: the middle of <c>latencytuner/under-load/2</c>.</summary>
    internal string Name { get; }

    /// <summary>The version that is written.</summary>
    internal int Version { get; }

    /// <summary>The type of its model; its schema is generated from it.</summary>
    internal Type Type { get; }

    /// <summary>Makes the page that text and HTML show; null for a kind that is never shown on its own.</summary>
    internal Func<Document, Page>? Page { get; private init; }

    /// <summary>Makes the CSV table; null for a kind without one.</summary>
    internal Func<Document, string>? Csv { get; private init; }

    /// <summary>Makes the JUnit cases from the document and the --fail-on severity as the user gave it; null for a kind without any.</summary>
    internal Func<Document, string, JUnitSuite>? JUnit { get; private init; }

    /// <summary>Gives a document that was read its verdict under the gate that the user sets now.</summary>
    internal Func<Document, Gate, Document> Judge { get; private init; } = (document, _) => document;

    /// <summary>A kind that commands print.</summary>
    internal static DocumentKind Of<T>(
        string name, Func<T, Page> page, Func<T, string> csv, Func<T, string, JUnitSuite> junit, Func<T, Gate, T>? judge = null)
        where T : Document => new(name, typeof(T), DocumentShape.Newest)
        {
            Page = document => page((T)document),
            Csv = document => csv((T)document),
            JUnit = (document, failOn) => junit((T)document, failOn),
            Judge = (document, gate) => judge is null ? document : judge((T)document, gate),
        };

    /// <summary>A kind that has only a schema: it is part of other documents, or a command of its own reads it.</summary>
    internal static DocumentKind WithSchemaOnly<T>(string name) => new(name, typeof(T), 1);
}
