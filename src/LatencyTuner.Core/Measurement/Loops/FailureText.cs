using System.Net.Sockets;

namespace LatencyTuner.Core.Measurement.Loops;

/// <summary>The error messages of a run that failed.</summary>
internal static class FailureText
{
    internal static string Receive(string target, int count, SocketError failure, long request, TimeSpan timeout) =>
        count == 0 ? $"{target} closed the connection while request {request} waited for its reply."
        : failure == SocketError.WouldBlock ? $"{target} sent no complete reply to request {request} within {timeout.TotalSeconds:0.###} s."
        : $"The connection to {target} failed during request {request}: {Name(failure)}.";

    internal static string Send(string target, SocketError failure, long request, TimeSpan timeout) =>
        failure == SocketError.WouldBlock ? $"{target} accepted no more data for {timeout.TotalSeconds:0.###} s, at request {request}."
        : $"The connection to {target} failed while request {request} was sent: {Name(failure)}.";

    internal static string Stamp(string target, long request) =>
        $"{target} answered request {request} with bytes that are not its reply: it sent more or fewer bytes than agreed.";

    private static string Name(SocketError failure) => failure switch
    {
        SocketError.ConnectionReset => "it was reset",
        SocketError.Shutdown => "it was shut down",
        SocketError.ConnectionAborted => "it was aborted",
        SocketError.TimedOut => "TCP gave up retransmitting",
        _ => $"socket error {failure}",
    };
}
