# Makes typed objects of documents, and faults of what failed. A verdict is data; only what could not be done is an error.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Program.psm1')

# Exit code of the program, error id, category. The table stands in docs/powershell.md.
$script:Faults = @{
    2   = @('Usage', 'InvalidArgument')
    3   = @('Input', 'InvalidData')
    4   = @('Platform', 'ResourceUnavailable')
    5   = @('Measurement', 'ConnectionError')
    6   = @('Change', 'WriteError')
    70  = @('Bug', 'NotSpecified')
    130 = @('Cancelled', 'OperationStopped')
}
# Errors of the module itself.
$script:OwnFaults = @{
    ProgramNotFound = 'ObjectNotFound'; WrongVersion = 'NotInstalled'; NoDocument = 'ReadError'; NewerSchema = 'InvalidData'; FailOn = 'InvalidResult'
    ConstrainedLanguage = 'SecurityError'; NotConfirmed = 'OperationStopped'; Remoting = 'OpenError'; Copy = 'WriteError'; Firewall = 'ResourceUnavailable'
    Usage = 'InvalidArgument'; NotFound = 'ObjectNotFound'
}

function New-LatencyObject {
    # Works in Constrained Language, where a cast to a custom object does not.
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes a value.')]
    param([Parameter(Mandatory = $true)][string]$TypeName, [Parameter(Mandatory = $true)]$Property)
    $object = New-Object -TypeName PSObject -Property $Property
    $object | Add-Member -TypeName "LatencyTuner.$TypeName"
    $object
}

function Get-LatencyFault {
    # The parameters of Write-Error for an outcome that is no data; null when it is data.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)][hashtable]$Outcome)
    $about = ''
    if ($Outcome.Request.Target) {
        $about = "$($Outcome.Request.Target): "
    }
    if ($Outcome.Problem) {
        $id = 'NoDocument'
        $text = $Outcome.Problem
        if ($text -match '^(\w+)\|(.*)$') {
            $id = $Matches[1]
            $text = $Matches[2]
        }
        if ($null -eq $Outcome.ExitCode) {
            return @{ Message = "$about$text"; ErrorId = "LatencyTuner.$id"; Category = $script:OwnFaults[$id]; TargetObject = $Outcome.Request.Target }
        }
        $said = (@($Outcome.Messages) -join ' ')
        $message = "$about$($Outcome.Request.Program.Path) ended with exit code $($Outcome.ExitCode), but ${text}. $said".Trim()
        return @{ Message = $message; ErrorId = "LatencyTuner.$id"; Category = $script:OwnFaults[$id]; TargetObject = $Outcome.Document }
    }
    $code = [int]$Outcome.ExitCode
    $failure = $Outcome.Document.schema -like 'latencytuner/failure/*'
    # A document that ended early is data: it says that it is not complete.
    if (($code -in @(0, 1, 7)) -or (($code -eq 130) -and -not $failure)) {
        return $null
    }
    $known = $script:Faults[$code]
    if ($null -eq $known) {
        $known = @('Unknown', 'NotSpecified')
    }
    @{
        Message = "$about$($Outcome.Document.text)"; ErrorId = "LatencyTuner.$($known[0])"; Category = $known[1]; TargetObject = $Outcome.Document
    }
}

function Get-LatencyThrownFault {
    # The parameters of Write-Error for what a function of this module threw, 'Id|sentence', or for any other error.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)]$ErrorRecord, $Target = $null)
    $text = $ErrorRecord.Exception.Message
    if (($text -match '^(\w+)\|([\s\S]*)$') -and $script:OwnFaults.ContainsKey($Matches[1])) {
        return @{ Message = $Matches[2]; ErrorId = "LatencyTuner.$($Matches[1])"; Category = $script:OwnFaults[$Matches[1]]; TargetObject = $Target }
    }
    @{ Message = $text; ErrorId = 'LatencyTuner.Failed'; Category = [string]$ErrorRecord.CategoryInfo.Category; TargetObject = $Target }
}

