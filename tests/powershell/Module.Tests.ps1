# The module with the program replaced by a recorder. What the program itself does is tested elsewhere; Real.Tests.ps1 runs both.
BeforeDiscovery {
    $script:HasRecorder = ($PSVersionTable.PSVersion.Major -ge 6) -and -not $IsWindows
    $script:Pwsh = $env:LATENCYTUNER_PWSH
    $script:HasSsh = $script:HasRecorder -and (Test-Path '/usr/sbin/sshd') -and (Get-Command -Name ssh -ErrorAction Ignore)
}

BeforeAll {
    $script:Root = Split-Path -Path (Split-Path -Path $PSScriptRoot -Parent) -Parent
    $script:ModulePath = Join-Path -Path $script:Root -ChildPath 'deploy/powershell/LatencyTuner/LatencyTuner.psd1'
    Import-Module -Name $script:ModulePath -Force
    $script:Pwsh = $env:LATENCYTUNER_PWSH
    $script:Recorder = Join-Path -Path $PSScriptRoot -ChildPath 'recorder'

    function Use-Document([hashtable]$With = @{}, [int]$Exit = 0, [string]$Mode = '') {
        $document = [ordered]@{
            schema = 'latencytuner/measurement/2'; verdict = 'no-stall'; text = 'All is well.'; exitCode = $Exit; complete = $true; nextSteps = @()
            startedUtc = '2026-11-24T18:27:02.0431823Z'; tool = 'latencytuner 0.1.0'; target = @{ name = 'db1' }
            responseTime = @{ p50Us = 13.54; p99Us = 4190.2 }; stalls = @{ count = 3 }
            findings = @(@{ id = 'LT101'; cause = 'nagle-delayed-ack'; severity = 'error'; recommendation = 'Set TCP_NODELAY.'; countOf = 'stall'; count = 3 })
        }
        foreach ($name in $With.Keys) { $document[$name] = $With[$name] }
        $document | ConvertTo-Json -Depth 9 | Set-Content -LiteralPath $env:RECORDER_DOCUMENT
        $env:RECORDER_EXIT = $Exit
        $env:RECORDER_MODE = $Mode
        Remove-Item -Path "$env:RECORDER_LOG*" -ErrorAction Ignore
    }
    function Get-Words { @(Get-Content -LiteralPath "$env:RECORDER_LOG.words") }
    function Get-Leftover { @(Get-ChildItem -LiteralPath $env:TMPDIR -Filter 'latencytuner-*') }
    $script:TmpBefore = $env:TMPDIR
}

Describe 'The manifest' {
    It 'exports the functions and nothing else' {
        $module = Get-Module -Name LatencyTuner
        $module.ExportedFunctions.Keys | Sort-Object | Should -Be @(
            'Clear-TcpLatencyRemnant', 'Compare-TcpLatency', 'Get-TcpLatencyRecommendation', 'Get-TcpLatencySetting', 'Get-TcpLatencySocket',
            'Import-TcpCapture', 'Measure-TcpLatency', 'New-TcpLatencyReport', 'Set-TcpLatencySetting', 'Test-TcpLatency', 'Trace-TcpLatency',
            'Undo-TcpLatencySetting', 'Watch-TcpLatency')
        $module.ExportedAliases.Count | Should -Be 0
        $module.ExportedVariables.Count | Should -Be 0
        Test-ModuleManifest -Path $script:ModulePath | Should -Not -BeNullOrEmpty
        Get-Command -Name 'Start-LatencyRun' -ErrorAction Ignore | Should -BeNullOrEmpty
    }
    It 'has help with examples, and every parameter in it' {
        foreach ($command in Get-Command -Module LatencyTuner) {
            $help = Get-Help -Name $command.Name -Full
            $help.Synopsis | Should -Match '\.$' -Because $command.Name
            @($help.examples.example).Count | Should -BeGreaterThan 1 -Because $command.Name
            $described = @($help.parameters.parameter | ForEach-Object name)
            $own = @($command.Parameters.Keys | Where-Object { $_ -notin [System.Management.Automation.Cmdlet]::CommonParameters })
            Compare-Object $described $own | Should -BeNullOrEmpty -Because $command.Name
        }
        (Get-Help -Name about_LatencyTuner | Out-String) | Should -Match 'SHORT DESCRIPTION'
    }
    It 'asks before a change' {
        foreach ($name in 'Set-TcpLatencySetting', 'Undo-TcpLatencySetting', 'Clear-TcpLatencyRemnant') {
            $binding = (Get-Command -Name $name).ScriptBlock.Attributes | Where-Object { $_ -is [System.Management.Automation.CmdletBindingAttribute] }
            $binding.SupportsShouldProcess | Should -BeTrue
            $binding.ConfirmImpact | Should -Be 'High'
        }
    }
}

