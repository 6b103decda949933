using System.Runtime.InteropServices;
using System.Text;

namespace LatencyTuner.Lab;

/// <summary>The user-space end of a TAP device in a namespace. Usable from any thread; reads and writes do not block.</summary>
internal sealed unsafe class TapDevice : IDisposable
{
    private const nuint SetInterface = 0x400454ca; // TUNSETIFF
    private const short TapWithoutHeader = 0x0002 | 0x1000; // IFF_TAP | IFF_NO_PI

    private TapDevice(int fd) => Fd = fd;

    public int Fd { get; private set; }

    public static TapDevice Open(string ns, string device) => LabNamespace.Run(ns, () =>
    {
        int fd = Libc.Open("/dev/net/tun", Libc.ReadWrite | Libc.NonBlocking | Libc.CloseOnExec);
        if (fd < 0)
        {
            throw new LabException($"/dev/net/tun cannot be opened: {Libc.LastError()}.");
        }

        byte* request = stackalloc byte[40];
        new Span<byte>(request, 40).Clear();
        Encoding.ASCII.GetBytes(device, new Span<byte>(request, 15));
        *(short*)(request + 16) = TapWithoutHeader;
        if (Libc.IoControl(fd, SetInterface, request) < 0)
        {
            string why = Libc.LastError();
            _ = Libc.Close(fd);
            throw new LabException($"TAP device {device} in namespace {ns} cannot be attached: {why}.");
        }

        return new TapDevice(fd);
    });

    /// <summary>Reads one frame; 0 where none waits.</summary>
    public int Read(byte[] buffer)
    {
        fixed (byte* p = buffer)
        {
            nint n = Libc.Read(Fd, p, (nuint)buffer.Length);
            if (n >= 0)
            {
                return (int)n;
            }
        }

        int error = Marshal.GetLastPInvokeError();
        if (error is Libc.Again or Libc.Interrupted)
        {
            return 0;
        }

        throw new LabException($"The TAP device cannot be read: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    public bool Write(ReadOnlySpan<byte> frame)
    {
        fixed (byte* p = frame)
        {
            return Libc.Write(Fd, p, (nuint)frame.Length) == frame.Length;
        }
    }

    public void Dispose()
    {
        if (Fd >= 0)
        {
            _ = Libc.Close(Fd);
        }

        Fd = -1;
    }
}
