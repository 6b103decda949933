namespace LatencyTuner.Http;

/// <summary>What Kestrel asks for services: there are none.</summary>
internal sealed class NoServices : IServiceProvider
{
    public object? GetService(Type serviceType) => null;
}
