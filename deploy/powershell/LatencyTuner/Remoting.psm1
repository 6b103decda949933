# The far end by PowerShell remoting: starts 'serve --once' there, which lives by its lease, and leaves nothing. The token of a run is in the one line that the
# far end prints. It goes from the job into a file that only this user can read, and is never a parameter, an argument, a message or part of an error.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Windows.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Program.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Results.psm1')
Import-Module -Name (Join-Path -Path $PSScriptRoot -ChildPath 'Consent.psm1')

$script:LinePatienceSeconds = 60
$script:LifeMinutes = 30
$script:MostCopySeconds = 60
$script:ProbeBytes = 262144

function Get-LatencyRemotingSentence {
    # What to do about an error of remoting, in one sentence.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][string]$Name, [Parameter(Mandatory = $true)]$ErrorRecord)
    $text = ([string]$ErrorRecord.Exception.Message -replace '\s+', ' ').Trim()
    $id = [string]$ErrorRecord.FullyQualifiedErrorId
    if ("$id $text" -match 'WSMan|libpsrpclient|no supported WSMan' -and -not (Test-LatencyWindows)) {
        return "PowerShell on this system has no WSMan client: reach $Name through ssh with -HostName $Name."
    }
    if ("$id $text" -match 'AccessDenied|Access is denied|Permission denied|\b5\b.*denied') {
        return "$Name refused the session: $text Give -Credential, or an account that may use remoting there."
    }
    if ("$id $text" -match 'quota|maximum number of concurrent|MaxShellsPerUser|MaxMemoryPerShell') {
        return "$Name has no room for another session: $text End other sessions there, or raise the quota of WinRM."
    }
    if ("$id $text" -match 'ScriptsNotAllowed|NoLanguage|syntax is not supported by this runspace|RestrictedLanguage') {
        return ("The session of $Name allows no scripts (JEA): give an endpoint that allows them with -ConfigurationName, or start 'latencytuner serve' " +
            'there and give -TokenFile.')
    }
    if ("$id $text" -match 'double.?hop|A specified logon session does not exist|CredSSP') {
        return "${Name}: $text A session cannot use your credentials for a third host: run this command on a host that reaches $Name directly."
    }
    "The session with $Name failed: $text Check that remoting is enabled there (Enable-PSRemoting), or start 'latencytuner serve' there and give -TokenFile."
}

function Get-LatencyHostOf {
    # The host to dial of what -HostName takes: [user@]host[:port], or an IPv6 address.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][string]$HostName)
    $there = $HostName -replace '^[^@]*@', ''
    if ($there -match '^([^:]+):\d+$') {
        return $Matches[1]
    }
    $there
}

function Open-LatencySession {
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)][hashtable]$FarEnd)
    if ($FarEnd.ContainsKey('Session')) {
        return $FarEnd.Session
    }
    $how = @{ ErrorAction = 'Stop' }
    if ($FarEnd.ContainsKey('HostName')) {
        $how.HostName = $FarEnd.HostName
        foreach ($name in @('UserName', 'KeyFilePath', 'Subsystem')) {
            if ($FarEnd[$name]) {
                $how[$name] = $FarEnd[$name]
            }
        }
        if ($FarEnd['SshOption']) {
            $how.Options = $FarEnd.SshOption
        }
        $known = Get-Command -Name New-PSSession
        if (-not $known.Parameters.ContainsKey('HostName')) {
            throw 'Remoting|-HostName needs PowerShell 7: Windows PowerShell reaches other hosts with -ComputerName.'
        }
    }
    else {
        $how.ComputerName = $FarEnd.ComputerName
        foreach ($name in @('Credential', 'ConfigurationName')) {
            if ($FarEnd[$name]) {
                $how[$name] = $FarEnd[$name]
            }
        }
    }
    try {
        New-PSSession @how
    }
    catch {
        $sentence = Get-LatencyRemotingSentence -Name $FarEnd.Name -ErrorRecord $_
        throw "Remoting|$sentence"
    }
}