function Format-LatencyTime {
    # Microseconds as text: 13.5 us, 4.19 ms, 2.1 s.
    [CmdletBinding()]
    [OutputType([string])]
    param($Us)
    if ($null -eq $Us) {
        return ''
    }
    $value = [double]$Us
    $unit = 'us'
    if ($value -ge 1000000) {
        $value = $value / 1000000
        $unit = 's'
    }
    elseif ($value -ge 1000) {
        $value = $value / 1000
        $unit = 'ms'
    }
    # A cast rounds, and writes a decimal point in every culture.
    $rounded = if ($value -ge 100) { [long]$value } elseif ($value -ge 10) { ([long]($value * 10)) / 10 } else { ([long]($value * 100)) / 100 }
    "$rounded $unit"
}

function ConvertTo-LatencySpan {
    [CmdletBinding()]
    param($Us)
    if ($null -eq $Us) {
        return $null
    }
    # One tick is 100 ns.
    [timespan]::FromTicks([long](10 * [double]$Us))
}

function ConvertTo-LatencyUtc {
    # ConvertFrom-Json gives text in Windows PowerShell and a time in PowerShell 7.
    [CmdletBinding()]
    param($Value)
    if ($null -eq $Value) {
        return $null
    }
    ([datetime]$Value).ToUniversalTime()
}

function ConvertTo-LatencyResult {
    # The object of a document that has a verdict: check, diagnosis, measurement, analysis, series.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)][hashtable]$Outcome)
    $document = $Outcome.Document
    $kind = ($document.schema -split '/')[1]
    $figures = $document
    $measurements = @(Get-LatencyValue -From $document -Name 'measurements' | Where-Object -FilterScript { $null -ne $_ })
    if ($measurements.Count -gt 0) {
        # Loopback is the first one, as context of the target.
        $figures = $measurements[$measurements.Count - 1]
    }
    $times = Get-LatencyValue -From $figures -Name 'responseTime'
    if ($null -eq $times) {
        $series = @(Get-LatencyValue -From $document -Name 'series' | Where-Object -FilterScript { $null -ne $_ })
        if ($series.Count -eq 1) {
            $times = Get-LatencyValue -From $series[0] -Name 'latency'
        }
    }
    $probes = @(Get-LatencyValue -From $document -Name 'targets' | Where-Object -FilterScript { $null -ne $_ })
    if (($null -eq $times) -and ($probes.Count -eq 1)) {
        $times = Get-LatencyValue -From $probes[0] -Name 'responseTime'
    }
    $findings = @(Get-LatencyValue -From $document -Name 'findings' | Where-Object -FilterScript { $null -ne $_ })
    $cause = $null
    $cure = $null
    $severity = $null
    if ($findings.Count -gt 0) {
        # The worst is the first. Beside a good verdict, information of no consequence would read as a fault; it is in the document.
        $severity = $findings[0].severity
        if ($severity -ne 'info') {
            $cause = $findings[0].cause
            $cure = Get-LatencyValue -From $findings[0] -Name 'recommendation'
        }
    }
    $stalls = Get-LatencyValue -From $figures -Name 'stalls.count'
    if (($null -eq $stalls) -and ($kind -eq 'analysis')) {
        $stalls = 0
        foreach ($finding in $findings) {
            if ((Get-LatencyValue -From $finding -Name 'countOf') -eq 'stall') {
                $stalls += $finding.count
            }
        }
    }
    $target = $Outcome.Request.Target
    if (-not $target) {
        $target = Get-LatencyValue -From $figures -Name 'target.name'
    }
    $p50 = Get-LatencyValue -From $times -Name 'p50Us'
    $p99 = Get-LatencyValue -From $times -Name 'p99Us'
    New-LatencyObject -TypeName 'Result' -Property ([ordered]@{
            Verdict = $document.verdict; Target = $target; P50 = (ConvertTo-LatencySpan -Us $p50); P99 = (ConvertTo-LatencySpan -Us $p99); Stalls = $stalls
            Cause = $cause; Cure = $cure; Severity = $severity; Text = $document.text; Complete = $document.complete; ExitCode = $Outcome.ExitCode
            StartedUtc = (ConvertTo-LatencyUtc -Value $document.startedUtc); NextSteps = @($document.nextSteps); Kind = $kind
            P50Us = $p50; P99Us = $p99; P50Text = (Format-LatencyTime -Us $p50); P99Text = (Format-LatencyTime -Us $p99)
            Program = "$($Outcome.Request.Program.Path) $($Outcome.Request.Program.Version) ($($Outcome.Request.Program.Signature))"; Document = $document
        })
}

