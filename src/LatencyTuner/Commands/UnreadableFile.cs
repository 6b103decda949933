using LatencyTuner.Core;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>Why a file that was named on the command line cannot be read, in one sentence.</summary>
internal static class UnreadableFile
{
    /// <summary>True for the exceptions that the system throws when a file cannot be opened or read.</summary>
    public static bool Explains(Exception failure) => failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <summary>The failure to throw, with <see cref="ExitCode.Input"/>.</summary>
    /// <param name="path">The path as the user gave it.</param>
    /// <param name="failure">The exception of the system.</param>
    public static ExpectedFailureException Of(string path, Exception failure) => new(ExitCode.Input, failure switch
    {
        // .NET gives this character for what is no UTF-8, and then does not find the file.
        FileNotFoundException or DirectoryNotFoundException when path.Contains('\uFFFD') => $"{path} cannot be read: its name is not UTF-8. Rename the file.",
        FileNotFoundException or DirectoryNotFoundException => $"{path} cannot be read: the file does not exist.",
        // For a folder, the system would report "access denied".
        _ when Directory.Exists(path) => $"{path} cannot be read: it is a folder, and a file is expected.",
        _ => $"{CliHost.NameOf(path)} cannot be read: {failure.Message.TrimEnd('.')}.",
    }, failure);
}
