using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Masking;

/// <summary>
/// Other addresses in the place of addresses, always the same one for the same key. Two addresses share exactly as many leading bits as their masks do, so
/// that subnets stay recognisable. Loopback, private, link-local, multicast and broadcast addresses stay what they are.
/// </summary>
internal sealed class AddressMask : IDisposable
{
    private const int MostKept = 1 << 16;
    private const int V4Bits = 96;
    private const int AllBits = 128;

    private readonly Aes _addresses;
    private readonly Aes _devices;
    private readonly Dictionary<IpAddressValue, IpAddressValue> _known = [];

    /// <summary>Makes a mask.</summary>
    /// <param name="key">Random bytes; whoever has them can take the mask off.</param>
    public AddressMask(ReadOnlySpan<byte> key)
    {
        _addresses = Cipher(key, 1);
        _devices = Cipher(key, 2);
    }

    /// <summary>The address in its place.</summary>
    public IPAddress Mask(IPAddress address) => Mask(IpAddressValue.From(address)).ToAddress();

    /// <summary>The address in its place.</summary>
    public IpAddressValue Mask(IpAddressValue address)
    {
        if (_known.TryGetValue(address, out IpAddressValue known))
        {
            return known;
        }

        IpAddressValue masked = address.IsV4 ? MaskV4(address) : MaskV6(address);
        // A capture with millions of addresses must not fill the memory; the same one comes out again.
        if (_known.Count == MostKept)
        {
            _known.Clear();
        }

        _known.Add(address, masked);
        return masked;
    }

    /// <summary>Masks four bytes in their place.</summary>
    public void V4(Span<byte> bytes) => BinaryPrimitives.WriteUInt32BigEndian(bytes, (uint)Mask(IpAddressValue.V4(bytes)).Low);

    /// <summary>Masks sixteen bytes in their place.</summary>
    public void V6(Span<byte> bytes)
    {
        IpAddressValue masked = Mask(IpAddressValue.V6(bytes));
        BinaryPrimitives.WriteUInt64BigEndian(bytes, masked.High);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], masked.Low);
    }

    /// <summary>Masks an address of six bytes in its place; what it says of groups and of local administration stays, and broadcast is broadcast.</summary>
    public void Device(Span<byte> bytes)
    {
        ReadOnlySpan<byte> solicited = [0x33, 0x33, 0xFF];
        if (!bytes[..6].ContainsAnyExcept((byte)0xFF) || !bytes[..6].ContainsAnyExcept((byte)0) || (IsGroup(bytes) && !bytes.StartsWith(solicited)))
        {
            return;
        }

        // The group of a neighbour solicitation ends like the address that is asked for.
        int kept = bytes.StartsWith(solicited) ? 3 : 0;
        Span<byte> block = stackalloc byte[16];
        block.Clear();
        bytes[kept..6].CopyTo(block);
        block[15] = (byte)(kept + 1);
        Span<byte> masked = stackalloc byte[16];
        _devices.EncryptEcb(block, masked, PaddingMode.None);
        byte first = bytes[0];
        masked[..(6 - kept)].CopyTo(bytes[kept..]);
        bytes[0] = (byte)((bytes[0] & ~3) | (first & 3));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _addresses.Dispose();
        _devices.Dispose();
    }

    private static Aes Cipher(ReadOnlySpan<byte> key, byte purpose)
    {
        Aes cipher = Aes.Create();
        cipher.Key = SHA256.HashData([.. key, purpose]);
        return cipher;
    }

    private static bool IsGroup(ReadOnlySpan<byte> bytes) => (bytes[0] & 1) != 0;

    private IpAddressValue MaskV4(IpAddressValue address)
    {
        uint value = (uint)address.Low;
        int kind = KindBitsV4(value);
        IpAddressValue masked = Scrambled(address, V4Bits + kind);
        // An address of the Internet stays one: scrambling again is a permutation of the others.
        while (kind == 0 && KindBitsV4((uint)masked.Low) != 0)
        {
            masked = Scrambled(masked, V4Bits);
        }

        return masked;
    }

    /// <summary>How many leading bits say what kind of address it is (RFC 6890); 0 for those of the Internet, 32 for those that stand for no host.</summary>
    private static int KindBitsV4(uint value) => (value >> 24, value >> 16) switch
    {
        (0 or 127, _) => 32,
        (10, _) => 8,
        (100, >= 0x6440 and < 0x6480) => 10,
        (169, 0xA9FE) => 16,
        (172, >= 0xAC10 and < 0xAC20) => 12,
        (192, 0xC0A8) => 16,
        _ when value >> 8 == 0xE00000 || value == uint.MaxValue => 32,
        ( >= 224, _) => 4,
        _ => 0,
    };

    private IpAddressValue MaskV6(IpAddressValue address)
    {
        const ulong Nat64 = 0x0064_FF9B_0000_0000;
        const ulong SolicitedNode = 0x0000_0001_FF00_0000;
        ulong high = address.High;
        if (high == Nat64 && address.Low >> 32 == 0)
        {
            // An IPv4 address in it is masked as that.
            return new(high, (uint)Mask(new IpAddressValue(0, 0x0000_FFFF_0000_0000 | address.Low)).Low);
        }

        int kind = (high >> 48) switch
        {
            0 when high == 0 && address.Low <= 1 => AllBits,
            >= 0xFE80 and < 0xFEC0 => 64,
            >= 0xFC00 and < 0xFE00 => 8,
            0xFF02 when (high & 0xFFFF_FFFF_FFFF) == 0 && (address.Low & ~0xFFFFFFUL) == SolicitedNode => 104,
            >= 0xFF00 when (high & 0xFFFF_FFFF_FFFF) == 0 && address.Low <= uint.MaxValue => AllBits,
            >= 0xFF00 => 16,
            0x2001 when high >> 32 == 0x2001_0DB8 => 32,
            _ => 3,
        };
        return Scrambled(address, kind);
    }

    /// <summary>Turns each bit behind the kept ones by what the bits before it are, with the key.</summary>
    private IpAddressValue Scrambled(IpAddressValue address, int keptBits)
    {
        UInt128 value = new(address.High, address.Low);
        UInt128 turned = 0;
        Span<byte> block = stackalloc byte[16];
        Span<byte> random = stackalloc byte[16];
        for (int bit = keptBits; bit < AllBits; bit++)
        {
            UInt128 place = UInt128.One << (AllBits - 1 - bit);
            // The bits before, then a one, then zeros: no two of them are the same for different lengths.
            UInt128 before = (value & ~((place << 1) - 1)) | place;
            BinaryPrimitives.WriteUInt128BigEndian(block, before);
            _addresses.EncryptEcb(block, random, PaddingMode.None);
            turned |= (random[0] & 1) != 0 ? place : 0;
        }

        UInt128 masked = value ^ turned;
        return new((ulong)(masked >> 64), (ulong)masked);
    }
}