Describe 'Calls of the program' -Skip:(-not $script:HasRecorder) {
    BeforeAll {
        $env:TMPDIR = Join-Path -Path $TestDrive -ChildPath "temp [x] 'é"
        $null = New-Item -ItemType Directory -Path $env:TMPDIR
        $env:RECORDER_LOG = Join-Path -Path $TestDrive -ChildPath 'log'
        $env:RECORDER_DOCUMENT = Join-Path -Path $TestDrive -ChildPath 'document.json'
        $script:Run = @{ ProgramPath = $script:Recorder }
    }
    BeforeEach { Use-Document }
    AfterEach { Get-Leftover | Should -BeNullOrEmpty }
    AfterAll { $env:TMPDIR = $script:TmpBefore }

    It 'ask for the document in a file and for progress, and end their options before the targets' {
        $result = Measure-TcpLatency db1 @script:Run -Duration 2 -Size 64KiB -Pattern Split -Option '--no-delay=true'
        $words = Get-Words
        $words[0..4] | Should -Be @('measure', '--duration=2s', '--size=64KiB', '--pattern=split', '--no-delay=true')
        $words | Should -Contain '--format=json'
        $words | Should -Contain '--progress=jsonl'
        @($words -like '--output=*').Count | Should -Be 1
        @($words -like '--stop-with=*').Count | Should -Be 1
        $words[-2..-1] | Should -Be @('--', 'db1')
        $result.PSTypeNames[0] | Should -Be 'LatencyTuner.Result'
    }
    It 'pass names that look like options, and quotes, blanks and backslashes, as they are' {
        $names = @('-h', '--help', 'a b', 'a"b', 'c:\x\', 'tail\"', "it's", '$(id)', '`id`', '[x]', 'é', '%PATH%', '&', '')
        foreach ($name in $names | Where-Object { $_ }) {
            $null = Measure-TcpLatency $name @script:Run
            (Get-Words)[-1] | Should -BeExactly $name
        }
    }
    It 'take durations as TimeSpan, seconds and text' {
        foreach ($pair in @(@(([timespan]'00:00:01.5'), '1500000us'), @(3, '3s'), @(0.5, '0.5s'), @('500ms', '500ms'), @('2', '2s'), @('00:01:00', '60000000us'))) {
            $null = Measure-TcpLatency db1 @script:Run -Duration $pair[0]
            Get-Words | Should -Contain "--duration=$($pair[1])"
        }
    }
    It 'write numbers with a point in every culture' {
        $before = [cultureinfo]::CurrentCulture
        try {
            [cultureinfo]::CurrentCulture = 'de-DE'
            $result = Measure-TcpLatency db1 @script:Run -Duration 0.5 -Rate 12.5
            Get-Words | Should -Contain '--duration=0.5s'
            Get-Words | Should -Contain '--rate=12.5'
            $result.P50Text | Should -Be '13.5 us'
        }
        finally { [cultureinfo]::CurrentCulture = $before }
    }
    It 'make one typed object per target, with times in UTC' {
        $results = @('db1', 'web2' | Measure-TcpLatency @script:Run)
        $results.Count | Should -Be 2
        $results.Target | Should -Be @('db1', 'web2')
        $results[0].P50 | Should -Be ([timespan]::FromTicks(135))
        $results[0].Stalls | Should -Be 3
        $results[0].Cause | Should -Be 'nagle-delayed-ack'
        $results[0].Cure | Should -Be 'Set TCP_NODELAY.'
        $results[0].StartedUtc.Kind | Should -Be 'Utc'
        $results[0].StartedUtc.Hour | Should -Be 18
        ($results[0] | Out-String -Width 120) | Should -Match 'Verdict\s+Target\s+P50\s+P99\s+Stalls\s+Cause\s+Cure'
    }
    It 'take targets by property name' {
        $null = [pscustomobject]@{ DNSHostName = 'srv7' } | Measure-TcpLatency @script:Run
        (Get-Words)[-1] | Should -Be 'srv7'
    }
    It 'run several at a time only when asked' {
        @(1..3 | ForEach-Object { "h$_" } | Measure-TcpLatency @script:Run -ThrottleLimit 3).Count | Should -Be 3
    }
    It 'give the document as it is with -AsJson' {
        (Measure-TcpLatency db1 @script:Run -AsJson | ConvertFrom-Json).schema | Should -Be 'latencytuner/measurement/2'
    }
    It 'map each function to its command' {
        $file = Join-Path -Path $TestDrive -ChildPath 'a [b].pcap'
        Set-Content -LiteralPath $file -Value ''
        $calls = [ordered]@{
            check = { Test-TcpLatency @script:Run }; diagnose = { Test-TcpLatency -Diagnose @script:Run }; measure = { Measure-TcpLatency @script:Run }
            monitor = { Watch-TcpLatency db1 @script:Run }; trace = { Trace-TcpLatency @script:Run }; analyze = { Import-TcpCapture -LiteralPath $file @script:Run }
            sockets = { Get-TcpLatencySocket @script:Run }; settings = { Get-TcpLatencySetting @script:Run }
            apply = { Set-TcpLatencySetting tcp.x 1 @script:Run -Confirm:$false }; rollback = { Undo-TcpLatencySetting b1 @script:Run -Force }
            recommend = { Get-TcpLatencyRecommendation -Path $file @script:Run }; compare = { Compare-TcpLatency $file $file @script:Run }
        }
        foreach ($name in $calls.Keys) {
            Use-Document -With @{ entries = @(); sockets = @(); changes = @(); recommendations = @(); quantiles = @(); batch = $null; whatIf = $false; journal = $null }
            $null = & $calls[$name]
            (Get-Words)[0] | Should -Be $name
        }
        $null = Trace-TcpLatency @script:Run
        @((Get-Words) -like '--report=*').Count | Should -Be 1
        $null = Import-TcpCapture -LiteralPath $file @script:Run
        (Get-Words)[-1] | Should -Be $file
    }
    It 'make a page or a pack of the documents of results, one file each, in the order of the pipeline' {
        $results = @('db1', 'web2' | Measure-TcpLatency @script:Run)
        $zip = Join-Path -Path $TestDrive -ChildPath 'case [1].zip'
        $html = Join-Path -Path $TestDrive -ChildPath 'page.html'
        $given = @{ Ticket = 'CHG 1'; Option = '--mask-name=Falcon' }
        ($results | New-TcpLatencyReport -OutputPath $zip -Pack -IncludeCapture -Mask @given @script:Run -PassThru).FullName | Should -BeExactly $zip
        $words = Get-Words
        $words[0..5] | Should -BeExactly @('report', '--ticket=CHG 1', '--include-captures', '--mask', '--mask-name=Falcon', "--pack=$zip")
        $words[6] | Should -BeExactly '--'
        @($words[7..8] | Split-Path -Leaf) | Should -Be @('001.json', '002.json')
        $words.Count | Should -Be 9
        $results | New-TcpLatencyReport -OutputPath $zip -Pack -Force @script:Run | Should -BeNullOrEmpty
        (Get-Words)[0..2] | Should -BeExactly @('report', "--pack=$zip", '--')
        New-TcpLatencyReport -OutputPath $html -Path $script:Recorder @script:Run
        Get-Words | Should -BeExactly @('report', '--format=html', "--output=$html", '--', $script:Recorder)
    }
    It 'show what a pack holds' -Skip:(-not $script:Pwsh) {
        $zip = Join-Path -Path $TestDrive -ChildPath 'shown.zip'
        $call = "New-TcpLatencyReport '$zip' -Pack -Path '$($script:Recorder)' -ProgramPath '$($script:Recorder)'"
        $said = & $script:Pwsh -NoProfile -NonInteractive -Command "Import-Module -Name '$($script:ModulePath)'; $call"
        "$said" | Should -Match '"event":"ended"'
        Test-Path -LiteralPath $zip | Should -BeTrue
    }
    It 'write no report with -WhatIf, and replace none' {
        $zip = Join-Path -Path $TestDrive -ChildPath 'not.zip'
        $result = Measure-TcpLatency @script:Run
        Remove-Item -Path "$env:RECORDER_LOG*"
        $result | New-TcpLatencyReport -OutputPath $zip -Pack -Mask @script:Run -PassThru -WhatIf | Should -BeNullOrEmpty
        Test-Path -LiteralPath $zip | Should -BeFalse
        Set-Content -LiteralPath $zip -Value 'earlier'
        $result | New-TcpLatencyReport -OutputPath $zip -Pack -Force @script:Run -PassThru -WhatIf | Should -BeNullOrEmpty
        Get-Content -LiteralPath $zip | Should -Be 'earlier'
        Test-Path -LiteralPath "$env:RECORDER_LOG.words" | Should -BeFalse
    }
    It 'do not take a file that was there for a new report: exit code <code>' -ForEach @(@{ code = 3 }, @{ code = 130 }) {
        $zip = Join-Path -Path $TestDrive -ChildPath 'earlier.zip'
        Set-Content -LiteralPath $zip -Value 'earlier'
        Use-Document -Mode silent -Exit $code
        $run = $script:Run
        $file = New-TcpLatencyReport -OutputPath $zip -Path $script:Recorder -Pack -Force -PassThru @run -ErrorVariable problems -ErrorAction SilentlyContinue
        $file | Should -BeNullOrEmpty
        $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.NoDocument,New-TcpLatencyReport'
        $problems[0].Exception.Message | Should -Match "exit code $code"
    }
    It 'take a report with a verdict, exit code <_>, for a report' -ForEach @(1, 7) {
        Use-Document -Exit $_
        $html = Join-Path -Path $TestDrive -ChildPath "verdict$_.html"
        (New-TcpLatencyReport -OutputPath $html -Path $script:Recorder @script:Run -PassThru).FullName | Should -Be $html
    }
    It 'say --yes only after consent, and never with -WhatIf or a snapshot' {
        $with = @{ changes = @(@{ settingId = 'tcp.x'; status = 'planned'; before = @{ absent = $true }; after = @{ value = '1' }; restart = 'none'; text = 't'; path = 'p' }); batch = 'b'; whatIf = $true; journal = $null }
        Use-Document -With $with
        $change = Set-TcpLatencySetting tcp.x 1 @script:Run -WhatIf
        Get-Words | Should -Not -Contain '--yes'
        $change.Before | Should -Be 'absent'
        $change.After | Should -Be '1'
        $null = Set-TcpLatencySetting tcp.x 1 @script:Run -Snapshot $script:Recorder
        Get-Words | Should -Not -Contain '--yes'
        Set-TcpLatencySetting tcp.x 1 @script:Run -Confirm:$false | Should -BeNullOrEmpty
        Get-Words | Should -Contain '--yes'
        (Set-TcpLatencySetting tcp.x 1 @script:Run -Force -PassThru).SettingId | Should -Be 'tcp.x'
    }
    It 'give intervals while the program runs' {
        $env:RECORDER_INTERVALS = Join-Path -Path $TestDrive -ChildPath 'intervals'
        '{"schema":"latencytuner/progress/1","event":"interval","atUtc":"2026-11-24T00:00:01Z","elapsedMs":2,"target":"db1","startedUtc":"2026-11-24T00:00:00Z","durationMs":1000,"received":10,"p50Us":100.5,"p99Us":2000,"maxUs":2100,"errors":0,"missed":0,"lastError":null}',
        '{"schema":"latencytuner/progress/1","event":"interval","atUtc":"2026-11-24T00:00:01Z","elapsedMs":2,"target":"web2","startedUtc":"2026-11-24T00:00:00Z","durationMs":1000,"received":0,"p50Us":null,"p99Us":null,"maxUs":null,"errors":3,"missed":0,"lastError":"refused"}' |
            Set-Content -LiteralPath $env:RECORDER_INTERVALS
        try {
            $seen = @(Watch-TcpLatency db1, web2 @script:Run)
            $seen.Count | Should -Be 2
            $seen[0].PSTypeNames[0] | Should -Be 'LatencyTuner.Interval'
            $seen[0].P99Text | Should -Be '2 ms'
            $seen[1].LastError | Should -Be 'refused'
            (@(Watch-TcpLatency db1 @script:Run -PassThru)[-1]).PSTypeNames[0] | Should -Be 'LatencyTuner.Result'
        }
        finally { $env:RECORDER_INTERVALS = '' }
    }
    It 'repeat what the program complains about as warnings' {
        $env:RECORDER_MESSAGE = 'web2 never answered.'
        try {
            $null = Measure-TcpLatency db1 @script:Run -WarningVariable warned -WarningAction SilentlyContinue
            $warned | Should -Be 'web2 never answered.'
        }
        finally { $env:RECORDER_MESSAGE = '' }
    }
}

Describe 'Verdicts and errors' -Skip:(-not $script:HasRecorder) {
    BeforeAll {
        $env:TMPDIR = Join-Path -Path $TestDrive -ChildPath 'temp'
        $null = New-Item -ItemType Directory -Path $env:TMPDIR
        $env:RECORDER_LOG = Join-Path -Path $TestDrive -ChildPath 'log'
        $env:RECORDER_DOCUMENT = Join-Path -Path $TestDrive -ChildPath 'document.json'
        $script:Run = @{ ProgramPath = $script:Recorder }
    }
    AfterEach { Get-Leftover | Should -BeNullOrEmpty }
    AfterAll { $env:TMPDIR = $script:TmpBefore }

    It 'gives verdict <verdict> (exit code <code>) as data' -ForEach @(
        @{ verdict = 'fail'; code = 1 }, @{ verdict = 'stall'; code = 0 }, @{ verdict = 'cannot-tell'; code = 7 }, @{ verdict = 'no-stall'; code = 130 }
    ) {
        Use-Document -With @{ verdict = $verdict; complete = ($code -ne 130) } -Exit $code
        $result = Measure-TcpLatency db1 @script:Run -ErrorVariable problems
        $problems | Should -BeNullOrEmpty
        $result.Verdict | Should -Be $verdict
        $result.ExitCode | Should -Be $code
    }
    It 'makes exit code <code> an error of category <category> with the document in TargetObject' -ForEach @(
        @{ code = 2; id = 'Usage'; category = 'InvalidArgument' }, @{ code = 3; id = 'Input'; category = 'InvalidData' }
        @{ code = 4; id = 'Platform'; category = 'ResourceUnavailable' }, @{ code = 5; id = 'Measurement'; category = 'ConnectionError' }
        @{ code = 6; id = 'Change'; category = 'WriteError' }, @{ code = 70; id = 'Bug'; category = 'NotSpecified' }
        @{ code = 130; id = 'Cancelled'; category = 'OperationStopped' }
    ) {
        Use-Document -With @{ schema = 'latencytuner/failure/2'; verdict = 'failed'; text = 'It failed at byte 7.' } -Exit $code
        $result = @('db1', 'db2' | Measure-TcpLatency @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue)
        $result.Count | Should -Be 0
        $problems.Count | Should -Be 2
        $problems[0].FullyQualifiedErrorId | Should -Be "LatencyTuner.$id,Measure-TcpLatency"
        $problems[0].CategoryInfo.Category | Should -Be $category
        $problems[0].Exception.Message | Should -Be 'db1: It failed at byte 7.'
        $problems[0].TargetObject.exitCode | Should -Be $code
        { Measure-TcpLatency db1 @script:Run -ErrorAction Stop } | Should -Throw -ErrorId "LatencyTuner.$id,Measure-TcpLatency"
    }
    It 'ends with -FailOn after every target was measured' {
        Use-Document -With @{ verdict = 'stall' }
        $seen = New-Object -TypeName System.Collections.ArrayList
        { 'a', 'b' | Measure-TcpLatency @script:Run -FailOn Stall | ForEach-Object { $null = $seen.Add($_) } } |
            Should -Throw -ErrorId 'LatencyTuner.FailOn,Measure-TcpLatency'
        $seen.Count | Should -Be 2
        { Measure-TcpLatency a @script:Run -FailOn Fail, CannotTell } | Should -Not -Throw
    }
    It 'gives only true or false with -Quiet' {
        Use-Document
        Measure-TcpLatency db1 @script:Run -Quiet | Should -BeTrue
        Use-Document -With @{ verdict = 'stall' }
        Measure-TcpLatency db1 @script:Run -Quiet | Should -BeFalse
        Use-Document -With @{ schema = 'latencytuner/failure/2'; verdict = 'failed' } -Exit 5
        Measure-TcpLatency db1 @script:Run -Quiet -ErrorVariable problems | Should -BeFalse
        $problems | Should -BeNullOrEmpty
    }
    It 'says that a document of a newer schema needs a newer module' {
        Use-Document -With @{ schema = 'latencytuner/measurement/3' }
        $null = Measure-TcpLatency db1 @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.NewerSchema,Measure-TcpLatency'
        $problems[0].Exception.Message | Should -Match 'version 3, and this module reads up to version 2'
    }
    It 'says that there is no document' {
        Use-Document -Mode silent -Exit 9
        $null = Measure-TcpLatency db1 @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].FullyQualifiedErrorId | Should -Be 'LatencyTuner.NoDocument,Measure-TcpLatency'
        $problems[0].Exception.Message | Should -Match 'exit code 9'
    }
    It 'says that a document is no JSON' {
        Use-Document
        Set-Content -LiteralPath $env:RECORDER_DOCUMENT -Value '{"schema": '
        $null = Measure-TcpLatency db1 @script:Run -ErrorVariable problems -ErrorAction SilentlyContinue
        $problems[0].Exception.Message | Should -Match 'no JSON'
    }
    It 'is not stopped by the preferences of the caller' {
        Use-Document -With @{ schema = 'latencytuner/failure/2'; verdict = 'failed' } -Exit 5
        $ErrorActionPreference = 'Stop'
        $PSNativeCommandUseErrorActionPreference = $true
        { Measure-TcpLatency db1 @script:Run -ErrorAction SilentlyContinue } | Should -Not -Throw
    }
    It 'refuses a program of another release' {
        Use-Document
        $other = Join-Path -Path $TestDrive -ChildPath 'other'
        Set-Content -LiteralPath $other -Value "#!/bin/sh`necho 9.9.0"
        & chmod +x $other
        { Measure-TcpLatency db1 -ProgramPath $other } | Should -Throw -ErrorId 'LatencyTuner.WrongVersion,Measure-TcpLatency' -ExpectedMessage '*9.9.0*0.1*'
    }
    It 'says where it looked for the program, and never looks in the current folder' {
        $here = Join-Path -Path $TestDrive -ChildPath 'here'
        $null = New-Item -ItemType Directory -Path $here
        Copy-Item -LiteralPath $script:Recorder -Destination (Join-Path -Path $here -ChildPath 'latencytuner')
        $path = $env:PATH
        Push-Location -LiteralPath $here
        try {
            $env:PATH = "$here"
            { Measure-TcpLatency db1 } | Should -Throw -ErrorId 'LatencyTuner.ProgramNotFound,Measure-TcpLatency' -ExpectedMessage '*not found*-ProgramPath*'
            { Measure-TcpLatency db1 -ProgramPath './nothing' } | Should -Throw -ErrorId 'LatencyTuner.ProgramNotFound,Measure-TcpLatency'
        }
        finally {
            $env:PATH = $path
            Pop-Location
        }
    }
    It 'works from a folder that nobody may write to' {
        $copy = Join-Path -Path $TestDrive -ChildPath 'read only [1]'
        Copy-Item -LiteralPath (Split-Path -Path $script:ModulePath -Parent) -Destination $copy -Recurse
        & chmod -R a-w $copy
        Use-Document
        $text = & $script:Pwsh -NoProfile -NonInteractive -Command "Import-Module -Name '$($copy -replace '([\[\]])', '`$1')/LatencyTuner.psd1'; (Measure-TcpLatency db1 -ProgramPath '$($script:Recorder)').Verdict"
        & chmod -R u+w $copy
        $text | Should -Be 'no-stall'
    } -Skip:(-not $script:Pwsh)
}

