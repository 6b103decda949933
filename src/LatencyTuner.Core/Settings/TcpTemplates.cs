namespace LatencyTuner.Core.Settings;

/// <summary>The TCP templates and how they are numbered.</summary>
internal static class TcpTemplates
{
    /// <summary>The rule that chooses between the templates; its only value is <c>AutomaticUseCustom</c>.</summary>
    public const string Automatic = "Automatic";

    // By the CIM class (MSFT_NetTCPConnection.AppliedSetting, learn.microsoft.com). The ETW manifest has the numbers 3 and 4 the other way round.
    private static readonly string[] ByCim = ["Internet", "Datacenter", "Compat", "InternetCustom", "DatacenterCustom"];
    private static readonly string[] ByEtw = ["Internet", "Datacenter", "Compat", "DatacenterCustom", "InternetCustom"];

    /// <summary>The templates with values, stock ones first.</summary>
    public static IReadOnlyList<string> All => ByCim;

    /// <summary>True for the two custom templates, which exist to be changed.</summary>
    /// <param name="name">The name of a template.</param>
    public static bool IsCustom(string name) => Same(name, "InternetCustom") || Same(name, "DatacenterCustom");

    /// <summary>The custom template that takes the place of a stock one; null where none does.</summary>
    /// <param name="name">The stock template.</param>
    public static string? CustomOf(string name) => Same(name, "Internet") ? "InternetCustom" : Same(name, "Datacenter") ? "DatacenterCustom" : null;

    /// <summary>The name as Windows writes it; null when there is no such template.</summary>
    /// <param name="name">The name in any case.</param>
    public static string? Find(string name) => All.Append(Automatic).FirstOrDefault(t => Same(t, name));

    /// <summary>The template of a connection, by the numbers of CIM.</summary>
    /// <param name="number">The number in AppliedSetting.</param>
    public static string? OfCimNumber(ulong number) => number < (ulong)ByCim.Length ? ByCim[number] : null;

    /// <summary>The template of a connection, by the numbers of the ETW manifest of Microsoft-Windows-TCPIP.</summary>
    /// <param name="number">The template's number in an event.</param>
    public static string? OfEtwNumber(ulong number) => number < (ulong)ByEtw.Length ? ByEtw[number] : null;

    private static bool Same(string a, string b) => string.Equals(a, b, StringComparison.OrdinalIgnoreCase);
}
