using LatencyTuner.Core.Histograms;
using LatencyTuner.Core.Measurement.Monitoring;
using Xunit;

namespace LatencyTuner.Tests.Measurement.Monitoring;

public sealed class MonitorWatches
{
    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_795_248_000);

    /// <summary>Ids of the alerts of intervals: <c>h</c> above the limit, <c>.</c> below, <c>x</c> failed, <c>-</c> nothing asked.</summary>
    private static string Alerts(string intervals, TimeSpan? limit, int requests = MonitorWatch.LeastRequests)
    {
        MonitorWatch watch = new(limit);
        return string.Join(' ', intervals.Select((c, i) =>
        {
            LatencyHistogram histogram = new();
            if (c is 'h' or '.')
            {
                histogram.RecordMany(c == 'h' ? 20_000_000 : 1_000_000, requests);
            }

            MonitorInterval interval = new(
                "db1", Start.AddSeconds(i), TimeSpan.FromSeconds(1), histogram, c == 'x' ? 1 : 0, 0, TimeSpan.Zero, c == 'x' ? "it refused." : null);
            return (At: i, Alert: watch.Take(interval));
        }).Where(a => a.Alert is not null).Select(a => $"{a.At}:{a.Alert!.Id}"));
    }

    [Theory]
    [InlineData("....", "")]
    [InlineData("..hhhh", "2:1010")]
    [InlineData("..h...", "2:1010 5:1011")]
    [InlineData("h.h.h.h..h", "0:1010")]
    [InlineData("h...h...", "0:1010 3:1011 4:1010 7:1011")]
    [InlineData("..xx-x", "2:1012")]
    [InlineData(".x.x.x...", "1:1012 8:1013")]
    [InlineData("---", "")]
    [InlineData("h.xx..-.", "0:1010 2:1012 5:1011 7:1013")]
    public void Take_Limit10Ms_TellsBeginAndEndOnce(string intervals, string expected) =>
    Assert.Equal(expected, Alerts(intervals, TimeSpan.FromMilliseconds(10)));

    /// <summary>Intervals of few requests are judged together, and one slow request of a hundred is no 99th percentile.</summary>
    [Theory]
    [InlineData("h", 1, "")]
    [InlineData("h.........", 10, "0:1010")]
    [InlineData("hh", 1, "1:1010")]
    [InlineData(".h..h", 1, "4:1010")]
    [InlineData("h...h", 25, "0:1010")]
    [InlineData("hhhh............", 25, "0:1010 15:1011")]
    [InlineData("hhh.............", 25, "0:1010 14:1011")]
    public void Take_FewRequests_AreJudgedTogether(string intervals, int requests, string expected) =>
        Assert.Equal(expected, Alerts(intervals, TimeSpan.FromMilliseconds(10), requests));

    [Fact]
    public void Take_OneOfAHundred_IsNoAlert()
    {
        string hundred = "h" + new string('.', 99);

        Assert.Equal("", Alerts(string.Concat(Enumerable.Repeat(hundred, 5)), TimeSpan.FromMilliseconds(10), 1));
        Assert.Equal("98:1010", Alerts(new string('.', 97) + "hh", TimeSpan.FromMilliseconds(10), 1));
    }

    [Fact]
    public void Take_NoLimit_TellsOfSilenceOnly() => Assert.Equal("1:1012 6:1013", Alerts("hxxxhhh", null));

    [Fact]
    public void Take_Targets_AreIndependent()
    {
        MonitorWatch watch = new(TimeSpan.FromMilliseconds(10));
        LatencyHistogram slow = new();
        slow.RecordMany(20_000_000, 2);
        MonitorInterval interval = new("a", Start, TimeSpan.FromSeconds(1), slow, 0, 0, TimeSpan.Zero, null);

        Assert.True(watch.Take(interval) is { Id: MonitorAlert.LimitPassed, IsWarning: true });
        Assert.True(watch.Take(interval with { Target = "b" }) is { Target: "b" });
        Assert.Null(watch.Take(interval));
    }
}
