using System.Globalization;
using System.Text.RegularExpressions;

namespace LatencyTuner.Coverage;

/// <summary>
/// <c>instrument POINTS FOLDER...</c> marks the statements of the folders of Windows in the program of these folders; <c>report POINTS HITS DOCUMENT</c> prints
/// what ran, and fails when too little did.
/// </summary>
internal static partial class Program
{
    private const double LeastShare = 0.9;
    private static readonly string[] Assemblies = ["latencytuner.dll", "LatencyTuner.Core.dll"];

    private static int Main(string[] arguments) => arguments switch
    {
        ["instrument", var points, .. var folders] => Instrument(points, folders),
        ["report", var points, var hits, var document] => Report(ReadPoints(points), File.ReadAllBytes(hits), File.ReadAllText(document)),
        _ => throw new ArgumentException("usage: instrument POINTS FOLDER... | report POINTS HITS DOCUMENT"),
    };

    private static int Instrument(string pointsPath, string[] folders)
    {
        List<Point> points = ReadPoints(pointsPath);
        Instrumenter instrumenter = new(points);
        foreach (string assembly in folders.SelectMany(f => Assemblies.Select(a => Path.Combine(f, a))))
        {
            Console.WriteLine($"{assembly}: {instrumenter.Instrument(assembly)} statements");
        }

        File.WriteAllLines(pointsPath, points.Select(p => string.Create(CultureInfo.InvariantCulture, $"{p.File}\t{p.Line}\t{p.Column}\t{p.Member}")));
        return 0;
    }

    private static List<Point> ReadPoints(string path) => !File.Exists(path) ? []
        : [.. File.ReadAllLines(path).Select(l => l.Split('\t')).Select(f => new Point(f[0], Number(f[1]), Number(f[2]), f[3]))];

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static int Report(List<Point> points, byte[] hits, string document)
    {
        List<Listed> listed =
        [
            .. Rows().Matches(document).Select(m => new Listed(
                m.Groups[1].Value, [.. Names().Matches(m.Groups[2].Value).Select(n => n.Groups[1].Value)], Number(m.Groups[3].Value))),
        ];
        Dictionary<string, Listed> byMember = listed.SelectMany(l => l.Members.Select(m => (m, l))).ToDictionary(p => p.m, p => p.l);
        List<Line> lines =
        [
            .. points.Select((p, i) => (Point: p, Hit: hits[i] != 0)).GroupBy(p => (p.Point.File, p.Point.Line))
                .Select(g => new Line(g.Key.File, g.Key.Line, g.First().Point.Member, g.Any(p => p.Hit))),
        ];
        bool failed = false;
        Console.WriteLine($"{"file",-66} {"lines",5} {"ran",5} {"listed",6} {"of the rest",11}");
        foreach (IGrouping<string, Line> file in lines.GroupBy(l => l.File).OrderBy(g => g.Key, StringComparer.Ordinal))
        {
            Print(file.Key, [.. file], byMember);
        }

        double share = Print("all", lines, byMember);
        foreach (Listed row in listed)
        {
            int now = lines.Count(l => !l.Ran && byMember.GetValueOrDefault(l.Member) == row);
            if (now > row.Lines || row.Members.Any(m => lines.TrueForAll(l => l.Member != m)))
            {
                failed = true;
                Console.WriteLine($"FAIL  {row.Call}: {now} lines did not run, the document lists {row.Lines} in {string.Join(", ", row.Members)}");
            }
            else if (now < row.Lines)
            {
                Console.WriteLine($"The document can list {now} lines instead of {row.Lines} for {row.Call}.");
            }
        }

        foreach (Line line in lines.Where(l => !l.Ran && !byMember.ContainsKey(l.Member)).OrderBy(l => l.File, StringComparer.Ordinal).ThenBy(l => l.Number))
        {
            Console.WriteLine($"did not run: {line.File}:{line.Number} {line.Member}");
        }

        int unanswered = lines.Count(l => !l.Ran && byMember.ContainsKey(l.Member));
        Console.WriteLine(
            $"{unanswered} lines wait for {listed.Count} calls that nothing here answers; of the others {share:P1} ran, at least {LeastShare:P0} must");
        return failed || share < LeastShare ? 1 : 0;
    }

    private static double Print(string name, List<Line> lines, Dictionary<string, Listed> byMember)
    {
        int ran = lines.Count(l => l.Ran), listed = lines.Count(l => !l.Ran && byMember.ContainsKey(l.Member));
        double share = lines.Count == listed ? 1 : (double)ran / (lines.Count - listed);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name,-66} {lines.Count,5} {ran,5} {listed,6} {share,11:P1}"));
        return share;
    }

    /// <summary>A row of the document: the call, the members behind it, and how many of their lines cannot run here.</summary>
    [GeneratedRegex(@"^\| (`[^|]*) \| (`[^|]*) \| (\d+) \|", RegexOptions.Multiline)]
    private static partial Regex Rows();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Names();

    private sealed record Listed(string Call, string[] Members, int Lines);

    private sealed record Line(string File, int Number, string Member, bool Ran);
}
