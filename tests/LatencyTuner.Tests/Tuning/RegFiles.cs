using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Tuning;
using Xunit;

namespace LatencyTuner.Tests.Tuning;

public sealed partial class RegFiles
{
    [Fact]
    public void Write_RoundTripsThroughAParserOfItsOwn()
    {
        Random random = new(3);
        for (int round = 0; round < 500; round++)
        {
            List<(SettingLocation, SettingValue)> values = Enumerable.Range(0, random.Next(1, 6))
                .Select(
                    i =>
                        ((SettingLocation)new SettingLocation.Registry($@"HKLM\SOFTWARE\K{random.Next(3)}", random.Next(8) == 0 ? "" : $"v \"{i}\\"),
                            Value(random)))
                .DistinctBy(v => v.Item1).ToList();

            Dictionary<SettingLocation, SettingValue> parsed = Parse(RegFileText.Write(values));

            Assert.Equal(values.Count, parsed.Count);
            Assert.All(values, v => Assert.Equal(v.Item2, parsed[v.Item1]));
        }
    }

    [Fact]
    public void Write_NamesAnAbsentKeyByItsRemovalOnly()
    {
        SettingLocation.Registry place = new(@"HKLM\SOFTWARE\A\B", "v");

        string text = RegFileText.Write([(place, SettingValue.Absent)], [@"HKLM\SOFTWARE\A", @"HKLM\SOFTWARE\A\B"]);

        Assert.Equal("Windows Registry Editor Version 5.00\r\n\r\n[-HKEY_LOCAL_MACHINE\\SOFTWARE\\A]\r\n", text);
    }

    [Fact]
    public void Write_BreaksLinesBeforeColumn80()
    {
        byte[] bytes = Enumerable.Range(0, 40).Select(i => (byte)i).ToArray();
        string key = @"HKLM\SOFTWARE\T";
        string text = RegFileText.Write(
        [
            (new SettingLocation.Registry(key, "b"), SettingValue.Binary(bytes)),
            (new SettingLocation.Registry(key, "q"), SettingValue.Qword(0x0102030405060708)),
            (new SettingLocation.Registry(key, "s"), SettingValue.Of("C:\\x \"y\"")),
        ]);

        Assert.Equal(
            """
            Windows Registry Editor Version 5.00

            [HKEY_LOCAL_MACHINE\SOFTWARE\T]
            "b"=hex:00,01,02,03,04,05,06,07,08,09,0a,0b,0c,0d,0e,0f,10,11,12,13,14,15,16,\
              17,18,19,1a,1b,1c,1d,1e,1f,20,21,22,23,24,25,26,27
            "q"=hex(b):08,07,06,05,04,03,02,01
            "s"="C:\\x \"y\""

            """.ReplaceLineEndings("\r\n"),
            text);
    }

    [Fact]
    public void Apply_BacksUpWhatWasThere()
    {
        Bench bench = new();
        foreach ((SettingValue? value, int i) in Bench.Samples.Take(5).Select((v, i) => (v, i)))
        {
            bench.Store.Put(Bench.Places[i], value);
        }

        string before = bench.Store.Dump();
        bench.Apply(Bench.Plan("b1", Kills.Six(bench)));
        byte[] file = bench.Folder.Files["before-b1.reg"];

        Assert.Equal([0xFF, 0xFE], file[..2]);
        foreach ((SettingLocation? place, SettingValue? value) in Parse(new UnicodeEncoding(false, false).GetString(file.AsSpan(2))))
        {
            bench.Store.Put(place, value);
        }

        bench.Store.Put(Bench.Places[5], SettingValue.Absent);
        Assert.Equal(before, bench.Store.Dump());
    }

    [Theory]
    [InlineData("it's ’x", "'it''s ’’x'")]
    [InlineData("$(calc) `n", "'$(calc) `n'")]
    public void PowerShell_QuotesText(string text, string quoted) =>
        Assert.Contains(
            $"-PropertyType String -Value {quoted} -Force", PowerShellText.Lines(Bench.Places[0], SettingValue.Of(text))[1], StringComparison.Ordinal);

    [Fact]
    public void PowerShell_WritesTheUpperHalfAsNegative()
    {
        Assert.Contains(
            "-PropertyType DWord -Value (-1) ", PowerShellText.Lines(Bench.Places[0], SettingValue.Dword(uint.MaxValue))[1], StringComparison.Ordinal);
        Assert.Contains(
            "-PropertyType QWord -Value (-1) ", PowerShellText.Lines(Bench.Places[0], SettingValue.Qword(ulong.MaxValue))[1], StringComparison.Ordinal);
        Assert.Equal(["Set-NetTCPSetting -SettingName 'InternetCustom' -DelayedAckFrequency 1"], PowerShellText.Lines(Bench.Places[5], SettingValue.Dword(1)));
    }

