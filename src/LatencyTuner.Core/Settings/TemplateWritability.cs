using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Settings;

/// <summary>Whether a Windows lets a property of a template be changed, as far as it is known beforehand; the attempt decides.</summary>
/// <param name="Writable">True, false, or null when it cannot be told.</param>
/// <param name="Confidence">How well founded that is.</param>
/// <param name="Because">Why, a clause.</param>
/// <remarks>
/// The note of Set-NetTCPSetting, the same in the documentation of Windows Server 2016 to 2025, learn.microsoft.com. What it does not
/// name is assumed from its neighbours, with confidence low.
/// </remarks>
internal sealed record TemplateWritability(bool? Writable, SettingConfidence Confidence, string Because)
{
    private static readonly string[] BlockedOnClients = [
        "MinRto", "InitialCongestionWindow", "AutomaticUseCustom", "CongestionProvider", "CwndRestart", "DelayedAckTimeout"];

    /// <summary>What is known.</summary>
    /// <param name="os">The Windows.</param>
    /// <param name="template">The template.</param>
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
            { IsServer: null } or { Build: null } => new(null, SettingConfidence.Low, "it is not known which Windows this is"),
            { Build: < 9200 } => new(false, SettingConfidence.High, "Windows before 8 and Server 2012 has no TCP templates"),
            { IsServer: false } when BlockedOnClients.Contains(property, StringComparer.OrdinalIgnoreCase) => new(
                false,
                os.Build < 22000 ? SettingConfidence.High : SettingConfidence.Medium,
                $"client editions keep {property} read-only" + (os.Build < 22000 ? "" : ", as documented for Windows 10 and assumed for 11")),
            { IsServer: false } =>
                new(true, SettingConfidence.Medium, $"{property} is not among the properties that client editions are documented to keep read-only"),
            { Build: < 14393 } when name is TcpTemplates.Automatic || TcpTemplates.IsCustom(name) => new(
                true, os.Build < 9600 ? SettingConfidence.High : SettingConfidence.Medium, "InternetCustom and DatacenterCustom are there to be changed"),
            { Build: < 14393 } => new(
                false,
                os.Build < 9600 ? SettingConfidence.High : SettingConfidence.Medium,
                "Server 2012 lets only InternetCustom and DatacenterCustom be changed" + (os.Build < 9600 ? "" : ", and 2012 R2 is assumed to do the same")),
            { Build: < 20348 } => new(true, SettingConfidence.High, "Server 2016 and 2019 let every template be changed"),
            _ => new(true, SettingConfidence.Medium, "Server 2016 and 2019 let every template be changed, and later ones are assumed to"),
        };
    }

    /// <summary>The templates of which a property can be changed, as far as it is known.</summary>
    /// <param name="os">The Windows.</param>
    /// <param name="property">The property.</param>
    public static IReadOnlyList<string> TemplatesFor(HostOs os, string property) =>
        [.. TcpTemplates.All.Append(TcpTemplates.Automatic).Where(t => Of(os, t, property).Writable == true)];
}
