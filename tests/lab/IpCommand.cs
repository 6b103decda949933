using System.Diagnostics;

namespace LatencyTuner.Lab;

/// <summary>Runs <c>ip</c> of iproute2.</summary>
internal static class IpCommand
{
    public static bool IsInstalled => (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':')
        .Any(folder => folder.Length > 0 && File.Exists(Path.Combine(folder, "ip")));

    /// <summary>Runs it and returns what it printed; a failure throws.</summary>
    public static string Run(params string[] arguments) => RunBatch("", arguments);

    /// <summary>Runs the lines as one batch inside a namespace; the first line that fails ends it and throws.</summary>
    public static void Batch(string ns, IEnumerable<string> lines) => RunBatch(string.Join('\n', lines) + "\n", "-n", ns, "-batch", "-");

    public static bool TryRun(params string[] arguments)
    {
        try
        {
            Run(arguments);
            return true;
        }
        catch (LabException)
        {
            return false;
        }
    }

    private static string RunBatch(string input, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo("ip", arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        process.StandardInput.Write(input);
        process.StandardInput.Close();
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new LabException($"`ip {string.Join(' ', arguments)}` failed: {error.GetAwaiter().GetResult().Trim().ReplaceLineEndings(" ")}");
        }

        return output;
    }
}
