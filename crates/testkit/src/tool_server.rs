//! A tool server in a few lines of shell, faults included.
//!
//! Speaks no more of the protocol than a chat asks for.

use std::path::PathBuf;

use crate::TestHome;

/// Answers each line that it reads; the first argument says how it fails.
const SCRIPT: &str = r#"
say() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
text() { say "{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"; }
[ -z "$2" ] || echo $$ > "$2"
while IFS= read -r line; do
  id=${line#*\"id\":}
  id=${id%%[,\}]*}
  case $line in
  *'"method":"initialize"'*)
    case $1 in
    rude) echo 'no such database' >&2; exit 3 ;;
    mute) continue ;;
    esac
    say '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"box","version":"1"}}' ;;
  *'"method":"tools/list"'*)
    say '{"tools":[{"name":"weather","description":"Tells the weather.","inputSchema":{"type":"object","properties":{"city":{"type":"string"}}}},{"name":"erase","inputSchema":{"type":"object"}}]}' ;;
  *'"method":"tools/call"'*)
    case $1 in
    die) echo 'out of memory' >&2; exit 1 ;;
    nonsense) echo 'this is no JSON'; say '{"content":"what?"}' ;;
    flood) head -c 20000000 /dev/zero | tr '\0' x; echo ;;
    silent) : ;;
    environment) text "$(env | cut -d= -f1 | sort | tr '\n' ' ') $SOME_KEY" ;;
    *) text 'It rains.' ;;
    esac ;;
  esac
done
"#;

/// Writes the server beside a home, and gives what `mcp.servers` says of it; `more` are further settings.
///
/// # Panics
///
/// Where it cannot be written.
pub fn tool_server(home: &TestHome, fault: &str, more: &str) -> String {
    let script = home.input("box.sh", SCRIPT);
    let pid = pid_file(home);
    format!(
        "{{name: box, command: /bin/sh, args: [\"{}\", {fault}, \"{}\"]{more}}}",
        script.display(),
        pid.display()
    )
}

/// Where the server leaves the number of its process.
pub fn pid_file(home: &TestHome) -> PathBuf {
    home.folder().join("box.pid")
}
