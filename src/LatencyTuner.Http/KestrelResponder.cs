using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using LatencyTuner.Core;
using LatencyTuner.Core.Measurement.Http;
using LatencyTuner.Core.Measurement.Responding;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace LatencyTuner.Http;

/// <summary>
/// Kestrel as a responder: HTTP/1.1 and, with prior knowledge, HTTP/2 on one port without TLS. The server alone: no host, no configuration, no logging.
/// </summary>
public sealed class KestrelResponder : HttpResponder
{
    private static readonly TimeSpan StopWithin = TimeSpan.FromSeconds(2);
    private readonly KestrelServer _server;
    private readonly StreamApplication _application;
    private readonly RandomNumberGenerator _random;
    private int _disposed;

    private KestrelResponder(KestrelServer server, StreamApplication application, RandomNumberGenerator random, IReadOnlyList<IPEndPoint> endpoints)
    {
        _random = random;
        _server = server;
        _application = application;
        Endpoints = endpoints;
    }

    /// <inheritdoc/>
    public override IReadOnlyList<IPEndPoint> Endpoints { get; }

    /// <inheritdoc/>
    public override long Served => _application.Served;

    /// <inheritdoc/>
    public override long Refused => _application.Refused;

    /// <summary>Starts listening.</summary>
    /// <param name="options">The settings of the responder; the port is its HTTP port.</param>
    /// <param name="time">The clock.</param>
    /// <param name="random">Source of nonces.</param>
    /// <exception cref="ExpectedFailureException">The address is not of this machine, or the port is in use or needs a privilege.</exception>
    public static HttpResponder Start(ResponderOptions options, TimeProvider time, RandomNumberGenerator random)
    {
        ArgumentNullException.ThrowIfNull(options);
        Visitors visitors = new(options.Limits, time, options.Log);
        StreamApplication application = new(options, visitors, time, random);
        List<IPEndPoint> bound = [];
        KestrelServerOptions kestrel = OptionsOf(options.Limits);
        ProtocolSwitch protocols = new(options.Limits.Handshake);
        foreach (IPAddress address in options.Addresses)
        {
            kestrel.Listen(new IPEndPoint(address, options.Port), listen =>
            {
                listen.Protocols = HttpProtocols.Http2;
                listen.Use(visitors.Receive);
                listen.Use(protocols.Choose);
            });
        }

        kestrel.Listen(UnboundEndPoint.Instance, listen =>
        {
            listen.Protocols = HttpProtocols.Http1;
            listen.Use(protocols.Keep);
        });
        SocketTransportFactory sockets = new(Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        KestrelServer server = new(Options.Create(kestrel), new ListenerFactory(sockets, bound, visitors), NullLoggerFactory.Instance);
        try
        {
            server.StartAsync(application, CancellationToken.None).GetAwaiter().GetResult();
            return new KestrelResponder(server, application, random, [.. bound]);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            server.Dispose();
            throw Refusal(options, e);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!disposing || Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        using CancellationTokenSource limit = new(StopWithin);
        try
        {
            _application.Stop();
            _server.StopAsync(limit.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            // Connections that do not end are aborted by the disposal.
        }

        _server.Dispose();
        _application.Dispose();
        _random.Dispose();
    }

    private static KestrelServerOptions OptionsOf(ResponderLimits limits)
    {
        KestrelServerOptions kestrel = new() { AddServerHeader = false, AllowSynchronousIO = false, ApplicationServices = new NoServices() };
        kestrel.Limits.MaxRequestBodySize = 0;
        kestrel.Limits.MaxRequestLineSize = 1024;
        kestrel.Limits.MaxRequestHeadersTotalSize = 4096;
        kestrel.Limits.MaxRequestHeaderCount = 32;
        kestrel.Limits.RequestHeadersTimeout = limits.Handshake;
        kestrel.Limits.KeepAliveTimeout = limits.Idle;
        kestrel.Limits.Http2.MaxStreamsPerConnection = Math.Min(limits.Connections, 256);
        return kestrel;
    }

    private static ExpectedFailureException Refusal(ResponderOptions options, Exception e)
    {
        SocketError error = (e as SocketException ?? e.InnerException as SocketException)?.SocketErrorCode
            ?? (e.InnerException is AddressInUseException || e is AddressInUseException ? SocketError.AddressAlreadyInUse : SocketError.SocketError);
        string where = $"Port {options.Port} on {string.Join(", ", options.Addresses)}";
        return error switch
        {
            SocketError.AddressAlreadyInUse =>
                new ExpectedFailureException(
                    ExitCode.Measurement, $"{where} is in use; stop the program that uses it, or choose another port with --http-port.", e),
            SocketError.AccessDenied =>
                new ExpectedFailureException(
                    ExitCode.Platform,
                    $"{where} needs a privilege that this process lacks, or is reserved. Choose a port from 1024 to 65535 with --http-port.", e),
            SocketError.AddressNotAvailable =>
                new ExpectedFailureException(
                    ExitCode.Measurement,
                    $"{string.Join(", ", options.Addresses)} is not an address of this machine; choose one of its addresses with --bind.", e),
            _ =>
                new ExpectedFailureException(
                    ExitCode.Measurement,
                    $"Listening for HTTP on {string.Join(", ", options.Addresses)} port {options.Port} failed: {e.Message.TrimEnd('.')}.", e),
        };
    }
}
