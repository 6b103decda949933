using System.Runtime.InteropServices;
using LatencyTuner.Core.Capture;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>Analyses the packets of every connection part by part and keeps the results.</summary>
internal sealed class CaptureAnalyser : IConnectionSink
{
    // A capture of millions of connections must not keep them all: beyond MostQuiet it keeps only those with stalls or losses, beyond MostConnections
    // none.
    private const int MostConnections = 25_000;
    private const int MostQuiet = 15_000;
    private const int MostHosts = 60_000;

    private readonly ConnectionPass _part = new();
    private readonly int[] _kept = new int[2];
    private readonly Stack<ConnectionState> _free = [];
    private readonly CapturedHost _others = new(default);
    private readonly Dictionary<IpAddressValue, CapturedHost> _hosts = [];
    private readonly Dictionary<(IpAddressValue From, IpAddressValue To), PathQueue> _queues = [];
    private readonly Dictionary<(IpAddressValue Client, IpAddressValue Server, ushort ServerPort), PathTimes> _paths = [];

    /// <summary>True to keep the packets that pair connections of two captures.</summary>
    public bool KeepPrints { get; init; }

    /// <summary>Which connections are shown; null for all. All are analysed.</summary>
    public RecordingFilter.ConnectionTest? Filter { get; init; }

    /// <summary>The results for each connection, those that the filter hides included, in the order in which the connections ended.</summary>
    public List<ConnectionFacts> Connections { get; } = [];

    /// <summary>The hosts by address, with what all connections of a host show.</summary>
    public IReadOnlyDictionary<IpAddressValue, CapturedHost> Hosts => _hosts;

    /// <summary>Makes the corrections that need the whole capture; called once, after the last connection ended.</summary>
    /// <param name="silences">When nothing reached which host.</param>
    public void Finish(IReadOnlyDictionary<IpAddressValue, HostSilences> silences)
    {
        _part.Later.AddToConnections();
        RemoveTranslated();
        HalfConnections.Mark(Connections);
        HeldSyns.Correct(Connections);
        LoneCopies.Correct(Connections);
        TailLosses.Correct(Connections);
        QueueCorrection.Apply(Connections, _queues);
        QueueBeforeTap.Judge(Connections);
        StandingPaths.Mark(Connections, silences);
    }

    /// <summary>Number of connections that the capture shows on both sides of an address translation; the later copies are left out.</summary>
    public long Translated { get; private set; }

    /// <summary>
    /// A device that translates addresses passes the same packets on under another name: both sequence numbers begin alike, and as much was sent, at
    /// nearly the same time, although in fewer packets where the device joined some. The copy that was seen first is kept.
    /// </summary>
    private void RemoveTranslated()
    {
        HashSet<ConnectionFacts> copies = [];
        foreach (IGrouping<(uint, uint), ConnectionFacts> alike in Connections.Where(c => c.Bytes > 0 && !c.OneSided).GroupBy(c => c.Initials)
            .Where(g => g.Skip(1).Any()))
        {
            ConnectionFacts[] all = [.. alike.OrderBy(c => c.FirstNs)];
            for (int i = 1; i < all.Length; i++)
            {
                ConnectionFacts first = all[i - 1];
                bool renamed = ConnectionNames.Of(first) != ConnectionNames.Of(all[i]);
                if (renamed && all[i].FirstNs - first.FirstNs <= RecentBeginnings.NearNs && Math.Abs(all[i].LastNs - first.LastNs) <= RecentBeginnings.NearNs
                    && all[i].Sides.Zip(first.Sides).All(s => s.First.DataBytes == s.Second.DataBytes))
                {
                    copies.Add(all[i]);
                    // A filter may know it by either name.
                    first.IsShown |= all[i].IsShown;
                }
            }
        }

        Connections.RemoveAll(copies.Contains);
        Translated = copies.Count;
        Connections.ForEach(TakeApart);
    }

    /// <inheritdoc/>
    public int Judge(TcpConnection connection, bool last)
    {
        ConnectionState state = ConnectionState.Of(connection, _free);
        _paths.TryGetValue((connection.ClientAddress, connection.ServerAddress, connection.ServerPort), out PathTimes? path);
        _part.Begin(connection, state, path);
        state.Facts.Apart ??= connection.BeganLikeAnother ? [new(connection.ClientAddress), new(connection.ServerAddress)] : null;
        CapturedHost client = state.Facts.Apart?[0] ?? HostOf(connection.ClientAddress);
        CapturedHost server = state.Facts.Apart?[1] ?? HostOf(connection.ServerAddress);
        state.Clock.Add(_part.Records);
        TimingPass.Run(_part);
        client.JitterNs = Math.Min(client.JitterNs, _part.Timing[0].JitterNs);
        server.JitterNs = Math.Min(server.JitterNs, _part.Timing[1].JitterNs);
        AckPass.Run(_part, client, server);
        QueuePass.Run(_part, _queues);
        LossPass.Run(_part);
        SenderPass.Run(_part, 0);
        SenderPass.Run(_part, 1);
        if (last)
        {
            SenderPass.End(_part, 0);
            SenderPass.End(_part, 1);
        }

        // Where both ends were held at once, the time belongs to the one that was held more often.
        _part.Owners.Divide(ref _part.Stalls, state.Facts.Sides[1].Holds.Count > state.Facts.Sides[0].Holds.Count ? 1 : 0);
        _part.Owners.LeaveOut(ref _part.Leaps);
        if (KeepPrints)
        {
            Print(state.Facts, connection);
        }

        ChargeOwners(state.Facts);
        CountStops(state.Facts);
        TransactionPass.Run(_part, last);
        if (last)
        {
            client.Connections++;
            server.Connections++;
            ConnectionSummary.Fill(state.Facts, connection);
            state.Facts.BatchNs = BatchedTimes.LongestNs(connection);
            state.Facts.CoarseStepNs = state.Facts.BatchNs > 0 ? state.Facts.BatchNs : state.Clock.CoarseNs;
            state.Facts.IsShown = Filter is not { } filter || Passes(filter, state.Facts);
            Connecting(state.Facts);
            for (int side = 0; side < 2; side++)
            {
                state.Facts.Sides[side].Leave(in state.Losses[side], state.Facts.OneSided, connection.Flow(side).ShowsDamage);
                state.Facts.AddWait(ref state.Losses[side], side, long.MaxValue);
            }

            Keep(state.Facts);
            state.End(connection, _free);
        }

        return 0;
    }

