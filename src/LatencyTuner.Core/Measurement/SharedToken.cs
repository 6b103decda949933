using System.Security.Cryptography;
using System.Text;
using System.Text.Unicode;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Measurement;

/// <summary>
/// The secret both ends share. It never leaves the process: each end proves that it knows it by an HMAC-SHA256 (RFC 2104) over both ends'
/// fresh nonces, the responder first. Whoever records such a proof can try tokens against it, so that the key is the token after
/// PBKDF2 (RFC 8018): each try costs as much as it costs here.
/// </summary>
public sealed class SharedToken
{
    /// <summary>Shortest token in bytes: a shorter one could be guessed.</summary>
    public const int MinimumLength = 16;

    private const int MaximumLength = 4096;

    // A tenth of a second, once in each process.
    private const int Iterations = 100_000;
    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private readonly byte[] _key;

    private SharedToken(byte[] secret) => _key = Stretched(secret, "LatencyTuner 2 token"u8, Iterations);

    /// <summary>Creates a token from text.</summary>
    /// <param name="text">The secret; white space around it does not count.</param>
    /// <param name="where">The source of the text, for the error message.</param>
    /// <exception cref="ExpectedFailureException">
    /// Shorter than <see cref="MinimumLength"/> bytes in UTF-8, far too long, or one character repeated (<see cref="ExitCode.Usage"/>).
    /// </exception>
    public static SharedToken Parse(string text, string where) => Of(StrictUtf8.GetBytes(text.Trim().TrimStart('\uFEFF').TrimEnd('\0')), where);

    /// <summary>
    /// Creates a token from a file: UTF-16 with a byte-order mark or every second byte 0, else UTF-8, and the same text is the same token in each. Bytes that
    /// are no UTF-8, as of a text in a code page of Windows, are the token themselves, so that no two of them become the same.
    /// </summary>
    /// <param name="file">The bytes of the file.</param>
    /// <param name="where">The file, for the error message.</param>
    /// <exception cref="ExpectedFailureException">As <see cref="Parse"/>, or UTF-16 that is none (<see cref="ExitCode.Input"/>).</exception>
    public static SharedToken Read(ReadOnlySpan<byte> file, string where)
    {
        bool? bigEndian = file switch
        {
            [0xFF, 0xFE, ..] or [not 0, 0, not 0, 0, ..] => false,
            [0xFE, 0xFF, ..] or [0, not 0, 0, not 0, ..] => true,
            _ => null,
        };
        try
        {
            Encoding encoding = bigEndian is { } order ? new UnicodeEncoding(order, byteOrderMark: false, throwOnInvalidBytes: true) : StrictUtf8;
            return Parse(encoding.GetString(file), where);
        }
        catch (DecoderFallbackException e) when (bigEndian is not null)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"The token in {where} is no text at byte {e.Index}: UTF-16 is expected, because the file begins as that.", e);
        }
        catch (DecoderFallbackException)
        {
            return Of(file.Trim(" \t\r\n"u8).ToArray(), where);
        }
    }

    private static SharedToken Of(byte[] key, string where) =>
        key.Length is < MinimumLength or > MaximumLength ? throw new ExpectedFailureException(
            ExitCode.Usage,
            $"The token in {where} has {Counted.Of(key.Length, "byte")}; {MinimumLength} to {MaximumLength} are valid. 'latencytuner token new FILE' makes a "
                + "random one.")
        : (Utf8.IsValid(key) ? Encoding.UTF8 : Encoding.Latin1).GetString(key).EnumerateRunes().Distinct().Count() == 1 ? throw new ExpectedFailureException(
            ExitCode.Usage, $"The token in {where} is one character repeated, which is easy to guess. 'latencytuner token new FILE' makes a random one.")
        : new SharedToken(key);

    /// <summary>
    /// PBKDF2 with HMAC-SHA256 (RFC 8018, section 5.2), the first block of 32 bytes. The system's own is not used: what it derives from is not there on
    /// every system that this program runs on.
    /// </summary>
    internal static byte[] Stretched(ReadOnlySpan<byte> secret, ReadOnlySpan<byte> salt, int iterations)
    {
        byte[] block = HMACSHA256.HashData(secret, (byte[])[.. salt, 0, 0, 0, 1]);
        byte[] key = [.. block];
        for (int i = 1; i < iterations; i++)
        {
            HMACSHA256.HashData(secret, block, block);
            for (int b = 0; b < key.Length; b++)
            {
                key[b] ^= block[b];
            }
        }

        return key;
    }

    internal byte[] Prove(string label, ReadOnlySpan<byte> transcript)
    {
        using IncrementalHash hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, _key);
        hash.AppendData(Encoding.ASCII.GetBytes(label));
        hash.AppendData(transcript);
        return hash.GetHashAndReset();
    }
}
