using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Masking;
using LatencyTuner.Core.Reporting.Analysis;
using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Packs;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Reporting.Reading;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Packing;

/// <summary>
/// What somebody outside is given: documents, their page, the captures behind them where they are wanted, and a manifest. First everything is added, then
/// it is written, so that one name has one pseudonym in all of it.
/// </summary>
public sealed partial class EvidencePack : IDisposable
{
    private const string DocumentKindName = "document";
    private const string SnapshotKindName = "snapshot";

    private readonly PackOptions _options;
    private readonly AddressMask? _addresses;
    private readonly Pseudonyms _names = new();
    private readonly DocumentMask? _mask;
    private readonly List<PackedDocument> _documents = [];
    private readonly List<AddedCapture> _captures = [];
    private readonly Dictionary<(string Path, string? Sha256), NamedCapture> _named = [];
    private readonly List<LeftOutFile> _leftOut = [];
    private readonly HashSet<string> _paths = [];
    private readonly HashSet<string> _tokenFiles = [];
    private readonly HashSet<string> _tokens = [];
    private readonly List<string> _notes = [];
    private SecretSearch _secrets = new([]);

    /// <summary>Begins a pack.</summary>
    /// <param name="options">What it is to hold.</param>
    public EvidencePack(PackOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        if (options.MaskKey is { } key)
        {
            _addresses = new AddressMask(key);
            _mask = new DocumentMask(_addresses, _names);
            foreach (string name in options.MaskNames)
            {
                _ = _names.Of("name", name);
            }
        }
    }

    /// <summary>The newest time of its documents; the least time without one.</summary>
    public DateTime NewestUtc { get; private set; }

    /// <summary>How many documents were added.</summary>
    public int Documents => _documents.Count;

    /// <summary>The captures that documents name, each once.</summary>
    public IReadOnlyCollection<NamedCapture> NamedCaptures => _named.Values;

    /// <summary>The token files that command lines in the documents name.</summary>
    public IReadOnlyCollection<string> TokenFiles => _tokenFiles;

    /// <summary>Names of the machines that the documents are about or were made on, in lower case.</summary>
    public HashSet<string> Machines { get; } = [];

    /// <summary>True when a snapshot is among the documents.</summary>
    public bool HasSnapshot { get; private set; }

    /// <summary>What stands for each name, in order of the names; addresses are not listed, the key alone turns them.</summary>
    public IEnumerable<KeyValuePair<string, string>> Table => _names.Table;

    /// <summary>True for a capture of packets, by its first bytes.</summary>
    /// <param name="stream">The file; closed afterwards.</param>
    /// <param name="path">Its name.</param>
    public static bool IsCapture(Stream stream, string path)
    {
        try
        {
            CaptureContainer.Open(stream, path).Dispose();
            return true;
        }
        catch (ExpectedFailureException)
        {
            return false;
        }
    }

    /// <summary>Adds a document.</summary>
    /// <param name="name">Name of its file, for messages and for its name in the pack.</param>
    /// <param name="bytes">The whole file.</param>
    /// <exception cref="ExpectedFailureException">It cannot be read (<see cref="ExitCode.Input"/>).</exception>
    public void AddDocument(string name, byte[] bytes)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(bytes);
        Document document = ReportJson.ReadAny(bytes, name);
        bool isSnapshot = document is HostSnapshot;
        HasSnapshot |= isSnapshot;
        DateTime started = document switch { Report r => r.StartedUtc, HostSnapshot s => s.StartedUtc, _ => default };
        NewestUtc = started > NewestUtc ? started : NewestUtc;
        foreach (string? machine in new[] { (document as HostSnapshot)?.Machine, (document as Report)?.Origin?.Host })
        {
            if (machine is not null)
            {
                _ = Machines.Add(machine.ToLowerInvariant());
            }
        }

        // What the user may have typed into it is looked at by its fields, not by its text.
        _ = DocumentStrings.Rewrite(DocumentShape.Decode(bytes, name), Meet);
        if (document is AnalysisReport analysis)
        {
            foreach (AnalysedInput input in analysis.Inputs)
            {
                _named[(input.Path, input.Sha256)] = new(input.Path, input.Sha256, name);
            }
        }

