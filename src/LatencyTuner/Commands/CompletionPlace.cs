using System.CommandLine;
using LatencyTuner.Hosting;

namespace LatencyTuner.Commands;

/// <summary>
/// Where in the command line the cursor is. It reads the words as the parser does, but never fails: a line that is being written is wrong most of
/// the time.
/// </summary>
internal sealed class CompletionPlace
{
    private readonly List<Option> _inherited = [];
    private readonly HashSet<Option> _given = [];
    private readonly List<string> _arguments = [];

    private CompletionPlace(Command root) => Command = root;

    /// <summary>The command that the words lead to.</summary>
    public Command Command { get; private set; }

    /// <summary>The option whose value the word at the cursor may be; null for none.</summary>
    public Option? Open { get; private set; }

    /// <summary>True behind <c>--</c>: no word is an option any more.</summary>
    public bool OnlyArguments { get; private set; }

    /// <summary>The arguments before the cursor.</summary>
    public IReadOnlyList<string> Arguments => _arguments;

    /// <summary>The argument that the word at the cursor would be; null when the command takes no more.</summary>
    public Argument? Argument
    {
        get
        {
            int left = _arguments.Count;
            foreach (Argument argument in Command.Arguments)
            {
                if (left < argument.Arity.MaximumNumberOfValues)
                {
                    return argument;
                }

                left -= argument.Arity.MaximumNumberOfValues;
            }

            return null;
        }
    }

    /// <summary>The options that may be given here: those of the command, without those that are there and cannot be repeated.</summary>
    public IEnumerable<Option> Options => Known.Where(o => !o.Hidden && (o.Arity.MaximumNumberOfValues > 1 || !_given.Contains(o)));

    private IEnumerable<Option> Known => Command.Options.Concat(_inherited).Distinct();

    /// <summary>The place that words lead to.</summary>
    /// <param name="request">The words.</param>
    /// <param name="host">The process, which the commands are made for.</param>
    public static CompletionPlace Of(CompletionRequest request, CliHost host)
    {
        // Only the command that is used is made; the names of all are in the table.
        CompletionPlace place = new(Cli.Root(host, request.Before.FirstOrDefault(w => CommandTable.All.Any(c => c.Name == w)) ?? ""));
        foreach (string word in request.Before)
        {
            place.Take(word);
        }

        place._given.UnionWith(request.After.Select(w => place.Named(w).Option).OfType<Option>());
        return place;
    }

    /// <summary>The option that a word names, and where its value begins in the word; -1 when the word holds no value.</summary>
    /// <param name="word">The word, such as <c>--pattern=split</c>.</param>
    public (Option? Option, int Value) Named(string word)
    {
        int end = word.AsSpan().IndexOfAny('=', ':');
        string name = end < 0 ? word : word[..end];
        return (Known.FirstOrDefault(o => o.Name == name || o.Aliases.Contains(name)), end < 0 ? -1 : end + 1);
    }

    /// <summary>True for a switch, whose value is <c>true</c> or <c>false</c> and may be left out.</summary>
    public static bool IsSwitch(Option option) => option.ValueType == typeof(bool) || option.ValueType == typeof(bool?);

    private void Take(string word)
    {
        if (OnlyArguments)
        {
            _arguments.Add(word);
        }
        else if (word == "--")
        {
            (OnlyArguments, Open) = (true, null);
        }
        else if (Named(word) is ({ } option, var value))
        {
            _ = _given.Add(option);
            Open = option.Arity.MaximumNumberOfValues > 0 && (value < 0 || option.AllowMultipleArgumentsPerToken) ? option : null;
        }
        else if (Open is { } open && (!IsSwitch(open) || word is "true" or "false"))
        {
            Open = open.AllowMultipleArgumentsPerToken ? open : null;
        }
        else
        {
            Open = null;
            TakeName(word);
        }
    }

    private void TakeName(string word)
    {
        if (_arguments.Count == 0 && Command.Subcommands.FirstOrDefault(c => c.Name == word) is { } next)
        {
            _inherited.AddRange(Command.Options.Where(o => o.Recursive));
            Command = next;
        }
        else if (word is not ['-', _, ..])
        {
            _arguments.Add(word);
        }
    }
}
