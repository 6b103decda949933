namespace LatencyTuner.Core.Reporting.Packing;

/// <summary>Names of files in a pack, which every system can unpack, whatever the files were called.</summary>
internal static class PackNames
{
    private const int Most = 60;

    private static readonly HashSet<string> Reserved = new(StringComparer.OrdinalIgnoreCase)
    {
        "CON", "PRN", "AUX", "NUL", "COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9",
        "LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
    };

    /// <summary>A name: its number, what is safe of the given one, and an extension.</summary>
    /// <param name="folder">The folder in the pack.</param>
    /// <param name="number">A number that no other file of the folder has.</param>
    /// <param name="of">How many there are, so that names sort by number.</param>
    /// <param name="given">The name of the file, with folders or without.</param>
    /// <param name="extension">The extension, with its dot.</param>
    public static string Of(string folder, int number, int of, string given, string extension)
    {
        string name = given[(given.LastIndexOfAny(['/', '\\']) + 1)..];
        int dot = name.LastIndexOf('.');
        string bare = dot > 0 ? name[..dot] : name;
        string safe = string.Concat(bare.Take(Most).Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' ? c : '_')).Trim('.', '_');
        safe = safe.Length == 0 || Reserved.Contains(safe.Split('.')[0]) ? "file" : safe;
        int digits = Math.Max(2, of.ToString(System.Globalization.CultureInfo.InvariantCulture).Length);
        return $"{folder}/{number.ToString($"D{digits}", System.Globalization.CultureInfo.InvariantCulture)}-{safe}{extension}";
    }
}
