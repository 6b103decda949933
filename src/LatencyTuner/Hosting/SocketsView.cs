using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Hosting;

/// <summary>What <c>sockets --watch</c> shows while it runs: on a terminal one table that is drawn over; elsewhere nothing.</summary>
internal sealed class SocketsView(CliHost host, bool quiet)
{
    // With the heading and the line below, the table fits a terminal of 24 lines.
    private const int MostRows = 20;
    private readonly bool _table = host.ErrorIsTerminal && !quiet && host.Lines is null;
    private int _drawn;

    /// <summary>Shows the changes of one interval, the connections that sent and received most first.</summary>
    public void Draw(SocketSnapshot changes, TimeSpan interval)
    {
        if (!_table)
        {
            return;
        }

        HostSocket[] connections = [.. changes.Sockets.Where(s => s.IsConnected)];
        List<string> lines = [$"{"process, last interval",-24}{"remote",-22}{"Nagle",-6}{"RTT",9}{"sent",9}{"recv",9}"];
        lines.AddRange(
            connections.OrderByDescending(s => (s.BytesSent ?? 0) + (s.BytesReceived ?? 0)).ThenBy(s => s.Pid).Take(MostRows).Select(s =>
                $"{Cut(s.ProcessLabel ?? "(unknown)", 23),-24}{Cut(s.Remote.ToString(), 21),-22}{Nagle(s),-6}{Time(s.RttUs),9}{Size(s.BytesSent),9}"
                + $"{Size(s.BytesReceived),9}"));
        lines.Add(
            $"{Counted.Of(connections.Length, "connection")}, {connections.Count(s => s.NoDelay == false)} with Nagle on, in {interval.TotalSeconds:0.0} s. "
            + "Ctrl-C ends with a report.");
        lock (host.Error)
        {
            Erase();
            lines.ForEach(l => host.Complain(l.TrimEnd()));
            host.Error.Flush();
            _drawn = lines.Count;
        }
    }

    /// <summary>Removes the table, so that only the report stays.</summary>
    public void End()
    {
        lock (host.Error)
        {
            Erase();
        }
    }

    private void Erase()
    {
        if (_drawn > 0)
        {
            host.Error.Write($"\u001b[{_drawn}A\u001b[0J");
            _drawn = 0;
        }
    }

    private static string Nagle(HostSocket s) => s.NoDelay switch { true => "off", false => "on", _ => "?" };

    private static string Time(long? us) => us switch { null => "-", < 1000 => $"{us} us", < 1_000_000 => $"{us / 1e3:0.0} ms", _ => $"{us / 1e6:0.0} s" };

    private static string Size(long? bytes) => bytes switch
    {
        null => "-",
        < 10_000 => $"{bytes} B",
        < 10_000_000 => $"{bytes / 1e3:0} kB",
        _ => $"{bytes / 1e6:0} MB",
    };

    private static string Cut(string text, int most) => text.Length <= most ? text : text[..(most - 3)] + "...";
}
