namespace LatencyTuner.Hosting;

/// <summary>What Linux tells a process about itself; nothing on other systems.</summary>
internal static class ProcSelf
{
    /// <summary>The rest of the line that begins with a name.</summary>
    /// <param name="file">The file in /proc/self, such as <c>status</c>.</param>
    /// <param name="name">How the line begins.</param>
    /// <returns>Without white space around it; null when there is no such file or line.</returns>
    public static string? Line(string file, string name)
    {
        string path = $"/proc/self/{file}";
        try
        {
            return File.Exists(path) ? File.ReadLines(path).FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?[name.Length..].Trim() : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
