using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>The templates of connections, by their ends.</summary>
public static class CimTemplates
{
    /// <summary>Adds to each connection the template that CIM tells for the same ends.</summary>
    /// <param name="sockets">The sockets.</param>
    /// <param name="rows">The instances of <see cref="CimClasses.ConnectionEnds"/>.</param>
    public static IReadOnlyList<HostSocket> With(IReadOnlyList<HostSocket> sockets, IReadOnlyList<CimRow> rows)
    {
        ArgumentNullException.ThrowIfNull(sockets);
        ArgumentNullException.ThrowIfNull(rows);
        Dictionary<(string?, ulong?, string?, ulong?), string> templates = [];
        foreach (CimRow row in rows)
        {
            if (CimValues.Applied(row) is { } template)
            {
                templates[(row.Text("LocalAddress"), row.Number("LocalPort"), row.Text("RemoteAddress"), row.Number("RemotePort"))] = template;
            }
        }

        return
        [
            // Listeners and closing connections have no template, whatever number the property has.
            .. sockets.Select(s => s.State != SocketState.Established ? s : s with
            {
                Template = templates.GetValueOrDefault((s.Local.Address, (ulong)s.Local.Port, s.Remote.Address, (ulong)s.Remote.Port)),
            }),
        ];
    }
}
