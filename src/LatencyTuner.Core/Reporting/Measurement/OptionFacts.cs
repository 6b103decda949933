using LatencyTuner.Core.Reporting.Model;
using LatencyTuner.Core.Reporting.Pages;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Measurement;

/// <summary>The requested and effective options, only where they matter or differ.</summary>
internal static class OptionFacts
{
    internal static IEnumerable<PageFact> Of(OptionPair options)
    {
        (RequestedOptions? asked, EffectiveOptions? effective) = (options.Requested, options.Effective);
        yield return new(
            "TCP_NODELAY", $"client {NoDelay(asked.NoDelay, effective?.Local.NoDelay)}, server {NoDelay(asked.PeerNoDelay, effective?.Peer.NoDelay)}");
        (string, string) acks = (Ack(asked.Ack, effective?.Local.Ack), Ack(asked.PeerAck, effective?.Peer.Ack));
        if (acks != ("default", "default"))
        {
            yield return new("ACK", $"client {acks.Item1}, server {acks.Item2}");
        }

        List<string> buffers = new[]
        {
            Buffer("client send", asked.SendBufferBytes, effective?.Local.SendBufferBytes),
            Buffer("client receive", asked.ReceiveBufferBytes, effective?.Local.ReceiveBufferBytes),
            Buffer("server send", asked.PeerSendBufferBytes, effective?.Peer.SendBufferBytes),
            Buffer("server receive", asked.PeerReceiveBufferBytes, effective?.Peer.ReceiveBufferBytes),
        }.OfType<string>().ToList();
        if (buffers.Count > 0)
        {
            yield return new("Buffers", string.Join("; ", buffers));
        }

        if (asked.Spin)
        {
            yield return new("Waiting", $"client {Spin(effective?.Local)}, server {Spin(effective?.Peer)}");
        }

        if (asked.Pin.Count > 0)
        {
            string bound = effective is null || effective.Local.Pin.SequenceEqual(asked.Pin) ? "" : effective.Local.Pin.Count == 0 ? " (not confirmed)"
                : $" (in effect: {string.Join(", ", effective.Local.Pin)})";
            yield return new("Processors", $"bound to {string.Join(", ", asked.Pin)}{bound}");
        }

        if (asked.PeerThinkUs > 0)
        {
            yield return new("Think time", $"{Format.Us(asked.PeerThinkUs)} requested from the server");
        }

        if (asked.GapUs > 0)
        {
            yield return new("Gap", $"{Format.Us(asked.GapUs)} between the writes of a request");
        }
    }

    private static string NoDelay(bool? asked, bool? effective)
    {
        bool? shown = effective ?? asked;
        string word = shown switch { true => "on (Nagle off)", false => "off (Nagle on)", null => "system default" };
        return asked is not null && effective is not null && asked != effective ? $"{word}, requested {(asked.Value ? "on" : "off")}" : word;
    }

    private static string Ack(string asked, string? effective) =>
        effective is null || effective == asked ? asked : $"{asked} requested, {effective} in effect";

    private static string? Buffer(string name, int? asked, int? effective) => asked switch
    {
        null => null,
        { } bytes when effective is null || effective == bytes => $"{name} {Format.Bytes(bytes)}",
        { } bytes => $"{name} {Format.Bytes(bytes)} requested, {Format.Bytes(effective!.Value)} in effect",
    };

    private static string Spin(EndOptions? end) => end is null ? "spinning requested" : end.Spin ? "spins" : "blocks, although spinning was requested";
}
