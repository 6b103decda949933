using LatencyTuner.Commands;
using LatencyTuner.Hosting;

// The commonest question of scripts is answered without building a parser.
if (args is ["--version"])
{
    Console.Out.WriteLine(CliHost.VersionText);
    return 0;
}

return await Cli.RunAsync(args, CliHost.OfProcess()).ConfigureAwait(false);
