#!/bin/sh
# Installs openclaw for you alone, into ~/.local, from the archive of a release; nothing is compiled.
#
#     sh install.sh               installs the newest release, or replaces an older version
#     sh install.sh --uninstall   removes what this script installed, and leaves your memory in ~/.openclaw
#
# The archive must match SHA256SUMS of the release, and SHA256SUMS must carry the signature of the project's release
# workflow, which `cosign` verifies. Without cosign the script stops, unless you set OPENCLAW_UNSIGNED=1.
# OPENCLAW_RELEASES is the address of the files of a release, and OPENCLAW_TARGET the Rust target of another archive than
# the one for this machine. PREFIX is the folder instead of ~/.local.
set -eu

repository=${OPENCLAW_REPOSITORY:-https://github.com/OWNER/openclaw}
releases=${OPENCLAW_RELEASES:-$repository/releases/latest/download}
prefix=${PREFIX:-$HOME/.local}
# One spelling of a folder, since the list of what is installed holds paths.
prefix=${prefix%/}
[ ! -d "$prefix" ] || prefix=$(cd "$prefix" && pwd -P)
list=$prefix/share/openclaw/installed

fail() {
    echo "error: $1" >&2
    echo "  hint: $2" >&2
    exit 1
}

work=$(mktemp -d)
unfinished=
trap 'rm -rf "$work"; [ -z "$unfinished" ] || rm -f "$unfinished"' EXIT
trap 'exit 1' HUP INT TERM

if [ "${1:-}" = --uninstall ]; then
    cp "$list" "$work/installed" 2>/dev/null || fail "nothing is installed in $prefix" "if it is elsewhere, set PREFIX to that folder"
    while read -r kind path; do
        case $kind in
        file) rm -f "$path" ;;
        folder) rmdir "$path" 2>/dev/null || true ;; # stays if others use it
        esac
    done <"$work/installed"
    echo "Removed openclaw from $prefix. Your memory in ~/.openclaw is still there."
    exit 0
fi
[ $# -eq 0 ] || fail "unknown argument: $1" "use no argument to install, or --uninstall"

case $(uname -m) in
x86_64 | amd64) cpu=x86_64 ;;
aarch64 | arm64) cpu=aarch64 ;;
*) fail "there is no build for the processor $(uname -m)" "build it from source, as README.md says" ;;
esac
case $(uname -s) in
Darwin) target=$cpu-apple-darwin ;;
Linux)
    # A C library older than 2.34, or musl, takes the static program.
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.* 2\.//' || true)
    if [ "${glibc:-0}" -ge 34 ] 2>/dev/null; then target=$cpu-unknown-linux-gnu; else target=$cpu-unknown-linux-musl; fi
    ;;
*) fail "there is no build for $(uname -s)" "on Windows, unpack the zip archive of the release" ;;
esac
target=${OPENCLAW_TARGET:-$target}

case $releases in
https://* | file://*) ;;
*) fail "$releases is not an https address" "set OPENCLAW_RELEASES to one that begins with https://" ;;
esac

fetch() {
    case $releases in
    file://*) cp "${releases#file://}/$1" "$work/$1" 2>/dev/null ;;
    *)
        if command -v curl >/dev/null; then
            curl --proto '=https' --tlsv1.2 -fsSL "$releases/$1" -o "$work/$1"
        elif command -v wget >/dev/null; then
            # The options that the wget of BusyBox has, too.
            wget -q -O "$work/$1" "$releases/$1"
        else
            fail "neither curl nor wget is installed" "install one of them"
        fi
        ;;
    esac || fail "cannot fetch $releases/$1" "check the address and your connection"
}

fetch SHA256SUMS
if command -v cosign >/dev/null && [ -z "${OPENCLAW_UNSIGNED:-}" ]; then
    fetch SHA256SUMS.sigstore.json
    cosign verify-blob --bundle "$work/SHA256SUMS.sigstore.json" \
        --certificate-identity-regexp "^$repository/.github/workflows/release.yml@refs/tags/v" \
        --certificate-oidc-issuer https://token.actions.githubusercontent.com "$work/SHA256SUMS" >/dev/null 2>&1 ||
        fail "the signature of SHA256SUMS is not valid" "do not use these files, and report it"
elif [ -z "${OPENCLAW_UNSIGNED:-}" ]; then
    fail "cosign is not installed, so the signature cannot be verified" \
        "install cosign, or set OPENCLAW_UNSIGNED=1 to rely on the checksum alone"
fi

archive=$(sed -n "s/^[0-9a-f]\{64\}  \(openclaw-[0-9].*-$target\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS" | head -n 1)
[ -n "$archive" ] || fail "the release has no archive for $target" "build it from source, as README.md says"
fetch "$archive"
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $archive\$/\1/p" "$work/SHA256SUMS")
if command -v sha256sum >/dev/null; then sum=$(sha256sum "$work/$archive"); else sum=$(shasum -a 256 "$work/$archive"); fi
[ "${sum%% *}" = "$expected" ] || fail "$archive does not match its checksum" "do not use it; fetch it again, and report it if that does not help"

tar -xzf "$work/$archive" -C "$work"
from=$work/${archive%.tar.gz}

# The list of what is installed: files, and the folders that this script made, innermost first.
made=$work/made
: >"$made"
if [ -e "$list" ]; then grep '^folder ' "$list" >"$made" || true; fi
folder() {
    if [ -d "$1" ]; then return; fi
    folder "$(dirname "$1")"
    mkdir "$1"
    { echo "folder $1"; cat "$made"; } >"$made.new" && mv "$made.new" "$made"
}
put() {
    folder "$(dirname "$2")"
    # Beside its place first: a running program is replaced in one step.
    unfinished=$2.new.$$
    cp "$1" "$unfinished"
    chmod "$3" "$unfinished"
    mv -f "$unfinished" "$2"
    unfinished=
    echo "file $2" >>"$work/files"
}
put "$from/openclaw" "$prefix/bin/openclaw" 755
put "$from/share/bash-completion/completions/openclaw" "$prefix/share/bash-completion/completions/openclaw" 644
put "$from/share/zsh/vendor-completions/_openclaw" "$prefix/share/zsh/site-functions/_openclaw" 644
put "$from/share/fish/vendor_completions.d/openclaw.fish" "$prefix/share/fish/vendor_completions.d/openclaw.fish" 644
for page in "$from"/share/man/man1/*.1; do put "$page" "$prefix/share/man/man1/$(basename "$page")" 644; done
folder "$(dirname "$list")"
# What an older version installed and this one does not have.
if [ -e "$list" ]; then
    grep '^file ' "$list" | while read -r kind path; do
        [ "$path" = "$list" ] || [ "$path" -ef "$prefix/bin/openclaw" ] || grep -qxF "$kind $path" "$work/files" || rm -f "$path"
    done
fi
{ cat "$work/files"; echo "file $list"; cat "$made"; } >"$work/list"
put "$work/list" "$list" 644

echo "Installed $("$prefix/bin/openclaw" --version) as $prefix/bin/openclaw."
case :$PATH: in
*:"$prefix/bin":*) echo "Begin with: openclaw demo" ;;
*) echo "Add $prefix/bin to your PATH, then begin with: openclaw demo" ;;
esac
