# The module with the program itself, and the far end through ssh where Debian's sshd is.
BeforeDiscovery {
    $script:HasProgram = $env:LATENCYTUNER_PROGRAM -and (Test-Path -LiteralPath $env:LATENCYTUNER_PROGRAM)
    $script:OnUnix = ($PSVersionTable.PSVersion.Major -ge 6) -and -not $IsWindows
    $script:HasSsh = $script:OnUnix -and $env:LATENCYTUNER_PWSH -and (Test-Path -LiteralPath '/usr/sbin/sshd') -and
        (Get-Command -Name ssh -CommandType Application -ErrorAction Ignore) -and ((& id -u) -eq '0')
}

BeforeAll {
    $script:Root = Split-Path -Path (Split-Path -Path $PSScriptRoot -Parent) -Parent
    Import-Module -Name (Join-Path -Path $script:Root -ChildPath 'deploy/powershell/LatencyTuner/LatencyTuner.psd1') -Force
    $script:Run = @{ ProgramPath = $env:LATENCYTUNER_PROGRAM }
    $script:Samples = Join-Path -Path $script:Root -ChildPath 'tests/LatencyTuner.Tests'
}

Describe 'With the real program' -Skip:(-not $script:HasProgram) {
    It 'checks this machine' {
        $result = Test-TcpLatency @script:Run -Duration 0.3
        $result.Verdict | Should -BeIn @('pass', 'stall', 'cannot-tell')
        $result.P99 | Should -BeGreaterThan ([timespan]::Zero)
        $result.StartedUtc.Kind | Should -Be 'Utc'
        ([datetime]::UtcNow - $result.StartedUtc).TotalMinutes | Should -BeLessThan 2
    }
    It 'diagnoses, recommends and writes a page' {
        $diagnosis = Test-TcpLatency @script:Run -Diagnose -Option '--rounds=2'
        $diagnosis.Kind | Should -Be 'diagnosis'
        $page = Join-Path -Path $TestDrive -ChildPath 'page [1].html'
        ($diagnosis | New-TcpLatencyReport -OutputPath $page -Ticket CHG1 @script:Run -PassThru).Length | Should -BeGreaterThan 1000
        { $diagnosis | New-TcpLatencyReport -OutputPath $page @script:Run } | Should -Throw -ErrorId 'LatencyTuner.Usage,New-TcpLatencyReport'
        $null = $diagnosis | Get-TcpLatencyRecommendation @script:Run
    }
    Context 'Evidence packs' {
        BeforeAll {
            Add-Type -AssemblyName System.IO.Compression.FileSystem
            $script:OneByte = [System.Text.Encoding]::GetEncoding('iso-8859-1')
            # Each file of a pack: its name, its bytes as text of one character a byte, and their SHA-256.
            function Read-Pack([string]$Path) {
                $zip = [System.IO.Compression.ZipFile]::OpenRead($Path)
                try {
                    foreach ($entry in $zip.Entries) {
                        $memory = New-Object -TypeName System.IO.MemoryStream
                        $stream = $entry.Open()
                        $stream.CopyTo($memory)
                        $stream.Dispose()
                        $memory.Position = 0
                        [pscustomobject]@{
                            Name = $entry.FullName; Text = $script:OneByte.GetString($memory.ToArray())
                            Hash = (Get-FileHash -InputStream $memory -Algorithm SHA256).Hash
                        }
                    }
                }
                finally { $zip.Dispose() }
            }
            $folder = Join-Path -Path $TestDrive -ChildPath 'northwind [1]'
            $null = New-Item -ItemType Directory -Path $folder
            $script:Two = @('client.pcap', 'server.pcap' | ForEach-Object {
                    $capture = Join-Path -Path $folder -ChildPath "falcon-$_"
                    Copy-Item -LiteralPath (Join-Path -Path $script:Samples -ChildPath "Capture/Data/$_") -Destination $capture
                    Import-TcpCapture -LiteralPath $capture @script:Run
                })
            $about = @{ Ticket = 'CHG4711'; Operator = 'jdoe'; Note = 'Seen on db1.corp.local.' }
            # An array has a method of the name Address, which goes before the members of its elements.
            $script:Addresses = @($script:Two.Document.hosts | ForEach-Object { $_.address } | Sort-Object -Unique)
            $script:Real = @('northwind', 'falcon', 'CHG4711', 'jdoe', 'corp\.local') + @($script:Addresses | ForEach-Object { [regex]::Escape($_) + '(?!\d)' })
            $open = Join-Path -Path $TestDrive -ChildPath 'open.zip'
            $masked = Join-Path -Path $TestDrive -ChildPath 'pack [1].zip'
            $script:Two | New-TcpLatencyReport -OutputPath $open -Pack -IncludeCapture @about @script:Run
            $script:Two | New-TcpLatencyReport -OutputPath $masked -Pack -IncludeCapture -Mask @about @script:Run
            $script:Open = @(Read-Pack $open)
            $script:Masked = @(Read-Pack $masked)
        }
        It 'hold each document, each capture, the page and a manifest that lists them' {
            # On Windows, and only there, the settings of this machine are in it as well.
            @($script:Masked.Name -ne 'host/snapshot.json') | Should -Be @(
                'captures/01-capture.pcap', 'captures/02-capture.pcap', 'documents/01-analysis.json', 'documents/02-analysis.json', 'index.html',
                'manifest.json')
            $manifest = $script:Masked[-1].Text | ConvertFrom-Json
            $manifest.masked | Should -BeTrue
            $manifest.complete | Should -BeTrue
            $manifest.leftOut | Should -BeNullOrEmpty
            $listed = @($script:Masked | Where-Object { $_.Name -ne 'manifest.json' })
            $manifest.files.name | Should -Be $listed.Name
            $manifest.files.sha256 | Should -Be $listed.Hash
            foreach ($number in 0, 1) {
                $document = $script:Masked[2 + $number].Text | ConvertFrom-Json
                $document.schema | Should -Be $script:Two[$number].Document.schema
                $document.connections.Count | Should -Be $script:Two[$number].Document.connections.Count
                $document.findings.cause | Should -Be $script:Two[$number].Document.findings.cause
            }
        }
        It 'hold no name and no address of the ones that went in, where -Mask is given' {
            $script:Real.Count | Should -Be 7
            foreach ($name in $script:Real) {
                ($script:Open.Text -join "`n") | Should -Match $name -Because 'a name that is in no pack proves nothing'
                @($script:Masked | Where-Object { $_.Text -match $name } | ForEach-Object Name) | Should -BeNullOrEmpty -Because "$name is a real one"
            }
            ($script:Open[-1].Text | ConvertFrom-Json).origin.host | Should -Be ([Environment]::MachineName)
            ($script:Masked[-1].Text | ConvertFrom-Json).origin.host | Should -Match '^host-\d+$'
            foreach ($address in $script:Addresses) {
                $bytes = $script:OneByte.GetString(([ipaddress]$address).GetAddressBytes())
                $script:Open[0].Text.Contains($bytes) | Should -BeTrue
                $script:Masked[0].Text.Contains($bytes) | Should -BeFalse
                $script:Masked[1].Text.Contains($bytes) | Should -BeFalse
            }
        }
        It 'are not made with -WhatIf, over a page, or over a file that is there' {
            $zip = Join-Path -Path $TestDrive -ChildPath 'none.zip'
            $script:Two | New-TcpLatencyReport -OutputPath $zip -Pack -IncludeCapture -Mask @script:Run -PassThru -WhatIf | Should -BeNullOrEmpty
            { $script:Two | New-TcpLatencyReport -OutputPath $zip -Mask @script:Run } | Should -Throw -ErrorId 'LatencyTuner.Usage,New-TcpLatencyReport'
            Test-Path -LiteralPath $zip | Should -BeFalse
            Set-Content -LiteralPath $zip -Value 'earlier'
            { $script:Two | New-TcpLatencyReport -OutputPath $zip -Pack @script:Run } | Should -Throw -ErrorId 'LatencyTuner.Usage,New-TcpLatencyReport'
            $quiet = @{ ErrorVariable = 'problems'; ErrorAction = 'SilentlyContinue' }
            $null = $script:Two | New-TcpLatencyReport -OutputPath $zip -Pack -Option '--keep-payload' -Force -PassThru @script:Run @quiet
            $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.NoDocument,New-TcpLatencyReport'
            Get-Content -LiteralPath $zip | Should -Be 'earlier'
            ($script:Two | New-TcpLatencyReport -OutputPath $zip -Pack -Force -PassThru @script:Run).Length | Should -BeGreaterThan 1000
        }
    }
    It 'compares two measurements' {
        $before = Measure-TcpLatency @script:Run -Duration 0.3
        $after = Measure-TcpLatency @script:Run -Duration 0.3
        (Compare-TcpLatency $before $after @script:Run).Verdict | Should -Not -BeNullOrEmpty
    }
    It 'reads captures, by pattern and by name' {
        $one = Import-TcpCapture -Path (Join-Path -Path $script:Samples -ChildPath 'Capture/Data/cl*.pcap') @script:Run
        $one.Verdict | Should -Be 'stall'
        $one.Cause | Should -Be 'nagle-delayed-ack'
        @(Get-ChildItem -Path (Join-Path -Path $script:Samples -ChildPath 'Capture/Data') -Filter *.pcap | Import-TcpCapture @script:Run).Count | Should -Be 2
        $null = Import-TcpCapture -LiteralPath $PSCommandPath @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.Input,Import-TcpCapture'
    }
    It 'lists settings of a snapshot and shows changes to it' {
        $snapshot = Join-Path -Path $script:Samples -ChildPath 'Settings/Samples/server2022.json'
        @(Get-TcpLatencySetting 'tcp.ack*' -Snapshot $snapshot @script:Run).Count | Should -BeGreaterThan 3
        $null = Get-TcpLatencySetting 'no.such' -Snapshot $snapshot @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].CategoryInfo.Category | Should -Be 'ObjectNotFound'
        $change = @(Set-TcpLatencySetting template.delayedacktimeout 20 -Template DatacenterCustom -Snapshot $snapshot @script:Run)
        $change[0].After | Should -Be '20'
    }
    It 'says what this platform cannot do' -Skip:(-not $script:OnUnix) {
        $null = Trace-TcpLatency @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.Platform,Trace-TcpLatency'
        $null = Set-TcpLatencySetting tcp.ackfrequency 1 -Force @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.Platform,Set-TcpLatencySetting'
        $null = Test-TcpLatency db1 @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        "$($problems[-1])" | Should -Match '-HostName db1'
    }
    It 'watches' {
        $seen = @(Watch-TcpLatency loopback @script:Run -Duration 2 -Interval 0.5 -Rate 20 -Store (Join-Path -Path $TestDrive -ChildPath 'series'))
        $seen.Count | Should -BeGreaterThan 2
        $seen[0].Target | Should -Be 'loopback'
    }
}

