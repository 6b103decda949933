using System.Runtime.Versioning;
using LatencyTuner.Core.Tuning;
using LatencyTuner.Windows;

namespace LatencyTuner.Wine;

/// <summary>The folder of the journal with a step before, half-way through and after everything that is written into it.</summary>
[SupportedOSPlatform("windows")]
internal sealed class SteppedFolder(Steps steps, string path) : IJournalFolder
{
    private readonly ProtectedFolder _folder = new(path);

    public string Path => path;

    public IDisposable Lock()
    {
        IDisposable exclusive = _folder.Lock();
        steps.Next();
        return exclusive;
    }

    public byte[]? Read(string name, int maxBytes) => _folder.Read(name, maxBytes);

    public IReadOnlyList<string> Names() => _folder.Names();

    public void Append(string name, ReadOnlySpan<byte> bytes)
    {
        steps.Next();
        if (steps.DiesNext)
        {
            _folder.Append(name, bytes[..(bytes.Length / 2)]);
        }

        steps.Next();
        _folder.Append(name, bytes);
        steps.Next();
    }

    public void Truncate(string name, long length)
    {
        steps.Next();
        _folder.Truncate(name, length);
        steps.Next();
    }
}
