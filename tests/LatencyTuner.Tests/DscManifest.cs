using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using LatencyTuner.Commands;
using LatencyTuner.Core;
using LatencyTuner.Core.Tuning.Dsc;
using LatencyTuner.Hosting;
using LatencyTuner.Tests.Commands;
using NJsonSchema;
using Xunit;
using YamlDotNet.RepresentationModel;

namespace LatencyTuner.Tests;

/// <summary>The manifest of the command resource, as DSC 3.2.0 reads it, and the configuration of the manual.</summary>
public sealed class DscManifest
{
    private const string Page = "docs/dsc.md";

    private static readonly JsonObject Manifest =
        JsonNode.Parse(File.ReadAllText(Path.Combine(Repository.Root, "deploy", "dsc", "LatencyTuner.dsc.resource.json")))!.AsObject();

    private static readonly CliHost Host = new() { Out = TextWriter.Null, Error = TextWriter.Null };

    /// <summary>DSC refuses a manifest with a property that it does not know.</summary>
    [Fact]
    public void TopLevel_HasWhatIsRequiredAndNothingUnknown()
    {
        string[] required = ["$schema", "type", "version", "get"];
        string[] known =
            [.. required, "kind", "tags", "description", "condition", "set", "test", "delete", "export", "resolve", "validate", "schema", "exitCodes"];

        Assert.Empty(required.Except(Manifest.Select(p => p.Key)));
        Assert.Empty(Manifest.Select(p => p.Key).Except(known));
        Assert.Matches(@"^\w+(\.\w+){0,2}\/\w+$", Text("type"));
        Assert.All(Manifest["tags"]!.AsArray(), t => Assert.Matches(@"^\w+$", t!.GetValue<string>()));
        Assert.Equal(CliHost.VersionText.Split('-', '+')[0], Text("version"));
        Assert.Equal(Text("type"), JsonNode.Parse(DscSchema.Text())!["title"]!.GetValue<string>());
    }

