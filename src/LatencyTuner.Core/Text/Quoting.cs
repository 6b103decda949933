namespace LatencyTuner.Core.Text;

/// <summary>Values of untrusted input in sentences.</summary>
internal static class Quoting
{
    /// <summary>A value quoted, cut to a readable length and without control characters.</summary>
    internal static string Quote(string value)
    {
        string cut = value.Length > 60 ? value[..60] + "..." : value;
        return "\"" + string.Concat(cut.Select(c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c)) + "\"";
    }
}
