using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>Whether a Windows version allows a change of a template property, as far as that is documented; only the attempt shows it.</summary>
/// <param name="Writable">True, false, or null when it is unknown.</param>
/// <param name="Confidence">How well the documentation supports this.</param>
/// <param name="Because">The reason, a clause.</param>
/// <remarks>
/// The note of Set-NetTCPSetting, the same in the documentation of Windows Server 2016 to 2025, learn.microsoft.com. Versions that it does
/// not name are assumed to act like their neighbours, with a lower confidence.
/// </remarks>
internal sealed record TemplateWritability(bool? Writable, SettingConfidence Confidence, string Because)
{
    private static readonly string[] BlockedOnClients = [
        "MinRto", "InitialCongestionWindow", "AutomaticUseCustom", "CongestionProvider", "CwndRestart", "DelayedAckTimeout"];

    /// <summary>What is documented about one property.</summary>
    /// <param name="os">The Windows version.</param>
    /// <param name="template">The name of the template.</param>
    /// <param name="property">The property of MSFT_NetTCPSetting.</param>
    public static TemplateWritability Of(HostOs os, string template, string property)
    {
        ArgumentNullException.ThrowIfNull(os);
        ArgumentNullException.ThrowIfNull(template);
        ArgumentNullException.ThrowIfNull(property);
        if (TcpTemplates.Find(template) is not { } name)
        {
            return new(
                false, SettingConfidence.High,
                $"there is no template '{template}'; there are {string.Join(", ", TcpTemplates.All)} and {TcpTemplates.Automatic}");
        }

        bool isSwitch = string.Equals(property, "AutomaticUseCustom", StringComparison.OrdinalIgnoreCase);
        if (isSwitch != (name == TcpTemplates.Automatic))
        {
            return new(
                false, SettingConfidence.High,
                isSwitch ? "AutomaticUseCustom belongs to the template Automatic alone"
                    : "Automatic is a rule, not a template: it has AutomaticUseCustom and nothing else");
        }

        return os switch
        {
            { IsServer: null } or { Build: null } => new(null, SettingConfidence.Low, "the Windows version is unknown"),
            { Build: < 9200 } => new(false, SettingConfidence.High, "Windows versions before 8 and Server 2012 have no TCP templates"),
            { IsServer: false } when BlockedOnClients.Contains(property, StringComparer.OrdinalIgnoreCase) => new(
                false,
                os.Build < 22000 ? SettingConfidence.High : SettingConfidence.Medium,
                $"client editions keep {property} read-only" + (os.Build < 22000 ? "" : ", as documented for Windows 10 and assumed for 11")),
            { IsServer: false } =>
                new(true, SettingConfidence.Medium, $"{property} is not among the properties that client editions are documented to keep read-only"),
            { Build: < 14393 } when name is TcpTemplates.Automatic || TcpTemplates.IsCustom(name) => new(
                true, os.Build < 9600 ? SettingConfidence.High : SettingConfidence.Medium, "InternetCustom and DatacenterCustom exist to be changed"),
            { Build: < 14393 } => new(
                false,
                os.Build < 9600 ? SettingConfidence.High : SettingConfidence.Medium,
                "Server 2012 allows changes of InternetCustom and DatacenterCustom only" + (os.Build < 9600 ? "" : ", and 2012 R2 is assumed to do the same")),
            { Build: < 20348 } => new(true, SettingConfidence.High, "Server 2016 and 2019 allow changes of every template"),
            _ => new(true, SettingConfidence.Medium, "Server 2016 and 2019 allow changes of every template; later versions are assumed to do the same"),
        };
    }

    /// <summary>The templates in which a property can be changed, as far as that is known.</summary>
    /// <param name="os">The Windows version.</param>
    /// <param name="property">The property of MSFT_NetTCPSetting.</param>
    public static IReadOnlyList<string> TemplatesFor(HostOs os, string property) =>
        [.. TcpTemplates.All.Append(TcpTemplates.Automatic).Where(t => Of(os, t, property).Writable == true)];
}
