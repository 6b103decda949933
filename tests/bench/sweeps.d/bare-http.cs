// A bare loop of HttpClient on a schedule, for comparison: URL RATE COUNT; prints the median of the whole replies in microseconds.
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;

double rate = double.Parse(args[1], CultureInfo.InvariantCulture);
int count = int.Parse(args[2], CultureInfo.InvariantCulture);
Uri uri = new(args[0]);
using HttpMessageInvoker client = new(new SocketsHttpHandler
{
    AllowAutoRedirect = false,
    UseCookies = false,
    UseProxy = false,
    ConnectCallback = async (context, cancellation) =>
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(context.DnsEndPoint, cancellation);
        return new NetworkStream(socket, ownsSocket: true);
    },
});
byte[] body = new byte[16384];
double[] us = new double[count];
using ManualResetEvent never = new(false);
long start = Stopwatch.GetTimestamp();
for (int i = -1; i < count; i++)
{
    TimeSpan planned = TimeSpan.FromSeconds((i + 1) / rate);
    for (TimeSpan left; (left = planned - Stopwatch.GetElapsedTime(start)) > TimeSpan.Zero;)
    {
        never.WaitOne(left + TimeSpan.FromMilliseconds(0.5));
    }

    long sent = Stopwatch.GetTimestamp();
    AskAsync().GetAwaiter().GetResult();
    if (i >= 0)
    {
        us[i] = Stopwatch.GetElapsedTime(sent).TotalMicroseconds;
    }
}

Array.Sort(us);
Console.WriteLine(us[count / 2].ToString("0.0", CultureInfo.InvariantCulture));

async Task AskAsync()
{
    using HttpRequestMessage request = new(HttpMethod.Get, uri);
    using HttpResponseMessage response = await client.SendAsync(request, CancellationToken.None).ConfigureAwait(false);
    using Stream stream = await response.Content.ReadAsStreamAsync().ConfigureAwait(false);
    while (await stream.ReadAsync(body).ConfigureAwait(false) > 0)
    {
    }
}
