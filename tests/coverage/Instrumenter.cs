using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace LatencyTuner.Coverage;

/// <summary>Puts a mark in front of every statement of the folders of Windows.</summary>
/// <param name="points">The points known so far, by number; the same statement has the same number in every build.</param>
internal sealed class Instrumenter(List<Point> points)
{
    private readonly Dictionary<Point, int> _numbers = points.Select((p, i) => (p, i)).ToDictionary(p => p.p, p => p.i);

    /// <summary>Instruments an assembly in place.</summary>
    /// <returns>Number of statements.</returns>
    public int Instrument(string path)
    {
        byte[] image = File.ReadAllBytes(path);
        using MemoryStream symbols = new(File.ReadAllBytes(Path.ChangeExtension(path, ".pdb")));
        ReaderParameters reading = new() { ReadSymbols = true, SymbolStream = symbols, SymbolReaderProvider = new PortablePdbReaderProvider() };
        using ModuleDefinition module = ModuleDefinition.ReadModule(new MemoryStream(image), reading);
        // Code compiled ahead of time is left out, so what remains is IL only.
        module.Attributes |= ModuleAttributes.ILOnly;
        MethodDefinition mark = new Copy(module).OfHits();
        int count = 0;
        foreach (MethodDefinition method in module.GetTypes().SelectMany(t => t.Methods).Where(m => m.HasBody && m.DebugInformation.HasSequencePoints).ToList())
        {
            (Instruction At, Point Point)[] statements =
            [
                .. method.DebugInformation.SequencePoints.Select(s => (s, Point: Point.Of(method, s))).Where(s => s.Point is not null)
                    .Select(s => (method.Body.Instructions.First(i => i.Offset == s.s.Offset), s.Point!.Value)),
            ];
            if (statements.Length > 0)
            {
                Mark(method.Body, statements, mark);
                count += statements.Length;
            }
        }

        module.Write(path);
        return count;
    }

    private void Mark(MethodBody body, (Instruction At, Point Point)[] statements, MethodDefinition mark)
    {
        body.SimplifyMacros();
        ILProcessor processor = body.GetILProcessor();
        Dictionary<Instruction, Instruction> marks = [];
        foreach ((Instruction at, Point point) in statements)
        {
            Instruction number = processor.Create(OpCodes.Ldc_I4, NumberOf(point));
            processor.InsertBefore(at, number);
            processor.InsertBefore(at, processor.Create(OpCodes.Call, mark));
            marks[at] = number;
        }

        // What jumped to the statement jumps to its mark.
        foreach (Instruction instruction in body.Instructions)
        {
            instruction.Operand = instruction.Operand switch
            {
                Instruction target => marks.GetValueOrDefault(target, target),
                Instruction[] targets => Array.ConvertAll(targets, t => marks.GetValueOrDefault(t, t)),
                object other => other,
                null => null,
            };
        }

        foreach (ExceptionHandler handler in body.ExceptionHandlers)
        {
            (handler.TryStart, handler.TryEnd) = (Moved(handler.TryStart), Moved(handler.TryEnd));
            (handler.HandlerStart, handler.HandlerEnd) = (Moved(handler.HandlerStart), Moved(handler.HandlerEnd));
            handler.FilterStart = Moved(handler.FilterStart);
        }

        body.OptimizeMacros();

        Instruction? Moved(Instruction? place) => place is null ? null : marks.GetValueOrDefault(place, place);
    }

    private int NumberOf(Point point)
    {
        if (!_numbers.TryGetValue(point, out int number))
        {
            _numbers.Add(point, number = points.Count);
            points.Add(point);
        }

        return number < Hits.Size ? number : throw new InvalidOperationException($"There are more than {Hits.Size} statements.");
    }

    /// <summary>Copies <see cref="Hits"/> of this program into a module.</summary>
    private sealed class Copy(ModuleDefinition target)
    {
        private readonly Dictionary<IMemberDefinition, IMemberDefinition> _copies = [];

        public MethodDefinition OfHits()
        {
            using ModuleDefinition own = ModuleDefinition.ReadModule(typeof(Hits).Assembly.Location);
            TypeDefinition source = own.GetType(typeof(Hits).FullName);
            TypeDefinition type = new("", "<Hits>", source.Attributes, target.ImportReference(source.BaseType));
            target.Types.Add(type);
            foreach (FieldDefinition field in source.Fields.Where(f => !f.HasConstant))
            {
                FieldDefinition copy = new(field.Name, field.Attributes, target.ImportReference(field.FieldType));
                _copies.Add(field, copy);
                type.Fields.Add(copy);
            }

            foreach (MethodDefinition method in source.Methods)
            {
                MethodDefinition copy = new(method.Name, method.Attributes, target.ImportReference(method.ReturnType));
                method.Parameters.ToList().ForEach(p => copy.Parameters.Add(new(p.Name, p.Attributes, target.ImportReference(p.ParameterType))));
                _copies.Add(method, copy);
                type.Methods.Add(copy);
            }

            source.Methods.ToList().ForEach(m => Body(m.Body, ((MethodDefinition)_copies[m]).Body));
            return type.Methods.First(m => m.Name == nameof(Hits.Mark));
        }

        private void Body(MethodBody from, MethodBody to)
        {
            to.InitLocals = from.InitLocals;
            from.Variables.ToList().ForEach(v => to.Variables.Add(new(target.ImportReference(v.VariableType))));
            from.SimplifyMacros();
            Dictionary<Instruction, Instruction> copies = from.Instructions.ToDictionary(i => i, _ => Instruction.Create(OpCodes.Nop));
            foreach ((Instruction source, Instruction copy) in copies)
            {
                copy.OpCode = source.OpCode;
                copy.Operand = source.Operand switch
                {
                    FieldDefinition field => _copies[field],
                    MethodDefinition method => _copies[method],
                    MethodReference method => target.ImportReference(method),
                    TypeReference type => target.ImportReference(type),
                    VariableDefinition variable => to.Variables[variable.Index],
                    ParameterDefinition parameter => to.Method.Parameters[parameter.Index],
                    Instruction instruction => copies[instruction],
                    object other => other,
                    null => null,
                };
                to.Instructions.Add(copy);
            }
        }
    }
}