Describe 'Consent' -Skip:(-not $script:HasRecorder) {
    BeforeAll {
        $env:RECORDER_LOG = Join-Path -Path $TestDrive -ChildPath 'log'
        $env:RECORDER_DOCUMENT = Join-Path -Path $TestDrive -ChildPath 'document.json'
        Use-Document
    }
    It 'refuses to change where nobody can answer: <_>' -ForEach @('Set-TcpLatencySetting tcp.x 1', 'Undo-TcpLatencySetting -All', 'Clear-TcpLatencyRemnant db1') {
        $more = if ($_ -like 'Clear*') { '' } else { "-ProgramPath '$($script:Recorder)'" }
        $line = "`$ErrorView = 'NormalView'; Import-Module -Name '$($script:ModulePath)'; try { $_ $more } catch { `$_.FullyQualifiedErrorId; `$_.Exception.Message }"
        $said = @(& $script:Pwsh -NoProfile -NonInteractive -Command $line)
        $said[0] | Should -Match '^LatencyTuner.NotConfirmed,'
        $said[1] | Should -Match '-Confirm:\$false or -Force'
        Test-Path -LiteralPath "$env:RECORDER_LOG.words" | Should -BeFalse
    }
}

Describe 'Constrained Language' -Skip:(-not ($script:HasRecorder -and $script:Pwsh)) {
    BeforeAll {
        $env:RECORDER_LOG = Join-Path -Path $TestDrive -ChildPath 'log'
        $env:RECORDER_DOCUMENT = Join-Path -Path $TestDrive -ChildPath 'document.json'
        Use-Document -With @{ entries = @(); sockets = @(); recommendations = @(); quantiles = @() }
        function Invoke-Constrained([string]$Line) {
            & $script:Pwsh -NoProfile -NonInteractive -Command "`$ExecutionContext.SessionState.LanguageMode = 'ConstrainedLanguage'; Import-Module -Name '$($script:ModulePath)'; try { $Line } catch { `$_.FullyQualifiedErrorId; `$_.Exception.Message }"
        }
        $script:File = Join-Path -Path $TestDrive -ChildPath 'x.json'
        Set-Content -LiteralPath $script:File -Value '{}'
    }
    It 'works: <_>' -ForEach @('(Test-TcpLatency PROGRAM).Verdict', '(Measure-TcpLatency db1 PROGRAM).Verdict', '(Import-TcpCapture FILE PROGRAM).Verdict',
        'Get-TcpLatencySocket PROGRAM; "no-stall"', 'Get-TcpLatencySetting PROGRAM; "no-stall"', '(Compare-TcpLatency FILE FILE PROGRAM).Verdict',
        'Get-TcpLatencyRecommendation FILE PROGRAM; "no-stall"', 'Measure-TcpLatency db1 PROGRAM | Format-Table | Out-Null; "no-stall"') {
        Invoke-Constrained ($_ -replace 'PROGRAM', "-ProgramPath '$($script:Recorder)'" -replace 'FILE', "'$($script:File)'") | Should -Be 'no-stall'
    }
    It 'writes a report, and none with -WhatIf' {
        $page = Join-Path -Path $TestDrive -ChildPath 'constrained.html'
        $call = "New-TcpLatencyReport '$page' -Path '$($script:File)' -ProgramPath '$($script:Recorder)'"
        Invoke-Constrained "$call -WhatIf" | Should -Match '^What if:.*constrained\.html'
        Test-Path -LiteralPath $page | Should -BeFalse
        Invoke-Constrained $call | Should -Match '"schema"'
        Test-Path -LiteralPath $page | Should -BeTrue
    }
    It 'refuses with a sentence: <_>' -ForEach @('Set-TcpLatencySetting tcp.x 1 -Force', 'Undo-TcpLatencySetting -All -Confirm:$false', 'Clear-TcpLatencyRemnant db1 -Force') {
        $said = @(Invoke-Constrained $_)
        $said[0] | Should -Match '^LatencyTuner.ConstrainedLanguage,'
        $said[1] | Should -Match 'sign the module'
    }
}

