namespace LatencyTuner.Core.Settings;

/// <summary>The catalogue entry of one setting. A change of it starts from <see cref="ApplicableSetting"/>, not from this type.</summary>
public sealed record SettingDefinition
{
    /// <summary>Stable id, for example <c>tcp.ackfrequency</c>.</summary>
    public required string Id { get; init; }

    /// <summary>The name Windows gives it.</summary>
    public required string Title { get; init; }

    /// <summary>The group of settings that it belongs to.</summary>
    public required string Area { get; init; }

    /// <summary>What the setting controls, a sentence.</summary>
    public required string What { get; init; }

    /// <summary>Its effect on latency.</summary>
    public required string Effect { get; init; }

    /// <summary>The cost of changing it, such as more packets or processor time.</summary>
    public required string Cost { get; init; }

    /// <summary>What one value applies to.</summary>
    public required SettingScope Scope { get; init; }

    /// <summary>What one value applies to, in words.</summary>
    public required string ScopeText { get; init; }

    /// <summary>Where Windows or an application stores it.</summary>
    public required SettingStore Store { get; init; }

    /// <summary>The meaning of an absent value; null where a value always exists.</summary>
    public string? AbsentMeans { get; init; }

    /// <summary>The valid values, in words.</summary>
    public required string Range { get; init; }

    /// <summary>The valid numbers; null when they are unknown or the values are no numbers.</summary>
    public AllowedNumbers? Allowed { get; init; }

    /// <summary>Values that are written only when an administrator insists, and why; null when there are none.</summary>
    public ForcedValues? NeedsForce { get; init; }

    /// <summary>The default per Windows version (<c>2012R2</c> to <c>2025</c>, <c>10</c>, <c>11</c>), for explanation only.</summary>
    public required IReadOnlyDictionary<string, string> Defaults { get; init; }

    /// <summary>What this program may do with it.</summary>
    public required SettingAction Action { get; init; }

    /// <summary>When a written value is in force.</summary>
    public required TakesEffect TakesEffect { get; init; }

    /// <summary>When a written value is in force, in words.</summary>
    public required string TakesEffectText { get; init; }

    /// <summary>Whether it is documented, undocumented, ignored or a myth, in words.</summary>
    public required string Status { get; init; }

    /// <summary>How an administrator reads it: a command or a place.</summary>
    public required string Read { get; init; }

    /// <summary>How an administrator sets it: a command or steps.</summary>
    public required string Set { get; init; }

    /// <summary>How an administrator undoes a change of it.</summary>
    public required string Undo { get; init; }

    /// <summary>When a change is worth it; may be empty.</summary>
    public required string Advice { get; init; }

    /// <summary>Further remarks; may be empty.</summary>
    public required string Notes { get; init; }

    /// <summary>Whether client editions of Windows let it be written; null when it is no template property.</summary>
    public bool? ClientWritable { get; init; }

    /// <summary>Where the facts come from; at least one.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>How well the sources support the facts of this entry.</summary>
    public required SettingConfidence Confidence { get; init; }

    /// <summary>The values that suit a profile, where the facts support one; empty for what is never set.</summary>
    public IReadOnlyDictionary<WorkloadProfile, RecommendedValues> Recommended { get; init; } = new Dictionary<WorkloadProfile, RecommendedValues>();

    /// <summary>What the presence of a value means; null unless <see cref="Action"/> is <see cref="SettingAction.FlagOnly"/>.</summary>
    public FlaggedValue? Flagged { get; init; }

    /// <summary>The setting as one that can be changed.</summary>
    /// <exception cref="ExpectedFailureException">This program does not change it (<see cref="ExitCode.Usage"/>); the sentence says what to
    /// do instead.</exception>
    public ApplicableSetting Applicable() =>
        ApplicableSetting.TryFrom(this) ?? throw new ExpectedFailureException(ExitCode.Usage, $"{Id} is not changed by this program: " + Action switch
        {
            SettingAction.AdviseApp => $"it belongs to the application's code or configuration ({Store}).",
            SettingAction.FlagOnly => (Flagged?.Because ?? Status) + ".",
            SettingAction.AdviseOnly when Scope == SettingScope.Adapter =>
                "setting it can restart the adapter, which drops remote sessions, WinRM, cluster and iSCSI connections. Do it yourself at a time of "
                + $"your choosing: {Set}.",
            SettingAction.AdviseOnly => $"do it yourself at a time of your choosing: {Set}.",
            _ => $"it is not a single value: {Set}.",
        });

