//! Sessions of OpenClaw before its version 3: lines without ids, and a role that has another name since.
//!
//! Mends a copy in memory, never the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use session::FORMAT_VERSION;

use super::model::NotUnderstood;

/// Whether this text is a session of OpenClaw or of our own.
pub(super) fn is_session(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Sign {
        r#type: String,
    }
    let first = text.lines().find(|line| !line.trim().is_empty());
    let sign = first.and_then(|line| serde_json::from_str::<Sign>(line).ok());
    sign.is_some_and(|sign| sign.r#type == "session")
}

/// The text as version 3 has it: each line has an id and names the one before it.
pub(super) fn mended(text: &str) -> String {
    let mut before: Option<String> = None;
    let mut mended = String::with_capacity(text.len());
    for (line, number) in text.lines().zip(1_u64..) {
        match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(mut entry) if entry.get("type").is_some_and(|kind| kind != "session") => {
                let id = place(&mut entry, number, before.as_deref());
                rename(&mut entry);
                mended.push_str(&Value::Object(entry).to_string());
                before = Some(id);
            }
            Ok(mut header) if header.contains_key("type") => {
                let version = header.get("version").and_then(Value::as_u64);
                if version.is_none_or(|version| version < FORMAT_VERSION) {
                    header.insert("version".to_owned(), json!(FORMAT_VERSION));
                }
                mended.push_str(&Value::Object(header).to_string());
            }
            // Damage is told by whoever reads it.
            Ok(_) | Err(_) => mended.push_str(line),
        }
        mended.push('\n');
    }
    mended
}

/// Gives the entry a place where it has none.
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
    let role = entry
        .get_mut("message")
        .and_then(|message| message.get_mut("role"));
    if let Some(role) = role.filter(|role| *role == "hookMessage") {
        *role = json!("custom");
    }
}

/// What a line is, as far as it matters for what is taken.
#[derive(Deserialize)]
struct Kind {
    r#type: String,
    #[serde(default)]
    message: Option<Role>,
}

#[derive(Deserialize)]
struct Role {
    #[serde(default)]
    role: String,
}

/// Notes what is in the file and not among the messages that are taken: nobody is to miss it unawares.
pub(super) fn note_left_out(text: &str, n_taken: usize, not_understood: &mut NotUnderstood) {
    let mut n_messages = 0;
    for kind in text
        .lines()
        .filter_map(|line| serde_json::from_str::<Kind>(line).ok())
    {
        let role = kind.message.as_ref().map(|message| message.role.as_str());
        match (kind.r#type.as_str(), role) {
            ("message", Some("user" | "assistant" | "toolResult")) => n_messages += 1,
            ("message" | "custom_message", _) => not_understood.add("a message of a program"),
            ("compaction", _) => {
                not_understood.add("a summary; what it stands for is taken in its place");
            }
            ("branch_summary", _) => not_understood.add("a summary of another branch"),
            _ => {}
        }
    }
    for _ in n_taken..n_messages {
        not_understood.add("a message on another branch");
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedIn {
    #[serde(default)]
    session_id: Option<String>,
    #[serde(default)]
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

/// Whether the user of such a session is the owner: in a group, in a job or behind a hook it is not.
pub(super) fn is_owners(key: &str) -> bool {
    key == "main" || key.ends_with(":main")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_ids_get_a_place() {
        let old = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"hookMessage\"}}\n{\"type\":\"message\",\"id\":\"own\"}\n{broken\n{\"type\":\"message\"}\n";
        let expected = "{\"id\":\"s\",\"type\":\"session\",\"version\":3}\n{\"id\":\"00000002\",\"message\":{\"role\":\"custom\"},\"parentId\":null,\"type\":\"message\"}\n{\"id\":\"own\",\"type\":\"message\"}\n{broken\n{\"id\":\"00000005\",\"parentId\":\"own\",\"type\":\"message\"}\n";
        let lines = |text: &str| -> Vec<Result<Value, String>> {
            let read = |line: &str| serde_json::from_str(line).map_err(|_| line.to_owned());
            text.lines().map(read).collect()
        };
        assert_eq!(lines(&mended(old)), lines(expected));
    }

    #[test]
    fn a_listing_tells_whose_a_session_is() {
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
