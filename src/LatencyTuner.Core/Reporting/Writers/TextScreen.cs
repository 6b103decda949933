using System.Text.RegularExpressions;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Pages;

namespace LatencyTuner.Core.Reporting.Writers;

/// <summary>
/// Writes a document into a number of rows: the verdict, whose it is, what carries it, and as the last lines what to do next. Room for
/// the verdict and the next steps is kept first; the sections get the rest, and a list or table says how much of it is left out.
/// </summary>
/// <param name="options">Width, characters and colour.</param>
/// <param name="height">The rows of the terminal that may be used.</param>
internal sealed partial class TextScreen(TextReportOptions options, int height)
{
    private const string Indent = TextReportWriter.Indent;
    private const int MostSteps = 3;

    // A blank line, the heading, and three commands with a line each that says what they do; two of them may take two rows.
    private const int RowsOfSteps = 10;
    private const int LeastRows = 3;

    // The headline of a finding, its cost and what to do; a heading and three rows of a table.
    private const int LeastOfFirst = 7;
    private const int RowsOfBeginning = 6;

    /// <summary>The option that shows everything of the page that is written.</summary>
    private string _all = "--details";

    internal string Write(Page page)
    {
        _all = page.EverythingBy;
        string everything = TextReportWriter.Everything(page, options);
        if (RowsOf(Split(everything)) <= height)
        {
            return everything;
        }

        List<string> next = Next(page.NextSteps);
        List<string> verdict = Verdict(page.Verdict, height - 1 - RowsOf(next));
        List<string> lines = [.. verdict, Title(page.Title)];
        int left = height - RowsOf(lines) - RowsOf(next);
        for (int at = 0; at < page.Screen.Count; at++)
        {
            // The first section leaves room for the table or chart that proves it.
            int room = left - 1 - (at == 0 ? Beginning(page.Screen.Skip(1)) : 0);
            List<string> part = Section(page.Screen[at], at == 0 && room < LeastOfFirst ? left - 1 : room, at < 2 ? 1 : 2);
            if (part.Count > 0)
            {
                lines.Add("");
                lines.AddRange(part);
                left -= 1 + RowsOf(part);
            }
        }

        return Join([.. lines, .. next]);
    }

    /// <summary>Documents together: the rows are shared, and where they are too few the worst documents are shown.</summary>
    internal static string Share(IReadOnlyList<Page> pages, TextReportOptions options, int height)
    {
        int most = Math.Max(1, (height - 1) / (LeastRows + 1));
        IReadOnlyList<Page> shown = pages.Count <= most ? pages : [.. pages.OrderBy(p => Rank(p.Verdict.Tone)).Take(most)];
        int below = shown.Count < pages.Count ? 1 : 0;
        TextScreen each = new(options, (height - below - shown.Count + 1) / shown.Count);
        string text = string.Join('\n', shown.Select(each.Write));
        return below == 0 ? text : $"{text}{Indent}{pages.Count - shown.Count} more: --details\n";
    }

    private static int Rank(Tone tone) => tone switch { Tone.Bad => 0, Tone.Unsure => 1, Tone.Neutral => 2, _ => 3 };

    /// <summary>The rows in which the first table or chart that fits can begin, with the blank line above it.</summary>
    private int Beginning(IEnumerable<PageSection> sections) =>
        sections.Where(s => s.Blocks.Any(b => b is TableBlock or TimeStripBlock)).Select(s => RowsOf(Section(s, RowsOfBeginning, 1)))
            .FirstOrDefault(rows => rows > 0) is > 0 and var needed ? needed + 1 : 0;

    private List<string> Next(IReadOnlyList<string> steps)
    {
        List<string> lines = Drawn(text =>
        {
            text.Line("");
            NextStepLines.Heading(text);
        });
        int heading = lines.Count;

        // Where one step needs more rows than three usually do, it gets them: it must work when it is pasted.
        int most = Math.Min(RowsOfSteps, height - LeastRows);
        foreach (string step in steps.Take(MostSteps))
        {
            List<string> part = Drawn(text => NextStepLines.Write(text, step, options.Width));
            int limit = lines.Count == heading ? height - LeastRows : most;
            if (RowsOf(lines) + RowsOf(part) <= limit)
            {
                lines.AddRange(part);
            }
        }

        return lines.Count > heading ? lines : [];
    }

    private List<string> Verdict(Verdict verdict, int rows)
    {
        List<string> Lines(string text) => Drawn(canvas => canvas.Wrapped(text, verdict.Word + Indent, Indent, verdict.Tone, bold: true));
        return Cut(verdict.Text, rows, Lines) ?? Lines("").Take(1).ToList();
    }

    /// <summary>The text as it is, up to the end of a sentence, or up to a word: the longest that fits; null when nothing does.</summary>
    private List<string>? Cut(string text, int rows, Func<string, List<string>> draw)
    {
        // What is longer than the rows cannot fit.
        string most = text.Length <= rows * options.Width ? text : text[..Math.Max(0, rows * options.Width)];
        IEnumerable<string> sentences = SentenceEnd().Matches(most).Select(m => most[..m.Index]).Reverse();
        IEnumerable<string> words = Enumerable.Range(1, most.Length).Select(n => most.Length - n).Where(i => most[i] == ' ').Select(i => most[..i]);
        IEnumerable<string> cut = sentences.Concat(words).Select(part => part.TrimEnd(' ', ',', ';', ':') + " ...");
        return (most.Length == text.Length ? cut.Prepend(text) : cut).Select(draw).FirstOrDefault(lines => RowsOf(lines) <= rows);
    }

