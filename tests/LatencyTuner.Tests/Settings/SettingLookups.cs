using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class SettingLookups
{
    private const string Guid = "{6C1E5B0A-2F64-4B1D-9A55-3C9A4E0B7F10}";

    [Theory]
    [InlineData("tcp.ackfrequency", "tcp.ackfrequency")]
    [InlineData("TCP.AckFrequency", "tcp.ackfrequency")]
    [InlineData("TcpAckFrequency", "tcp.ackfrequency")]
    [InlineData("CwndRestart", "template.cwndrestart")]
    [InlineData("*RscIPv6", "nic.rscipv4")]
    public void Find_TakesTheIdOrTheNameInWindows(string given, string id) => Assert.Equal(id, SettingsCatalogue.Current.Find(given).Id);

    [Theory]
    [InlineData("tcp.ackfrequncy", "'tcp.ackfrequency'")]
    [InlineData("ackfreq", "'tcp.ackfrequency'")]
    [InlineData("TcpAckFreqency", "'TcpAckFrequency'")]
    [InlineData("TCPNoDelay", "tcp.nodelay.interface, tcp.nodelay.msmq")]
    public void Find_OffersWhatWasMeant(string given, string offered)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Current.Find(given));

        Assert.Equal(ExitCode.Usage, failure.Code);
        Assert.Contains(offered, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Find_OffersNothingForNonsense()
    {
        Assert.Equal("There is no setting 'qqqqqqqqq'.", Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Current.Find("qqqqqqqqq")).Message);
        Assert.EndsWith(
            "'.", Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Current.Find(new string('x', 100_000))).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("kitten", "sitting", 3)]
    [InlineData("", "abc", 3)]
    [InlineData("ABC", "abc", 0)]
    [InlineData("flaw", "lawn", 2)]
    public void Distance_IsLevenshteins(string a, string b, int distance)
    {
        Assert.Equal(distance, NearMatches.Distance(a, b));
        Assert.Equal(distance, NearMatches.Distance(b, a));
    }

    [Fact]
    public void Locate_GivesTheKeyOfTheInterface()
    {
        ApplicableSetting setting = SettingsCatalogue.Current.Find("tcp.ackfrequency").Applicable();

        Assert.Equal(
            new SettingLocation.Registry(@"HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\" + Guid, "TcpAckFrequency"),
            setting.Locate(Guid));
        Assert.Throws<ExpectedFailureException>(() => setting.Locate());
        Assert.Throws<ExpectedFailureException>(() => setting.Locate(Guid, "Internet"));
        Assert.Throws<ExpectedFailureException>(() => setting.Locate(@"..\..\Evil"));
    }

    [Fact]
    public void Locate_GivesThePropertyOfTheTemplate()
    {
        ApplicableSetting setting = SettingsCatalogue.Current.Find("template.cwndrestart").Applicable();

        Assert.Equal(new SettingLocation.Template("DatacenterCustom", "CwndRestart"), setting.Locate(template: "DatacenterCustom"));
        Assert.Throws<ExpectedFailureException>(() => setting.Locate());
        Assert.Equal(
            new SettingLocation.Template("Automatic", "AutomaticUseCustom"),
            SettingsCatalogue.Current.Find("template.automaticusecustom").Applicable().Locate());
    }

    [Theory]
    [InlineData("tcp.ackfrequency", "1", 1u)]
    [InlineData("tcp.ackfrequency", "0xff", 255u)]
    [InlineData("template.autotuninglevellocal", "normal", 3u)]
    [InlineData("template.minrto", "300", 300u)]
    public void Parse_TakesNumbersAndWords(string id, string text, uint number) =>
        Assert.Equal(SettingValue.Dword(number), SettingsCatalogue.Current.Find(id).Applicable().Parse(text));

    [Fact]
    public void Parse_TakesAbsenceOfRegistryValuesOnly()
    {
        Assert.True(SettingsCatalogue.Current.Find("tcp.ackfrequency").Applicable().Parse("absent").IsAbsent);
        Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Current.Find("template.minrto").Applicable().Parse("absent"));
    }

    [Theory]
    [InlineData("tcp.ackfrequency", "256", "'256 (0x100)' is not a value of tcp.ackfrequency; valid are 0 to 255, or absent.")]
    [InlineData("tcp.ackfrequency", "-1", "'-1' is not a value")]
    [InlineData("tcp.ackfrequency", "99999999999999999999", "'99999999999999999999' is not a value")]
    [InlineData("template.minrto", "25", "valid are 20 to 300 in steps of 10.")]
    [InlineData("template.cwndrestart", "maybe", "valid are False (0), True (1).")]
    [InlineData("template.autotuninglevellocal", "5", "valid are Disabled (0), HighlyRestricted (1)")]
    public void Parse_SaysWhatIsValid(string id, string text, string sentence)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Current.Find(id).Applicable().Parse(text));

        Assert.Equal(ExitCode.Usage, failure.Code);
        Assert.Contains(sentence, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Validate_RefusesAnotherType() =>
        Assert.Throws<ExpectedFailureException>(() => SettingsCatalogue.Current.Find("tcp.ackfrequency").Applicable().Validate(SettingValue.Of("1")));

    [Theory]
    [InlineData("sock.tcp_nodelay", "the application's code")]
    [InlineData("tcp.nodelay.interface", "only the socket option TCP_NODELAY")]
    [InlineData("power.plan", "do it yourself")]
    public void Applicable_SaysWhatToDoInstead(string id, string words) =>
        Assert.Contains(words, Assert.Throws<ExpectedFailureException>(SettingsCatalogue.Current.Find(id).Applicable).Message, StringComparison.Ordinal);
}
