using System.Text.RegularExpressions;

namespace LatencyTuner.Core.Masking;

/// <summary>
/// Masks documents: names where their fields hold names, and the same names, addresses and paths in every other text. All documents are met first, so that
/// a name is masked in the first of them even when only the last says that it is one.
/// </summary>
internal sealed partial class DocumentMask
{
    private static readonly HashSet<string> Kept =
    [
        "schema", "verdict", "unit", "tool", "toolVersion", "sha256", "copySha256", "histogram", "checksum", "os", "runtime", "responderOs", "responderVersion",
        "settingId", "severity", "confidence", "driverVersion", "driverDate", "driverProvider", "takenWith", "language", "media", "product", "edition", "timer",
        "hypervisor", "version", "arrivals", "findingId", "scale", "kind", "batch", "store", "type", "congestionControl", "provider",
    ];

    private static readonly HashSet<string> Hosts =
        ["host", "machine", "machineName", "longestRttHost", "target", "targets", "hosts", "server", "client", "address"];

    private static readonly HashSet<string> HostParents = ["target", "hosts", "client", "server", "responder"];

    private static readonly HashSet<string> Files =
        ["path", "file", "files", "clientCapture", "serverCapture", "journal", "backup", "snapshot", "snapshots", "from", "source", "members"];

    private static readonly HashSet<string> Interfaces = ["alias", "interfaceAlias", "interfaceName", "description", "networkNamespace"];

    private static readonly HashSet<string> Commands = ["commandLine", "nextSteps", "commands", "command"];

    private readonly Pseudonyms _names;
    private readonly TextMask _text;
    private readonly CommandMask _commands;

    /// <summary>Makes a mask.</summary>
    /// <param name="addresses">Masks addresses.</param>
    /// <param name="names">Keeps the names.</param>
    public DocumentMask(AddressMask addresses, Pseudonyms names)
    {
        _names = names;
        _text = new TextMask(addresses, names);
        _commands = new CommandMask(_text, names);
    }

    /// <summary>Meets a string, so that its names are known.</summary>
    /// <param name="around">Name of the object around its property.</param>
    /// <param name="property">Name of its property.</param>
    /// <param name="value">The string.</param>
    /// <returns>The string as it is.</returns>
    public string Meet(string around, string property, string value)
    {
        if (!Kept.Contains(property))
        {
            _ = Named(around, property, value);
        }

        return value;
    }

    /// <summary>Says that all documents were met.</summary>
    public void EndMeeting() => _text.Forget();

    /// <summary>Masks a string.</summary>
    /// <param name="around">Name of the object around its property.</param>
    /// <param name="property">Name of its property.</param>
    /// <param name="value">The string.</param>
    public string Mask(string around, string property, string value) =>
        Kept.Contains(property) ? value : Named(around, property, value) ?? _text.Apply(value);

    /// <summary>Masks any text.</summary>
    public string Text(string text) => _text.Apply(text);

    /// <summary>What stands for a value that is a name; null for a text.</summary>
    private string? Named(string around, string property, string value)
    {
        if (value.Length == 0 || value.Length > 4000)
        {
            return null;
        }

        if (Commands.Contains(property) && CommandMask.IsCommand(value))
        {
            return _commands.Apply(value);
        }

        if (property == "note")
        {
            // Written by people: words that look like names of hosts are taken for such.
            foreach (Match match in LikeHost().Matches(value))
            {
                _ = TextMask.IsCommon(match.Value) || _text.Address(match.Value) is not null ? "" : _names.Host(match.Value);
            }

            return null;
        }

        return property switch
        {
            "operator" => _names.Of("user", value),
            "ticket" => _names.Of("ticket", value),
            "machineId" => _names.Of("machine", value),
            "guid" => _names.Of("interface", value),
            "interface" when value.StartsWith('{') => _names.Of("interface", value),
            _ when Interfaces.Contains(property) && (around is "interfaces" || property != "description") =>
                UsualInterface().IsMatch(value) ? null : _names.Of("interface", value),
            _ when Files.Contains(property) && value.IndexOfAny(['/', '\\', '.']) >= 0 && !value.Contains(" : ", StringComparison.Ordinal)
                && !value.Contains("://", StringComparison.Ordinal) && (value.IndexOf(' ', StringComparison.Ordinal) < 0 || HasExtension().IsMatch(value)) =>
                _text.Address(value) ?? (value.StartsWith("HK", StringComparison.Ordinal) ? null : _names.File(TextMask.FileOf(value))),
            _ when Hosts.Contains(property) || (property == "name" && HostParents.Contains(around)) => HostValue(value),
            _ => null,
        };
    }

    /// <summary>A host, an address, either with a port; several in one string are text in which the hosts are met.</summary>
    private string? HostValue(string value)
    {
        if (_text.Address(value) is { } address)
        {
            return address;
        }

        Match match = HostAndPort().Match(value);
        if (!match.Success)
        {
            return null;
        }

        string host = match.Groups["host"].Value;
        return TextMask.IsCommon(host) || _text.Address(host) is not null ? null
            : match.Groups["scheme"].Value + _names.Host(host) + match.Groups["rest"].Value;
    }

    [GeneratedRegex(@"^(?<scheme>[a-z0-9]+://)?(?<host>[A-Za-z0-9_][\w.-]*)(?<rest>(:\d+)?(/\S*)?)$")]
    private static partial Regex HostAndPort();

    /// <summary>Labels with dots between, or letters with a number behind.</summary>
    [GeneratedRegex(@"(?<![\w.@-])(?:[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+|[A-Za-z][A-Za-z_-]*\d+)(?![\w-])")]
    private static partial Regex LikeHost();

    [GeneratedRegex(@"\.[A-Za-z0-9]{2,6}$")]
    private static partial Regex HasExtension();

    /// <summary>Names that systems give themselves.</summary>
    [GeneratedRegex(@"^(Ethernet|Wi-Fi|Local Area Connection|Loopback Pseudo-Interface|vEthernet|lo|eth|ens|enp|eno|wlan|net)[ \d\w]{0,8}$")]
    private static partial Regex UsualInterface();
}
