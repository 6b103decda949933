using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>For a tap at the sender: finds what the peer's window, which was closed or full, let go when it opened.</summary>
internal static class SenderWindows
{
    // Behind a window that was closed for long, a slow sender also goes on a little later.
    private const int OfClosed = 10;

    /// <summary>Adds one segment.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="side">The sender: 0 the client, 1 the server.</param>
    /// <param name="state">The sender's state.</param>
    /// <param name="data">A record with new data.</param>
    public static void Opened(ConnectionPass part, int side, ref SenderState state, in PacketRecord data)
    {
        ref SideTiming timing = ref part.Timing[side];
        SideFacts facts = part.State.Facts.Sides[side];
        bool closed = state.OpenedNs != 0;
        long closedNs = 0;
        if (closed)
        {
            bool whole = state.GapNs <= state.OpenedNs - state.ClosedForNs;
            if (whole && (state.Probed || data.TimeNs - state.OpenedNs - timing.BaseNs <= Math.Max(timing.ReleaseNs, state.ClosedForNs / OfClosed)))
            {
                facts.ZeroWindows++;
                closedNs = state.WaitedSinceNs(state.OpenedNs - state.ClosedForNs);
                facts.LongestZeroWindowNs = Math.Max(facts.LongestZeroWindowNs, state.OpenedNs - closedNs);
                part.Stalls.Add(new Stall(closedNs, state.OpenedNs, StallKind.ZeroWindow, (byte)side));
            }

            (state.OpenedNs, state.Probed) = (0, false);
        }

        if (state.RaisedNs != 0)
        {
            // What fitted before had not waited for the window.
            bool held = data.Length > state.LimitedRoom && !SenderAcks.Unexplained(part, side, ref state, state.LimitedRoom);
            if (held && timing.ShiftNs == 0 && Math.Max(state.GapNs, state.RepeatedNs) <= state.LimitedStartNs
                && data.TimeNs - state.RaisedNs - (timing.BaseNs - timing.ShiftNs) <= timing.ReleaseNs)
            {
                if (closedNs > state.LimitedStartNs)
                {
                    // The ACK of what filled the window closed it: one wait, of a receiver that does not read.
                    part.Stalls.Add(new Stall(state.LimitedStartNs, closedNs, StallKind.ZeroWindow, (byte)side));
                }
                else
                {
                    Wait(part, side, ref state, state.LimitedStartNs, Math.Max(state.RaisedNs, state.LimitedStartNs), state.RaisedByReader && !closed);
                }
            }

            state.RaisedNs = 0;
            state.LimitedNs = state.LimitedNs == 0 ? 0 : data.TimeNs;
        }
    }

    /// <summary>Counts and charges a wait for a window without room.</summary>
    /// <param name="part">The part of the connection.</param>
    /// <param name="side">The sender.</param>
    /// <param name="state">The sender's state.</param>
    /// <param name="startNs">When it began, nanoseconds.</param>
    /// <param name="endNs">When it ended, nanoseconds.</param>
    /// <param name="byReader">True where the peer's application did not read: a window of less than a segment is as good as closed.</param>
    public static void Wait(ConnectionPass part, int side, ref SenderState state, long startNs, long endNs, bool byReader)
    {
        SideFacts facts = part.State.Facts.Sides[side];
        if (byReader)
        {
            facts.ZeroWindows++;
            facts.LongestZeroWindowNs = Math.Max(facts.LongestZeroWindowNs, endNs - startNs);
        }
        else
        {
            facts.WindowReleases++;
            facts.SlowStartNs += state.SlowStart.Allows(state.Next, part.Timing[side].Mss) ? endNs - startNs : 0;
        }

        part.Stalls.Add(new Stall(startNs, endNs, byReader ? StallKind.ZeroWindow : StallKind.ReceiveWindow, (byte)side));
    }
}
