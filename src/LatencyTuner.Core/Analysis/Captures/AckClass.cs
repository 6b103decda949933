namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>Why an acknowledgement came when it came; the first that applies.</summary>
internal enum AckClass : byte
{
    /// <summary>Acknowledges nothing new.</summary>
    None,

    /// <summary>Rides on data, SYN, FIN or RST: never a delayed-ACK timer, however late.</summary>
    Piggyback,

    /// <summary>Answers data out of order or sent again: due at once (RFC 5681 4.2).</summary>
    Forced,

    /// <summary>Answers a second segment, or two full ones (RFC 1122 4.2.3.2).</summary>
    SecondSegment,

    /// <summary>A pure ACK without delay.</summary>
    Immediate,

    /// <summary>A pure ACK of a lone segment, later than the path explains: a timer, or something unexplained.</summary>
    Late,

    /// <summary>Later than the path explains, and not as a timer would be: queueing, scheduling.</summary>
    Unexplained,
}
