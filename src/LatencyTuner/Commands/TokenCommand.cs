using System.CommandLine;
using System.Text;
using LatencyTuner.Core;
using LatencyTuner.Core.Text;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary><c>token new</c>: the secret that <c>serve</c> and its clients share.</summary>
internal static class TokenCommand
{
    private const int RandomBytes = 32;

    public static Command Create(CliHost host)
    {
        Argument<string> file = new("file") { Description = "The file to make; one that exists is not replaced.", HelpName = "file" };
        Command create = new("new", "Makes a file with a random token that only you and administrators can read.") { file };
        create.SetAction((parse, _) => Cli.Start(() =>
        {
            string path = parse.GetRequiredValue(file);
            try
            {
                // Its own line, in ASCII: the same bytes for every reader.
                host.CreatePrivateFile(path, Encoding.ASCII.GetBytes(Convert.ToBase64String(host.RandomBytes(RandomBytes)) + Environment.NewLine));
            }
            catch (IOException e) when (File.Exists(path))
            {
                throw new ExpectedFailureException(
                    ExitCode.Usage, $"{path} exists already. Remove it first: with a new token, whoever has the old one is refused.", e);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
            {
                throw new ExpectedFailureException(ExitCode.Input, $"{path} cannot be made: {e.Message.TrimEnd('.')}.", e);
            }

            host.Out.WriteLine($"{path} has a random token that only you and administrators can read.");
            host.Out.WriteLine("Copy the file to the other host, over a channel that you trust. Then:");
            host.Out.WriteLine($"  latencytuner serve --bind ADDRESS --token-file {ShellQuoting.Of(path, host.IsWindows)}   # on the server");
            host.Out.WriteLine($"  latencytuner check SERVER --token-file {ShellQuoting.Of(path, host.IsWindows)}   # on the client");
            return ExitCode.Done;
        }));
        return new Command("token", "Makes the token that a responder and its clients share.") { create };
    }
}
