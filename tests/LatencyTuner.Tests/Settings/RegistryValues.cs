using System.Text;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class RegistryValues
{
    public static TheoryData<int, string, string> Raw => new()
    {
        { 0, "", "REG_TYPE_0 " },
        { 0, "0102", "REG_TYPE_0 0102" },
        { 1, "610000", "REG_TYPE_1 610000" },
        { 1, "", "REG_TYPE_1 " },
        { 1, "6100", "REG_TYPE_1 6100" },
        { 1, "61000000", "REG_SZ a" },
        { 1, "0000", "REG_SZ " },
        { 1, "6100000062000000", "REG_TYPE_1 6100000062000000" },
        { 1, "00d80000", "REG_TYPE_1 00d80000" },
        { 2, "2500410025000000", "REG_EXPAND_SZ %A%" },
        { 3, "", "REG_BINARY " },
        { 3, "00ff", "REG_BINARY 00ff" },
        { 4, "01000000", "REG_DWORD 1" },
        { 4, "010000", "REG_TYPE_4 010000" },
        { 4, "0100000000", "REG_TYPE_4 0100000000" },
        { 5, "00000001", "REG_TYPE_5 00000001" },
        { 7, "0000", "REG_MULTI_SZ " },
        { 7, "00000000", "REG_TYPE_7 00000000" },
        { 7, "610000006200630000000000", "REG_MULTI_SZ a|bc" },
        { 7, "6100000000006200000000000000", "REG_TYPE_7 6100000000006200000000000000" },
        { 11, "0100000000000080", "REG_QWORD 9223372036854775809" },
        { 11, "01000000", "REG_TYPE_11 01000000" },
        { -65518, "01", "REG_TYPE_-65518 01" },
    };

    [Theory]
    [MemberData(nameof(Raw))]
    public void Decode_KeepsWhatItsTypeDoesNotSay(int type, string hex, string expected) =>
        Assert.Equal(expected, Shown(RegistryValueDecoder.Decode(type, Convert.FromHexString(hex))));

    /// <summary>The way back is written here again, from the definition of the types: what it gives must be the bytes that were decoded.</summary>
    [Fact]
    public void Decode_AnyBytes_LosesNone()
    {
        Random random = new(20260101);
        int typed = 0;
        for (int i = 0; i < 100_000; i++)
        {
            int type = random.Next(8) == 0 ? random.Next(int.MinValue, int.MaxValue) : random.Next(13);
            byte[] bytes = new byte[random.Next(20)];

            // Few different bytes, so that zeros and surrogates come often where texts are decided.
            foreach (ref byte b in bytes.AsSpan())
            {
                b = random.Next(3) switch { 0 => 0, 1 => (byte)random.Next(0x60, 0x64), _ => (byte)random.Next(256) };
            }

            SettingValue value = RegistryValueDecoder.Decode(type, bytes);

            (int storedType, byte[]? stored) = Stored(value);
            Assert.Equal(type, storedType);
            Assert.Equal(bytes, stored);
            Assert.Equal((type, Convert.ToHexString(bytes)), Encoded(value));
            Assert.True(SettingValue.TryParse(value.TypeName, value.Data, out SettingValue? again));
            Assert.Equal(value, again);
            typed += value.Kind is SettingValueKind.Text or SettingValueKind.ExpandText or SettingValueKind.MultiText or SettingValueKind.Dword
                or SettingValueKind.Qword ? 1 : 0;
        }

        Assert.True(typed > 1000, $"Only {typed} values had a form of their own.");
    }

    [Theory]
    [InlineData(1, "6100", "a")]
    [InlineData(1, "610062", "a")]
    [InlineData(1, "6100000062000000", "a")]
    [InlineData(2, "", "")]
    [InlineData(1, "61000000", "a")]
    [InlineData(4, "01000000", null)]
    [InlineData(7, "6100", null)]
    public void TextOf_EndsAtTheFirstZero(int type, string hex, string? expected) =>
        Assert.Equal(expected, RegistryValueDecoder.TextOf(RegistryValueDecoder.Decode(type, Convert.FromHexString(hex))));

    private static (int Type, string Hex) Encoded(SettingValue value)
    {
        (int type, byte[]? bytes) = RegistryValueEncoder.Encode(value);
        return (type, Convert.ToHexString(bytes));
    }

    private static string Shown(SettingValue value) => $"{value.TypeName} {string.Join('|', value.Data)}";

    private static (int Type, byte[] Bytes) Stored(SettingValue value) => value.Kind switch
    {
        SettingValueKind.Text => (1, Encoding.Unicode.GetBytes(value.Text + "\0")),
        SettingValueKind.ExpandText => (2, Encoding.Unicode.GetBytes(value.Text + "\0")),
        SettingValueKind.Binary => (3, value.Bytes.ToArray()),
        SettingValueKind.Dword => (4, BitConverter.GetBytes((uint)value.Number!.Value)),
        SettingValueKind.MultiText => (7, Encoding.Unicode.GetBytes(string.Concat(value.Texts!.Select(t => t + "\0")) + "\0")),
        SettingValueKind.Qword => (11, BitConverter.GetBytes(value.Number!.Value)),
        _ => (value.RawType, value.Bytes.ToArray()),
    };
}