Describe 'Ending early' -Skip:(-not $script:HasRecorder) {
    BeforeAll {
        $env:TMPDIR = Join-Path -Path $TestDrive -ChildPath 'temp'
        $null = New-Item -ItemType Directory -Path $env:TMPDIR
        $env:RECORDER_LOG = Join-Path -Path $TestDrive -ChildPath 'log'
        $env:RECORDER_DOCUMENT = Join-Path -Path $TestDrive -ChildPath 'document.json'
        function Stop-InTheMiddle {
            # A pipeline that is stopped, as Ctrl-C stops it.
            $shell = [powershell]::Create()
            $null = $shell.AddScript("Import-Module '$($script:ModulePath)'; Measure-TcpLatency db1 -ProgramPath '$($script:Recorder)'")
            $running = $shell.BeginInvoke()
            $until = (Get-Date).AddSeconds(20)
            while (-not (Test-Path -LiteralPath $env:RECORDER_LOG) -and ((Get-Date) -lt $until)) { Start-Sleep -Milliseconds 100 }
            Start-Sleep -Milliseconds 500
            $since = Get-Date
            $shell.Stop()
            [pscustomobject]@{ Seconds = ((Get-Date) - $since).TotalSeconds; Warnings = @($shell.Streams.Warning | ForEach-Object Message) }
            $shell.Dispose()
        }
    }
    AfterAll { $env:TMPDIR = $script:TmpBefore }
    It 'asks the program to end, and keeps the partial document' {
        Use-Document -With @{ complete = $false; text = 'Half of it.' } -Exit 130 -Mode stoppable
        $end = Stop-InTheMiddle
        $end.Warnings | Should -Match 'Half of it\. The document \(complete: false\) is '
        $file = ($end.Warnings[0] -replace '^.* is ', '') -replace '\.$', ''
        (Get-Content -LiteralPath $file -Raw | ConvertFrom-Json).complete | Should -BeFalse
        Remove-Item -LiteralPath $file
        Get-Leftover | Should -BeNullOrEmpty
    }
    It 'kills a program that does not end within 5 s' {
        Use-Document -Mode deaf
        $end = Stop-InTheMiddle
        $end.Seconds | Should -BeGreaterThan 4.5
        $end.Seconds | Should -BeLessThan 15
        Get-Process -Id (Get-Content -LiteralPath "$env:RECORDER_LOG.pid") -ErrorAction Ignore | Should -BeNullOrEmpty
        Get-Leftover | Should -BeNullOrEmpty
    }
}

