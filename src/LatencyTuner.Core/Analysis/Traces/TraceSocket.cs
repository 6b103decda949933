using LatencyTuner.Core.Evidence;

namespace LatencyTuner.Core.Analysis.Traces;

/// <summary>A socket as Winsock-AFD tells of it. Resting on the manifest: that EnterExit 0 enters a call and 1 leaves it.</summary>
internal sealed class TraceSocket
{
    private long? _indicatedNs;
    private long? _sendNs;
    private int _sendThread;

    public uint? ProcessId { get; set; }

    public void Take(in TcpEvent e, TraceProcess process)
    {
        bool enters = e.EnterExit == 0;
        switch (e.Kind)
        {
            case TcpEventKind.SocketDataIndicated:
                _indicatedNs ??= e.TimeNs;
                break;
            case TcpEventKind.SocketReceive when !enters && _indicatedNs is { } since:
                _indicatedNs = null;
                process.Read(e.TimeNs - since);
                break;
            case TcpEventKind.SocketSend when enters:
                (_sendNs, _sendThread) = (e.TimeNs, e.ThreadId);
                break;
            case TcpEventKind.SocketSend when _sendNs is { } start && _sendThread == e.ThreadId:
                _sendNs = null;
                process.SendCalls++;
                process.SendCallNs += e.TimeNs - start;
                process.LongestSendCallNs = Math.Max(process.LongestSendCallNs, e.TimeNs - start);
                break;
        }
    }
}
