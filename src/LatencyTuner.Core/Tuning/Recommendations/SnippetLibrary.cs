using System.Reflection;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>The embedded snippets: one file per cure and language.</summary>
public static class SnippetLibrary
{
    private const string Prefix = "snippet/";

    private static readonly Lazy<Dictionary<string, string>> Loaded = new(Load);

    /// <summary>The languages that are shown unless others are asked for.</summary>
    public static IReadOnlyList<string> Defaults { get; } = ["csharp", "c"];

    /// <summary>The cures that have snippets.</summary>
    public static IReadOnlyList<string> Cures { get; } = ["one-write", "nodelay", "ack-frequency", "buffers"];

    /// <summary>The snippet of a cure in a language; null when there is none.</summary>
    /// <param name="cure">One of <see cref="Cures"/>.</param>
    /// <param name="language">One of <see cref="CodeSnippet.Languages"/>.</param>
    public static CodeSnippet? Find(string cure, string language) =>
        Loaded.Value.TryGetValue($"{cure}.{language}", out string? text) ? new(language, text) : null;

    private static Dictionary<string, string> Load()
    {
        Assembly assembly = typeof(SnippetLibrary).Assembly;
        return assembly.GetManifestResourceNames().Where(n => n.StartsWith(Prefix, StringComparison.Ordinal)).ToDictionary(n => n[Prefix.Length..], n =>
        {
            using StreamReader reader = new(assembly.GetManifestResourceStream(n)!);
            return reader.ReadToEnd().Replace("\r\n", "\n", StringComparison.Ordinal).TrimEnd('\n');
        });
    }
}
