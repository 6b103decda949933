using System.Globalization;

namespace LatencyTuner.Core.Settings;

/// <summary>The numbers that are valid for a setting.</summary>
/// <param name="Min">The smallest valid number.</param>
/// <param name="Max">The largest valid number.</param>
/// <param name="Step">The distance between two valid numbers, counted from 0.</param>
/// <param name="Words">The words of an enumerated property with their numbers; empty when the values have no words.</param>
public sealed record AllowedNumbers(long Min, long Max, long Step, IReadOnlyDictionary<string, long> Words)
{
    /// <summary>True when a number is valid.</summary>
    /// <param name="number">The number to check.</param>
    public bool Allows(ulong number) =>
        number <= long.MaxValue && (long)number >= Min && (long)number <= Max && (long)number % Step == 0
        && (Words.Count == 0 || Words.Values.Contains((long)number));

    /// <summary>The word of a number; the number itself when it has no word.</summary>
    /// <param name="number">The number to name.</param>
    public string NameOf(ulong number)
    {
        foreach ((string? word, long value) in Words)
        {
            if ((ulong)value == number)
            {
                return word;
            }
        }

        return number.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The valid values as part of a sentence: <c>300 to 3000 in steps of 10</c>, <c>Disabled or Enabled</c>.</summary>
    public override string ToString() =>
        Words.Count > 0 ? string.Join(", ", Words.Select(w => $"{w.Key} ({w.Value})"))
        : $"{Min} to {Max}" + (Step == 1 ? "" : $" in steps of {Step}");
}
