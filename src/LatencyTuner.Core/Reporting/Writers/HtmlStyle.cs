namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The style sheet of the HTML report.</summary>
internal static class HtmlStyle
{
    internal const string Sheet = """
        :root { color-scheme: light dark; --ink: #1b1f24; --page: #ffffff; --soft: #57606a; --rule: #d0d7de; --panel: #f6f8fa;
          --good: #116329; --bad: #a40e26; --unsure: #7d4e00; --line: #0550ae; --line2: #8250df; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6edf3; --page: #0d1117; --soft: #9198a1; --rule: #3d444d; --panel: #161b22;
            --good: #4ac26b; --bad: #ff7b72; --unsure: #e3b341; --line: #79c0ff; --line2: #d2a8ff; }
        }
        body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 "Segoe UI", system-ui, sans-serif; }
        main { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
        h1 { font-size: 1.3rem; margin: 1.2rem 0 0; overflow-wrap: anywhere; }
        h2 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
        h3 { font-size: .92rem; margin: .8rem 0 .2rem; color: var(--soft); }
        pre { background: var(--panel); padding: .6rem .8rem; margin: .2rem 0; overflow-x: auto; }
        p, li, td, th { overflow-wrap: anywhere; }
        .sub, caption, small, .detail { color: var(--soft); }
        .sub { margin: .1rem 0 .8rem; }
        .verdict { background: var(--panel); border-left: .4rem solid var(--soft); padding: .7rem 1rem; font-size: 1.05rem; }
        .verdict strong { margin-right: .6rem; }
        .verdict.good { border-color: var(--good); } .verdict.bad { border-color: var(--bad); } .verdict.unsure { border-color: var(--unsure); }
        td.good, .good > strong, strong.good { color: var(--good); } td.bad, .bad > strong, strong.bad { color: var(--bad); }
        td.unsure, th.unsure, .unsure > strong, strong.unsure { color: var(--unsure); }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        caption { caption-side: bottom; text-align: left; font-size: .85rem; padding-top: .4rem; }
        th, td { padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
        th { font-weight: 600; } tbody th { font-weight: 400; }
        th.group { padding-top: .7rem; font-weight: 600; }
        .right { text-align: right; padding-left: .8rem; padding-right: 0; }
        small { display: block; font-weight: 400; font-size: .8rem; white-space: nowrap; }
        .facts th { color: var(--soft); white-space: nowrap; } .facts th, .facts td { border: 0; padding-top: .1rem; padding-bottom: .1rem; }
        .detail { font-size: .92rem; }
        svg { max-width: 100%; height: auto; } svg text { fill: var(--soft); font: 11px "Segoe UI", system-ui, sans-serif; }
        svg .bar { fill: var(--line); } svg .axis { stroke: var(--rule); } svg .median { stroke: var(--line); fill: var(--line); }
        svg .p99 { stroke: var(--line2); fill: var(--line2); } svg polyline { fill: none !important; stroke-width: 2; }
        @media print { main { max-width: none; padding: 0; } section, tr, svg { break-inside: avoid; } article { break-after: page; } nav { display: none; } }
        """;
}
