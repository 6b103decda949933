namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Which version of SIO_TCP_INFO the system answers, learned from its answers, so that a system without it is not asked for every connection. A single
/// refusal proves nothing: a socket that is being closed is refused with the same errors. Thread-safe; a race costs one more call.
/// </summary>
internal sealed class TcpInfoSupport
{
    /// <summary>Refusals in a row, without one answer before, after which a version is not asked for again.</summary>
    internal const int MostRefusals = 3;

    private readonly int[] _refusals = new int[2];

    /// <summary>The newest version worth asking for; -1 for none.</summary>
    internal int Newest => IsWorthAsking(1) ? 1 : IsWorthAsking(0) ? 0 : -1;

    /// <summary>Whether a version may be answered.</summary>
    internal bool IsWorthAsking(int version) => version >= 0 && Volatile.Read(ref _refusals[version]) < MostRefusals;

    /// <summary>The version was answered: later refusals are those of single sockets.</summary>
    internal void Answered(int version) => Volatile.Write(ref _refusals[version], int.MinValue);

    /// <summary>The version was refused as unknown.</summary>
    internal void Refused(int version) => _ = Interlocked.Increment(ref _refusals[version]);
}
