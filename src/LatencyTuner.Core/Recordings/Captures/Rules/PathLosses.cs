using LatencyTuner.Core.Capture;
using LatencyTuner.Core.Findings;

namespace LatencyTuner.Core.Recordings.Captures.Rules;

/// <summary>What the losses of one kind between two hosts show, and what is not known of them. <see cref="CaptureLossRule"/> says it.</summary>
/// <param name="cause"><see cref="Cause.LossRto"/> or <see cref="Cause.LossFastRetransmit"/>.</param>
/// <param name="sides">Senders of what was lost, at least one; all between the same two hosts.</param>
/// <param name="peerTalks">True when the capture has packets of the receivers, on these connections or others.</param>
/// <param name="hosts">The hosts by address.</param>
internal sealed class PathLosses(Cause cause, SideOfConnection[] sides, bool peerTalks, IReadOnlyDictionary<IpAddressValue, CapturedHost> hosts)
{
    /// <summary>A capture that lacks more than this part of a connection.</summary>
    private const double LargestGap = 0.2;

    private readonly SideOfConnection[] _connecting = [.. sides.Where(s => s.SynsSentAgain > 0)];
    private readonly SideOfConnection[] _repairing =
        cause == Cause.LossRto && sides.Any(s => s.Facts.Timeouts > 0) ? [.. sides.Where(s => s.Facts.Timeouts > 0)] : sides;

    private readonly bool _timed = cause == Cause.LossRto;
    private readonly bool _isRepeated = sides.Any(s => s.Facts.Unrepaired >= LossState.Several);

    public SideOfConnection[] Sides => sides;

    /// <summary>Connections of the same client to the same server that no answer opened; they have no times, and nothing of them is counted.</summary>
    public ConnectionFacts[] Unopened { get; init; } = [];

    /// <summary>Number of repairs, with the SYNs that were sent again.</summary>
    public long Count { get; } = cause == Cause.LossRto ? sides.Sum(s => s.Facts.Timeouts + s.SynsSentAgain) : sides.Sum(s => s.Facts.FastRetransmissions);

    public LostTime Cost { get; } = LostTime.Of(sides, cause == Cause.LossRto ? StallKind.LossRto : StallKind.LossFastRetransmit);

    /// <summary>Who sent the data that was repaired, or the SYNs alone.</summary>
    public string Hosts => NamesOf(_repairing);

    public bool OneHost => _repairing.Select(s => s.Host).Distinct().Count() == 1;

    /// <summary>Their segments with data. What was first seen as a repair is one as well.</summary>
    public long Segments => _repairing.Sum(s => s.Facts.WireSegments + s.Facts.LostBeforeTap);

    /// <summary>Of these connections' losses of both kinds: those before and beyond the capture point.</summary>
    public (long Before, long Beyond) Places => (Sum(f => f.LostBeforeTap), Sum(f => f.LostBeyondTap));

    /// <summary>Of the same: those whose data passed the capture point, and were damaged there.</summary>
    public long Damaged => Sum(f => f.LostDamaged);

    /// <summary>Packets that are damaged on their way are what most of these losses were.</summary>
    public bool IsMostlyDamaged => !IsGone && 2 * Damaged >= Repaired && Damaged > 0;

    public long Spurious => Sum(f => f.SpuriousRetransmissions);

    public long Syns => _timed ? _connecting.Sum(s => s.SynsSentAgain) : 0;

    public string SynHosts => NamesOf(_connecting);

    public bool OnlySyns => Syns > 0 && Syns == Count;

    /// <summary>SYNs, and the first data behind a handshake: a server whose backlog is full takes neither.</summary>
    public bool OnlyOpenings => Syns > 0 && Syns + sides.Where(s => s.Index == 0 && s.Connection.HandshakeSeen).Sum(s => s.Facts.LostOpenings) == Count;

    public long SynRetryNs => _connecting.Max(s => s.Connection.SynRetryNs);

    /// <summary>What never left its machine was not lost on a path: a server whose backlog is full drops SYNs, and data for them.</summary>
    public bool IsLocal => sides.All(s => s.Connection.Client == s.Connection.Server);

    /// <summary>A SYN that reached the server's own tap was not lost either. Beside the client a full backlog looks the same as a loss on the path.</summary>
    public bool IsRefused => Syns > 0 && SynsUnanswered && (IsLocal || (OnlySyns && _connecting.All(s => s.Connection.Vantage == Vantage.Server)));

    /// <summary>
    /// All that was lost had reached a tap at the receiver, or one cable away. A receiver that answers nothing any more may be gone, and drops nothing.
    /// </summary>
    public bool IsDropped => Syns == 0 && !IsGone && !IsOneSided && sides.All(s => s.Index == sides[0].Index)
        && Sum(f => f.DroppedByReceiver) >= Sum(f => f.Timeouts + f.FastRetransmissions);

