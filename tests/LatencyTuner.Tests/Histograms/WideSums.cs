using System.Numerics;
using LatencyTuner.Core.Histograms;
using Xunit;

namespace LatencyTuner.Tests.Histograms;

/// <summary>Against the framework's own 128 bits.</summary>
public sealed class WideSums
{
    private static WideSum Of(UInt128 value) => new((ulong)(value >> 64), (ulong)value);

    private static UInt128 Wide(WideSum sum) => new(sum.High, sum.Low);

    [Fact]
    public void Arithmetic_IsThatOfUInt128()
    {
        Random random = new(1);
        ulong Draw() => (ulong)random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
        for (int i = 0; i < 20_000; i++)
        {
            (UInt128 a, UInt128 b, ulong c) = (new(Draw(), Draw()), new(Draw(), Draw()), Draw());

            Assert.Equal(unchecked(a + b), Wide(Of(a) + Of(b)));
            Assert.Equal(unchecked(a + c), Wide(Of(a) + c));
            Assert.Equal(unchecked(a * c), Wide(Of(a) * c));
            Assert.Equal((UInt128)c * c, Wide(WideSum.Square(c)));
            Assert.Equal((BigInteger)a, (BigInteger)Of(a));
            Assert.True(a == 0 || Math.Abs(((double)Of(a) / (double)a) - 1) < 1e-15);
            Assert.Equal((double)c, (double)new WideSum(0, c));
        }
    }

    [Theory]
    [InlineData(0UL)]
    [InlineData(1UL)]
    [InlineData(ulong.MaxValue)]
    public void Ends_Carry(ulong value)
    {
        UInt128 most = new(1, ulong.MaxValue);

        Assert.Equal(most + value, Wide(Of(most) + value));
        Assert.Equal((UInt128)value * value, Wide(WideSum.Square(value)));
    }
}
