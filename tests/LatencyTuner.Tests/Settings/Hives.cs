using System.Runtime.CompilerServices;
using LatencyTuner.Core;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class Hives
{
    private const int Cases = 20_000;
    private const string Types = @"HKLM\SYSTEM\CurrentControlSet\Types";

    [Fact]
    public void FromRegistry_HivesAndExportOfOneHost_SameValues()
    {
        HostSnapshot hives = SnapshotBuilding.FromRegistry(Sample(), SettingsCatalogue.Current);
        HostSnapshot export = SnapshotBuilding.FromRegistry(RegFileStore.Parse(Bytes("sql01.reg"), "sql01.reg"), SettingsCatalogue.Current);

        Assert.Equal(export.Os, hives.Os);
        Assert.Equal(export.Interfaces.Select(i => i.ToString()), hives.Interfaces.Select(i => i.ToString()));
        foreach ((SnapshotValue? a, SnapshotValue? b) in export.Values.Zip(hives.Values, (a, b) => (a, b)).Where(p => p.a is { Absent: false, Type: not null }))
        {
            Assert.Equal($"{a.Id} {a.Path} {a.Name} {a.Type} {string.Join('|', a.Data)}", $"{b.Id} {b.Path} {b.Name} {b.Type} {string.Join('|', b.Data)}");
        }

        Assert.Contains(hives.Values, v => v is { Id: "legacy.tcptimedwaitdelay", Data: ["30"] });
    }

    [Theory]
    [InlineData("Binary", "REG_BINARY deadbeef00")]
    [InlineData("qword", "REG_QWORD 9225348980303659521")]
    [InlineData("None", "REG_TYPE_0 ")]
    [InlineData("", "REG_SZ default")]
    [InlineData("Missing", "absent ")]
    public void ValueOrAbsent_EveryType(string name, string expected)
    {
        SettingValue value = Sample().ValueOrAbsent(Types, name);

        Assert.Equal(expected, value.IsAbsent ? "absent " : $"{value.TypeName} {string.Join('|', value.Data)}");
    }

    [Fact]
    public void ValueOrAbsent_FortyThousandBytesInOneCell()
    {
        // hivexregedit writes large data into one cell, which version 1.5 stores in segments: neither is guessed.
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => Sample().ValueOrAbsent(Types, "Big"));

        Assert.Contains("expected data in segments", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("lf")]
    [InlineData("lh")]
    [InlineData("li")]
    public void SubKeys_ListsOfLists_AllInOrder(string kind)
    {
        HiveWriter writer = new();
        uint[] leaves = Enumerable.Range(0, 40).Select(i => writer.Key($"K{i:00}", uint.MaxValue, 0, wide: i % 2 == 0)).ToArray();
        uint[] lists = leaves.Chunk(15).Select(c => writer.List(kind, c)).ToArray();
        uint select = Select(writer);
        uint many = writer.Key("Many", writer.List("ri", lists), leaves.Length);
        uint set = writer.Key("ControlSet001", writer.List("lf", many), 1);
        uint root = writer.Key("ROOT", writer.List("lh", set, select), 2);

        HiveStore store = HiveStore.Open([("SYSTEM", writer.File(root))], "x");

        Assert.Equal(Enumerable.Range(0, 40).Select(i => $"K{i:00}"), store.SubKeys(@"HKLM\SYSTEM\CurrentControlSet\many"));
        Assert.True(store.ContainerExists(@"hklm\system\currentcontrolset\Many\k07"));
        Assert.False(store.ContainerExists(@"HKLM\SYSTEM\CurrentControlSet\Many\K40"));
        Assert.False(store.Covers(@"HKLM\SYSTEMS"));
    }

    [Theory]
    [InlineData(16_344)]
    [InlineData(16_345)]
    [InlineData(50_000)]
    public void ValueOrAbsent_DataInSegments_Whole(int length)
    {
        byte[] data = Enumerable.Range(0, length).Select(i => (byte)(i % 251)).ToArray();
        HiveWriter writer = new();
        uint values = writer.List(null, writer.Value("Größe", 3, data, wide: true), writer.Value("Small", 4, [1, 0, 0, 0]));
        uint select = Select(writer);
        uint set = writer.Key("ControlSet001", uint.MaxValue, 0, values, 2);
        HiveStore store = HiveStore.Open([("SYSTEM", writer.File(writer.Key("ROOT", writer.List("lf", set, select), 2), dirty: true))], "x");

        Assert.Equal(SettingValue.Binary(data), store.ValueOrAbsent(@"HKLM\SYSTEM\CurrentControlSet", "größe"));
        Assert.Equal(SettingValue.Dword(1), store.ValueOrAbsent(@"HKLM\SYSTEM\ControlSet001", "SMALL"));
        Assert.Contains(store.Notes, n => n.Contains("log files", StringComparison.Ordinal));
    }

    [Fact]
    public void Open_NoSystemOrSoftware_SaysWhatWasExpected()
    {
        HiveWriter writer = new();
        byte[] file = writer.File(writer.Key("ROOT", uint.MaxValue, 0));

        Assert.Contains(
            "expected the hive SYSTEM", Assert.Throws<ExpectedFailureException>(() => HiveStore.Open([("SAM", file)], "x")).Message, StringComparison.Ordinal);
        Assert.Contains(
            "byte 0", Assert.Throws<ExpectedFailureException>(() => HiveStore.Open([("SAM", "regf"u8.ToArray())], "x")).Message, StringComparison.Ordinal);
        Assert.Contains(
            "a second hive",
            Assert.Throws<ExpectedFailureException>(() => HiveStore.Open([("a", Bytes("config/SYSTEM")), ("b", Bytes("config/SYSTEM"))], "x")).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Write_IsRefused()
    {
        HiveStore store = Sample();

        Assert.True(store.IsReadOnly);
        Assert.Equal(
            ExitCode.Platform,
            Assert.Throws<ExpectedFailureException>(() => store.Write(new SettingLocation.Registry(Types, "Binary"), SettingValue.Absent)).Code);
    }

    [Fact]
    public void FromRegistry_MutatedHives_OnlyRefusalsWithAPlace()
    {
        byte[] valid = Bytes("config/SYSTEM");
        int refused = 0;
        for (int seed = 0; seed < Cases; seed++)
        {
            Random random = new(seed);
            byte[] bytes = Mutate(valid, random);
            try
            {
                HiveStore store = HiveStore.Open([("SYSTEM", bytes)], "x");
                foreach (string guid in store.SubKeys(SnapshotBuilding.TcpipInterfaces))
                {
                    _ = store.ValueOrAbsent($@"{SnapshotBuilding.TcpipInterfaces}\{guid}", "TcpAckFrequency");
                }

                _ = store.SubKeys(@"HKLM\SYSTEM\CurrentControlSet\Many");
                _ = store.ValueOrAbsent(Types, "Binary");
            }
            catch (ExpectedFailureException e) when (e.Code == ExitCode.Input)
            {
                refused++;
            }
            catch (Exception e)
            {
                Assert.Fail($"seed {seed}: {e}");
            }
        }

        Assert.InRange(refused, 1, Cases - 1);
    }

    private static byte[] Mutate(byte[] valid, Random random)
    {
        byte[] bytes = random.Next(20) == 0 ? valid[..random.Next(valid.Length)] : (byte[])valid.Clone();
        for (int i = random.Next(1, 30); i > 0 && bytes.Length >= 8; i--)
        {
            // Aligned words hit sizes and offsets, which is where a reader is hurt.
            int at = random.Next(bytes.Length / 4) * 4;
            BitConverter.GetBytes(random.Next(4) switch { 0 => random.Next(), 1 => -8 * random.Next(100), 2 => random.Next(bytes.Length), _ => -1 })
                .CopyTo(bytes, at);
        }

        return bytes;
    }

    private static uint Select(HiveWriter writer) =>
        writer.Key("Select", uint.MaxValue, 0, writer.List(null, writer.Value("Current", 4, [1, 0, 0, 0])), 1);

    private static HiveStore Sample() => HiveStore.Open([("SYSTEM", Bytes("config/SYSTEM")), ("SOFTWARE", Bytes("config/SOFTWARE"))], "config");

    private static byte[] Bytes(string name, [CallerFilePath] string here = "") =>
        File.ReadAllBytes(Path.Combine(Path.GetDirectoryName(here)!, "Samples", name));
}
