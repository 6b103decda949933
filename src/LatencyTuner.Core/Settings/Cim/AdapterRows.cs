using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings.Cim;

/// <summary>Decides which interface a CIM instance of an adapter belongs to.</summary>
internal static class AdapterRows
{
    /// <summary>
    /// True when an instance belongs to an interface: by the GUID at the start of its key, else by the description, which is unique, else by the name.
    /// </summary>
    internal static bool IsOf(CimRow row, NetworkInterface owner)
    {
        if (row.Guid("InstanceID") is { } guid)
        {
            return Same(guid, owner.Guid);
        }

        return row.Text("InterfaceDescription") is { } description && owner.Description is { } own ? Same(description, own)
            : row.Text("Name") is { } name && owner.Alias is { } alias && Same(name, alias);
    }

    internal static bool Same(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
