using LatencyTuner.Core;
using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Masking;

namespace LatencyTuner.Fuzz;

/// <summary>Writes a capture again with masked addresses, and holds what is read from it against what was read from the first.</summary>
internal static class MaskCase
{
    private static readonly byte[] Key = [.. Enumerable.Range(1, 32).Select(i => (byte)i)];

    /// <summary>Runs one input.</summary>
    /// <param name="bytes">The file.</param>
    /// <exception cref="InvalidOperationException">The packets of the second are not those of the first.</exception>
    public static void Run(byte[] bytes)
    {
        using AddressMask mask = new(Key);
        using MemoryStream written = new();
        try
        {
            using ICaptureReader reader = CaptureContainer.Open(new MemoryStream(bytes, writable: false), "fuzz");
            _ = new CaptureRewriter(mask, keepPayload: false).Write(reader, written, CancellationToken.None);
        }
        catch (ExpectedFailureException)
        {
            return;
        }

        using ICaptureReader first = CaptureContainer.Open(new MemoryStream(bytes, writable: false), "fuzz");
        using ICaptureReader second = CaptureContainer.Open(new MemoryStream(written.ToArray(), writable: false), "masked");
        while (first.TryRead(out CapturedFrame a))
        {
            if (!second.TryRead(out CapturedFrame b))
            {
                throw new InvalidOperationException($"the masked capture ends before frame {a.Number}: {second.Damage}");
            }

            if (a.Number != b.Number || a.TimeNs != b.TimeNs || a.OriginalLength != b.OriginalLength || a.LinkType != b.LinkType
                || a.InterfaceId != b.InterfaceId || b.Data.Length > a.Data.Length)
            {
                throw new InvalidOperationException(
                    $"frame {a.Number} is {b.Number}: {a.TimeNs} {b.TimeNs}, {a.OriginalLength} {b.OriginalLength}, {a.LinkType} {b.LinkType}, "
                    + $"{a.InterfaceId} {b.InterfaceId}, {a.Data.Length} {b.Data.Length}");
            }
        }

        if (second.TryRead(out _) || second.Damage is null != first.Damage is null)
        {
            throw new InvalidOperationException($"the masked capture has more frames, or another damage: {first.Damage}, {second.Damage}");
        }
    }
}
