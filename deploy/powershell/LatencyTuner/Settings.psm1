# Settings, changes, and what is done with documents. What changes this host asks first, and refuses where nobody can answer.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Program.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Results.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Consent.psm1')

# Writes what comes of a run. A block and no function: it runs in the function that pipes to it, whose -ErrorAction and -WarningAction hold and which its
# errors name; these do not pass from one file of a module to another, so each has it.
$script:Write = {
    if ($_ -isnot [hashtable]) { $_ }
    elseif ($_.ContainsKey('Warning')) { Write-Warning -Message $_.Warning }
    else { $fault = $_; Write-Error @fault }
}

function Get-TcpLatencySetting {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Setting', [string])]
    param(
        [Parameter(Position = 0, ValueFromPipeline = $true)][SupportsWildcards()][string[]]$Id = @('*'), [string]$Snapshot,
        [ValidateSet('LowLatency', 'Balanced', 'Throughput')][string]$Workload, [string[]]$Option = @(), [string]$ProgramPath, [switch]$AsJson
    )
    begin {
        $wanted = @()
    }
    process {
        $wanted += $Id
    }
    end {
        $state = @{ Quiet = $false; AsJson = [bool]$AsJson; FailOn = @(); Failing = @(); As = 'Setting' }
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = Add-LatencyOption -Words @('settings', 'list') -Name '--snapshot' -Value $Snapshot -As File
            $words = Add-LatencyOption -Words $words -Name '--profile' -Value (([string]$Workload -creplace '([a-z])([A-Z])', '$1-$2').ToLowerInvariant())
            $request = New-LatencyRequest -Program $program -Words (@($words) + $Option)
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        $found = 0
        Invoke-LatencyRun -Requests @($request) -Activity 'Get-TcpLatencySetting' | Out-LatencyOutcome -State $state | ForEach-Object -Process {
            if (($_ -is [hashtable]) -and $_.ContainsKey('Warning')) {
                Write-Warning -Message $_.Warning
            }
            elseif ($_ -is [hashtable]) {
                $fault = $_
                Write-Error @fault
                $found++
            }
            elseif ($AsJson) {
                $_
                $found++
            }
            else {
                foreach ($pattern in $wanted) {
                    if ($_.Id -like $pattern) {
                        $_
                        $found++
                        break
                    }
                }
            }
        }
        if (($found -eq 0) -and -not ($wanted -contains '*')) {
            $text = "No setting of this host has an id like '$($wanted -join "', '")': Get-TcpLatencySetting lists all."
            Write-Error -Message $text -ErrorId 'LatencyTuner.NotFound' -Category ObjectNotFound -TargetObject $wanted
        }
    }
}

function Set-TcpLatencySetting {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High', DefaultParameterSetName = 'Setting')]
    [OutputType('LatencyTuner.Change', [string])]
    param(
        [Parameter(ParameterSetName = 'Setting', Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)][Alias('SettingId')][string]$Id,
        [Parameter(ParameterSetName = 'Setting', Mandatory = $true, Position = 1, ValueFromPipelineByPropertyName = $true)][string]$Value,
        [Parameter(ParameterSetName = 'Setting')][string]$Interface,
        [Parameter(ParameterSetName = 'Setting')][string]$Template,
        [Parameter(ParameterSetName = 'Setting')][string]$Filter,
        [Parameter(ParameterSetName = 'Plan', Mandatory = $true)][string]$Plan,
        [string]$Snapshot, [string]$Ticket, [string[]]$Option = @(), [string]$ProgramPath, [switch]$PassThru, [switch]$AsJson, [switch]$Force
    )
    process {
        try {
            $shows = [bool]$WhatIfPreference -or [bool]$Snapshot
            Assert-LatencyConsent -BoundParameter $PSBoundParameters -Command 'Set-TcpLatencySetting' -Force:$Force -Shows:$shows
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = @('apply')
            $what = "plan $Plan"
            if ($PSCmdlet.ParameterSetName -eq 'Setting') {
                $words = Add-LatencyOption -Words $words -Name '--setting' -Value "$Id=$Value"
                $what = "$Id = $Value"
            }
            $words = Add-LatencyOption -Words $words -Name '--interface' -Value $Interface
            $words = Add-LatencyOption -Words $words -Name '--template' -Value $Template
            $words = Add-LatencyOption -Words $words -Name '--filter' -Value $Filter
            $words = Add-LatencyOption -Words $words -Name '--plan' -Value $Plan -As File
            $words = Add-LatencyOption -Words $words -Name '--snapshot' -Value $Snapshot -As File
            $words = Add-LatencyOption -Words $words -Name '--ticket' -Value $Ticket
            $words = @($words) + $Option
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_ -Target $Id
            Write-Error @fault -ErrorAction Stop
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) {
            $ConfirmPreference = 'None'
        }
        # What would change is asked of the program: it names the path, the old and the new value. A snapshot is never changed.
        if (-not $shows) {
            if (-not $PSCmdlet.ShouldProcess("TCP settings of $([string]$env:COMPUTERNAME)", "Set $what")) {
                return
            }
            $words += '--yes'
        }
        $state = @{ Quiet = $false; AsJson = [bool]$AsJson; FailOn = @(); Failing = @(); As = 'Change' }
        $request = New-LatencyRequest -Program $program -Words $words -Target $what
        Invoke-LatencyRun -Requests @($request) -Activity 'Set-TcpLatencySetting' | Out-LatencyOutcome -State $state | ForEach-Object -Process {
            if ($_ -isnot [hashtable]) { if ($PassThru -or $AsJson -or $shows) { $_ } }
            elseif ($_.ContainsKey('Warning')) { Write-Warning -Message $_.Warning }
            else { $fault = $_; Write-Error @fault }
        }
    }
}

