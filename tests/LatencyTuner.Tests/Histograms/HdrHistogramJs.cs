using System.Diagnostics;
using System.Text.Json;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

/// <summary>Runs a script with the npm package hdr-histogram-js, the independent reader and writer of the encoding.</summary>
internal static class HdrHistogramJs
{
    private const string Package = "hdr-histogram-js";
    private const string Version = "3.0.1";
    private static readonly Lazy<string?> Folder = new(Install);

    /// <summary>Runs the script with <c>hdr</c> (the package) and <c>input</c> defined; what it assigns to <c>output</c> comes back.</summary>
    public static JsonElement Run(string script, object input)
    {
        if (Folder.Value is not { } folder)
        {
            const string reason = "node, npm or the package hdr-histogram-js is not available";
            Assert.False(Environment.GetEnvironmentVariable("CI") == "true", reason);
            Assert.Skip(reason);
            return default;
        }
        string source = $"const hdr = require('{Package}'); const input = {JsonSerializer.Serialize(input)}; let output;\n"
            + script + "\nprocess.stdout.write(JSON.stringify(output));";
        (int code, string text, string error) = Start("node", folder, source, "-")!.Value;
        Assert.True(code == 0, error);
        return JsonDocument.Parse(text).RootElement;
    }

    private static string? Install()
    {
        string folder = Path.Combine(Path.GetTempPath(), "latencytuner-tests", $"{Package}-{Version}-{Environment.UserName}");
        string marker = Path.Combine(folder, "node_modules", Package, "package.json");
        if (Start("node", Path.GetTempPath(), "", "--version") is not { Code: 0 })
        {
            return null;
        }

        if (File.Exists(marker))
        {
            return folder;
        }

        Directory.CreateDirectory(folder);
        string npm = OperatingSystem.IsWindows() ? "npm.cmd" : "npm";
        (int Code, string, string)? installed =
            Start(npm, folder, "", "install", "--no-audit", "--no-fund", "--prefix", folder, $"{Package}@{Version}");
        return installed is { Code: 0 } && File.Exists(marker) ? folder : null;
    }

    private static (int Code, string Output, string Error)? Start(string file, string folder, string input, params string[] arguments)
    {
        ProcessStartInfo start = new(file, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> error = process.StandardError.ReadToEndAsync();
            Task<string> output = process.StandardOutput.ReadToEndAsync();
            process.StandardInput.Write(input);
            process.StandardInput.Close();
            process.WaitForExit();
            return (process.ExitCode, output.Result, error.Result);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }
}
