using System.Collections;

namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>The transactions of a connection, in blocks that are not moved: with thousands of connections, none holds much more memory than it needs.</summary>
internal sealed class TransactionLog : IEnumerable<Transaction>
{
    /// <summary>The log of a connection without transactions; nothing is added to it.</summary>
    public static readonly TransactionLog None = new();

    private const int Block = 8;

    private KeptTransaction[][] _blocks = [];

    // The transactions that do not fit, because they are long.
    private CompactList<Transaction> _large;

    public int Count { get; private set; }

    public Transaction this[int index]
    {
        get
        {
            ref KeptTransaction kept = ref At(index);
            int place = kept.Place;
            if (place >= 0)
            {
                return _large[place];
            }

            kept.Restore(out Transaction transaction);
            return transaction;
        }

        set
        {
            ref KeptTransaction kept = ref At(index);
            int place = kept.Place;
            if (place >= 0)
            {
                _large[place] = value;
            }
            else
            {
                Put(ref kept, in value);
            }
        }
    }

    /// <summary>The duration of one transaction, nanoseconds; faster than restoring the transaction.</summary>
    public long DurationNs(int index)
    {
        ref KeptTransaction kept = ref At(index);
        int place = kept.Place;
        return place < 0 ? kept.DurationNs : _large[place].DurationNs;
    }

    public void Add(in Transaction transaction)
    {
        if (Count % Block == 0)
        {
            int block = Count / Block;
            if (block == _blocks.Length)
            {
                Array.Resize(ref _blocks, Math.Max(4, block * 2));
            }

            _blocks[block] = new KeptTransaction[Block];
        }

        Put(ref At(Count++), in transaction);
    }

    /// <summary>Frees unused memory; nothing may be added afterwards.</summary>
    public void Trim()
    {
        int blocks = (Count + Block - 1) / Block;
        Array.Resize(ref _blocks, blocks);
        if (Count % Block != 0)
        {
            Array.Resize(ref _blocks[^1], Count % Block);
        }

        _large.Trim();
    }

    public IEnumerator<Transaction> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
        {
            yield return this[i];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private ref KeptTransaction At(int index) => ref _blocks[index / Block][index % Block];

    private void Put(ref KeptTransaction kept, in Transaction transaction)
    {
        if (!KeptTransaction.TryMake(in transaction, out kept))
        {
            kept = KeptTransaction.At(_large.Count);
            _large.Add(in transaction);
        }
    }
}
