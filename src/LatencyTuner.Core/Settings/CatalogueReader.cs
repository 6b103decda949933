using System.Text.Json;

namespace LatencyTuner.Core.Settings;

/// <summary>Reads a catalogue; a failure names the entry and the field that are wrong.</summary>
internal sealed class CatalogueReader(string path)
{
    private string _where = "";

    internal SettingsCatalogue Read(ReadOnlyMemory<byte> json)
    {
        JsonDocument document;
        try
        {
            document = JsonDocument.Parse(json);
        }
        catch (JsonException failure)
        {
            throw new ExpectedFailureException(
                ExitCode.Input, $"{path}: line {failure.LineNumber + 1}, column {failure.BytePositionInLine + 1}: not JSON.", failure);
        }

        using (document)
        {
            _where = "the catalogue";
            JsonElement root = document.RootElement;
            if (Text(root, "schema") != "latencytuner/catalogue/1")
            {
                throw Fail("schema", "must be latencytuner/catalogue/1");
            }

            List<string> columns = Texts(root, "osColumns");
            List<SettingDefinition> all = new();
            foreach (JsonElement entry in Member(root, "entries", JsonValueKind.Array).EnumerateArray())
            {
                _where = $"entries[{all.Count}]";
                SettingDefinition definition = Entry(entry, columns);
                if (all.Any(d => string.Equals(d.Id, definition.Id, StringComparison.OrdinalIgnoreCase)))
                {
                    throw Fail("id", $"is '{definition.Id}' a second time");
                }

                all.Add(definition);
            }

            return new SettingsCatalogue(all, columns);
        }
    }

    private SettingDefinition Entry(JsonElement entry, List<string> columns)
    {
        string id = Text(entry, "id");
        _where += $" ({id})";
        SettingAction action = Word<SettingAction>(entry, "action");
        Dictionary<string, string> defaults = Member(entry, "defaults", JsonValueKind.Object).EnumerateObject()
            .ToDictionary(d => d.Name, d => d.Value.GetString() ?? "");
        if (!columns.All(defaults.ContainsKey) || defaults.Count != columns.Count)
        {
            throw Fail("defaults", $"must have exactly {string.Join(", ", columns)}");
        }

        List<string> sources = Texts(entry, "sources");
        if (sources.Count == 0)
        {
            throw Fail("sources", "must not be empty");
        }

        FlaggedValue? flagged = entry.TryGetProperty("flagged", out JsonElement flag) ? Flagged(flag) : null;
        if (flagged is null == (action == SettingAction.FlagOnly))
        {
            throw Fail("flagged", "must be there for flag-only settings and for no other");
        }

        Dictionary<WorkloadProfile, RecommendedValues> recommended = entry.TryGetProperty("recommended", out JsonElement r) ? Recommended(r) : [];
        if (recommended.Count > 0 && action is SettingAction.FlagOnly or SettingAction.AdviseApp)
        {
            throw Fail("recommended", $"must not be there: {SettingNames.Of(action)} settings are never recommended");
        }

        return new SettingDefinition
        {
            Id = id,
            Title = Text(entry, "title"),
            Area = Text(entry, "area"),
            What = Text(entry, "what"),
            Effect = Text(entry, "effect"),
            Cost = Text(entry, "cost"),
            Scope = Word<SettingScope>(entry, "scope"),
            ScopeText = Text(entry, "scopeText"),
            Store = Store(Member(entry, "store", JsonValueKind.Object)),
            AbsentMeans = Optional(entry, "absentMeans"),
            Range = Text(entry, "range"),
            Allowed = entry.TryGetProperty("allowed", out JsonElement allowed) ? Allowed(allowed) : null,
            NeedsForce = entry.TryGetProperty("needsForce", out JsonElement force) ? new(Names(force, "values"), Text(force, "because")) : null,
            Defaults = defaults,
            Action = action,
            TakesEffect = Word<TakesEffect>(entry, "takesEffect"),
            TakesEffectText = Text(entry, "takesEffectText"),
            Status = Text(entry, "status"),
            Read = Text(entry, "read"),
            Set = Text(entry, "set"),
            Undo = Text(entry, "undo"),
            Advice = Text(entry, "advice", mayBeEmpty: true),
            Notes = Text(entry, "notes", mayBeEmpty: true),
            ClientWritable = entry.TryGetProperty("clientWritable", out JsonElement writable) ? writable.GetBoolean() : null,
            Sources = sources,
            Confidence = Word<SettingConfidence>(entry, "confidence"),
            Recommended = recommended,
            Flagged = flagged,
        };
    }

