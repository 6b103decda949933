# Every line that only Windows can run, and nothing else. It is read, not tried, where the tests run: docs/windows-assumptions.md lists what it assumes.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false

$script:OnWindows = $true
$variable = Get-Variable -Name 'IsWindows' -ErrorAction Ignore
if ($null -ne $variable) {
    $script:OnWindows = [bool]$variable.Value
}

function Get-LatencyStartOption {
    # A hidden window is a console of its own: Ctrl-C in this console does not reach the program. Elsewhere a terminal's Ctrl-C reaches it, and it writes its
    # partial document by itself.
    [CmdletBinding()]
    [OutputType([hashtable])]
    param()
    if ($script:OnWindows) {
        return @{ WindowStyle = 'Hidden' }
    }
    @{}
}

function Get-LatencySignature {
    # 'Valid', 'NotSigned' and so on, as Get-AuthenticodeSignature says.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][string]$Path)
    if (-not $script:OnWindows) {
        return 'NotChecked'
    }
    [string](Get-AuthenticodeSignature -LiteralPath $Path).Status
}

function Get-LatencyClientAddress {
    # The address of this host on the path to another one: the only one that a firewall rule there lets in.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][string]$ComputerName)
    if (-not $script:OnWindows) {
        throw 'Firewall|-OpenFirewall needs Windows at both ends: open the port there yourself, and give its number with -Port.'
    }
    $there = @(Resolve-DnsName -Name $ComputerName -ErrorAction Stop | Where-Object -FilterScript { $_.PSObject.Properties['IPAddress'] })[0].IPAddress
    [string](@(Find-NetRoute -RemoteIPAddress $there -ErrorAction Stop)[0].IPAddress)
}

# The scripts below run at the far end. Arguments are names, numbers and paths, never a token.

function Get-LatencyFolderScript {
    # Makes a new folder for the copy. Its access list is set before the first byte: SYSTEM, Administrators and this user.
    [CmdletBinding()]
    param()
    {
        param($Name)
        $folder = Join-Path -Path $env:ProgramData -ChildPath $Name
        $null = New-Item -ItemType Directory -Path $folder -ErrorAction Stop
        $who = (& whoami.exe /user /fo csv | ConvertFrom-Csv).SID
        $null = & icacls.exe $folder /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' "*${who}:(OI)(CI)F" /q
        if ($LASTEXITCODE -ne 0) {
            Remove-Item -LiteralPath $folder -Force
            throw 'The access list of the new folder could not be set.'
        }
        $folder
    }
}

