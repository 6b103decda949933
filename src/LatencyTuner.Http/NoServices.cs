namespace LatencyTuner.Http;

/// <summary>The service provider that Kestrel requires: it has no services.</summary>
internal sealed class NoServices : IServiceProvider
{
    public object? GetService(Type serviceType) => null;
}
