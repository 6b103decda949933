# Measures, reads recordings and sockets: nothing here changes a setting.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Program.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Results.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Remoting.psm1')

# Writes what comes of a run. A block and no function: it runs in the function that pipes to it, whose -ErrorAction and -WarningAction hold and which its
# errors name; these do not pass from one file of a module to another, so each has it.
$script:Write = {
    if ($_ -isnot [hashtable]) { $_ }
    elseif ($_.ContainsKey('Warning')) { Write-Warning -Message $_.Warning }
    else { $fault = $_; Write-Error @fault }
}

function Test-TcpLatency {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding(DefaultParameterSetName = 'ComputerName', SupportsShouldProcess = $true, ConfirmImpact = 'Medium')]
    [OutputType('LatencyTuner.Result', [bool], [string])]
    param(
        [Parameter(ParameterSetName = 'ComputerName', Position = 0, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)]
        [Parameter(ParameterSetName = 'Token', Position = 0, Mandatory = $true, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)]
        [Parameter(ParameterSetName = 'NoToken', Position = 0, Mandatory = $true, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)]
        [Alias('Target', 'CN', 'DNSHostName', 'PSComputerName')]
        [string[]]$ComputerName,
        [Parameter(ParameterSetName = 'ComputerName')][pscredential]$Credential,
        [Parameter(ParameterSetName = 'ComputerName')][string]$ConfigurationName,
        [Parameter(ParameterSetName = 'Session', Mandatory = $true)][object[]]$Session,
        [Parameter(ParameterSetName = 'HostName', Mandatory = $true)][string[]]$HostName,
        [Parameter(ParameterSetName = 'HostName')][string]$UserName,
        [Parameter(ParameterSetName = 'HostName')][string]$KeyFilePath,
        [Parameter(ParameterSetName = 'HostName')][string]$Subsystem,
        [Parameter(ParameterSetName = 'HostName')][hashtable]$SshOption,
        [Parameter(ParameterSetName = 'Token', Mandatory = $true)][string]$TokenFile,
        [Parameter(ParameterSetName = 'NoToken', Mandatory = $true)][switch]$NoToken,
        [Parameter(ParameterSetName = 'ComputerName')]
        [Parameter(ParameterSetName = 'Session')]
        [Parameter(ParameterSetName = 'HostName')]
        [string]$RemoteProgramPath,
        [Parameter(ParameterSetName = 'ComputerName')]
        [Parameter(ParameterSetName = 'Session')]
        [Parameter(ParameterSetName = 'HostName')]
        [switch]$CopyProgram,
        [Parameter(ParameterSetName = 'ComputerName')]
        [Parameter(ParameterSetName = 'Session')]
        [Parameter(ParameterSetName = 'HostName')]
        [switch]$OpenFirewall,
        [Parameter(ParameterSetName = 'ComputerName')]
        [Parameter(ParameterSetName = 'Session')]
        [Parameter(ParameterSetName = 'HostName')]
        [ValidateRange(1, 65535)][int]$Port,
        [switch]$Diagnose, $Duration, $MaxP99, $Size, $ReplySize, [ValidateSet('Single', 'Split', 'Stream')][string]$Pattern, [string]$ProcessName,
        [string[]]$Option = @(),
        [ValidateSet('Fail', 'Stall', 'CannotTell')][string[]]$FailOn, [ValidateRange(1, 64)][int]$ThrottleLimit = 1, [string]$ProgramPath, [switch]$AsJson,
        [switch]$Quiet, [switch]$Force
    )
    begin {
        $later = @()
        $program = $null
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = @('check')
            if ($Diagnose) {
                $words = @('diagnose')
                foreach ($name in @('Duration', 'MaxP99', 'Pattern')) {
                    if ($PSBoundParameters.ContainsKey($name)) {
                        throw "Usage|-Diagnose tries every pattern for its own time and has no limit: leave out -$name."
                    }
                }
            }
            else {
                $words = Add-LatencyOption -Words $words -Name '--duration' -Value $Duration -As Duration
                $words = Add-LatencyOption -Words $words -Name '--max-p99' -Value $MaxP99 -As Duration
                $words = Add-LatencyOption -Words $words -Name '--pattern' -Value ([string]$Pattern).ToLowerInvariant()
            }
            $words = Add-LatencyOption -Words $words -Name '--size' -Value $Size -As Size
            $words = Add-LatencyOption -Words $words -Name '--reply-size' -Value $ReplySize -As Size
            $words = Add-LatencyOption -Words $words -Name '--process' -Value $ProcessName
            $words = Add-LatencyOption -Words $words -Name '--token-file' -Value $TokenFile -As File
            $words = @($words) + $Option
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        $state = @{ Quiet = [bool]$Quiet; AsJson = [bool]$AsJson; FailOn = $FailOn; Failing = @() }
    }
    process {
        $requests = @()
        $remote = @()
        switch ($PSCmdlet.ParameterSetName) {
            'Session' { $remote = @($Session | ForEach-Object -Process { @{ Session = $_; Name = $_.ComputerName } }) }
            'HostName' { $remote = @($HostName | ForEach-Object -Process { @{ HostName = $_; Name = (Get-LatencyHostOf -HostName $_) } }) }
            'ComputerName' {
                foreach ($name in @($ComputerName | Where-Object -FilterScript { $_ })) {
                    if ($name -eq 'loopback') {
                        $requests += New-LatencyRequest -Program $program -Words $words -Target 'loopback'
                    }
                    else {
                        $remote += @{ ComputerName = $name; Name = $name }
                    }
                }
                if (($requests.Count -eq 0) -and ($remote.Count -eq 0)) {
                    $requests += New-LatencyRequest -Program $program -Words $words -Target 'loopback'
                }
            }
            default {
                $requests = @($ComputerName | ForEach-Object -Process { New-LatencyRequest -Program $program -Words $words -Operands $_ -Target $_ })
            }
        }
        if ($ThrottleLimit -gt 1) {
            $later += $requests
        }
        elseif ($requests.Count -gt 0) {
            Invoke-LatencyRun -Requests $requests -Activity 'Test-TcpLatency' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
        }
        foreach ($far in $remote) {
            $started = $null
            try {
                $far.Program = $program
                $far.Credential = $Credential
                $far.ConfigurationName = $ConfigurationName
                $far.UserName = $UserName
                $far.KeyFilePath = $KeyFilePath
                $far.Subsystem = $Subsystem
                $far.SshOption = $SshOption
                $far.RemoteProgramPath = $RemoteProgramPath
                $far.CopyProgram = [bool]$CopyProgram
                $far.OpenFirewall = [bool]$OpenFirewall
                $far.Port = $Port
                $far.Force = [bool]$Force
                $started = Start-LatencyFarEnd -FarEnd $far -Cmdlet $PSCmdlet
                if ($null -eq $started) {
                    continue
                }
                $request = New-LatencyRequest -Program $program -Words (@($words) + "--via-line=$($started.LineFile)") -Operands $started.Dial -Target $far.Name
                Invoke-LatencyRun -Requests @($request) -Activity 'Test-TcpLatency' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
            }
            catch {
                $fault = Get-LatencyThrownFault -ErrorRecord $_ -Target $far.Name
                if ($Quiet) {
                    $false
                }
                else {
                    Write-Error @fault
                }
            }
            finally {
                if ($null -ne $started) {
                    Stop-LatencyFarEnd -Started $started
                }
            }
        }
    }
    end {
        if ($later.Count -gt 0) {
            Invoke-LatencyRun -Requests $later -ThrottleLimit $ThrottleLimit -Activity 'Test-TcpLatency' | Out-LatencyOutcome -State $state |
                ForEach-Object -Process $script:Write
        }
        if ($state.Failing.Count -gt 0) {
            $fault = Get-LatencyFailOnFault -State $state
            Write-Error @fault -ErrorAction Stop
        }
    }
}

