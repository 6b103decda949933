using System.Buffers.Binary;
using System.Text;

namespace LatencyTuner.Core.Etw;

/// <summary>
/// What a trace says about the places where its packets were captured: the components of pktmon, and the adapters that a merged trace lists
/// (their MIB_IF_ROW2 of netioapi.h, or the NIC events of the kernel's rundown).
/// </summary>
internal sealed class TraceInterfaces
{
    private const int MostKnown = 65_536;
    private const byte SystemConfigGroup = 0x0B;
    private const byte Nic = 13;
    private const byte AdapterRow = 36;
    private const int AdapterAlias = 28;
    private const int AdapterNameBytes = 2 * 257;

    private static readonly Guid RundownClass = new("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
    private static readonly Guid SystemConfigClass = new("01853a65-418f-4f36-aefc-dc0f1d2fd235");

    private readonly Dictionary<uint, (string Alias, string Description)> _adapters = [];
    private readonly Dictionary<uint, (string Driver, string Description)> _components = [];
    private readonly Dictionary<uint, uint> _adapterOfComponent = [];

    /// <summary>Reads the components and adapters from an event, if it describes any.</summary>
    /// <param name="header">The event.</param>
    /// <param name="payload">Its payload.</param>
    public void Take(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Kind == EtwEventKind.Manifest)
        {
            if (header.Provider == TracePacketReader.PktMonProvider && header.Id is 20 or 30)
            {
                TakeComponent(header.Id, payload);
            }
        }
        else if (header.Provider == RundownClass && header.Opcode == AdapterRow && payload.Length >= AdapterAlias + (2 * AdapterNameBytes))
        {
            string alias = Text(payload.Slice(AdapterAlias, AdapterNameBytes));
            Put(
                _adapters, BinaryPrimitives.ReadUInt32LittleEndian(payload[8..]),
                (alias, Text(payload.Slice(AdapterAlias + AdapterNameBytes, AdapterNameBytes))));
        }
        else if (header.Provider == SystemConfigClass && header.Opcode == Nic && header.Task is 0 or SystemConfigGroup && payload.Length > 20)
        {
            // Address and its length, interface index for IPv4 and for IPv6, and the description of the adapter.
            string description = Text(payload[20..]);
            foreach (int at in (ReadOnlySpan<int>)[12, 16])
            {
                uint index = BinaryPrimitives.ReadUInt32LittleEndian(payload[at..]);
                if (index != 0 && !_adapters.ContainsKey(index))
                {
                    Put(_adapters, index, ("", description));
                }
            }
        }
    }

    /// <summary>Name and description of a component or adapter.</summary>
    /// <param name="provider">Provider of the packet event.</param>
    /// <param name="place">pktmon component number, or interface index.</param>
    public (string Name, string Description) Of(Guid provider, uint place)
    {
        if (provider != TracePacketReader.PktMonProvider)
        {
            bool known = _adapters.TryGetValue(place, out (string Alias, string Description) adapter);
            return Joined($"interface index {place}", known ? [adapter.Alias] : [], known ? [adapter.Description] : []);
        }

        List<string> names = [], details = [];
        if (_components.TryGetValue(place, out (string Driver, string Description) component))
        {
            details = [component.Driver, component.Description];
        }

        if (_adapterOfComponent.TryGetValue(place, out uint index))
        {
            details.Add($"interface index {index}");
            names = _adapters.TryGetValue(index, out (string Alias, string Description) adapter) ? [adapter.Alias, component.Description ?? ""]
                : [component.Description ?? ""];
        }
        else
        {
            names.Add(component.Description ?? "");
        }

        return Joined($"pktmon component {place}", names, details);
    }

    private static (string Name, string Description) Joined(string number, List<string> names, List<string> details)
    {
        string? name = names.Find(n => !string.IsNullOrEmpty(n));
        return (name is null ? number : $"{name} ({number})", string.Join(", ", details.Where(d => !string.IsNullOrEmpty(d)).Prepend(number)));
    }

    private void TakeComponent(int id, ReadOnlySpan<byte> payload)
    {
        if (payload.Length < 8)
        {
            return;
        }

        uint component = BinaryPrimitives.ReadUInt16LittleEndian(payload);
        if (id == 20)
        {
            string driver = Text(payload[4..]);
            int rest = 4 + (2 * (driver.Length + 1));
            Put(_components, component, (driver, rest < payload.Length ? Text(payload[rest..]) : ""));
        }
        else if (BinaryPrimitives.ReadUInt16LittleEndian(payload[2..]) == 1)
        {
            // Properties of components: kind 1 is the interface index of the adapter, as in the adapters that these traces list.
            Put(_adapterOfComponent, component, BinaryPrimitives.ReadUInt32LittleEndian(payload[4..]));
        }
    }

    private static void Put<T>(Dictionary<uint, T> all, uint key, T value)
    {
        if (all.Count < MostKnown || all.ContainsKey(key))
        {
            all[key] = value;
        }
    }

    /// <summary>UTF-16 text up to its terminating zero; empty when it contains control characters.</summary>
    private static string Text(ReadOnlySpan<byte> bytes)
    {
        for (int i = 0; i + 1 < bytes.Length && i <= AdapterNameBytes; i += 2)
        {
            if (bytes[i] != 0 || bytes[i + 1] != 0)
            {
                continue;
            }

            string text = Encoding.Unicode.GetString(bytes[..i]);
            return text.Any(char.IsControl) ? "" : text;
        }

        return "";
    }
}
