namespace LatencyTuner.Core.Capture;

/// <summary>Takes the packets of a connection part by part.</summary>
internal interface IConnectionSink
{
    /// <summary>Judges the packets of a connection that wait.</summary>
    /// <param name="connection">The connection with its records.</param>
    /// <param name="last">True when no packet of it will follow.</param>
    /// <returns>How many of the last records to keep for the next part; less than half of them.</returns>
    int Judge(TcpConnection connection, bool last);
}