function Measure-TcpLatency {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Result', [bool], [string])]
    param(
        [Parameter(Position = 0, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)]
        [Alias('ComputerName', 'CN', 'DNSHostName', 'PSComputerName', 'Uri')]
        [string[]]$Target = @('loopback'),
        $Duration, [ValidateRange(1, 2147483647)][int]$Count, [double]$Rate, $Size, $ReplySize, [ValidateSet('Single', 'Split', 'Stream')][string]$Pattern,
        [ValidateRange(1, 100)][int]$Runs, [string]$TokenFile, [string]$Via, [string[]]$Option = @(),
        [ValidateSet('Fail', 'Stall', 'CannotTell')][string[]]$FailOn, [ValidateRange(1, 64)][int]$ThrottleLimit = 1, [string]$ProgramPath, [switch]$AsJson,
        [switch]$Quiet
    )
    begin {
        $later = @()
        $state = @{ Quiet = [bool]$Quiet; AsJson = [bool]$AsJson; FailOn = $FailOn; Failing = @() }
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = Add-LatencyOption -Words @('measure') -Name '--duration' -Value $Duration -As Duration
            if ($Count -gt 0) {
                $words = Add-LatencyOption -Words $words -Name '--count' -Value $Count
            }
            if ($Rate -gt 0) {
                $words = Add-LatencyOption -Words $words -Name '--rate' -Value $Rate
            }
            if ($Runs -gt 0) {
                $words = Add-LatencyOption -Words $words -Name '--runs' -Value $Runs
            }
            $words = Add-LatencyOption -Words $words -Name '--size' -Value $Size -As Size
            $words = Add-LatencyOption -Words $words -Name '--reply-size' -Value $ReplySize -As Size
            $words = Add-LatencyOption -Words $words -Name '--pattern' -Value ([string]$Pattern).ToLowerInvariant()
            $words = Add-LatencyOption -Words $words -Name '--token-file' -Value $TokenFile -As File
            $words = Add-LatencyOption -Words $words -Name '--via' -Value $Via
            $words = @($words) + $Option
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
    }
    process {
        $requests = @($Target | ForEach-Object -Process { New-LatencyRequest -Program $program -Words $words -Operands $_ -Target $_ })
        if ($ThrottleLimit -gt 1) {
            $later += $requests
            return
        }
        Invoke-LatencyRun -Requests $requests -Activity 'Measure-TcpLatency' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
    }
    end {
        if ($later.Count -gt 0) {
            Invoke-LatencyRun -Requests $later -ThrottleLimit $ThrottleLimit -Activity 'Measure-TcpLatency' | Out-LatencyOutcome -State $state |
                ForEach-Object -Process $script:Write
        }
        if ($state.Failing.Count -gt 0) {
            $fault = Get-LatencyFailOnFault -State $state
            Write-Error @fault -ErrorAction Stop
        }
    }
}

