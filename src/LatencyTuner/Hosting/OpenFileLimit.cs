using System.Globalization;

namespace LatencyTuner.Hosting;

/// <summary>How many files, sockets among them, this process may have open.</summary>
internal static class OpenFileLimit
{
    /// <summary>The limit in force; null where there is none, or the system does not tell it.</summary>
    public static long? Read()
    {
        const string Limits = "/proc/self/limits";
        const string Name = "Max open files";
        try
        {
            string? line = File.Exists(Limits) ? File.ReadLines(Limits).FirstOrDefault(l => l.StartsWith(Name, StringComparison.Ordinal)) : null;
            string? soft = line?[Name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();
            return long.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out long most) ? most : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
