namespace LatencyTuner.Core.Settings;

/// <summary>Where one value is stored.</summary>
public abstract record SettingLocation
{
    private SettingLocation()
    {
    }

    /// <summary>A registry value in the 64-bit view.</summary>
    /// <param name="Key">Full path beginning with <c>HKLM\</c>, without a trailing backslash.</param>
    /// <param name="Value">Name of the value.</param>
    public sealed record Registry(string Key, string Value) : SettingLocation
    {
        /// <inheritdoc/>
        public override string ToString() => $@"{Key}\{Value}";
    }

    /// <summary>A property of a TCP template (CIM class MSFT_NetTCPSetting).</summary>
    /// <param name="TemplateName">For example <c>InternetCustom</c>.</param>
    /// <param name="Property">For example <c>DelayedAckFrequency</c>.</param>
    public sealed record Template(string TemplateName, string Property) : SettingLocation
    {
        /// <inheritdoc/>
        public override string ToString() => $"MSFT_NetTCPSetting.{TemplateName}.{Property}";
    }

    /// <summary>A transport filter (CIM class MSFT_NetTransportFilter); its value is the name of the template it binds to.</summary>
    /// <param name="Which">The connections that it matches.</param>
    public sealed record Filter(TransportFilter Which) : SettingLocation
    {
        /// <inheritdoc/>
        public override string ToString() => $"MSFT_NetTransportFilter ({Which})";
    }
}