function Test-LatencyFarWindows {
    [CmdletBinding()]
    [OutputType([bool])]
    param([Parameter(Mandatory = $true)]$Session, [Parameter(Mandatory = $true)][string]$Name)
    try {
        [bool](Invoke-Command -Session $Session -ErrorAction Stop -ScriptBlock {
                $variable = Get-Variable -Name 'IsWindows' -ErrorAction Ignore
                ($null -eq $variable) -or [bool]$variable.Value
            })
    }
    catch {
        $sentence = Get-LatencyRemotingSentence -Name $Name -ErrorRecord $_
        throw "Remoting|$sentence"
    }
}

function Get-LatencyRemnantOf {
    # What earlier runs left at the far end; with -Remove it is removed.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true)]$Session, [Parameter(Mandatory = $true)][string]$Name, [Parameter(Mandatory = $true)][bool]$FarWindows, [switch]$Remove,
        [switch]$All
    )
    $script = if ($FarWindows) { Get-LatencyRemnantScript } else {
        {
            param($Remove, $All)
            foreach ($folder in @(Get-ChildItem -LiteralPath '/tmp' -Directory -Filter 'latencytuner-copy-*' -Force -ErrorAction SilentlyContinue)) {
                $used = @(Get-Process -Name latencytuner -ErrorAction SilentlyContinue | Where-Object -FilterScript { $_.Path -like ($folder.FullName + '/*') })
                if (($used.Count -gt 0) -or ((-not $All) -and ($folder.CreationTime -gt (Get-Date).AddMinutes(-10)))) {
                    continue
                }
                if ($Remove) {
                    Remove-Item -LiteralPath $folder.FullName -Recurse -Force -ErrorAction SilentlyContinue
                }
                @{ Kind = 'folder'; Name = $folder.FullName; Removed = -not (Test-Path -LiteralPath $folder.FullName) }
            }
        }
    }
    foreach ($found in @(Invoke-Command -Session $Session -ScriptBlock $script -ArgumentList ([bool]$Remove), ([bool]$All))) {
        if ($null -ne $found) {
            New-LatencyObject -TypeName 'Remnant' -Property ([ordered]@{
                    ComputerName = $Name; Kind = [string]$found['Kind']; Name = [string]$found['Name']; Removed = [bool]$found['Removed']
                })
        }
    }
}

