using System.Buffers;
using System.Collections.Concurrent;
using System.Text.Json;

namespace LatencyTuner.Core.Reporting;

/// <summary>
/// Writes a long array of a document. Every second piece of it is made by another thread meanwhile, a few pieces ahead, so that what is kept stays small
/// however long the array is; the text is the same as that of one writer.
/// </summary>
/// <typeparam name="T">What the array holds.</typeparam>
internal sealed class ArrayInPieces<T> : IDisposable
{
    private const int Ahead = 4;

    private readonly IReadOnlyList<T> _items;
    private readonly int _length;
    private readonly Action<Utf8JsonWriter, T> _write;
    private readonly CancellationTokenSource _given = new();
    private readonly BlockingCollection<ArrayBufferWriter<byte>> _made = new(Ahead);
    private readonly ConcurrentQueue<ArrayBufferWriter<byte>> _free = new();
    private readonly Task? _maker;

    /// <summary>Begins to make pieces.</summary>
    /// <param name="items">The array, which is a property of the document's outermost object.</param>
    /// <param name="length">Items of a piece, at least 1. An array of few pieces is written by one thread.</param>
    /// <param name="write">Writes an item; called on two threads.</param>
    internal ArrayInPieces(IReadOnlyList<T> items, int length, Action<Utf8JsonWriter, T> write)
    {
        (_items, _length, _write) = (items, length, write);
        if (items.Count > 2 * Ahead * length)
        {
            _maker = Task.Factory.StartNew(Make, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }
    }

    /// <summary>Writes the array with its name; once.</summary>
    /// <param name="json">Stands within the document's outermost object.</param>
    /// <param name="text">What <paramref name="json"/> writes to.</param>
    /// <param name="name">The property's name.</param>
    /// <exception cref="ArgumentException">A required figure is not a finite number; some of it may have been written.</exception>
    internal void Write(Utf8JsonWriter json, AsciiTextBuffer text, string name)
    {
        json.WriteStartArray(name);
        for (int start = 0; start < _items.Count; start += _length)
        {
            if (_maker is null || !IsMadeAhead(start))
            {
                WritePiece(json, start);
                continue;
            }

            ArrayBufferWriter<byte> piece = Next(_maker);
            json.Flush();
            text.Write(piece.WrittenSpan);
            piece.ResetWrittenCount();
            _free.Enqueue(piece);
        }

        json.WriteEndArray();
    }

    public void Dispose()
    {
        _given.Cancel();
        if (_maker is not null)
        {
            // What made it fail was thrown where a piece was missing.
            Task.WaitAny(_maker);
        }

        _made.Dispose();
        _given.Dispose();
    }

    /// <summary>The first piece never is: after it, the writer in front knows that the array is not empty.</summary>
    private bool IsMadeAhead(int start) => start / _length % 2 == 1;

    private ArrayBufferWriter<byte> Next(Task maker)
    {
        if (_made.TryTake(out ArrayBufferWriter<byte>? piece, Timeout.Infinite))
        {
            return piece;
        }

        maker.GetAwaiter().GetResult();
        throw new InvalidOperationException("A piece was not made.");
    }

    private void WritePiece(Utf8JsonWriter json, int start)
    {
        for (int i = start; i < Math.Min(start + _length, _items.Count); i++)
        {
            _write(json, _items[i]);
        }
    }

    private void Make()
    {
        try
        {
            for (int start = _length; start < _items.Count; start += 2 * _length)
            {
                _made.Add(Piece(start), _given.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // The document was given up.
        }
        finally
        {
            _made.CompleteAdding();
        }
    }

    /// <summary>What follows an item at its depth: items with the comma before each.</summary>
    private ArrayBufferWriter<byte> Piece(int start)
    {
        ArrayBufferWriter<byte> bytes = _free.TryDequeue(out ArrayBufferWriter<byte>? free) ? free : new ArrayBufferWriter<byte>(128 * 1024);
        using Utf8JsonWriter json = new(bytes, ReportJson.Indented);
        json.WriteStartObject();
        json.WriteStartArray("a");
        json.WriteNumberValue(0);
        json.Flush();
        bytes.ResetWrittenCount();
        WritePiece(json, start);
        json.Flush();
        return bytes;
    }
}
