namespace LatencyTuner.Commands;

/// <summary>
/// The shells' scripts. They find the words of the command line and the one at the cursor; everything else this program decides, so that they never
/// fall behind its options.
/// </summary>
internal static class CompletionScripts
{
    public const string Bash = """
        # latencytuner completion for bash: eval "$(latencytuner completion bash)"
        _latencytuner_complete() {
            # Bash splits --name=value at COMP_WORDBREAKS: what no blank parts is one word.
            local rest=$COMP_LINE blanks piece i raw=() from=() n=-1 cursor=0 apart=1
            for (( i = 0; i < ${#COMP_WORDS[@]}; i++ )); do
                piece=${COMP_WORDS[i]}
                blanks=${rest%%[![:space:]]*}
                rest=${rest#"$blanks"}
                if [[ -n $blanks || $apart == 1 ]]; then
                    n=$(( n + 1 ))
                    raw[n]=''
                    from[n]=$(( ${#COMP_LINE} - ${#rest} ))
                    apart=0
                fi
                raw[n]+=$piece
                rest=${rest#"$piece"}
                if (( i == COMP_CWORD )); then
                    cursor=$n
                    # Nothing is typed between blanks; the word behind is another.
                    if [[ -z ${raw[n]} ]]; then apart=1; fi
                fi
            done
            if (( n < 1 || cursor < 1 )); then return; fi
            local word='' length=$(( COMP_POINT - from[cursor] ))
            if (( length > 0 )); then
                word=${raw[cursor]:0:length}
                raw[cursor]=$word
            elif [[ -n ${raw[cursor]} ]]; then
                # The cursor is before the word: one is inserted.
                raw=( "${raw[@]:0:cursor}" '' "${raw[@]:cursor}" )
            fi

            local quotes=$'["\'\\\\]' program asked answer
            program=${raw[0]//$quotes/}
            program=${program/#\~\//"$HOME"/}
            raw=( "${raw[@]:1}" )
            asked=$(printf '%s\0' "$(( cursor - 1 ))" "${raw[@]//$quotes/}" | base64 | tr -d '\r\n')
            answer=$("$program" complete "$asked" 2>/dev/null)

            # Bash replaces only what is behind the last break, and no break counts in quotes.
            local quoted='' shown=0 breaks=${COMP_WORDBREAKS//[^=:,]/} head
            if [[ $word == [\"\']* ]]; then
                quoted=1
            elif [[ -n $breaks ]]; then
                head=${word%"${word##*[$breaks]}"}
                head=${head//$quotes/}
                shown=${#head}
            fi
            local text kind meaning
            COMPREPLY=()
            while IFS=$'\t' read -r text kind meaning; do
                if [[ -z $text ]]; then continue; fi
                text=${text:shown}
                if [[ -z $quoted && $text == *[!A-Za-z0-9_.,:/=+%@-]* ]]; then
                    printf -v text %q "$text"
                fi
                COMPREPLY+=( "$text" )
            done <<< "$answer"
            if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
                compopt -o nospace 2>/dev/null
            fi
        }
        # Bash compares names with the quote that ends a quoted path.
        complete -o nosort -o default -F _latencytuner_complete latencytuner latencytuner.exe \
            'latencytuner"' "latencytuner'" 'latencytuner.exe"' "latencytuner.exe'" 2>/dev/null ||
            complete -o default -F _latencytuner_complete latencytuner latencytuner.exe

        """;

    // Windows PowerShell 5.1 runs it as well. Lines are short, because Out-String may wrap long ones.
    public const string PowerShell = """
        # latencytuner completion for PowerShell, a line for $PROFILE:
        # latencytuner completion powershell | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName @(
            'latencytuner', 'latencytuner.exe'
        ) -ScriptBlock {
            param($wordToComplete, $commandAst, $cursorPosition)
            Set-StrictMode -Off
            $ErrorActionPreference = 'SilentlyContinue'

            # The very program that stands in the line, and no function or script.
            $program = $ExecutionContext.InvokeCommand.GetCommand(
                $commandAst.GetCommandName(), 'Application')
            if ($null -eq $program) { return }

            $words = @()
            $at = -1
            $isList = $false
            $elements = @($commandAst.CommandElements)
            for ($i = 1; $i -lt $elements.Count; $i++) {
                $extent = $elements[$i].Extent
                if ($at -lt 0 -and $cursorPosition -le $extent.EndOffset) {
                    $at = $words.Count
                    $length = $cursorPosition - $extent.StartOffset
                    if ($length -gt 0) {
                        $part = $extent.Text.Substring(0, $length)
                        $words += $part -replace '["''`]', ''
                        # PowerShell reads 1,2 as a list, and replaces its last part.
                        $isList = -not ($elements[$i] -is
                            [System.Management.Automation.Language.StringConstantExpressionAst])
                        continue
                    }
                    $words += ''
                }
                if ($elements[$i] -is
                    [System.Management.Automation.Language.StringConstantExpressionAst]) {
                    $words += $elements[$i].Value
                } else {
                    $words += $extent.Text
                }
            }
            if ($at -lt 0) {
                $at = $words.Count
                $words += ''
            }

            # One argument of letters and digits: 5.1 does not escape quotes in others.
            $line = (@("$at") + $words) -join "`0"
            $bytes = [System.Text.Encoding]::UTF8.GetBytes($line + "`0")
            $asked = [System.Convert]::ToBase64String($bytes)
            $exitCode = $global:LASTEXITCODE
            try {
                $answer = @(& $program complete $asked 2>$null)
            } finally {
                $global:LASTEXITCODE = $exitCode
            }

            $types = @{
                Command = 'Command'; Option = 'ParameterName'; Value = 'ParameterValue'
            }
            foreach ($candidate in $answer) {
                $text, $kind, $meaning = "$candidate" -split "`t", 3
                if (-not $meaning -or -not $types[$kind]) { continue }
                $shown = $text
                if ($isList) {
                    $text = $text.Substring($words[$at].LastIndexOf(',') + 1)
                }
                if ($text -notmatch '^[\w-][\w.:/\\=+-]*$') {
                    $text = "'" + $text.Replace("'", "''") + "'"
                }
                New-Object System.Management.Automation.CompletionResult @(
                    $text, $shown, $types[$kind], $meaning)
            }
        }

        """;
}
