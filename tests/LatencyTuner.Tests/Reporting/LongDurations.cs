using LatencyTuner.Core.Text;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>Durations of captures read as people say them.</summary>
public sealed class LongDurations
{
    [Theory]
    [InlineData(0.5, "500 us")]
    [InlineData(74_805, "74.8 s")]
    [InlineData(600_000, "10.0 min")]
    [InlineData(36_000_000, "10.0 h")]
    [InlineData(864_000_000, "10.0 days")]
    [InlineData(249_252_846_000, "7.90 years")]
    [InlineData(249_252_846_000_000, "7,898 years")]
    public void Span_HasAUnitThatFits(double ms, string text) => Assert.Equal(text, Format.Span(ms));
}
