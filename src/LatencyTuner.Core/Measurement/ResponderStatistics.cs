namespace LatencyTuner.Core.Measurement;

/// <summary>What a responder has done so far.</summary>
/// <param name="Accepted">Connections accepted.</param>
/// <param name="Refused">Connections refused or dropped in their handshake.</param>
/// <param name="Served">Measured connections that have ended.</param>
/// <param name="Active">Measured connections now.</param>
/// <param name="Handshakes">Connections in their handshake now.</param>
/// <param name="Messages">Requests answered by connections that have ended.</param>
public sealed record ResponderStatistics(long Accepted, long Refused, long Served, int Active, int Handshakes, long Messages);