    /// <summary>The end that did not take what reached it; null elsewhere.</summary>
    public string? Dropper => IsRefused ? sides[0].Connection.Server.ToString() : IsDropped ? sides[0].Peer.ToString() : null;

    /// <summary>A client that never takes the answer may have refused it itself.</summary>
    public bool IsUntaken => OnlySyns && !SynsUnanswered && sides.All(s => s.Connection.Sides.All(o => o.DataSegments == 0));

    /// <summary>True when a full backlog and a loss look the same.</summary>
    public bool MayBeRefused => OnlyOpenings && !IsRefused && SynsUnanswered;

    /// <summary>Answers that take as long as the client's timer came to no lost SYN.</summary>
    public bool IsSlowPath => OnlySyns && _connecting.All(s => s.Connection.SynsMayBeEarly);

    /// <summary>How long the spare connections stood unused, nanoseconds (<see cref="SpareNsOf"/>): nothing waited while they were connected.</summary>
    public long SpareNs => !OnlySyns || IsUntaken ? 0 : _connecting.Min(SpareNsOf);

    public bool IsOneSided => sides.All(s => s.Connection.OneSided);

    /// <summary>A peer whose packets of other connections are there sent nothing here, and nothing of it was acknowledged.</summary>
    public bool IsMute => IsOneSided && peerTalks && !sides.All(s => s.Connection.UnseenWasHeard);

    /// <summary>Of what the peer did not show, neither the loss nor its repair is certain.</summary>
    public bool IsUnseen => IsOneSided || (_timed && (Sum(f => f.UnseenAnswers) >= Count || LacksAcks));

    public bool IsHasty => _timed && Count > 0 && Sum(f => f.HastyRepeats) >= Count;

    /// <summary>True when more than a fifth may be of the other kind: neither count is known.</summary>
    public bool IsUnplaced => 5 * Sum(f => f.UnsureTimers + (_timed ? 0 : f.UnsureRequests)) > Count;

    /// <summary>Timeouts that may have been requests of the receiver which came late.</summary>
    public long EarlyTimers => IsUnplaced ? 0 : _timed ? Math.Min(Sum(f => f.EarlyTimers), Repaired) : Sum(f => f.EarlyTimers);

    /// <summary>What was waited for each of those, nanoseconds in all.</summary>
    public long EarlyTimersNs => Sum(f => f.EarlyTimersNs);

    /// <summary>True when no pure ACK shows what asked for the data again.</summary>
    public bool IsUnasked => !_timed && Sum(f => f.UnseenRequests) > 0;

    public bool IsDamaged => sides.All(s => s.Connection.IsDamaged);

    /// <summary>True when neither a loss nor a timer is certain.</summary>
    public bool IsVague => (IsUnseen && IsHasty) || IsDamaged;

    /// <summary>Retransmissions that were never answered. When nothing is answered any more, only the timer sends again.</summary>
    public long Unrepaired => _timed && (!IsUnseen || IsOneSided) ? Math.Min(Sum(f => f.Unrepaired), Count - Syns) : 0;

    public long Repaired => Count - Syns - Unrepaired;

    public bool IsGone => Unrepaired > 0 && 2 * Unrepaired >= Count;

    /// <summary>The connection or the capture ended behind so few copies that an answer, if any, may just not have come yet.</summary>
    public bool IsUnsettled => Unrepaired > 0 && Unrepaired == Count - Syns && !IsReset && !_isRepeated;

    /// <summary>The peer still sent packets behind what was not answered.</summary>
    public bool PeerIsThere => IsGone && sides.Where(s => s.Facts.Unrepaired > 0).All(s => s.Facts.PeerHeard);

    /// <summary>The peer is there, and so many copies without an answer show that they do not get through to it.</summary>
    public bool IsStuck => PeerIsThere && _isRepeated;

    /// <summary>The handshake passed, and nothing that its client sent behind it was ever acknowledged.</summary>
    public bool IsBlackHole => IsGone && !IsReset && DeafNs == 0 && sides.All(s => s.Index == 0 && s.Connection.HandshakeSeen && s.Facts.LostOpenings > 0)
        && Sum(f => f.LostOpenings) + Syns == Count;

    /// <summary>Of such a path: the server, or a device that speaks for it, still sent packets behind the data, so something passes.</summary>
    public bool DropsDataAlone => IsBlackHole && sides.Any(s => s.Facts.PeerHeard);

    /// <summary>Those senders that waited in vain until they reset their connection.</summary>
    public SideOfConnection[] GaveUp => Unrepaired > 0 ? [.. sides.Where(s => s.Facts.GaveUp)] : [];

    /// <summary>A RST answered each of them: of the peer, or of a device on the path.</summary>
    public bool IsReset => IsGone && sides.Where(s => s.Facts.Unrepaired > 0).All(s => s.Facts.Refused);

    /// <summary>Retransmissions one after the other while nothing came back.</summary>
    public long Interrupted => _timed ? Math.Min(Sum(f => f.Interrupted), Repaired) : 0;

