using System.Formats.Tar;
using System.Security.Cryptography;
using LatencyTuner.Core.Measurement.FarEnds;

namespace LatencyTuner.Hosting;

/// <summary>A copy on Linux: one line of sh makes the folder with mode 0700, takes a tar archive from its standard input, runs and removes it.</summary>
internal sealed class UnixFarCopy : FarCopy
{
    private static readonly DateTimeOffset AnyTime = DateTimeOffset.UnixEpoch;

    /// <summary>Prepares a copy.</summary>
    /// <param name="program">A program for Linux.</param>
    /// <param name="randomBytes">Gives the random part of the folder's name.</param>
    public UnixFarCopy(CopiedProgram program, Func<int, byte[]> randomBytes)
        : base(program, randomBytes)
    {
        using CountingHash hash = new(_ => { });
        WriteTo(hash);
        Bytes = hash.Length;
        Sha256 = hash.Finish();
    }

    public override string RemovalCommand => $"rm -rf \"${{TMPDIR:-/tmp}}/{Folder}\"";

    public override string Line(IReadOnlyList<string> arguments) =>
        $"sh -c 'umask 077; d=\"${{TMPDIR:-/tmp}}/{Folder}\"; mkdir -m 700 \"$d\" || exit {NoFolder}; "
        + "trap \"cd /; rm -rf \\\"\\$d\\\"\" EXIT; trap \"exit 82\" HUP INT TERM; cd \"$d\" && "
        + $"[ \"$(uname -s) $(uname -m)\" = \"{Copied.System}\" ] || {{ echo \"it is $(uname -s) $(uname -m)\" >&2; exit {OtherSystem}; }}; "
        + $"cat > p && echo \"{Sha256}  p\" | sha256sum -c > /dev/null || exit {Damaged}; tar -xf p && rm p || exit {NotUnpacked}; "
        + $"\"$d/{Copied.Name}\" {string.Join(' ', arguments)} < /dev/null'";

    public override void Feed(Stream to, IReadOnlyList<string> arguments)
    {
        using CountingHash counting = new(Count, to);
        WriteTo(counting);
    }

    public override string? Failure(FarEndEnding ending, IReadOnlyList<string> banner)
    {
        string errors = string.Join(' ', ending.Errors);
        return Sentence(ending.ExitCode, errors)
            ?? (errors.Contains("is not recognized", StringComparison.OrdinalIgnoreCase)
                ? "The far end has no 'sh', so it looks like Windows: give --via-shell cmd, and --via-copy-from with latencytuner.exe of the release for "
                    + "Windows."
                : null);
    }

    private void WriteTo(Stream to)
    {
        using TarWriter archive = new(to, TarEntryFormat.Ustar, leaveOpen: true);
        foreach ((string path, string name) in Copied.Files)
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read | FileShare.Delete, Chunk, FileOptions.SequentialScan);
            archive.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, name)
            {
                DataStream = file,
                ModificationTime = AnyTime,
                Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
            });
        }
    }

    /// <summary>Hashes and counts what is written through it.</summary>
    private sealed class CountingHash(Action<long> count, Stream? to = null) : Stream
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private long _length;

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => _length;

        public override long Position { get => _length; set => throw new NotSupportedException(); }

        public string Finish() => Convert.ToHexString(_hash.GetHashAndReset()).ToLowerInvariant();

        public override void Flush() => to?.Flush();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            to?.Write(buffer);
            _hash.AppendData(buffer);
            _length += buffer.Length;
            count(buffer.Length);
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                _hash.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
