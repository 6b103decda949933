# Runs the Pester tests of the module, and the analyzer where it is. Ends with "N passed, N failed"; exits with 1 when anything failed.
# -Program names latencytuner; without it the Release build of this checkout.
param([string]$Program, [string]$Modules = $env:LATENCYTUNER_PSMODULES)
$ErrorActionPreference = 'Stop'
if ($Modules) {
    $env:PSModulePath = $Modules + [IO.Path]::PathSeparator + $env:PSModulePath
}
$root = Split-Path -Path (Split-Path -Path $PSScriptRoot -Parent) -Parent
if (-not $Program) {
    $name = if (($PSVersionTable.PSVersion.Major -lt 6) -or $IsWindows) { 'latencytuner.exe' } else { 'latencytuner' }
    $Program = Join-Path -Path $root -ChildPath "src/LatencyTuner/bin/Release/net8.0/$name"
}
$env:LATENCYTUNER_PROGRAM = $Program
$passed = 0
$failed = 0
if (-not (Get-Module -ListAvailable -Name Pester | Where-Object { $_.Version.Major -ge 5 })) {
    Write-Output 'skipped: Pester 5 is not installed, and LATENCYTUNER_PSMODULES names no folder with it'
}
else {
    Import-Module -Name Pester -MinimumVersion 5.0
    $configuration = New-PesterConfiguration
    $configuration.Run.Path = $PSScriptRoot
    $configuration.Run.PassThru = $true
    $configuration.Output.Verbosity = 'Detailed'
    $configuration.Output.RenderMode = 'Plaintext'
    $result = Invoke-Pester -Configuration $configuration
    $passed += $result.PassedCount
    $failed += $result.FailedCount + $result.FailedBlocksCount + $result.FailedContainersCount
    Write-Output "Pester: $($result.PassedCount) passed, $($result.FailedCount) not, $($result.SkippedCount) skipped, in PowerShell $($PSVersionTable.PSVersion)"
}
if (-not (Get-Module -ListAvailable -Name PSScriptAnalyzer)) {
    Write-Output 'skipped: PSScriptAnalyzer is not installed, and LATENCYTUNER_PSMODULES names no folder with it'
}
else {
    Import-Module -Name PSScriptAnalyzer
    foreach ($file in Get-ChildItem -Path (Join-Path -Path $root -ChildPath 'deploy/powershell/LatencyTuner/*') -Include *.psm1, *.psd1) {
        $said = @(Invoke-ScriptAnalyzer -Path $file.FullName -Settings (Join-Path -Path $PSScriptRoot -ChildPath 'PSScriptAnalyzerSettings.psd1'))
        if ($said.Count -eq 0) {
            $passed++
            Write-Output "ok - the analyzer finds nothing in $($file.Name)"
        }
        else {
            $failed++
            $said | ForEach-Object { Write-Output "not ok - $($file.Name):$($_.Line) $($_.RuleName): $($_.Message)" }
        }
    }
}
Write-Output "$passed passed, $failed failed"
exit [int]($failed -gt 0)
