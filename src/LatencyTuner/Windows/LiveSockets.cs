using System.Runtime.Versioning;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings.Cim;
using LatencyTuner.Core.Sockets;
using LatencyTuner.Core.Sockets.Windows;

namespace LatencyTuner.Windows;

/// <summary>The TCP sockets of this machine with what only Windows has: services, templates, and the privilege to open processes of other users.</summary>
[SupportedOSPlatform("windows")]
internal static class LiveSockets
{
    public static SocketSnapshot Read(SocketSelection selection)
    {
        List<string> notes = [];
        if (selection.AllUsers && !DebugPrivilege.TryEnable())
        {
            notes.Add("--all-users has no effect: this console is not elevated, or the policy takes SeDebugPrivilege from administrators.");
        }

        SocketSnapshot read = WindowsHostSockets.Read(selection, RunningServices.ByProcess());
        if (selection.Templates)
        {
            CimResult answer = CimReader.Query(CimClasses.ConnectionEnds);
            if (answer.Failure is { } failure)
            {
                notes.Add($"Templates are unknown: {failure.Sentence}");
            }

            read = read with { Sockets = CimTemplates.With(read.Sockets, answer.Rows) };
        }

        return read with { Notes = [.. read.Notes, .. notes] };
    }
}
