using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace LatencyTuner.Core.Measurement.Probes;

/// <summary>What is wrong with a certificate, in a phrase.</summary>
internal static class CertificateTrouble
{
    internal static string Describe(X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable))
        {
            return "none was sent";
        }

        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
        {
            return "it is for another name";
        }

        X509ChainStatusFlags all = chain?.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, (sum, s) => sum | s.Status) ?? X509ChainStatusFlags.NoError;
        return all.HasFlag(X509ChainStatusFlags.NotTimeValid) ? "it has expired or is not valid yet"
            : all.HasFlag(X509ChainStatusFlags.Revoked) ? "it was revoked"
            : all.HasFlag(X509ChainStatusFlags.UntrustedRoot) ? "it is self-signed, or this machine does not know its issuer"
            : all.HasFlag(X509ChainStatusFlags.PartialChain) ? "its issuer is not known"
            : "this machine does not trust it";
    }
}