function Get-LatencyRuleScript {
    # Opens one port of one program for one address, in the profile of the interface that leads to it. What undoes it is registered before it.
    [CmdletBinding()]
    param()
    {
        param($Name, $Program, $Port, $Address, $Minutes, $Client)
        $principal = & whoami.exe /groups /fo csv | ConvertFrom-Csv
        if (@($principal | Where-Object -FilterScript { $_.SID -in @('S-1-16-12288', 'S-1-16-16384') }).Count -eq 0) {
            return 'The session there is not elevated, so no firewall rule was made.'
        }
        $index = @(Find-NetRoute -RemoteIPAddress $Address -ErrorAction Stop)[0].InterfaceIndex
        $category = [string]@(Get-NetConnectionProfile -InterfaceIndex $index -ErrorAction Stop)[0].NetworkCategory
        $firewall = if ($category -eq 'DomainAuthenticated') { 'Domain' } else { $category }
        if ([string](Get-NetFirewallProfile -Name $firewall -PolicyStore ActiveStore).AllowLocalFirewallRules -eq 'False') {
            return "The policy there does not merge local rules into the $firewall profile, so no firewall rule was made: open the port by policy."
        }
        $until = (Get-Date).AddMinutes($Minutes)
        $undo = "Remove-NetFirewallRule -Name '$Name' -ErrorAction SilentlyContinue; Unregister-ScheduledTask -TaskName '$Name' -Confirm:`$false"
        $shell = "$env:SystemRoot\System32\WindowsPowerShell\v1.0\powershell.exe"
        $action = New-ScheduledTaskAction -Execute $shell -Argument "-NoProfile -NonInteractive -Command `"$undo`""
        $trigger = New-ScheduledTaskTrigger -Once -At $until
        $settings = New-ScheduledTaskSettingsSet -StartWhenAvailable
        $task = @{ TaskName = $Name; TaskPath = '\'; User = 'SYSTEM'; RunLevel = 'Highest'; Action = $action; Trigger = $trigger; Settings = $settings }
        $null = Register-ScheduledTask @task -ErrorAction Stop
        $rule = @{
            Name = $Name; DisplayName = $Name; Group = 'LatencyTuner'; Direction = 'Inbound'; Action = 'Allow'; Protocol = 'TCP'; LocalPort = $Port
            Program = $Program; RemoteAddress = $Address; Profile = $firewall
            Description = "Expires $($until.ToUniversalTime().ToString('yyyy-MM-ddTHH:mm:ssZ')). Made by Test-TcpLatency on $Client."
        }
        $null = New-NetFirewallRule @rule -ErrorAction Stop
    }
}

function Get-LatencyUndoScript {
    # Undoes the rule now: the task does it, as it would at its time.
    [CmdletBinding()]
    param()
    {
        param($Name)
        Start-ScheduledTask -TaskName $Name -ErrorAction SilentlyContinue
        for ($i = 0; ($i -lt 40) -and (Get-NetFirewallRule -Name $Name -ErrorAction SilentlyContinue); $i++) {
            Start-Sleep -Milliseconds 250
        }
        if (Get-NetFirewallRule -Name $Name -ErrorAction SilentlyContinue) {
            Remove-NetFirewallRule -Name $Name
            Unregister-ScheduledTask -TaskName $Name -Confirm:$false -ErrorAction SilentlyContinue
        }
    }
}

function Get-LatencyRemnantScript {
    # Finds, and with $Remove removes, what earlier runs left: folders from which no program runs, rules and tasks whose time is over. $All takes those in
    # time too.
    [CmdletBinding()]
    param()
    {
        param($Remove, $All)
        $used = @(Get-Process | Where-Object -FilterScript { $_.Path } | ForEach-Object -Process { Split-Path -Path $_.Path -Parent })
        foreach ($folder in @(Get-ChildItem -LiteralPath $env:ProgramData -Directory -Filter 'latencytuner-copy-*' -Force -ErrorAction SilentlyContinue)) {
            if (($used -contains $folder.FullName) -or ((-not $All) -and ($folder.CreationTime -gt (Get-Date).AddMinutes(-10)))) {
                continue
            }
            if ($Remove) {
                Remove-Item -LiteralPath $folder.FullName -Recurse -Force -ErrorAction SilentlyContinue
            }
            @{ Kind = 'folder'; Name = $folder.FullName; Removed = -not (Test-Path -LiteralPath $folder.FullName) }
        }
        if (-not (Get-Command -Name Get-NetFirewallRule -ErrorAction SilentlyContinue)) {
            return
        }
        foreach ($rule in @(Get-NetFirewallRule -Group 'LatencyTuner' -ErrorAction SilentlyContinue)) {
            $over = ($rule.Description -match 'Expires (\S+Z)') -and (([datetime]$Matches[1]).ToUniversalTime() -lt (Get-Date).ToUniversalTime())
            if (-not ($over -or $All)) {
                continue
            }
            if ($Remove) {
                Remove-NetFirewallRule -Name $rule.Name -ErrorAction SilentlyContinue
                Unregister-ScheduledTask -TaskName $rule.Name -Confirm:$false -ErrorAction SilentlyContinue
            }
            @{ Kind = 'firewall rule'; Name = $rule.Name; Removed = $null -eq (Get-NetFirewallRule -Name $rule.Name -ErrorAction SilentlyContinue) }
        }
    }
}

function Get-LatencySignatureScript {
    # The signature of the copy, as the far end judges it.
    [CmdletBinding()]
    param()
    { param($Path) [string](Get-AuthenticodeSignature -LiteralPath $Path).Status }
}

Export-ModuleMember -Function @(
    'Get-LatencyStartOption', 'Get-LatencySignature', 'Get-LatencyClientAddress', 'Get-LatencyFolderScript', 'Get-LatencyRuleScript', 'Get-LatencyUndoScript',
    'Get-LatencyRemnantScript', 'Get-LatencySignatureScript')
