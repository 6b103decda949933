# Whether a command that changes something may go on. What is here needs Full Language, and says so where there is none.
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Continue'
$PSNativeCommandUseErrorActionPreference = $false

function Test-LatencyInteractive {
    # True where somebody can answer a question: not in a job, a service, a remote session or a pipeline.
    [CmdletBinding()]
    [OutputType([bool])]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseConstrainedLanguageMode', '', Justification = 'Assert-LatencyFullLanguage goes before.')]
    param()
    if (-not [Environment]::UserInteractive) {
        return $false
    }
    if ($Host.Name -in @('ServerRemoteHost', 'Default Host')) {
        return $false
    }
    if ([Console]::IsInputRedirected) {
        return $false
    }
    $asked = @([Environment]::CommandLine -split '\s+' | Where-Object -FilterScript { $_ -match '^[-/]noni(nteractive)?$' })
    $asked.Count -eq 0
}

function Assert-LatencyFullLanguage {
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)][string]$Command)
    if ($ExecutionContext.SessionState.LanguageMode -ne 'FullLanguage') {
        throw ("ConstrainedLanguage|$Command changes something and needs PowerShell's Full Language, but this session runs in " +
            "$($ExecutionContext.SessionState.LanguageMode): sign the module with a certificate " +
            'that the policy of this host trusts, or use the program itself.')
    }
}

function Assert-LatencyConsent {
    # Refuses before anything was done: in Constrained Language, and where a prompt would wait for ever.
    [CmdletBinding()]
    param([Parameter(Mandatory = $true)]$BoundParameter, [Parameter(Mandatory = $true)][string]$Command, [switch]$Force, [switch]$Shows)
    Assert-LatencyFullLanguage -Command $Command
    if ($Shows -or $Force -or ($BoundParameter.ContainsKey('Confirm') -and -not [bool]$BoundParameter['Confirm'])) {
        return
    }
    if (-not (Test-LatencyInteractive)) {
        throw ("NotConfirmed|$Command asks before it changes something, and nobody can answer here: add -Confirm:`$false or -Force, or -WhatIf to see " +
            'what it would do.')
    }
}

Export-ModuleMember -Function @('Test-LatencyInteractive', 'Assert-LatencyFullLanguage', 'Assert-LatencyConsent')
