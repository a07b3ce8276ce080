//! Reads Claude's `memories.json`: its memory of the user, and of each project.
//!
//! Claude writes it, so the words are the assistant's.

use std::collections::BTreeMap;

use base::Origin;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::markdown::items;
use super::model::{Holds, Memory};

#[derive(Deserialize)]
struct AccountIn {
    conversations_memory: Option<String>,
    #[serde(default)]
    project_memories: BTreeMap<String, String>,
    /// Rejects a list, which serde would otherwise read as this struct.
    #[serde(flatten)]
    _others: IgnoredAny,
}

/// Parses an export; `None` if the text is something else.
pub(super) fn read(text: &str) -> Option<Vec<Memory>> {
    let accounts: Vec<AccountIn> = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(text).map(|one| vec![one]))
        .ok()?;
    let is_known =
        |it: &AccountIn| it.conversations_memory.is_some() || !it.project_memories.is_empty();
    accounts.iter().any(is_known).then(|| {
        let texts = accounts.into_iter().flat_map(|account| {
            let projects = account.project_memories.into_values();
            account.conversations_memory.into_iter().chain(projects)
        });
        let items = texts.flat_map(|text| items(&text));
        let memories = items.zip(1..).map(|(item, line)| Memory {
            line,
            ..item.memory(Origin::Agent, &Holds::Everywhere)
        });
        memories.collect()
    })
}