function Undo-TcpLatencySetting {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High', DefaultParameterSetName = 'Batch')]
    [OutputType('LatencyTuner.Change', [string])]
    param(
        [Parameter(ParameterSetName = 'Batch', Mandatory = $true, Position = 0, ValueFromPipelineByPropertyName = $true)][string]$Batch,
        [Parameter(ParameterSetName = 'Setting', Mandatory = $true)][Alias('SettingId')][string]$Id,
        [Parameter(ParameterSetName = 'Setting')][string]$Interface,
        [Parameter(ParameterSetName = 'All', Mandatory = $true)][switch]$All,
        [string[]]$Option = @(), [string]$ProgramPath, [switch]$PassThru, [switch]$AsJson, [switch]$Force
    )
    process {
        try {
            Assert-LatencyConsent -BoundParameter $PSBoundParameters -Command 'Undo-TcpLatencySetting' -Force:$Force -Shows:([bool]$WhatIfPreference)
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = Add-LatencyOption -Words @('rollback') -Name '--batch' -Value $Batch
            $words = Add-LatencyOption -Words $words -Name '--setting' -Value $Id
            $words = Add-LatencyOption -Words $words -Name '--interface' -Value $Interface
            $words = Add-LatencyOption -Words $words -Name '--all' -Value ([bool]$All) -As Switch
            $words = @($words) + $Option
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_ -Target $Batch
            Write-Error @fault -ErrorAction Stop
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) {
            $ConfirmPreference = 'None'
        }
        $what = (@(@($Batch, $Id) | Where-Object -FilterScript { $_ }) -join '')
        if ($All) {
            $what = 'everything in force'
        }
        $shows = [bool]$WhatIfPreference
        if (-not $shows) {
            if (-not $PSCmdlet.ShouldProcess("TCP settings of $([string]$env:COMPUTERNAME)", "Put back $what")) {
                return
            }
            $words += '--yes'
        }
        $state = @{ Quiet = $false; AsJson = [bool]$AsJson; FailOn = @(); Failing = @(); As = 'Change' }
        $request = New-LatencyRequest -Program $program -Words $words -Target $what
        Invoke-LatencyRun -Requests @($request) -Activity 'Undo-TcpLatencySetting' | Out-LatencyOutcome -State $state | ForEach-Object -Process {
            if ($_ -isnot [hashtable]) { if ($PassThru -or $AsJson -or $shows) { $_ } }
            elseif ($_.ContainsKey('Warning')) { Write-Warning -Message $_.Warning }
            else { $fault = $_; Write-Error @fault }
        }
    }
}

