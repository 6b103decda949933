namespace LatencyTuner.Core.Recordings.Captures;

/// <summary>
/// A list to which items are added one by one. A structure, because each connection keeps many of them; and compiled ahead of time for the
/// structures stored here, which the framework's lists are not. Use it as a field and never copy it.
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

    /// <summary>Removes the items and keeps the memory.</summary>
    public void Clear() => Count = 0;

    /// <summary>Removes the last items and keeps their memory.</summary>
    /// <param name="count">The number of items that remain; at most the present number.</param>
    public void Truncate(int count) => Count = count;

    /// <summary>Frees unused memory.</summary>
    public void Trim()
    {
        if (_items is not null && _items.Length > Count)
        {
            Grow(Count);
        }
    }

    /// <summary>The items, for changing.</summary>
    public readonly Span<T> Span => _items.AsSpan(0, Count);

    /// <summary>Sorts the items; equal ones in no particular order.</summary>
    public readonly void Sort(Comparison<T> comparison) => _items.AsSpan(0, Count).Sort(comparison);

    /// <summary>The items, for reading.</summary>
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
