namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Which part of AFD wrote an event of a send or receive call: the field Location. Calls nest: a send of the application (3047, or 3003) enters a copy to
/// TCP (3056, or 3006). The copy is complete (3073, 3024) when the peer has acknowledged it, which may be long after the call returned (3051).
/// </summary>
internal static class SocketPlace
{
    /// <summary>True for events of the copy of a send: its begin is no call of the application, and its completion no return to it.</summary>
    /// <param name="location">The field Location.</param>
    public static bool IsCopy(uint location) => location is 3006 or 3056 or 3024 or 3073;

    /// <summary>True where AFD completes a call that is pending, on whatever thread.</summary>
    /// <param name="location">The field Location.</param>
    public static bool Completes(uint location) => location is 3023 or 3024 or 3025 or 3073 or 4114 or 4123;

    /// <summary>True where the thread and the process of the event are those of the application.</summary>
    /// <param name="location">The field Location.</param>
    public static bool IsOfCaller(uint location) => !IsCopy(location) && !Completes(location) && location is not (3018 or 4107);
}
