using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using System.Xml.Linq;
using LatencyTuner.Core.Etw;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace LatencyTuner.Tests.Etw;

/// <summary>
/// Which event a name of the reference texts means: by TraceEvent's own tables, by the trace itself, and by the manifests of event sources in it.
/// </summary>
internal sealed class EventNames
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
    private const int ManifestData = 65534;

    private readonly Dictionary<string, HashSet<(Guid Provider, bool Classic, int Number)>> _keys = [];
    private readonly Dictionary<Guid, MemoryStream> _manifests = [];

    internal EventNames(EtlReader reader)
    {
        AddTemplates(typeof(KernelTraceEventParser));
        AddTemplates(typeof(ClrTraceEventParser));
        AddTemplates(typeof(ClrRundownTraceEventParser));
        AddTemplates(typeof(ClrPrivateTraceEventParser));

        // What PerfView itself writes when it merges, and two kernel events it has no parser for.
        Guid images = new("b3e675d7-2554-4f18-830b-2762732560de");
        foreach ((string? name, int opcode) in new[] {
            ("ImageID", 0), ("ImageID/None", 32), ("ImageID/DbgID_RSDS", 36), ("ImageID/DbgID_ILRSDS", 37), ("ImageID/FileVersion", 64) })
        {
            Add("KernelTraceControl/" + name, images, true, opcode);
        }

        Guid metadata = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");
        Add("KernelTraceControl/MetaData/EventInfo", metadata, true, 32);
        Add("KernelTraceControl/MetaData/EventMapInfo", metadata, true, 33);
        Add("MSNT_SystemTrace/Image/KernelBase", new("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"), true, 33);
        Add("MSNT_SystemTrace/SystemConfig/Platform", new("01853a65-418f-4f36-aefc-dc0f1d2fd235"), true, 25);
        Add("Windows Kernel/SysConfig/Opcode(37)", new("9b79ee91-b5fd-41c0-a243-4248e266e9d0"), true, 37);

        foreach (EtwEventLayout layout in reader.ReadLayouts().FromTrace)
        {
            Add(
                $"{layout.ProviderName}/{layout.Name.Replace("/win:Info", "", StringComparison.Ordinal).Replace("win:", "", StringComparison.Ordinal)}",
                layout.Provider, false, layout.Number);
        }

        reader.Read(CollectManifests);
        foreach ((Guid provider, MemoryStream? manifest) in _manifests)
        {
            AddManifest(provider, Encoding.UTF8.GetString(manifest.ToArray()));
        }
    }

    internal IReadOnlyCollection<(Guid Provider, bool Classic, int Number)> Of(string name) =>
        _keys.TryGetValue(name, out HashSet<(Guid Provider, bool Classic, int Number)>? keys) ? keys : [];

    /// <summary>The templates of a parser, without a trace to parse: TraceEvent opens none on this system.</summary>
    internal static List<TraceEvent> Templates(Type parserType)
    {
        object parser = RuntimeHelpers.GetUninitializedObject(parserType);
        object source = RuntimeHelpers.GetUninitializedObject(typeof(EventPipeEventSource));
        typeof(TraceEventSource).GetField("userData", Any)!.SetValue(source, new Dictionary<string, object>());
        typeof(TraceEventParser).GetField("source", Any)!.SetValue(parser, source);
        typeof(TraceEventParser).GetField("stateKey", Any)!.SetValue(parser, "tests");
        List<TraceEvent> templates = [];
        parserType.GetMethod("EnumerateTemplates", Any)!.Invoke(parser, [null, (Action<TraceEvent>)templates.Add]);
        return templates;
    }

    private void AddTemplates(Type parser)
    {
        foreach (TraceEvent template in Templates(parser))
        {
            bool classic = (bool)typeof(TraceEvent).GetField("lookupAsClassic", Any)!.GetValue(template)!;
            Guid task = (Guid)typeof(TraceEvent).GetField("taskGuid", Any)!.GetValue(template)!;
            Add(
                $"{template.ProviderName}/{template.EventName}", classic ? task : template.ProviderGuid, classic,
                classic ? (int)template.Opcode : (int)template.ID);
        }
    }

    private void CollectManifests(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        // An event source writes its manifest in pieces, each behind format, version, a mark, and two numbers of pieces.
        if (header is not { Kind: EtwEventKind.Manifest, Id: ManifestData } || payload.Length < 8 || payload[3] != 0x5B)
        {
            return;
        }

        if (payload[6] == 0 && payload[7] == 0)
        {
            _manifests[header.Provider] = new MemoryStream();
        }

        _manifests[header.Provider].Write(payload[8..]);
    }

    private void AddManifest(Guid provider, string text)
    {
        XElement root = XDocument.Parse(text.TrimEnd('\0')).Root!;
        XElement Named(string name) => root.Descendants().First(e => e.Name.LocalName == name);
        string providerName = Named("provider").Attribute("name")!.Value;
        Add($"{providerName}/ManifestData", provider, false, ManifestData);
        foreach (XElement e in Named("provider").Elements().First(x => x.Name.LocalName == "events").Elements())
        {
            string symbol = (string?)e.Attribute("symbol") ?? "";
            string task = (string?)e.Attribute("task") ?? symbol;
            string opcode = ((string?)e.Attribute("opcode"))?.Replace("win:", "", StringComparison.Ordinal) ?? "Info";
            Add($"{providerName}/{task}{(opcode == "Info" ? "" : "/" + opcode)}", provider, false, (int)e.Attribute("value")!);
        }
    }

    private void Add(string name, Guid provider, bool classic, int number)
    {
        if (!_keys.TryGetValue(name, out HashSet<(Guid Provider, bool Classic, int Number)>? keys))
        {
            _keys[name] = keys = [];
        }

        keys.Add((provider, classic, number));
    }
}
