using LatencyTuner.Core.Histograms;

namespace LatencyTuner.Core.Reporting.Model;

/// <summary>Reads the histograms that a measurement document contains.</summary>
internal static class StoredHistograms
{
    /// <summary>Decodes one histogram.</summary>
    /// <exception cref="ExpectedFailureException">The text is not base64 of a HdrHistogram V2 compressed histogram.</exception>
    internal static LatencyHistogram Decode(string base64)
    {
        byte[] bytes = new byte[((base64.Length / 4) + 1) * 3];
        return Convert.TryFromBase64String(base64, bytes, out int length)
            ? LatencyHistogram.DecodeCompressedV2(bytes.AsSpan(0, length))
            : throw new ExpectedFailureException(ExitCode.Input, "A stored histogram is not base64; the file was damaged or edited.");
    }
}
