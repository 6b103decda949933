<#
.SYNOPSIS
Shows on this machine which of LatencyTuner's assumptions about Windows hold, and writes one zip to send back.

.DESCRIPTION
Reads only, unless a switch allows more. Each step's exit code goes into steps.jsonl and its output into a file beside it;
'latencytuner selftest --read' judges both. Names and addresses of this machine are replaced before anything is written.
No captured packet and no trace file is kept. Written for Windows PowerShell 5.1. It has not yet run on Windows.

.PARAMETER Program
The program to prove.

.PARAMETER Output
The zip to write; the folder of the same name beside it has the evidence before it is packed.

.PARAMETER AllowRegistry
Sets TcpAckFrequency of the chosen interface to 1 and puts it back. Nothing restarts, so it never takes effect.

.PARAMETER AllowTemplate
Changes one value of the template InternetCustom, with and without a filter for 192.0.2.0/24, and puts it back.

.PARAMETER AllowTrace
Runs event traces of about ten seconds each, by this program and by wpr, logman, netsh and pktmon.

.PARAMETER AllowAdapterRestart
The name of an adapter to switch off and on once. Refused for an adapter with a default route, of the current session, or of a cluster network.

.PARAMETER Interface
The interface for -AllowRegistry; the first one that is up when left out.

.PARAMETER StandardUser
The credential of a standard user of this machine, for the steps that must run without rights.

.PARAMETER KeepNames
Leaves names and addresses as they are.
#>
[CmdletBinding(SupportsShouldProcess = $true)]
param(
    [string] $Program = 'latencytuner.exe',
    [string] $Output = (Join-Path (Get-Location) 'latencytuner-evidence.zip'),
    [switch] $AllowRegistry,
    [switch] $AllowTemplate,
    [switch] $AllowTrace,
    [string] $AllowAdapterRestart,
    [string] $Interface,
    [pscredential] $StandardUser,
    [switch] $KeepNames
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$exe = (Get-Command $Program).Source
# .NET does not know the current location of PowerShell.
$Output = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Output)
$folder = [IO.Path]::ChangeExtension($Output, $null).TrimEnd('.')
$work = Join-Path $env:ProgramData ('LatencyTunerProof-' + [guid]::NewGuid().ToString('N'))
$undoTask = 'LatencyTuner proof undo'
$elevated = ([Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()).IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)
$masks = @{}

# --- Quoted calls to the system, in one place -------------------------------------------------------------------------------------------------------

$controlEvent = @'
param([int] $ProcessId, [int] $Kind)
Add-Type -Namespace Proof -Name Console -MemberDefinition @"
[System.Runtime.InteropServices.DllImport("kernel32.dll", SetLastError = true)] public static extern bool FreeConsole();
[System.Runtime.InteropServices.DllImport("kernel32.dll", SetLastError = true)] public static extern bool AttachConsole(int processId);
[System.Runtime.InteropServices.DllImport("kernel32.dll", SetLastError = true)] public static extern bool SetConsoleCtrlHandler(System.IntPtr handler, bool add);
[System.Runtime.InteropServices.DllImport("kernel32.dll", SetLastError = true)] public static extern bool GenerateConsoleCtrlEvent(int kind, int group);
"@
[void][Proof.Console]::FreeConsole()
if (-not [Proof.Console]::AttachConsole($ProcessId)) { exit 1 }
[void][Proof.Console]::SetConsoleCtrlHandler([IntPtr]::Zero, $true)
if (-not [Proof.Console]::GenerateConsoleCtrlEvent($Kind, 0)) { exit 2 }
'@

# --- Masking ----------------------------------------------------------------------------------------------------------------------------------------

function Get-Mask([string] $Value, [string] $Kind) {
    $key = "$Kind/$($Value.ToUpperInvariant())"
    if (-not $masks.ContainsKey($key)) {
        $masks[$key] = "$Kind-$(@($masks.Keys | Where-Object { $_.StartsWith("$Kind/") }).Count + 1)"
    }
    $masks[$key]
}