    /// <summary>A value that is not there is no error, but a refused access is: nothing hides it.</summary>
    [Fact]
    public void PowerShell_OfARemoval_HidesNoFailure()
    {
        string line = Assert.Single(PowerShellText.Lines(Bench.Places[0], SettingValue.Absent));

        Assert.Matches(@"^if \(\(Test-Path -LiteralPath 'Registry::HKEY_LOCAL_MACHINE\\SYSTEM.*\{ Remove-ItemProperty -LiteralPath '.*' -Name '.*' \}$", line);
        Assert.DoesNotContain("SilentlyContinue", line, StringComparison.Ordinal);
    }

    private static SettingValue Value(Random random)
    {
        string Text() =>
            string.Concat(Enumerable.Range(0, random.Next(60)).Select(_ => (char)(random.Next(4) == 0 ? random.Next(1, 0xFFFE) : random.Next(32, 127))));
        byte[] Bytes()
        {
            byte[] bytes = new byte[random.Next(80)];
            random.NextBytes(bytes);
            return bytes;
        }

        return random.Next(9) switch
        {
            0 => SettingValue.Absent,
            1 => SettingValue.Dword((uint)random.NextInt64(1L << 32)),
            2 => SettingValue.Qword((ulong)random.NextInt64()),
            3 or 4 => SettingValue.Of(Text()),
            5 => SettingValue.Expand(Text()),
            6 => SettingValue.Multi(Enumerable.Range(0, random.Next(4)).Select(_ => "x" + Text())),
            7 => SettingValue.Binary(Bytes()),
            _ => SettingValue.Other(random.Next(8, 12) is var t && t == 11 ? 12 : t, Bytes()),
        };
    }

    /// <summary>A reader of registration files that shares nothing with the writer.</summary>
    private static Dictionary<SettingLocation, SettingValue> Parse(string text)
    {
        string[] joined = text.Replace("\\\r\n  ", "", StringComparison.Ordinal).Split("\r\n");
        Assert.Equal("Windows Registry Editor Version 5.00", joined[0]);
        string key = "";
        Dictionary<SettingLocation, SettingValue> all = new();
        foreach (string? line in joined.Skip(1).Where(l => l.Length > 0 && l[0] != ';' && !l.StartsWith("[-", StringComparison.Ordinal)))
        {
            if (line[0] == '[')
            {
                Assert.StartsWith("[HKEY_LOCAL_MACHINE\\", line, StringComparison.Ordinal);
                key = "HKLM" + line["[HKEY_LOCAL_MACHINE".Length..^1];
                continue;
            }

            Match match = ValueLine().Match(line);
            Assert.True(match.Success, line);
            string name = match.Groups["at"].Success ? "" : Unescape(match.Groups["name"].Value);
            all.Add(new SettingLocation.Registry(key, name), Data(match.Groups["data"].Value));
        }

        return all;
    }

    private static SettingValue Data(string data)
    {
        if (data == "-")
        {
            return SettingValue.Absent;
        }

        if (data[0] == '"')
        {
            return SettingValue.Of(Unescape(data[1..^1]));
        }

        if (data.StartsWith("dword:", StringComparison.Ordinal))
        {
            return SettingValue.Dword(uint.Parse(data.AsSpan(6), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
        }

        Match match = HexData().Match(data);
        Assert.True(match.Success, data);
        byte[] bytes = match.Groups["bytes"].Value.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(b => Convert.ToByte(b, 16)).ToArray();
        int type = match.Groups["type"].Success ? Convert.ToInt32(match.Groups["type"].Value, 16) : 3;
        string units = string.Concat(Enumerable.Range(0, bytes.Length / 2).Select(i => (char)BitConverter.ToUInt16(bytes, 2 * i)));
        return type switch
        {
            1 => SettingValue.Of(units[..^1]),
            2 => SettingValue.Expand(units[..^1]),
            3 => SettingValue.Binary(bytes),
            7 => SettingValue.Multi(units[..^1].Split('\0')[..^1]),
            11 => SettingValue.Qword(BitConverter.ToUInt64(bytes)),
            _ => SettingValue.Other(type, bytes),
        };
    }

    private static string Unescape(string text) => Regex.Replace(text, @"\\(.)", "$1", RegexOptions.Singleline);

    [GeneratedRegex("""^(?:(?<at>@)|"(?<name>(?:[^"\\]|\\.)*)")=(?<data>.*)$""", RegexOptions.Singleline)]
    private static partial Regex ValueLine();

    [GeneratedRegex(@"^hex(?:\((?<type>[0-9a-f]+)\))?:(?<bytes>(?:[0-9a-f]{2}(?:,[0-9a-f]{2})*)?)$")]
    private static partial Regex HexData();
}
