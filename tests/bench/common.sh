# Sourced by the benches: where things are, and the program as it is shipped (ReadyToRun, framework-dependent).
set -eu
here=$(dirname "$(readlink -f "${BASH_SOURCE[1]}")")
root=$(readlink -f "$here/../..")
work=$(mktemp -d)
pids=()

cleanup() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

need() {
    for name in "$@"; do
        if ! command -v "$name" >/dev/null; then
            [ "$(id -u)" = 0 ] || { echo "$name is missing; install it, or run as root to have it installed by apt." >&2; exit 4; }
            apt-get install -y -qq "$name" >/dev/null || { echo "$name could not be installed by apt." >&2; exit 4; }
        fi
    done
}

# Publishes once; again only when a source is newer. LATENCYTUNER=/path/to/latencytuner measures that program instead.
publish() {
    lt=${LATENCYTUNER:-$root/artifacts/bench/latencytuner}
    [ -z "${LATENCYTUNER:-}" ] || return 0
    if [ ! -e "$lt" ] || [ -n "$(find "$root"/src "$root"/Directory.*.props -name obj -prune -o \( -name '*.cs' -o -name '*.csproj' -o -name '*.props' \) -newer "$lt.dll" -print -quit)" ]; then
        echo "publishing latencytuner ..." >&2
        # Code compiled ahead of time for .NET 8 is compiled again by a later runtime: measured is what a release for the runtime at hand would be.
        framework=net8.0
        dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 8\.' || framework=net10.0
        dotnet publish "$root/src/LatencyTuner" -c Release -r linux-x64 --self-contained false -p:LatencyTunerFramework=$framework -o "$(dirname "$lt")" -v quiet -nologo >&2
        touch "$lt.dll"
    fi
}

median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2; else print "nan" }'; }

machine() {
    echo "$(date -u +%F), $(nproc) processors ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)), Linux $(uname -r | cut -d. -f1,2), .NET $(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \([^ ]*\).*/\1/p' | tail -1), load $(cut -d' ' -f1 /proc/loadavg)"
}