function Test-LatencyGood {
    # True for a verdict that needs no action.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)][hashtable]$Outcome)
    ($null -ne $Outcome.Document) -and ([string]$Outcome.Document.verdict -in @('pass', 'no-stall', 'done', 'changed', 'unchanged')) -and
    ($Outcome.Document.complete -eq $true)
}

function Test-LatencyFailOn {
    # True when the verdict is one of those that -FailOn names.
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)][hashtable]$Outcome, [string[]]$FailOn)
    $words = @($FailOn | Where-Object -FilterScript { $_ } | ForEach-Object -Process { ($_ -creplace '([a-z])([A-Z])', '$1-$2').ToLowerInvariant() })
    ($null -ne $Outcome.Document) -and ($words -contains [string]$Outcome.Document.verdict)
}

function ConvertTo-LatencyItem {
    # The objects of a document that is a list, or null for one that has a verdict.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)][hashtable]$Outcome, [Parameter(Mandatory = $true)][string]$As)
    $document = $Outcome.Document
    if ($As -eq 'Socket') {
        foreach ($socket in @($document.sockets)) {
            $nagle = if ($null -eq $socket.noDelay) { $null } else { -not $socket.noDelay }
            New-LatencyObject -TypeName 'Socket' -Property ([ordered]@{
                    Process = $socket.process; ProcessId = $socket.pid; State = $socket.state; LocalAddress = $socket.local.address
                    LocalPort = $socket.local.port; RemoteAddress = (Get-LatencyValue -From $socket -Name 'remote.address')
                    RemotePort = (Get-LatencyValue -From $socket -Name 'remote.port'); Nagle = $nagle; Rtt = (ConvertTo-LatencySpan -Us $socket.rttUs)
                    RttText = (Format-LatencyTime -Us $socket.rttUs); Retransmitted = $socket.retransmitted; BytesSent = $socket.bytesSent
                    BytesReceived = $socket.bytesReceived; Services = @($socket.services); Document = $socket
                })
        }
    }
    elseif ($As -eq 'Setting') {
        foreach ($entry in @($document.entries)) {
            $where = @(@($entry.interfaceAlias, $entry.interface, $entry.template) | Where-Object -FilterScript { $_ })
            New-LatencyObject -TypeName 'Setting' -Property ([ordered]@{
                    Id = $entry.id; State = $entry.state; Value = $entry.value; Default = $entry.default; Recommended = $entry.recommended
                    Where = ($where | Select-Object -First 1); Action = $entry.action; TakesEffect = $entry.takesEffect; Because = $entry.because
                    Path = $entry.path; Document = $entry
                })
        }
    }
    elseif ($As -eq 'Recommendation') {
        foreach ($one in @($document.recommendations)) {
            New-LatencyObject -TypeName 'Recommendation' -Property ([ordered]@{
                    Id = $one.id; Title = $one.title; Where = $one.where; SavesMs = (Get-LatencyValue -From $one -Name 'effect.savesMs')
                    Confidence = $one.confidence; TakesEffect = $one.takesEffect; SettingId = $one.settingId; Value = $one.value; How = @($one.how)
                    TradeOff = $one.tradeOff; Undo = $one.undo; Findings = @($one.findings); Document = $one
                })
        }
    }
    elseif ($As -eq 'Change') {
        foreach ($change in @($document.changes)) {
            New-LatencyObject -TypeName 'Change' -Property ([ordered]@{
                    SettingId = $change.settingId; Status = $change.status; Before = (Get-LatencyStored -Value $change.before)
                    After = (Get-LatencyStored -Value $change.after); Restart = $change.restart; Text = $change.text; Path = $change.path
                    Batch = $document.batch; WhatIf = $document.whatIf; Verdict = $document.verdict; Journal = $document.journal; Document = $change
                })
        }
    }
    elseif ($As -eq 'Comparison') {
        $middle = @($document.quantiles | Where-Object -FilterScript { ($null -ne $_) -and ($_.quantile -in @(0.5, 50)) }) | Select-Object -First 1
        $tail = @($document.quantiles | Where-Object -FilterScript { ($null -ne $_) -and ($_.quantile -in @(0.99, 99)) }) | Select-Object -First 1
        New-LatencyObject -TypeName 'Comparison' -Property ([ordered]@{
                Verdict = $document.verdict; Result = (Get-LatencyValue -From $document -Name 'result'); Before = (Get-LatencyValue -From $document -Name 'a')
                After = (Get-LatencyValue -From $document -Name 'b'); P50Delta = (ConvertTo-LatencySpan -Us (Get-LatencyValue -From $middle -Name 'deltaUs'))
                P99Delta = (ConvertTo-LatencySpan -Us (Get-LatencyValue -From $tail -Name 'deltaUs')); Text = $document.text; ExitCode = $Outcome.ExitCode
                Document = $document
            })
    }
}