function Get-TcpLatencyRecommendation {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Recommendation', [string])]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName = $true)][Alias('FullName', 'PSPath')][string[]]$Path,
        [Parameter(ValueFromPipeline = $true)]$InputObject, [string]$Snapshot,
        [ValidateSet('LowLatency', 'Balanced', 'Throughput')][string]$Workload, [string[]]$Option = @(), [string]$ProgramPath, [switch]$AsJson
    )
    begin {
        $documents = @()
        $files = @()
    }
    process {
        if ($Path) {
            $files += @(Resolve-Path -LiteralPath $Path | ForEach-Object -Process { $_.ProviderPath })
        }
        elseif (($null -ne $InputObject) -and ($null -ne $InputObject.PSObject.Properties['Document'])) {
            $documents += $InputObject.Document
        }
    }
    end {
        $state = @{ Quiet = $false; AsJson = [bool]$AsJson; FailOn = @(); Failing = @(); As = 'Recommendation' }
        $folder = $null
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            if ($documents.Count -gt 0) {
                $folder = Export-LatencyDocument -Document $documents
                $files += @(Get-ChildItem -LiteralPath $folder -File | ForEach-Object -Process { $_.FullName })
            }
            if (($files.Count -eq 0) -and -not $Snapshot) {
                throw 'Usage|Nothing to recommend from: pipe results of Test-TcpLatency or Measure-TcpLatency, or give -Path FILE or -Snapshot FILE.'
            }
            $words = Add-LatencyOption -Words @('recommend') -Name '--from' -Value $files
            $words = Add-LatencyOption -Words $words -Name '--snapshot' -Value $Snapshot -As File
            $words = Add-LatencyOption -Words $words -Name '--profile' -Value (([string]$Workload -creplace '([a-z])([A-Z])', '$1-$2').ToLowerInvariant())
            $request = New-LatencyRequest -Program $program -Words (@($words) + $Option)
            Invoke-LatencyRun -Requests @($request) -Activity 'Get-TcpLatencyRecommendation' | Out-LatencyOutcome -State $state |
                ForEach-Object -Process $script:Write
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        finally {
            if ($folder) {
                Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction Ignore -WhatIf:$false -Confirm:$false
            }
        }
    }
}

function Compare-TcpLatency {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Comparison', [bool], [string])]
    param(
        [Parameter(Mandatory = $true, Position = 0)]$Before, [Parameter(Mandatory = $true, Position = 1, ValueFromPipeline = $true)]$After,
        $Limit, [string[]]$Option = @(), [ValidateSet('Fail', 'Stall', 'CannotTell')][string[]]$FailOn, [string]$ProgramPath, [switch]$AsJson, [switch]$Quiet
    )
    process {
        $state = @{ Quiet = [bool]$Quiet; AsJson = [bool]$AsJson; FailOn = $FailOn; Failing = @(); As = 'Comparison' }
        $folders = @()
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $files = @()
            foreach ($side in @($Before, $After)) {
                if ($side -is [string]) {
                    $files += Resolve-LatencyFile -Path $side
                }
                elseif ($null -ne $side.PSObject.Properties['Document']) {
                    $folder = Export-LatencyDocument -Document @($side.Document)
                    $folders += $folder
                    $files += @(Get-ChildItem -LiteralPath $folder -File)[0].FullName
                }
                else {
                    throw 'Usage|A file, or a result of Measure-TcpLatency, is expected before and after.'
                }
            }
            $words = Add-LatencyOption -Words @('compare') -Name '--limit' -Value $Limit -As Duration
            if ($FailOn) {
                $words = @($words) + '--fail-on-worse'
            }
            $request = New-LatencyRequest -Program $program -Words (@($words) + $Option) -Operands $files -Target 'before and after'
            Invoke-LatencyRun -Requests @($request) -Activity 'Compare-TcpLatency' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        finally {
            foreach ($folder in $folders) {
                Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction Ignore -WhatIf:$false -Confirm:$false
            }
        }
        if ($state.Failing.Count -gt 0) {
            $fault = Get-LatencyFailOnFault -State $state
            Write-Error @fault -ErrorAction Stop
        }
    }
}

