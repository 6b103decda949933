namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>The colours of charts, light and dark. Each differs from its neighbours in brightness as well, for readers who do not see colours.</summary>
internal static class ChartStyle
{
    /// <summary>Number of colours of data; more series begin again.</summary>
    internal const int Colors = 6;

    /// <summary>The colour of the n-th series, from 0.</summary>
    internal static int Color(int n) => (n % Colors) + 1;

    /// <summary>Values of the colours, for a page in light and in dark.</summary>
    internal const string Light = """
        --ink: #1b1f24; --page: #ffffff; --soft: #57606a; --rule: #d0d7de; --panel: #f6f8fa; --c1: #0550ae; --c2: #bc4c00; --c3: #1a7f64; --c4: #8250df;
        --c5: #7d4e00; --c6: #bf3989;
        """;

    internal const string Dark = """
        --ink: #e6edf3; --page: #0d1117; --soft: #9198a1; --rule: #3d444d; --panel: #161b22; --c1: #79c0ff; --c2: #ffa657; --c3: #56d4b5; --c4: #d2a8ff;
        --c5: #e3b341; --c6: #ff9bce;
        """;

    /// <summary>The rules of all charts.</summary>
    internal const string Sheet = """
        svg text { fill: var(--soft); font-family: "Segoe UI", system-ui, sans-serif; }
        svg .strong { fill: var(--ink); }
        .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); }
        .c5 { color: var(--c5); } .c6 { color: var(--c6); }
        svg .grid { stroke: var(--rule); stroke-width: 1; } svg .axis { stroke: var(--soft); stroke-width: 1; }
        svg .line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; } svg .thin { stroke-width: 1; opacity: .6; }
        svg .dash { fill: none; stroke: currentColor; stroke-width: 2; stroke-dasharray: 5 4; }
        svg .fill { fill: currentColor; } svg .open { fill: var(--page); stroke: currentColor; stroke-width: 1.6; }
        svg .stroke { fill: none; stroke: currentColor; stroke-width: 1.6; }
        svg .band { fill: currentColor; opacity: .2; } svg .span { fill: currentColor; opacity: .16; } svg .hit { fill: transparent; }
        svg .hit:hover { fill: var(--soft); opacity: .25; }
        svg .h1 { opacity: .06; } svg .h2 { opacity: .14; } svg .h3 { opacity: .22; }
        svg .h4 { opacity: .3; } svg .h5 { opacity: .38; } svg .h6 { opacity: .46; }
        """;
}
