namespace LatencyTuner.Core.Reporting.Documents;

/// <summary>One piece of a section. The kinds are closed: every writer handles each of them.</summary>
public abstract record PageBlock
{
    private protected PageBlock()
    {
    }
}
