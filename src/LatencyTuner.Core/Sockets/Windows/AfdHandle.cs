using System.Buffers.Binary;
using System.Net;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Sockets.Windows;

/// <summary>
/// Asks AFD about a duplicated handle of another process. Each call has an event of its own and a time limit; a call that cannot be cancelled keeps its
/// buffers, because the kernel may still write to them.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class AfdHandle(nint handle, uint limitMs)
{
    private const int Room = 512;
    private static readonly byte[] AfdName = System.Text.Encoding.Unicode.GetBytes(@"\Device\Afd");

    /// <summary>True when a call neither ended nor could be cancelled: the process must be left alone.</summary>
    internal bool IsStuck { get; private set; }

    /// <summary>Reads the socket; null when the handle is no TCP socket, or AFD does not answer.</summary>
    internal AfdReading? Read()
    {
        byte[] buffer = new byte[Room];
        if (!IsAfd() || Ask(AfdLayouts.GetContext, [], buffer) is not { } length || AfdLayouts.ReadShared(buffer.AsSpan(0, length)) is not { } shared
            || End(AfdLayouts.GetAddress) is not { } local)
        {
            return null;
        }

        AfdReading reading = new()
        {
            Shared = shared,
            Local = local,
            Remote = shared.IsListening ? null : End(AfdLayouts.GetRemoteAddress),
            NoDelay = Option(AfdLayouts.LevelTcp, AfdLayouts.TcpNoDelay) is { } noDelay ? noDelay != 0 : null,
            CongestionControl = Option(AfdLayouts.LevelTcp, AfdLayouts.TcpCongestionAlgorithm) is { } number ? NameOf(number) : null,
        };
        return shared.IsListening ? reading : WithCounters(reading);
    }

    private AfdReading WithCounters(AfdReading reading)
    {
        foreach ((uint version, int size) in new[] { (1u, WindowsTcpInfo.SizeV1), (0u, WindowsTcpInfo.SizeV0) })
        {
            byte[] info = new byte[size];
            if (!IsStuck && Transport(AfdLayouts.Ioctl, 0, AfdLayouts.SioTcpInfo, version, info) is { } length && length >= size)
            {
                return reading with
                {
                    Counters = WindowsTcpInfo.Decode(info),
                    BytesSent = (long)BinaryPrimitives.ReadUInt64LittleEndian(info.AsSpan(48)),
                    BytesReceived = (long)BinaryPrimitives.ReadUInt64LittleEndian(info.AsSpan(56)),
                };
            }
        }

        return reading;
    }

    /// <summary>True for the device of Winsock. No name of the object is asked for: of a synchronous pipe that may never return.</summary>
    private bool IsAfd()
    {
        byte* name = stackalloc byte[Room];
        AfdNative.IoStatus status = default;
        if (AfdNative.QueryFile(handle, &status, name, Room, AfdNative.FileVolumeNameInformation) != 0)
        {
            return false;
        }

        uint length = *(uint*)name;
        return length == AfdName.Length && new ReadOnlySpan<byte>(name + sizeof(uint), AfdName.Length).SequenceEqual(AfdName);
    }

    private IPEndPoint? End(uint code)
    {
        byte[] address = new byte[Room];
        return !IsStuck && Ask(code, [], address) is > 0 and var length && TcpEndpoint.TryReadSocketAddress(address.AsSpan(0, length), out TcpEndpoint end)
            ? new IPEndPoint(SocketSelection.Unmapped(end.Address), end.Port) : null;
    }

    private uint? Option(uint level, uint name)
    {
        byte[] value = new byte[4];
        return !IsStuck && Transport(AfdLayouts.GetOption, level, name, null, value) is { } ? BinaryPrimitives.ReadUInt32LittleEndian(value) : null;
    }

    private int? Transport(uint type, uint level, uint code, uint? input, byte[] output)
    {
        // The input lies beside the query in memory that the kernel may read until the call has ended.
        byte[] query = new byte[AfdLayouts.TransportQuerySize + sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(query.AsSpan(AfdLayouts.TransportQuerySize), input ?? 0);
        return Ask(AfdLayouts.TransportIoctl, query, output, at => AfdLayouts.WriteQuery(
            query, type, level, code, input is null ? 0 : (ulong)(at + AfdLayouts.TransportQuerySize), input is null ? 0UL : sizeof(uint)));
    }

    /// <summary>One call.</summary>
    /// <param name="code">The ioctl.</param>
    /// <param name="input">Its input.</param>
    /// <param name="output">Receives the answer.</param>
    /// <param name="prepare">Fills the input once its address is known; null for none.</param>
    /// <returns>Length of the answer in bytes; null when it failed.</returns>
    private int? Ask(uint code, byte[] input, byte[] output, Action<nint>? prepare = null)
    {
        // Not memory of the collector: a call that cannot be cancelled keeps it for ever.
        int header = sizeof(AfdNative.IoStatus);
        byte* memory = (byte*)NativeMemory.AllocZeroed((nuint)(header + input.Length + output.Length));
        nint done = AfdNative.CreateEvent(null, manual: 1, signalled: 0, null);
        if (done == 0)
        {
            NativeMemory.Free(memory);
            return null;
        }

        AfdNative.IoStatus* status = (AfdNative.IoStatus*)memory;
        byte* given = memory + header;
        byte* answer = given + input.Length;
        prepare?.Invoke((nint)given);
        input.CopyTo(new Span<byte>(given, input.Length));
        uint result = AfdNative.Control(
            handle, done, null, null, status, code, input.Length == 0 ? null : given, (uint)input.Length, answer, (uint)output.Length);
        if (result == AfdNative.StatusPending && !Ended(done, status))
        {
            IsStuck = true;
            return null;
        }

        result = result == AfdNative.StatusPending ? (uint)status->Status : result;
        int length = (int)Math.Min(status->Information, (nuint)output.Length);
        bool answered = result is 0 or AfdNative.StatusBufferOverflow;
        new ReadOnlySpan<byte>(answer, output.Length).CopyTo(output);
        _ = AfdNative.CloseHandle(done);
        NativeMemory.Free(memory);
        return answered ? length : null;
    }

    private bool Ended(nint done, AfdNative.IoStatus* status)
    {
        if (AfdNative.Wait(done, limitMs) == 0)
        {
            return true;
        }

        AfdNative.IoStatus cancelled = default;
        _ = AfdNative.Cancel(handle, status, &cancelled);
        return AfdNative.Wait(done, limitMs) == 0;
    }

    /// <summary>The congestion providers of TCP_CONGESTION_ALGORITHM; a number that is not known stays a number.</summary>
    private static string NameOf(uint number) => $"algorithm {number}";
}
