using System.Buffers.Binary;
using System.IO.Compression;
using System.Text.Json;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>Traces that are damaged, hostile or something else, through the commands: one sentence and 3 when nothing was readable, LT301 otherwise.</summary>
public sealed class BadTraces
{
    private const int Buffer = 1_024;

    private static EtlWriter Writer(bool compressed = false, bool unfinished = false)
    {
        EtlWriter writer = new() { BufferBytes = Buffer, Compressed = compressed, Unfinished = unfinished };
        TcpipEvents tcpip = new(writer.Origin);
        for (uint i = 0; i < 40; i++)
        {
            tcpip.SendPosted(100 * i, 7, 100, i).DataSent((100 * i) + 1, 7, 100, i).CumulativeAck((100 * i) + 2, 7, 100, i);
        }

        return writer.Add(tcpip.Records);
    }

    private static byte[] Sound => Writer().ToArray();

    private static byte[] With(int at, uint value, bool compressed = false)
    {
        byte[] trace = Writer(compressed).ToArray();
        BinaryPrimitives.WriteUInt32LittleEndian(trace.AsSpan(at), value);
        return trace;
    }

    public static TheoryData<string, string> Unreadable => new()
    {
        { "empty", "the file is empty" },
        { "text", "not an event trace" },
        { "zeros", "not an event trace" },
        { "cut in the first header", "not an event trace" },
        { "etlx", "an .etlx file" },
        { "nettrace", "a .nettrace file" },
        { "zip without a trace", "" },
        { "zip with two traces", "several .etl files" },
        { "zip cut", "" },
        { "no event that can be read", "nothing could be read" },
    };

    private static (string Name, byte[] Bytes) Hopeless(string what) => what switch
    {
        "empty" => ("a.etl", []),
        "text" => ("a.etl", [.. Enumerable.Repeat((byte)'x', 5_000)]),
        "zeros" => ("a.etl", new byte[70_000]),
        "cut in the first header" => ("a.etl", Sound[..50]),
        "etlx" => ("a.etl", [20, 0, 0, 0, .. "!FastSerialization.1"u8, .. new byte[500]]),
        "nettrace" => ("a.etl", [.. "Nettrace"u8, .. new byte[500]]),
        "zip without a trace" => ("a.zip", Zip(("a.txt", Sound))),
        "zip with two traces" => ("a.zip", Zip(("a.etl", Sound), ("b.etl", Sound))),
        "zip cut" => ("a.etl.zip", Zip(("a.etl", Sound))[..300]),
        _ => ("a.etl", With(Buffer + 0x48, 0, compressed: false)[Buffer..(2 * Buffer)]),
    };

    [Theory]
    [MemberData(nameof(Unreadable))]
    public void NothingReadable_IsOneSentenceAndThree(string what, string says)
    {
        using TempFolder folder = new();
        (string name, byte[] bytes) = Hopeless(what);
        string path = folder.Write(name, bytes);

        CliRun.Of("analyze", path).Failed(3, name, says);
        if (what != "no event that can be read")
        {
            CliRun.Of("convert", path, folder["out.pcapng"]).Failed(3, name);
        }

        Assert.False(File.Exists(folder["out.pcapng"]));
    }

    public static TheoryData<string, string> Damaged => new()
    {
        { "cut in a buffer", "after the end of the file" },
        { "cut in a compressed buffer", "compressed data ends" },
        { "cut between buffers", "had not ended" },
        { "size of a buffer", "byte 3072" },
        { "saved offset beyond the buffer", "byte 3072" },
        { "match before the start of the data", "compressed data ends" },
        { "event of size 0", "cannot be read as events" },
        { "event past the end", "cannot be read as events" },
        { "unknown header", "was skipped" },
        { "extended items overrun", "was skipped" },
        { "still being written", "had not ended" },
        { "gzip cut", "cut off" },
    };

    private static (string Name, byte[] Bytes) Hurt(string what)
    {
        const int third = 3 * Buffer;
        const int item = third + 0x48;
        byte[] sound = Sound;
        switch (what)
        {
            case "cut in a buffer":
                return ("a.etl", sound[..((5 * Buffer) + 300)]);
            case "cut in a compressed buffer":
                return ("a.etl", Writer(compressed: true).ToArray()[..^20]);
            case "cut between buffers":
                return ("a.etl", sound[..(5 * Buffer)]);
            case "size of a buffer":
                return ("a.etl", With(third, 17));
            case "saved offset beyond the buffer":
                return ("a.etl", With(third + 4, 0x8000));
            case "match before the start of the data":
                byte[] packed = Writer(compressed: true).ToArray();
                int second = (int)BinaryPrimitives.ReadUInt32LittleEndian(packed);
                packed.AsSpan(second + 0x48, 12).Fill(0xFF);
                return ("a.etl", packed);
            case "event of size 0":
                return ("a.etl", With(item, 0xC013_0000));
            case "event past the end":
                return ("a.etl", With(item, 0xC013_FFFF));
            case "unknown header":
                sound[item + 2] = 0x77;
                return ("a.etl", sound);
            case "extended items overrun":
                sound[item + 4] = 1;
                BinaryPrimitives.WriteUInt32LittleEndian(sound.AsSpan(item + 0x50), 0x0001_FFF0);
                return ("a.etl", sound);
            case "still being written":
                return ("a.etl", Writer(unfinished: true).ToArray());
            default:
                using (MemoryStream stream = new())
                {
                    using (GZipStream gzip = new(stream, CompressionLevel.NoCompression, leaveOpen: true))
                    {
                        gzip.Write(sound);
                    }

                    return ("a.etl.gz", stream.ToArray()[..^4_000]);
                }
        }
    }

    [Theory]
    [MemberData(nameof(Damaged))]
    public void PartReadable_IsReadAndToldAsLT301(string what, string says)
    {
        using TempFolder folder = new();
        (string name, byte[] bytes) = Hurt(what);
        CliRun run = CliRun.Of("analyze", folder.Write(name, bytes), "--format", "json", "--allow-inconclusive").Done();

        using JsonDocument document = JsonDocument.Parse(run.Out);
        JsonElement finding = Assert.Single(document.RootElement.GetProperty("findings").EnumerateArray(), f => f.GetProperty("id").GetString() == "LT301");
        Assert.Contains(finding.GetProperty("for").EnumerateArray(), text => text.GetString()!.Contains(says, StringComparison.Ordinal));
        Assert.True(document.RootElement.GetProperty("inputs")[0].GetProperty("events").GetInt64() > 1);
    }

    [Fact]
    public void CutAnywhere_NeitherCrashesNorHangs()
    {
        using TempFolder folder = new();
        byte[] sound = Writer(compressed: true).ToArray();
        for (int length = 0; length < sound.Length; length += 331)
        {
            CliRun run = CliRun.Of("analyze", folder.Write("a.etl", sound[..length]), "--allow-inconclusive");
            Assert.True(run.Code is 0 or 3, $"{length} bytes: {run.Code} {run.Error}");
        }
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] members)
    {
        using MemoryStream stream = new();
        using (ZipArchive archive = new(stream, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string name, byte[] bytes) in members)
            {
                using Stream member = archive.CreateEntry(name, CompressionLevel.NoCompression).Open();
                member.Write(bytes);
            }
        }

        return stream.ToArray();
    }
}
