using System.Text;
using System.Text.Json;
using LatencyTuner.Core.Evidence;
using LatencyTuner.Core.Settings;

namespace LatencyTuner.Core.Tuning.Dsc;

/// <summary>
/// The operations of the DSC resource, as DSC 3.2 calls them. Changes go through the same plan, journal, write and read-back as those of <c>apply</c>, so that
/// <c>rollback</c> undoes them.
/// </summary>
/// <param name="context">What it works on.</param>
/// <param name="snapshot">The machine.</param>
/// <param name="request">Makes the request for a plan: operator, machine, time and the random part of the batch id.</param>
public sealed class DscResource(TuningContext context, HostSnapshot snapshot, Func<PlanRequest> request)
{
    /// <summary>The values that are there.</summary>
    /// <param name="instance">Which settings; null for all that have a value.</param>
    public DscAnswer Get(DscInstance? instance) => instance is { Settings.Count: > 0 }
        ? new([State(Read(Places(instance)), instance, null)], []) : new([State(Everything(null), instance, null)], []);

    /// <summary>One instance with the values that are there: what <c>set</c> takes on another machine.</summary>
    /// <param name="filter">Which settings, by id, interface or template; null for all.</param>
    public DscAnswer Export(DscInstance? filter) => new([State(Everything(filter), null, null, isExport: true)], []);

    /// <summary>Compares the values that are there with those that are wanted. A difference is no failure.</summary>
    /// <param name="instance">What is wanted.</param>
    /// <exception cref="ExpectedFailureException">The instance is not valid (<see cref="ExitCode.Usage"/>), or a value cannot be read.</exception>
    public DscAnswer Test(DscInstance? instance)
    {
        (DscInstance wanted, List<Place> places) = Wanted(instance);
        List<DscTrace> traces = [.. places.Where(p => !p.IsAsWanted).Select(p => new DscTrace(DscTraceLevel.Info, Difference(p)))];
        bool isAsWanted = traces.Count == 0;
        return new([State(places, wanted, isAsWanted), Differing(wanted, isAsWanted)], traces);
    }

    /// <summary>Writes what is wanted, or says what that would change.</summary>
    /// <param name="instance">What is wanted.</param>
    /// <param name="whatIf">True to write nothing; then no privilege is needed.</param>
    /// <exception cref="ExpectedFailureException">As of <see cref="PlanExecutor.Apply"/>.</exception>
    public DscAnswer Set(DscInstance? instance, bool whatIf)
    {
        (DscInstance wanted, List<Place> before) = Wanted(instance);
        (TuningResult result, List<DscTrace> traces) = Change(wanted, before, whatIf);
        if (result.Outcome is not (TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.WhatIf))
        {
            return new([], [new(DscTraceLevel.Error, result.Text)]) { Result = result };
        }

        List<Place> after = whatIf ? before.ConvertAll(p => p with { Actual = p.Wanted!, IsBound = true }) : Read(before.ConvertAll(p => p.What));
        string state = State(after, wanted, null, result: result, whatIf: whatIf ? WhatIf(result) : null);
        return new([state, Differing(wanted, before.TrueForAll(p => p.IsAsWanted))], traces) { Result = result };
    }

    /// <summary>Deletes the values of the settings, so that Windows does what it does by default; or says what that would change.</summary>
    /// <param name="instance">Which settings; their values do not count.</param>
    /// <param name="whatIf">True to write nothing.</param>
    /// <exception cref="ExpectedFailureException">As of <see cref="PlanExecutor.Apply"/>; a property of a template cannot be deleted.</exception>
    public DscAnswer Delete(DscInstance? instance, bool whatIf)
    {
        (DscInstance wanted, List<Place> before) = Wanted(instance is null ? null : instance with { Exist = false });
        (TuningResult result, List<DscTrace> traces) = Change(wanted, before, whatIf);
        return result.Outcome is TuningOutcome.Done or TuningOutcome.NoChange or TuningOutcome.WhatIf
            ? new(whatIf ? [Json(json => WriteWhatIf(json, WhatIf(result)))] : [], traces) { Result = result }
            : new([], [new(DscTraceLevel.Error, result.Text)]) { Result = result };
    }

