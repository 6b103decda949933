namespace LatencyTuner.Lab;

/// <summary>A preset brought to life: the network and the emulator that joins it.</summary>
public sealed class LabSession : IDisposable
{
    /// <summary>Builds the network and starts the emulator; on failure nothing is left.</summary>
    /// <param name="preset">The preset.</param>
    /// <param name="link">Replaces the preset's link (<c>preset.Link with { … }</c>); null: the preset's.</param>
    /// <param name="network">Name, MTU and timestamps; the quickack values are the preset's.</param>
    /// <exception cref="LabException">The lab cannot be built here.</exception>
    public LabSession(LabPreset preset, LinkEmulatorOptions? link = null, LabNetworkOptions? network = null)
    {
        Network = new LabNetwork((network ?? new LabNetworkOptions()) with
        {
            ClientQuickAck = preset.ClientQuickAck,
            ServerQuickAck = preset.ServerQuickAck,
        });
        try
        {
            Emulator = new LinkEmulator(Network, link ?? preset.Link);
        }
        catch
        {
            Network.Dispose();
            throw;
        }
    }

    /// <summary>The hosts.</summary>
    public LabNetwork Network { get; }

    /// <summary>The link.</summary>
    public LinkEmulator Emulator { get; }

    /// <summary>Stops the link and removes the hosts. May be called again.</summary>
    public void Dispose()
    {
        Emulator.Dispose();
        Network.Dispose();
    }
}
