using System.Globalization;
using System.Text;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Recordings.Captures;
using LatencyTuner.Core.Recordings.Captures.Rules;

namespace LatencyTuner.Tests.Recordings.Captures;

/// <summary>A folder of captures with known causes, judged: precision and recall by cause and vantage, and what is wrong.</summary>
internal sealed class TruthTable
{
    private readonly SortedDictionary<(string Cause, string Vantage), (int Found, int Missed)> _causes = [];
    private readonly SortedDictionary<(string Cause, string Vantage), int> _wrong = [];

    private readonly SortedDictionary<(string Kind, string Vantage), (int Captures, int Found, int Missed, int Wrong, int Costs, int Inside)> _kinds = [];

    private TruthTable()
    {
    }

    public List<string> Complaints { get; } = [];
    public int Found { get; private set; }
    public int Missed { get; private set; }
    public int Wrong { get; private set; }
    public int Costs { get; private set; }
    public int CostsInside { get; private set; }
    public double Precision => (double)Found / Math.Max(1, Found + Wrong);
    public double Recall => (double)Found / Math.Max(1, Found + Missed);

    public static TruthTable Of(string folder)
    {
        TruthTable table = new();
        foreach (TruthLabel label in TruthLabel.Read(folder).Where(l => !l.Innocent))
        {
            foreach ((string vantage, string file) in label.Captures)
            {
                CaptureEvidence evidence = TruthScorer.Analyse(Path.Combine(folder, file));
                IReadOnlyList<Finding> findings = CaptureFindings.Of(evidence);
                table.Add(label, vantage, TruthScorer.Score(label.At(vantage), evidence, findings));
                table.AddCosts(label, vantage, findings);
            }
        }

        return table;
    }

    /// <summary>One line for each kind of capture and end.</summary>
    public string ByKind() => string.Join(
        '\n',
        _kinds.Select(
            k => string.Create(
                CultureInfo.InvariantCulture,
                $"{k.Key.Kind,-26} {k.Key.Vantage,-7} {k.Value.Captures,8} {k.Value.Found,5} {k.Value.Missed,6} {k.Value.Wrong,5} {k.Value.Inside,6} of {k.Value.Costs}"))
            .Prepend($"{"kind",-26} vantage captures found missed wrong costs inside"));

    public override string ToString()
    {
        StringBuilder text = new("cause                    vantage found missed recall\n");
        foreach (((string cause, string vantage), (int found, int missed)) in _causes)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"{cause,-24} {vantage,-7} {found,5} {missed,6} {(double)found / (found + missed):0.000}");
        }

        foreach (((string cause, string vantage), int wrong) in _wrong)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"wrongly reported: {cause} {vantage} x{wrong}");
        }

        return text.Append(CultureInfo.InvariantCulture, $"precision {Precision:0.000}, recall {Recall:0.000}, of {Found + Missed} causes").ToString();
    }

    private void Add(TruthLabel label, string vantage, (List<string> Found, List<string> Missed, List<string> Wrong) score)
    {
        foreach (string cause in score.Found.Concat(score.Missed))
        {
            string name = cause.Split(':')[0];
            (int found, int missed) = _causes.GetValueOrDefault((name, vantage));
            _causes[(name, vantage)] = score.Found.Contains(cause) ? (found + 1, missed) : (found, missed + 1);
        }

        foreach (string wrong in score.Wrong)
        {
            (string, string) key = (wrong.Split(' ')[0], vantage);
            _wrong[key] = _wrong.GetValueOrDefault(key) + 1;
        }

        (int captures, int all, int lost, int bad, int costs, int inside) = _kinds.GetValueOrDefault((label.Scenario, vantage));
        _kinds[(label.Scenario, vantage)] = (captures + 1, all + score.Found.Count, lost + score.Missed.Count, bad + score.Wrong.Count, costs, inside);
        Found += score.Found.Count;
        Missed += score.Missed.Count;
        Wrong += score.Wrong.Count;
        Complaints.AddRange(score.Missed.Select(c => $"{label.Id}.{vantage}: missed {c}").Concat(score.Wrong.Select(c => $"{label.Id}.{vantage}: wrong {c}")));
    }

    private void AddCosts(TruthLabel label, string vantage, IReadOnlyList<Finding> findings)
    {
        foreach ((string of, double ms, double low, double high) in TruthScorer.Costs(label, vantage, findings))
        {
            bool inside = ms >= low && ms <= high;
            (string, string) key = (label.Scenario, vantage);
            _kinds[key] = _kinds[key] with { Costs = _kinds[key].Costs + 1, Inside = _kinds[key].Inside + (inside ? 1 : 0) };
            Costs++;
            CostsInside += inside ? 1 : 0;
            if (!inside)
            {
                Complaints.Add(string.Create(CultureInfo.InvariantCulture, $"{label.Id}.{vantage}: {of} costs {ms:0.0} ms, not {low:0.0} to {high:0.0}"));
            }
        }
    }
}