    private (TuningResult Result, List<DscTrace> Traces) Change(DscInstance wanted, List<Place> places, bool whatIf)
    {
        // An interface, a template and a filter belong to all settings of a request: one for each, and one batch of all.
        PlanRequest asked = request() with { Ticket = wanted.Ticket, Force = wanted.Force };
        IEnumerable<PlanRequest> requests = places.GroupBy(p => (p.What.Asked.Interface, p.What.Asked.Template, p.What.Asked.Filter)).Select(g => asked with
        {
            Settings = [.. g.Select(p => $"{p.What.Setting.Definition.Id}={(p.Wanted!.IsAbsent ? DscNames.Absent : p.What.Asked.Value)}")],
            Interface = g.Key.Interface,
            Template = g.Key.Template,
            Filter = g.Key.Filter,
        });
        BuiltPlan built = PlanBuilding.Together([.. requests.Select(r => PlanBuilding.From(r, SettingsCatalogue.Current, snapshot, context.Store))]);
        TuningResult result = new PlanExecutor(context).Apply(built.Plan, whatIf);
        List<DscTrace> traces = [];
        if (result.Outcome is TuningOutcome.Done or TuningOutcome.WhatIf)
        {
            IEnumerable<string> notes = built.Notes.Concat(PlanNotes.Of(built.Plan, SettingsCatalogue.Current, snapshot)).Distinct();
            traces.AddRange(notes.Select(n => new DscTrace(DscTraceLevel.Info, n)));
            if (result.Changes.Any(c => IsOpen(c) && c.Change.Restart == RestartNeed.Adapter))
            {
                traces.Add(new(
                    DscTraceLevel.Warn,
                    "The change is in force after a restart of the adapter or of Windows. A restart of the adapter drops its connections, remote "
                        + "sessions too."));
            }
        }

        return (result, result.Outcome == TuningOutcome.WhatIf ? traces : [.. traces, new(DscTraceLevel.Info, result.Text)]);
    }

    private (DscInstance Wanted, List<Place> Places) Wanted(DscInstance? instance)
    {
        if (instance is not { Settings.Count: > 0 })
        {
            throw new ExpectedFailureException(ExitCode.Usage, "The input has no \"settings\": give at least one, such as {\"id\":\"tcp.ackfrequency\",...}.");
        }

        List<Place> places = Read(Places(instance)).ConvertAll(p => p with { Wanted = p.What.Wanted(instance.Exist != false) });
        foreach (IGrouping<string, Place> same in places.GroupBy(p => RegistryPaths.Identity(p.What.Location)))
        {
            if (same.Select(p => p.Wanted).Distinct().Count() > 1)
            {
                throw new ExpectedFailureException(ExitCode.Usage, $"{same.First().What.Name} is in \"settings\" more than once, with different values.");
            }
        }

        return (instance, places);
    }

    private List<DscPlace> Places(DscInstance instance) => [.. instance.Settings.Select(s => DscPlace.Of(s, snapshot))];

    private List<Place> Read(List<DscPlace> places) => places.ConvertAll(p =>
    {
        (SettingValue value, bool isBound) = p.Read(context.Store);
        return new Place(p, value, isBound);
    });

    /// <summary>
    /// The settings that can be set here: values of the registry that exist, and the properties of the templates that this Windows lets be written. What cannot
    /// be read is left out, and so are values that need to be forced.
    /// </summary>
    private List<Place> Everything(DscInstance? filter)
    {
        List<Place> places = [];
        foreach (DscSetting candidate in Candidates().Where(c => filter is not { Settings.Count: > 0 } || filter.Settings.Any(f => IsMeant(f, c))))
        {
            try
            {
                DscPlace what = DscPlace.Of(candidate, snapshot);
                (SettingValue value, _) = what.Read(context.Store);
                string word = what.Word(value);
                if (!value.IsAbsent && what.Setting.Parse(word).Equals(value)
                    && what.Setting.Definition.NeedsForce?.Values.Contains(value.Number?.ToString(System.Globalization.CultureInfo.InvariantCulture)) != true)
                {
                    places.Add(new(what, value, IsBound: true));
                }
            }
            catch (ExpectedFailureException)
            {
                // It cannot be read on this Windows, or holds what this program would not write.
            }
        }

        return places;
    }

    private IEnumerable<DscSetting> Candidates()
    {
        foreach (ApplicableSetting setting in SettingsCatalogue.Current.All.Select(ApplicableSetting.TryFrom).OfType<ApplicableSetting>())
        {
            string id = setting.Definition.Id;
            switch (setting.Definition.Store)
            {
                case SettingStore.Registry { IsPerInterface: true }:
                    foreach (NetworkInterface known in snapshot.Interfaces.Where(i => i.NotUsedBecause() is null))
                    {
                        int named = snapshot.Interfaces.Count(i => string.Equals(i.Alias, known.Alias, StringComparison.OrdinalIgnoreCase));
                        yield return new() { Id = id, Interface = named == 1 && known.Alias is { } alias ? alias : known.Guid };
                    }

                    break;
                case SettingStore.Template { OnlyTemplate: null } property:
                    foreach (string template in TemplateWritability.TemplatesFor(snapshot.Os, property.Property))
                    {
                        yield return new() { Id = id, Template = template };
                    }

                    break;
                case SettingStore.Template { OnlyTemplate: { } only } property
                    when TemplateWritability.Of(snapshot.Os, only, property.Property).Writable != true:
                    break;
                default:
                    yield return new() { Id = id };
                    break;
            }
        }
    }

