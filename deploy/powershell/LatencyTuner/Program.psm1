# Finds the program, runs it, and reads what it wrote: progress as JSON lines, the document in its file. Only cmdlets and core types: it works where App
# Control has put PowerShell into Constrained Language. Every line that only Windows can run is in Windows.psm1.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Windows.psm1')

# The newest version of documents that this module reads, and the release that it belongs to.
$script:NewestDocument = 2
$script:Release = '0.1'
# Time that a program has for its partial document after it was asked to end.
$script:StopSeconds = 5
$script:PollMilliseconds = 250
$script:Known = @{}

function Test-LatencyWindows {
    [CmdletBinding()]
    [OutputType([bool])]
    param()
    # Windows PowerShell has no such variable; it runs on Windows only.
    $variable = Get-Variable -Name 'IsWindows' -ErrorAction Ignore
    ($null -eq $variable) -or [bool]$variable.Value
}

function Get-LatencyTempFolder {
    [CmdletBinding()]
    [OutputType([string])]
    param()
    foreach ($folder in @($env:TEMP, $env:TMPDIR, '/tmp')) {
        if ($folder -and (Test-Path -LiteralPath $folder -PathType Container)) {
            return $folder
        }
    }
    throw 'No folder for temporary files exists: set the environment variable TEMP.'
}

function Resolve-LatencyFile {
    # The full path of a file; one that is to be written need not exist, but its folder must.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][string]$Path, [switch]$New)
    if (-not $New) {
        return (Resolve-Path -LiteralPath $Path -ErrorAction Stop).ProviderPath
    }
    $folder = Split-Path -Path $Path -Parent
    if (-not $folder) {
        $folder = '.'
    }
    $leaf = Split-Path -Path $Path -Leaf
    Join-Path -Path (Resolve-Path -LiteralPath $folder -ErrorAction Stop).ProviderPath -ChildPath $leaf
}

function Find-LatencyProgram {
    # -ProgramPath, then the folder of the module, then PATH; never the current folder.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([string]$ProgramPath)
    $names = @('latencytuner')
    if (Test-LatencyWindows) {
        $names = @('latencytuner.exe')
    }
    $candidates = @()
    if ($ProgramPath) {
        if (-not (Test-Path -LiteralPath $ProgramPath -PathType Leaf)) {
            throw "ProgramNotFound|-ProgramPath '$ProgramPath' is no file: the path of latencytuner.exe is expected."
        }
        $candidates = @((Resolve-Path -LiteralPath $ProgramPath).ProviderPath)
    }
    else {
        foreach ($name in $names) {
            $beside = Join-Path -Path $PSScriptRoot -ChildPath $name
            if (Test-Path -LiteralPath $beside -PathType Leaf) {
                $candidates += $beside
            }
        }
        $here = (Get-Location -PSProvider FileSystem).ProviderPath
        foreach ($name in $names) {
            foreach ($command in @(Get-Command -Name $name -CommandType Application -All -ErrorAction Ignore)) {
                # A PATH with a dot in it finds what someone left in the current folder.
                if ((Split-Path -Path $command.Source -Parent) -ne $here) {
                    $candidates += $command.Source
                }
            }
        }
    }
    if ($candidates.Count -eq 0) {
        throw ("ProgramNotFound|The program latencytuner was not found in the module's folder ($PSScriptRoot) or in PATH: install it there, or give " +
            '-ProgramPath PATH.')
    }
    $path = $candidates[0]
    if (-not $script:Known.ContainsKey($path)) {
        $version = ''
        try {
            # Standard error stays what it is: Windows PowerShell 5.1 makes errors of it when it is redirected.
            $version = [string](& $path --version | Select-Object -First 1)
        }
        catch {
            throw "ProgramNotFound|$path cannot be started: $($_.Exception.Message)"
        }
        $script:Known[$path] = @{ Path = $path; Version = $version; Signature = (Get-LatencySignature -Path $path) }
    }
    $program = $script:Known[$path]
    if ($program.Version -notmatch ('^' + ($script:Release -replace '\.', '\.') + '(\.|$)')) {
        throw ("WrongVersion|$path is version '$($program.Version)', and this module belongs to version $($script:Release): use the module and the program " +
            'of the same release, or give -ProgramPath PATH.')
    }
    Write-Verbose -Message "Program $path, version $($program.Version), signature $($program.Signature)."
    $program
}