Describe 'Sentences of remoting' {
    It 'says what to do about <text>' -ForEach @(
        @{ text = 'Access is denied.'; says = 'Give -Credential' }
        @{ text = 'The user load quota of 1000 requests per 2 seconds has been exceeded.'; says = 'raise the quota of WinRM' }
        @{ text = 'The syntax is not supported by this runspace. This can occur if the runspace is in no-language mode.'; says = '-ConfigurationName' }
        @{ text = 'A specified logon session does not exist. It may already have been terminated.'; says = 'reaches db1 directly' }
        @{ text = 'The client cannot connect to the destination specified in the request.'; says = 'Enable-PSRemoting' }
    ) {
        InModuleScope -ModuleName Remoting -Parameters @{ text = $text; says = $says } {
            $record = New-Object System.Management.Automation.ErrorRecord (New-Object System.Exception $text), 'Test', 'OpenError', $null
            Get-LatencyRemotingSentence -Name 'db1' -ErrorRecord $record | Should -Match $says
        }
    }
    It 'dials the host of what ssh takes: <given>' -ForEach @(
        @{ given = 'db1'; dials = 'db1' }, @{ given = 'admin@db1:2222'; dials = 'db1' }, @{ given = 'admin@db1'; dials = 'db1' }, @{ given = 'fe80::1'; dials = 'fe80::1' }
    ) {
        InModuleScope -ModuleName Remoting -Parameters @{ given = $given; wanted = $dials } { Get-LatencyHostOf -HostName $given | Should -Be $wanted }
    }
    It 'does not copy a program of several files' {
        $folder = Join-Path -Path $TestDrive -ChildPath 'several'
        $null = New-Item -ItemType Directory -Path $folder
        'latencytuner', 'latencytuner.dll' | ForEach-Object { Set-Content -LiteralPath (Join-Path -Path $folder -ChildPath $_) -Value '' }
        InModuleScope -ModuleName Remoting -Parameters @{ folder = $folder } {
            $far = @{ Name = 'db1'; Force = $false; Program = @{ Path = (Join-Path -Path $folder -ChildPath 'latencytuner'); Signature = 'NotSigned' } }
            { Copy-LatencyProgram -FarEnd $far -Session 1 -FarWindows (Test-LatencyWindows) -Cmdlet 1 } | Should -Throw -ExpectedMessage 'Copy|*single-file*'
        }
    }
    It 'refuses the firewall where it is not that of Windows' -Skip:(-not $script:HasRecorder) {
        InModuleScope -ModuleName Remoting {
            { Open-LatencyFirewall -Started @{} -FarEnd @{ Name = 'db1' } -Program 'x' -Port 1 -FarWindows $false -Cmdlet 1 } | Should -Throw -ExpectedMessage 'Firewall|*-Port*'
        }
    }
    It 'names what a dead session leaves behind' {
        InModuleScope -ModuleName Remoting {
            $dead = [pscustomobject]@{ State = 'Broken' }
            Stop-LatencyFarEnd -Started @{ Session = $dead; Own = $false; Job = $null; Folder = 'C:\ProgramData\latencytuner-copy-1'; Rule = 'LatencyTuner-2'; LineFile = $null; Name = 'db1' } -WarningVariable warned -WarningAction SilentlyContinue
            "$warned" | Should -Match 'LatencyTuner-2.*latencytuner-copy-1.*Clear-TcpLatencyRemnant -ComputerName db1'
        }
    }
}
