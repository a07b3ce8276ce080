//! Converts older OpenClaw sessions. Before version 3, lines had no ids and a role had another name.
//!
//! Changes a copy in memory, never the file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::{Origin, scope_of};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use session::FORMAT_VERSION;

use super::model::{ConversationSource, NotUnderstood};

/// Whether this text is a session of OpenClaw or of this program.
pub(super) fn is_session(text: &str) -> bool {
    #[derive(Deserialize)]
    struct OpenclawSign {
        r#type: String,
    }
    let first = text.lines().find(|line| !line.trim().is_empty());
    let sign = first.and_then(|line| serde_json::from_str::<OpenclawSign>(line).ok());
    sign.is_some_and(|sign| sign.r#type == "session")
}

/// OpenClaw's newest session version. Its lines are those of version 3.
const OPENCLAW_VERSION: u64 = 4;

/// Converts a session to version 3. Each line gets an id and a parent. Each user message gets an origin, as far as
/// the line or the key of the session shows it.
pub(super) fn mended(text: &str, key: Option<&str>) -> String {
    let mut before: Option<String> = None;
    let mut mended = String::with_capacity(text.len());
    for (line, number) in text.lines().zip(1_u64..) {
        match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(mut entry) if entry.get("type").is_some_and(|kind| kind != "session") => {
                let id = place(&mut entry, number, before.as_deref());
                rename(&mut entry);
                say_whose(&mut entry, key);
                mended.push_str(&Value::Object(entry).to_string());
                before = Some(id);
            }
            Ok(mut header) if header.contains_key("type") => {
                let version = header.get("version").and_then(Value::as_u64);
                let is_theirs = is_theirs(&header);
                let is_known = |version| {
                    version < FORMAT_VERSION || (is_theirs && version <= OPENCLAW_VERSION)
                };
                if version.is_none_or(is_known) {
                    header.insert("version".to_owned(), json!(FORMAT_VERSION));
                }
                mended.push_str(&Value::Object(header).to_string());
            }
            // The code that reads the converted session reports the damage.
            Ok(_) | Err(_) => mended.push_str(line),
        }
        mended.push('\n');
    }
    mended
}

/// Whether OpenClaw wrote a header. Headers of this program name no directory.
fn is_theirs(header: &Map<String, Value>) -> bool {
    header.get("cwd").is_some_and(|directory| directory != ".")
}

/// Whether OpenClaw wrote this text.
pub(super) fn is_foreign(text: &str) -> bool {
    let lines = text.lines();
    let mut headers = lines.filter_map(|line| serde_json::from_str(line).ok());
    headers.next().is_some_and(|header| is_theirs(&header))
}

/// The source of a session. If OpenClaw wrote it, the source is a directory, except for the owner's direct
/// conversation with the assistant; otherwise the source is its scope.
pub(super) fn source(text: &str, (id, key): (&str, Option<&str>)) -> ConversationSource {
    let mut headers = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let header: Map<String, Value> = headers.next().unwrap_or_default();
    let field = |name: &str| header.get(name).and_then(Value::as_str);
    let own = field("id").map(str::to_owned);
    if !is_theirs(&header) {
        let scope = own.filter(|own| scope_of(own).is_some());
        return ConversationSource {
            scope: scope.or_else(|| Some(id.to_owned())),
            ..ConversationSource::default()
        };
    }
    let directory = field("cwd").filter(|_| !key.is_some_and(is_owners));
    ConversationSource {
        id: own,
        directory: directory.map(PathBuf::from),
        ..ConversationSource::default()
    }
}

/// Gives an entry without an id an id and a parent; returns its id.
fn place(entry: &mut Map<String, Value>, number: u64, before: Option<&str>) -> String {
    if let Some(Value::String(id)) = entry.get("id") {
        return id.clone();
    }
    let id = format!("{number:08x}");
    entry.insert("id".to_owned(), json!(id));
    entry.insert("parentId".to_owned(), json!(before));
    id
}

fn rename(entry: &mut Map<String, Value>) {
    let message = entry.get_mut("message");
    let role = message.and_then(|message| message.get_mut("role"));
    if let Some(role) = role.filter(|role| *role == "hookMessage") {
        *role = json!("custom");
    }
}

/// The fields in which OpenClaw records the sender of a message.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sender {
    sender_is_owner: Option<bool>,
}

/// Sets the origin of a user message from its line or, if the line has none, from the key of the session.
fn say_whose(entry: &mut Map<String, Value>, key: Option<&str>) {
    let Some(message) = entry.get("message") else {
        return;
    };
    if message.get("role").is_none_or(|role| role != "user") || entry.contains_key("origin") {
        return;
    }
    let sender = message.get("__openclaw");
    let sender = sender.and_then(|sender| Sender::deserialize(sender).ok());
    let is_owner = sender.and_then(|sender| sender.sender_is_owner);
    let origin = match is_owner.or_else(|| key.map(is_owners)) {
        Some(true) => Origin::Owner,
        Some(false) => Origin::Untrusted,
        None => return,
    };
    entry.insert("origin".to_owned(), json!(origin.to_string()));
}

