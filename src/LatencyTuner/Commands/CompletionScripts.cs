namespace LatencyTuner.Commands;

/// <summary>The shell scripts; both ask this program itself, so that they never fall behind its options.</summary>
internal static class CompletionScripts
{
    public const string Bash = """
        # latencytuner completion for bash: eval "$(latencytuner completion bash)"
        _latencytuner_complete() {
            local IFS=$'\n'
            COMPREPLY=( $(compgen -W "$("${COMP_WORDS[0]}" "[suggest:${COMP_POINT}]" "${COMP_LINE}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}") )
        }
        complete -o default -F _latencytuner_complete latencytuner

        """;

    public const string PowerShell = """
        # latencytuner completion for PowerShell: latencytuner completion powershell | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName latencytuner -ScriptBlock {
            param($wordToComplete, $commandAst, $cursorPosition)
            latencytuner "[suggest:$cursorPosition]" "$commandAst" 2>$null | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
            }
        }

        """;
}
