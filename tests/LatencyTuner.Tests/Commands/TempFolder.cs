namespace LatencyTuner.Tests.Commands;

/// <summary>A folder of its own for a test, gone afterwards.</summary>
internal sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("latencytuner-test-").FullName;

    public IEnumerable<string> Names => Directory.EnumerateFileSystemEntries(Path).Select(p => System.IO.Path.GetFileName(p)).Order();

    public string this[string name] => System.IO.Path.Combine(Path, name);

    public string Write(string name, byte[] bytes)
    {
        File.WriteAllBytes(this[name], bytes);
        return this[name];
    }

    public string Write(string name, string text) => Write(name, System.Text.Encoding.UTF8.GetBytes(text));

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