function Get-LatencyStored {
    # A stored value as text; 'absent' is a state of its own.
    [CmdletBinding()]
    param($Value)
    if ($null -eq $Value) {
        return $null
    }
    if ((Get-LatencyValue -From $Value -Name 'absent') -eq $true) {
        return 'absent'
    }
    foreach ($name in @('value', 'text', 'data')) {
        $found = Get-LatencyValue -From $Value -Name $name
        if ($null -ne $found) {
            return [string]$found
        }
    }
    [string]$Value
}

function Out-LatencyOutcome {
    # What a command gives for each outcome: an object, a document as text, true or false; or a hashtable, the parameters of Write-Error or of a
    # warning. The command itself writes both: they bear its name then, and obey its -ErrorAction and -WarningAction. -State holds
    # its switches, and collects the targets that -FailOn is about.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true, ValueFromPipeline = $true)]$Outcome, [Parameter(Mandatory = $true)][hashtable]$State)
    process {
        if ($Outcome -isnot [hashtable]) {
            # A line of an interval.
            New-LatencyObject -TypeName 'Interval' -Property ([ordered]@{
                    StartedUtc = (ConvertTo-LatencyUtc -Value $Outcome.startedUtc); Target = $Outcome.target; P50 = (ConvertTo-LatencySpan -Us $Outcome.p50Us)
                    P99 = (ConvertTo-LatencySpan -Us $Outcome.p99Us); Max = (ConvertTo-LatencySpan -Us $Outcome.maxUs); Received = $Outcome.received
                    Errors = $Outcome.errors; Missed = $Outcome.missed; LastError = $Outcome.lastError; P50Text = (Format-LatencyTime -Us $Outcome.p50Us)
                    P99Text = (Format-LatencyTime -Us $Outcome.p99Us); MaxText = (Format-LatencyTime -Us $Outcome.maxUs)
                })
            return
        }
        $fault = Get-LatencyFault -Outcome $Outcome
        if ($null -eq $fault) {
            foreach ($message in $Outcome.Messages) {
                @{ Warning = $message }
            }
        }
        if (Test-LatencyFailOn -Outcome $Outcome -FailOn $State.FailOn) {
            $State.Failing = @($State.Failing) + $Outcome.Request.Target
        }
        if ($State.Quiet) {
            ($null -eq $fault) -and (Test-LatencyGood -Outcome $Outcome)
            return
        }
        if ($null -ne $fault) {
            $fault
            return
        }
        if ($State.AsJson) {
            $Outcome.Json
        }
        elseif ($State.ContainsKey('As')) {
            ConvertTo-LatencyItem -Outcome $Outcome -As $State.As
        }
        else {
            ConvertTo-LatencyResult -Outcome $Outcome
        }
    }
}

function Get-LatencyFailOnFault {
    # The parameters of the terminating error of -FailOn.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param([Parameter(Mandatory = $true)][hashtable]$State)
    @{
        Message = "The verdict is one that -FailOn names ($($State.FailOn -join ', ')) for: $($State.Failing -join ', ')."; ErrorId = 'LatencyTuner.FailOn'
        Category = 'InvalidResult'; TargetObject = $State.Failing
    }
}

Export-ModuleMember -Function @(
    'New-LatencyObject', 'Get-LatencyFault', 'Get-LatencyThrownFault', 'Format-LatencyTime', 'ConvertTo-LatencySpan', 'ConvertTo-LatencyUtc',
    'ConvertTo-LatencyResult', 'Test-LatencyGood', 'Test-LatencyFailOn', 'Out-LatencyOutcome', 'Get-LatencyFailOnFault')