Describe 'The far end through ssh' -Skip:(-not ($script:HasProgram -and $script:HasSsh)) {
    BeforeAll {
        $script:Ssh = Join-Path -Path ([IO.Path]::GetTempPath()) -ChildPath "ltps-$PID"
        $null = New-Item -ItemType Directory -Path $script:Ssh, '/run/sshd' -Force
        $port = 20000 + ($PID % 20000)
        & ssh-keygen -q -t ed25519 -N '' -f "$script:Ssh/host"
        & ssh-keygen -q -t ed25519 -N '' -f "$script:Ssh/key"
        $env:RECORDER_LOG = "$script:Ssh/log"
        $env:RECORDER_DOCUMENT = "$script:Ssh/document.json"
        $env:RECORDER_MODE = ''
        $env:RECORDER_EXIT = '0'
        # SHLVL keeps bash from reading the profile of this machine.
        @"
Port $port
ListenAddress 127.0.0.1
HostKey $script:Ssh/host
AuthorizedKeysFile $script:Ssh/key.pub
StrictModes no
PermitRootLogin yes
UsePAM no
PidFile $script:Ssh/pid
SetEnv PATH=$(Split-Path -Path $env:LATENCYTUNER_PROGRAM -Parent):/usr/local/bin:/usr/bin:/bin SHLVL=5 POWERSHELL_TELEMETRY_OPTOUT=1 RECORDER_LOG=$script:Ssh/log
Subsystem powershell $env:LATENCYTUNER_PWSH -sshs -NoLogo -NoProfile
"@ | Set-Content -LiteralPath "$script:Ssh/config"
        & /usr/sbin/sshd -f "$script:Ssh/config"
        $script:Far = @{
            HostName = "root@127.0.0.1:$port"; KeyFilePath = "$script:Ssh/key"
            SshOption = @{ StrictHostKeyChecking = 'no'; UserKnownHostsFile = '/dev/null'; LogLevel = 'ERROR' }
        }
        @{ schema = 'latencytuner/check/2'; verdict = 'pass'; text = 'Well.'; exitCode = 0; complete = $true; nextSteps = @(); startedUtc = '2026-11-24T18:27:02Z'; findings = @() } |
            ConvertTo-Json | Set-Content -LiteralPath $env:RECORDER_DOCUMENT
    }
    AfterAll {
        Stop-Process -Id (Get-Content -LiteralPath "$script:Ssh/pid") -ErrorAction Ignore
        Remove-Item -LiteralPath $script:Ssh -Recurse -Force
    }
    It 'starts it, measures the direct path, and leaves nothing' {
        $far = $script:Far
        $result = Test-TcpLatency @far @script:Run -Duration 0.3
        $result.Target | Should -Be '127.0.0.1'
        $result.Document.measurements[-1].target.via.command | Should -Be 'another program'
        @(Get-Process -Name latencytuner -ErrorAction Ignore | Where-Object CommandLine -like '*--once*').Count | Should -Be 0
        Get-PSSession | Should -BeNullOrEmpty
        Get-Job | Should -BeNullOrEmpty
        Get-ChildItem -Path '/tmp' -Filter 'latencytuner-*.line' | Should -BeNullOrEmpty
    }
    It 'does nothing with -WhatIf' {
        $far = $script:Far
        Test-TcpLatency @far @script:Run -WhatIf | Should -BeNullOrEmpty
    }
    It 'says that the program is not there' {
        $far = $script:Far
        $null = Test-TcpLatency @far @script:Run -RemoteProgramPath '/nowhere/latencytuner' -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[-1].FullyQualifiedErrorId | Should -Match '^LatencyTuner.Remoting,'
        "$($problems[-1])" | Should -Match 'RemoteProgramPath.*CopyProgram'
    }
    It 'copies a program of one file, gives it the line in a private file, and removes the copy' {
        $far = $script:Far
        $recorder = Join-Path -Path $PSScriptRoot -ChildPath 'recorder'
        $said = Test-TcpLatency @far -ProgramPath $recorder -CopyProgram -Verbose 4>&1
        ($said | Where-Object { $_ -isnot [System.Management.Automation.VerboseRecord] }).Verdict | Should -Be 'pass'
        (Get-Content -LiteralPath "$script:Ssh/log.line" -Raw) | Should -Match '^LATENCYTUNER1 \{'
        & stat -c %a "$script:Ssh/log.line" | Should -Be '600'
        ($said | Out-String) | Should -Not -Match 'RECORDED-TOKEN'
        (Get-Content -LiteralPath "$script:Ssh/log.words" -Raw) | Should -Not -Match 'RECORDED-TOKEN'
        Get-ChildItem -Path '/tmp' -Filter 'latencytuner-copy-*' | Should -BeNullOrEmpty
    }
    It 'finds and removes what an interrupted run left' {
        $far = $script:Far
        $left = '/tmp/latencytuner-copy-00000000000000000000000000000000'
        $null = New-Item -ItemType Directory -Path $left
        (Clear-TcpLatencyRemnant @far -All -WhatIf).Removed | Should -BeFalse
        (Clear-TcpLatencyRemnant @far -All -Force).Removed | Should -BeTrue
        Test-Path -LiteralPath $left | Should -BeFalse
    }
    It 'keeps a session of the caller open' {
        $far = $script:Far
        $session = New-PSSession -HostName $far.HostName -KeyFilePath $far.KeyFilePath -Options $far.SshOption
        try {
            Test-TcpLatency -Session $session @script:Run -Duration 0.3 -Quiet | Should -BeIn @($true, $false)
            "$($session.State)" | Should -Be 'Opened'
        }
        finally { Remove-PSSession -Session $session }
    }
}
