namespace LatencyTuner.Core.Settings;

/// <summary>Compares places as Windows does: names without regard to case.</summary>
internal sealed class LocationComparer : IEqualityComparer<SettingLocation>
{
    /// <summary>The one instance of the comparer.</summary>
    public static readonly LocationComparer Instance = new();

    private LocationComparer()
    {
    }

    /// <inheritdoc/>
    public bool Equals(SettingLocation? x, SettingLocation? y) => (x, y) switch
    {
        (SettingLocation.Registry a, SettingLocation.Registry b) => Same(a.Key, b.Key) && Same(a.Value, b.Value),
        (SettingLocation.Template a, SettingLocation.Template b) => Same(a.TemplateName, b.TemplateName) && Same(a.Property, b.Property),
        (SettingLocation.Filter a, SettingLocation.Filter b) =>
            Same(a.Which.DestinationPrefix, b.Which.DestinationPrefix) && Same(a.Which.Ports, b.Which.Ports),
        _ => x is null && y is null,
    };

    /// <inheritdoc/>
    public int GetHashCode(SettingLocation obj) => obj switch
    {
        SettingLocation.Registry r =>
            HashCode.Combine(StringComparer.OrdinalIgnoreCase.GetHashCode(r.Key), StringComparer.OrdinalIgnoreCase.GetHashCode(r.Value)),
        SettingLocation.Template t =>
            HashCode.Combine(StringComparer.OrdinalIgnoreCase.GetHashCode(t.TemplateName), StringComparer.OrdinalIgnoreCase.GetHashCode(t.Property)),
        SettingLocation.Filter f =>
            HashCode.Combine(
                StringComparer.OrdinalIgnoreCase.GetHashCode(f.Which.DestinationPrefix), StringComparer.OrdinalIgnoreCase.GetHashCode(f.Which.Ports)),
        _ => 0,
    };

    private static bool Same(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
