using System.Buffers.Binary;
using System.IO.Compression;

namespace LatencyTuner.Fuzz;

/// <summary>
/// A capture from a seed: sound frames in a sound container, of which some fields lie, some bytes are flipped, cut, repeated or swapped. Knowing the
/// structure gets further into the readers than flipping bytes alone, whose first mistake is mostly the last that is looked at.
/// </summary>
internal sealed class RandomCapture(Random random)
{
    private static readonly (int Link, byte[] Frame)[] Templates = [.. LinkFrames.All.Values, .. Fragmented(), .. Reports()];

    private static readonly uint[] Odd = [
        0, 1, 2, 3, 4, 7, 8, 11, 12, 16, 19, 20, 27, 28, 40, 59, 60, 63, 64, 65, 127, 128, 255, 256, 1499, 1500, 32767, 32768, 65535, 65536,
        262_144, 16 << 20, (16 << 20) + 1, int.MaxValue, 0x8000_0000, 3_000_000_000, uint.MaxValue - 3, uint.MaxValue];

    private bool _bigEndian;

    private enum Wrapping
    {
        None,
        Gzip,
        TwoMembers,
        Zip,
    }

    /// <summary>The bytes of the file.</summary>
    public byte[] Build()
    {
        _bigEndian = Chance(3);
        byte[] bytes = random.Next(20) switch
        {
            0 => Noise(random.Next(300)),
            1 => Snoop(),
            < 8 => Pcap(),
            _ => Pcapng(),
        };
        bytes = Chance(2) ? Spoil(bytes) : bytes;
        Wrapping wrapping = Chance(6) ? (Wrapping)random.Next(4) : Wrapping.None;
        bytes = Wrap(bytes, wrapping);
        return wrapping != Wrapping.None && Chance(2) ? Spoil(bytes) : bytes;
    }

    private static IEnumerable<(int, byte[])> Fragmented()
    {
        byte[] tcp = Datagrams.Tcp(400);
        for (int from = 0; from < tcp.Length; from += 104)
        {
            int to = Math.Min(from + 104, tcp.Length);
            yield return (101, Datagrams.V4(tcp[from..to], 6, 7, from, to < tcp.Length));
            yield return (101, Datagrams.V6(Datagrams.FragmentHeader(6, from, to < tcp.Length, 7, tcp[from..to]), 44));
        }
    }

    private static IEnumerable<(int, byte[])> Reports()
    {
        byte[] report = Datagrams.V4([3, 4, 0, 0, 0, 0, .. Datagrams.Big(600), .. Datagrams.V4(Datagrams.Tcp())], 1);
        Datagrams.U32(report, 16, 0x0A000001);
        yield return (101, report);
        byte[] six = Datagrams.V6([2, 0, 0, 0, 0, 0, .. Datagrams.Big(1280), .. Datagrams.V6(Datagrams.Tcp())], 58);
        six.AsSpan(8, 16).CopyTo(six.AsSpan(24));
        yield return (101, six);
    }

    private bool Chance(int oneIn) => random.Next(oneIn) == 0;

    private uint Lie(int oneIn, uint truth) =>
        Chance(oneIn) ? Chance(4) ? (uint)random.NextInt64(1L << 32) : Chance(2) ? truth + (uint)random.Next(-8, 9) : Odd[random.Next(Odd.Length)] : truth;

