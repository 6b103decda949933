using System.Globalization;
using System.Runtime.Versioning;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Windows;
using LatencyTuner.Wine;

// What the Wine stage does to the registry and the journal of its own prefix, by the store, the folder and the executor of the product. It
// does nothing on Windows itself.
[assembly: SupportedOSPlatform("windows")]

if (!OperatingSystem.IsWindows() || !WineLayer.IsPresent)
{
    Console.Error.WriteLine("This program works under Wine only.");
    return 2;
}

return args switch
{
    ["apply", var folder, var batch] => Say(new Bench(folder, new Steps(int.MaxValue)).Apply(batch, refused: false)),
    ["apply-refused", var folder, var batch] => Say(new Bench(folder, new Steps(int.MaxValue)).Apply(batch, refused: true)),
    ["verify", var folder] => Say(new Bench(folder, new Steps(int.MaxValue)).Verify()),
    ["rollback", var folder] => Say(new Bench(folder, new Steps(int.MaxValue)).RollBack()),
    ["child", var folder, var killAt] => Kills.Child(folder, Number(killAt)),
    ["kills", var folder, var scratch, var least, var part, var parts] => Kills.Run(folder, scratch, Number(least), Number(part), Number(parts)),
    _ => 2,
};

static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

static int Say(TuningResult result)
{
    Console.Out.WriteLine($"{result.Outcome}: {result.Text}");
    return (int)result.Verdict.ExitCode;
}
