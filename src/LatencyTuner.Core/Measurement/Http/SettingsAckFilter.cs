namespace LatencyTuner.Core.Measurement.Http;

/// <summary>
/// Keeps the peer's acknowledgement of the first SETTINGS (RFC 9113, section 6.5.3) from .NET's HTTP/2 client. The client times it to learn
/// the round trip, without which it does not let a stream's window grow, and uses it for nothing else. Its own switch applies to the whole
/// process, but fixed and growing windows are compared here side by side. <see cref="StreamWindowMeter"/> shows if a later .NET behaves otherwise.
/// </summary>
/// <param name="inner">The connection.</param>
internal sealed class SettingsAckFilter(Stream inner) : PassedStream(inner)
{
    private const int HeadBytes = 9;
    private const byte Settings = 4;
    private const byte Ack = 1;
    private readonly byte[] _head = new byte[HeadBytes];
    private int _have;
    private int _given = HeadBytes;
    private int _payload;
    private bool _done;

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (!_done && !buffer.IsEmpty)
        {
            if (_given < _have)
            {
                int count = Math.Min(_have - _given, buffer.Length);
                _head.AsMemory(_given, count).CopyTo(buffer);
                _given += count;
                return count;
            }

            if (_payload > 0)
            {
                int count = await Inner.ReadAsync(buffer[..Math.Min(buffer.Length, _payload)], cancellationToken).ConfigureAwait(false);
                _payload -= count;
                return count;
            }

            _have = await Inner.ReadAtLeastAsync(_head, HeadBytes, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
            _given = 0;
            int length = (_head[0] << 16) | (_head[1] << 8) | _head[2];
            if (_have < HeadBytes)
            {
                _done = _have == 0;
            }
            else if (_head[3] == Settings && (_head[4] & Ack) != 0 && length == 0)
            {
                _done = true;
            }
            else
            {
                _payload = length;
            }
        }

        return await Inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
    }
}
