namespace LatencyTuner.Core.Settings;

/// <summary>
/// Where Windows or an application keeps a setting. Of <see cref="Registry"/> and <see cref="Template"/> this program writes single values;
/// transport filters it makes and removes.
/// </summary>
public abstract record SettingStore
{
    /// <summary>What stands for the GUID of an interface in <see cref="Registry.Key"/>.</summary>
    public const string InterfaceGuid = "{InterfaceGuid}";

    private SettingStore()
    {
    }

    /// <summary>The kind as it is published: <c>registry</c>, <c>template</c>, <c>cim</c>, <c>adapter</c>, or the tool or API that owns it.</summary>
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
    /// <param name="Namespace">CIM namespace.</param>
    /// <param name="Class">CIM class, MSFT_NetTCPSetting.</param>
    /// <param name="Property">The property.</param>
    /// <param name="OnlyTemplate">The one template that has it; null when all have.</param>
    public sealed record Template(string Namespace, string Class, string Property, string? OnlyTemplate) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "template";

        /// <inheritdoc/>
        public override string ToString() => OnlyTemplate is null ? $"{Class}.{Property}" : $"{Class}.{OnlyTemplate}.{Property}";
    }

    /// <summary>Properties of another CIM class, read only here.</summary>
    /// <param name="Namespace">CIM namespace.</param>
    /// <param name="Class">CIM class.</param>
    /// <param name="Properties">The properties.</param>
    public sealed record Cim(string Namespace, string Class, IReadOnlyList<string> Properties) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "cim";

        /// <inheritdoc/>
        public override string ToString() => $"{Class}.{string.Join(", ", Properties)}";
    }

    /// <summary>Advanced properties (standardised INF keywords) of network adapters, read only here.</summary>
    /// <param name="Keywords">The keywords; the first is the setting, others are its further parts.</param>
    /// <param name="Key">The key of the drivers' instances.</param>
    /// <param name="Namespace">CIM namespace.</param>
    /// <param name="Class">CIM class, MSFT_NetAdapterAdvancedPropertySettingData.</param>
    /// <param name="DedicatedClass">A CIM class that shows the operational state as well; null for none.</param>
    public sealed record Adapter(IReadOnlyList<string> Keywords, string Key, string Namespace, string Class, string? DedicatedClass) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => "adapter";

        /// <inheritdoc/>
        public override string ToString() => $"{Class}.{string.Join(", ", Keywords)}";
    }

    /// <summary>What only another program or the application's own code sets.</summary>
    /// <param name="Owner"><c>netsh</c>, <c>cmdlet</c>, <c>power</c>, <c>socket-option</c>, <c>ioctl</c>, <c>api</c>, <c>config</c>,
    /// <c>application</c> or <c>adapter-host</c>.</param>
    /// <param name="Name">Command, option, file or scheme.</param>
    public sealed record Elsewhere(string Owner, string Name) : SettingStore
    {
        /// <inheritdoc/>
        public override string Kind => Owner;

        /// <inheritdoc/>
        public override string ToString() => Name;
    }
}
