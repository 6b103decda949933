using System.Buffers.Binary;

namespace LatencyTuner.Core.Settings;

/// <summary>
/// Makes the type number and the bytes of a value for the registry: the inverse of <see cref="RegistryValueDecoder"/>, byte for byte.
/// </summary>
/// <remarks>Types: winnt.h, REG_NONE (0) to REG_QWORD (11).</remarks>
public static class RegistryValueEncoder
{
    /// <summary>Type and data of a value. Texts get their final zero; half a surrogate pair is kept.</summary>
    /// <param name="value">The value; not absent.</param>
    /// <exception cref="ArgumentException">It is absent, and absence has no bytes.</exception>
    public static (int Type, byte[] Bytes) Encode(SettingValue value)
    {
        ArgumentNullException.ThrowIfNull(value);
        switch (value.Kind)
        {
            case SettingValueKind.Dword:
                byte[] dword = new byte[4];
                BinaryPrimitives.WriteUInt32LittleEndian(dword, (uint)value.Number!.Value);
                return (4, dword);
            case SettingValueKind.Qword:
                byte[] qword = new byte[8];
                BinaryPrimitives.WriteUInt64LittleEndian(qword, value.Number!.Value);
                return (11, qword);
            case SettingValueKind.Text:
                return (1, Units(value.Text! + '\0'));
            case SettingValueKind.ExpandText:
                return (2, Units(value.Text! + '\0'));
            case SettingValueKind.MultiText:
                return (7, Units(string.Concat(value.Texts!.Select(t => t + '\0')) + '\0'));
            case SettingValueKind.Binary:
                return (3, value.Bytes.ToArray());
            case SettingValueKind.Other:
                return (value.RawType, value.Bytes.ToArray());
            default:
                throw new ArgumentException("An absent value has no bytes.", nameof(value));
        }
    }

    private static byte[] Units(string text)
    {
        byte[] bytes = new byte[2 * text.Length];
        for (int i = 0; i < text.Length; i++)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(2 * i), text[i]);
        }

        return bytes;
    }
}