function Copy-LatencyProgram {
    # Copies the program into a new private folder there, compares the SHA-256 of both, and gives the path there; null when the user said no.
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseUsingScopeModifierInNewRunspaces', '', Justification = 'They are parameters.')]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Asks through the command of the user.')]
    param(
        [Parameter(Mandatory = $true)][hashtable]$FarEnd, [Parameter(Mandatory = $true)]$Session, [Parameter(Mandatory = $true)][bool]$FarWindows,
        [Parameter(Mandatory = $true)]$Cmdlet
    )
    $path = $FarEnd.Program.Path
    $name = $FarEnd.Name
    if ($FarWindows -ne (Test-LatencyWindows)) {
        throw "Copy|$path does not run on $name, which has another system: install the release for it there, and give -RemoteProgramPath."
    }
    if (Test-Path -LiteralPath (Join-Path -Path (Split-Path -Path $path -Parent) -ChildPath 'latencytuner.dll')) {
        throw "Copy|$path is one of several files, and only the single-file release can be copied: give its path with -ProgramPath."
    }
    if (-not $Cmdlet.ShouldProcess($name, "Copy $path into a new private folder")) {
        return $null
    }
    $leaf = 'latencytuner-copy-' + [guid]::NewGuid().ToString('N')
    $folder = $null
    try {
        if ($FarWindows) {
            $folder = [string](Invoke-Command -Session $Session -ErrorAction Stop -ScriptBlock (Get-LatencyFolderScript) -ArgumentList $leaf)
        }
        else {
            $folder = [string](Invoke-Command -Session $Session -ErrorAction Stop -ArgumentList $leaf -ScriptBlock {
                    param($FolderName)
                    & mkdir -m 700 "/tmp/$FolderName"
                    if ($LASTEXITCODE -eq 0) {
                        "/tmp/$FolderName"
                    }
                })
        }
        if (-not $folder) {
            throw "no private folder could be made on $name."
        }
        $FarEnd.Folder = $folder
        $separator = if ($FarWindows) { '\' } else { '/' }
        $probe = Join-Path -Path (Get-LatencyTempFolder) -ChildPath ('latencytuner-probe-' + [guid]::NewGuid().ToString('N'))
        Set-Content -LiteralPath $probe -Value ('x' * $script:ProbeBytes) -Encoding Ascii
        $taken = (Measure-Command -Expression {
                Copy-Item -LiteralPath $probe -Destination ($folder + $separator + 'probe') -ToSession $Session -ErrorAction Stop
            }).TotalSeconds
        Remove-Item -LiteralPath $probe -Force
        $bytes = (Get-Item -LiteralPath $path).Length
        $seconds = [int]($taken * $bytes / $script:ProbeBytes)
        $size = "$([int]($bytes / 1048576)) MiB"
        if (($seconds -gt $script:MostCopySeconds) -and -not $FarEnd.Force) {
            throw "copying $size to $name would take about $seconds s: install the program there from a share or a package feed, or add -Force."
        }
        Write-Progress -Activity 'Test-TcpLatency' -Status "Copying $size to $name, about $seconds s"
        Write-Verbose -Message "Copying $size to $name takes about $seconds s."
        $there = $folder + $separator + (Split-Path -Path $path -Leaf)
        Copy-Item -LiteralPath $path -Destination $there -ToSession $Session -ErrorAction Stop
        $hash = (Get-FileHash -LiteralPath $path -Algorithm SHA256).Hash
        $hashThere = [string](Invoke-Command -Session $Session -ErrorAction Stop -ArgumentList $there -ScriptBlock {
                param($CopyPath) (Get-FileHash -LiteralPath $CopyPath -Algorithm SHA256).Hash
            })
        if ($hash -ne $hashThere) {
            throw "the copy on $name differs from $path (SHA-256 $hashThere and $hash)."
        }
        if (($FarEnd.Program.Signature -eq 'Valid') -and $FarWindows) {
            $status = [string](Invoke-Command -Session $Session -ErrorAction Stop -ScriptBlock (Get-LatencySignatureScript) -ArgumentList $there)
            if ($status -ne 'Valid') {
                throw "the signature of the copy on $name is $status, and that of $path is Valid."
            }
        }
        if (-not $FarWindows) {
            Invoke-Command -Session $Session -ErrorAction Stop -ArgumentList $there -ScriptBlock { param($CopyPath) & chmod 700 $CopyPath }
        }
        $there
    }
    catch {
        $said = [string]$_.Exception.Message
        throw "Copy|$($said.Substring(0, 1).ToUpperInvariant())$($said.Substring(1))"
    }
}