function Protect-Text([string] $Text) {
    if ($KeepNames) { return $Text }
    $names = @($env:COMPUTERNAME, $env:USERNAME, $env:USERDOMAIN, $env:USERDNSDOMAIN)
    if ($StandardUser) { $names += $StandardUser.GetNetworkCredential().UserName }
    foreach ($name in ($names | Where-Object { $_ -and $_.Length -gt 2 } | Sort-Object -Property Length -Descending -Unique)) {
        $Text = [regex]::Replace($Text, '(?i)(?<![A-Za-z0-9])' + [regex]::Escape($name) + '(?![A-Za-z0-9])', (Get-Mask $name 'name'))
    }
    $Text = [regex]::Replace($Text, '(?<![\d.])\d{1,3}(\.\d{1,3}){3}(?![\d.])', {
        param($m)
        if ($m.Value -match '^(127\.|0\.0\.0\.0$|192\.0\.2\.|255\.)') { $m.Value } else { Get-Mask $m.Value 'ipv4' }
    })
    $Text = [regex]::Replace($Text, '(?i)(?<![0-9a-f:.])(?=[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){7})[0-9a-f:]{6,39}(?![0-9a-f:])', { param($m) Get-Mask $m.Value 'ipv6' })
    $Text = [regex]::Replace($Text, '(?i)(?<![0-9a-f])([0-9a-f]{2}[-:]){5}[0-9a-f]{2}(?![0-9a-f])', { param($m) Get-Mask $m.Value 'mac' })
    $Text = [regex]::Replace($Text, 'S-1-5-21(-\d+){3,4}', { param($m) Get-Mask $m.Value 'sid' })
    [regex]::Replace($Text, '(?i)[A-Z]:\\\\?Users\\\\?[^\\/:*?"<>|\r\n]+', 'C:\Users\name')
}

# --- Steps ------------------------------------------------------------------------------------------------------------------------------------------

function Add-Step([string] $Id, $ExitCode, [string] $NotRun, [string] $Text, [string] $Extension = 'txt') {
    $line = [ordered]@{ step = $Id; exitCode = $ExitCode; notRun = $null; output = $null }
    if ($NotRun) {
        $line.notRun = Protect-Text $NotRun
    } else {
        $line.output = "$Id.$Extension"
        [IO.File]::WriteAllText((Join-Path $folder $line.output), (Protect-Text $Text))
    }
    [IO.File]::AppendAllText((Join-Path $folder 'steps.jsonl'), (ConvertTo-Json $line -Compress) + "`n")
}

# One step: what it does in a clause, and the block that returns its output and sets $script:code where no program did.
function Step([string] $Id, [string] $What, [scriptblock] $Do, [bool] $Allowed = $true, [string] $Because = '', [string] $Extension = 'txt') {
    if (-not $Allowed) { Write-Host "not run   $Id ($Because)"; if (-not $WhatIfPreference) { Add-Step $Id $null $Because '' }; return }
    if (-not $PSCmdlet.ShouldProcess($What, $Id)) { return }
    Write-Host "step      $Id ($What)"
    $script:code = $null
    $global:LASTEXITCODE = 0
    try {
        # Programs write to stderr what is no failure here.
        $ErrorActionPreference = 'Continue'
        $text = (& $Do 2>&1 | ForEach-Object { "$_" }) -join "`r`n"
        if ($null -eq $script:code) { $script:code = $LASTEXITCODE }
        Add-Step $Id $script:code '' $text $Extension
    } catch {
        Add-Step $Id 1 '' "$_"
    }
}

function Start-Program([string[]] $Arguments, [pscredential] $As) {
    $start = @{ FilePath = $exe; ArgumentList = $Arguments; PassThru = $true; WindowStyle = 'Hidden'; WorkingDirectory = $work }
    if ($As) { $start.Credential = $As; [void]$start.Remove('WindowStyle') }
    $process = Start-Process @start
    # Without the handle, the exit code is lost when the process is gone.
    [void]$process.Handle
    $process
}

function Wait-Program($Process, [int] $Seconds) {
    if (-not $Process.WaitForExit($Seconds * 1000)) { $Process.Kill(); $script:code = 124; return }
    $script:code = $Process.ExitCode
}

function Send-Control($Process, [int] $Kind) {
    $file = Join-Path $work 'control.ps1'
    Set-Content -Path $file -Value $controlEvent -Encoding ASCII
    # A process of its own: it leaves this console for that of the program.
    & (Get-Process -Id $PID).Path -NoProfile -ExecutionPolicy Bypass -File $file $Process.Id $Kind
}

function Read-Text([string] $Name) {
    $path = Join-Path $work $Name
    if (Test-Path $path) { [IO.File]::ReadAllText($path) } else { "$Name was not written" }
}

function Get-Sessions { logman query -ets }

# --- The plan of this run ---------------------------------------------------------------------------------------------------------------------------

