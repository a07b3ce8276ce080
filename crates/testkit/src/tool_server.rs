//! An MCP tool server as a shell script, including faults.
//!
//! Implements only the part of the protocol that a chat needs.

use std::path::PathBuf;

use crate::TestHome;

/// Answers each request line. The first argument names the fault, the second a file for the process id.
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
    nonsense) echo 'this is not JSON'; say '{"content":"what?"}' ;;
    flood) head -c 20000000 /dev/zero | tr '\0' x; echo ;;
    silent) : ;;
    environment) text "$(env | cut -d= -f1 | sort | tr '\n' ' ') $SOME_KEY" ;;
    *) text 'It rains.' ;;
    esac ;;
  esac
done
"#;

/// Writes the script next to a home, and returns its entry for `mcp.servers`; `more` adds settings to the entry.
pub fn tool_server(home: &TestHome, fault: &str, more: &str) -> String {
    let script = home.input("box.sh", SCRIPT);
    let pid = pid_file(home);
    format!(
        "{{name: box, command: /bin/sh, args: [\"{}\", {fault}, \"{}\"]{more}}}",
        script.display(),
        pid.display()
    )
}

/// The file to which the server writes its process id.
pub fn pid_file(home: &TestHome) -> PathBuf {
    home.folder().join("box.pid")
}
