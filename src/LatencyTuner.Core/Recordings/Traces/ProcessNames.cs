using System.Buffers.Binary;
using System.Text;
using LatencyTuner.Core.Etw;

namespace LatencyTuner.Core.Recordings.Traces;

/// <summary>
/// Names of processes: from the kernel's process events (Process_V3_TypeGroup1 and its predecessors) and from Microsoft-Windows-Kernel-Process.
/// A name is used only when the event has the expected form; a process without a name keeps its id. Windows reuses the id of a process that ended:
/// the processes that have one id in turn are its generations, from 0.
/// </summary>
internal sealed class ProcessNames
{
    private const int MostProcesses = 100_000;
    private const int MostLives = 1_000;
    private const int MostLength = 260;
    private const uint IdleProcess = 0;
    private const uint SystemProcess = 4;
    private static readonly Guid KernelProcess = new("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
    private static readonly Guid KernelClass = new("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
    private const int Started = 1;
    private const int Stopped = 2;
    private static readonly EtwLayouts Layouts = new();

    private readonly Dictionary<uint, List<string?>> _lives = [];

    /// <summary>The name of the process that has an id now; null when unknown.</summary>
    public string? Find(uint processId) => Find(processId, _lives.TryGetValue(processId, out List<string?>? lives) ? lives.Count - 1 : 0);

    /// <summary>The name of one of the processes that had an id; null when unknown.</summary>
    public string? Find(uint processId, int generation) =>
        processId switch
        {
            IdleProcess => "Idle",
            SystemProcess => "System",
            _ => _lives.TryGetValue(processId, out List<string?>? lives) && generation >= 0 && generation < lives.Count ? lives[generation] : null,
        };

    /// <summary>The generation of the process that has an id now, from 0.</summary>
    public int GenerationOf(uint processId) => Lives(processId) is { } lives ? lives.Count - 1 : 0;

    public void Take(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Provider == KernelClass && header.Kind != EtwEventKind.Manifest && header.Opcode is 1 or 2 or 3 or 4 or 39)
        {
            TakeKernel(header, payload);
        }
        else if (header.Provider == KernelProcess && header.Kind == EtwEventKind.Manifest && header.Id is Started or Stopped or 15)
        {
            TakeManifest(header, payload);
        }
    }

    /// <summary>Reads start, stop and rundown of processes. For a process older than the session, the stop may be the first event with its name.</summary>
    private void TakeManifest(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        if (Layouts.TryGetPayload(in header, payload, out EtwPayload fields) && fields.TryGetNumber("ProcessID", out ulong id)
            && fields.TryGetText("ImageName", out string image)
            && image.Length > 0 && !image.Any(char.IsControl))
        {
            // A stop may hold a truncated name.
            if (header.Id != Stopped || Find((uint)id) is null)
            {
                Add((uint)id, image, header.Id == Started);
            }
        }
        else if (payload.Length > 8 && header.Id != Stopped)
        {
            // An unknown version: the name of the image is the first string that holds a path.
            Add(BinaryPrimitives.ReadUInt32LittleEndian(payload), PathIn(payload[8..]), header.Id == Started);
        }
    }

    private void TakeKernel(in EtwEventHeader header, ReadOnlySpan<byte> payload)
    {
        int pointer = header.PointerSize;
        int idAt = header.Version >= 1 ? pointer : 0;

        // Fields: key, ids of the process, its parent and the session, exit status; from version 3 on the page directory; from version 4 on flags; then
        // the user. Version 0 begins with the ids of the process and its parent.
        int at = header.Version switch { 0 => 2 * pointer, 1 or 2 => pointer + 16, 3 => (2 * pointer) + 16, _ => (2 * pointer) + 20 };
        if (payload.Length < at + 8)
        {
            return;
        }

        uint id = BinaryPrimitives.ReadUInt32LittleEndian(payload[idAt..]);
        if (BinaryPrimitives.ReadUInt32LittleEndian(payload[at..]) == 0)
        {
            at += 4;
        }
        else
        {
            at += 2 * pointer;
            if (payload.Length < at + 2)
            {
                return;
            }

            at += 8 + (4 * payload[at + 1]);
        }

        if (at >= payload.Length)
        {
            return;
        }

        ReadOnlySpan<byte> rest = payload[at..];
        int end = rest.IndexOf((byte)0);
        Add(
            id, end is > 0 and <= MostLength && rest[..end].IndexOfAnyExceptInRange((byte)0x20, (byte)0x7E) < 0 ? Encoding.ASCII.GetString(rest[..end])
                : null, header.Opcode == Started);
    }

    private static string? PathIn(ReadOnlySpan<byte> bytes)
    {
        int start = bytes.IndexOf("\\\0"u8);
        if (start < 0)
        {
            return null;
        }

        StringBuilder text = new();
        for (int i = start; i + 1 < bytes.Length && text.Length <= 1024; i += 2)
        {
            char c = (char)BinaryPrimitives.ReadUInt16LittleEndian(bytes[i..]);
            if (c == '\0')
            {
                return text.ToString();
            }

            if (c < ' ')
            {
                return null;
            }

            text.Append(c);
        }

        return null;
    }

    private void Add(uint id, string? path, bool starts)
    {
        string? name = path?[(path.LastIndexOf('\\') + 1)..];
        name = string.IsNullOrEmpty(name) || name.Length > MostLength ? null : name;
        bool known = _lives.ContainsKey(id);
        if ((name is null && !starts) || Lives(id) is not { } lives)
        {
            return;
        }

        // A start means another process, unless the id was unknown. Another name also means another process, whose start was missed.
        bool another = known && (starts || (lives[^1] is { } before && before != name));
        if (another && lives.Count < MostLives)
        {
            lives.Add(name);
        }
        else
        {
            lives[^1] = name ?? lives[^1];
        }
    }

    private List<string?>? Lives(uint id)
    {
        if (!_lives.TryGetValue(id, out List<string?>? lives) && _lives.Count < MostProcesses)
        {
            _lives.Add(id, lives = [null]);
        }

        return lives;
    }
}
