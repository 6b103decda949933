using System.Diagnostics;
using LatencyTuner.Commands;
using LatencyTuner.Hosting;
using Xunit;

namespace LatencyTuner.Tests.Commands;

/// <summary>Files that never end, files that give their bytes once, and pipes as outputs.</summary>
public sealed class InputBounds
{
    private const string Rows = "time_s,latency_ms\n1700000000,1\n1700000001,2\n1700000002,1\n";

    [Theory]
    [InlineData("compare x x", 260)]
    [InlineData("report x", 1)]
    [InlineData("recommend --snapshot x", 260)]
    [InlineData("recommend --from x", 260)]
    [InlineData("settings list --snapshot x", 260)]
    [InlineData("check loopback --severity x", 2)]
    [InlineData("measure 127.0.0.1:9 --token-file x", 2)]
    public async Task FileWithoutEnd_IsReadToItsLimit(string command, int mostMiB)
    {
        using Endless file = new();
        using StringWriter output = new(), error = new();
        CliHost host = new() { Out = output, Error = error, OpenFile = _ => file };

        Assert.Equal(3, await Cli.RunAsync(command.Split(' '), host, TestContext.Current.CancellationToken));
        Assert.Matches(@"^x.* (has more than \d+ (MiB|bytes), the most that an? .* may have|has more than 65536 characters.*)\.\s+$", error.ToString());
        Assert.InRange(file.Given, 1, mostMiB << 20);
    }

    [Theory]
    [InlineData("report x", Rows)]
    [InlineData("measure 127.0.0.1:9 --token-file x", "a token of good length")]
    public async Task Pipe_IsReadOnce(string command, string text)
    {
        int opened = 0;
        using StringWriter output = new(), error = new();
        CliHost host = new()
        {
            Out = output,
            Error = error,
            OpenFile = _ => opened++ == 0 ? new Piped(System.Text.Encoding.ASCII.GetBytes(text)) : throw new IOException("The pipe was closed."),
        };
        await Cli.RunAsync(command.Split(' '), host, TestContext.Current.CancellationToken);

        Assert.Equal(1, opened);
        Assert.DoesNotContain("pipe", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void NamedPipeAsOutput_IsRefusedAndNotWaitedFor()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has named pipes as files.");
        using TempFolder folder = new();
        Process.Start("mkfifo", [folder["out"]])!.WaitForExit();

        CliRun.Of("report", folder.Write("a.csv", Rows), "--output", folder["out"]).Failed(2, "it is a pipe");
    }

    private sealed class Endless : Stream
    {
        public long Given { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            // As many at a time as a device gives.
            int given = Math.Min(count, 65_536);
            Given += given;
            buffer.AsSpan(offset, given).Clear();
            return given;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }

    private sealed class Piped(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();
    }
}
