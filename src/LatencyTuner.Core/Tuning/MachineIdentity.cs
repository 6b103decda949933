namespace LatencyTuner.Core.Tuning;

/// <summary>The machine a plan or journal belongs to.</summary>
/// <param name="Id">What tells machines apart, for example the MachineGuid of Windows; compared without regard to case.</param>
/// <param name="Name">Its name, for sentences.</param>
public sealed record MachineIdentity(string Id, string Name)
{
    /// <summary>True when both are the same machine; a new name alone makes no other machine.</summary>
    /// <param name="other">The other.</param>
    public bool IsSame(MachineIdentity other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return string.Equals(Id, other.Id, StringComparison.OrdinalIgnoreCase);
    }
}
