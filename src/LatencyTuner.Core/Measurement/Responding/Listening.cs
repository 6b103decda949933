using System.Net;
using System.Net.Sockets;
using LatencyTuner.Core.Measurement.Protocol;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>Opens listening sockets; a failure gets an error message with its reason.</summary>
internal static class Listening
{
    internal static Socket Open(IPEndPoint endpoint, int? sendBuffer, int? receiveBuffer, int backlog)
    {
        Socket? socket = null;
        try
        {
            socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            if (OperatingSystem.IsWindows())
            {
                // On Windows the default lets another process take the port over.
                socket.ExclusiveAddressUse = true;
            }

            // Elsewhere ReuseAddress would set SO_REUSEPORT too, and two responders would share a port; bind itself sets SO_REUSEADDR.
            if (endpoint.AddressFamily == AddressFamily.InterNetworkV6)
            {
                socket.DualMode = false;
            }

            SocketOptionsApplied.SetBuffers(socket, sendBuffer, receiveBuffer);
            socket.Bind(endpoint);
            socket.Listen(backlog);
            socket.Blocking = false;
            return socket;
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            string sentence = e.SocketErrorCode switch
            {
                SocketError.AddressAlreadyInUse =>
                    $"Port {endpoint.Port} on {endpoint.Address} is in use; stop the program that uses it, or choose another port with --port.",
                SocketError.AccessDenied when OperatingSystem.IsWindows() =>
                    $"Port {endpoint.Port} on {endpoint.Address} is reserved, or another program uses it exclusively. Choose another port with "
                    + "--port; 'netsh int ipv4 show excludedportrange tcp' lists the reserved ports.",
                SocketError.AccessDenied =>
                    $"Port {endpoint.Port} on {endpoint.Address} needs a privilege that this process lacks, or is reserved. Choose a port from 1024 "
                    + "to 65535 with --port.",
                SocketError.AddressNotAvailable => $"{endpoint.Address} is not an address of this machine; choose one of its addresses with --bind.",
                SocketError.AddressFamilyNotSupported =>
                    $"Listening on {endpoint.Address} failed: this machine has no "
                    + $"{(endpoint.AddressFamily == AddressFamily.InterNetworkV6 ? "IPv6" : "IPv4")}.",
                _ => $"Listening on {endpoint} failed: {e.Message.TrimEnd('.')}.",
            };
            throw new ExpectedFailureException(
                e.SocketErrorCode == SocketError.AccessDenied ? ExitCode.Platform : ExitCode.Measurement, sentence, e);
        }
    }
}
