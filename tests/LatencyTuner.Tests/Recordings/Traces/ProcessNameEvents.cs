using LatencyTuner.Core.Etw;
using LatencyTuner.Core.Recordings.Traces;
using LatencyTuner.Tests.Etw;
using Xunit;

namespace LatencyTuner.Tests.Recordings.Traces;

/// <summary>Names of processes out of the events of every generation that carry them.</summary>
public sealed class ProcessNameEvents
{
    private static readonly Guid Provider = new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");

    private static byte[] Sid => [1, 2, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0, 32, 2, 0, 0];

    private static ProcessNames Names(params EtlRecord[] records)
    {
        EtlWriter writer = new();
        using EtlReader reader = EtlReader.Open(writer.Add(records).ToArray(), "made.etl");
        ProcessNames names = new();
        reader.Read((in EtwEventHeader header, ReadOnlySpan<byte> payload) => names.Take(in header, payload));
        return names;
    }

    /// <summary>The Process classes of the kernel, version by version.</summary>
    private static byte[] Kernel(byte version, int pointerSize, bool user)
    {
        ByteWriter writer = new();
        if (version == 0)
        {
            writer.Pointer(1_234, pointerSize).Pointer(4, pointerSize);
        }
        else
        {
            writer.Pointer(0xFFFF_8000, pointerSize).U32(1_234).U32(4).U32(1).U32(259);
        }

        if (version >= 3)
        {
            writer.Pointer(0x18_7000, pointerSize);
        }

        if (version >= 4)
        {
            writer.U32(0);
        }

        if (user)
        {
            writer.Pointer(0x77, pointerSize).Pointer(0, pointerSize).Raw(Sid);
        }
        else
        {
            writer.U32(0);
        }

        return writer.Raw("sqlservr.exe\0"u8).Text("sqlservr.exe -sX").ToArray();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(7)]
    public void KernelEvents_OfEveryVersion(byte version)
    {
        foreach (int pointerSize in new[] { 4, 8 })
        {
            foreach (byte opcode in new[] { 1, 2, 3, 4, 39 })
            {
                foreach (bool user in new[] { true, false })
                {
                    Assert.Equal(
                        "sqlservr.exe",
                        Names(EtlRecord.Kernel(5_000_000_010, 0, 3, opcode, version, Kernel(version, pointerSize, user), pointerSize)).Find(1_234));
                }
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(9)]
    public void Start_OfEveryVersion(byte version)
    {
        ByteWriter writer = new ByteWriter().U32(1_234);
        if (version >= 3)
        {
            writer.U64(77).I64(1).U32(4).U64(78).U32(0).U32(0).U32(1).U32(0).Raw(Sid);
        }
        else
        {
            writer.I64(1).U32(4).U32(0).Raw(version >= 1 ? new byte[4] : []);
        }

        writer.Text(@"\Device\HarddiskVolume3\Program Files\sqlservr.exe").U32(0).U32(0).Text("").Text("");
        Assert.Equal("sqlservr.exe", Names(EtlRecord.Manifest(5_000_000_010, 0, Provider, 1, version, writer.ToArray())).Find(1_234));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Rundown_OfEveryVersion(byte version)
    {
        ByteWriter writer = new ByteWriter().U32(1_234);
        if (version == 1)
        {
            writer.U64(77).I64(1).U32(4).U64(78).U32(0).U32(0).U32(1).U32(0).Raw(Sid);
        }
        else
        {
            writer.I64(1).U32(4).U32(0).U32(0);
        }

        Assert.Equal(
            "w3wp.exe",
            Names(
                EtlRecord.Manifest(5_000_000_010, 0, Provider, 15, version, writer.Text(@"\Device\w3wp.exe").U32(0).U32(0).Text("").Text("").ToArray())).Find(
                    1_234));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Stop_NamesAProcessThatWasThereBefore(byte version)
    {
        ByteWriter writer = new ByteWriter().U32(1_234);
        if (version == 2)
        {
            writer.U64(77);
        }

        writer.I64(1).I64(2).U32(0).U32(1).U32(10).U64(1).U64(2);
        if (version >= 1)
        {
            writer.U64(5).Zeros(20);
        }

        Assert.Equal("old.exe", Names(EtlRecord.Manifest(5_000_000_010, 0, Provider, 2, version, writer.Raw("old.exe\0"u8).ToArray())).Find(1_234));
    }

    [Fact]
    public void Payloads_CutAnywhere_GiveNoOtherName()
    {
        byte[] whole = Kernel(4, 8, user: true);
        EtlRecord[] records = Enumerable.Range(0, whole.Length).Select(n => EtlRecord.Kernel(5_000_000_010 + n, 0, 3, 1, 4, whole[..n])).ToArray();

        Assert.Contains(Names(records).Find(1_234), new[] { null, "sqlservr.exe" });
        Assert.Null(Names(records[..30]).Find(1_234));
        Assert.Equal(["Idle", "System", null], new uint[] { 0, 4, 1_235 }.Select(id => Names(records).Find(id)));
    }
}
