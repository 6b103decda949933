using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Analysis.Sockets;

/// <summary>How a running application has set its sockets: what a measurement sets, so that its verdict is about this application.</summary>
public sealed record ApplicationSockets
{
    /// <summary>The application, such as <c>orders</c>, or <c>orders (2071)</c> when it is one process.</summary>
    public required string Name { get; init; }

    /// <summary>TCP_NODELAY of its connections; false when one of them has Nagle's algorithm on. Null when none could be read.</summary>
    public bool? NoDelay { get; init; }

    /// <summary>Send buffer that it fixed, in bytes as it is set (SO_SNDBUF); null when it leaves the size to the system, or when unknown.</summary>
    public int? SendBuffer { get; init; }

    /// <summary>Receive buffer that it fixed, in bytes as it is set (SO_RCVBUF); null when it leaves the size to the system, or when unknown.</summary>
    public int? ReceiveBuffer { get; init; }

    /// <summary>How it is set and from how many sockets that was read, a sentence.</summary>
    public required string Text { get; init; }

    /// <summary>How an application has set its sockets.</summary>
    /// <param name="read">Sockets of the application alone.</param>
    /// <param name="name">Its name as the user gave it.</param>
    /// <param name="remotes">Addresses of the target: its connections there are taken where there are any.</param>
    /// <exception cref="ExpectedFailureException">
    /// <see cref="ExitCode.Input"/>: it has no TCP socket; <see cref="ExitCode.Platform"/>: its sockets could not be read.
    /// </exception>
    public static ApplicationSockets From(SocketSnapshot read, string name, IReadOnlyCollection<string> remotes)
    {
        ArgumentNullException.ThrowIfNull(read);
        ArgumentNullException.ThrowIfNull(remotes);
        HostSocket[] all = [.. read.Sockets.Where(s => s.NoDelay is not null && s.Pid is not null)];
        if (all.Length == 0)
        {
            throw read.Unreadable is [{ } unreadable, ..]
                ? new ExpectedFailureException(
                    ExitCode.Platform, $"--process {name}: {unreadable.Process ?? "process"} ({unreadable.Pid}) could not be read: {unreadable.Why}.")
                : new ExpectedFailureException(
                    ExitCode.Input, $"--process {name}: no running process of this name has a TCP socket. 'latencytuner sockets' lists those that have.");
        }

        // A listener hands its options to what it accepts, so that it speaks for an application without connections.
        HostSocket[] connections = [.. all.Where(s => s.IsConnected)];
        HostSocket[] there = [.. connections.Where(s => remotes.Contains(s.Remote.Address))];
        HostSocket[] taken = there.Length > 0 ? there : connections.Length > 0 ? connections : all;
        int on = taken.Count(s => s.NoDelay == false);
        HostSocket? fixedSend = taken.FirstOrDefault(s => s.SendBufferFixed == true);
        HostSocket? fixedReceive = taken.FirstOrDefault(s => s.ReceiveBufferFixed == true);
        int[] pids = [.. taken.Select(s => s.Pid!.Value).Distinct()];
        ApplicationSockets application = new()
        {
            Name = pids.Length == 1 ? taken[0].ProcessLabel! : name,
            NoDelay = on == 0,
            SendBuffer = AsSet(fixedSend, fixedSend?.SendBufferBytes),
            ReceiveBuffer = AsSet(fixedReceive, fixedReceive?.ReceiveBufferBytes),
            Text = "",
        };
        string what = connections.Length == 0 ? Counted.Of(taken.Length, "listener") : Counted.Of(taken.Length, "connection")
            + (there.Length > 0 ? " to the target" : "");
        string nagle = on == 0 ? "TCP_NODELAY on" : on == taken.Length ? "Nagle's algorithm on" : $"Nagle's algorithm on for {on} of them";
        string buffers = application is { SendBuffer: null, ReceiveBuffer: null } ? "buffers left to the system"
            : string.Join(", ", new[] { Fixed("send", application.SendBuffer), Fixed("receive", application.ReceiveBuffer) }.OfType<string>());
        return application with { Text = $"Measured as {application.Name} is set: {nagle}, {buffers}; read from {what}." };
    }

    /// <summary>The size as it was set: Linux doubles it to make room for its overhead (socket(7)).</summary>
    private static int? AsSet(HostSocket? socket, long? bytes) =>
        bytes is { } size ? (int)Math.Min(socket!.OptionsFrom == "getsockopt" ? size / 2 : size, int.MaxValue) : null;

    private static string? Fixed(string which, int? bytes) => bytes is { } size ? $"{which} buffer fixed at {Format.Bytes(size)}" : null;
}
