using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Names of files as they are given: PowerShell and cmd pass patterns on, and a folder may hold the documents of a fleet.</summary>
internal static class InputNames
{
    private const string Documents = "*.json";

    /// <summary>The files that a word of the command line names, in order of their names; the word itself where it is no pattern, or matches nothing.</summary>
    /// <param name="path">A file, a pattern with <c>*</c> or <c>?</c> in its last part, or a folder.</param>
    public static IReadOnlyList<string> Of(string path)
    {
        if (path == CliHost.StandardInput || File.Exists(path))
        {
            return [path];
        }

        try
        {
            if (Directory.Exists(path))
            {
                string[] documents = Sorted(path, Documents);
                return documents.Length == 0 ? [path] : documents;
            }

            string pattern = Path.GetFileName(path);
            string folder = Path.GetDirectoryName(path) is { Length: > 0 } given ? given : ".";
            if (pattern.IndexOfAny(['*', '?']) >= 0 && Directory.Exists(folder))
            {
                string[] found = Sorted(folder, pattern);
                return found.Length == 0 ? [path] : folder == "." ? [.. found.Select(f => Path.GetFileName(f))] : found;
            }
        }
        catch (Exception e) when (UnreadableFile.Explains(e))
        {
            // Opening it says why, in one sentence.
        }

        return [path];
    }

    private static string[] Sorted(string folder, string pattern) => [.. Directory.EnumerateFiles(folder, pattern).Order(StringComparer.Ordinal)];
}
