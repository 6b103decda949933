namespace LatencyTuner.Core.Sockets;

/// <summary>ICMP echo requests to one address, one at a time, through a call of the system. Not thread-safe, except for <see cref="Interrupt"/>.</summary>
public abstract class SystemEcho : IDisposable
{
    /// <summary>Sends one request and waits for what becomes of it.</summary>
    /// <param name="payload">Its data.</param>
    /// <param name="timeout">Longest wait.</param>
    /// <returns>0 for a reply, otherwise an IP_STATUS (ipexport.h, 11000 and more) or the Win32 error of the call itself.</returns>
    /// <exception cref="ObjectDisposedException">The wait was ended by <see cref="Interrupt"/>.</exception>
    public abstract uint Ask(ReadOnlySpan<byte> payload, TimeSpan timeout);

    /// <summary>Ends a wait on another thread.</summary>
    public abstract void Interrupt();

    /// <summary>Releases what the call holds.</summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Releases what the call holds.</summary>
    protected abstract void Close();
}
