namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A picture that answers one question, in the units of its data. Where a mark stands on the page is decided when it is drawn.</summary>
internal abstract record Chart
{
    /// <summary>Its name in the document, for <c>--chart</c>: words joined by hyphens.</summary>
    public required string Name { get; init; }

    /// <summary>What to see, a sentence.</summary>
    public required string Caption { get; init; }

    /// <summary>The picture in words, for readers who cannot see it.</summary>
    public required string Alternative { get; init; }
}

/// <summary>Marks over two axes.</summary>
internal sealed record PlotChart : Chart
{
    /// <summary>The horizontal axis.</summary>
    public required ChartAxis X { get; init; }

    /// <summary>The vertical axis.</summary>
    public required ChartAxis Y { get; init; }

    /// <summary>What the colours and shapes mean, in the order of the legend.</summary>
    public IReadOnlyList<ChartKey> Keys { get; init; } = [];

    /// <summary>The marks; later ones cover earlier ones.</summary>
    public required IReadOnlyList<ChartMark> Marks { get; init; }

    /// <summary>True for a picture of times that can be zoomed in the page with a script.</summary>
    public bool IsTimeSeries { get; init; }
}

/// <summary>An axis.</summary>
/// <param name="Label">What it shows, with its unit.</param>
/// <param name="Scale">How its values are spread.</param>
/// <param name="Text">A value of it in words.</param>
internal sealed record ChartAxis(string Label, ChartScale Scale, Func<double, string> Text);

/// <summary>An entry of a legend.</summary>
/// <param name="Name">What the marks of this key are.</param>
/// <param name="Color">The number of its colour, from 1 to <see cref="ChartStyle.Colors"/>.</param>
/// <param name="Shape">What its marks look like.</param>
internal sealed record ChartKey(string Name, int Color, KeyShape Shape);

/// <summary>The shape of the marks of a key; colour alone says nothing.</summary>
internal enum KeyShape
{
    Line,
    DashedLine,
    Dot,
    OpenDot,
    Cross,
    Bar,
    Area,
    Whisker,
}

/// <summary>Bars by name: one row for each thing that is compared.</summary>
internal sealed record RowChart : Chart
{
    /// <summary>The axis of the bars.</summary>
    public required ChartAxis X { get; init; }

    /// <summary>What the colours mean.</summary>
    public IReadOnlyList<ChartKey> Keys { get; init; } = [];

    /// <summary>The rows in order.</summary>
    public required IReadOnlyList<ChartRow> Rows { get; init; }

    /// <summary>Values that are marked over all rows, such as a limit.</summary>
    public IReadOnlyList<RuleMark> Rules { get; init; } = [];
}

/// <summary>A row of bars.</summary>
/// <param name="Name">What the row is about.</param>
/// <param name="Bars">Its bars, one below the other.</param>
internal sealed record ChartRow(string Name, IReadOnlyList<RowBar> Bars);

/// <summary>A bar of a row.</summary>
/// <param name="Key">Its key.</param>
/// <param name="Value">Its end on the axis.</param>
/// <param name="Text">The value with its unit, written beside the bar.</param>
/// <param name="From">Its start on the axis; null for the foot of the axis.</param>
/// <param name="Low">Lower end of its interval; null for none.</param>
/// <param name="High">Upper end of its interval; null where it is open or there is none.</param>
/// <param name="Open">True when the value is a lower bound: its end is drawn open.</param>
internal sealed record RowBar(
    ChartKey Key, double Value, string Text, double? From = null, double? Low = null, double? High = null, bool Open = false);

/// <summary>Tables whose cells are shaded by their values, with the numbers inside.</summary>
internal sealed record HeatChart : Chart
{
    /// <summary>Heading of the rows.</summary>
    public required string RowLabel { get; init; }

    /// <summary>Heading of the columns.</summary>
    public required string ColumnLabel { get; init; }

    /// <summary>The rows.</summary>
    public required IReadOnlyList<string> Rows { get; init; }

    /// <summary>The columns.</summary>
    public required IReadOnlyList<string> Columns { get; init; }

    /// <summary>One table for each figure.</summary>
    public required IReadOnlyList<HeatPanel> Panels { get; init; }
}

/// <summary>The cells of one figure.</summary>
/// <param name="Title">What is shown.</param>
/// <param name="Scale">From the lightest to the darkest shade.</param>
/// <param name="Cells">Row by row; null where nothing was measured.</param>
internal sealed record HeatPanel(string Title, ChartScale Scale, IReadOnlyList<HeatCell?> Cells);

/// <summary>A shaded cell.</summary>
/// <param name="Value">The value that shades it; null for a cell that failed.</param>
/// <param name="Text">The value with its unit.</param>
/// <param name="Title">The cell in words.</param>
internal sealed record HeatCell(double? Value, string Text, string Title);

/// <summary>Two time lines with what passed between them.</summary>
internal sealed record LadderChart : Chart
{
    /// <summary>The ends: left and right.</summary>
    public required (string Left, string Right) Ends { get; init; }

    /// <summary>The steps in order of time.</summary>
    public required IReadOnlyList<LadderRung> Rungs { get; init; }
}

/// <summary>A step between two time lines.</summary>
/// <param name="AtMs">Its time, milliseconds after the first.</param>
/// <param name="FromLeft">True when the left end acted.</param>
/// <param name="Crosses">True when something went to the other end.</param>
/// <param name="Text">What it is.</param>
/// <param name="Because">Why the time before it passed; null when nothing waited.</param>
internal sealed record LadderRung(double AtMs, bool FromLeft, bool Crosses, string Text, string? Because);
