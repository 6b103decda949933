using System.Buffers.Binary;
using System.Net;

namespace LatencyTuner.Core.Capture;

/// <summary>An IPv4 or IPv6 address as a value: IPv4 is held as an IPv4-mapped IPv6 address (RFC 4291 2.5.5.2).</summary>
internal readonly struct IpAddressValue(ulong high, ulong low) : IEquatable<IpAddressValue>, IComparable<IpAddressValue>
{
    private const ulong MappedPrefix = 0x0000_FFFF_0000_0000;

    /// <summary>The upper eight bytes, big-endian.</summary>
    public readonly ulong High = high;

    /// <summary>The lower eight bytes, big-endian.</summary>
    public readonly ulong Low = low;

    /// <summary>True for IPv4.</summary>
    public bool IsV4 => High == 0 && (Low & 0xFFFF_FFFF_0000_0000) == MappedPrefix;

    public static bool operator ==(IpAddressValue a, IpAddressValue b) => a.Equals(b);

    public static bool operator !=(IpAddressValue a, IpAddressValue b) => !a.Equals(b);

    /// <summary>Reads an IPv4 address from four bytes.</summary>
    public static IpAddressValue V4(ReadOnlySpan<byte> bytes) => new(0, MappedPrefix | BinaryPrimitives.ReadUInt32BigEndian(bytes));

    /// <summary>Reads an IPv6 address from sixteen bytes.</summary>
    public static IpAddressValue V6(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]));

    /// <summary>Converts an address object.</summary>
    public static IpAddressValue From(IPAddress address)
    {
        byte[] bytes = address.GetAddressBytes();
        return bytes.Length == 4 ? V4(bytes) : V6(bytes);
    }

    public bool Equals(IpAddressValue other) => High == other.High && Low == other.Low;

    public override bool Equals(object? obj) => obj is IpAddressValue other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(High, Low);

    public int CompareTo(IpAddressValue other) => High != other.High ? High.CompareTo(other.High) : Low.CompareTo(other.Low);

    public IPAddress ToAddress()
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, High);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], Low);
        return new IPAddress(IsV4 ? bytes[12..] : bytes);
    }

    public override string ToString() => ToAddress().ToString();
}
