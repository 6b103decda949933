namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A mark of a plot, in the units of its axes.</summary>
/// <param name="Key">What it belongs to; null for a mark without a place in the legend.</param>
/// <param name="Title">The mark in words; null where another mark says it.</param>
internal abstract record ChartMark(ChartKey? Key, string? Title);

/// <summary>A point of a plot.</summary>
/// <param name="X">Its place on the horizontal axis.</param>
/// <param name="Y">Its place on the vertical axis; NaN interrupts a line.</param>
internal readonly record struct ChartPoint(double X, double Y);

/// <summary>A line through points in order.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="Points">The points in ascending order of X.</param>
/// <param name="Title">The line in words.</param>
/// <param name="Thin">True for one of several lines of the same key.</param>
internal sealed record LineMark(ChartKey Key, IReadOnlyList<ChartPoint> Points, string? Title = null, bool Thin = false) : ChartMark(Key, Title);

/// <summary>A point of its own; those at the same place are drawn as one.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="X">Its place on the horizontal axis.</param>
/// <param name="Y">Its place on the vertical axis.</param>
/// <param name="Title">The point in words.</param>
/// <param name="More">Where the true value lies: 1 above, -1 below, 0 here.</param>
internal sealed record DotMark(ChartKey Key, double X, double Y, string? Title, int More = 0) : ChartMark(Key, Title);

/// <summary>A box.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="X0">Its left side.</param>
/// <param name="X1">Its right side.</param>
/// <param name="Y0">Its foot.</param>
/// <param name="Y1">Its top.</param>
/// <param name="Title">The box in words.</param>
internal sealed record BarMark(ChartKey Key, double X0, double X1, double Y0, double Y1, string? Title) : ChartMark(Key, Title);

/// <summary>The interval of a value.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="X">Its place on the horizontal axis.</param>
/// <param name="Low">Its lower end.</param>
/// <param name="High">Its upper end; null where it is open.</param>
/// <param name="Title">The interval in words.</param>
internal sealed record WhiskerMark(ChartKey Key, double X, double Low, double? High, string? Title) : ChartMark(Key, Title);

/// <summary>The area between two lines.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="Lows">The lower line.</param>
/// <param name="Highs">The upper line, at the same places.</param>
/// <param name="Title">The area in words.</param>
internal sealed record BandMark(ChartKey Key, IReadOnlyList<ChartPoint> Lows, IReadOnlyList<ChartPoint> Highs, string? Title) : ChartMark(Key, Title);

/// <summary>A shaded part of the horizontal axis, over the whole height.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="X0">Its start.</param>
/// <param name="X1">Its end.</param>
/// <param name="Title">What it is, in words.</param>
internal sealed record SpanMark(ChartKey Key, double X0, double X1, string? Title) : ChartMark(Key, Title);

/// <summary>A value that is marked over the whole width or height.</summary>
/// <param name="Key">What it belongs to.</param>
/// <param name="Value">The value.</param>
/// <param name="Vertical">True for a value of the horizontal axis.</param>
/// <param name="Title">What it is, in words.</param>
internal sealed record RuleMark(ChartKey Key, double Value, bool Vertical, string? Title) : ChartMark(Key, Title);

/// <summary>What stands at one time, told where the pointer is; neighbours are joined when there are many.</summary>
/// <param name="X0">Start of the time.</param>
/// <param name="X1">End of the time.</param>
/// <param name="N">Number of values behind it.</param>
/// <param name="Values">The values in the order of the names that are given to the chart; NaN for none.</param>
/// <param name="Names">Names of the values.</param>
internal sealed record ColumnMark(double X0, double X1, long N, IReadOnlyList<double> Values, IReadOnlyList<string> Names) : ChartMark(null, null);
