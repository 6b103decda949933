using Mono.Cecil;
using Mono.Cecil.Cil;

namespace LatencyTuner.Tests;

/// <summary>
/// The types of the program as they are compiled, with what each uses. What a compiler, a lambda or a nested type adds counts for the type around it. A
/// constant leaves no trace where it is used: constants that other rooms use are static readonly fields.
/// </summary>
internal sealed class CompiledTypes
{
    private static readonly (string File, string Prefix, string Namespace)[] Assemblies =
    [
        ("LatencyTuner.Core.dll", "Core", "LatencyTuner.Core"), ("latencytuner.dll", "Exe", "LatencyTuner"),
        ("LatencyTuner.Http.dll", "Http", "LatencyTuner.Http"),
    ];

    private CompiledTypes(IReadOnlyList<TypeDefinition> all)
    {
        All = all;
        Uses = all.ToDictionary(t => t.FullName, t => (IReadOnlySet<string>)Own(t), StringComparer.Ordinal);
    }

    /// <summary>The program's own; read once.</summary>
    internal static CompiledTypes OfTheProgram { get; } =
        Read(Assemblies.Select(a => ModuleDefinition.ReadModule(Path.Combine(AppContext.BaseDirectory, a.File))));

    /// <summary>Types that are in no other.</summary>
    internal IReadOnlyList<TypeDefinition> All { get; }

    /// <summary>For each type the types it uses, of this program and of others, by full name without what a type is nested in.</summary>
    internal IReadOnlyDictionary<string, IReadOnlySet<string>> Uses { get; }

    internal static CompiledTypes Read(IEnumerable<ModuleDefinition> modules) => new(
    [
        .. modules.SelectMany(m => m.Types)
            .Where(t => t.Namespace.StartsWith("LatencyTuner", StringComparison.Ordinal) && !t.Name.StartsWith('<')),
    ]);

    /// <summary>The folder of a namespace, for example <c>Core/Analysis/Checks</c>; null for one of others.</summary>
    internal static string? FolderOf(string ns)
    {
        foreach ((_, string prefix, string own) in Assemblies.OrderByDescending(a => a.Namespace.Length))
        {
            if (ns == own || ns.StartsWith(own + ".", StringComparison.Ordinal))
            {
                return prefix + ns[own.Length..].Replace('.', '/');
            }
        }

        return null;
    }

    /// <summary>The folder of a type by its full name; null for one of others.</summary>
    internal static string? FolderOfType(string fullName) => fullName.LastIndexOf('.') is > 0 and int dot ? FolderOf(fullName[..dot]) : null;

    /// <summary>The arrows between folders, each with one of its reasons.</summary>
    internal SortedDictionary<(string From, string To), string> Arrows()
    {
        SortedDictionary<(string, string), string> arrows = [];
        foreach ((string user, IReadOnlySet<string> used) in Uses)
        {
            string from = FolderOfType(user)!;
            foreach (string type in used)
            {
                if (FolderOfType(type) is { } to && to != from && Uses.ContainsKey(type))
                {
                    arrows.TryAdd((from, to), $"{user[(user.LastIndexOf('.') + 1)..]} uses {type[(type.LastIndexOf('.') + 1)..]}");
                }
            }
        }

        return arrows;
    }

    /// <summary>Every method that is called in a type and those nested in it, as <c>Namespace.Type::Name</c>.</summary>
    internal static IEnumerable<string> Calls(TypeDefinition type) => Nested(type).SelectMany(t => t.Methods).Where(m => m.HasBody)
        .SelectMany(m => m.Body.Instructions).Select(i => i.Operand).OfType<MethodReference>().Select(m => $"{Outer(m.DeclaringType).FullName}::{m.Name}");

    /// <summary>The type and all that is nested in it.</summary>
    internal static IEnumerable<TypeDefinition> Nested(TypeDefinition type) => type.NestedTypes.SelectMany(Nested).Prepend(type);

    private static HashSet<string> Own(TypeDefinition type)
    {
        HashSet<string> names = new(StringComparer.Ordinal);
        foreach (TypeDefinition t in Nested(type))
        {
            Add(names, t.BaseType);
            AddAll(names, t.Interfaces.Select(i => i.InterfaceType));
            AddAttributes(names, t);
            AddAll(names, t.GenericParameters.SelectMany(p => p.Constraints).Select(c => c.ConstraintType));
            AddAll(names, t.Fields.Select(f => f.FieldType));
            foreach (ICustomAttributeProvider member in t.Fields.Concat<ICustomAttributeProvider>(t.Properties).Concat(t.Methods))
            {
                AddAttributes(names, member);
            }

            foreach (MethodDefinition method in t.Methods)
            {
                Add(names, method.ReturnType);
                AddAll(names, method.Parameters.Select(p => p.ParameterType));
                AddAll(names, method.GenericParameters.SelectMany(p => p.Constraints).Select(c => c.ConstraintType));
                if (method.HasBody)
                {
                    AddBody(names, method.Body);
                }
            }
        }

        names.Remove(type.FullName);
        return names;
    }

    private static void AddBody(HashSet<string> names, MethodBody body)
    {
        AddAll(names, body.Variables.Select(v => v.VariableType));
        AddAll(names, body.ExceptionHandlers.Select(h => h.CatchType));
        foreach (object operand in body.Instructions.Select(i => i.Operand))
        {
            switch (operand)
            {
                case TypeReference type:
                    Add(names, type);
                    break;
                case FieldReference field:
                    Add(names, field.DeclaringType);
                    Add(names, field.FieldType);
                    break;
                case MethodReference method:
                    Add(names, method.DeclaringType);
                    Add(names, method.ReturnType);
                    AddAll(names, method.Parameters.Select(p => p.ParameterType));
                    AddAll(names, method is GenericInstanceMethod generic ? generic.GenericArguments : []);
                    break;
            }
        }
    }

    private static void AddAttributes(HashSet<string> names, ICustomAttributeProvider member)
    {
        foreach (CustomAttribute attribute in member.CustomAttributes)
        {
            Add(names, attribute.AttributeType);
            AddAll(names, attribute.ConstructorArguments.Select(a => a.Value).OfType<TypeReference>());
        }
    }

    private static void AddAll(HashSet<string> names, IEnumerable<TypeReference?> types)
    {
        foreach (TypeReference? type in types)
        {
            Add(names, type);
        }
    }

    private static void Add(HashSet<string> names, TypeReference? type)
    {
        switch (type)
        {
            case null or GenericParameter:
                break;
            case GenericInstanceType generic:
                Add(names, generic.ElementType);
                AddAll(names, generic.GenericArguments);
                break;
            case TypeSpecification specification:
                Add(names, specification.ElementType);
                break;
            default:
                names.Add(Outer(type).FullName);
                break;
        }
    }

    private static TypeReference Outer(TypeReference type) =>
        type.GetElementType() is var element && element.DeclaringType is { } outer ? Outer(outer) : element;
}