function New-TcpLatencyReport {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'Low')]
    [OutputType('System.IO.FileInfo')]
    param(
        [Parameter(Mandatory = $true, Position = 0)][string]$OutputPath,
        [Parameter(ValueFromPipelineByPropertyName = $true)][Alias('FullName', 'PSPath')][string[]]$Path, [Parameter(ValueFromPipeline = $true)]$InputObject,
        [string]$Ticket, [string]$Note, [string]$Operator, [switch]$Interactive, [switch]$Pack, [switch]$IncludeCapture, [switch]$Mask,
        [string[]]$Option = @(), [string]$ProgramPath, [switch]$PassThru, [switch]$Force
    )
    begin {
        $documents = @()
        $files = @()
    }
    process {
        if ($Path) {
            $files += @(Resolve-Path -LiteralPath $Path | ForEach-Object -Process { $_.ProviderPath })
        }
        elseif (($null -ne $InputObject) -and ($null -ne $InputObject.PSObject.Properties['Document'])) {
            $documents += $InputObject.Document
        }
    }
    end {
        $folder = $null
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $page = Resolve-LatencyFile -Path $OutputPath -New
            if ((Test-Path -LiteralPath $page) -and -not $Force) {
                throw "Usage|$page is there already: give another name, or -Force to replace it."
            }
            if ($documents.Count -gt 0) {
                $folder = Export-LatencyDocument -Document $documents
                $files += @(Get-ChildItem -LiteralPath $folder -File | ForEach-Object -Process { $_.FullName })
            }
            if ($files.Count -eq 0) {
                throw 'Usage|Nothing to report: pipe results of this module, or give -Path FILE.'
            }
            $words = Add-LatencyOption -Words @('report') -Name '--ticket' -Value $Ticket
            $words = Add-LatencyOption -Words $words -Name '--note' -Value $Note
            $words = Add-LatencyOption -Words $words -Name '--operator' -Value $Operator
            $words = Add-LatencyOption -Words $words -Name '--interactive' -Value ([bool]$Interactive) -As Switch
            if ($Pack) {
                $words = Add-LatencyOption -Words $words -Name '--include-captures' -Value ([bool]$IncludeCapture) -As Switch
                $words = Add-LatencyOption -Words $words -Name '--mask' -Value ([bool]$Mask) -As Switch
                $words = @($words) + $Option + @("--pack=$page", '--') + $files
            }
            elseif ($Mask -or $IncludeCapture) {
                throw 'Usage|-Mask and -IncludeCapture belong to an evidence pack: add -Pack.'
            }
            else {
                $words = @($words) + $Option + @('--format=html', "--output=$page", '--') + $files
            }
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            if ($folder) {
                Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction Ignore -WhatIf:$false -Confirm:$false
            }
            Write-Error @fault -ErrorAction Stop
        }
        try {
            if ($ExecutionContext.SessionState.LanguageMode -eq 'FullLanguage') {
                $writes = $PSCmdlet.ShouldProcess($page, 'Write the report')
            }
            else {
                # ShouldProcess cannot be called here; a cmdlet can, and says the same.
                $writes = -not $WhatIfPreference
                if (-not $writes) {
                    Set-Content -LiteralPath $page -Value '' -WhatIf
                }
            }
            if ($writes) {
                # The page is the document here, so the call is not one of those that Invoke-LatencyRun makes.
                # A pack prints what it holds, for the eyes of whoever is to send it.
                & $program.Path $words | Out-Host
                # A file alone proves nothing: with -Force an earlier one may still be there.
                if (($LASTEXITCODE -notin @(0, 1, 7)) -or -not (Test-Path -LiteralPath $page -PathType Leaf)) {
                    $text = "The report was not written: $($program.Path) ended with exit code $LASTEXITCODE and said why above."
                    Write-Error -Message $text -ErrorId 'LatencyTuner.NoDocument' -Category WriteError -TargetObject $page
                }
                elseif ($PassThru) {
                    Get-Item -LiteralPath $page
                }
            }
        }
        finally {
            if ($folder) {
                Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction Ignore -WhatIf:$false -Confirm:$false
            }
        }
    }
}

function Export-LatencyDocument {
    # Documents of objects as files of a new folder, for commands that read files.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][object[]]$Document)
    $folder = Join-Path -Path (Get-LatencyTempFolder) -ChildPath ('latencytuner-' + [guid]::NewGuid().ToString('N'))
    $null = New-Item -ItemType Directory -Path $folder -ErrorAction Stop -WhatIf:$false -Confirm:$false
    $number = 0
    foreach ($one in $Document) {
        $number++
        $file = Join-Path -Path $folder -ChildPath ('{0:000}.json' -f $number)
        $one | ConvertTo-Json -Depth 64 | Set-Content -LiteralPath $file -Encoding UTF8 -WhatIf:$false -Confirm:$false
    }
    $folder
}

Export-ModuleMember -Function @(
    'Get-TcpLatencySetting', 'Set-TcpLatencySetting', 'Undo-TcpLatencySetting', 'Get-TcpLatencyRecommendation', 'Compare-TcpLatency', 'New-TcpLatencyReport')
