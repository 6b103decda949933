using LatencyTuner.Core;
using LatencyTuner.Core.Settings;
using Xunit;

namespace LatencyTuner.Tests.Settings;

public sealed class TransportFilters
{
    [Theory]
    [InlineData("10.0.0.0/8", "10.0.0.0/8", 0, 65535)]
    [InlineData("10.1.0.0/16:1433", "10.1.0.0/16", 1433, 1433)]
    [InlineData("10.1.2.3", "10.1.2.3/32", 0, 65535)]
    [InlineData("10.1.2.3:443", "10.1.2.3/32", 443, 443)]
    [InlineData("0.0.0.0/0:65535", "0.0.0.0/0", 65535, 65535)]
    [InlineData("fd00::/8", "fd00::/8", 0, 65535)]
    [InlineData("fd00::/8:443", "fd00::/8", 443, 443)]
    [InlineData("FE80::1", "fe80::1/128", 0, 65535)]
    [InlineData("[fd00::/8]:443", "fd00::/8", 443, 443)]
    [InlineData("[fd00::1]:443", "fd00::1/128", 443, 443)]
    public void Parse_ReadsPrefixAndRemotePort(string text, string prefix, int first, int last)
    {
        TransportFilter filter = TransportFilter.Parse(text);

        Assert.Equal(new TransportFilter(prefix, 0, 65535, (ushort)first, (ushort)last), filter);
        Assert.Equal(filter, TransportFilter.TryRead(filter.DestinationPrefix, filter.Ports));
    }

    [Theory]
    [InlineData("", "'' is not an address")]
    [InlineData("10.1", "'10.1' is not an address in its usual form")]
    [InlineData("db1", "'db1' is not an address")]
    [InlineData("10.1.2.3/16", "10.1.2.3/16 has bits beyond its length; 10.1.0.0/16 has none")]
    [InlineData("10.0.0.0/33", "'33' is not a prefix length from 0 to 32")]
    [InlineData("fd00::/129", "'129' is not a prefix length from 0 to 128")]
    [InlineData("10.0.0.0/8/8", "'8/8' is not a prefix length")]
    [InlineData("10.0.0.0/8:0", "'0' is not a port from 1 to 65535")]
    [InlineData("10.0.0.0/8:65536", "'65536' is not a port")]
    [InlineData("10.0.0.0/8:sql", "'sql' is not a port")]
    [InlineData("10.0.0.0/8:", "'' is not a port")]
    [InlineData("10.0.0.0/-8", "'-8' is not a prefix length")]
    public void Parse_SaysWhatIsWrongAndWhatIsValid(string text, string says)
    {
        ExpectedFailureException failure = Assert.Throws<ExpectedFailureException>(() => TransportFilter.Parse(text));

        Assert.Equal(ExitCode.Usage, failure.Code);
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
        Assert.Contains("PREFIX[:PORT] is expected", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("10.0.0.0/8", "TCP local 0-65535 remote 443")]
    [InlineData("10.0.0.0/8", "TCP local 0-65536 remote 443-443")]
    [InlineData("10.0.0.0/8", "TCP local 9-1 remote 443-443")]
    [InlineData("10.0.0.0/8", "TCP local 00-65535 remote 443-443")]
    [InlineData("10.0.0.0/8'; Remove-Item", "TCP local 0-65535 remote 443-443")]
    [InlineData("", "TCP local 0-65535 remote 443-443")]
    public void TryRead_RefusesWhatIsNoFilter(string prefix, string ports) => Assert.Null(TransportFilter.TryRead(prefix, ports));

    [Fact]
    public void TryRead_KeepsFiltersOfOthers() => Assert.Equal(
        "*, local ports 80 to 90, UDP", TransportFilter.TryRead("*", "UDP local 80-90 remote 0-65535")!.ToString());
}