    private SettingStore Store(JsonElement store)
    {
        string kind = Text(store, "kind");
        switch (kind)
        {
            case "registry":
                string key = Text(store, "key");
                if (!key.StartsWith(@"HKLM\", StringComparison.Ordinal) || key.EndsWith('\\'))
                {
                    throw Fail("store.key", $"is '{key}', must begin with HKLM\\ and not end with a backslash");
                }

                return new SettingStore.Registry(
                    key, Names(store, "values"), RegistryType(Text(store, "type")), store.TryGetProperty("wrongKeys", out _) ? Texts(store, "wrongKeys") : []);
            case "template":
                return new SettingStore.Template(Text(store, "namespace"), Text(store, "class"), Text(store, "property"), Optional(store, "template"));
            case "cim":
                return new SettingStore.Cim(Text(store, "namespace"), Text(store, "class"), Names(store, "properties"));
            case "adapter":
                return new SettingStore.Adapter(
                    Names(store, "keywords"), Text(store, "key"), Text(store, "namespace"), Text(store, "class"), Optional(store, "dedicatedClass"));
            case "netsh" or "cmdlet" or "power" or "socket-option" or "ioctl" or "api" or "config" or "application" or "adapter-host":
                return new SettingStore.Elsewhere(kind, Text(store, "name"));
            default:
                throw Fail("store.kind", $"is '{kind}', which is not a kind of store");
        }
    }

    private SettingValueKind RegistryType(string type) => type switch
    {
        "REG_DWORD" => SettingValueKind.Dword,
        "REG_QWORD" => SettingValueKind.Qword,
        "REG_SZ" => SettingValueKind.Text,
        "REG_EXPAND_SZ" => SettingValueKind.ExpandText,
        "REG_MULTI_SZ" => SettingValueKind.MultiText,
        "REG_BINARY" => SettingValueKind.Binary,
        _ => throw Fail("store.type", $"is '{type}', which is not a registry type"),
    };

    private AllowedNumbers Allowed(JsonElement allowed)
    {
        long Number(string name) =>
            allowed.TryGetProperty(name, out JsonElement n) && n.ValueKind == JsonValueKind.Number && n.TryGetInt64(out long value) ? value
                : throw Fail("allowed." + name, "must be a whole number");

        Dictionary<string, long> words = allowed.TryGetProperty("words", out JsonElement w)
            ? w.EnumerateObject().ToDictionary(e => e.Name, e => e.Value.GetInt64()) : [];
        AllowedNumbers numbers = new(Number("min"), Number("max"), Number("step"), words);
        return numbers is { Min: >= 0, Step: > 0 } && numbers.Min <= numbers.Max ? numbers : throw Fail("allowed", "must have 0 <= min <= max and step > 0");
    }

    private Dictionary<WorkloadProfile, RecommendedValues> Recommended(JsonElement recommended)
    {
        Dictionary<WorkloadProfile, RecommendedValues> result = new();
        foreach (JsonProperty profile in recommended.EnumerateObject())
        {
            if (!SettingNames.TryParse<WorkloadProfile>(profile.Name, out WorkloadProfile name))
            {
                throw Fail("recommended", $"has '{profile.Name}'; valid are {string.Join(", ", SettingNames.All<WorkloadProfile>())}");
            }

            result[name] = new(Names(profile.Value, "values"), Text(profile.Value, "because"));
        }

        return result;
    }

    private FlaggedValue Flagged(JsonElement flagged)
    {
        string state = Text(flagged, "state");
        if (state is not ("no-effect" or "not-recommended"))
        {
            throw Fail("flagged.state", $"is '{state}'; valid are no-effect, not-recommended");
        }

        long? from = flagged.TryGetProperty("from", out JsonElement f) && f.ValueKind == JsonValueKind.Number ? f.GetInt64() : null;
        return new(state == "not-recommended", Texts(flagged, "unless"), from, Text(flagged, "because"));
    }

    private TEnum Word<TEnum>(JsonElement parent, string name)
        where TEnum : struct, Enum
    {
        string word = Text(parent, name);
        return SettingNames.TryParse<TEnum>(word, out TEnum value) ? value
            : throw Fail(name, $"is '{word}'; valid are {string.Join(", ", SettingNames.All<TEnum>())}");
    }

    private List<string> Names(JsonElement parent, string name)
    {
        List<string> texts = Texts(parent, name);
        return texts.Count > 0 ? texts : throw Fail(name, "must not be empty");
    }

    private List<string> Texts(JsonElement parent, string name)
    {
        List<string> texts = new();
        foreach (JsonElement item in Member(parent, name, JsonValueKind.Array).EnumerateArray())
        {
            if (item.ValueKind != JsonValueKind.String || string.IsNullOrWhiteSpace(item.GetString()))
            {
                throw Fail(name, "must hold non-empty strings only");
            }

            texts.Add(item.GetString()!);
        }

        return texts;
    }

    private string? Optional(JsonElement parent, string name) => parent.TryGetProperty(name, out _) ? Text(parent, name) : null;

    private string Text(JsonElement parent, string name, bool mayBeEmpty = false)
    {
        string text = Member(parent, name, JsonValueKind.String).GetString()!;
        return mayBeEmpty || !string.IsNullOrWhiteSpace(text) ? text : throw Fail(name, "must not be empty");
    }

    private JsonElement Member(JsonElement parent, string name, JsonValueKind kind) =>
        parent.ValueKind == JsonValueKind.Object && parent.TryGetProperty(name, out JsonElement member) && member.ValueKind == kind
            ? member
            : throw Fail(name, $"must be {(kind is JsonValueKind.Array or JsonValueKind.Object ? "an" : "a")} {kind.ToString().ToLowerInvariant()}");

    private ExpectedFailureException Fail(string field, string sentence) => new(ExitCode.Input, $"{path}: {_where}: \"{field}\" {sentence}.");
}