function Watch-TcpLatency {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Interval', 'LatencyTuner.Result')]
    param(
        [Parameter(Position = 0, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)]
        [Alias('ComputerName', 'CN', 'DNSHostName', 'PSComputerName', 'Uri')]
        [string[]]$Target = @('loopback'),
        $Duration, $Interval, [double]$Rate, $MaxP99, [string]$Store, [string]$TokenFile, [string]$Via, [string[]]$Option = @(), [string]$ProgramPath,
        [switch]$PassThru
    )
    begin {
        $all = @()
    }
    process {
        $all += $Target
    }
    end {
        $state = @{ Quiet = $false; AsJson = $false; FailOn = @(); Failing = @() }
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = Add-LatencyOption -Words @('monitor') -Name '--duration' -Value $Duration -As Duration
            $words = Add-LatencyOption -Words $words -Name '--interval' -Value $Interval -As Duration
            $words = Add-LatencyOption -Words $words -Name '--max-p99' -Value $MaxP99 -As Duration
            if ($Rate -gt 0) {
                $words = Add-LatencyOption -Words $words -Name '--rate' -Value $Rate
            }
            if ($Store) {
                $words = Add-LatencyOption -Words $words -Name '--store' -Value (Resolve-LatencyFile -Path $Store -New)
            }
            $words = Add-LatencyOption -Words $words -Name '--token-file' -Value $TokenFile -As File
            $words = Add-LatencyOption -Words $words -Name '--via' -Value $Via
            $request = New-LatencyRequest -Program $program -Words (@($words) + $Option) -Operands $all -Target ($all -join ', ')
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        Invoke-LatencyRun -Requests @($request) -Activity 'Watch-TcpLatency' -Interval | Out-LatencyOutcome -State $state | ForEach-Object -Process {
            if (($_ -is [hashtable]) -and $_.ContainsKey('Warning')) {
                Write-Warning -Message $_.Warning
            }
            elseif ($_ -is [hashtable]) {
                $fault = $_
                Write-Error @fault
            }
            elseif ($PassThru -or ($_.PSTypeNames[0] -ne 'LatencyTuner.Result')) {
                $_
            }
        }
    }
}

function Trace-TcpLatency {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Result', [bool], [string])]
    param(
        $Duration, [ValidateSet('Latency', 'Detail', 'Packets')][string]$TraceProfile, [Alias('Id')][uint32[]]$ProcessId, [string]$Path,
        [string[]]$Option = @(), [ValidateSet('Fail', 'Stall', 'CannotTell')][string[]]$FailOn, [string]$ProgramPath, [switch]$AsJson, [switch]$Quiet
    )
    $state = @{ Quiet = [bool]$Quiet; AsJson = [bool]$AsJson; FailOn = $FailOn; Failing = @() }
    try {
        $program = Find-LatencyProgram -ProgramPath $ProgramPath
        $words = Add-LatencyOption -Words @('trace') -Name '--duration' -Value $Duration -As Duration
        $words = Add-LatencyOption -Words $words -Name '--profile' -Value $TraceProfile
        $words = Add-LatencyOption -Words $words -Name '--pid' -Value $ProcessId
        if ($Path) {
            $words = Add-LatencyOption -Words $words -Name '--output' -Value (Resolve-LatencyFile -Path $Path -New)
        }
        $request = New-LatencyRequest -Program $program -Words (@($words) + $Option) -Target 'this host' -Output '--report'
    }
    catch {
        $fault = Get-LatencyThrownFault -ErrorRecord $_
        Write-Error @fault -ErrorAction Stop
    }
    Invoke-LatencyRun -Requests @($request) -Activity 'Trace-TcpLatency' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
    if ($state.Failing.Count -gt 0) {
        $fault = Get-LatencyFailOnFault -State $state
        Write-Error @fault -ErrorAction Stop
    }
}

