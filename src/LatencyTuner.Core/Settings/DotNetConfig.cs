using System.Xml;
using System.Xml.Linq;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Settings;

/// <summary>Reads machine.config of the .NET Framework: what every application of that runtime inherits for its HTTP connections.</summary>
/// <remarks>servicePointManager and connectionManagement of system.net, learn.microsoft.com. .NET 5 and later ignore them.</remarks>
public static class DotNetConfig
{
    /// <summary>The largest file that is read, in bytes; the one that .NET Framework installs has about 35 KB.</summary>
    public const int MaxBytes = 4 * 1024 * 1024;

    /// <summary>The settings in the file, and the defaults for those that it does not set.</summary>
    /// <param name="bytes">The contents of the file.</param>
    /// <param name="name">The name of the file in reports and failures.</param>
    /// <exception cref="ExpectedFailureException">It is too large, or not XML (<see cref="ExitCode.Input"/>). A document type is refused:
    /// it could name other files.</exception>
    public static HostComponent Read(byte[] bytes, string name)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        if (bytes.Length > MaxBytes)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{name}: {bytes.Length} bytes are too many; at most {MaxBytes} bytes are read.");
        }

        XElement? root;
        try
        {
            using XmlReader reader =
                XmlReader.Create(
                    new MemoryStream(bytes),
                    new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, MaxCharactersInDocument = MaxBytes });
            root = XDocument.Load(reader).Root;
        }
        catch (XmlException failure)
        {
            throw new ExpectedFailureException(
                ExitCode.Input,
                $"{name}: line {failure.LineNumber}, column {failure.LinePosition}: this XML cannot be read: {failure.Message.TrimEnd('.')}.", failure);
        }

        XElement? net = Child(root, "system.net");
        XElement? manager = Child(Child(net, "settings"), "servicePointManager");
        List<string> limits = (Child(net, "connectionManagement")?.Elements() ?? []).Where(e => e.Name.LocalName == "add")
            .Select(e => $"{Attribute(e, "address") ?? "?"} at most {Attribute(e, "maxconnection") ?? "?"} connections").ToList();
        return new HostComponent
        {
            Kind = "dotnet-config",
            Name = name,
            Detail = string.Join("; ", limits.Prepend(Switch(manager, "expect100Continue")).Prepend(Switch(manager, "useNagleAlgorithm"))),
        };
    }

    private static string Switch(XElement? manager, string name) => Attribute(manager, name) switch
    {
        null => $"{name} not set, which means true",
        var text when bool.TryParse(text, out bool value) => $"{name} {(value ? "true" : "false")}",
        var text => $"{name} is {Quoting.Quote(text)}, which is neither true nor false",
    };

    // .NET reads configuration files without regard to namespaces, but with regard to case.
    private static XElement? Child(XElement? parent, string name) => parent?.Elements().FirstOrDefault(e => e.Name.LocalName == name);

    private static string? Attribute(XElement? element, string name) => element?.Attribute(name)?.Value;
}
