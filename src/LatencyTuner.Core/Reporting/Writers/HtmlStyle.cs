using LatencyTuner.Core.Reporting.Charts;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>The style sheet of the HTML report.</summary>
internal static class HtmlStyle
{
    internal const string Sheet = $$"""
        :root { color-scheme: light dark; --good: #116329; --bad: #a40e26; --unsure: #7d4e00;
        {{ChartStyle.Light}} }
        @media screen and (prefers-color-scheme: dark) { :root { --good: #4ac26b; --bad: #ff7b72; --unsure: #e3b341;
        {{ChartStyle.Dark}} } }
        body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 "Segoe UI", system-ui, sans-serif; }
        main { max-width: 56rem; margin: 0 auto; padding: 1rem 1rem 3rem; }
        h1 { font-size: 1.3rem; margin: 1.2rem 0 .2rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; overflow-wrap: anywhere; }
        h3 { font-size: .92rem; margin: .8rem 0 .2rem; color: var(--soft); }
        pre { background: var(--panel); padding: .6rem .8rem; margin: .2rem 0; overflow-x: auto; }
        a { color: var(--c1); }
        p, li, dd, code { overflow-wrap: anywhere; }
        .sub, .legend, small, .detail, dt { color: var(--soft); }
        .sub { margin: .1rem 0 .8rem; }
        .verdict { background: var(--panel); border-left: .4rem solid var(--soft); padding: .7rem 1rem; font-size: 1.05rem; }
        .verdict strong { margin-right: .6rem; }
        .verdict.good { border-color: var(--good); } .verdict.bad { border-color: var(--bad); } .verdict.unsure { border-color: var(--unsure); }
        td.good, .good > strong, strong.good { color: var(--good); } td.bad, .bad > strong, strong.bad { color: var(--bad); }
        td.unsure, th.unsure, .unsure > strong, strong.unsure { color: var(--unsure); }
        dl.ticket { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; margin: .6rem 0 1rem; font-size: .92rem; }
        dl.ticket dt, dl.ticket dd { margin: 0; } dl.ticket code { font-size: .85rem; }
        figure { margin: .4rem 0 .8rem; } figcaption { margin: 0 0 .5rem; }
        .scroll { overflow-x: auto; }
        .narrow { display: none; } .wide svg { max-width: 100%; height: auto; }
        details { margin: .3rem 0 .8rem; } summary h2 { display: inline; font-size: 1rem; } summary { cursor: pointer; color: var(--soft); padding: .2rem 0; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        .legend { font-size: .85rem; margin: .4rem 0; }
        th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
        th:first-child, td:first-child { padding-left: 0; }
        th { font-weight: 600; } tbody th { font-weight: 400; }
        thead th, td.right { white-space: nowrap; }
        th.group { padding-top: .7rem; font-weight: 600; }
        .right { text-align: right; } tr:target { background: var(--panel); }
        td, tbody th { min-width: 4.5rem; max-width: 26rem; overflow-wrap: anywhere; } tbody th { min-width: 8rem; }
        small { display: block; font-weight: 400; font-size: .8rem; white-space: nowrap; }
        .facts { width: 100%; } .facts th { color: var(--soft); width: 9rem; } .facts th, .facts td { border: 0; padding-top: .1rem; padding-bottom: .1rem; }
        .detail { font-size: .92rem; }
        {{ChartStyle.Sheet}}
        @media (max-width: 720px) {
          .wide { display: none; } .narrow { display: block; }
          .facts tr, .facts th, .facts td { display: block; width: auto; padding: 0; } .facts td { margin-bottom: .5rem; }
          dl.ticket { display: block; } dl.ticket dd { margin: 0 0 .4rem; }
        }
        @media print {
          main { max-width: none; padding: 0; } .wide { display: block; } .narrow { display: none; } .scroll { overflow: visible; }
          pre { white-space: pre-wrap; overflow-wrap: anywhere; }
          figure, tr, .verdict, dl.ticket { break-inside: avoid; } h2, figcaption { break-after: avoid; } article + article { break-before: page; }
          details::details-content { content-visibility: visible; block-size: auto; } summary { list-style: none; }
          table { font-size: .75rem; }
          th, td { padding-left: .3rem; padding-right: .3rem; min-width: 0 !important; }
          thead th, td.right, small { white-space: normal; overflow-wrap: anywhere; }
        }
        """;
}
