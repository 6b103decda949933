using System.Collections;

namespace LatencyTuner.Core.Analysis.Captures;

/// <summary>The transactions of a connection in blocks that stay where they are: of thousands of connections, none holds much more than it needs.</summary>
internal sealed class TransactionLog : IEnumerable<Transaction>
{
    /// <summary>Of a connection without any; nothing is added to it.</summary>
    public static readonly TransactionLog None = new();

    private const int Block = 8;

    private Transaction[][] _blocks = [];

    public int Count { get; private set; }

    public ref Transaction this[int index] => ref _blocks[index / Block][index % Block];

    public void Add(in Transaction transaction)
    {
        if (Count % Block == 0)
        {
            int block = Count / Block;
            if (block == _blocks.Length)
            {
                Array.Resize(ref _blocks, Math.Max(4, block * 2));
            }

            _blocks[block] = new Transaction[Block];
        }

        this[Count++] = transaction;
    }

    /// <summary>Gives back the room that is not used; nothing may be added afterwards.</summary>
    public void Trim()
    {
        int blocks = (Count + Block - 1) / Block;
        Array.Resize(ref _blocks, blocks);
        if (Count % Block != 0)
        {
            Array.Resize(ref _blocks[^1], Count % Block);
        }
    }

    public IEnumerator<Transaction> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
        {
            yield return this[i];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