$rights = if ($elevated) { '' } else { 'the script is not elevated' }
$inForce = $false
if ($elevated -and -not $WhatIfPreference) {
    $inForce = ((& $exe history --format json | Out-String) -match '"status":\s*"(done|drifted)"')
}
$registry = $AllowRegistry -and $elevated -and -not $inForce
$template = $AllowTemplate -and $elevated -and -not $inForce
$trace = $AllowTrace -and $elevated
function Get-Reason([bool] $Switch, [string] $Name) {
    if (-not $Switch) { "-$Name was not given" } elseif ($rights) { $rights } elseif ($inForce) { 'changes of this program are in force here; roll them back first' } else { '' }
}
$noRegistry = Get-Reason $AllowRegistry 'AllowRegistry'
$noTemplate = Get-Reason $AllowTemplate 'AllowTemplate'
$noTrace = Get-Reason $AllowTrace 'AllowTrace'
$noUser = if ($StandardUser) { '' } else { '-StandardUser was not given' }
$setUp = $registry -or $template
$noSetUp = if ($noRegistry) { $noRegistry } else { $noTemplate }

if (-not $WhatIfPreference) {
    if (Test-Path $folder) { throw "$folder exists already. Move it away, or give another -Output." }
    [void](New-Item -ItemType Directory -Path $folder, $work)
    if ($StandardUser) { icacls $work /grant '*S-1-5-32-545:(OI)(CI)M' | Out-Null }
}

if (-not $Interface) {
    $up = @(Get-NetAdapter -ErrorAction SilentlyContinue | Where-Object { $_.Status -eq 'Up' } | Sort-Object ifIndex)
    if ($up.Count -gt 0) { $Interface = $up[0].Name }
}
$address = @(Get-NetIPAddress -AddressFamily IPv4 -ErrorAction SilentlyContinue | Where-Object { $_.IPAddress -notlike '127.*' -and $_.IPAddress -notlike '169.254.*' } | Select-Object -First 1)