    private byte[] Noise(int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private (int Link, byte[] Frame) Frame()
    {
        (int link, byte[] template) = Templates[random.Next(Templates.Length)];
        byte[] frame = [.. template];
        if (Chance(2))
        {
            for (int n = 1 + random.Next(3); n > 0; n--)
            {
                // The headers are at the begin; what comes behind them is not looked at.
                int at = random.Next(Math.Min(frame.Length, 120));
                frame[at] = Chance(3) ? (byte)Odd[random.Next(Odd.Length)] : Chance(2) ? (byte)random.Next(256) : (byte)(frame[at] ^ (1 << random.Next(8)));
            }
        }

        return (Chance(30) ? random.Next(300) : link, Chance(8) ? frame[..random.Next(frame.Length + 1)] : frame);
    }

    private byte[] Pcap()
    {
        (int link, _) = Frame();
        CaptureBytes file = new(_bigEndian);
        uint magic = random.Next(3) switch { 0 => 0xA1B23C4D, 1 => 0xA1B2CD34, _ => 0xA1B2C3D4 };
        file.PcapHeader(magic, Chance(10) ? Lie(1, (uint)link) : (uint)link);
        for (int n = random.Next(8); n >= 0; n--)
        {
            (int other, byte[] frame) = Frame();
            for (int tries = 0; other != link && tries < 20; tries++)
            {
                (other, frame) = Frame();
            }

            file.Record(
                frame, Lie(6, (uint)CaptureBytes.Second), Lie(6, (uint)n), Lie(12, (uint)frame.Length), Lie(6, (uint)frame.Length),
                magic == 0xA1B2CD34 ? 8 : 0);
        }

        return file.ToArray();
    }

    private byte[] Snoop()
    {
        _bigEndian = true;
        CaptureBytes file = new(_bigEndian);
        file.SnoopHeader(Lie(8, Chance(3) ? 8u : 4), Lie(20, 2));
        for (int n = random.Next(8); n >= 0; n--)
        {
            (_, byte[] frame) = Frame();
            uint padded = (uint)(24 + frame.Length + (-frame.Length & 3));
            file.SnoopRecord(frame, Lie(6, (uint)n), Lie(6, 0), Lie(12, (uint)frame.Length), Lie(6, (uint)frame.Length), Lie(8, padded));
        }

        return file.ToArray();
    }

    private byte[] Pcapng()
    {
        CaptureBytes file = new(_bigEndian);
        file.SectionHeader(Chance(4) ? random.NextInt64(-2, 5000) : -1, Chance(40) ? random.Next(5) : 1);
        int interfaces = random.Next(4);
        List<int> links = [];
        for (int i = 0; i < interfaces; i++)
        {
            links.Add(Frame().Link);
            Interface(file, links[^1]);
        }

        for (int n = random.Next(10); n >= 0; n--)
        {
            Block(file, links);
        }

        if (Chance(8))
        {
            _bigEndian = !_bigEndian;
            file.Add(Pcapng());
        }

        return file.ToArray();
    }

    private void Interface(CaptureBytes file, int link) => file.Interface(
        link,
        Lie(5, 0),
        Chance(2) ? [] : file.Option(9, [(byte)random.Next(256)], Chance(12) ? random.Next(70_000) : null),
        Chance(3) ? file.Option(14, file.U64((ulong)random.NextInt64(long.MinValue, long.MaxValue))) : [],
        Chance(3) ? file.Option(13, [(byte)random.Next(256)]) : [],
        Chance(3) ? file.Option(2, Noise(random.Next(20)), Chance(6) ? random.Next(70_000) : null) : [],
        Chance(2) ? file.Option(0, []) : []);

    private void Block(CaptureBytes file, List<int> links)
    {
        (int link, byte[] frame) = Frame();
        int id = links.IndexOf(link) is >= 0 and int known ? known : 0;
        ulong ticks = Chance(5) ? (ulong)random.NextInt64(long.MinValue, long.MaxValue) : CaptureBytes.Second * 1_000_000;
        switch (random.Next(14))
        {
            case 0:
                file.Simple(frame, Lie(4, (uint)frame.Length));
                break;
            case 1:
                file.Obsolete(frame, ticks, (int)Lie(8, (uint)id), random.Next(65536));
                break;
            case 2:
                file.Statistics(Lie(4, (uint)id), file.Option(random.Next(9), file.U64((ulong)random.NextInt64()), Chance(8) ? random.Next(70_000) : null));
                break;
            case 3:
                uint length = Lie(2, 32);
                file.Block(random.Next(5) switch { 0 => 4, 1 => 9, 2 => 0xA, 3 => 0xBAD, _ => (uint)random.Next() }, Noise(20), length, Lie(8, length));
                break;
            case 4:
                links.Add(link);
                Interface(file, link);
                break;
            case 5:
                file.Block((uint)random.Next(1, 8), Noise(4 * random.Next(12)), Chance(3) ? Lie(1, 44) : null);
                break;
            default:
                file.Enhanced(frame, ticks, Lie(10, (uint)id), Lie(10, (uint)frame.Length), Lie(5, (uint)frame.Length),
                    Chance(4) ? file.Option(random.Next(6), file.U64((ulong)random.NextInt64()), Chance(5) ? random.Next(70_000) : null) : []);
                break;
        }
    }

    private byte[] Spoil(byte[] bytes)
    {
        List<byte> spoiled = [.. bytes];
        for (int n = 1 + random.Next(3); n > 0 && spoiled.Count > 0; n--)
        {
            int at = random.Next(spoiled.Count);
            int count = Math.Min(random.Next(40), spoiled.Count - at);
            switch (random.Next(7))
            {
                case 0:
                    spoiled[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    spoiled.RemoveRange(at, count);
                    break;
                case 2:
                    spoiled.InsertRange(at, spoiled.GetRange(at, count));
                    break;
                case 3:
                    spoiled.InsertRange(at, Noise(random.Next(16)));
                    break;
                case 4:
                    spoiled.RemoveRange(at, spoiled.Count - at);
                    break;
                default:
                    Overwrite(spoiled, at & ~3);
                    break;
            }
        }

        return [.. spoiled];
    }

    private void Overwrite(List<byte> bytes, int at)
    {
        byte[] value = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(value, Odd[random.Next(Odd.Length)]);
        if (_bigEndian)
        {
            Array.Reverse(value);
        }

        for (int i = 0; i < value.Length && at + i < bytes.Count; i++)
        {
            bytes[at + i] = value[i];
        }
    }

    private byte[] Wrap(byte[] bytes, Wrapping wrapping) => wrapping switch
    {
        Wrapping.Gzip => Gzip(bytes),
        Wrapping.TwoMembers => [.. Gzip(bytes[..(bytes.Length / 2)]), .. Gzip(bytes[(bytes.Length / 2)..])],
        Wrapping.Zip => Zip(bytes),
        _ => bytes,
    };

    private byte[] Gzip(byte[] bytes)
    {
        MemoryStream stream = new();
        using (GZipStream gzip = new(stream, Chance(2) ? CompressionLevel.Fastest : CompressionLevel.NoCompression))
        {
            gzip.Write(bytes);
        }

        return stream.ToArray();
    }

    private byte[] Zip(byte[] bytes)
    {
        MemoryStream stream = new();
        using (ZipArchive zip = new(stream, ZipArchiveMode.Create, leaveOpen: true))
        {
            int right = random.Next(3);
            for (int i = 0; i <= right; i++)
            {
                using Stream entry = zip.CreateEntry($"file{i}", Chance(2) ? CompressionLevel.Fastest : CompressionLevel.NoCompression).Open();
                entry.Write(i == right ? bytes : Noise(random.Next(40)));
            }
        }

        return stream.ToArray();
    }
}
