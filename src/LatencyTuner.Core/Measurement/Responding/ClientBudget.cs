using System.Net;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement.Responding;

/// <summary>
/// The memory of all measured connections together and the places of each client, for all ports of a responder. Any thread may use it.
/// </summary>
/// <param name="limits">The operator's limits.</param>
public sealed class ClientBudget(ResponderLimits limits)
{
    private readonly object _gate = new();
    private readonly Dictionary<IPAddress, int> _places = [];
    private long _memory;

    /// <summary>Takes a place and memory for one connection or stream.</summary>
    /// <param name="client">The client's address.</param>
    /// <param name="bytes">The memory that it may need.</param>
    /// <returns>Null when taken; otherwise the reason, a phrase.</returns>
    public string? Take(IPAddress client, long bytes)
    {
        ArgumentNullException.ThrowIfNull(client);
        lock (_gate)
        {
            int places = _places.GetValueOrDefault(client);
            if (places >= limits.ConnectionsPerClient)
            {
                return $"all {Counted.Of(limits.ConnectionsPerClient, "connection")} of one client at this responder are in use (--max-per-client)";
            }

            if (_memory + bytes > limits.TotalMemoryBytes)
            {
                return $"the {limits.TotalMemoryBytes} bytes that this responder may use for connections are in use (--max-memory)";
            }

            _places[client] = places + 1;
            _memory += bytes;
            return null;
        }
    }

    /// <summary>Gives back what <see cref="Take"/> took.</summary>
    /// <param name="client">The client's address.</param>
    /// <param name="bytes">The same number of bytes.</param>
    public void Give(IPAddress client, long bytes)
    {
        ArgumentNullException.ThrowIfNull(client);
        lock (_gate)
        {
            _memory -= bytes;
            if (--_places[client] == 0)
            {
                _places.Remove(client);
            }
        }
    }
}
