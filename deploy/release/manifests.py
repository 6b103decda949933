"""Manifests for winget and Chocolatey, from the files as they will be downloaded."""

import building

SUMMARY = "Finds out why TCP is slow, at which end, what it costs, and what cures it."
IDENTIFIER = "LatencyTuner.LatencyTuner"
SCHEMA = "1.6.0"
LICENCE = "Proprietary"


def archive(source, rid):
    return f"{building.PRODUCT}-{source.version}-{rid}.zip"


def present(source, output):
    return [(rid, path) for rid in ("win-x64", "win-arm64") if (path := output / archive(source, rid)).exists()]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def winget(source, url, output):
    folder = output / "winget"
    head = f"PackageIdentifier: {IDENTIFIER}\nPackageVersion: {source.version}\n"
    installers = "".join(
        f"- Architecture: {rid.removeprefix('win-')}\n  InstallerUrl: {url.rstrip('/')}/{path.name}\n  InstallerSha256: {building.sha256(path).upper()}\n"
        for rid, path in present(source, output))
    if not installers:
        return

    def kind(name):
        schema = f"https://aka.ms/winget-manifest.{name.lower()}.{SCHEMA}.schema.json"
        return f"# yaml-language-server: $schema={schema}\n", f"ManifestType: {name}\nManifestVersion: {SCHEMA}\n"

    begin, end = kind("version")
    write(folder / f"{IDENTIFIER}.yaml", f"{begin}{head}DefaultLocale: en-US\n{end}")
    begin, end = kind("installer")
    write(folder / f"{IDENTIFIER}.installer.yaml", (
        f"{begin}{head}Platform:\n- Windows.Desktop\nMinimumOSVersion: 10.0.14393.0\nInstallerType: zip\nNestedInstallerType: portable\n"
        f"NestedInstallerFiles:\n- RelativeFilePath: {building.PRODUCT}.exe\n  PortableCommandAlias: {building.PRODUCT}\nCommands:\n- {building.PRODUCT}\n"
        f"ReleaseDate: {source.utc[:10]}\nInstallers:\n{installers}{end}"))
    begin, end = kind("defaultLocale")
    write(folder / f"{IDENTIFIER}.locale.en-US.yaml", (
        f"{begin}{head}PackageLocale: en-US\nPublisher: LatencyTuner\nPackageName: LatencyTuner\nLicense: {LICENCE}\nShortDescription: {SUMMARY}\n{end}"))


def chocolatey(source, url, output):
    zips = dict(present(source, output))
    if "win-x64" not in zips:
        return
    folder = output / "chocolatey"
    name = zips["win-x64"].name
    write(folder / "latencytuner.nuspec", f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2015/06/nuspec.xsd">
  <metadata>
    <id>{building.PRODUCT}</id>
    <version>{source.version}</version>
    <title>LatencyTuner</title>
    <authors>LatencyTuner</authors>
    <summary>{SUMMARY}</summary>
    <description>{SUMMARY} Installs files only: no service, no task, no firewall rule, and nothing is started.</description>
    <tags>tcp latency nagle network admin</tags>
  </metadata>
  <files>
    <file src="tools\\**" target="tools" />
  </files>
</package>
""")
    write(folder / "tools" / "chocolateyinstall.ps1", f"""# Unpacks the archive and compares its SHA-256. Nothing is started; the shim is for a console program.
$ErrorActionPreference = 'Stop'
$tools = Split-Path -Parent $MyInvocation.MyCommand.Definition
$archive = @{{
    PackageName = '{building.PRODUCT}'; UnzipLocation = $tools; Url64bit = '{url.rstrip('/')}/{name}'
    Checksum64 = '{building.sha256(zips['win-x64'])}'; ChecksumType64 = 'sha256'
}}
Install-ChocolateyZipPackage @archive
""")
    write(folder / "tools" / "chocolateyuninstall.ps1", f"""# What the program itself made is removed before this, in an elevated console, by 'latencytuner setup --remove --with-journal'.
$ErrorActionPreference = 'Stop'
Uninstall-ChocolateyZipPackage -PackageName '{building.PRODUCT}' -ZipFileName '{name}'
""")
