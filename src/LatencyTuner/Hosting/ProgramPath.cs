using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>How this program can be called from the shell that called it.</summary>
internal static class ProgramPath
{
    private const string Name = "latencytuner";

    /// <summary>The name where the shell finds this program by it; else its path, relative to the current folder where that is shorter.</summary>
    public static string AsTyped()
    {
        string? path = Environment.ProcessPath;
        if (path is null || !string.Equals(Path.GetFileNameWithoutExtension(path), Name, StringComparison.OrdinalIgnoreCase))
        {
            // Run by the dotnet host, or under another name.
            return Name;
        }

        string file = Path.GetFileName(path);
        string[] folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
        return folders.Any(f => File.Exists(Path.Combine(f, file))) ? Name : Shown(path, Environment.CurrentDirectory);
    }

    /// <summary>A path as a shell runs it from a folder.</summary>
    /// <param name="path">The full path of the program.</param>
    /// <param name="folder">The current folder of the shell.</param>
    internal static string Shown(string path, string folder)
    {
        string relative = Path.GetRelativePath(folder, path);
        string shown = Path.IsPathRooted(relative) || relative.StartsWith("..", StringComparison.Ordinal) ? path
            : relative.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal) ? relative
            : $".{Path.DirectorySeparatorChar}{relative}";
        string word = ShellQuoting.Of(shown, OperatingSystem.IsWindows());
        return word != shown && OperatingSystem.IsWindows() ? "& " + word : word;
    }
}
