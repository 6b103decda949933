using LatencyTuner.Core;
using LatencyTuner.Core.Tuning;

namespace LatencyTuner.Tests.Tuning;

/// <summary>The bytes that are on the disk. Death in the middle of an append leaves some of them.</summary>
public sealed class MemoryFolder(Faults faults, int seed = 1) : IJournalFolder
{
    private readonly Random _random = new(seed);
    private bool _locked;

    /// <summary>Files by name.</summary>
    public Dictionary<string, byte[]> Files { get; } = [];

    public string Path => "/journal";

    /// <summary>The journal.</summary>
    public byte[] Bytes
    {
        get => Files.GetValueOrDefault(Journal.FileName, []);
        set => Files[Journal.FileName] = value;
    }

    public IDisposable Lock()
    {
        faults.Step(isFile: true);
        if (_locked)
        {
            throw new ExpectedFailureException(ExitCode.Change, "Another latencytuner is changing settings. Wait until it has ended. Nothing was changed.");
        }

        _locked = true;
        return new Release(this);
    }

    public byte[]? Read(string name, int maxBytes)
    {
        faults.Step(isFile: true);
        return Files.GetValueOrDefault(name)?.ToArray();
    }

    public IReadOnlyList<string> Names() => [.. Files.Keys.Order(StringComparer.Ordinal)];

    public void Append(string name, ReadOnlySpan<byte> bytes)
    {
        faults.Step(isFile: true);
        byte[] before = Files.GetValueOrDefault(name, []);
        try
        {
            faults.Step(isFile: true);
        }
        catch
        {
            Files[name] = [.. before, .. bytes[.._random.Next(bytes.Length + 1)]];
            throw;
        }

        Files[name] = [.. before, .. bytes];
        faults.Step(isFile: true);
    }

    public void Truncate(string name, long length)
    {
        faults.Step(isFile: true);
        Files[name] = Files[name][..(int)length];
        faults.Step(isFile: true);
    }

    /// <summary>The operating system drops the lock of a process that died.</summary>
    public void Unlock() => _locked = false;

    private sealed class Release(MemoryFolder folder) : IDisposable
    {
        public void Dispose() => folder._locked = false;
    }
}
