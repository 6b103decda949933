# Every rule of severity warning and up, and those of Windows PowerShell 5.1, PowerShell 7 and Constrained Language.
@{
    Severity     = @('Error', 'Warning')
    # The verb-noun pairs are published names. Names of parameters that only some sets use are read through $PSBoundParameters.
    ExcludeRules = @()
    Rules        = @{
        PSUseCompatibleSyntax        = @{
            Enable         = $true
            TargetVersions = @('5.1', '7.0', '7.4')
        }
        PSUseCompatibleCmdlets       = @{
            Compatibility = @('desktop-5.1.14393.206-windows')
        }
        PSUseConstrainedLanguageMode = @{
            Enable           = $true
            IgnoreSignatures = $true
        }
        PSAvoidUsingPositionalParameters = @{
            Enable = $true
        }
    }
}
