using Mono.Cecil;
using Mono.Cecil.Cil;

namespace LatencyTuner.Coverage;

/// <summary>A place in a source file at which a statement begins.</summary>
/// <param name="File">Path from the repository's root.</param>
/// <param name="Line">Its first line, from 1.</param>
/// <param name="Column">Its first column, from 1.</param>
/// <param name="Member">Type and member that it belongs to; a lambda belongs to the member that has it.</param>
internal readonly record struct Point(string File, int Line, int Column, string Member)
{
    private static readonly string[] Folders = ["src/LatencyTuner/Windows/", "src/LatencyTuner.Core/Sockets/Windows/"];

    /// <summary>The point of a statement; null outside the folders of Windows, and for what the compiler added.</summary>
    public static Point? Of(MethodDefinition method, SequencePoint statement)
    {
        const int Added = 0xFEEFEE;
        string path = statement.Document.Url.Replace('\\', '/');
        string? folder = statement.StartLine == Added ? null : Folders.FirstOrDefault(f => path.Contains('/' + f, StringComparison.Ordinal));
        return folder is null || path.Contains("/obj/", StringComparison.Ordinal) ? null
            : new(path[(path.LastIndexOf('/' + folder, StringComparison.Ordinal) + 1)..], statement.StartLine, statement.StartColumn, MemberOf(method));
    }

    /// <summary>The member in the source: iterators and lambdas are types and methods named after it in angle brackets.</summary>
    private static string MemberOf(MethodDefinition method)
    {
        TypeDefinition type = method.DeclaringType;
        string name = Within(method.Name);
        for (; type.DeclaringType is not null && type.Name.StartsWith('<'); type = type.DeclaringType)
        {
            name = Within(type.Name) is { Length: > 0 } outer && !method.Name.StartsWith('<') ? outer : name;
        }

        name = name is ".ctor" or ".cctor" ? type.Name
            : name.StartsWith("get_", StringComparison.Ordinal) || name.StartsWith("set_", StringComparison.Ordinal) ? name[4..] : name;
        return $"{type.Name}.{name}";
    }

    private static string Within(string name) =>
        name.StartsWith('<') && name.IndexOf('>', StringComparison.Ordinal) is > 0 and var end ? name[1..end] : name.StartsWith('<') ? "" : name;
}
