using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using LatencyTuner.Core.Etw;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Xunit;

namespace LatencyTuner.Tests.Etw;

/// <summary>The same bytes, read by TraceEvent's parser and by ours.</summary>
public sealed class TraceEventValues
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
    private const int RecordBytes = 112;
    private const int PayloadBytes = 4_096;

    /// <summary>Integers of the events that have no string and no binary before them, where the older parser computes offsets by itself.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(4)]
    public void EveryNumber_IsReadFromTheSameBytes(int pointerSize)
    {
        List<string> different = [];
        int compared = 0;
        ILookup<int, TraceEvent> templates = EventNames.Templates(typeof(MicrosoftWindowsTCPIPTraceEventParser))
            .Where(t => t.ProviderGuid == TcpEventDecoder.TcpipProvider).ToLookup(t => (int)t.ID);
        nint record = Marshal.AllocHGlobal(RecordBytes + PayloadBytes);
        try
        {
            foreach (EtwEventLayout? layout in EtwLayoutTable.All.Where(
                l => l.Provider == TcpEventDecoder.TcpipProvider && !EventLayouts.NotContinued.Contains((l.Number, l.Version))))
            {
                byte[] payload = Payload(layout, pointerSize);
                Write(record, layout, payload, pointerSize);
                HashSet<string> comparable = Comparable(layout);
                EtwPayload ours = new(layout, [.. layout.Fields], payload, pointerSize);
                foreach (TraceEvent? template in templates[layout.Number])
                {
                    SetField(template, "eventRecord", record);
                    SetField(template, "userData", record + RecordBytes);
                    foreach (string? name in template.PayloadNames)
                    {
                        if (!comparable.Contains(name) || !ours.TryGetNumber(name, out ulong expected)
                            || template.GetType().GetProperty(name)!.GetValue(template) is not { } value || value is string or byte[])
                        {
                            continue;
                        }

                        compared++;
                        int width = layout.Fields.Single(f => f.Name == name).Width(pointerSize);
                        if (Mask(ToUInt64(value), width) != expected)
                        {
                            different.Add($"{layout.Number} v{layout.Version} {name}: {value} against {expected}");
                        }
                    }
                }
            }
        }
        finally
        {
            Marshal.FreeHGlobal(record);
        }

        Assert.True(compared > 1_500, $"{compared} compared");
        Assert.Equal("", string.Join('\n', different));
    }

    /// <summary>TraceEvent takes binary data that stands behind a string for empty, and so misses every field after it.</summary>
    private static HashSet<string> Comparable(EtwEventLayout layout)
    {
        int text = layout.Fields.ToList().FindIndex(f => f.Type is EtwFieldType.UnicodeString or EtwFieldType.AnsiString);
        int binary = text < 0 ? -1 : layout.Fields.ToList().FindIndex(text, f => f.Type == EtwFieldType.Binary);
        return [.. layout.Fields.Take(binary < 0 ? layout.Fields.Count : binary).Select(f => f.Name)];
    }

    /// <summary>A payload in which every byte of a number is another one, lengths fit, and texts are short.</summary>
    private static byte[] Payload(EtwEventLayout layout, int pointerSize)
    {
        ByteWriter writer = new();
        byte next = 1;
        foreach (EtwField field in layout.Fields)
        {
            switch (field.Type)
            {
                case EtwFieldType.Binary:
                    writer.Zeros(16);
                    break;
                case EtwFieldType.UnicodeString:
                    writer.Text("ab");
                    break;
                case EtwFieldType.AnsiString:
                    writer.Raw("ab\0"u8);
                    break;
                case var _ when layout.Fields.Any(f => f.Type == EtwFieldType.Binary && f.LengthIn >= 0 && f.LengthIn == field.KeptIn):
                    writer.U32(16);
                    break;
                default:
                    for (int i = 0; i < field.Width(pointerSize); i++)
                    {
                        writer.U8(next = (byte)((next % 120) + 1));
                    }

                    break;
            }
        }

        return writer.ToArray();
    }

    /// <summary>An EVENT_RECORD (evntcons.h) as far as a parser looks at it, and the payload behind it.</summary>
    private static void Write(IntPtr record, EtwEventLayout layout, byte[] payload, int pointerSize)
    {
        for (int i = 0; i < RecordBytes + PayloadBytes; i++)
        {
            Marshal.WriteByte(record, i, 0);
        }

        Marshal.WriteInt16(record, 4, (short)(pointerSize == 8 ? 0x40 : 0x20));
        Marshal.WriteInt16(record, 0x28, (short)layout.Number);
        Marshal.WriteByte(record, 0x2A, layout.Version);
        Marshal.WriteInt16(record, 86, (short)payload.Length);
        Marshal.Copy(payload, 0, record + RecordBytes, payload.Length);
    }

    private static unsafe void SetField(TraceEvent template, string name, IntPtr value)
    {
        FieldInfo field = typeof(TraceEvent).GetField(name, Any)!;
        field.SetValue(template, field.FieldType.IsPointer ? Pointer.Box((void*)value, field.FieldType) : value);
    }

    private static ulong ToUInt64(object value) => value switch
    {
        bool b => b ? 1ul : 0,
        Enum e => unchecked((ulong)Convert.ToInt64(e, CultureInfo.InvariantCulture)),
        ulong u => u,
        _ => unchecked((ulong)Convert.ToInt64(value, CultureInfo.InvariantCulture)),
    };

    private static ulong Mask(ulong value, int width) => width == 8 ? value : value & ((1ul << (8 * width)) - 1);
}
