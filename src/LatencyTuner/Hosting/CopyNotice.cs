using System.Globalization;

namespace LatencyTuner.Hosting;

/// <summary>Says on a terminal, once, how long a copy that takes more than a few seconds will take.</summary>
internal sealed class CopyNotice : IDisposable
{
    private static readonly TimeSpan After = TimeSpan.FromSeconds(5);
    private readonly ITimer _timer;

    private CopyNotice(CliHost host, FarCopy copy, string target) =>
        _timer = host.Time.CreateTimer(_ => Say(host, copy, target), null, After, Timeout.InfiniteTimeSpan);

    /// <summary>Begins to wait; null where nobody looks.</summary>
    /// <param name="host">The streams and the machine.</param>
    /// <param name="copy">What is copied.</param>
    /// <param name="target">The host that it is copied to.</param>
    public static CopyNotice? Begin(CliHost host, FarCopy copy, string target) => host.ErrorIsTerminal ? new CopyNotice(host, copy, target) : null;

    public void Dispose() => _timer.Dispose();

    private static void Say(CliHost host, FarCopy copy, string target)
    {
        string size = string.Create(CultureInfo.InvariantCulture, $"Copying this program ({copy.Bytes / 1e6:0} MB) to {target}");
        // What ssh holds in its buffers counts as sent: the figure is a little early.
        double share = (double)copy.Sent / copy.Bytes;
        host.Complain(
            share >= 1 ? $"{size}: sent; it is unpacked and started there."
            : share > 0
                ? string.Create(CultureInfo.InvariantCulture, $"{size}: {100 * share:0} % sent, about {After.TotalSeconds * ((1 - share) / share):0} s left.")
            : $"{size}: waiting for the remote shell.");
    }
}
