using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Analysis.Selftest;

namespace LatencyTuner.Core.Reporting.Selftest;

/// <summary>What a proof on a real machine wrote: one line for each step in <c>steps.jsonl</c>, and the output of each beside it.</summary>
public sealed partial class ProofEvidence
{
    /// <summary>The file that lists the steps.</summary>
    public const string StepsFile = "steps.jsonl";

    /// <summary>The most that is read of one file, bytes: 16 MiB.</summary>
    public const int MaxFileBytes = 16 << 20;

    private const int MostSteps = 1000;
    private const string SelftestStep = "selftest";

    private readonly List<SelftestReport> _selftests = [];
    private readonly List<ProofRun> _runs = [];

    private ProofEvidence()
    {
    }

    /// <summary>The documents of the selftests: that of an administrator, then that of a standard user where there is one.</summary>
    internal IReadOnlyList<SelftestReport> Selftests => _selftests;

    /// <summary>The steps, in the order of the file.</summary>
    internal IReadOnlyList<ProofRun> Runs => _runs;

    /// <summary>Reads the evidence.</summary>
    /// <param name="open">The bytes of a file of the folder, at most <see cref="MaxFileBytes"/>; null when it is not there.</param>
    /// <param name="document">Reads a document: its bytes, and its name for error messages.</param>
    /// <param name="folder">The name of the folder, for error messages.</param>
    /// <exception cref="ExpectedFailureException"><see cref="ExitCode.Input"/>: it is no such folder; the message names file and line.</exception>
    public static ProofEvidence Read(Func<string, byte[]?> open, Func<byte[], string, SelftestReport> document, string folder)
    {
        ArgumentNullException.ThrowIfNull(open);
        ArgumentNullException.ThrowIfNull(document);
        byte[] steps = open(StepsFile)
            ?? throw new ExpectedFailureException(ExitCode.Input, $"{folder} has no {StepsFile}. Expected is the folder or the zip that prove.ps1 wrote.");
        ProofEvidence evidence = new();
        int number = 0;
        foreach (string line in Encoding.UTF8.GetString(steps).TrimStart('\uFEFF').Split('\n'))
        {
            number++;
            if (!string.IsNullOrWhiteSpace(line))
            {
                evidence.Add(open, document, line, $"{folder}, {StepsFile}, line {number}");
            }
        }

        return evidence._selftests.Count > 0 ? evidence
            : throw new ExpectedFailureException(
                ExitCode.Input, $"{folder} has no selftest. Expected is a step {SelftestStep} in {StepsFile} with its JSON document.");
    }

    private void Add(Func<string, byte[]?> open, Func<byte[], string, SelftestReport> document, string line, string where)
    {
        (ProofRun run, string? file) = Parse(line, where);
        byte[]? output = file is null ? null : open(file) ?? throw Bad(where, $"names {file}, which is not there");
        if (output is not null && file!.EndsWith(".json", StringComparison.Ordinal) && run.Step.StartsWith(SelftestStep, StringComparison.Ordinal))
        {
            _selftests.Add(document(output, file));
        }

        if (_runs.Count >= MostSteps)
        {
            throw Bad(where, $"is more than the {MostSteps} steps that are read");
        }

        _runs.Add(run with { Output = output is null ? "" : Encoding.UTF8.GetString(output) });
    }

    private static (ProofRun Run, string? File) Parse(string line, string where)
    {
        try
        {
            using JsonDocument json = JsonDocument.Parse(line);
            JsonElement root = json.RootElement;
            string? Text(string name) =>
                root.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value.GetString() : null;
            string step = Text("step") ?? throw Bad(where, "has no step");
            int? exitCode = root.TryGetProperty("exitCode", out JsonElement code) && code.ValueKind != JsonValueKind.Null ? code.GetInt32() : null;
            string? notRun = Text("notRun");
            string? file = Text("output");
            if (exitCode is null && notRun is null)
            {
                throw Bad(where, "has neither an exitCode nor a reason in notRun");
            }

            // What comes from elsewhere must not lead out of the folder.
            return file is not null && !FileName().IsMatch(file) ? throw Bad(where, "names an output that is no file of this folder")
                : (new ProofRun(step, exitCode, notRun, ""), file);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or FormatException)
        {
            throw Bad(where, "is no JSON object with step, exitCode or notRun, and output");
        }
    }

    private static ExpectedFailureException Bad(string where, string what) => new(ExitCode.Input, $"{where} {what}.");

    [GeneratedRegex(@"^[A-Za-z0-9][A-Za-z0-9-]{0,60}\.(txt|json)$")]
    private static partial Regex FileName();
}
