using System.Net;

namespace LatencyTuner.Http;

/// <summary>An endpoint on which nothing listens: it has Kestrel make a pipeline for connections that come from elsewhere.</summary>
internal sealed class UnboundEndPoint : EndPoint
{
    internal static readonly UnboundEndPoint Instance = new();

    public override string ToString() => "none";
}
