using LatencyTuner.Core.Statistics;
using Xunit;

namespace LatencyTuner.Tests.Statistics;

/// <summary>Values from published tables (Abramowitz and Stegun, ch. 26; NIST/SEMATECH e-Handbook).</summary>
public sealed class DistributionTables
{
    [Theory]
    [InlineData(0, 0.5)]
    [InlineData(1, 0.841344746068543)]
    [InlineData(-1.96, 0.024997895148220)]
    [InlineData(3, 0.998650101968370)]
    [InlineData(-6, 9.865876450376981e-10)]
    public void NormalCdf_Table(double z, double p) => Assert.Equal(p, Distributions.NormalCdf(z), p * 1e-9);

    [Theory]
    [InlineData(0.975, 1.959963984540054)]
    [InlineData(0.995, 2.575829303548901)]
    [InlineData(0.5, 0)]
    [InlineData(0.001, -3.090232306167813)]
    [InlineData(1e-9, -5.997807015007686)]
    public void NormalQuantile_Table(double p, double z) => Assert.Equal(z, Distributions.NormalQuantile(p), 1e-8);

    [Theory]
    [InlineData(1, 12.706204736)]
    [InlineData(2, 4.302652730)]
    [InlineData(5, 2.570581836)]
    [InlineData(10, 2.228138852)]
    [InlineData(30, 2.042272456)]
    [InlineData(120, 1.979930405)]
    public void StudentQuantile_Table(double degrees, double t)
    {
        Assert.Equal(t, Distributions.StudentQuantile(0.975, degrees), 1e-8);
        Assert.Equal(-t, Distributions.StudentQuantile(0.025, degrees), 1e-8);
        Assert.Equal(0.975, Distributions.StudentCdf(t, degrees), 1e-9);
    }

    [Theory]
    [InlineData(4.102821, 2, 10)]
    [InlineData(3.325835, 5, 10)]
    [InlineData(161.4476, 1, 1)]
    public void FUpperTail_Table(double f, double numerator, double denominator) =>
        Assert.Equal(0.05, Distributions.FUpperTail(f, numerator, denominator), 1e-6);

    [Fact]
    public void BinomialCdf_EqualsTheSumOfItsTerms()
    {
        Assert.Equal(0.171875, Distributions.BinomialCdf(3, 10, 0.5), 1e-12);
        double term = Math.Pow(0.7, 50);
        double sum = 0;
        for (int k = 0; k < 50; k++)
        {
            sum += term;
            Assert.Equal(sum, Distributions.BinomialCdf(k, 50, 0.3), 1e-11);
            term *= (50 - k) / (k + 1.0) * 0.3 / 0.7;
        }
        Assert.Equal(0, Distributions.BinomialCdf(-1, 50, 0.3));
        Assert.Equal(1, Distributions.BinomialCdf(50, 50, 0.3));
    }

    [Fact]
    public void LogGamma_KnownPoints()
    {
        Assert.Equal(Math.Log(Math.Sqrt(Math.PI)), Distributions.LogGamma(0.5), 1e-12);
        Assert.Equal(Math.Log(3628800), Distributions.LogGamma(11), 1e-11);
        Assert.Equal(0.6875, Distributions.IncompleteBeta(2, 3, 0.5), 1e-12);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(double.NaN)]
    public void Quantile_OfNoProbability_Throws(double p)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Distributions.NormalQuantile(p));
        Assert.Throws<ArgumentOutOfRangeException>(() => Distributions.StudentQuantile(p, 3));
    }
}
