using System.CommandLine;
using System.Text.Json;
using LatencyTuner.Core;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Inputs;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>--severity FILE</c>: other limits for warnings and errors.</summary>
internal static class SeverityOption
{
    private const int MaxBytes = 1 << 20;
    private static readonly string[] Names = ["warningShare", "errorShare", "longStallMs", "longStallsPerMinute"];

    public static Option<string?> Create() => new("--severity")
    {
        Description = "JSON file with other limits: " + string.Join(", ", Names) + ".",
        HelpName = "file",
    };

    /// <summary>The limits of the file; the standard ones without a file, and for what the file leaves out.</summary>
    public static SeverityLimits Read(CliHost host, string? path)
    {
        if (path is null)
        {
            return SeverityLimits.Standard;
        }

        try
        {
            using JsonDocument document = JsonDocument.Parse(TextFile.Decode(InputFile.ReadAll(path, host.OpenNamed, MaxBytes, "a file of limits")));
            if (document.RootElement.ValueKind != JsonValueKind.Object)
            {
                throw new ExpectedFailureException(ExitCode.Input, $"--severity {path}: one JSON object is expected, with any of {string.Join(", ", Names)}.");
            }

            SeverityLimits limits = SeverityLimits.Standard;
            foreach (JsonProperty property in document.RootElement.EnumerateObject())
            {
                limits = With(limits, path, property);
            }

            return limits.WarningShare <= limits.ErrorShare
                ? limits
                : throw new ExpectedFailureException(
                    ExitCode.Input, $"--severity {path}: warningShare {limits.WarningShare} must not be above errorShare {limits.ErrorShare}.");
        }
        catch (JsonException e)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"--severity {path}: line {e.LineNumber + 1}, column {e.BytePositionInLine + 1}: this is not JSON.", e);
        }
        catch (InvalidOperationException e)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"--severity {path}: a string in it is not valid Unicode.", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"--severity {path} cannot be read: {e.Message.TrimEnd('.')}.", e);
        }
    }

    private static SeverityLimits With(SeverityLimits limits, string path, JsonProperty property) => property.Name switch
    {
        "warningShare" => limits with { WarningShare = Number(path, property, 0, 1) },
        "errorShare" => limits with { ErrorShare = Number(path, property, 0, 1) },
        "longStallMs" => limits with { LongStallMs = Number(path, property, 1, 3_600_000) },
        "longStallsPerMinute" => limits with { LongStallsPerMinute = (int)Number(path, property, 1, 1_000_000) },
        _ => throw new ExpectedFailureException(
            ExitCode.Input, $"--severity {path}: '{Quoting.Plain(property.Name)}' is not a limit; valid are {string.Join(", ", Names)}."),
    };

    private static double Number(string path, JsonProperty property, double least, double most) =>
        property.Value.ValueKind == JsonValueKind.Number && property.Value.TryGetDouble(out double value) && value >= least && value <= most
            ? value
            : throw new ExpectedFailureException(
                ExitCode.Input,
                $"--severity {path}: {property.Name} is {Quoting.Plain(property.Value.GetRawText())}; a number from {least} to {most} is expected.");
}
