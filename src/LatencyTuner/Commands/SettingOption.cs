using System.CommandLine;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Commands;

/// <summary><c>--setting ID=VALUE</c>, which completes in two steps: the id, then a value of that setting.</summary>
internal sealed class SettingOption : Option<string[]>
{
    public SettingOption()
        : base("--setting")
    {
        Description = "A setting and its new value; 'absent' deletes the value. May be repeated.";
        HelpName = "id=value";
        AllowMultipleArgumentsPerToken = false;
    }

    /// <summary>The words that may stand for the option's value.</summary>
    /// <param name="word">What is typed of it.</param>
    public static IEnumerable<CompletionCandidate> Candidates(string word)
    {
        int at = word.IndexOf('=', StringComparison.Ordinal);
        if (at < 0)
        {
            return SettingsCatalogue.Current.All.Where(d => ApplicableSetting.TryFrom(d) is not null)
                .Select(d => new CompletionCandidate(d.Id + '=', CandidateKind.Value, $"{d.Title}: {d.What}"));
        }

        return SettingsCatalogue.Current.TryFind(word[..at]) is { } setting
            ? ValueSuggestions.Of(setting).Select(v => new CompletionCandidate($"{setting.Id}={v.Value}", CandidateKind.Value, v.Because)) : [];
    }
}
