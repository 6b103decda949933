using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Reporting.Writers;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Sockets;

/// <summary>The CSV table of a <c>sockets</c> document: one row per socket.</summary>
internal static class SocketsCsv
{
    internal static string Write(SocketsReport report)
    {
        CsvTable table = new(
            "pid", "process", "services", "state", "localAddress", "localPort", "remoteAddress", "remotePort", "networkNamespace", "noDelay", "keepAlive",
            "sendBufferBytes", "sendBufferFixed", "receiveBufferBytes", "receiveBufferFixed", "congestionControl", "template", "rttUs", "minRttUs",
            "retransmitted", "retransmittedBytes", "bytesSent", "bytesReceived", "dataSegmentsOut", "dataSegmentsIn", "mssBytes", "unsentBytes",
            "deliveryBytesPerSecond", "receivedPerRttBytes", "rwndLimitedMs", "cwndLimitedMs", "sndbufLimitedMs", "busyMs", "ackTimeoutMs", "optionsFrom",
            "countersFrom");
        foreach (HostSocket s in report.Sockets)
        {
            table.Row(
                s.Pid, s.Process, string.Join(' ', s.Services), Format.Kebab(s.State), s.Local.Address, s.Local.Port, s.Remote.Address, s.Remote.Port,
                s.NetworkNamespace, s.NoDelay, s.KeepAlive, s.SendBufferBytes, s.SendBufferFixed, s.ReceiveBufferBytes, s.ReceiveBufferFixed,
                s.CongestionControl, s.Template, s.RttUs, s.MinRttUs, s.Retransmitted, s.RetransmittedBytes, s.BytesSent, s.BytesReceived,
                s.DataSegmentsOut, s.DataSegmentsIn, s.MssBytes, s.UnsentBytes, s.DeliveryBytesPerSecond, s.ReceivedPerRttBytes, s.RwndLimitedMs,
                s.CwndLimitedMs, s.SndbufLimitedMs, s.BusyMs, s.AckTimeoutMs, s.OptionsFrom, s.CountersFrom);
        }

        return table.ToString();
    }
}
