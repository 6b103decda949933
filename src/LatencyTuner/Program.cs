using System.Globalization;
using LatencyTuner;
using LatencyTuner.Commands;
using LatencyTuner.Hosting;
using LatencyTuner.Windows;

// Numbers in sentences have a decimal point everywhere, whatever culture the environment sets.
CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

// Scripts ask for the version most often, and it needs no parser.
if (args is ["--version"])
{
    Console.Out.WriteLine(CliHost.FullVersionText);
    return 0;
}

using ConsoleEvents? events = OperatingSystem.IsWindows() ? new ConsoleEvents() : null;
using HangUpSignal? hangUp = OperatingSystem.IsWindows() ? null : new HangUpSignal();
return await Cli.RunAsync(args, ProcessHost.Create(), OperatingSystem.IsWindows() ? events!.Cancellation : hangUp!.Cancellation).ConfigureAwait(false);
