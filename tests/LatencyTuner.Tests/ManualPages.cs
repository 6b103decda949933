using System.Runtime.CompilerServices;

namespace LatencyTuner.Tests;

/// <summary>The pages of the manual: <c>README.md</c> and everything in <c>docs</c>, named by their path in the repository.</summary>
internal static class ManualPages
{
    /// <summary>The first page.</summary>
    public const string Readme = "README.md";

    /// <summary>The folder of the repository.</summary>
    public static string Root { get; } = RootOf();

    /// <summary>README first, then the others by name.</summary>
    public static IReadOnlyList<string> All { get; } =
    [
        Readme,
        .. Directory.GetFiles(Path.Combine(Root, "docs"), "*.md").Select(p => $"docs/{Path.GetFileName(p)}").Order(StringComparer.Ordinal),
    ];

    /// <summary>The lines of a page.</summary>
    public static string[] Lines(string page) => File.ReadAllLines(Path.Combine(Root, page));

    /// <summary>The lines of a page that are in no block of code.</summary>
    public static IEnumerable<string> Prose(string page)
    {
        bool code = false;
        foreach (string line in Lines(page))
        {
            if (line.StartsWith("```", StringComparison.Ordinal))
            {
                code = !code;
            }
            else if (!code)
            {
                yield return line;
            }
        }
    }

    private static string RootOf([CallerFilePath] string path = "") => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(path)!, "..", ".."));
}