function Start-LatencyFarEnd {
    # Gives what Stop-LatencyFarEnd ends; null when the user said no. LineFile is for --via-line, and Dial is the host to dial.
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Asks through the command of the user.')]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Through the command.')]
    param([Parameter(Mandatory = $true)][hashtable]$FarEnd, [Parameter(Mandatory = $true)]$Cmdlet)
    Assert-LatencyFullLanguage -Command 'Starting the far end'
    $name = [string]$FarEnd.Name
    $started = @{
        Session = $null; Own = -not $FarEnd.ContainsKey('Session'); Job = $null; Folder = $null; Rule = $null; LineFile = $null; Dial = $name; Name = $name
    }
    $done = $false
    try {
        $started.Session = Open-LatencySession -FarEnd $FarEnd
        $farWindows = Test-LatencyFarWindows -Session $started.Session -Name $name
        foreach ($left in @(Get-LatencyRemnantOf -Session $started.Session -Name $name -FarWindows $farWindows -Remove)) {
            Write-Warning -Message "An earlier run left a $($left.Kind) on ${name}: $($left.Name). Removed: $($left.Removed)."
        }
        $there = 'latencytuner'
        if ($FarEnd.RemoteProgramPath) {
            $there = $FarEnd.RemoteProgramPath
        }
        if ($FarEnd.CopyProgram) {
            $there = Copy-LatencyProgram -FarEnd $FarEnd -Session $started.Session -FarWindows $farWindows -Cmdlet $Cmdlet
            $started.Folder = $FarEnd['Folder']
            if ($null -eq $there) {
                return $null
            }
        }
        if (-not $Cmdlet.ShouldProcess($name, "Start '$there serve --once' for at most $($script:LifeMinutes) minutes")) {
            return $null
        }
        $port = [int]$FarEnd.Port
        if ($FarEnd.OpenFirewall) {
            if ($port -eq 0) {
                # From the ports that Windows does not hand out by itself.
                $port = Get-Random -Minimum 20000 -Maximum 48000
            }
            Open-LatencyFirewall -Started $started -FarEnd $FarEnd -Program $there -Port $port -FarWindows $farWindows -Cmdlet $Cmdlet
        }
        $started.Job = Invoke-Command -Session $started.Session -AsJob -ArgumentList $there, $port, $script:LifeMinutes -ScriptBlock {
            param($Program, $Port, $Minutes)
            $words = @('serve', '--once', "--for=${Minutes}m")
            if ($Port -gt 0) {
                $words += "--port=$Port"
            }
            & $Program $words
        }
        $started.LineFile = Save-LatencyLine -Started $started -FarEnd $FarEnd -Program $there
        $done = $true
        $started
    }
    finally {
        if (-not $done) {
            $started.Folder = $FarEnd['Folder']
            Stop-LatencyFarEnd -Started $started
        }
    }
}

function Open-LatencyFirewall {
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Asks through the command of the user.')]
    param([hashtable]$Started, [hashtable]$FarEnd, [string]$Program, [int]$Port, [bool]$FarWindows, $Cmdlet)
    if (-not $FarWindows) {
        throw "Firewall|-OpenFirewall needs Windows on $($FarEnd.Name): open the port there yourself, and give its number with -Port."
    }
    $address = Get-LatencyClientAddress -ComputerName $FarEnd.Name
    if (-not $Cmdlet.ShouldProcess($FarEnd.Name, "Open TCP port $Port of $Program for $address for $($script:LifeMinutes) minutes")) {
        return
    }
    $rule = 'LatencyTuner-' + [guid]::NewGuid().ToString('N')
    $Started.Rule = $rule
    $arguments = @($rule, $Program, $Port, $address, $script:LifeMinutes, [string]$env:COMPUTERNAME)
    $said = [string](Invoke-Command -Session $Started.Session -ErrorAction Stop -ScriptBlock (Get-LatencyRuleScript) -ArgumentList $arguments)
    if ($said) {
        Write-Warning -Message "$($FarEnd.Name): $said"
        $Started.Rule = $null
    }
}