    public bool IsInterrupted => !IsGone && !IsMostlyDamaged && Interrupted > 0 && 2 * Interrupted >= Repaired;

    /// <summary>Lost segments that came through in smaller pieces only.</summary>
    public long Smaller => Sum(f => f.SmallerRepairs);

    public bool IsTooBig => Repaired > 0 && 2 * Smaller >= Repaired;

    /// <summary>A router reported that packets were too big for the path.</summary>
    public bool IsReported => !_timed && 2 * Sum(f => f.ReportedLosses) >= Count;

    /// <summary>The report itself: the packet size that the path takes, bytes, and its frame; 0 where the capture lacks it.</summary>
    public (int Mtu, uint Frame) Report { get; } = sides.Select(s => (s.Facts.ReportedMtu, s.Facts.ReportFrame)).FirstOrDefault(r => r.ReportedMtu > 0);

    /// <summary>Repairs that the capture lacks, told by the ACK of what was missing.</summary>
    public long UnseenRepairs => _timed ? Sum(f => f.UnseenRepairs) : 0;

    public bool IsUnsure => 2 * UnsureRepairs > Count || 2 * AnswersLost > Count || (_timed && EarlyTimers > 0 && 2 * EarlyTimers >= Count)
        || (IsUnsettled && Syns == 0) || IsMostlyMissed || 2 * Unproven > Count || 2 * Held > Count;

    /// <summary>Losses where perhaps only the ACKs were lost.</summary>
    public long AnswersLost => Math.Min(Sum(f => f.AnswersLost), Repaired);

    /// <summary>Retransmissions that were answered all at once with others, when something reached their host again.</summary>
    public long Held => _timed ? Math.Min(SumOfWaits(w => w.IsHeld), Count) : 0;

    /// <summary>For how long nothing from any host reached the senders of what was never answered, nanoseconds; 0 where something did.</summary>
    public long DeafNs => IsGone && SumOfWaits(w => w.IsDeaf) >= Unrepaired
        ? sides.Max(s => s.TimerWaits.Where(w => w.IsDeaf).Select(w => w.SilenceNs).DefaultIfEmpty().Max()) : 0;

    /// <summary>Losses whose receivers cannot tell what came twice.</summary>
    public long Unproven => _timed && !IsUnseen ? Math.Min(Sum(f => f.UnprovenLosses), Repaired) : 0;

    /// <summary>True when the capture lacks most of the bytes of these connections: where and how often they were lost is not known.</summary>
    public bool IsMostlyMissed => 2 * sides.Sum(s => s.Connection.MissedBytes) > sides.Sum(s => s.Connection.Bytes + s.Connection.MissedBytes);

    public Side? Side => IsRefused ? Findings.Side.Server
        : IsDropped && !IsLocal ? sides[0].PeerSide
        : IsLocal || IsUntaken || MayBeRefused || IsGone || IsInterrupted || IsMute ? null : Findings.Side.Network;

    public Confidence Confidence =>
        IsVague || IsUnseen || IsHasty || IsSlowPath || IsUnplaced || IsUnsure ? Confidence.Possible : Confidence.Likely;

    /// <summary>A client acknowledges at least the last response by itself; where the whole capture has no such ACK of it, they were left out.</summary>
    private bool LacksAcks => Syns == 0 && sides.All(
        s => s.Index == 1 && hosts.TryGetValue(s.Peer, out CapturedHost? peer) && peer.Acks.Sum() == peer.Acks[(int)AckClass.Piggyback]);

    private bool SynsUnanswered => _connecting.All(s => s.Connection.SynsUnanswered == s.Connection.SynRetransmissions);

    /// <summary>Of a capture that lacks much, nothing shows that the silence was the sender's.</summary>
    private long UnsureRepairs => UnseenRepairs == 0 ? 0
        : sides.All(s => s.Connection.MissedBytes > LargestGap * s.Connection.Bytes) ? UnseenRepairs : Sum(f => f.UnsureRepairs);

    /// <summary>
    /// How long a connection stood unused, nanoseconds, where that is longer than half of the time that its SYNs took; 0 where its first request followed
    /// sooner, <see cref="long.MaxValue"/> where none ever did.
    /// </summary>
    private static long SpareNsOf(SideOfConnection side)
    {
        const long LeastNs = 1_000_000_000;
        return side.Connection.Sides.All(s => s.DataSegments == 0) ? long.MaxValue
            : side.Connection.FirstRequestNs is { } firstNs && firstNs > Math.Max(LeastNs, side.Connection.SynRetryNs / 2) ? firstNs : 0;
    }

    private long SumOfWaits(Func<TimerWait, bool> which) => sides.Sum(s => s.TimerWaits.Where(which).Sum(w => (long)w.Copies));

    private static string NamesOf(SideOfConnection[] some) => string.Join(" and ", some.Select(s => s.Host).Distinct());

    private long Sum(Func<SideFacts, long> of) => sides.Sum(s => of(s.Facts));
}
