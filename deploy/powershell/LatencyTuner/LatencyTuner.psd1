@{
    ModuleVersion        = '0.1.0'
    GUID                 = '5a0d6c1e-8f0b-4f6e-9a35-6d2f4c7e9b10'
    Author               = 'LatencyTuner'
    CompanyName          = 'LatencyTuner'
    Copyright            = '(c) LatencyTuner.'
    Description          = 'Finds out why TCP is slow, at which end, what it costs, and what cures it.'
    PowerShellVersion    = '5.1'
    CompatiblePSEditions = @('Desktop', 'Core')
    # Only the functions that are exported below are for callers; the others of these files are for each other.
    NestedModules        = @('Measuring.psm1', 'Settings.psm1', 'Remoting.psm1')
    FormatsToProcess     = @('LatencyTuner.Format.ps1xml')
    FunctionsToExport    = @(
        'Clear-TcpLatencyRemnant'
        'Compare-TcpLatency'
        'Get-TcpLatencyRecommendation'
        'Get-TcpLatencySetting'
        'Get-TcpLatencySocket'
        'Import-TcpCapture'
        'Measure-TcpLatency'
        'New-TcpLatencyReport'
        'Set-TcpLatencySetting'
        'Test-TcpLatency'
        'Trace-TcpLatency'
        'Undo-TcpLatencySetting'
        'Watch-TcpLatency'
    )
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
    FileList             = @(
        'LatencyTuner.psd1', 'LatencyTuner.Format.ps1xml', 'Measuring.psm1', 'Settings.psm1', 'Remoting.psm1', 'Consent.psm1', 'Program.psm1', 'Results.psm1',
        'Windows.psm1', 'en-US/LatencyTuner-help.xml', 'en-US/about_LatencyTuner.help.txt')
    PrivateData          = @{
        PSData = @{
            Tags = @('TCP', 'Latency', 'Nagle', 'Network', 'Windows', 'Linux')
        }
    }
}
