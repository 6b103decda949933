namespace LatencyTuner.Core.Measurement.Sweeps;

/// <summary>What one request consists of: messages of one size, one or several of them in each write.</summary>
/// <param name="MessageBytes">Size of a message.</param>
/// <param name="Messages">Messages in a request.</param>
/// <param name="PerWrite">Messages in a write; the last write takes what is left.</param>
public sealed record SweepLoad(int MessageBytes, int Messages, int PerWrite)
{
    /// <summary>Most messages of a request; the list of its writes is part of the report.</summary>
    public const int MostMessages = 4096;

    /// <summary>Size of a request in bytes.</summary>
    public long RequestBytes => (long)MessageBytes * Messages;

    /// <summary>The writes of one request in bytes.</summary>
    public IReadOnlyList<int> Writes
    {
        get
        {
            int each = Math.Min(PerWrite, Messages);
            int[] writes = new int[(Messages + each - 1) / each];
            Array.Fill(writes, checked(MessageBytes * each));
            writes[^1] = checked((int)(RequestBytes - ((long)MessageBytes * each * (writes.Length - 1))));
            return writes;
        }
    }
}