        string sha = Convert.ToHexString(SHA256.HashData(bytes)).ToLowerInvariant();
        MeetFile(name);
        _documents.Add(new(name, KindOf(document), isSnapshot, sha, bytes));
    }

    /// <summary>Adds a capture.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="sha256">SHA-256 of its bytes in hexadecimal.</param>
    /// <param name="open">Opens it.</param>
    public void AddCapture(string path, string sha256, Func<Stream> open)
    {
        MeetFile(path);
        _captures.Add(new(path, sha256, open));
    }

    /// <summary>Says that a file stays out.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="because">Why, a sentence.</param>
    public void LeaveOut(string name, string because)
    {
        ArgumentNullException.ThrowIfNull(name);
        _leftOut.Add(new(name, because));
        if (name.IndexOfAny(['/', '\\', '.']) >= 0)
        {
            MeetFile(name);
        }
    }

    /// <summary>Meets the path of a file: a sentence about a file that stays out may have it, folders and all.</summary>
    /// <param name="path">The path as it was given.</param>
    public void MeetFile(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (_mask is null)
        {
            return;
        }

        string name = TextMask.FileOf(path);
        _ = _names.File(name);
        if (name != path)
        {
            _ = _paths.Add(path);
        }
    }

    /// <summary>Adds a sentence for the manifest.</summary>
    /// <param name="note">The sentence.</param>
    public void AddNote(string note) => _notes.Add(note);

    /// <summary>Adds a token that must not be in the pack.</summary>
    /// <param name="token">The token; one that could be any word is not searched for.</param>
    public void AddToken(string token)
    {
        ArgumentNullException.ThrowIfNull(token);
        if (token.Length >= SecretSearch.LeastLength)
        {
            _ = _tokens.Add(token);
        }
    }

    /// <summary>Ends the adding: gives the documents their names in the pack, removes secrets, and masks.</summary>
    /// <param name="said">What the pack itself will say of the machine, the user and the reason: names in the documents, too.</param>
    /// <returns>The names of the documents in the pack.</returns>
    /// <exception cref="ExpectedFailureException">A masked document is no document any more (<see cref="ExitCode.Input"/>).</exception>
    public IReadOnlyList<string> EndAdding(DocumentOrigin? said)
    {
        foreach ((string property, string? value) in new[]
            { ("host", said?.Host), ("operator", said?.Operator), ("ticket", said?.Ticket), ("note", said?.Note) })
        {
            _ = value is null ? "" : _mask?.Meet("origin", property, value);
        }

        _secrets = new SecretSearch(_tokens);
        _mask?.EndMeeting();
        for (int i = 0; i < _documents.Count; i++)
        {
            PackedDocument added = _documents[i];
            string given = _mask is null ? added.Name : added.Kind;
            byte[] bytes = Cleaned(added.Unpacked(), added.Name);
            string sha = Convert.ToHexString(SHA256.HashData(bytes)).ToLowerInvariant();
            _documents[i] = added.As(PackNames.Of("documents", i + 1, _documents.Count, given, ".json"), bytes, sha);
        }

        return [.. _documents.Select(d => d.Entry)];
    }

    /// <summary>Opens a document as it is in the pack.</summary>
    /// <param name="entry">Its name in the pack.</param>
    public Stream Open(string entry) => new MemoryStream(_documents.First(d => d.Entry == entry).Unpacked(), writable: false);

    /// <summary>Writes the pack.</summary>
    /// <param name="output">Receives the zip.</param>
    /// <param name="shown">What its page shows, judged.</param>
    /// <param name="interactive">True for time series on the page that can be zoomed.</param>
    /// <param name="snapshot">A snapshot of this machine; null for none.</param>
    /// <param name="seal">The program and how it was called.</param>
    /// <param name="cancellation">Ends the work.</param>
    /// <returns>What the pack holds, with the names as they are.</returns>
    public PackReport Write(
        Stream output, IReadOnlyList<Document> shown, bool interactive, HostSnapshot? snapshot, DocumentSeal seal, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(shown);
        ArgumentNullException.ThrowIfNull(seal);
        List<PackedFile> files = [];
        using PackWriter writer = new(output, new DateTimeOffset(DateTime.SpecifyKind(NewestUtc, DateTimeKind.Utc), TimeSpan.Zero));
        for (int i = 0; i < _captures.Count; i++)
        {
            files.AddRange(WriteCapture(writer, _captures[i], i + 1, cancellation));
        }

        foreach (PackedDocument document in _documents)
        {
            cancellation.ThrowIfCancellationRequested();
            byte[] bytes = document.Unpacked();
            files.Add(writer.Add(document.Entry, document.IsSnapshot ? SnapshotKindName : DocumentKindName, s => s.Write(bytes)) with
            {
                OfSha256 = document.OfSha256,
            });
        }

        if (snapshot is not null)
        {
            byte[] bytes = Cleaned(Encoding.UTF8.GetBytes(ReportJson.SerializeAny(PublishedDocuments.Sealed(snapshot, seal))), "snapshot.json");
            files.Add(writer.Add("host/snapshot.json", SnapshotKindName, s => s.Write(bytes)));
        }

        byte[] whole = Encoding.UTF8.GetBytes(PageOf(shown, interactive, seal));
        files.Add(writer.Add("index.html", "page", s => s.Write(whole)));
        PackReport report = (PackReport)PublishedDocuments.Sealed(
            PackReport.Judge(new()
            {
                Complete = _leftOut.Count == 0,
                StartedUtc = NewestUtc,
                Files = files,
                LeftOut = _leftOut,
                Masked = _mask is not null,
                PayloadKept = _options.KeepPayload && files.Any(f => f.Packets is not null),
                SecretsRemoved = _secrets.Found,
                MadeBy = _options.MadeBy,
                Notes = _notes,
            }),
            seal);
        PackReport inside = _mask is null ? report : report with { LeftOut = [.. _leftOut.Select(Masked)] };
        byte[] manifest = Cleaned(Encoding.UTF8.GetBytes(ReportJson.SerializeAny(inside)), "manifest.json");
        _ = writer.Add("manifest.json", "manifest", s => s.Write(manifest));
        return report;
    }

    /// <inheritdoc/>
    public void Dispose() => _addresses?.Dispose();

    /// <summary>The page of the documents as they are in the pack, with the time of the newest: how the pack was called is in its manifest alone.</summary>
    private string PageOf(IReadOnlyList<Document> shown, bool interactive, DocumentSeal seal)
    {
        DocumentSeal own = seal with
        {
            StartedUtc = new DateTimeOffset(DateTime.SpecifyKind(NewestUtc, DateTimeKind.Utc), TimeSpan.Zero),
            Caller = seal.Caller with { Program = "latencytuner", Arguments = ["report", "documents"], PathOptions = [], SavedAs = null },
            Origin = null,
        };
        return HtmlReportWriter.Write(
            [.. shown.Select(d => PublishedDocuments.PageOf(PublishedDocuments.Sealed(d, own)))],
            new() { Inputs = [.. _documents.Select(d => new PageInput(d.Entry, d.Sha256))], Interactive = interactive });
    }

    private static string KindOf(Document document) => PublishedDocuments.Find(document.GetType())?.Name ?? DocumentKindName;

    /// <summary>Without folders, which no mask would find in a path that begins with none of the roots; what is left is masked as every text.</summary>
    private LeftOutFile Masked(LeftOutFile file) => new(
        _names.Find(TextMask.FileOf(file.Name)) ?? file.Name,
        _paths.OrderByDescending(p => p.Length).Aggregate(
            file.Because, (text, path) => text.Replace(path, _names.File(TextMask.FileOf(path)), StringComparison.Ordinal)));

    private string Meet(string around, string property, string value)
    {
        if (property is "commandLine" or "nextSteps")
        {
            foreach (Match match in TokenFile().Matches(value))
            {
                _ = _tokenFiles.Add(match.Groups["file"].Value.Trim('\'', '"'));
            }
        }

        return _mask is null ? value : _mask.Meet(around, property, value);
    }

    /// <summary>The bytes of a document without secrets, and masked; the very bytes where nothing had to change.</summary>
    private byte[] Cleaned(byte[] bytes, string name)
    {
        byte[] text = DocumentShape.Decode(bytes, name);
        (byte[] clean, bool isChanged) = DocumentStrings.Rewrite(text, (around, property, value) =>
        {
            string kept = _secrets.Clean(value, property is "histogram" or "sha256");
            return _mask is null ? kept : _mask.Mask(around, property, kept);
        });
        if (!isChanged && _mask is null)
        {
            return bytes;
        }

        try
        {
            // Written again by its type: a field that this program does not know was looked at by nobody.
            return Encoding.UTF8.GetBytes(ReportJson.SerializeAny(ReportJson.ReadAny(clean, name)));
        }
        catch (Exception e) when (e is ExpectedFailureException or JsonException)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{name} cannot be masked: a name in it is also a word that documents need. Leave the file out, or pack it without --mask.", e);
        }
    }

    private IEnumerable<PackedFile> WriteCapture(PackWriter writer, AddedCapture capture, int number, CancellationToken cancellation)
    {
        ICaptureReader reader;
        try
        {
            reader = CaptureContainer.Open(capture.Open(), capture.Path);
        }
        catch (Exception e) when (e is ExpectedFailureException or IOException or UnauthorizedAccessException)
        {
            LeaveOut(capture.Path, e is ExpectedFailureException ? e.Message : $"It cannot be read: {e.Message.TrimEnd('.')}.");
            yield break;
        }

        using (reader)
        {
            RewrittenCapture? written = null;
            string extension = reader is PcapReader ? ".pcap" : ".pcapng";
            string name = PackNames.Of("captures", number, _captures.Count, _mask is null ? capture.Path : "capture", extension);
            PackedFile file = writer.Add(
                name, "capture", s => written = new CaptureRewriter(_addresses, _options.KeepPayload).Write(reader, s, cancellation));
            if (written!.Damage is not null)
            {
                _notes.Add($"{name} ends where the capture that it was made from is damaged, after {Counted.Of(written.Packets, "packet")}.");
            }

            if (written.Unknown > 0)
            {
                _notes.Add($"{name}: of {Counted.Of(written.Unknown, "packet")} without IP at most the link layer and ARP are left.");
            }

            yield return file with { OfSha256 = capture.Sha256, Packets = written.Packets, BytesCut = written.Cut };
        }
    }

    [GeneratedRegex(@"--token-file[ =](?<file>'[^']*'|""[^""]*""|\S+)")]
    private static partial Regex TokenFile();

    private sealed record AddedCapture(string Path, string Sha256, Func<Stream> Open);
}
