using System.Globalization;
using System.Text;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Reporting.Charts;

/// <summary>A drawing in pixels that becomes an SVG element without script and without styles of its own.</summary>
/// <param name="width">Its width in pixels.</param>
internal sealed class SvgDrawing(double width)
{
    private readonly StringBuilder _marks = new();

    /// <summary>Size of its text in pixels.</summary>
    public const double TextSize = 12.5;

    /// <summary>Distance from one line of text to the next.</summary>
    public const double LineHeight = 17;

    /// <summary>Its width in pixels.</summary>
    public double Width { get; private set; } = width;

    /// <summary>Its height in pixels; grows with what is drawn.</summary>
    public double Height { get; set; }

    /// <summary>Makes it wider where the content needs it.</summary>
    public void Widen(double width) => Width = Math.Max(Width, width);

    public void Text(double x, double y, string text, string anchor = "start", bool strong = false)
    {
        if (text.Length > 0)
        {
            string at = anchor == "start" ? "" : $" text-anchor=\"{anchor}\"";
            string classes = strong ? " class=\"strong\"" : "";
            _ = _marks.Append(CultureInfo.InvariantCulture, $"<text x=\"{N(x)}\" y=\"{N(y)}\"{at}{classes}>{Markup.Escape(text)}</text>\n");
        }
    }

    public void Line(string classes, double x1, double y1, double x2, double y2) =>
        _marks.Append(CultureInfo.InvariantCulture, $"<line class=\"{classes}\" x1=\"{N(x1)}\" y1=\"{N(y1)}\" x2=\"{N(x2)}\" y2=\"{N(y2)}\"/>\n");

    public void Rect(string classes, double x, double y, double w, double h, string? title = null)
    {
        _ = _marks.Append(
            CultureInfo.InvariantCulture,
            $"<rect class=\"{classes}\" x=\"{N(x)}\" y=\"{N(y)}\" width=\"{N(Math.Max(w, 0))}\" height=\"{N(Math.Max(h, 0))}\"");
        End("rect", title);
    }

    public void Circle(string classes, double x, double y, double r, string? title = null)
    {
        _ = _marks.Append(CultureInfo.InvariantCulture, $"<circle class=\"{classes}\" cx=\"{N(x)}\" cy=\"{N(y)}\" r=\"{N(r)}\"");
        End("circle", title);
    }

    public void Path(string classes, string data, string? title = null)
    {
        _ = _marks.Append(CultureInfo.InvariantCulture, $"<path class=\"{classes}\" d=\"{data}\"");
        End("path", title);
    }

    /// <summary>The classes of a mark with the colour of a key.</summary>
    public static string Classes(ChartKey key, string shape) => $"{shape} c{key.Color}";

    /// <summary>The element.</summary>
    /// <param name="alternative">The picture in words.</param>
    /// <param name="style">Rules of its own, for a drawing outside of a page; null for none.</param>
    public string Write(string alternative, string? style = null) =>
        $"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{Markup.Escape(alternative)}\" viewBox=\"0 0 {N(Width)} {N(Height)}\" "
        + $"width=\"{N(Width)}\" height=\"{N(Height)}\" font-size=\"{N(TextSize)}\">\n{style}{_marks}</svg>\n";

    /// <summary>A mark at the end of an interval or a line that goes on: an open triangle.</summary>
    public void Open(ChartKey key, double x, double y, int up, string? title)
    {
        const double Half = 4;
        Path(Classes(key, "open"), $"M{N(x - Half)} {N(y)}L{N(x + Half)} {N(y)}L{N(x)} {N(y - (up * 7))}Z", title);
    }

    /// <summary>A legend in as many lines as it needs.</summary>
    /// <returns>The height that it takes.</returns>
    public double Legend(IReadOnlyList<ChartKey> keys, double left, double top)
    {
        const double Mark = 24;
        double x = left;
        double y = top;
        foreach (ChartKey key in keys)
        {
            string name = ChartText.Cut(key.Name, Width - left - Mark - 8, TextSize);
            double wide = Mark + ChartText.Width(name, TextSize) + 16;
            if (x > left && x + wide > Width)
            {
                (x, y) = (left, y + LineHeight + 2);
            }

            Sample(key, x, y + (LineHeight / 2));
            Text(x + Mark, y + 13, name);
            x += wide;
        }

        return keys.Count == 0 ? 0 : y + LineHeight + 6 - top;
    }

    public static string N(double value) => ChartText.Number(value);

    private void Sample(ChartKey key, double x, double y)
    {
        switch (key.Shape)
        {
            case KeyShape.Line:
                Line(Classes(key, "line"), x, y, x + 18, y);
                break;
            case KeyShape.DashedLine:
                Line(Classes(key, "dash"), x, y, x + 18, y);
                break;
            case KeyShape.Dot:
                Circle(Classes(key, "fill"), x + 9, y, 4);
                break;
            case KeyShape.OpenDot:
                Circle(Classes(key, "open"), x + 9, y, 4);
                break;
            case KeyShape.Cross:
                Cross(key, x + 9, y, null);
                break;
            case KeyShape.Whisker:
                Line(Classes(key, "stroke"), x + 9, y - 6, x + 9, y + 6);
                Line(Classes(key, "stroke"), x + 6, y - 6, x + 12, y - 6);
                Line(Classes(key, "stroke"), x + 6, y + 6, x + 12, y + 6);
                break;
            default:
                Rect(Classes(key, key.Shape == KeyShape.Area ? "span" : "fill"), x, y - 5, 18, 10);
                if (key.Shape == KeyShape.Area)
                {
                    Line(Classes(key, "stroke"), x, y - 5, x, y + 5);
                }

                break;
        }
    }

    public void Cross(ChartKey key, double x, double y, string? title) => Path(
        Classes(key, "stroke"), $"M{N(x - 3.5)} {N(y - 3.5)}L{N(x + 3.5)} {N(y + 3.5)}M{N(x - 3.5)} {N(y + 3.5)}L{N(x + 3.5)} {N(y - 3.5)}", title);

    private void End(string element, string? title) =>
        _ = title is null ? _marks.Append("/>\n") : _marks.Append(CultureInfo.InvariantCulture, $"><title>{Markup.Escape(title)}</title></{element}>\n");
}