function ConvertTo-LatencyArgument {
    # One word of a command line by the rules that Windows' C library and .NET share.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][AllowEmptyString()][string]$Word)
    if ($Word -match '^[A-Za-z0-9_./:\\=,@%+-]+$') {
        return $Word
    }
    '"' + (($Word -replace '(\\*)"', '$1$1\"') -replace '(\\+)$', '$1$1') + '"'
}

function ConvertTo-LatencyDuration {
    # TimeSpan, a number of seconds, or text as the program takes it, such as 500ms.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)]$Value)
    if ($Value -is [timespan]) {
        return ([string][long]($Value.Ticks / 10)) + 'us'
    }
    if ($Value -is [string]) {
        if ($Value -match '^\d+(\.\d+)?$') {
            return $Value + 's'
        }
        if ($Value -match '^(\d+\.)?\d{1,2}:\d{2}:\d{2}(\.\d+)?$') {
            return ([string][long](([timespan]$Value).Ticks / 10)) + 'us'
        }
        return $Value
    }
    ([string]$Value) + 's'
}

function ConvertTo-LatencySize {
    # A number of bytes, or text as the program takes it, such as 64KiB.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)]$Value)
    [string]$Value
}

function Add-LatencyOption {
    # Adds '--name value' for a value that was given.
    [CmdletBinding()]
    [OutputType([string[]])]
    param([string[]]$Words, [string]$Name, $Value, [ValidateSet('Text', 'Duration', 'Size', 'File', 'Switch')][string]$As = 'Text')
    if (($null -eq $Value) -or (($Value -is [string]) -and ($Value -eq ''))) {
        return $Words
    }
    if ($As -eq 'Switch') {
        if ([bool]$Value) {
            return @($Words) + $Name
        }
        return $Words
    }
    $all = @($Words)
    foreach ($one in @($Value)) {
        $text = [string]$one
        if ($As -eq 'Duration') {
            $text = ConvertTo-LatencyDuration -Value $one
        }
        elseif ($As -eq 'Size') {
            $text = ConvertTo-LatencySize -Value $one
        }
        elseif ($As -eq 'File') {
            $text = Resolve-LatencyFile -Path $one
        }
        # One word: a value that begins with a dash is no option then.
        $all += "$Name=$text"
    }
    $all
}

function New-LatencyRequest {
    # What is to be run for one target. A target stands behind '--', so that a name that looks like an option is none.
    [CmdletBinding()]
    [OutputType([hashtable])]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes a value.')]
    param(
        [Parameter(Mandatory = $true)][hashtable]$Program, [Parameter(Mandatory = $true)][string[]]$Words, [string[]]$Operands = @(), [string]$Target = '',
        [string]$Output = '--output'
    )
    @{ Program = $Program; Words = $Words; Operands = $Operands; Target = $Target; Output = $Output }
}

function Start-LatencyRun {
    [CmdletBinding()]
    [OutputType([hashtable])]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'The callers ask.')]
    param([Parameter(Mandatory = $true)][hashtable]$Request)
    $folder = Join-Path -Path (Get-LatencyTempFolder) -ChildPath ('latencytuner-' + [guid]::NewGuid().ToString('N'))
    $null = New-Item -ItemType Directory -Path $folder -ErrorAction Stop
    $run = @{
        Request = $Request; Folder = $folder; Document = (Join-Path -Path $folder -ChildPath 'document.json')
        Lines = (Join-Path -Path $folder -ChildPath 'progress.jsonl'); Stop = (Join-Path -Path $folder -ChildPath 'stop'); Last = ''; Share = -1; Step = ''
        Done = $false; Exited = $null
    }
    $words = @($Request.Words) + @('--format=json', "$($Request.Output)=$($run.Document)", '--progress=jsonl', "--stop-with=$($run.Stop)")
    if ($Request.Operands.Count -gt 0) {
        $words += '--'
        $words += $Request.Operands
    }
    $line = (@($words | ForEach-Object -Process { ConvertTo-LatencyArgument -Word $_ })) -join ' '
    Write-Verbose -Message "$($Request.Program.Path) $line"
    # On Windows in a hidden console of its own, which Ctrl-C does not reach. Standard error is not redirected.
    $how = Get-LatencyStartOption
    try {
        # Start-Process takes this path as a pattern, and a folder may have brackets in its name.
        $null = New-Item -ItemType File -Path $run.Lines -ErrorAction Stop
        $lines = $run.Lines -replace '([\[\]*?`])', '`$1'
        $run.Process = Start-Process -FilePath $Request.Program.Path -ArgumentList $line -RedirectStandardOutput $lines -PassThru -ErrorAction Stop @how
    }
    catch {
        Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction Ignore
        throw "ProgramNotFound|$($Request.Program.Path) cannot be started: $($_.Exception.Message)"
    }
    # Windows PowerShell 5.1 knows the exit code later only when it has the handle now.
    $null = $run.Process.Handle
    $run
}

