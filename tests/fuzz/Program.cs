using System.Globalization;
using LatencyTuner.Fuzz;

// usage: latencytuner-fuzz [--minutes N | --cases N] [--seed FIRST] [--threads N] [--captures | --traces] [--analyse] | --repeat SEED
// [--captures | --traces] [--analyse]
Dictionary<string, long> given = [];
bool analyse = args.Contains("--analyse");
FuzzInputs inputs = args.Contains("--captures") ? FuzzInputs.Captures : args.Contains("--traces") ? FuzzInputs.Traces : FuzzInputs.All;
string[] rest = [.. args.Where(a => a is not ("--analyse" or "--captures" or "--traces"))];
for (int i = 0; i < rest.Length; i += 2)
{
    if (i + 1 == rest.Length || rest[i] is not ("--minutes" or "--cases" or "--seed" or "--threads" or "--repeat")
        || !long.TryParse(rest[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out long number))
    {
        Console.Error.WriteLine(
            "usage: run [--minutes N | --cases N] [--seed FIRST] [--threads N] [--captures | --traces] [--analyse] | --repeat SEED [--captures | "
            + "--traces] [--analyse]");
        return 2;
    }

    given[rest[i]] = number;
}

if (given.TryGetValue("--repeat", out long repeated))
{
    FuzzInput input = FuzzInput.Of(repeated, inputs);
    Console.WriteLine($"{input.Bytes.Length} bytes: {Convert.ToHexString(input.Bytes)}");
    Console.WriteLine(input.Run(analyse));
    return 0;
}

FuzzRun run = new(
    given.GetValueOrDefault("--seed"), given.GetValueOrDefault("--cases", long.MaxValue), seed => FuzzInput.Of(seed, inputs).Run(analyse));
TimeSpan time = given.TryGetValue("--minutes", out long minutes) ? TimeSpan.FromMinutes(minutes) : given.ContainsKey("--cases") ? TimeSpan.MaxValue
    : TimeSpan.FromMinutes(1);
return run.RunAndPrint(time, (int)given.GetValueOrDefault("--threads", Environment.ProcessorCount));
