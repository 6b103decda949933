using System.Numerics;
using System.Runtime.CompilerServices;

namespace LatencyTuner.Core.Histograms;

/// <summary>
/// A sum of up to 128 bits. Not <see cref="UInt128"/>: methods that touch one are left out when code is compiled ahead of time, and then
/// every run of this program would compile the histogram anew.
/// </summary>
/// <param name="High">The upper 64 bits.</param>
/// <param name="Low">The lower 64 bits.</param>
internal readonly record struct WideSum(ulong High, ulong Low)
{
    public static WideSum operator +(WideSum sum, ulong value) => sum + new WideSum(0, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WideSum operator +(WideSum a, WideSum b)
    {
        ulong low = a.Low + b.Low;
        return new(a.High + b.High + (low < a.Low ? 1UL : 0UL), low);
    }

    /// <summary>The lower 128 bits of a product.</summary>
    public static WideSum operator *(WideSum a, ulong b)
    {
        ulong carried = Math.BigMul(a.Low, b, out ulong low);
        return new((a.High * b) + carried, low);
    }

    public static explicit operator double(WideSum sum) => (sum.High * 18_446_744_073_709_551_616.0) + sum.Low;

    public static implicit operator BigInteger(WideSum sum) => ((BigInteger)sum.High << 64) + sum.Low;

    /// <summary>The square of a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static WideSum Square(ulong value) => new(Math.BigMul(value, value, out ulong low), low);
}
