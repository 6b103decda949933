namespace LatencyTuner.Core.Settings;

/// <summary>
/// Where Windows or an application stores a setting. This program writes single values of <see cref="Registry"/> and <see cref="Template"/>;
/// it creates and removes transport filters.
/// </summary>
public abstract record SettingStore
{
    /// <summary>The placeholder for the GUID of an interface in <see cref="Registry.Key"/>.</summary>
    public const string InterfaceGuid = "{InterfaceGuid}";

    private SettingStore()
    {
    }

    /// <summary>The kind of store as reports name it: <c>registry</c>, <c>template</c>, <c>cim</c>, <c>adapter</c>, or the tool or API that owns it.</summary>
    public abstract string Kind { get; }

    /// <summary>Registry values of one key.</summary>
    /// <param name="Key">Full path; holds <see cref="InterfaceGuid"/> when there is one key per interface.</param>
    /// <param name="Values">Names of the values; the first is the setting, others are its further parts.</param>
    /// <param name="Type">The type Windows expects.</param>
    /// <param name="WrongKeys">Keys in which recipes put the value and in which nothing reads it.</param>
    public sealed record Registry(string Key, IReadOnlyList<string> Values, SettingValueKind Type, IReadOnlyList<string> WrongKeys) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "registry";

        /// <summary>True when every interface has its own value.</summary>
        public bool IsPerInterface => Key.Contains(InterfaceGuid, StringComparison.Ordinal);

        /// <inheritdoc/>
        public override string ToString() => $@"{Key}\{Values[0]}";
    }

    /// <summary>A property of the TCP templates.</summary>
    /// <param name="Namespace">The CIM namespace, such as <c>root/StandardCimv2</c>.</param>
    /// <param name="Class">CIM class, MSFT_NetTCPSetting.</param>
    /// <param name="Property">The name of the property.</param>
    /// <param name="OnlyTemplate">The one template that has it; null when all have.</param>
    public sealed record Template(string Namespace, string Class, string Property, string? OnlyTemplate) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "template";

        /// <inheritdoc/>
        public override string ToString() => OnlyTemplate is null ? $"{Class}.{Property}" : $"{Class}.{OnlyTemplate}.{Property}";
    }

    /// <summary>Properties of another CIM class; this program only reads them.</summary>
    /// <param name="Namespace">The CIM namespace, such as <c>root/StandardCimv2</c>.</param>
    /// <param name="Class">The CIM class.</param>
    /// <param name="Properties">The names of the properties, at least one.</param>
    public sealed record Cim(string Namespace, string Class, IReadOnlyList<string> Properties) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "cim";

        /// <inheritdoc/>
        public override string ToString() => $"{Class}.{string.Join(", ", Properties)}";
    }

    /// <summary>Advanced properties (standardised INF keywords) of network adapters; this program only reads them.</summary>
    /// <param name="Keywords">The keywords; the first is the setting, others are its further parts.</param>
    /// <param name="Key">The registry key of the drivers' instances.</param>
    /// <param name="Namespace">The CIM namespace, such as <c>root/StandardCimv2</c>.</param>
    /// <param name="Class">CIM class, MSFT_NetAdapterAdvancedPropertySettingData.</param>
    /// <param name="DedicatedClass">A CIM class that shows the operational state as well; null for none.</param>
    public sealed record Adapter(IReadOnlyList<string> Keywords, string Key, string Namespace, string Class, string? DedicatedClass) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "adapter";

        /// <inheritdoc/>
        public override string ToString() => $"{Class}.{string.Join(", ", Keywords)}";
    }

    /// <summary>A setting that only another program or the application's own code sets.</summary>
    /// <param name="Owner"><c>netsh</c>, <c>cmdlet</c>, <c>power</c>, <c>socket-option</c>, <c>ioctl</c>, <c>api</c>, <c>config</c>,
    /// <c>application</c> or <c>adapter-host</c>.</param>
    /// <param name="Name">The command, option, file or power scheme.</param>
    public sealed record Elsewhere(string Owner, string Name) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => Owner;

        /// <inheritdoc/>
        public override string ToString() => Name;
    }
}
