using System.Globalization;
using LatencyTuner.Fuzz;

// usage: latencytuner-fuzz-commands [--seconds N | --cases N] [--seed FIRST]
Dictionary<string, long> given = [];
for (int i = 0; i < args.Length; i += 2)
{
    if (i + 1 == args.Length || args[i] is not ("--seconds" or "--cases" or "--seed")
        || !long.TryParse(args[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out long number))
    {
        Console.Error.WriteLine("usage: run --commands [--seconds N | --cases N] [--seed FIRST]");
        return 2;
    }

    given[args[i]] = number;
}

FuzzRun run = new(given.GetValueOrDefault("--seed"), given.GetValueOrDefault("--cases", long.MaxValue), CommandCase.Run, CommandCase.SlowMs);
return run.RunAndPrint(
    given.TryGetValue("--seconds", out long seconds) ? TimeSpan.FromSeconds(seconds)
        : given.ContainsKey("--cases") ? TimeSpan.MaxValue : TimeSpan.FromMinutes(1),
    Environment.ProcessorCount);
