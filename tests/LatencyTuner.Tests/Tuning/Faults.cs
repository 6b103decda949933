using LatencyTuner.Core;

namespace LatencyTuner.Tests.Tuning;

/// <summary>Counts the steps of store and journal, and kills or fails at one of them.</summary>
public sealed class Faults
{
    /// <summary>Steps so far.</summary>
    public int Steps { get; private set; }

    /// <summary>The step at which the process dies; -1 for never.</summary>
    public int KillAt { get; set; } = -1;

    /// <summary>The step from which on, for <see cref="FailCount"/> steps, access is denied or the disk is full; -1 for never.</summary>
    public int FailAt { get; set; } = -1;

    /// <summary>How many steps fail.</summary>
    public int FailCount { get; set; } = 1;

    /// <summary>True once the process has died.</summary>
    public bool IsDead { get; private set; }

    /// <summary>Called at each step; the step has not happened when this throws.</summary>
    public void Step(bool isFile)
    {
        if (IsDead || Steps == KillAt)
        {
            IsDead = true;
            throw new KilledException();
        }

        int step = Steps++;
        if (FailAt >= 0 && step >= FailAt && step - FailAt < FailCount)
        {
            throw isFile ? new IOException("There is not enough space on the disk.") : new ExpectedFailureException(ExitCode.Platform, "Access is denied.");
        }
    }

    /// <summary>A new process.</summary>
    public void Restart() => (IsDead, KillAt, FailAt, FailCount, Steps) = (false, -1, -1, 1, 0);
}
