using System.Globalization;
using System.Runtime.CompilerServices;

namespace LatencyTuner.Tests.Statistics;

/// <summary>Files made once by an independent implementation; the script that made them lies beside them.</summary>
internal static class GoldenFiles
{
    public static string[] Lines(string name, [CallerFilePath] string path = "") =>
        File.ReadAllLines(Path.Combine(Path.GetDirectoryName(path)!, "golden", name));

    public static double Number(string text) => text == "nan" ? double.NaN : double.Parse(text, CultureInfo.InvariantCulture);
}
