using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using LatencyTuner.Core;

namespace LatencyTuner.Hosting;

/// <summary>
/// Loads the HTTP responder with the ASP.NET Core that is installed beside the running .NET. The program does not declare that framework as a
/// dependency, so that all other commands work without it. Libraries that ASP.NET Core and this program both have are loaded separately,
/// so that the versions do not conflict.
/// </summary>
internal sealed class AspNetCoreContext : AssemblyLoadContext
{
    private const string Framework = "Microsoft.AspNetCore.App";
    private const string Kestrel = "Microsoft.AspNetCore.Server.Kestrel.Core.dll";
    private readonly string? _folder;

    private AspNetCoreContext(string? folder)
        : base("ASP.NET Core") => _folder = folder;

    /// <summary>Loads an assembly of this program that uses ASP.NET Core.</summary>
    /// <param name="name">The simple name of the assembly.</param>
    /// <exception cref="ExpectedFailureException">There is no ASP.NET Core for the running .NET.</exception>
    public static Assembly Load(string name)
    {
        string here = AppContext.BaseDirectory;
        string file = Path.Combine(here, name + ".dll");
        if (!File.Exists(file))
        {
            // The single file of a release has all of it inside, ASP.NET Core as well, and nothing is ever extracted: the runtime finds it by its name.
            return Assembly.Load(new AssemblyName(name));
        }

        // A self-contained build has all of it beside the program, where the runtime finds it by itself.
        string? folder = File.Exists(Path.Combine(here, Kestrel)) ? null
            : Installed(Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory()), Environment.Version);
        return new AspNetCoreContext(folder).LoadFromAssemblyPath(file);
    }

    /// <summary>The folder of the newest ASP.NET Core of the runtime's own major version.</summary>
    /// <param name="runtime">Folder of the running .NET.</param>
    /// <param name="version">The version of the running .NET.</param>
    /// <exception cref="ExpectedFailureException">No ASP.NET Core of that major version is installed.</exception>
    internal static string Installed(string runtime, Version version)
    {
        string all = Path.GetFullPath(Path.Combine(runtime, "..", "..", Framework));
        string? newest = !Directory.Exists(all) ? null : Directory.GetDirectories(all)
            .Where(d => File.Exists(Path.Combine(d, Kestrel)))
            .Select(d => (Folder: d, Version: Version.TryParse(Path.GetFileName(d).Split('-')[0], out Version? v) ? v : new Version()))
            .Where(d => d.Version.Major == version.Major)
            .OrderBy(d => d.Version).LastOrDefault().Folder;
        return newest ?? throw new ExpectedFailureException(
            ExitCode.Platform,
            $"HTTP needs the ASP.NET Core runtime {version.Major} beside .NET {version.ToString(3)}, and {all} has none. Install it, or use a "
            + "self-contained build of latencytuner.");
    }

    protected override Assembly? Load(AssemblyName assemblyName) =>
        _folder is not null && Path.Combine(_folder, assemblyName.Name + ".dll") is var path && File.Exists(path) ? LoadFromAssemblyPath(path) : null;
}
