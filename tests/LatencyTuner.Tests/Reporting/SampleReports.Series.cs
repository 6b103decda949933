using System.Globalization;
using System.Text;
using LatencyTuner.Core.Findings;
using LatencyTuner.Core.Reporting.Series;
using LatencyTuner.Core.Series;

namespace LatencyTuner.Tests.Reporting;

internal static partial class SampleReports
{
    /// <summary>Two hosts that swing every 60 s, the second 12 s behind; the first shifts by 12 ms.</summary>
    internal static SeriesReport Series => SeriesReportBuilder.From(
        [SeriesOf("db1", 1, 0, 12), SeriesOf("web2", 2, 12, 0)], SeverityLimits.Standard, slowerThanNs: 45_000_000);

    private static ObservedSeries SeriesOf(string name, int seed, double behind, double shift, double swing = 5)
    {
        Random random = new(seed);
        StringBuilder text = new("time,latency_ms\n");
        for (int i = 0; i < 1200; i++)
        {
            double ms = 24 + (swing * Math.Cos(2 * Math.PI * (i - behind) / 60)) + (8 * (random.NextDouble() - 0.5)) + (i >= 800 ? shift : 0);
            text.Append(CultureInfo.InvariantCulture, $"{Started.AddSeconds(i):yyyy-MM-ddTHH:mm:ssZ},{ms:0.000}\n");
        }

        return SeriesFile.Read(new MemoryStream(Encoding.UTF8.GetBytes(text.ToString())), name, new SeriesReadOptions { SlowerThanNs = 45_000_000 });
    }
}