function Import-TcpCapture {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding(DefaultParameterSetName = 'Path')]
    [OutputType('LatencyTuner.Result', [bool], [string])]
    param(
        [Parameter(ParameterSetName = 'Path', Mandatory = $true, Position = 0, ValueFromPipeline = $true)][string[]]$Path,
        [Parameter(ParameterSetName = 'LiteralPath', Mandatory = $true, ValueFromPipelineByPropertyName = $true)][Alias('PSPath', 'FullName')]
        [string[]]$LiteralPath,
        [switch]$Together, [string[]]$Option = @(), [ValidateSet('Fail', 'Stall', 'CannotTell')][string[]]$FailOn,
        [ValidateRange(1, 64)][int]$ThrottleLimit = 1, [string]$ProgramPath, [switch]$AsJson, [switch]$Quiet
    )
    begin {
        $files = @()
        $state = @{ Quiet = [bool]$Quiet; AsJson = [bool]$AsJson; FailOn = $FailOn; Failing = @() }
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
    }
    process {
        if ($PSCmdlet.ParameterSetName -eq 'LiteralPath') {
            $found = @(Resolve-Path -LiteralPath $LiteralPath)
        }
        else {
            $found = @(Resolve-Path -Path $Path)
        }
        $these = @($found | ForEach-Object -Process { $_.ProviderPath })
        if ($Together -or ($ThrottleLimit -gt 1)) {
            $files += $these
            return
        }
        foreach ($file in $these) {
            $request = New-LatencyRequest -Program $program -Words (@('analyze') + $Option) -Operands $file -Target $file
            Invoke-LatencyRun -Requests @($request) -Activity 'Import-TcpCapture' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
        }
    }
    end {
        $requests = @()
        if ($Together -and ($files.Count -gt 0)) {
            $requests += New-LatencyRequest -Program $program -Words (@('analyze') + $Option) -Operands $files -Target ($files -join ', ')
        }
        else {
            $requests = @($files | ForEach-Object -Process { New-LatencyRequest -Program $program -Words (@('analyze') + $Option) -Operands $_ -Target $_ })
        }
        if ($requests.Count -gt 0) {
            Invoke-LatencyRun -Requests $requests -ThrottleLimit $ThrottleLimit -Activity 'Import-TcpCapture' | Out-LatencyOutcome -State $state |
                ForEach-Object -Process $script:Write
        }
        if ($state.Failing.Count -gt 0) {
            $fault = Get-LatencyFailOnFault -State $state
            Write-Error @fault -ErrorAction Stop
        }
    }
}

function Get-TcpLatencySocket {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding()]
    [OutputType('LatencyTuner.Socket', [string])]
    param(
        [Parameter(ValueFromPipelineByPropertyName = $true)][Alias('Id', 'PID')][uint32[]]$ProcessId, [Alias('Name')][string[]]$ProcessName,
        [ValidateRange(1, 65535)][int[]]$Port, [string[]]$RemoteHost, [switch]$AllUsers, [string[]]$Option = @(), [string]$ProgramPath, [switch]$AsJson
    )
    begin {
        $ids = @()
    }
    process {
        $ids += @($ProcessId | Where-Object -FilterScript { $null -ne $_ })
    }
    end {
        $state = @{ Quiet = $false; AsJson = [bool]$AsJson; FailOn = @(); Failing = @(); As = 'Socket' }
        try {
            $program = Find-LatencyProgram -ProgramPath $ProgramPath
            $words = Add-LatencyOption -Words @('sockets') -Name '--pid' -Value $ids
            $words = Add-LatencyOption -Words $words -Name '--process' -Value $ProcessName
            $words = Add-LatencyOption -Words $words -Name '--port' -Value $Port
            $words = Add-LatencyOption -Words $words -Name '--remote' -Value $RemoteHost
            $words = Add-LatencyOption -Words $words -Name '--all-users' -Value ([bool]$AllUsers) -As Switch
            $request = New-LatencyRequest -Program $program -Words (@($words) + $Option) -Target ''
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        Invoke-LatencyRun -Requests @($request) -Activity 'Get-TcpLatencySocket' | Out-LatencyOutcome -State $state | ForEach-Object -Process $script:Write
    }
}

Export-ModuleMember -Function @(
    'Test-TcpLatency', 'Measure-TcpLatency', 'Watch-TcpLatency', 'Trace-TcpLatency', 'Import-TcpCapture', 'Get-TcpLatencySocket')
