namespace LatencyTuner.Lab;

/// <summary>The command line of the lab. Exit codes: the command's own, 2 usage, 4 no lab here, 5 failed to build, 124 time over, 130 cancelled.</summary>
public static class LabCli
{
    private const string Usage = """
        usage: lab list
               lab run PRESET [options] [-- COMMAND...]

        run builds the network, runs COMMAND, returns its exit code and removes the network. COMMAND sees LAB_CLIENT_NS, LAB_SERVER_NS,
        LAB_CLIENT, LAB_SERVER (10.77.1.20) and LAB_SERVER6 (fd77:1::20).
          --in client|server   run COMMAND on that host (default: outside both)
          --seconds N          end COMMAND after N seconds with exit code 124; without COMMAND keep the network up for N seconds
          --serve "PROGRAM ARGUMENTS"   start on the server first, wait until it listens, end with SIGTERM
          --serve-port PORT    where --serve listens (default 7117)
          --delay MS, --rate BITS/S            of each direction, instead of the preset's
          --client-hold MS[,N], --server-hold MS[,N]   a delayed ACK that leaves after MS, or with N segments (2)
          --pcap-client FILE, --pcap-server FILE   packet captures as seen at that host
          --seed N, --mtu BYTES, --no-timestamps, --name NAME (namespaces NAME-c and NAME-s), --quiet
        """;

    /// <summary>Runs the program.</summary>
    /// <param name="arguments">Without the program's name.</param>
    /// <param name="output">For reports.</param>
    /// <param name="error">For progress and failures.</param>
    /// <returns>The exit code.</returns>
    public static int Run(IReadOnlyList<string> arguments, TextWriter output, TextWriter error)
    {
        switch (arguments.Count > 0 ? arguments[0] : "")
        {
            case "list":
                foreach (LabPreset preset in LabPreset.All)
                {
                    output.WriteLine($"{preset.Name,-26} {preset.Models}");
                }

                return 0;
            case "run":
                break;
            case "help" or "--help" or "-h":
                output.WriteLine(Usage);
                return 0;
            default:
                error.WriteLine(Usage);
                return 2;
        }

        RunArguments run;
        try
        {
            run = RunArguments.Parse([.. arguments.Skip(1)]);
        }
        catch (FormatException e)
        {
            error.WriteLine(e.Message);
            return 2;
        }

        if (LabNetwork.Unavailable is { } reason)
        {
            error.WriteLine(reason);
            return 4;
        }

        try
        {
            using RunCommand command = new(run, error);
            return command.Run();
        }
        catch (Exception e) when (e is LabException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            error.WriteLine(e.Message);
            return 5;
        }
    }
}
