using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Settings.Audit;

namespace LatencyTuner.Core.Tuning.Recommendations;

/// <summary>Makes one recommendation from the findings that one cure cures at one end of one path.</summary>
internal sealed class RecommendationBuilder(AdviceInputs inputs, HostAuditResult audit)
{
    internal Recommendation Build(IReadOnlyList<Basis> bases)
    {
        EvidencedPath? path = inputs.Files.SelectMany(f => f.Paths).FirstOrDefault(p => p.Target == bases[0].Finding.Target);

        // The effect with the best evidence stands for all.
        (Basis? basis, RecommendedEffect? effect) = bases.Select(b => (Basis: b, Effect: EffectOf.Basis(b, path)))
            .OrderBy(b => b.Effect.Basis).ThenByDescending(b => b.Effect.SavesMs ?? -1).First();
        Cure cure = basis.Cure;
        Side? receiver = Opposite(basis.Sender);
        Side? side = cure.AtSender ? basis.Sender : receiver;
        SnapshotOwner owner = SnapshotOwner.Of(inputs.Snapshot, side, path, basis.Finding.Connections);
        SettingDefinition? definition = cure.SettingId is { } id ? inputs.Catalogue.Find(id) : null;
        SettingChange change = SettingSteps.Of(cure, side, path, owner, inputs, audit, effect);
        bool isIPv6 = path?.IsIPv6 == true || basis.Finding.Connections.Any(c => c.StartsWith('['));
        return new Recommendation
        {
            Id = cure.Id,
            Kind = cure.Kind,
            Title = Cure.InWords(cure.Title, basis.Sender),
            What = Cure.InWords(cure.What, basis.Sender),
            Side = side,
            Where = Where(cure, side, basis, owner, path),
            Host = owner.Address ?? (side == basis.Finding.Side ? basis.Finding.Host : null),
            Target = basis.Finding.Target,
            AppliesTo = bases.All(b => b.AppliesTo is not null) ? basis.AppliesTo : null,
            Effect = effect,
            Confidence = ConfidenceOf(basis, effect, isIPv6),
            TradeOff = Cure.InWords(cure.TradeOff, basis.Sender),
            Scope = Cure.InWords(change.Scope ?? cure.Scope, basis.Sender),
            TakesEffect = Cure.InWords(cure.TakesEffect, basis.Sender),
            SettingId = cure.SettingId,
            Value = cure.Value,
            Current = change.Current,
            How = change.How,
            Snippets = cure.Snippet is { } snippet ? [.. inputs.Languages.Select(l => SnippetLibrary.Find(snippet, l)).OfType<CodeSnippet>()] : [],
            Prove = Prove(cure, basis, path?.Target ?? "HOST"),
            Undo = Cure.InWords(cure.Undo, basis.Sender),
            Caveats = [.. cure.Caveats, .. Caveats(cure, side, path, isIPv6), .. change.Caveats],
            Findings = [.. bases.Select(b => b.Finding.Id).Distinct()],
            Files = [.. bases.Select(b => b.Finding.File).Concat([effect.File]).OfType<string>().Distinct()],
            Sources = [.. cure.Sources, .. definition?.Sources ?? []],
        };
    }

    private static string End(Side? side, string unknown) => side switch { Side.Client => "client", Side.Server => "server", _ => unknown };

    private static Side? Opposite(Side? side) => side switch { Side.Client => Side.Server, Side.Server => Side.Client, _ => null };

    private static string Where(Cure cure, Side? side, Basis basis, SnapshotOwner owner, EvidencedPath? path)
    {
        string end = cure.AtSender ? End(side, "end that sends the data") : End(side, "end that receives the data");
        string what = cure.Kind is RecommendationKind.Template or RecommendationKind.Registry ? $"the {end} host" : $"the {end}'s application"
            + (basis.Finding.Process is { } process && side == basis.Finding.Side ? $", {process}" : "");
        string? host = path?.IsLoopback == true ? null
            : owner.Address is { } address
            ? (side == Side.Server && path is not null && !path.Target.Contains(address, StringComparison.Ordinal) ? $"{path.Target} ({address})" : address)
            : side == Side.Server ? path?.Target
            : side == Side.Client && path is not null ? $"the host where {basis.Finding.File} was made"
            : null;
        return host is null ? what : $"{what}, on {host}";
    }

    private static Confidence ConfidenceOf(Basis basis, RecommendedEffect effect, bool isIPv6)
    {
        Confidence most = effect.Basis == EffectBasis.Measured ? Confidence.Confirmed
            : basis.Cure.Kind == RecommendationKind.Registry && isIPv6 ? Confidence.Possible
            : Confidence.Likely;
        return (Confidence)Math.Min((int)most, (int)basis.Finding.Confidence);
    }

    private static IEnumerable<string> Caveats(Cure cure, Side? side, EvidencedPath? path, bool isIPv6)
    {
        if (cure.Kind is not (RecommendationKind.SocketCall or RecommendationKind.Template or RecommendationKind.Registry))
        {
            yield break;
        }

        if (side == Side.Server && path is { IsLoopback: false, IsOfWindows: false, ServerOs: { } os })
        {
            yield return $"The measurement was against {os}. This is a setting of Windows and does nothing there.";
        }

        if (cure.Kind == RecommendationKind.Registry && isIPv6)
        {
            yield return "The connection is IPv6. It is unproven that TcpAckFrequency applies to IPv6.";
        }

        if (cure.Kind == RecommendationKind.Registry && path?.IsLoopback == true)
        {
            yield return "Loopback has no interface key. Measure the network path before you change an interface.";
        }
    }

    private static string Prove(Cure cure, Basis basis, string target) =>
        cure.Kind is not (RecommendationKind.SocketCall or RecommendationKind.Template or RecommendationKind.Registry)
            ? "Capture the application's traffic before and after: afterwards no small segment waits for an ACK. Compare the application's own response times."
        : basis.Sender == Side.Server ? $"Run 'latencytuner diagnose {target}' on the client again: replies in two writes no longer wait."
        : $"On the client, run 'latencytuner measure {target} --pattern split --no-delay false --runs 5 --format json --output before.json' before the "
            + "change, and the same with after.json after it. Then run 'latencytuner compare before.json after.json'.";
}
