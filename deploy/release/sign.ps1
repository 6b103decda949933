# Signs the contents of a release for Windows, as the hook of deploy/release/release: pwsh -NoProfile -File sign.ps1 FOLDER. NOT RUN: written from documentation.
# LATENCYTUNER_THUMBPRINT names the certificate in the store of this user or machine, LATENCYTUNER_TIMESTAMP the server for timestamps.
param([Parameter(Mandatory = $true)][string]$Folder)
Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$certificate = @(Get-ChildItem -Path Cert:\CurrentUser\My, Cert:\LocalMachine\My -CodeSigningCert | Where-Object { $_.Thumbprint -eq $env:LATENCYTUNER_THUMBPRINT })[0]
$how = @{ Certificate = $certificate; HashAlgorithm = 'SHA256'; IncludeChain = 'NotRoot' }
if ($env:LATENCYTUNER_TIMESTAMP) {
    $how.TimestampServer = $env:LATENCYTUNER_TIMESTAMP
}
function Set-Signature([string]$Path) {
    $signed = Set-AuthenticodeSignature -LiteralPath $Path @how
    if ($signed.Status -ne 'Valid') {
        throw "$Path was not signed: $($signed.StatusMessage)"
    }
}
Get-ChildItem -LiteralPath $Folder -Recurse -File | Where-Object { $_.Extension -in '.exe', '.psm1', '.psd1', '.ps1xml' } | ForEach-Object { Set-Signature $_.FullName }
# Last: the catalog holds the hashes of the signed files, and of those that cannot carry a signature.
$catalog = Join-Path -Path $Folder -ChildPath 'LatencyTuner.cat'
$null = New-FileCatalog -Path $Folder -CatalogFilePath $catalog -CatalogVersion 2.0
Set-Signature $catalog
