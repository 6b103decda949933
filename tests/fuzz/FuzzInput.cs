namespace LatencyTuner.Fuzz;

/// <summary>One file to read.</summary>
/// <param name="Bytes">The file.</param>
/// <param name="IsTrace">True for an event trace, false for a capture.</param>
internal readonly record struct FuzzInput(byte[] Bytes, bool IsTrace)
{
    /// <summary>The file of a seed.</summary>
    public static FuzzInput Of(long seed, FuzzInputs inputs)
    {
        bool trace = inputs == FuzzInputs.Traces || (inputs == FuzzInputs.All && seed % 2 != 0);
        Random random = new((int)seed);
        return new FuzzInput(trace ? new RandomTrace(random).Build() : new RandomCapture(random).Build(), trace);
    }

    /// <summary>Reads it.</summary>
    /// <param name="analyse">True to go on to the findings.</param>
    /// <exception cref="InvalidOperationException">Something that must hold does not.</exception>
    public FuzzOutcome Run(bool analyse)
    {
        if (IsTrace)
        {
            return TraceCase.Run(Bytes, analyse);
        }

        FuzzOutcome outcome = FuzzCase.Run(Bytes, analyse ? new WholeAnalysis() : null);
        MaskCase.Run(Bytes);
        return outcome;
    }
}