function Save-LatencyLine {
    # Waits for the line of the far end, and puts it into a file that the program made for its user alone.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)][hashtable]$Started, [Parameter(Mandatory = $true)][hashtable]$FarEnd, [Parameter(Mandatory = $true)][string]$Program)
    $file = Join-Path -Path (Get-LatencyTempFolder) -ChildPath ('latencytuner-' + [guid]::NewGuid().ToString('N') + '.line')
    $null = & $FarEnd.Program.Path token new $file
    if (-not (Test-Path -LiteralPath $file)) {
        throw "Remoting|No private file could be made in $(Get-LatencyTempFolder)."
    }
    $until = (Get-Date).AddSeconds($script:LinePatienceSeconds)
    $banner = @()
    while ((Get-Date) -lt $until) {
        $problems = @()
        $came = @(Receive-Job -Job $Started.Job -ErrorAction SilentlyContinue -ErrorVariable problems)
        if (@($came -like 'LATENCYTUNER1 *').Count -gt 0) {
            # Set-Content keeps the access list of the file.
            $came | Where-Object -FilterScript { $_ -like 'LATENCYTUNER1 *' } | Set-Content -LiteralPath $file -Encoding Ascii
            return $file
        }
        $banner += $came
        if ($problems.Count -gt 0) {
            Remove-Item -LiteralPath $file -Force
            $id = [string]$problems[0].FullyQualifiedErrorId
            $text = ([string]$problems[0].Exception.Message -replace '\s+', ' ').Trim()
            if ("$id $text" -match 'CommandNotFound|not recognized|No such file') {
                throw ("Remoting|$Program was not found on $($Started.Name): install it there, name it with -RemoteProgramPath, or copy this program with " +
                    '-CopyProgram.')
            }
            if ("$id $text" -match 'blocked|group policy|administrator has|Application Control|NativeCommandFailed|ApplicationFailedException') {
                throw ("Remoting|$Program does not start on $($Started.Name): $text Where App Control or AppLocker allows installed programs only, install " +
                    'it there and leave out -CopyProgram.')
            }
            $sentence = Get-LatencyRemotingSentence -Name $Started.Name -ErrorRecord $problems[0]
            throw "Remoting|$sentence"
        }
        if ($Started.Job.State -in @('Completed', 'Failed', 'Stopped', 'Disconnected')) {
            break
        }
        Start-Sleep -Milliseconds 100
    }
    Remove-Item -LiteralPath $file -Force
    $last = ((@($banner) | Select-Object -Last 3) -join ' ')
    throw "Remoting|$Program on $($Started.Name) printed no start line within $($script:LinePatienceSeconds) s. Job: $($Started.Job.State). $last".Trim()
}

function Stop-LatencyFarEnd {
    # Leaves nothing there: the far end ends by its lease once the program has finished; then rule, folder and session go.
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Ends what the caller started.')]
    param([Parameter(Mandatory = $true)][hashtable]$Started)
    if ($Started.LineFile) {
        Remove-Item -LiteralPath $Started.LineFile -Force -ErrorAction Ignore
    }
    $left = @()
    if ($null -ne $Started.Job) {
        $null = Wait-Job -Job $Started.Job -Timeout 20
        if ($Started.Job.State -eq 'Running') {
            Stop-Job -Job $Started.Job -ErrorAction SilentlyContinue
        }
        Remove-Job -Job $Started.Job -Force -ErrorAction SilentlyContinue
    }
    if ($null -ne $Started.Session) {
        $open = ([string]$Started.Session.State -eq 'Opened')
        if ($Started.Rule) {
            $left += "the firewall rule $($Started.Rule), which its task removes within $($script:LifeMinutes) minutes"
            if ($open) {
                try {
                    Invoke-Command -Session $Started.Session -ErrorAction Stop -ScriptBlock (Get-LatencyUndoScript) -ArgumentList $Started.Rule
                    $left = @()
                }
                catch {
                    Write-Verbose -Message "The rule is left to its task: $($_.Exception.Message)"
                }
            }
        }
        if ($Started.Folder) {
            $gone = $false
            if ($open) {
                try {
                    $gone = [bool](Invoke-Command -Session $Started.Session -ErrorAction Stop -ArgumentList $Started.Folder -ScriptBlock {
                            param($Folder)
                            for ($i = 0; ($i -lt 20) -and (Test-Path -LiteralPath $Folder); $i++) {
                                Remove-Item -LiteralPath $Folder -Recurse -Force -ErrorAction SilentlyContinue
                                if (Test-Path -LiteralPath $Folder) {
                                    Start-Sleep -Milliseconds 250
                                }
                            }
                            -not (Test-Path -LiteralPath $Folder)
                        })
                }
                catch {
                    Write-Verbose -Message "The folder is still there: $($_.Exception.Message)"
                }
            }
            if (-not $gone) {
                $left += "the folder $($Started.Folder)"
            }
        }
        if ($Started.Own) {
            Remove-PSSession -Session $Started.Session -ErrorAction SilentlyContinue -WhatIf:$false -Confirm:$false
        }
    }
    if ($left.Count -gt 0) {
        Write-Warning -Message ("The session with $($Started.Name) ended early and left $($left -join ' and '). To remove it: " +
            "Clear-TcpLatencyRemnant -ComputerName $($Started.Name)")
    }
}

