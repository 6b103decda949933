namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// Items that are added one by one. A field and no object of its own, because of each connection many are kept; and compiled ahead of time for the
/// structures kept here, which the framework's lists are not. To be used as a field, never copied.
/// </summary>
internal struct CompactList<T>
{
    private const int First = 4;

    private T[]? _items;

    public int Count { get; private set; }

    public readonly ref T this[int index] => ref _items![index];

    public void Add(in T item)
    {
        if (_items is null || Count == _items.Length)
        {
            Grow(_items is null ? First : 2 * Count);
        }

        _items![Count++] = item;
    }

    /// <summary>Forgets the items and keeps the room.</summary>
    public void Clear() => Count = 0;

    /// <summary>Forgets the last items and keeps their room.</summary>
    /// <param name="count">How many are left; no more than there are.</param>
    public void Shorten(int count) => Count = count;

    /// <summary>Gives back the room that is not used.</summary>
    public void Trim()
    {
        if (_items is not null && _items.Length > Count)
        {
            Grow(Count);
        }
    }

    /// <summary>The items, to change.</summary>
    public readonly Span<T> Span => _items.AsSpan(0, Count);

    /// <summary>Sorts the items; equal ones in no particular order.</summary>
    public readonly void Sort(Comparison<T> comparison) => _items.AsSpan(0, Count).Sort(comparison);

    /// <summary>The items, to read.</summary>
    public readonly IEnumerable<T> All => Enumerate(_items, Count);

    private static IEnumerable<T> Enumerate(T[]? items, int count)
    {
        for (int i = 0; i < count; i++)
        {
            yield return items![i];
        }
    }

    private void Grow(int length)
    {
        T[]? room = length == 0 ? null : new T[length];
        for (int i = 0; i < Count; i++)
        {
            room![i] = _items![i];
        }

        _items = room;
    }
}