    /// <summary>The default of a Windows version.</summary>
    /// <param name="osColumn">A key of <see cref="Defaults"/>; null when the version is unknown.</param>
    public string DefaultOn(string? osColumn) => osColumn is not null && Defaults.TryGetValue(osColumn, out string? text) ? text : "unknown";
}

/// <summary>The meaning of a value that exists, for a setting that this program never sets.</summary>
/// <param name="HasEffect">False: it does nothing. True: it works, but is not recommended.</param>
/// <param name="Unless">Values that need no remark.</param>
/// <param name="From">This number and larger ones need no remark; null when no number is exempt.</param>
/// <param name="Because">Why, a clause.</param>
public sealed record FlaggedValue(bool HasEffect, IReadOnlyList<string> Unless, long? From, string Because);

/// <summary>The values that suit a profile.</summary>
/// <param name="Values">Acceptable values, the recommended one first: decimal numbers, text, or <c>absent</c>.</param>
/// <param name="Because">Why these values suit the profile, a clause.</param>
public sealed record RecommendedValues(IReadOnlyList<string> Values, string Because)
{
    /// <summary>The recommended value: the first of the acceptable ones.</summary>
    public string Best => Values[0];
}

/// <summary>What this program may do with a setting.</summary>
public enum SettingAction
{
    /// <summary>It can be changed and restored exactly.</summary>
    CanApply,

    /// <summary>Only the command is printed: running it can drop sessions, or its result cannot be read back.</summary>
    AdviseOnly,

    /// <summary>It belongs to the code or the configuration of an application.</summary>
    AdviseApp,

    /// <summary>Reported where present, never set: a myth, ignored, or obsolete.</summary>
    FlagOnly,
}

/// <summary>How well the sources support a fact of the catalogue.</summary>
public enum SettingConfidence
{
    /// <summary>There is no current source.</summary>
    Low,

    /// <summary>One trace, an old page, or sources that differ.</summary>
    Medium,

    /// <summary>Documented, or seen in several dumps.</summary>
    High,
}

/// <summary>What one value of a setting applies to.</summary>
public enum SettingScope
{
    /// <summary>The whole machine: one value for all connections.</summary>
    Machine,

    /// <summary>One IP interface, by its GUID.</summary>
    Interface,

    /// <summary>The connections that use one TCP template.</summary>
    Template,

    /// <summary>The connections that match a transport filter.</summary>
    Filter,

    /// <summary>One network adapter and its driver.</summary>
    Adapter,

    /// <summary>The setting holds for one socket.</summary>
    Socket,

    /// <summary>One connection, from outside its process.</summary>
    Connection,

    /// <summary>The setting holds for one application.</summary>
    Application,
}

/// <summary>When a written value is in force.</summary>
public enum TakesEffect
{
    /// <summary>Never, or the question does not apply.</summary>
    NotApplicable,

    /// <summary>At once, without a restart.</summary>
    Immediate,

    /// <summary>For connections opened afterwards.</summary>
    NewConnections,

    /// <summary>After a restart of the adapter, which drops its link.</summary>
    AdapterRestart,

    /// <summary>After a restart of the service.</summary>
    ServiceRestart,

    /// <summary>After a restart of Windows.</summary>
    Reboot,
}

/// <summary>Values that weaken a defence, or that the present Windows is not known to take.</summary>
/// <param name="Values">The values, as written in the catalogue.</param>
/// <param name="Because">The reason, a clause.</param>
public sealed record ForcedValues(IReadOnlyList<string> Values, string Because);