/// The fields of a line that decide whether to import it.
#[derive(Deserialize)]
struct OpenclawKind {
    r#type: String,
    message: Option<OpenclawRole>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenclawRole {
    #[serde(default)]
    role: String,
    #[serde(default)]
    exclude_from_context: bool,
}

impl OpenclawRole {
    /// Whether the entry is part of the conversation. A command of the user is part of it if the model saw the
    /// command.
    fn is_said(&self) -> bool {
        match self.role.as_str() {
            "user" | "assistant" | "toolResult" => true,
            "bashExecution" => !self.exclude_from_context,
            _ => false,
        }
    }
}

/// Records entries that are not messages of the conversation, so that the import reports them.
pub(super) fn note_left_out(text: &str, not_understood: &mut NotUnderstood) {
    let lines = text.lines();
    for kind in lines.filter_map(|line| serde_json::from_str::<OpenclawKind>(line).ok()) {
        let is_said = kind.message.as_ref().is_some_and(OpenclawRole::is_said);
        match kind.r#type.as_str() {
            "message" if is_said => {}
            "message" | "custom_message" => not_understood.add("a message from a program"),
            "compaction" => {
                not_understood.add("a summary; the messages behind it are imported instead");
            }
            "branch_summary" => not_understood.add("a summary of another branch"),
            _ => {}
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedIn {
    session_id: Option<String>,
    session_file: Option<String>,
}

/// The key under which `sessions.json` lists the session of a file.
pub(super) fn key_of(listing: &str, stem: &str) -> Option<String> {
    let listed: BTreeMap<String, ListedIn> = serde_json::from_str(listing).ok()?;
    let is_meant = |listed: &ListedIn| {
        let file = listed.session_file.as_deref().unwrap_or_default();
        listed.session_id.as_deref() == Some(stem) || file.ends_with(&format!("{stem}.jsonl"))
    };
    let mut found = listed.into_iter().filter(|(_, listed)| is_meant(listed));
    found.next().map(|(key, _)| key)
}

/// Whether the user of a session is the owner. In groups, jobs and hooks it is somebody else.
pub(super) fn is_owners(key: &str) -> bool {
    key == "main" || key.ends_with(":main")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_ids_get_ids_from_line_numbers() {
        let old = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"hookMessage\"}}\n{\"type\":\"message\",\"id\":\"own\"}\n{broken\n{\"type\":\"message\"}\n";
        let expected = "{\"id\":\"s\",\"type\":\"session\",\"version\":3}\n{\"id\":\"00000002\",\"message\":{\"role\":\"custom\"},\"parentId\":null,\"type\":\"message\"}\n{\"id\":\"own\",\"type\":\"message\"}\n{broken\n{\"id\":\"00000005\",\"parentId\":\"own\",\"type\":\"message\"}\n";
        let lines = |text: &str| -> Vec<Result<Value, String>> {
            let read = |line: &str| serde_json::from_str(line).map_err(|_| line.to_owned());
            text.lines().map(read).collect()
        };
        assert_eq!(lines(&mended(old, None)), lines(expected));
    }

    #[test]
    fn message_origin_comes_from_line_then_session_key() {
        let user = |more: &str| {
            format!(r#"{{"type":"message","id":"a","message":{{"role":"user"{more}}}}}"#)
        };
        let flag = |is_owner| format!(r#","__openclaw":{{"senderIsOwner":{is_owner}}}"#);
        let check = |line: &str, key, expected: Option<&str>| {
            let read: Value = serde_json::from_str(&mended(line, key)).unwrap();
            let origin = read.get("origin").and_then(Value::as_str);
            assert_eq!(origin, expected, "{line}");
        };
        let group = Some("agent:main:telegram:group:7");
        let main = Some("agent:main:main");
        check(&user(&flag(true)), group, Some("owner"));
        check(&user(&flag(false)), main, Some("untrusted"));
        check(&user(""), group, Some("untrusted"));
        check(&user(""), main, Some("owner"));
        check(&user(""), None, None);
        check(&user(r#","__openclaw":7"#), group, Some("untrusted"));
        let said = r#"{"type":"message","id":"a","origin":"untrusted","message":{"role":"user"}}"#;
        check(said, main, Some("untrusted"));
        let reply = r#"{"type":"message","id":"a","message":{"role":"assistant"}}"#;
        check(reply, main, None);
    }

    #[test]
    fn session_version_of_openclaw_is_mapped_and_own_newer_one_kept() {
        let version = |(cwd, version)| {
            let header = json!({"type": "session", "version": version, "id": "s", "cwd": cwd});
            let read: Value = serde_json::from_str(&mended(&header.to_string(), None)).unwrap();
            read["version"].as_u64().unwrap()
        };
        let found = [("/home/a", 4), ("/home/a", 5), (".", 4)].map(version);
        assert_eq!(found, [3, 5, 4]);
    }

    #[test]
    fn session_listing_gives_key_of_session_and_its_owner() {
        let listing = r#"{"agent:main:main":{"sessionId":"a1"},"agent:main:telegram:group:7":{"sessionFile":"/x/b2.jsonl"}}"#;
        let key = |stem| key_of(listing, stem);
        assert_eq!(key("a1").as_deref(), Some("agent:main:main"));
        assert_eq!(key("b2").as_deref(), Some("agent:main:telegram:group:7"));
        assert_eq!(key("c3"), None);
        assert!(is_owners("agent:main:main"));
        assert!(!is_owners("agent:main:telegram:group:7"));
        assert!(!is_owners("cron:daily"));
    }
}
