using System.Globalization;
using System.Xml;
using System.Xml.Linq;

namespace LatencyTuner.Core.Etw;

/// <summary>Reads recording profiles (.wprp) in the form that this program uses: one collector, providers by GUID, one profile for files.</summary>
internal static class EtwProfileReader
{
    /// <summary>Reads a profile.</summary>
    /// <param name="text">The XML.</param>
    /// <param name="name">Name of the profile.</param>
    /// <exception cref="ExpectedFailureException">The text is not a profile of this form (<see cref="ExitCode.Input"/>).</exception>
    public static EtwProfile Read(string text, string name)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(name);
        try
        {
            XElement profiles = XDocument.Parse(text).Root?.Element("Profiles") ?? throw Fail(name, "Profiles");
            XElement collector = profiles.Element("EventCollector") ?? throw Fail(name, "EventCollector");
            XElement profile = profiles.Elements("Profile").FirstOrDefault(p => (string?)p.Attribute("LoggingMode") == "File")
                ?? throw Fail(name, "Profile with LoggingMode File");
            Dictionary<string, EtwProfileProvider> providers = profiles.Elements("EventProvider")
                .ToDictionary(p => Text(p, "Id", name), p => Provider(p, name));
            return new EtwProfile
            {
                Name = name,
                Description = Text(profile, "Description", name),
                BufferKiB = (int)Number(collector.Element("BufferSize"), name),
                Buffers = (int)Number(collector.Element("Buffers"), name),
                Providers =
                    [.. profile.Descendants("EventProviderId")
                        .Select(
                            p => providers.TryGetValue(Text(p, "Value", name), out EtwProfileProvider? provider) ? provider
                                : throw Fail(name, $"EventProvider {Text(p, "Value", name)}"))],
                Text = text,
            };
        }
        catch (XmlException failure)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{name}: line {failure.LineNumber}, column {failure.LinePosition}: not valid XML.", failure);
        }
        catch (Exception failure) when (failure is FormatException or OverflowException or ArgumentException)
        {
            throw new ExpectedFailureException(ExitCode.Input, $"{name}: not a recording profile of this program: {failure.Message.TrimEnd('.')}.", failure);
        }
    }

    private static EtwProfileProvider Provider(XElement provider, string name) => new()
    {
        Provider = Guid.Parse(Text(provider, "Name", name)),
        Name = Text(provider, "Id", name),
        Level = byte.Parse(Text(provider, "Level", name), CultureInfo.InvariantCulture),
        Keywords = Mask(provider.Element("Keywords"), name),
        CaptureKeywords = Mask(provider.Element("CaptureStateOnStart"), name),
        EventIds = [.. (provider.Element("EventFilters")?.Elements("EventId") ?? []).Select(e => (int)Number(e, name))],
    };

    private static ulong Mask(XElement? keywords, string name) => (keywords?.Elements("Keyword") ?? []).Aggregate(0ul, (mask, k) => mask | Number(k, name));

    private static ulong Number(XElement? element, string name)
    {
        string value = element is null ? throw Fail(name, "BufferSize and Buffers") : Text(element, "Value", name);
        return value.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            ? ulong.Parse(value.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)
            : ulong.Parse(value, CultureInfo.InvariantCulture);
    }

    private static string Text(XElement element, string attribute, string name) =>
        (string?)element.Attribute(attribute) ?? throw Fail(name, $"{element.Name.LocalName}/@{attribute}");

    private static ExpectedFailureException Fail(string name, string missing) =>
        new(ExitCode.Input, $"{name}: not a recording profile of this program: {missing} is missing.");
}
