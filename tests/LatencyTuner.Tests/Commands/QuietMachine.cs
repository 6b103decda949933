using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>Tests that judge real latency, and so run with no other test beside them.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class QuietMachine
{
    public const string Name = "real latency";
}
