using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class RegFiles
{
    private const string Parameters = @"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters";
    private const string Head = "Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\T]\r\n";

    public static TheoryData<string, string> Values => new()
    {
        { "dword:0000000a", "REG_DWORD 10" },
        { "DWORD:a ; ten", "REG_DWORD 10" },
        { "hex(b):01,00,00,00,00,00,00,80", "REG_QWORD 9223372036854775809" },
        { "hex(4):ff,ff,ff,ff", "REG_DWORD 4294967295" },
        { "hex(4):ff,ff", "REG_TYPE_4 ffff" },
        { "\"a \\\"b\\\" \\\\c ; d\" ; comment", "REG_SZ a \"b\" \\c ; d" },
        { "\"\"", "REG_SZ " },
        { "\"first\r\nsecond\"", "REG_SZ first\r\nsecond" },
        { "hex(1):61,00,00,00", "REG_SZ a" },
        { "hex(1):61,00", "REG_TYPE_1 6100" },
        { "hex(2):25,00,61,00,25,00,00,00", "REG_EXPAND_SZ %a%" },
        { "hex(7):61,00,00,00,62,00,63,00,00,00,00,00", "REG_MULTI_SZ a|bc" },
        { "hex(7):00,00", "REG_MULTI_SZ " },
        { "hex(7):61,00,00,00", "REG_TYPE_7 61000000" },
        { "hex:de,ad,\\\r\n  be,\\\r\n  ef", "REG_BINARY deadbeef" },
        { "hex:", "REG_BINARY " },
        { "hex(0):", "REG_TYPE_0 " },
        { "hex(ffff0012):01", "REG_TYPE_-65518 01" },
        { "hex(2):00,d8,00,00", "REG_TYPE_2 00d80000" },
    };

    [Theory]
    [MemberData(nameof(Values))]
    public void Parse_ReadsEveryType(string data, string expected)
    {
        SettingValue value = Parse(Head + "\"V\"=" + data + "\r\n").Read(new SettingLocation.Registry(@"HKLM\SOFTWARE\T", "v"));

        Assert.Equal(expected, $"{value.TypeName} {string.Join('|', value.Data)}");
        Assert.True(SettingValue.TryParse(value.TypeName, value.Data, out SettingValue? again));
        Assert.Equal(value, again);
    }

    [Theory]
    [InlineData("utf-16", true)]
    [InlineData("utf-16", false)]
    [InlineData("utf-16BE", true)]
    [InlineData("utf-8", true)]
    [InlineData("utf-8", false)]
    public void Parse_TakesTheEncodingsOfWindows(string name, bool mark)
    {
        Encoding encoding = Encoding.GetEncoding(name);
        byte[] bytes = [.. mark ? encoding.GetPreamble() : [], .. encoding.GetBytes(Head + "\"Größe\"=\"é\"\r\n")];

        Assert.True(RegFileStore.IsRegFile(bytes));
        Assert.Equal("é", RegFileStore.Parse(bytes, "x.reg").ValueOrAbsent(@"HKLM\SOFTWARE\T", "größe").Text);
    }

    [Fact]
    public void Parse_TakesRegedit4InItsCodePage()
    {
        RegFileStore store =
            RegFileStore.Parse(Encoding.Latin1.GetBytes("REGEDIT4\n[HKEY_LOCAL_MACHINE\\A]\n@=\"caf\u00e9\"\n\"M\"=hex(7):61,00,62,00,00\n"), "x.reg");

        Assert.Equal("caf\u00e9", store.ValueOrAbsent(@"HKLM\A", "").Text);
        Assert.Equal(["a", "b"], store.ValueOrAbsent(@"HKLM\A", "M").Texts);
    }

    [Fact]
    public void Parse_DoesWhatAnImportWouldDo()
    {
        RegFileStore store =
            Parse(
                Head + "\"A\"=dword:1\r\n\"A\"=dword:2\r\n\"B\"=dword:3\r\n\"B\"=-\r\n\r\n"
                + "[HKEY_LOCAL_MACHINE\\SOFTWARE\\T\\Sub]\r\n\"C\"=dword:4\r\n\r\n[-HKEY_LOCAL_MACHINE\\SOFTWARE\\T\\Sub]\r\n");

        Assert.Equal(SettingValue.Dword(2), store.ValueOrAbsent(@"HKLM\software\t", "a"));
        Assert.True(store.Read(new SettingLocation.Registry(@"HKLM\SOFTWARE\T", "B")).IsAbsent);
        Assert.True(store.Read(new SettingLocation.Registry(@"HKLM\SOFTWARE\T\Sub", "C")).IsAbsent);
        Assert.False(store.ContainerExists(@"HKLM\SOFTWARE\T\Sub"));
    }

    [Fact]
    public void Read_KnowsWhatIsAbsentAndWhatWasNotExported()
    {
        RegFileStore store = RegFileStore.Parse(Sample(), "sql01.reg");

        Assert.Equal(SettingValue.Dword(1), store.Read(new SettingLocation.Registry(Parameters + @"\Interfaces", "TcpAckFrequency")));
        Assert.True(store.Read(new SettingLocation.Registry(Parameters, "SackOpts")).IsAbsent);
        Assert.True(store.Read(new SettingLocation.Registry(Parameters + @"\Interfaces\{00000000-0000-0000-0000-000000000000}", "X")).IsAbsent);
        Assert.Equal(
            ExitCode.Platform,
            Assert.Throws<ExpectedFailureException>(
                () => store.Read(new SettingLocation.Registry(@"HKLM\SOFTWARE\Microsoft\MSMQ\Parameters", "TCPNoDelay"))).Code);
        Assert.Equal(ExitCode.Platform, Assert.Throws<ExpectedFailureException>(() => store.Read(new SettingLocation.Template("Internet", "MinRto"))).Code);
        Assert.True(store.IsReadOnly);
        Assert.Throws<ExpectedFailureException>(() => store.Write(new SettingLocation.Registry(Parameters, "X"), SettingValue.Dword(1)));
    }

    [Theory]
    [InlineData("", "x.reg:1: expected \"Windows Registry Editor Version 5.00\"")]
    [InlineData("REGEDIT9\n", "x.reg:1: expected \"Windows Registry Editor")]
    [InlineData("REGEDIT4\n\n\"A\"=dword:1\n", "x.reg:3: expected a key before this value.")]
    [InlineData("REGEDIT4\n[HKLM\\A\n", "x.reg:2: expected a key that ends with ']'")]
    [InlineData("REGEDIT4\n[NONSENSE\\A]\n", "x.reg:2: expected a key below HKEY_LOCAL_MACHINE")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=dword:123456789\n", "x.reg:3: expected one to eight hexadecimal digits")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=hex:1,2,xx\n", "x.reg:3: expected two hexadecimal digits, found \"xx\".")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=hex:01,\\\n  zz\n", "x.reg:4: expected two hexadecimal digits, found \"zz\".")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=hex:01,\\", "x.reg:3: expected the bytes to go on after")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=\"open\nand on", "x.reg:3: expected a closing quote")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\" dword:1\n", "x.reg:3: expected '=' after the name")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=qword:1\n", "x.reg:3: expected a text in quotes, dword:, hex: or -, found \"qword:1\".")]
    [InlineData("REGEDIT4\n[HKLM\\A]\n\"A\"=\"x\"y\n", "x.reg:3: expected the end of the line after the text, found \"y\".")]
    [InlineData("REGEDIT4\nhello\n", "x.reg:2: expected a key in brackets or a value in quotes, found \"hello\".")]
    public void Parse_SaysWhichLineIsWrong(string text, string sentence)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => Parse(text));

        Assert.Equal(ExitCode.Input, failure.Code);
        Assert.StartsWith(sentence, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parse_RefusesMoreThanTheLimit() =>
        Assert.Equal(ExitCode.Input, Assert.Throws<ExpectedFailureException>(() => RegFileStore.Parse(Sample(), "x.reg", 100)).Code);

    [Fact]
    public void Parse_RefusesEndlessDeletions() =>
        Assert.StartsWith(
            "x.reg:1002: ",
            Assert.Throws<ExpectedFailureException>(
                () => Parse("REGEDIT4\n" + string.Concat(Enumerable.Range(0, 1001).Select(i => $"[-HKLM\\K{i}]\n")))).Message, StringComparison.Ordinal);

    [Fact]
    public void Parse_OfDamagedFilesFailsOnlyInTheExpectedWay()
    {
        Random random = new(20261121);
        byte[] sample = Sample();
        string[] pieces = ["\"", "\\", "[", "]", "hex(", "hex(7):", "-", "=", ",", ";", "\r\n", "@", "dword:", "\0", "\ud800", "[-HKLM]"];
        (int read, int refused) = (0, 0);
        for (int round = 0; round < 20_000; round++)
        {
            List<byte> bytes = sample.ToList();
            for (int i = random.Next(1, 5); i > 0; i--)
            {
                int at = random.Next(bytes.Count);
                if (random.Next(3) == 0)
                {
                    bytes[at] = (byte)random.Next(256);
                }
                else if (random.Next(2) == 0)
                {
                    bytes.RemoveRange(at, Math.Min(random.Next(1, 80), bytes.Count - at));
                }
                else
                {
                    bytes.InsertRange(at & ~1, Encoding.Unicode.GetBytes(pieces[random.Next(pieces.Length)]));
                }
            }

            try
            {
                HostSnapshot snapshot = SnapshotBuilding.FromRegistry(RegFileStore.Parse(bytes.ToArray(), "f.reg"), SettingsCatalogue.Current);
                Assert.NotEmpty(snapshot.Values);
                read++;
            }
            catch (ExpectedFailureException failure)
            {
                Assert.Equal(ExitCode.Input, failure.Code);
                Assert.StartsWith("f.reg:", failure.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        Assert.True(read > 100 && refused > 100, $"{read} read, {refused} refused");
    }

    [Fact]
    public void FromRegistry_TellsWhatTheExportHolds()
    {
        HostSnapshot snapshot = SnapshotBuilding.FromRegistry(RegFileStore.Parse(Sample(), "sql01.reg"), SettingsCatalogue.Current);

        Assert.Equal("2019", snapshot.Os.DefaultsOf());
        Assert.Equal((17763, 6057), (snapshot.Os.Build, snapshot.Os.Revision));
        Assert.Equal(["10.20.0.11", "192.168.40.7"], snapshot.Interfaces.SelectMany(i => i.Addresses));
        Assert.Equal(["Ethernet", null], snapshot.Interfaces.Select(i => i.Alias));
        List<SnapshotValue> ack = snapshot.Values.Where(v => v.Id == "tcp.ackfrequency").ToList();
        Assert.Equal(
            [("{6c1e5b0a-2f64-4b1d-9a55-3c9a4e0b7f10}", false), ("{a3b0c1d2-4455-4e66-8f77-0123456789ab}", true), (null, false)],
            ack.Select(v => (v.Interface, v.Absent)));
        Assert.EndsWith(@"\Interfaces", ack[2].Path, StringComparison.Ordinal);

        // What an export cannot hold is there as not read, never as absent.
        Assert.All(snapshot.Values.Where(v => v.Store != "registry"), v => Assert.True(!v.Absent && v.Type is null && v.NotReadBecause is not null));
        Assert.Equal(
            SettingsCatalogue.Current.All.Where(d => d.Action != SettingAction.AdviseApp).Select(d => d.Id).Order(),
            snapshot.Values.Select(v => v.Id).Distinct().Order());
    }

    internal static byte[] Sample() => File.ReadAllBytes(SampleSnapshots.PathOf("sql01.reg"));

    private static RegFileStore Parse(string text) => RegFileStore.Parse(Encoding.UTF8.GetBytes(text), "x.reg");
}
