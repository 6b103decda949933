using System.Globalization;

namespace LatencyTuner.Hosting;

/// <summary>How many files, sockets among them, this process may have open.</summary>
internal static class OpenFileLimit
{
    /// <summary>The limit in force; null where there is none, or the system does not tell it.</summary>
    public static long? Read() =>
        long.TryParse(ProcSelf.Line("limits", "Max open files")?.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out long most) ? most : null;
}
