using System.Text.RegularExpressions;
using LatencyTuner.Core.Text;
using Xunit;

namespace LatencyTuner.Tests.Text;

/// <summary>A count and its noun agree, everywhere.</summary>
public sealed partial class CountedNouns
{
    [Theory]
    [InlineData(1, "reply", "1 reply")]
    [InlineData(2, "reply", "2 replies")]
    [InlineData(0, "registry key", "0 registry keys")]
    [InlineData(12_000, "process", "12,000 processes")]
    [InlineData(3, "batch", "3 batches")]
    [InlineData(1, "batch", "1 batch")]
    public void Of_AgreesWithItsCount(long count, string noun, string expected) => Assert.Equal(expected, Counted.Of(count, noun));

    /// <summary>
    /// A figure in a text with a plural behind it is a count that may be 1, unless it is a constant, a limit or a size of a format: such a place uses
    /// <see cref="Counted"/>.
    /// </summary>
    [Fact]
    public void Sources_WriteCountsThroughOneHelper()
    {
        List<string> faults = [];
        foreach (string file in Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.cs", SearchOption.AllDirectories)
            .Where(f => !f.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal)))
        {
            string[] lines = File.ReadAllLines(file);
            for (int i = 0; i < lines.Length; i++)
            {
                string line = lines[i].TrimStart().StartsWith("///", StringComparison.Ordinal) ? "" : lines[i];
                faults.AddRange(Plurals().Matches(line).Where(m => !Constant().IsMatch(m.Groups["value"].Value))
                    .Select(m => $"{Path.GetFileName(file)}:{i + 1} {m.Value}"));
            }
        }

        Assert.Empty(faults);
    }

    [GeneratedRegex(
        @"\{(?<value>[^{}""]+)\} (stalls|requests|replies|connections|rounds|packets|segments|samples|findings|rows|events|buffers|waits|transactions|"
        + @"records|streams|processors|retransmissions|losses)\b(?!/s| per)")]
    private static partial Regex Plurals();

    /// <summary>No number, a constant, or a limit that is never 1.</summary>
    [GeneratedRegex("^ $|^sender$|^(few|most|least|Few|Most|Least|Max|Min)[A-Za-z]*$|^[A-Za-z.]*(Most|Fewest|Max)[A-Za-z.]*$")]
    private static partial Regex Constant();
}
