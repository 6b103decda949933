namespace LatencyTuner.Core.Etw;

/// <summary>The class GUIDs of kernel events, by the group in their header (evntrace.h, ntwmi.h).</summary>
internal static class KernelClasses
{
    internal static readonly Guid TcpIp = new("9a280ac0-c8e0-11d1-84e2-00c04fb998a2");
    internal static readonly Guid UdpIp = new("bf3a50c5-a9c9-4988-a005-2df0b7c80f80");
    internal static readonly Guid EventTrace = new("68fdd900-4a3e-11d1-84f4-0000f80464e3");
    internal static readonly Guid Process = new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
    internal static readonly Guid Thread = new("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");

    private const byte ProcessGroup = 0x03;
    private const byte ImageGroup = 0x14;
    private const byte ImageLoad = 10;

    private static readonly Guid[] ByGroup = Build(new Dictionary<int, Guid>
    {
        [0x00] = EventTrace,
        [0x01] = new("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c"),
        [0x02] = new("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"),
        [0x03] = Process,
        [0x04] = new("90cbdc39-4a3e-11d1-84f4-0000f80464e3"),
        [0x05] = Thread,
        [0x06] = TcpIp,
        [0x07] = new("3282fc76-feed-498e-8aa7-e70f459d430e"),
        [0x08] = UdpIp,
        [0x09] = new("ae53722e-c863-11d2-8659-00c04fa321a1"),
        [0x0B] = new("01853a65-418f-4f36-aefc-dc0f1d2fd235"),
        [0x0E] = new("0268a8b6-74fd-4302-9dd0-6e8f1795c0cf"),
        [0x0F] = new("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc"),
        [0x10] = new("222962ab-6180-4b88-a825-346b75f2a24a"),
        [0x11] = new("89497f50-effe-4440-8cf2-ce6b1cdcaca7"),
        [0x12] = new("e43445e0-0903-48c3-b878-ff0fccebdd04"),
        [0x14] = new("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"),
        [0x18] = new("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"),
        [0x19] = new("9aec974b-5b8e-4118-9b92-3186d8002ce5"),
        [0x1A] = new("45d8cccd-539f-4b72-a8b7-5c683142609a"),
        [0x1B] = new("d837ca92-12b9-44a5-ad6a-3a65b3578aa8"),
        [0x1C] = new("c861d0e2-a2c1-4d36-9f9c-970bab943a12"),
    });

    /// <summary>The class of a group and type; the empty GUID when it is not known. Image load events use the group of processes.</summary>
    internal static Guid Of(byte group, byte type) => ByGroup[group == ProcessGroup && type == ImageLoad ? ImageGroup : group];

    private static Guid[] Build(Dictionary<int, Guid> known)
    {
        Guid[] all = new Guid[256];
        foreach ((int group, Guid id) in known)
        {
            all[group] = id;
        }

        return all;
    }
}
