using System.Net;
using System.Text;
using LatencyTuner.Core.Measurement.FarEnds;
using Xunit;

namespace LatencyTuner.Tests.Measurement.FarEnds;

public sealed class StartLines
{
    private const string Good =
        """{"port":4711,"token":"0123456789abcdef","version":"1.0","protocol":2,"pid":9,"addresses":["10.0.0.5","fd00::5"]}""";

    private static readonly StartLine Line = new()
    {
        Port = 4711,
        Token = "0123456789abcdef+/=",
        Version = "1.2.3",
        Protocol = StartLine.OwnProtocol,
        Pid = 77,
        Addresses = [IPAddress.Parse("10.77.1.20"), IPAddress.Parse("fd77:1::20")],
        AllAddresses = true,
        Program = @"C:\Program Files\LatencyTuner\latencytuner.exe",
    };

    [Fact]
    public void Line_ReadAgain_IsTheSame()
    {
        StartLine read = Read(Line.Write() + "\n").Found!;
        Assert.Equal(Line with { Addresses = read.Addresses }, read);
        Assert.Equal(Line.Addresses, read.Addresses);
        Assert.True(Line.Write().Length < StartLine.MostBytes);
    }

    [Fact]
    public void Line_ByteByByte_BehindBannersOfAllKinds()
    {
        StartLineReader reader = new();
        foreach (byte b in Encoding.UTF8.GetBytes($"Welcome\r\n\u001b[1mWARNING\u001b[0m\nno end of line{Line.Write()}\r\nmore\n"))
        {
            reader.Take([b]);
        }

        Assert.Equal(4711, reader.Found?.Port);
        Assert.Equal(["Welcome", "?[1mWARNING?[0m"], reader.Banner);
    }

    [Fact]
    public void Line_WithoutEnd_IsReadWhenTheOutputEnds()
    {
        StartLineReader reader = new();
        reader.Take(Encoding.UTF8.GetBytes(Line.Write()));
        Assert.Null(reader.Found);
        reader.Close();
        Assert.NotNull(reader.Found);
    }

    [Fact]
    public void Banner_OfTooManyLinesOrBytes_IsGivenUp()
    {
        Assert.NotNull(Read(string.Concat(Enumerable.Repeat("hello\n", 199)) + Line.Write() + "\n").Found);
        Assert.Equal("200 lines came without a start line", Read(string.Concat(Enumerable.Repeat("hello\n", 500)) + Line.Write() + "\n").Problem);
        Assert.Equal("64 KiB came without a start line", Read(new string('x', 200_000)).Problem);
        Assert.NotNull(Read(new string('x', 60_000) + "\n" + Line.Write() + "\n").Found);
        Assert.NotNull(Read("LATENCYTUNER1 " + new string('x', 200_000)).Problem);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("[]")]
    [InlineData("{\"port\":")]
    [InlineData("\"port\"")]
    [InlineData("{\"port\":0,\"token\":\"0123456789abcdef\",\"version\":\"1\",\"protocol\":2,\"pid\":1,\"addresses\":[]}")]
    [InlineData("{\"port\":1e99,\"token\":\"0123456789abcdef\",\"version\":\"1\",\"protocol\":2,\"pid\":1,\"addresses\":[]}")]
    [InlineData("{\"port\":1,\"token\":\"short\",\"version\":\"1\",\"protocol\":2,\"pid\":1,\"addresses\":[]}")]
    [InlineData("{\"port\":1,\"token\":\"0123456789abcdef\",\"version\":\"1\",\"protocol\":2,\"pid\":1,\"addresses\":[\"db1\"]}")]
    [InlineData("{\"port\":1,\"token\":\"0123456789abcdef\",\"version\":\"1\\u001b[2J\",\"protocol\":2,\"pid\":1,\"addresses\":[]}")]
    [InlineData("{\"port\":1,\"token\":[[[[[[[[[[[[]]]]]]]]]]]],\"version\":\"1\",\"protocol\":2,\"pid\":1,\"addresses\":[]}")]
    public void Json_OfSomethingElse_IsAClause(string json)
    {
        StartLineReader reader = Read($"LATENCYTUNER1 {json}\n");
        Assert.Null(reader.Found);
        Assert.Matches(@"^the start line is not valid: [^\p{Cc}]{5,200}$", reader.Problem);
    }

    [Fact]
    public void Json_CutAndFlipped_NeverThrows()
    {
        byte[] line = Encoding.UTF8.GetBytes($"LATENCYTUNER1 {Good}\n");
        Assert.NotNull(Read(Encoding.UTF8.GetString(line)).Found);
        Random random = new(3);
        for (int i = 0; i < 3000; i++)
        {
            byte[] bytes = [.. line];
            for (int n = random.Next(1, 4); n > 0; n--)
            {
                bytes[random.Next(bytes.Length - 1)] = (byte)random.Next(256);
            }

            StartLineReader reader = new();
            reader.Take(bytes.AsSpan(0, random.Next(bytes.Length + 1)));
            reader.Close();
            Assert.True(reader.Found is null || reader.Problem is null);
        }
    }

    private static StartLineReader Read(string text)
    {
        StartLineReader reader = new();
        reader.Take(Encoding.UTF8.GetBytes(text));
        return reader;
    }
}
