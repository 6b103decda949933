using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

/// <summary>
/// Run before Main where DOTNET_STARTUP_HOOKS names this assembly: has TraceEvent, and the program beside it, find the stand-in where they
/// look for the libraries of Windows. Neither of them is changed.
/// </summary>
[SuppressMessage("Design", "CA1050:Declare types in namespaces", Justification = "The runtime looks for this name.")]
internal static class StartupHook
{
    public static void Initialize()
    {
        string library = Environment.GetEnvironmentVariable("LATENCYTUNER_ETW_LIBRARY")
            ?? throw new InvalidOperationException("LATENCYTUNER_ETW_LIBRARY is not set.");
        AppDomain.CurrentDomain.AssemblyLoad += (_, loaded) =>
        {
            if (loaded.LoadedAssembly.GetName().Name is "Microsoft.Diagnostics.Tracing.TraceEvent" or "latencytuner")
            {
                NativeLibrary.SetDllImportResolver(
                    loaded.LoadedAssembly, (name, _, _) => name is "advapi32.dll" or "advapi32" or "kernel32.dll" ? NativeLibrary.Load(library) : 0);
            }
        };
    }
}
