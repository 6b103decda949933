using LatencyTuner.Core.Settings;
using LatencyTuner.Core.Text;

namespace LatencyTuner.Core.Tuning;

/// <summary>Changes and their undo as one PowerShell script, for an admin who deploys by other means. Works in Windows PowerShell 5.1 and later.</summary>
public static class PowerShellScript
{
    private const string NewLine = "\r\n";

    /// <summary>Writes the script. It makes the changes; with <c>-Undo</c> it writes the values that were there when it was made.</summary>
    /// <param name="changes">The changes, in the order in which they are made.</param>
    /// <param name="machine">Name of the machine whose values they are; null when unknown.</param>
    /// <param name="software">Name and version of the program that makes it.</param>
    /// <param name="made">When it is made.</param>
    /// <param name="about">What else the reader must know, a line each.</param>
    /// <returns>Text with CRLF.</returns>
    public static string Write(IReadOnlyList<Change> changes, string? machine, string software, DateTimeOffset made, IReadOnlyList<string> about)
    {
        ArgumentNullException.ThrowIfNull(changes);
        ArgumentNullException.ThrowIfNull(software);
        ArgumentNullException.ThrowIfNull(about);

        // The values before, and the GUIDs of adapters, are those of one machine.
        bool ofOneMachine = changes.Any(c => c.Interface is not null);
        string?[] lines =
        [
            Comment($"Settings for {machine ?? "a machine without a name"}, made by {software} at {Format.Utc(made)}."),
            .. about.Select(Comment),
            "# Makes the changes:              powershell -File THIS.ps1",
            "# Shows what it would do:         powershell -File THIS.ps1 -WhatIf",
            "# Puts the values before back:    powershell -File THIS.ps1 -Undo",
            "#Requires -RunAsAdministrator",
            "[CmdletBinding(SupportsShouldProcess = $true)]",
            "param([switch] $Undo)",
            "Set-StrictMode -Version 2",
            "$ErrorActionPreference = 'Stop'",
            machine is null ? null
                : $"if ({(ofOneMachine ? "" : "$Undo -and ")}$env:COMPUTERNAME -ne {PowerShellText.Quoted(machine)}) {{ throw "
                    + $"{PowerShellText.Quoted($"This script holds the values of {machine}; make one on this machine.")} }}",
            "if (-not $Undo) {",
            .. changes.SelectMany(c => Step(c, c.After)),
            "}",
            "else {",
            .. changes.Reverse().SelectMany(c => Step(c, c.Before)),
            "}",
        ];
        return string.Concat(lines.OfType<string>().Select(l => l + NewLine));
    }

    // Cmdlets of modules written in PowerShell do not see -WhatIf of a script, so that each step asks itself.
    private static IEnumerable<string> Step(Change change, SettingValue value)
    {
        IReadOnlyList<string> lines = PowerShellText.Lines(change.Location, value);
        bool commands = lines.Any(l => !l.StartsWith('#'));
        string target = PowerShellText.Quoted($"{change.Name}: {Line(change.Location.ToString()!)}");
        return commands
            ? [
                $"    if ($PSCmdlet.ShouldProcess({target}, {PowerShellText.Quoted(Line($"set to {ChangeSentences.Show(value)}"))})) {{",
                .. lines.Select(l => "        " + l), "    }"]
            : lines.Select(l => "    " + l);
    }

    private static string Comment(string text) => "# " + Line(text);

    private static string Line(string text) => string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c));
}