    /// <summary>Whose report it is and how to see all of it, in one row.</summary>
    private string Title(string title)
    {
        string rest = $"; all figures: {_all}";
        TextCanvas text = new(options);
        string clean = text.Clean(title);
        int room = options.Width - Indent.Length - rest.Length;
        text.Wrapped((clean.Length <= room ? clean : clean[..(room - 3)].TrimEnd(' ', '.') + "...") + rest, Indent, Indent, dim: true);
        return Split(text.ToString())[0];
    }

    private List<string> Section(PageSection section, int rows, int least)
    {
        List<string> lines = section.Heading is { } heading ? Drawn(text => text.Wrapped(heading, "", "", bold: true)) : [];
        int heads = lines.Count;
        foreach (PageBlock block in section.Blocks)
        {
            bool apart = block is TableBlock && lines.Count > heads;
            List<string> part = Fit(block, rows - RowsOf(lines) - (apart ? 1 : 0), least);
            if (part.Count > 0)
            {
                lines.AddRange(apart ? ["", .. part] : part);
            }
        }

        return lines.Count > heads ? lines : [];
    }

    /// <summary>As much of a block as fits; nothing when fewer than <paramref name="least"/> parts of it would.</summary>
    private List<string> Fit(PageBlock block, int rows, int least) => rows < 1 ? [] : block switch
    {
        ListBlock list => FitList(list, rows, least),
        TableBlock table => FitTable(table, rows, least),
        FactsBlock facts => Longest(facts.Facts.Count, rows, 1, n => Drawn(new FactsBlock([.. facts.Facts.Take(n)]))),
        ParagraphBlock paragraph => Cut(paragraph.Text, rows, text => Drawn(new ParagraphBlock(text))) ?? [],
        _ => Drawn(block) is var whole && RowsOf(whole) <= rows ? whole : [],
    };

    private List<string> FitList(ListBlock list, int rows, int least)
    {
        int count = list.Items.Count;
        List<string> lines = Longest(
            count, rows, Math.Min(least, count),
            n => [.. Drawn(list with { Items = [.. list.Items.Take(n)], TextLimit = null }), .. More(count - n)]);
        if (lines.Count > 0 || (least > 1 && count > 1) || count == 0)
        {
            return lines;
        }

        // The first item alone is too long. Its last detail says what to do: the evidence before it goes first.
        List<string> details = [.. list.Items[0].Details];
        while (details.Count > 0)
        {
            details.RemoveAt(Math.Max(0, details.Count - 2));
            lines = [.. Drawn(list with { Items = [list.Items[0] with { Details = [.. details] }], TextLimit = null }), .. More(count - 1)];
            if (RowsOf(lines) <= rows)
            {
                return lines;
            }
        }

        return [];
    }

    private List<string> FitTable(TableBlock table, int rows, int least)
    {
        List<string> whole = table.Rows.Count <= rows ? [.. Drawn(table), .. More(table.NotListed)] : [];
        if (whole.Count > 0 && RowsOf(whole) <= rows)
        {
            return whole;
        }

        // Second lines, such as intervals, make room for rows.
        TableBlock bare = table with { Caption = null, Columns = [.. table.Columns.Select(c => c with { Legend = null })] };
        whole = table.Rows.Count <= rows ? [.. Drawn(bare), .. More(table.NotListed)] : [];
        if (whole.Count > 0 && RowsOf(whole) <= rows)
        {
            return whole;
        }

        bare = bare.InOneLine();
        bool IsGroup(IReadOnlyList<TableCell> row) => row.Count < table.Columns.Count;
        return Longest(table.Rows.Count, rows, Math.Min(least, table.Rows.Count), n =>
        {
            // A heading of a group without its rows says nothing.
            List<IReadOnlyList<TableCell>> kept = [.. table.Foremost(n)];
            while (kept.Count > 0 && IsGroup(kept[^1]))
            {
                kept.RemoveAt(kept.Count - 1);
            }

            return [.. Drawn(bare with { Rows = kept }), .. More(table.Rows.Count(r => !IsGroup(r)) - kept.Count(r => !IsGroup(r)) + table.NotListed)];
        });
    }

    /// <summary>The longest beginning that fits; nothing when fewer than <paramref name="least"/> parts do.</summary>
    private List<string> Longest(int count, int rows, int least, Func<int, List<string>> draw)
    {
        // Each part takes a row at least.
        for (int n = Math.Min(count, rows); n >= Math.Max(1, least); n--)
        {
            List<string> lines = draw(n);
            if (RowsOf(lines) <= rows)
            {
                return lines;
            }
        }

        return [];
    }

    private IEnumerable<string> More(int left) => left > 0 ? [$"{Indent}{left} more: {_all}"] : [];

    private List<string> Drawn(PageBlock block) => Drawn(text => TextReportWriter.Block(text, block, options));

    private List<string> Drawn(Action<TextCanvas> draw)
    {
        TextCanvas text = new(options);
        draw(text);
        return Split(text.ToString());
    }

    private static List<string> Split(string text) => text.Length == 0 ? [] : [.. text.TrimEnd('\n').Split('\n')];

    private static string Join(IEnumerable<string> lines) => string.Concat(lines.Select(l => l + '\n'));

    /// <summary>The rows that the terminal needs: a line to paste may be longer than one.</summary>
    private int RowsOf(IEnumerable<string> lines) =>
        lines.Sum(l => Math.Max(1, (Escapes().Replace(l, "").Length + options.Width - 1) / options.Width));

    [GeneratedRegex(@"(?<=[.!?]) ")]
    private static partial Regex SentenceEnd();

    [GeneratedRegex("\u001b\\[[0-9;]*m")]
    private static partial Regex Escapes();
}
