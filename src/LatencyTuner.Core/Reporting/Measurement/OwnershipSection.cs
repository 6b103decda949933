using LatencyTuner.Core.Analysis.Ownership;
using LatencyTuner.Core.Reporting.Charts;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The owners of the requests' time: verdicts, shares, and the load of both machines.</summary>
internal static class OwnershipSection
{
    internal static IEnumerable<PageSection> Of(AttributionFigures attribution)
    {
        if (attribution is not { Typical: { } typical, Tail: { } tail })
        {
            yield break;
        }

        yield return new("Whose time", new FactsBlock([.. Facts(attribution, typical, tail)]));
        if (typical.Shares.Count > 0)
        {
            yield return new(null, [.. ChartBlock.Of(Chart(typical, tail)), Shares(typical, tail)]);
        }
    }

    /// <summary>The shares of the owners, of usual requests and of slow ones.</summary>
    private static RowChart Chart(OwnershipFigures typical, OwnershipFigures tail)
    {
        ChartKey usual = new("usual requests", 1, KeyShape.Bar);
        ChartKey slow = new("slow requests", 2, KeyShape.Bar);
        Owner[] owners = [.. typical.Shares.Concat(tail.Shares).Select(s => s.Owner).Distinct()];
        return new RowChart
        {
            Name = "whose-time",
            Caption = "Whose time a request takes: of the usual ones, and of the slow ones beyond it.",
            Alternative = string.Join("; ", owners.Select(o => $"{Name(o)}: {string.Join(", ", Bars(o).Select(b => $"{b.Key.Name} {b.Text}"))}")) + ".",
            X = new("share of the time", ChartScale.Exact(0, 1), v => Format.Share(v)),
            Keys = [usual, .. tail.Shares.Count > 0 ? new[] { slow } : []],
            Rows = [.. owners.Select(o => new ChartRow(Format.Sentence(Name(o)), [.. Bars(o)]))],
        };

        IEnumerable<RowBar> Bars(Owner owner) => new[] { (usual, typical), (slow, tail) }
            .SelectMany(p => p.Item2.Shares.Where(s => s.Owner == owner).Select(s => new RowBar(
                p.Item1, s.Share, $"{Format.Share(s.Share)}, {Format.Us(s.MeanUs)}", null, s.LowShare, s.HighShare)));
    }

    private static string Name(Owner owner) => owner switch
    {
        Owner.Client => "client",
        Owner.Server => "server",
        Owner.Tcp => "TCP itself, at the ends",
        _ => "network, both kernels",
    };

    private static IEnumerable<PageFact> Facts(AttributionFigures attribution, OwnershipFigures typical, OwnershipFigures tail)
    {
        yield return new("Usual time", Verdict(typical));
        yield return new("Tail", Verdict(tail));
        if (attribution.Client is { } client)
        {
            yield return new("This machine", Host(client));
        }

        if (attribution.Server is { } server)
        {
            yield return new("Server machine", $"{Host(server)} (reported by the server)");
        }
    }

    private static string Verdict(OwnershipFigures figures) => figures.Owner == Owner.CannotTell ? $"cannot tell: {figures.Because}" : figures.Because;

    private static TableBlock Shares(OwnershipFigures typical, OwnershipFigures tail)
    {
        static string Share(OwnershipFigures figures, Owner owner) => figures.Shares.FirstOrDefault(s => s.Owner == owner) is { } share
            ? $"{share.Share:0 %} ({share.LowShare * 100:0} to {share.HighShare:0 %})"
            : "";
        static string Mean(OwnershipFigures figures, Owner owner) =>
            figures.Shares.FirstOrDefault(s => s.Owner == owner) is { } share ? Format.Us(share.MeanUs) : "";
        string percentile = tail.AbovePercentile is { } above ? $"above the {above:0}th" : "tail";
        bool tcp = typical.Shares.Concat(tail.Shares).Any(s => s.Owner == Owner.Tcp);
        Owner[] owners = tcp ? [Owner.Client, Owner.Server, Owner.Network, Owner.Tcp] : [Owner.Client, Owner.Server, Owner.Network];
        return new TableBlock(
            [new(""), new("usual", true), new("share, 95 %", true), new(percentile, true), new("share, 95 %", true)],
            [
                .. owners.Select(o => (IReadOnlyList<TableCell>)
                [
                    new(Name(o)),
                    new(Mean(typical, o)), new(Share(typical, o)), new(Mean(tail, o)), new(Share(tail, o)),
                ]),
                [new("n"), new(Format.Count(typical.Count)), new(""), new(tail.Shares.Count > 0 ? Format.Count(tail.Count) : ""), new("")],
            ],
            "usual: requests between the quartiles. tail: time beyond each owner's own median. client: late sends, waits of the measuring thread for a "
            + "processor, garbage collections. server: its own time and waits of its thread. network: the rest, including the work of both kernels; "
            + $"only captures separate these.{(tcp ? " TCP itself: what a stalled request took beyond one round trip; a finding names the cause." : "")}");
    }

    private static string Host(HostFigures host)
    {
        List<string> parts = new();
        if (host.MachineBusyShare is { } busy)
        {
            parts.Add($"processors {busy:0 %} busy");
        }

        if (host.ProcessProcessors is { } own)
        {
            parts.Add($"{own:0.00} of {host.Processors} by latencytuner");
        }

        if (host.DelayP99Us is { } late)
        {
            parts.Add(
                $"scheduling delay {Format.Us(host.DelayP50Us)} median, {Format.Us(late)} 99th percentile, {Format.Us(host.DelayMaxUs)} maximum "
                + $"(n = {Format.Count(host.DelayCount)})");
        }

        if (host.GcCount > 0)
        {
            parts.Add($"{Counted.Of(host.GcCount, "garbage collection")} of {Format.Ms(host.GcPauseMs)}");
        }

        return string.Join(", ", parts);
    }
}