    [Fact]
    public void Description_SaysWhichDscIsRequired()
    {
        Assert.Contains("Requires DSC 3.2", Text("description"), StringComparison.Ordinal);
        Assert.Contains(ManualPages.Prose(Page), l => l.Contains("DSC 3.2 or later is required", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("get", null)]
    [InlineData("test", "stateAndDiff")]
    [InlineData("set", "stateAndDiff")]
    [InlineData("delete", null)]
    [InlineData("export", null)]
    public void Operation_ReadsStandardInput_AndStatesWhatItReturns(string operation, string? returns)
    {
        JsonObject method = Manifest[operation]!.AsObject();

        // Without it, DSC gives no input at all.
        Assert.Equal("stdin", method["input"]!.GetValue<string>());
        Assert.Equal(returns, method["return"]?.GetValue<string>());
        // DSC would refuse what-if as well; the command checks the privilege itself.
        Assert.False(method.ContainsKey("requireSecurityContext"));
        Parses(method);
        string[] known = operation == "set"
            ? ["executable", "args", "input", "implementsPretest", "handlesExist", "return", "whatIfReturns"] : ["executable", "args", "input", "return"];
        Assert.Empty(method.Select(p => p.Key).Except(known));
    }

    [Fact]
    public void Set_ChangesNothingAsWhatIf_AndHandlesExist()
    {
        JsonObject set = Manifest["set"]!.AsObject();

        Assert.Equal("stateAndDiff", set["whatIfReturns"]!.GetValue<string>());
        Assert.True(set["handlesExist"]!.GetValue<bool>());
        Assert.False(set["implementsPretest"]!.GetValue<bool>());
        // The form of 3.2: an operation "whatIf" at the top is deprecated.
        Assert.False(Manifest.ContainsKey("whatIf"));
        Assert.All((string[])["set", "delete"], o => Assert.Equal("--what-if", Manifest[o]!["args"]![2]!["whatIfArg"]!.GetValue<string>()));
    }

    [Fact]
    public void Schema_ComesFromTheProgram() => Parses(Manifest["schema"]!["command"]!.AsObject());

    [Fact]
    public void ExitCodes_AreThePublishedOnes()
    {
        string[] listed = [.. Manifest["exitCodes"]!.AsObject().Select(p => p.Key)];
        string[] known = [.. Enum.GetValues<ExitCode>().Select(c => $"{(int)c}")];

        Assert.Empty(listed.Except(known));
        Assert.Contains("0", listed);
        IEnumerable<string> onPage = ManualPages.Prose(Page).Select(l => Regex.Match(l, @"^\| (\d+) \| ")).Where(m => m.Success).Select(m => m.Groups[1].Value);
        Assert.Empty(onPage.Except(listed));
    }

    [Fact]
    public async Task ConfigurationOfTheManual_IsReadTestedAndSet()
    {
        YamlStream yaml = [];
        yaml.Load(new StringReader(Block("yaml")));
        YamlNode resource = ((YamlSequenceNode)yaml.Documents[0].RootNode["resources"]).Children.Single();
        string instance = Json(resource["properties"]).ToJsonString();
        using TunedMachine machine = new();
        string before = machine.Dump;

        Assert.Equal(Text("type"), resource["type"].ToString());
        Assert.Empty((await JsonSchema.FromJsonAsync(DscSchema.Text())).Validate(instance));
        Assert.False((await DscExchange.Of(machine, "test", instance)).Done(2).State["_inDesiredState"]!.GetValue<bool>());
        _ = (await DscExchange.Of(machine, "set", instance)).Done(2);
        Assert.True((await DscExchange.Of(machine, "test", instance)).Done(2).State["_inDesiredState"]!.GetValue<bool>());
        _ = machine.Run("rollback", "--all", "--yes").Done();
        Assert.Equal(before, machine.Dump);
    }

    /// <summary>The example for the older DSC calls functions of the module, with parameters that they have.</summary>
    [Fact]
    public void ScriptResource_CallsWhatTheModuleHas()
    {
        string module = Path.Combine(Repository.Root, "deploy", "powershell", "LatencyTuner");
        string exported = File.ReadAllText(Path.Combine(module, "LatencyTuner.psd1"));
        string code = string.Concat(Directory.GetFiles(module, "*.psm1").Select(File.ReadAllText));
        string[] calls =
        [
            .. ManualPages.Lines(Page).SkipWhile(l => !l.StartsWith("Configuration ", StringComparison.Ordinal)).TakeWhile(l => l != "```")
                .SelectMany(l => Regex.Matches(l, @"\w+-TcpLatency\w+[^|]*").Select(m => m.Value)),
        ];

        Assert.Equal(3, calls.Length);
        foreach (string call in calls)
        {
            string name = call.Split(' ')[0];
            Assert.Contains($"'{name}'", exported, StringComparison.Ordinal);
            string function = code[code.IndexOf($"function {name} {{", StringComparison.Ordinal)..];
            string parameters = function[..function.IndexOf("process {", StringComparison.Ordinal)];
            Assert.All(
                Regex.Matches(call, @" -(\w+)").Select(m => m.Groups[1].Value).Except(["Confirm"]),
                p => Assert.Matches($@"\${p}\b", parameters));
        }
    }

    /// <summary>The first block of a language on the page of DSC.</summary>
    internal static string Block(string language) =>
        string.Join('\n', ManualPages.Lines(Page).SkipWhile(l => l != "```" + language).Skip(1).TakeWhile(l => l != "```"));

    /// <summary>As DSC reads YAML: plain scalars that are whole numbers are numbers.</summary>
    private static JsonNode Json(YamlNode node) => node switch
    {
        YamlMappingNode map => new JsonObject(map.Children.Select(p => KeyValuePair.Create(p.Key.ToString(), (JsonNode?)Json(p.Value)))),
        YamlSequenceNode list => new JsonArray([.. list.Children.Select(Json)]),
        _ => long.TryParse(node.ToString(), out long number) ? JsonValue.Create(number) : JsonValue.Create(node.ToString()),
    };

    private static void Parses(JsonObject method)
    {
        Assert.Equal("latencytuner", method["executable"]!.GetValue<string>());
        string[] words = [.. method["args"]!.AsArray().Select(a => a is JsonObject form ? form["whatIfArg"]!.GetValue<string>() : a!.GetValue<string>())];
        System.CommandLine.ParseResult parsed = Cli.Parse(words, Host);
        Assert.Empty(UsageErrors.Of(parsed));
        Assert.Equal(words[1], parsed.CommandResult.Command.Name);
    }

    private static string Text(string property) => Manifest[property]!.GetValue<string>();
}