function Read-LatencyLine {
    # The objects of the lines that came since the last call; a line that is not yet whole comes next time.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)][hashtable]$Run, [int]$Tail = 200)
    $lines = @(Get-Content -LiteralPath $Run.Lines -Encoding UTF8 -Tail $Tail -ErrorAction Ignore)
    $from = 0
    for ($i = $lines.Count - 1; $i -ge 0; $i--) {
        if ($lines[$i] -eq $Run.Last) {
            $from = $i + 1
            break
        }
    }
    for ($i = $from; $i -lt $lines.Count; $i++) {
        $object = $null
        try {
            $object = $lines[$i] | ConvertFrom-Json
        }
        catch {
            break
        }
        $Run.Last = $lines[$i]
        $object
    }
}

function Read-LatencyDocument {
    # The document as text and as object; null where there is none.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)][string]$Path)
    $json = Get-Content -LiteralPath $Path -Raw -Encoding UTF8 -ErrorAction Ignore
    if (-not $json) {
        return @{ Json = $null; Document = $null; Problem = 'it wrote no document' }
    }
    try {
        $document = $json | ConvertFrom-Json
    }
    catch {
        return @{ Json = $json; Document = $null; Problem = 'its document is no JSON' }
    }
    $schema = [string](Get-LatencyValue -From $document -Name 'schema')
    if ($schema -notmatch '^latencytuner/([a-z-]+)/(\d+)$') {
        return @{ Json = $json; Document = $document; Problem = "its document has the schema '$schema', and latencytuner/KIND/VERSION is expected" }
    }
    if ([int]$Matches[2] -gt $script:NewestDocument) {
        return @{
            Json = $json; Document = $document
            Problem = "NewerSchema|its document is of version $($Matches[2]), and this module reads up to version $($script:NewestDocument): update the module"
        }
    }
    @{ Json = $json; Document = $document; Problem = $null }
}

function Complete-LatencyRun {
    # Reads what an ended program left, and removes it.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)][hashtable]$Run, [switch]$Keep)
    $read = Read-LatencyDocument -Path $Run.Document
    $code = $null
    if ($null -ne $read.Document) {
        $code = Get-LatencyValue -From $read.Document -Name 'exitCode'
    }
    if ($null -eq $code) {
        $code = $Run.Process.ExitCode
    }
    $messages = @(Get-Content -LiteralPath $Run.Lines -Encoding UTF8 -ErrorAction Ignore | Where-Object -FilterScript { $_ -like '*"event":"message"*' } |
            Select-Object -Last 50 | ForEach-Object -Process { ($_ | ConvertFrom-Json).text })
    if (-not $Keep) {
        Remove-Item -LiteralPath $Run.Folder -Recurse -Force -ErrorAction Ignore
    }
    @{ Request = $Run.Request; Json = $read.Json; Document = $read.Document; Problem = $read.Problem; ExitCode = $code; Messages = $messages }
}

function Stop-LatencyRun {
    # Ctrl-C, or a reader that has seen enough: the programs are asked to end, have 5 s for what they know, and are then killed.
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Ends what the caller started.')]
    param([Parameter(Mandatory = $true)][AllowEmptyCollection()][hashtable[]]$Runs)
    foreach ($run in $Runs) {
        $null = New-Item -ItemType File -Path $run.Stop -ErrorAction Ignore
    }
    $until = (Get-Date).AddSeconds($script:StopSeconds)
    while ((@($Runs | Where-Object -FilterScript { -not $_.Process.HasExited }).Count -gt 0) -and ((Get-Date) -lt $until)) {
        Start-Sleep -Milliseconds 100
    }
    foreach ($run in $Runs) {
        if (-not $run.Process.HasExited) {
            Stop-Process -Id $run.Process.Id -Force -ErrorAction Ignore
            Wait-Process -Id $run.Process.Id -Timeout 5 -ErrorAction Ignore
        }
        $outcome = Complete-LatencyRun -Run $run -Keep
        $kept = $false
        if (($null -ne $outcome.Document) -and ($outcome.Document.schema -notlike 'latencytuner/failure/*')) {
            $leaf = 'latencytuner-partial-' + (Get-Date -Format 'yyyyMMdd-HHmmss') + '-' + $run.Process.Id + '.json'
            $file = Join-Path -Path (Get-LatencyTempFolder) -ChildPath $leaf
            Copy-Item -LiteralPath $run.Document -Destination $file -ErrorAction Ignore
            $kept = Test-Path -LiteralPath $file
        }
        Remove-Item -LiteralPath $run.Folder -Recurse -Force -ErrorAction Ignore
        if ($kept) {
            Write-Warning -Message "Ended early. What was measured until then: $($outcome.Document.text) The document (complete: false) is $file."
        }
        else {
            Write-Warning -Message 'Ended early, before anything was measured.'
        }
    }
}