try {
    # --- Reading only -------------------------------------------------------------------------------------------------------------------------------

    Step 'selftest' 'run the selftest' { & $exe selftest --format json --quiet } -Extension 'json'
    Step 'selftest-standard' 'run the selftest as a standard user' {
        Wait-Program (Start-Program @('selftest', '--format', 'json', '--quiet', '--output', "`"$work\standard.json`"") $StandardUser) 120
        Read-Text 'standard.json'
    } ([bool]$StandardUser) $noUser -Extension 'json'
    Step 'check' 'run the local checks' { & $exe check --no-color --quiet }
    Step 'redirection' 'write a report by > and read it back' {
        & $exe measure loopback --duration 1s --format json --quiet > "$work\redirected.json"
        & $exe compare "$work\redirected.json" "$work\redirected.json" --no-color --quiet --allow-inconclusive
    }
    Step 'long-path' 'write a report below a path of more than 260 characters' {
        $deep = $work
        while ($deep.Length -lt 270) { $deep = "$deep\0123456789012345678901234567890123456789" }
        [void][IO.Directory]::CreateDirectory("\\?\$deep")
        & $exe measure loopback --duration 1s --format json --quiet --output "$deep\r.json"
    }
    Step 'held-output' 'write a report over a file that is held open' {
        $held = [IO.File]::Open("$work\r.json", 'Create', 'ReadWrite', 'ReadWrite')
        try { & $exe measure loopback --duration 1s --format json --quiet --output "$work\r.json" } finally { $held.Dispose() }
    }
    Step 'many-outputs' 'write a report a hundred times over itself' {
        $failed = 0
        foreach ($i in 1..100) { & $exe profiles --format json --output "$work\many.json"; if ($LASTEXITCODE -ne 0) { $failed++ } }
        $script:code = [int]($failed -gt 0)
        "$failed of 100 failed"
    }
    foreach ($control in @(@('ctrl-c', 0), @('ctrl-break', 1))) {
        Step $control[0] "end a measurement by $($control[0])" {
            $process = Start-Program @('measure', 'loopback', '--duration', '60s', '--format', 'json', '--quiet', '--output', "`"$work\ended.json`"")
            Start-Sleep -Seconds 5
            Send-Control $process $control[1]
            Wait-Program $process 20
            Read-Text 'ended.json'
            Remove-Item "$work\ended.json" -ErrorAction SilentlyContinue
        }
    }
    Step 'not-elevated' 'ask for a change as a standard user, which must be refused' {
        Wait-Program (Start-Program @('apply', '--setting', 'tcp.ackfrequency=1', '--interface', "`"$Interface`"", '--yes') $StandardUser) 120
    } ([bool]$StandardUser) $noUser
    Step 'own-address' 'measure split writes between two processes over an address of this host' {
        $server = Start-Program @('serve', '--bind', $address[0].IPAddress, '--no-auth', '--for', '60s', '--quiet')
        Start-Sleep -Seconds 3
        try { & $exe diagnose $address[0].IPAddress --format json --quiet --allow-inconclusive; $script:code = $LASTEXITCODE } finally { if (-not $server.HasExited) { $server.Kill() } }
    } ($address.Count -gt 0) 'this host has no IPv4 address'

    # --- Changes of settings: the undo first --------------------------------------------------------------------------------------------------------

    if ($setUp -and $PSCmdlet.ShouldProcess("a task that runs 'rollback --all' at the next start and in 30 minutes", 'register')) {
        $action = New-ScheduledTaskAction -Execute $exe -Argument 'rollback --all --yes'
        $triggers = @((New-ScheduledTaskTrigger -AtStartup), (New-ScheduledTaskTrigger -Once -At (Get-Date).AddMinutes(30)))
        [void](Register-ScheduledTask -TaskName $undoTask -Action $action -Trigger $triggers -User 'SYSTEM' -RunLevel Highest -Force)
    }
    Step 'setup' 'make the folder of the journal and register the Event Log source' { & $exe setup } $setUp $noSetUp
    Step 'journal-acl' 'read the access list of that folder' { (Get-Acl "$env:ProgramData\LatencyTuner").Sddl; $script:code = 0 } $setUp $noSetUp

    $key = ''
    if ($registry) {
        $guid = (Get-NetAdapter -Name $Interface).InterfaceGuid
        $key = "HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\$guid"
    }
    $values = { reg query $key | Where-Object { $_ -notmatch 'Lease|T1|T2|Dhcp' } }
    Step 'registry-before' 'list the values of the interface' $values $registry $noRegistry
    Step 'registry-apply' "set TcpAckFrequency of $Interface to 1" { & $exe apply --setting tcp.ackfrequency=1 --interface $Interface --yes --no-color } $registry $noRegistry
    Step 'registry-changed' 'read the value' { reg query $key /v TcpAckFrequency } $registry $noRegistry
    Step 'registry-verify' 'verify it' { & $exe verify --state-only --no-color } $registry $noRegistry
    Step 'registry-rollback' 'put it back' { & $exe rollback --all --yes --no-color } $registry $noRegistry
    Step 'registry-after' 'list the values of the interface' $values $registry $noRegistry
    Step 'event-log' 'read the entries in the Event Log' {
        $entries = @(Get-WinEvent -ProviderName LatencyTuner -MaxEvents 4)
        $entries | ForEach-Object { $_.Message }
        $script:code = [int]($entries.Count -eq 0)
    } $registry $noRegistry

    $templates = { Get-NetTCPSetting | Sort-Object SettingName | Format-List * | Out-String -Width 200; $script:code = 0 }
    Step 'template-before' 'list the templates' $templates $template $noTemplate
    Step 'template-apply' 'set DelayedAckFrequency of InternetCustom to 1' {
        & $exe apply --setting template.delayedackfrequency=1 --template InternetCustom --yes --no-color
    } $template $noTemplate
    Step 'template-changed' 'list the templates' $templates $template $noTemplate
    Step 'template-rollback' 'put it back' { & $exe rollback --all --yes --no-color } $template $noTemplate
    Step 'template-after' 'list the templates' $templates $template $noTemplate
    $filters = {
        Get-NetTransportFilter | Sort-Object InstanceID | Format-Table SettingName, DestinationPrefix, RemotePortStart, RemotePortEnd -HideTableHeaders | Out-String -Width 200
        $script:code = 0
    }
    Step 'filter-before' 'list the transport filters' $filters $template $noTemplate
    Step 'filter-apply' 'set DelayedAckFrequency of InternetCustom to 1, with a filter for 192.0.2.0/24' {
        & $exe apply --setting template.delayedackfrequency=1 --template InternetCustom --filter 192.0.2.0/24:7117 --yes --no-color
    } $template $noTemplate
    Step 'filter-shown' 'list the transport filters' $filters $template $noTemplate
    Step 'filter-rollback' 'put it back' { & $exe rollback --all --yes --no-color } $template $noTemplate
    Step 'filter-after' 'list the transport filters' $filters $template $noTemplate

    # --- Event traces -------------------------------------------------------------------------------------------------------------------------------

    $traceFor = {
        param([string] $Name)
        $process = Start-Program @('trace', '--profile', $Name, '--duration', '12s', '--format', 'json', '--report', "`"$work\$Name.json`"", '--output', "`"$work\$Name.etl`"", '--allow-inconclusive')
        Start-Sleep -Seconds 3
        & $exe measure loopback --pattern split --no-delay false --duration 4s --quiet | Out-Null
        Wait-Program $process 60
        Read-Text "$Name.json"
    }
    Step 'trace-latency' 'trace the profile Latency during split writes' { & $traceFor 'Latency' } $trace $noTrace
    Step 'trace-detail' 'trace the profile Detail during split writes' { & $traceFor 'Detail' } $trace $noTrace
    Step 'trace-packets' 'trace the profile Packets during split writes' { & $traceFor 'Packets' } $trace $noTrace
    Step 'trace-sessions' 'list the sessions' { Get-Sessions } $trace $noTrace
    Step 'trace-ctrl-c' 'end a trace by Ctrl-C' {
        $process = Start-Program @('trace', '--duration', '60s')
        Start-Sleep -Seconds 6
        Send-Control $process 0
        Wait-Program $process 30
    } $trace $noTrace
    Step 'trace-ctrl-c-sessions' 'list the sessions' { Get-Sessions } $trace $noTrace
    Step 'trace-after-kill' 'kill a trace, and run another' {
        $process = Start-Program @('trace', '--duration', '60s')
        Start-Sleep -Seconds 6
        $process.Kill()
        Wait-Program (Start-Program @('trace', '--duration', '4s', '--allow-inconclusive')) 60
    } $trace $noTrace
    Step 'trace-after-kill-sessions' 'list the sessions' { Get-Sessions } $trace $noTrace
    Step 'layouts' 'read the trace of the profile Detail' { & $exe analyze "$work\Detail.etl" --format json --quiet } $trace $noTrace

    foreach ($name in 'Latency', 'Detail', 'Packets') {
        Step "wpr-$($name.ToLowerInvariant())" "record the profile $name by wpr" {
            $noFilters = @(if ([Environment]::OSVersion.Version.Build -lt 15002) { '--no-filters' })
            & $exe profiles $name --wprp @noFilters --output "$work\$name.wprp"
            wpr -start "$work\$name.wprp!LatencyTuner$name.Verbose" -filemode
            $started = $LASTEXITCODE
            Start-Sleep -Seconds 3
            wpr -stop "$work\wpr.etl"
            $script:code = if ($started -ne 0) { $started } else { $LASTEXITCODE }
        } $trace $noTrace
    }
    $printed = $null
    if ($trace -and -not $WhatIfPreference) { $printed = (& $exe profiles Detail --format json | Out-String | ConvertFrom-Json).profiles[0].commands }
    foreach ($tool in 'logman', 'netsh', 'pktmon') {
        Step "line-$tool" "run the printed lines of $tool" {
            $failed = 0
            foreach ($line in $printed.$tool) {
                $line
                cmd /d /c $line.Replace('C:\trace.etl', "$work\$tool.etl")
                if ($LASTEXITCODE -ne 0) { $failed = $LASTEXITCODE }
                Start-Sleep -Seconds 2
            }
            $script:code = $failed
        } $trace $noTrace
    }
    foreach ($clock in 'cycle', 'system') {
        Step "clock-$clock" "read a trace with the clock $clock" {
            logman create trace LatencyTunerClock -o "$work\$clock.etl" -ets -ct $clock -p Microsoft-Windows-TCPIP 0x80 5
            & $exe measure loopback --duration 2s --quiet | Out-Null
            logman stop LatencyTunerClock -ets
            & $exe analyze "$work\$clock.etl" --format json --quiet
            if ($LASTEXITCODE -eq 7) { $script:code = 0 }
        } $trace $noTrace
    }

    # --- A task, and an adapter ---------------------------------------------------------------------------------------------------------------------

    Step 'task' 'run the responder as LOCAL SERVICE, with a token, for ten seconds' {
        $token = "$env:ProgramData\LatencyTuner\proof-token"
        [void](New-Item -ItemType File -Force $token)
        icacls $token /inheritance:r /grant:r '*S-1-5-32-544:F' '*S-1-5-18:F' '*S-1-5-19:R'
        Set-Content -Path $token -Value ([guid]::NewGuid().ToString('N')) -Encoding ASCII
        $action = New-ScheduledTaskAction -Execute $exe -Argument "serve --port 7199 --token-file `"$token`" --for 10s --quiet"
        $as = New-ScheduledTaskPrincipal -UserId LOCALSERVICE -LogonType ServiceAccount
        [void](Register-ScheduledTask -TaskName 'LatencyTuner proof' -Action $action -Principal $as -Force)
        try {
            Start-ScheduledTask 'LatencyTuner proof'
            Start-Sleep -Seconds 4
            & $exe measure 127.0.0.1:7199 --token-file $token --duration 1s --no-color --quiet
            $measured = $LASTEXITCODE
            Start-Sleep -Seconds 12
            $result = (Get-ScheduledTaskInfo 'LatencyTuner proof').LastTaskResult
            "measured: $measured, LastTaskResult: $result"
            $script:code = [int](($measured -ne 0) -or ($result -ne 0))
        } finally {
            Unregister-ScheduledTask 'LatencyTuner proof' -Confirm:$false
            Remove-Item $token
        }
    } $setUp $noSetUp

    $noRestart = '-AllowAdapterRestart was not given'
    $target = $null
    if ($AllowAdapterRestart) {
        $noRestart = $rights
        $adapter = Get-NetAdapter -Name $AllowAdapterRestart
        $own = @(Get-NetIPAddress -InterfaceIndex $adapter.ifIndex -AddressFamily IPv4 -ErrorAction SilentlyContinue)
        if ($own.Count -eq 0) {
            $noRestart = 'the adapter has no IPv4 address'
        } elseif (Get-NetRoute -InterfaceIndex $adapter.ifIndex -ErrorAction SilentlyContinue | Where-Object { $_.DestinationPrefix -in '0.0.0.0/0', '::/0' }) {
            $noRestart = 'the adapter has a default route'
        } elseif (Get-NetTCPConnection -State Established -ErrorAction SilentlyContinue | Where-Object { $_.LocalPort -in 22, 3389, 5985, 5986 -and $_.LocalAddress -in $own.IPAddress }) {
            $noRestart = 'a remote session uses the adapter'
        } elseif ((Get-Command Get-ClusterNetworkInterface -ErrorAction SilentlyContinue) -and (Get-ClusterNetworkInterface -ErrorAction SilentlyContinue | Where-Object { $_.Adapter -eq $adapter.InterfaceDescription })) {
            $noRestart = 'the adapter is of a cluster network'
        } else {
            $target = $own[0].IPAddress
        }
    }
    Step 'monitor-adapter' "switch the adapter $AllowAdapterRestart off and on under a monitor" {
        $process = Start-Program @('monitor', 'loopback', "icmp://$target", '--duration', '40s', '--interval', '5s', '--store', "`"$work\monitor`"", '--output', "`"$work\monitor.txt`"", '--quiet')
        Start-Sleep -Seconds 8
        Disable-NetAdapter -Name $AllowAdapterRestart -Confirm:$false
        try { Start-Sleep -Seconds 10 } finally { Enable-NetAdapter -Name $AllowAdapterRestart -Confirm:$false }
        Wait-Program $process 60
        Read-Text 'monitor.txt'
    } (($null -ne $target) -and ($noRestart -eq '')) $noRestart
} finally {
    if ($setUp -and -not $WhatIfPreference) {
        & $exe rollback --all --yes --no-color | Out-Null
        if ($LASTEXITCODE -eq 0) { Unregister-ScheduledTask $undoTask -Confirm:$false }
        else { Write-Warning "Not everything is put back. The task '$undoTask' tries it again; 'latencytuner history' shows what is in force." }
    }
    if (-not $WhatIfPreference -and (Test-Path $work)) { Remove-Item "\\?\$work" -Recurse -Force -ErrorAction SilentlyContinue }
}

if (-not $WhatIfPreference) {
    Write-Host "`nThe evidence, in $folder`:"
    Get-ChildItem $folder | ForEach-Object { '{0,10:N0} bytes  {1}' -f $_.Length, $_.Name }
    if (-not $KeepNames) { Write-Host "$($masks.Count) names and addresses were replaced." }
    Compress-Archive -Path (Join-Path $folder '*') -DestinationPath $Output -Force
    Write-Host "Written: $Output. Look at it before you send it back; 'latencytuner selftest --read' shows what it proves."
}
