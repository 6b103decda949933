using LatencyTuner.Core;

namespace LatencyTuner.Commands;

/// <summary>Why a file that was named on the command line cannot be read, in one sentence.</summary>
internal static class UnreadableFile
{
    /// <summary>True for what the system throws when a file cannot be opened or read.</summary>
    public static bool Explains(Exception failure) => failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <summary>The failure to throw, with <see cref="ExitCode.Input"/>.</summary>
    /// <param name="path">As it was given.</param>
    /// <param name="failure">What the system threw.</param>
    public static ExpectedFailureException Of(string path, Exception failure) => new(ExitCode.Input, failure switch
    {
        FileNotFoundException or DirectoryNotFoundException => $"{path} cannot be read: there is no such file.",
        // The system says "access denied" here.
        _ when Directory.Exists(path) => $"{path} cannot be read: it is a folder, and a file is expected.",
        _ => $"{path} cannot be read: {failure.Message.TrimEnd('.')}.",
    }, failure);
}
