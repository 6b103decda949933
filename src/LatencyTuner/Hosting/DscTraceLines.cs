using System.Text.Json;
using LatencyTuner.Core.Tuning.Dsc;

namespace LatencyTuner.Hosting;

/// <summary>What DSC reads on stderr: one JSON object a line, in ASCII, with the level as the name of its only property.</summary>
/// <param name="error">Where the lines go.</param>
/// <param name="level">DSC_TRACE_LEVEL: the least important level that is wanted; warnings without it, as DSC does.</param>
internal sealed class DscTraceLines(TextWriter error, string? level)
{
    private readonly DscTraceLevel _least =
        Enum.TryParse(level, ignoreCase: true, out DscTraceLevel wanted) && Enum.IsDefined(wanted) ? wanted : DscTraceLevel.Warn;

    /// <summary>Writes a sentence, unless its level is not wanted.</summary>
    public void Write(DscTraceLevel of, string sentence)
    {
        if (of > _least)
        {
            return;
        }

        string name = JsonNamingPolicy.CamelCase.ConvertName($"{of}");
        lock (error)
        {
            error.Write($"{{\"{name}\":\"{JsonEncodedText.Encode(sentence)}\"}}\n");
            error.Flush();
        }
    }
}
