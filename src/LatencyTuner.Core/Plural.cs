using System.Globalization;

namespace LatencyTuner.Core;

/// <summary>A number of things with its noun.</summary>
internal static class Plural
{
    /// <summary>"1 connection", "2 connections".</summary>
    public static string Of(long count, string noun) => $"{count.ToString(CultureInfo.InvariantCulture)} {Noun(count, noun)}";

    /// <summary>"1 connection was", "2 connections were".</summary>
    public static string Were(long count, string noun) => $"{Of(count, noun)} {(count == 1 ? "was" : "were")}";

    /// <summary>The noun alone, as the number asks for it.</summary>
    public static string Noun(long count, string noun) => count == 1 ? noun : noun + "s";
}
