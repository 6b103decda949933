using System.Globalization;
using LatencyTuner;
using LatencyTuner.Commands;
using LatencyTuner.Hosting;
using LatencyTuner.Windows;

// Numbers in sentences are written with a point everywhere, even where the environment asks the runtime for cultures.
CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

// The commonest question of scripts is answered without building a parser.
if (args is ["--version"])
{
    Console.Out.WriteLine(CliHost.VersionText);
    return 0;
}

using ConsoleEvents? events = OperatingSystem.IsWindows() ? new ConsoleEvents() : null;
return await Cli.RunAsync(args, ProcessHost.Create(), OperatingSystem.IsWindows() ? events!.Cancellation : CancellationToken.None).ConfigureAwait(false);
