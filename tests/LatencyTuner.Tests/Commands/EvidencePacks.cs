using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary><c>report --pack</c> as a user meets it.</summary>
public sealed class EvidencePacks
{
    private const string Token = "bWFrZSBub3QgYSB0b2tlbiBvdXQgb2YgdGhpcyBsaW4=";

    private static string Client => Path.Combine(Repository.Root, "tests", "LatencyTuner.Tests", "Capture", "Data", "client.pcap");

    [Fact]
    public void Pack_HoldsDocumentPageAndManifest_WithTheirHashes_AndNoCapture()
    {
        using TempFolder folder = new();
        string document = Analysed(folder);

        CliRun run = CliRun.Of("report", document, "--pack", folder["pack.zip"]).Done();

        Assert.StartsWith("PACKED", run.Out, StringComparison.Ordinal);
        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        Assert.Equal(["documents/01-analysis.json", "index.html", "manifest.json"], zip.Entries.Select(e => e.FullName));
        Assert.Equal(File.ReadAllBytes(document), Bytes(zip, "documents/01-analysis.json"));
        JsonNode manifest = JsonNode.Parse(Bytes(zip, "manifest.json"))!;
        foreach (JsonNode? file in manifest["files"]!.AsArray())
        {
            byte[] bytes = Bytes(zip, file!["name"]!.GetValue<string>());
            Assert.Equal(Convert.ToHexString(SHA256.HashData(bytes)).ToLowerInvariant(), file["sha256"]!.GetValue<string>());
            Assert.Equal(bytes.Length, file["bytes"]!.GetValue<int>());
            Assert.Contains(file["name"]!.GetValue<string>(), run.Out, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Pack_OfTheSameFiles_IsTheSameBytes()
    {
        using TempFolder folder = new();
        string document = Analysed(folder);
        CliRun.Of("report", document, "--pack", folder["pack.zip"], "--include-captures").Done();
        byte[] first = File.ReadAllBytes(folder["pack.zip"]);

        CliRun.Of("report", document, "--pack", folder["pack.zip"], "--include-captures").Done();

        Assert.Equal(first, File.ReadAllBytes(folder["pack.zip"]));
    }

    [Fact]
    public void Mask_LeavesNoNameAndNoAddress_AndTheFindingsOfTheCaptureInIt()
    {
        using TempFolder folder = new();
        string capture = folder["payroll-web1.pcap"];
        File.Copy(Client, capture);
        string document = folder["of-web1.json"];
        CliRun.Of("analyze", capture, "--format", "json", "--output", document, "--note", "web1.corp.local (10.77.1.20) of Falcon is slow, says WEB1",
            "--operator", "Bob Smith", "--ticket", "CHG0042");
        JsonNode node = JsonNode.Parse(File.ReadAllText(document))!;
        node["origin"]!["host"] = "web1.corp.local";
        File.WriteAllText(document, node.ToJsonString());

        CliRun.Of(
            "report", document, "--pack", folder["pack.zip"], "--include-captures", "--mask", "--mask-name", "Falcon", "--mask-table",
            folder["table.txt"]).Done();

        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            string text = Encoding.Latin1.GetString(Bytes(zip, entry.FullName)) + entry.FullName;

            // None could be a part of a hash: the masks, and so the hashes, are others in each run.
            Assert.All(
                new[] { "web1", "corp.local", "payroll", "Bob", "Smith", "CHG0042", "Falcon", "10.77.1.", "\u000aM\u0001\u0014", "\u000aM\u0001\u000a" },
                secret => Assert.False(text.Contains(secret, StringComparison.OrdinalIgnoreCase), $"{entry.FullName} has {secret}"));
        }

        string masked = Encoding.UTF8.GetString(Bytes(zip, "documents/01-analysis.json"));
        Assert.Contains("host-1.domain-1", masked, StringComparison.Ordinal);
        Assert.Contains("web1.corp.local\thost-1.domain-1", File.ReadAllText(folder["table.txt"]), StringComparison.Ordinal);
        string packed = folder.Write("packed.pcap", Bytes(zip, "captures/01-capture.pcap"));
        CliRun again = CliRun.Of("analyze", packed, "--format", "json");
        JsonNode before = JsonNode.Parse(masked)!;
        JsonNode after = JsonNode.Parse(again.Out)!;
        Assert.NotEmpty(before["findings"]!.AsArray());
        Assert.Equal(before["findings"]!.ToJsonString(), after["findings"]!.ToJsonString());
        Assert.Equal(before["connections"]!.ToJsonString(), after["connections"]!.ToJsonString());
    }

    /// <summary>What is said of the pack alone are names in its documents, too; a ticket may be a number.</summary>
    [Theory]
    [InlineData("CHG0042")]
    [InlineData("CHG 0042")]
    [InlineData("80041735")]
    public void Mask_LeavesNothingThatIsSaidOfThePack(string ticket)
    {
        using TempFolder folder = new();
        string document = Analysed(folder, "--note", $"Smithers asked for this, see {ticket}");

        CliRun.Of(
            "report", document, "--pack", folder["pack.zip"], "--mask", "--operator", "Smithers", "--ticket", ticket, "--note", "Seen on web1").Done();

        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            string text = Encoding.Latin1.GetString(Bytes(zip, entry.FullName));
            Assert.All(
                new[] { "Smithers", ticket, "web1" },
                secret => Assert.False(text.Contains(secret, StringComparison.OrdinalIgnoreCase), $"{entry.FullName} has {secret}"));
        }

        JsonNode origin = JsonNode.Parse(Bytes(zip, "manifest.json"))!["origin"]!;
        Assert.EndsWith($" --ticket {origin["ticket"]}", origin["commandLine"]!.GetValue<string>(), StringComparison.Ordinal);
    }

    [Fact]
    public void Mask_LeavesNoNameAndNoFolderOfFilesThatStayOut()
    {
        using TempFolder folder = new();
        string acme = $"acme{Guid.NewGuid():N}";
        Directory.CreateDirectory(acme);
        try
        {
            // Paths below the current folder have no root by which a mask could find them in a text.
            string[] files = [.. new[] { "falcon.json", "absent.json", "kestrel.csv", "merlin.csv", "osprey" }.Select(f => Path.Combine(acme, f))];
            File.WriteAllText(files[0], "{}");
            File.WriteAllText(files[2], "no,times\nat,all\n");
            File.Copy(files[2], files[3]);
            File.Copy(Client, files[4]);

            CliRun run = CliRun.Of(["report", Analysed(folder), .. files, "--pack", folder["pack.zip"], "--mask"]).Done();

            Assert.Contains("falcon.json", run.Out, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(acme, recursive: true);
        }

        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        string manifest = Encoding.UTF8.GetString(Bytes(zip, "manifest.json"));
        Assert.Equal(4, JsonNode.Parse(manifest)!["leftOut"]!.AsArray().Count);
        Assert.All(
            new[] { acme, "falcon", "absent", "kestrel", "merlin", "osprey" },
            secret => Assert.False(manifest.Contains(secret, StringComparison.OrdinalIgnoreCase), $"the manifest has {secret}: {manifest}"));
    }

    [Fact]
    public void Tokens_AreNeverPacked()
    {
        using TempFolder folder = new();
        string token = folder.Write("secret.token", "tulips-in-spring\n");
        string document = Analysed(folder, "--note", $"token=hyacinth1 and {Token} and tulips-in-spring and LATENCYTUNER1 {{\"token\":\"narcissus\"}}");
        JsonNode node = JsonNode.Parse(File.ReadAllText(document))!;
        node["origin"]!["commandLine"] = $"latencytuner analyze x --token-file {token} --via 'ssh admin:crocus@db1' ssh://admin:crocus@db1";
        File.WriteAllText(document, node.ToJsonString());

        CliRun.Of("report", document, "--pack", folder["pack.zip"]).Done();

        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            string text = Encoding.UTF8.GetString(Bytes(zip, entry.FullName));
            Assert.All(
                new[] { "hyacinth1", Token, "tulips-in-spring", "narcissus", "ssh://admin:crocus" },
                t => Assert.DoesNotContain(t, text, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Captures_AreCutBehindTheirHeaders_UnlessPayloadIsNamed()
    {
        using TempFolder folder = new();
        string document = Analysed(folder);

        CliRun.Of("report", document, "--pack", folder["cut.zip"], "--include-captures").Done();
        CliRun.Of("report", document, "--pack", folder["whole.zip"], "--include-captures", "--keep-payload").Done();

        using ZipArchive cut = ZipFile.OpenRead(folder["cut.zip"]);
        using ZipArchive whole = ZipFile.OpenRead(folder["whole.zip"]);
        Assert.True(Bytes(cut, "captures/01-client.pcap").Length < Bytes(whole, "captures/01-client.pcap").Length);
        Assert.Equal(new FileInfo(Client).Length, Bytes(whole, "captures/01-client.pcap").Length);
    }

    [Theory]
    [InlineData("/etc/passwd", "It is no capture")]
    [InlineData("../../x", "It is not here")]
    [InlineData("\\\\evil\\share\\x.pcap", "It is on a share")]
    [InlineData("//evil/share/x.pcap", "It is on a share")]
    [InlineData("/dev/zero", "It is not here")]
    public void DocumentThatNamesAnotherFile_DoesNotGetItPacked(string path, string because)
    {
        using TempFolder folder = new();
        string document = Analysed(folder);
        JsonNode node = JsonNode.Parse(File.ReadAllText(document))!;
        node["inputs"]![0]!["path"] = path;
        File.WriteAllText(document, node.ToJsonString());

        CliRun run = CliRun.Of("report", document, "--pack", folder["pack.zip"], "--include-captures", "--details").Done();

        Assert.Contains(because, run.Out, StringComparison.Ordinal);
        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        Assert.DoesNotContain(zip.Entries, e => e.FullName.StartsWith("captures/", StringComparison.Ordinal));
    }

    [Fact]
    public void CaptureThatChanged_IsLeftOut_GivenOneOfTheSameHash_IsPacked()
    {
        using TempFolder folder = new();
        string capture = folder["a.pcap"];
        File.Copy(Client, capture);
        string document = folder["a.json"];
        CliRun.Of("analyze", capture, "--format", "json", "--output", document);
        File.Copy(Client, folder["b.pcap"]);
        File.AppendAllText(capture, "x");

        CliRun changed = CliRun.Of("report", document, "--pack", folder["pack.zip"], "--include-captures", "--details").Done();
        CliRun given = CliRun.Of("report", document, folder["b.pcap"], "--pack", folder["pack.zip"], "--include-captures").Done();

        Assert.Contains("It has changed since", changed.Out.ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("captures/01-b.pcap", given.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("Left out", given.Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(2, "belong to --pack", "--mask")]
    [InlineData(2, "what applications sent", "--pack", "p.zip", "--mask", "--include-captures", "--keep-payload")]
    [InlineData(2, "Add --include-captures", "--pack", "p.zip", "--keep-payload")]
    [InlineData(2, "belong to --mask", "--pack", "p.zip", "--mask-table", "t")]
    [InlineData(2, "judges nothing", "--pack", "p.zip", "--fail-on", "info")]
    [InlineData(2, "cannot be written", "--pack", "no-such-folder/p.zip")]
    [InlineData(2, "cannot be written", "--pack", ".")]
    public void WrongOptions_AreOneSentence_AndLeaveNothing(int code, string says, params string[] options)
    {
        using TempFolder folder = new();
        string document = Analysed(folder);

        CliRun.Of(["report", document, .. options.Select(o => o == "p.zip" ? folder["p.zip"] : o)]).Failed(code, says);

        Assert.Equal(["analysis.json"], folder.Names);
    }

    [Fact]
    public void PackThatIsAnInput_IsRefused_AndNewerDocument_LeavesThePackAsItWas()
    {
        using TempFolder folder = new();
        string document = Analysed(folder);
        CliRun.Of("report", document, "--pack", document).Failed(2, "one of the files to pack");
        string newer = folder.Write("newer.json", """{"schema":"latencytuner/analysis/99"}""");
        folder.Write("pack.zip", "before");

        CliRun.Of("report", newer, "--pack", folder["pack.zip"]).Failed(3, "newer.json");

        Assert.Equal("before", File.ReadAllText(folder["pack.zip"]));
        CliRun both = CliRun.Of("report", newer, document, "--pack", folder["pack.zip"], "--details").Done();
        Assert.Contains("newer.json", both.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void TableThatExists_IsNotReplaced_AndNoPackIsLeft()
    {
        using TempFolder folder = new();
        string document = Analysed(folder);
        folder.Write("table.txt", "mine");

        CliRun.Of("report", document, "--pack", folder["pack.zip"], "--mask", "--mask-table", folder["table.txt"]).Failed(2, "exists already");

        Assert.Equal(["analysis.json", "table.txt"], folder.Names);
        Assert.Equal("mine", File.ReadAllText(folder["table.txt"]));
    }

    [Fact]
    public void FullDisk_IsOneSentence()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "Only Linux has a disk that is always full.");
        using TempFolder folder = new();

        CliRun run = CliRun.Of("report", Analysed(folder), "--pack", "/dev/full");

        Assert.Equal(4, run.Code);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("con.json")]
    [InlineData("a[1] 'b' \"c\".json")]
    [InlineData("x:y*z?.json")]
    [InlineData("zażółć.json")]
    public void NamesInThePack_AreSafeEverywhere(string name)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such names.");
        using TempFolder folder = new();
        string document = folder[name];
        File.Move(Analysed(folder), document);

        CliRun.Of("report", document, "--pack", folder["pack.zip"]).Done();

        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        Assert.Matches("^documents/01-[A-Za-z0-9_.-]+\\.json$", zip.Entries[0].FullName);
    }

    [Fact]
    public void ManyDocuments_ArePackedWithTheirFleet()
    {
        using TempFolder folder = new();
        string text = File.ReadAllText(Analysed(folder));
        Directory.CreateDirectory(folder["many"]);
        for (int i = 0; i < 120; i++)
        {
            File.WriteAllText(Path.Combine(folder["many"], $"{i}.json"), text);
        }

        CliRun.Of("report", folder["many"], "--pack", folder["pack.zip"], "--mask").Done();

        using ZipArchive zip = ZipFile.OpenRead(folder["pack.zip"]);
        Assert.Equal(122, zip.Entries.Count);
        Assert.Equal(zip.Entries.Select(e => e.FullName).Order(StringComparer.Ordinal), zip.Entries.Select(e => e.FullName));
    }

    private static string Analysed(TempFolder folder, params string[] options)
    {
        CliRun.Of(["analyze", Client, "--format", "json", "--output", folder["analysis.json"], .. options]);
        return folder["analysis.json"];
    }

    private static byte[] Bytes(ZipArchive zip, string name)
    {
        using Stream stream = zip.GetEntry(name)!.Open();
        using MemoryStream bytes = new();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }
}
