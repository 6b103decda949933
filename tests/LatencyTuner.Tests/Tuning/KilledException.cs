namespace LatencyTuner.Tests.Tuning;

/// <summary>The process is gone: nothing after it happens, nothing may catch it and go on.</summary>
public sealed class KilledException : Exception;
