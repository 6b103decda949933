using System.Globalization;
using System.Net;
using LatencyTuner.Core.Measurement.Responding;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>
/// One line on stderr for what a client did: a check opens a dozen connections, and a stranger may try hundreds. Events of one client are one line
/// when no other follows within <see cref="Pause"/>.
/// </summary>
internal sealed class ServeLog : IDisposable
{
    /// <summary>The time without an event of a client after which its line is written.</summary>
    internal static readonly TimeSpan Pause = TimeSpan.FromSeconds(2);

    // Events that never pause are told now and then all the same.
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    private readonly CliHost _host;
    private readonly Dictionary<(IPAddress? Client, string? Refused), Session> _sessions = [];
    private readonly object _gate = new();
    private readonly ITimer _timer;

    public ServeLog(CliHost host)
    {
        _host = host;
        _timer = host.Time.CreateTimer(_ => Write(all: false), null, Pause, Pause / 2);
    }

    public void Add(ClientEvent what)
    {
        lock (_gate)
        {
            (IPAddress?, string?) key = (what.Client, what.Messages is null ? what.Because : null);
            DateTimeOffset now = _host.Time.GetUtcNow();
            Session session = _sessions.GetValueOrDefault(key) ?? new Session(now, now, 0, 0, "");
            _sessions[key] = session with
            {
                Last = now,
                Connections = session.Connections + 1,
                Messages = session.Messages + (what.Messages ?? 0),
                Because = what.Because == ClientEvent.EndedByClient ? session.Because : what.Because,
            };
        }
    }

    public void Dispose()
    {
        _timer.Dispose();
        Write(all: true);
    }

    private void Write(bool all)
    {
        lock (_gate)
        {
            DateTimeOffset now = _host.Time.GetUtcNow();
            foreach (((IPAddress? client, string? refused), Session session) in _sessions.ToArray())
            {
                if (all || now - session.Last >= Pause || now - session.First >= Longest)
                {
                    _ = _sessions.Remove((client, refused));
                    _host.Complain(string.Create(CultureInfo.InvariantCulture, $"{session.First:yyyy-MM-dd HH:mm:ss} UTC  {Text(client, refused, session)}"));
                }
            }
        }
    }

    private static string Text(IPAddress? client, string? refused, Session session) =>
        client is null ? session.Because
        : refused is not null ? $"{client}: refused{(session.Connections == 1 ? "" : $" {session.Connections:N0} times")}, {refused}"
        : $"{client}: {Counted.Of(session.Connections, "connection")}, {Counted.Of(session.Messages, "message")} served"
            + (session.Because.Length == 0 ? "" : $"; {session.Because}");

    private sealed record Session(DateTimeOffset First, DateTimeOffset Last, long Connections, long Messages, string Because);
}
