using System.Text.Json;
using LatencyTuner.Core.Reporting.Model;

namespace LatencyTuner.Core.Reporting;

/// <summary>Writes an analysis by generated code, its two long arrays on two threads.</summary>
internal static class AnalysisJson
{
    // Pieces of some tens of kilobytes: a connection takes about 6 kB, a transaction half of one.
    private const int ConnectionsInPiece = 16;
    private const int TransactionsInPiece = 128;

    /// <summary>Writes the document.</summary>
    /// <param name="json">At its beginning.</param>
    /// <param name="text">What <paramref name="json"/> writes to.</param>
    /// <param name="report">The document.</param>
    /// <exception cref="ArgumentException">A required figure is not a finite number; some of it may have been written.</exception>
    internal static void Write(Utf8JsonWriter json, AsciiTextBuffer text, AnalysisReport report)
    {
        AnalysisJsonContext code = AnalysisJsonContext.Default;
        using ArrayInPieces<AnalysedConnection> connections = new(report.Connections, ConnectionsInPiece, code.AnalysedConnection.SerializeHandler!);
        using ArrayInPieces<AnalysedTransaction> transactions = new(report.Transactions, TransactionsInPiece, code.AnalysedTransaction.SerializeHandler!);
        json.WriteStartObject();
        json.WriteString("schema", report.Schema);
        json.WriteBoolean("complete", report.Complete);
        json.WriteString("text", report.Text);
        Property("inputs", code.IReadOnlyListAnalysedInput.SerializeHandler!, report.Inputs);
        Property("hosts", code.IReadOnlyListAnalysedHost.SerializeHandler!, report.Hosts);
        Property("processes", code.IReadOnlyListAnalysedProcess.SerializeHandler!, report.Processes);
        connections.Write(json, text, "connections");
        json.WriteNumber("connectionCount", report.ConnectionCount);
        transactions.Write(json, text, "transactions");
        json.WriteNumber("transactionCount", report.TransactionCount);
        Property("observations", code.IReadOnlyListAnalysisObservation.SerializeHandler!, report.Observations);
        Property("findings", code.IReadOnlyListFinding.SerializeHandler!, report.Findings);
        json.WritePropertyName("example");
        code.AnalysisLadder.SerializeHandler!(json, report.Example!);
        Property("pairs", code.IReadOnlyListPairedConnection.SerializeHandler!, report.Pairs);
        Property("notes", code.IReadOnlyListString.SerializeHandler!, report.Notes);
        json.WriteEndObject();

        void Property<T>(string name, Action<Utf8JsonWriter, IReadOnlyList<T>> write, IReadOnlyList<T> value)
        {
            json.WritePropertyName(name);
            write(json, value);
        }
    }
}
