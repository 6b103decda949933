using LatencyTuner.Core.Sockets.Windows;
using Xunit;

namespace LatencyTuner.Tests.Sockets;

public sealed class TcpInfoSupports
{
    [Fact]
    public void Newest_RefusedAgainAndAgain_OlderThenNone()
    {
        TcpInfoSupport support = new();
        Assert.Equal(1, support.Newest);

        Refuse(support, 1, TcpInfoSupport.MostRefusals - 1);
        Assert.Equal(1, support.Newest);
        support.Refused(1);
        Assert.Equal(0, support.Newest);
        Refuse(support, 0, TcpInfoSupport.MostRefusals);
        Assert.Equal(-1, support.Newest);
    }

    /// <summary>A socket that is being closed is refused with the error of a system that does not have the call.</summary>
    [Fact]
    public void Newest_AnsweredOnce_StaysHoweverManySocketsRefuse()
    {
        TcpInfoSupport support = new();
        support.Answered(1);

        Refuse(support, 1, 1000);

        Assert.Equal(1, support.Newest);
    }

    private static void Refuse(TcpInfoSupport support, int version, int times)
    {
        for (int i = 0; i < times; i++)
        {
            support.Refused(version);
        }
    }
}