function Invoke-LatencyRun {
    # Runs requests, at most so many at a time, and gives each outcome as soon as it is ready. With -Interval, the lines of intervals as well.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)][hashtable[]]$Requests, [ValidateRange(1, 64)][int]$ThrottleLimit = 1, [string]$Activity = 'LatencyTuner',
        [switch]$Interval
    )
    $waiting = @($Requests)
    $running = @()
    $shown = ''
    try {
        while (($waiting.Count -gt 0) -or ($running.Count -gt 0)) {
            while (($waiting.Count -gt 0) -and ($running.Count -lt $ThrottleLimit)) {
                $next = $waiting[0]
                $waiting = @($waiting | Select-Object -Skip 1)
                try {
                    $running += Start-LatencyRun -Request $next
                }
                catch {
                    @{ Request = $next; Json = $null; Document = $null; Problem = $_.Exception.Message; ExitCode = $null; Messages = @() }
                }
            }
            if ($running.Count -eq 0) {
                continue
            }
            Start-Sleep -Milliseconds $script:PollMilliseconds
            foreach ($run in $running) {
                foreach ($line in @(Read-LatencyLine -Run $run)) {
                    if ($line.event -eq 'progress') {
                        $run.Step = $line.step
                        $run.Share = -1
                        if ($null -ne $line.share) {
                            $run.Share = [int](100 * $line.share)
                        }
                    }
                    elseif (($line.event -eq 'interval') -and $Interval) {
                        $line
                    }
                    elseif ($line.event -eq 'ended') {
                        $run.Done = $true
                    }
                }
                if (($null -eq $run.Exited) -and $run.Process.HasExited) {
                    $run.Exited = Get-Date
                }
            }
            # Outside Windows, PowerShell itself writes the lines into the file, and the last ones may come after the end of the process.
            $ended = @($running | Where-Object -FilterScript {
                    ($null -ne $_.Exited) -and ($_.Done -or ($_.Exited -lt (Get-Date).AddMilliseconds(-1000)))
                })
            # One record in a round of 250 ms: at most 4 in a second, however many programs run.
            $first = $running[0]
            $status = (@($running | ForEach-Object -Process { "$($_.Request.Target) $($_.Step)".Trim() }) -join '; ')
            if (-not $status) {
                $status = 'starting'
            }
            if ("$status $($first.Share)" -ne $shown) {
                $shown = "$status $($first.Share)"
                Write-Progress -Activity $Activity -Status $status -PercentComplete $first.Share
            }
            $running = @($running | Where-Object -FilterScript { -not ($ended -contains $_) })
            foreach ($run in $ended) {
                Wait-Process -Id $run.Process.Id -ErrorAction Ignore
                Complete-LatencyRun -Run $run
            }
        }
    }
    finally {
        if ($running.Count -gt 0) {
            Stop-LatencyRun -Runs $running
        }
        Write-Progress -Activity $Activity -Completed
    }
}

function Get-LatencyValue {
    # A property by its path, or null where a part of it is missing.
    [CmdletBinding()]
    param($From, [Parameter(Mandatory = $true)][string]$Name)
    $at = $From
    foreach ($part in ($Name -split '\.')) {
        if ($null -eq $at) {
            return $null
        }
        $property = $at.PSObject.Properties[$part]
        if ($null -eq $property) {
            return $null
        }
        $at = $property.Value
    }
    $at
}

Export-ModuleMember -Function @(
    'Test-LatencyWindows', 'Get-LatencyTempFolder', 'Resolve-LatencyFile', 'Find-LatencyProgram', 'ConvertTo-LatencyArgument', 'ConvertTo-LatencyDuration',
    'ConvertTo-LatencySize', 'Add-LatencyOption', 'New-LatencyRequest', 'Start-LatencyRun', 'Read-LatencyLine', 'Read-LatencyDocument', 'Complete-LatencyRun',
    'Stop-LatencyRun', 'Invoke-LatencyRun', 'Get-LatencyValue')
