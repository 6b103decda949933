using System.Net.Sockets;

namespace LatencyTuner.Core.Measurement.Protocol;

/// <summary>A connection that has not finished its handshake.</summary>
/// <param name="Socket">Its non-blocking socket.</param>
/// <param name="Handshake">Its state.</param>
/// <param name="Ticket">Ticket of the listener it came through; 0 for the main ones.</param>
/// <param name="Deadline">Timestamp at which it is dropped.</param>
/// <param name="Peer">The client's address, for the log.</param>
internal sealed record PendingHandshake(Socket Socket, ServerHandshake Handshake, ulong Ticket, long Deadline, string Peer);
