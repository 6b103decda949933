namespace LatencyTuner.Tests.Etw;

/// <summary>Compresses to plain LZ77 (MS-XCA 2.3), with every form of a match length that the data calls for.</summary>
internal static class XpressCompressor
{
    private const int Window = 8192;
    private const int HashSize = 1 << 15;

    internal static byte[] Compress(ReadOnlySpan<byte> data)
    {
        List<byte> output = new(data.Length);
        int[] lastPlace = new int[HashSize];
        Array.Fill(lastPlace, -1);
        int flagsAt = 0;
        uint flags = 0;
        int bits = 0;
        int nibbleAt = -1;
        output.AddRange(new byte[4]);
        for (int at = 0; at < data.Length;)
        {
            if (bits == 32)
            {
                BitConverter.GetBytes(flags).CopyTo(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(output)[flagsAt..]);
                (flagsAt, flags, bits) = (output.Count, 0, 0);
                output.AddRange(new byte[4]);
            }

            int length = 0;
            int from = -1;
            if (at + 3 <= data.Length)
            {
                int hash = ((data[at] << 7) ^ (data[at + 1] << 4) ^ data[at + 2]) & (HashSize - 1);
                from = lastPlace[hash];
                lastPlace[hash] = at;
                if (from >= 0 && at - from <= Window)
                {
                    while (at + length < data.Length && data[from + length] == data[at + length])
                    {
                        length++;
                    }
                }
            }

            flags <<= 1;
            bits++;
            if (length < 3)
            {
                output.Add(data[at++]);
                continue;
            }

            flags |= 1;
            Match(output, at - from, length, ref nibbleAt);
            at += length;
        }

        // What remains of the last flag word is ones, as the description has it.
        flags = bits == 32 ? flags : (flags << (32 - bits)) | ((1u << (32 - bits)) - 1);
        BitConverter.GetBytes(flags).CopyTo(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(output)[flagsAt..]);
        return [.. output];
    }

    private static void Match(List<byte> output, int distance, int length, ref int nibbleAt)
    {
        int rest = length - 3;
        output.AddRange(BitConverter.GetBytes((ushort)(((distance - 1) << 3) | Math.Min(rest, 7))));
        if (rest < 7)
        {
            return;
        }

        rest -= 7;
        byte nibble = (byte)Math.Min(rest, 15);
        if (nibbleAt < 0)
        {
            nibbleAt = output.Count;
            output.Add(nibble);
        }
        else
        {
            output[nibbleAt] |= (byte)(nibble << 4);
            nibbleAt = -1;
        }

        if (rest < 15)
        {
            return;
        }

        rest -= 15;
        output.Add((byte)Math.Min(rest, 255));
        if (rest < 255)
        {
            return;
        }

        int whole = length - 3;
        if (whole < 1 << 16)
        {
            output.AddRange(BitConverter.GetBytes((ushort)whole));
            return;
        }

        output.AddRange(BitConverter.GetBytes((ushort)0));
        output.AddRange(BitConverter.GetBytes(whole));
    }
}