    private bool IsMeant(DscSetting filter, DscSetting candidate) =>
        SettingsCatalogue.Current.Find(filter.Id).Id == candidate.Id
        && (filter.Template is null || string.Equals(filter.Template, candidate.Template, StringComparison.OrdinalIgnoreCase))
        && (filter.Interface is not { } name || (candidate.Interface is { } own
            && InterfaceLookup.Find(snapshot.Interfaces, name).Guid == InterfaceLookup.Find(snapshot.Interfaces, own).Guid));

    private static string Difference(Place place) => !place.IsBound && place.Actual.Equals(place.Wanted)
        ? $"{place.What.Name}: no filter for {place.What.Asked.Filter} is bound to {place.What.Template}."
        : $"{place.What.Name} is {place.What.Word(place.Actual)}, wanted is {place.What.Word(place.Wanted!)}.";

    private IReadOnlyList<string> WhatIf(TuningResult result) =>
    [
        .. result.Changes.Where(c => c.Change.Status == ChangeStatus.Planned).Select(c => c.Text).DefaultIfEmpty(result.Text),
        .. context.Store.IsReadOnly ? [] : result.Notes,
    ];

    private static string Differing(DscInstance wanted, bool isAsWanted) =>
        isAsWanted ? "[]" : wanted.Exist == false ? $"[\"{DscNames.Exist}\"]" : $"[\"{DscNames.Settings}\"]";

    /// <summary>The state in one line. DSC fails on a null where it expects an object or an array: those are left out instead.</summary>
    private string State(
        List<Place> places, DscInstance? asked, bool? inDesiredState, bool isExport = false, TuningResult? result = null,
        IReadOnlyList<string>? whatIf = null) =>
        Json(json =>
        {
            json.WriteStartArray(DscNames.Settings);
            foreach (Place place in places)
            {
                place.What.Write(json, place.Actual, place.IsBound);
            }

            json.WriteEndArray();
            if (isExport)
            {
                return;
            }

            if (asked is { Force: true })
            {
                json.WriteBoolean(DscNames.Force, true);
            }

            if (asked?.Ticket is { } ticket)
            {
                json.WriteString(DscNames.Ticket, ticket);
            }

            if (result is { Outcome: TuningOutcome.Done, Batch: { } batch })
            {
                json.WriteString(DscNames.Batch, batch);
            }

            json.WriteBoolean(DscNames.Exist, places.Exists(p => !p.Actual.IsAbsent));
            if (inDesiredState is { } isAsWanted)
            {
                json.WriteBoolean(DscNames.InDesiredState, isAsWanted);
            }
            else
            {
                json.WriteNull(DscNames.InDesiredState);
            }

            if (result?.Changes.Any(IsOpen) == true)
            {
                json.WriteStartArray(DscNames.RestartRequired);
                json.WriteStartObject();
                json.WriteString(DscNames.System, context.Machine.Name);
                json.WriteEndObject();
                json.WriteEndArray();
            }

            if (whatIf is not null)
            {
                WriteWhatIf(json, whatIf);
            }
        });

    /// <summary>A change of this run that a restart of Windows brings into force. DSC knows no restart of an adapter; one of Windows does the same.</summary>
    private static bool IsOpen(ChangeOutcome change) =>
        (change.Change.Status == ChangeStatus.Planned || change.Batch is not null) && change.Change.Restart is RestartNeed.Windows or RestartNeed.Adapter;

    private static void WriteWhatIf(Utf8JsonWriter json, IReadOnlyList<string> sentences)
    {
        json.WriteStartObject(DscNames.Metadata);
        json.WriteStartArray(DscNames.WhatIf);
        foreach (string sentence in sentences)
        {
            json.WriteStringValue(sentence);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>A JSON object in one line of ASCII, which reaches DSC whole in any code page.</summary>
    private static string Json(Action<Utf8JsonWriter> write)
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        return Encoding.ASCII.GetString(stream.ToArray());
    }

    /// <summary>A setting with the value that is there and the one that is wanted.</summary>
    private sealed record Place(DscPlace What, SettingValue Actual, bool IsBound, SettingValue? Wanted = null)
    {
        public bool IsAsWanted => Actual.Equals(Wanted) && IsBound;
    }
}