function Clear-TcpLatencyRemnant {
    # .ExternalHelp LatencyTuner-help.xml
    [CmdletBinding(DefaultParameterSetName = 'ComputerName', SupportsShouldProcess = $true, ConfirmImpact = 'High')]
    [OutputType('LatencyTuner.Remnant')]
    param(
        [Parameter(ParameterSetName = 'ComputerName', Mandatory = $true, Position = 0, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)]
        [Alias('CN', 'DNSHostName', 'PSComputerName')][string[]]$ComputerName,
        [Parameter(ParameterSetName = 'ComputerName')][pscredential]$Credential,
        [Parameter(ParameterSetName = 'Session', Mandatory = $true)][object[]]$Session,
        [Parameter(ParameterSetName = 'HostName', Mandatory = $true)][string[]]$HostName,
        [Parameter(ParameterSetName = 'HostName')][string]$UserName,
        [Parameter(ParameterSetName = 'HostName')][string]$KeyFilePath,
        [Parameter(ParameterSetName = 'HostName')][string]$Subsystem,
        [Parameter(ParameterSetName = 'HostName')][hashtable]$SshOption,
        [switch]$All, [switch]$Force
    )
    process {
        try {
            Assert-LatencyConsent -BoundParameter $PSBoundParameters -Command 'Clear-TcpLatencyRemnant' -Force:$Force -Shows:([bool]$WhatIfPreference)
        }
        catch {
            $fault = Get-LatencyThrownFault -ErrorRecord $_
            Write-Error @fault -ErrorAction Stop
        }
        if ($Force -and -not $PSBoundParameters.ContainsKey('Confirm')) {
            $ConfirmPreference = 'None'
        }
        $hosts = @()
        switch ($PSCmdlet.ParameterSetName) {
            'Session' { $hosts = @($Session | ForEach-Object -Process { @{ Session = $_; Name = $_.ComputerName } }) }
            'HostName' {
                $hosts = @($HostName | ForEach-Object -Process {
                        @{ HostName = $_; Name = (Get-LatencyHostOf -HostName $_); SshOption = $SshOption; UserName = $UserName
                            KeyFilePath = $KeyFilePath; Subsystem = $Subsystem
                        }
                    })
            }
            default { $hosts = @($ComputerName | ForEach-Object -Process { @{ ComputerName = $_; Name = $_; Credential = $Credential } }) }
        }
        foreach ($far in $hosts) {
            $session = $null
            try {
                $session = Open-LatencySession -FarEnd $far
                $farWindows = Test-LatencyFarWindows -Session $session -Name $far.Name
                $removes = $PSCmdlet.ShouldProcess($far.Name, 'Remove what earlier runs of LatencyTuner left')
                Get-LatencyRemnantOf -Session $session -Name $far.Name -FarWindows $farWindows -Remove:$removes -All:$All
            }
            catch {
                $fault = Get-LatencyThrownFault -ErrorRecord $_ -Target $far.Name
                Write-Error @fault
            }
            finally {
                if (($null -ne $session) -and -not $far.ContainsKey('Session')) {
                    Remove-PSSession -Session $session -ErrorAction SilentlyContinue -WhatIf:$false -Confirm:$false
                }
            }
        }
    }
}

Export-ModuleMember -Function @('Start-LatencyFarEnd', 'Stop-LatencyFarEnd', 'Get-LatencyHostOf', 'Clear-TcpLatencyRemnant')
