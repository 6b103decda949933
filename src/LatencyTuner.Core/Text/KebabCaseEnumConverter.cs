using System.Text.Json;
using System.Text.Json.Serialization;

namespace LatencyTuner.Core.Text;

/// <summary>Writes an enum as the lower-case words joined by hyphens that the command-line contract uses, and reads only those.</summary>
/// <typeparam name="TEnum">The enum.</typeparam>
internal sealed class KebabCaseEnumConverter<TEnum> : JsonStringEnumConverter<TEnum>
    where TEnum : struct, Enum
{
    /// <summary>Creates the converter.</summary>
    public KebabCaseEnumConverter()
        : base(JsonNamingPolicy.KebabCaseLower, allowIntegerValues: false)
    {
    }
}
