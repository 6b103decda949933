using System.Security.Cryptography;
using System.Text;

namespace LatencyTuner.Core.Measurement;

/// <summary>
/// The secret both ends share. It never leaves the process: each end proves that it knows it by an HMAC-SHA256 (RFC 2104) over both ends'
/// fresh nonces, the client first, so that a stranger learns nothing that helps to guess the token.
/// </summary>
public sealed class SharedToken
{
    /// <summary>Shortest token in characters: a shorter one could be guessed.</summary>
    public const int MinimumLength = 16;

    private const int MaximumLength = 4096;
    private readonly byte[] _key;

    private SharedToken(byte[] key) => _key = key;

    /// <summary>Creates a token from text.</summary>
    /// <param name="text">The secret; white space around it does not count.</param>
    /// <param name="where">The source of the text, for the error message.</param>
    /// <exception cref="ExpectedFailureException">Shorter than <see cref="MinimumLength"/> characters or far too long.</exception>
    public static SharedToken Parse(string text, string where)
    {
        string trimmed = text.Trim().TrimStart('\uFEFF');
        return trimmed.Length is >= MinimumLength and <= MaximumLength
            ? new SharedToken(Encoding.UTF8.GetBytes(trimmed))
            : throw new ExpectedFailureException(
                ExitCode.Usage,
                $"The token in {where} has {trimmed.Length} characters; {MinimumLength} to {MaximumLength} characters are valid.");
    }

    internal byte[] Prove(string label, ReadOnlySpan<byte> transcript)
    {
        using IncrementalHash hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, _key);
        hash.AppendData(Encoding.ASCII.GetBytes(label));
        hash.AppendData(transcript);
        return hash.GetHashAndReset();
    }
}
