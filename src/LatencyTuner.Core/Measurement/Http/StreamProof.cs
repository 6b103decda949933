using System.Security.Cryptography;
using System.Text;

namespace LatencyTuner.Core.Measurement.Http;

/// <summary>
/// How both ends of an HTTP request show that they know the token: an HMAC over the nonce of the connection, one of the client and the
/// request. The responder proves first, in its greeting: whoever answers in its place gets no proof of the client.
/// </summary>
internal static class StreamProof
{
    internal const int NonceSize = 16;

    internal static string OfClient(SharedToken token, string nonce, string clientNonce, string target) =>
        Prove(token, "LatencyTuner 2 http client", nonce, clientNonce, target);

    internal static string OfServer(SharedToken token, string nonce, string clientNonce, string target) =>
        Prove(token, "LatencyTuner 2 http server", nonce, clientNonce, target);

    internal static bool Same(string given, string expected) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), Encoding.UTF8.GetBytes(expected));

    private static string Prove(SharedToken token, string label, string nonce, string clientNonce, string target) =>
        Convert.ToHexString(token.Prove(label, SHA256.HashData(Encoding.UTF8.GetBytes($"{nonce}\n{clientNonce}\n{target}"))));
}