    private static void Print(ConnectionFacts facts, TcpConnection connection)
    {
        foreach (ref PacketRecord record in connection.Records)
        {
            if (facts.Prints.Count >= ConnectionFacts.MostPrints)
            {
                return;
            }

            const PacketTraits Header = PacketTraits.Syn | PacketTraits.Fin | PacketTraits.Rst | PacketTraits.Psh | PacketTraits.Ack;
            facts.Prints.Add(
                new PacketPrint(
                    record.Sequence, record.Acknowledgement, record.Length, record.IpId, (byte)record.Side, (byte)((uint)(record.Traits & Header) >> 1),
                    record.TimeNs));
        }
    }

    private static bool Passes(RecordingFilter.ConnectionTest filter, ConnectionFacts c) =>
        filter.Passes(c.Client, c.Server, c.ClientPort, c.ServerPort) && filter.Passes(c.FirstNs, c.LastNs);

    /// <summary>Number of connections that were analysed but not kept one by one, without those that the filter hides.</summary>
    public long Dropped { get; private set; }

    /// <summary>Number of connections that the filter hides and that were not kept.</summary>
    public long DroppedHidden { get; private set; }

    /// <summary>Number of transactions of the connections that were not kept.</summary>
    public long DroppedTransactions { get; private set; }

    private void Keep(ConnectionFacts facts)
    {
        _part.TransactionsLeft -= facts.Transactions.Count;
        bool quiet = facts.Sides.All(s => s.LateAcks == 0 && s.Timeouts + s.FastRetransmissions + s.Reorderings == 0 && s.AllOwnedNs == 0)
            && facts.SynRetransmissions == 0;
        // Hidden connections never take the room of those that are shown.
        ref int kept = ref _kept[facts.IsShown ? 1 : 0];
        if (kept < (quiet ? MostQuiet : MostConnections))
        {
            kept++;
            facts.Trim();
            Connections.Add(facts);
        }
        else if (!facts.IsShown)
        {
            TakeApart(facts);
            DroppedHidden++;
        }
        else
        {
            TakeApart(facts);
            Dropped++;
            DroppedTransactions += facts.TransactionCount;
        }
    }

    /// <summary>Counts what was kept apart of a connection's hosts, once it is known that the connection is no copy.</summary>
    private void TakeApart(ConnectionFacts facts)
    {
        if (facts.Apart is { } apart)
        {
            HostOf(facts.Client).Add(apart[0]);
            HostOf(facts.Server).Add(apart[1]);
            facts.Apart = null;
        }
    }

    private void ChargeOwners(ConnectionFacts facts)
    {
        for (int i = 0; i < _part.Owners.Pieces.Count; i++)
        {
            ref Stall piece = ref _part.Owners.Pieces[i];
            facts.Sides[piece.Sender].AddOwned(piece.Kind, piece.EndNs - piece.StartNs);
        }
    }

    /// <summary>Counts the stops for the congestion window, without those of which another cause owns most: they count as that one's.</summary>
    private void CountStops(ConnectionFacts facts)
    {
        for (int i = 0; i < _part.Stalls.Count; i++)
        {
            ref Stall stall = ref _part.Stalls[i];
            bool own = stall.Kind == StallKind.CongestionWindow && 2 * _part.Owners.OwnTime(in stall) >= stall.EndNs - stall.StartNs;
            SideFacts side = facts.Sides[stall.Sender];
            side.CongestionWaits += own ? 1 : 0;
            side.StopsAfterRepair |= own && stall.EndNs > side.FirstRepairNs;
        }
    }

    /// <summary>Charges the time that a connection waited for a lost SYN to the client's losses.</summary>
    private static void Connecting(ConnectionFacts facts)
    {
        if (facts is { HandshakeSeen: true, SynRetryNs: > 0 })
        {
            facts.ActiveNs = Math.Min(facts.ActiveNs + facts.SynRetryNs, facts.LastNs - facts.FirstNs);
            facts.Sides[0].AddOwned(StallKind.LossRto, facts.SynRetryNs);
        }
    }

    void IConnectionSink.Connected(ShownHandshake handshake)
    {
        const int MostPaths = 4096;
        (IpAddressValue, IpAddressValue, ushort) key = (handshake.Client, handshake.Server, handshake.ServerPort);
        if (_paths.Count < MostPaths || _paths.ContainsKey(key))
        {
            (CollectionsMarshal.GetValueRefOrAddDefault(_paths, key, out _) ??= new PathTimes()).Add(handshake);
        }
    }

    private CapturedHost HostOf(IpAddressValue address)
    {
        if (!_hosts.TryGetValue(address, out CapturedHost? host))
        {
            if (_hosts.Count >= MostHosts)
            {
                return _others;
            }

            _hosts.Add(address, host = new CapturedHost(address));
        }

        return host;
    }
}
