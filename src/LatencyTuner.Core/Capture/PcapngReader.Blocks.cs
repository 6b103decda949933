namespace LatencyTuner.Core.Capture;

/// <summary>Reads the content of the blocks.</summary>
internal sealed partial class PcapngReader
{
    private bool TryBlock(uint type, ReadOnlySpan<byte> body, ref CapturedFrame frame)
    {
        switch (type)
        {
            case EnhancedPacketBlock:
                return TryEnhanced(body, ref frame);
            case SimplePacketBlock:
                return TrySimple(body, ref frame);
            case ObsoletePacketBlock:
                return TryObsolete(body, ref frame);
            case InterfaceBlock:
                AddInterface(body);
                return false;
            default:
                Statistics(body);
                return false;
        }
    }

    private bool TryEnhanced(ReadOnlySpan<byte> body, ref CapturedFrame frame)
    {
        const int Fixed = 20;
        if (body.Length < Fixed)
        {
            return Spoil($"a packet block of {body.Length} bytes is too short for its fields");
        }

        uint captured = ByteOrderReader.U32(body[12..], _bigEndian);
        if (!TryFrame(ByteOrderReader.U32(body, _bigEndian), Ticks(body[4..]), captured, ByteOrderReader.U32(body[16..], _bigEndian), body[Fixed..], ref frame))
        {
            return false;
        }

        int options = Fixed + (int)Padded(captured);
        if (options < body.Length)
        {
            Losses(frame.InterfaceId, body[options..]);
        }

        return true;
    }

    private bool TryObsolete(ReadOnlySpan<byte> body, ref CapturedFrame frame)
    {
        const int Fixed = 20;
        const ushort Unknown = 0xFFFF;
        if (body.Length < Fixed)
        {
            return Spoil($"a packet block of {body.Length} bytes is too short for its fields");
        }

        ushort id = ByteOrderReader.U16(body, _bigEndian);
        ushort drops = ByteOrderReader.U16(body[2..], _bigEndian);
        if (!TryFrame(id, Ticks(body[4..]), ByteOrderReader.U32(body[12..], _bigEndian), ByteOrderReader.U32(body[16..], _bigEndian), body[Fixed..], ref frame))
        {
            return false;
        }

        if (drops != Unknown)
        {
            _losses.AddBetween(id, drops);
        }

        return true;
    }

    private bool TrySimple(ReadOnlySpan<byte> body, ref CapturedFrame frame)
    {
        const int Fixed = 4;
        if (body.Length < Fixed || _interfaceCount == 0)
        {
            return Spoil(
                _interfaceCount == 0 ? "a packet block comes before the first interface block"
                    : $"a packet block of {body.Length} bytes is too short for its fields");
        }

        uint original = ByteOrderReader.U32(body, _bigEndian);
        uint snap = _interfaces[0].SnapLength;
        uint captured = Math.Min(Math.Min(original, snap == 0 ? uint.MaxValue : snap), (uint)(body.Length - Fixed));
        if (!TryFrame(0, null, captured, original, body[Fixed..], ref frame))
        {
            return false;
        }

        FramesWithoutTime++;
        return true;
    }

    private bool TryFrame(uint id, ulong? ticks, uint captured, uint original, ReadOnlySpan<byte> data, ref CapturedFrame frame)
    {
        if (id >= (uint)_interfaceCount)
        {
            return Spoil($"a packet refers to interface {id}, but the interface count is {_interfaceCount}");
        }

        if (captured > (uint)data.Length)
        {
            return Spoil($"a packet of {captured} bytes is in a block with room for {data.Length} bytes");
        }

        ref readonly PcapngInterface from = ref _interfaces[id];
        int wire = (int)Math.Clamp(original, captured, int.MaxValue) - from.CheckLength;
        frame = new CapturedFrame
        {
            Number = ++_number,
            TimeNs = ticks is { } t ? from.Clock.TimeNs(t) : 0,
            LinkType = from.LinkType,
            InterfaceId = (int)id,
            OriginalLength = Math.Max(wire, 0),
            Data = data[..(int)Math.Min(captured, (uint)Math.Max(wire, 0))],
        };
        return true;
    }

    private void AddInterface(ReadOnlySpan<byte> body)
    {
        const int Fixed = 8;
        const ushort Resolution = 9;
        const ushort CheckLength = 13;
        const ushort Offset = 14;
        if (body.Length < Fixed || _interfaceCount == MostInterfaces)
        {
            // Without this interface, packets of this and every later one would be assigned to the wrong interface.
            Lose(
                body.Length < Fixed ? $"an interface block of {body.Length} bytes is too short for its fields"
                    : $"the section has more than {MostInterfaces} interfaces");
            return;
        }

        byte resolution = CaptureClock.Microseconds;
        byte check = 0;
        long offset = 0;
        PcapngOptions options = new(body[Fixed..], _bigEndian);
        while (options.TryNext(out ushort code, out ReadOnlySpan<byte> value))
        {
            switch (code)
            {
                case Resolution when value.Length >= 1:
                    resolution = value[0];
                    break;
                case CheckLength when value.Length >= 1:
                    check = value[0];
                    break;
                case Offset when value.Length >= 8:
                    offset = (long)ByteOrderReader.U64(value, _bigEndian);
                    break;
            }
        }

        Note(options);
        if (_interfaceCount == _interfaces.Length)
        {
            Array.Resize(ref _interfaces, Math.Max(4, 2 * _interfaces.Length));
        }

        CaptureClock clock = new(resolution, offset);
        _interfaces[_interfaceCount++] = new(ByteOrderReader.U16(body, _bigEndian), ByteOrderReader.U32(body[4..], _bigEndian), check, clock);
        ClockStepNs = Math.Max(ClockStepNs, clock.StepNs);
    }

    private void Statistics(ReadOnlySpan<byte> body)
    {
        const int Fixed = 12;
        const ushort InterfaceDrops = 5;
        const ushort SystemDrops = 7;
        uint id = body.Length < Fixed ? uint.MaxValue : ByteOrderReader.U32(body, _bigEndian);
        if (id >= (uint)_interfaceCount)
        {
            Spoil(
                body.Length < Fixed ? $"a statistics block of {body.Length} bytes is too short for its fields"
                    : $"a statistics block refers to interface {id}, but the interface count is {_interfaceCount}");
            return;
        }

        ulong? drops = null;
        PcapngOptions options = new(body[Fixed..], _bigEndian);
        while (options.TryNext(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code is InterfaceDrops or SystemDrops && value.Length >= 8)
            {
                drops = (drops ?? 0) + Math.Min(ByteOrderReader.U64(value, _bigEndian), long.MaxValue);
            }
        }

        Note(options);
        if (drops is { } lost)
        {
            _losses.SetTotal((int)id, lost);
        }
    }

    private void Losses(int id, ReadOnlySpan<byte> bytes)
    {
        const ushort DropCount = 4;
        PcapngOptions options = new(bytes, _bigEndian);
        while (options.TryNext(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code == DropCount && value.Length >= 8)
            {
                _losses.AddBetween(id, ByteOrderReader.U64(value, _bigEndian));
            }
        }

        Note(options);
    }

    private ulong Ticks(ReadOnlySpan<byte> bytes) => ((ulong)ByteOrderReader.U32(bytes, _bigEndian) << 32) | ByteOrderReader.U32(bytes[4..], _bigEndian);

    private void Note(in PcapngOptions options)
    {
        if (options.Overrun)
        {
            Spoil("an option is longer than the block it is in");
        }
    }
}
