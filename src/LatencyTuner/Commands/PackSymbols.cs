using System.CommandLine;
using LatencyTuner.Core;

namespace LatencyTuner.Commands;

/// <summary>The options of <c>report</c> that make an evidence pack.</summary>
internal sealed class PackSymbols
{
    private readonly Option<string?> _pack = new("--pack")
    {
        Description = "Write an evidence pack: the documents, their page and a manifest with hashes in one zip file.",
        HelpName = "file.zip",
    };

    private readonly Option<bool> _captures = new("--include-captures")
    {
        Description = "With --pack: the captures that the documents were made from, their packets cut behind the TCP header.",
    };

    private readonly Option<bool> _payload = new("--keep-payload")
    {
        Description = "With --include-captures: packets whole, with what applications sent. That may hold passwords. Not with --mask.",
    };

    private readonly Option<bool> _mask = new("--mask")
    {
        Description = "With --pack: other names and addresses in the place of the real ones, the same everywhere in this pack.",
    };

    private readonly Option<string[]> _names = new("--mask-name")
    {
        Description = "With --mask: a word to mask wherever it stands, such as the name of a project; can be given again.",
        HelpName = "word",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _table = new("--mask-table")
    {
        Description = "With --mask: write which name became which to a new file that only you can read. It does not go into the pack.",
        HelpName = "file",
    };

    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _pack, _captures, _payload, _mask, _names, _table })
        {
            command.Options.Add(option);
        }
    }

    /// <summary>The values of the options; null without <c>--pack</c>.</summary>
    /// <exception cref="ExpectedFailureException">They do not go together (<see cref="ExitCode.Usage"/>).</exception>
    public PackRequest? Values(ParseResult parse)
    {
        PackRequest request = new(
            parse.GetValue(_pack) ?? "", parse.GetValue(_captures), parse.GetValue(_payload), parse.GetValue(_mask), parse.GetValue(_names) ?? [],
            parse.GetValue(_table));
        string? wrong =
            parse.GetValue(_pack) is null && parse.GetResult(_pack) is null && (request.IncludeCaptures || request.KeepPayload || request.Mask
                || request.MaskNames.Count > 0 || request.MaskTable is not null)
                ? "--include-captures, --keep-payload, --mask, --mask-name and --mask-table belong to --pack FILE.zip, which is missing."
            : request.KeepPayload && request.Mask
                ? "--mask cannot mask what applications sent. Leave out --keep-payload, or leave out --mask."
            : request.KeepPayload && !request.IncludeCaptures
                ? "--keep-payload is about captures. Add --include-captures, or leave --keep-payload out."
            : !request.Mask && (request.MaskNames.Count > 0 || request.MaskTable is not null)
                ? "--mask-name and --mask-table belong to --mask, which is missing."
            : null;
        return wrong is not null ? throw new ExpectedFailureException(ExitCode.Usage, wrong) : parse.GetValue(_pack) is null ? null : request;
    }
}

/// <summary>The pack that is asked for.</summary>
/// <param name="File">The zip file to write.</param>
/// <param name="IncludeCaptures">True to include captures.</param>
/// <param name="KeepPayload">True to leave packets whole.</param>
/// <param name="Mask">True to mask names and addresses.</param>
/// <param name="MaskNames">More words to mask.</param>
/// <param name="MaskTable">The file for the table of names; null for none.</param>
internal sealed record PackRequest(string File, bool IncludeCaptures, bool KeepPayload, bool Mask, IReadOnlyList<string> MaskNames, string? MaskTable);
