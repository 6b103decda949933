namespace LatencyTuner.Core.Inputs;

/// <summary>A file that is read once, from its beginning, whatever it is: a pipe gives its bytes only once, and a device never ends.</summary>
public sealed class InputFile : IDisposable
{
    private const int HeadBytes = 4096;
    private const int ChunkBytes = 1 << 20;

    private readonly string _path;
    private readonly Stream _stream;
    private readonly Stream _content;

    private InputFile(string path, Stream stream)
    {
        (_path, _stream) = (path, stream);
        byte[] head = new byte[HeadBytes];
        Head = head.AsMemory(0, stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false));
        _content = new HeadStream(Head, stream);
    }

    /// <summary>The first 4096 bytes, or all of a shorter file.</summary>
    public ReadOnlyMemory<byte> Head { get; }

    /// <summary>The whole file, from its beginning; it is read once.</summary>
    public Stream Content => _content;

    /// <summary>Opens a file.</summary>
    /// <param name="path">Its name, for messages and for <paramref name="open"/>.</param>
    /// <param name="open">Opens it.</param>
    /// <exception cref="IOException">It cannot be opened or read.</exception>
    public static InputFile Open(string path, Func<string, Stream> open)
    {
        ArgumentNullException.ThrowIfNull(open);
        Stream stream = open(path);
        try
        {
            return new(path, stream);
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    /// <summary>Reads a whole file.</summary>
    /// <param name="path">Its name, for messages and for <paramref name="open"/>.</param>
    /// <param name="open">Opens it.</param>
    /// <param name="most">The most bytes that it may have; no more than that are held.</param>
    /// <param name="what">What it is, with an article, for the message: "a token".</param>
    /// <exception cref="ExpectedFailureException">It has more (<see cref="ExitCode.Input"/>).</exception>
    /// <exception cref="IOException">It cannot be opened or read.</exception>
    public static byte[] ReadAll(string path, Func<string, Stream> open, int most, string what)
    {
        using InputFile file = Open(path, open);
        return file.ReadAll(most, what);
    }

    /// <summary>Reads the rest of the file, which is all of it before <see cref="Content"/> was read.</summary>
    /// <param name="most">The most bytes that it may have; no more than that are held.</param>
    /// <param name="what">What it is, with an article, for the message: "a token".</param>
    /// <exception cref="ExpectedFailureException">It has more (<see cref="ExitCode.Input"/>).</exception>
    public byte[] ReadAll(int most, string what)
    {
        long length = _stream.CanSeek ? _stream.Length : 0;
        if (length > most)
        {
            throw TooLarge(most, what);
        }

        List<byte[]> chunks = [];
        int total = 0;
        if (length > 0)
        {
            // As long as it says: held once.
            byte[] whole = new byte[length];
            int read = _content.ReadAtLeast(whole, whole.Length, throwOnEndOfStream: false);
            int more = read == length ? _content.ReadByte() : -1;
            if (more < 0)
            {
                return read == length ? whole : whole[..read];
            }

            chunks.AddRange([whole, [(byte)more]]);
            total = read + 1;
        }

        // Devices, pipes and files that grow: chunks hold what they give without doubling it on the way.
        while (true)
        {
            byte[] chunk = new byte[chunks.Count == 0 ? HeadBytes : ChunkBytes];
            int read = _content.ReadAtLeast(chunk, chunk.Length, throwOnEndOfStream: false);
            if (total + (long)read > most)
            {
                throw TooLarge(most, what);
            }

            total += read;
            if (read < chunk.Length)
            {
                return Joined(chunks, chunk.AsSpan(0, read), total);
            }

            chunks.Add(chunk);
        }
    }

    private static byte[] Joined(List<byte[]> chunks, ReadOnlySpan<byte> last, int total)
    {
        byte[] all = new byte[total];
        int at = 0;
        for (int i = 0; i < chunks.Count; i++)
        {
            chunks[i].CopyTo(all, at);
            at += chunks[i].Length;
            chunks[i] = [];
        }

        last.CopyTo(all.AsSpan(at));
        return all;
    }

    /// <inheritdoc/>
    public void Dispose() => _content.Dispose();

    private ExpectedFailureException TooLarge(int most, string what) =>
        new(ExitCode.Input, $"{_path} has more than {(most >= 1 << 20 ? $"{most >> 20} MiB" : $"{most} bytes")}, the most that {what} may have.");
}
