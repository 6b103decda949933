using LatencyTuner.Core.Reporting;
using Xunit;

namespace LatencyTuner.Tests.Reporting;

/// <summary>
/// The published schemas are those of the model. LATENCYTUNER_UPDATE=1 dotnet test -c Release --filter GeneratedSchemas writes them.
/// </summary>
public sealed class GeneratedSchemas
{
    private static readonly string Folder = Path.Combine(Repository.Root, "src", "LatencyTuner.Core", "Reporting", "Schemas");

    public static TheoryData<string> Names => [.. PublishedDocuments.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Schema_IsThatOfTheModel(string name)
    {
        string path = Path.Combine(Folder, name + ".json");
        string generated = SchemaGenerator.Generate(PublishedDocuments.All.Single(k => k.Name == name));
        if (Repository.Updates)
        {
            File.WriteAllText(path, generated);
        }

        Assert.Equal(generated, File.ReadAllText(path));
    }

    [Fact]
    public void Folder_HasNoOther() =>
        Assert.Equal(
            PublishedDocuments.Names.Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(Folder).Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal));
}
