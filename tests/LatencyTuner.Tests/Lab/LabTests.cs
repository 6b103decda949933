using LatencyTuner.Lab;
using Xunit;

namespace LatencyTuner.Tests.Lab;

/// <summary>Tests that build networks run alone: they need both processors for their timing.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class LabTests
{
    public const string Name = "Lab";

    /// <summary>Skips where no lab can be built, except in CI, where that is a failure.</summary>
    public static void Require()
    {
        if (LabNetwork.Unavailable is not { } reason)
        {
            return;
        }

        Assert.False(Environment.GetEnvironmentVariable("CI") == "true", reason);
        Assert.Skip(reason);
    }
}
