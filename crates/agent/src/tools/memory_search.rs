//! The `memory_search` tool. Returns passages only in fences, so that none is learned again.

use base::TokenCount;
use search::NothingFound;
use serde::Deserialize;

use super::answer::ToolReply;
use crate::knowledge::worth::pack;
use crate::ops::{OpContext, Operation, PastReply, Search, SearchReply};
use crate::turn::recall;

const ANSWER_MAX: TokenCount = TokenCount(2_000);

const LIMIT_DEFAULT: usize = 8;
const LIMIT_MAX: usize = 20;

/// What a model asks; a part of [`Search`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemoryQuestion {
    /// Also accepted as `question`, which earlier versions offered.
    #[serde(alias = "question")]
    query: String,
    limit: Option<usize>,
    as_of: Option<String>,
}

impl From<MemoryQuestion> for Search {
    fn from(asked: MemoryQuestion) -> Self {
        Self {
            query: asked.query,
            limit: asked.limit,
            as_of: asked.as_of,
            ..Self::default()
        }
    }
}

/// `asked` is the session's path and the message that waits for a reply, which answers nothing.
pub(super) fn search_memory(
    search: Search,
    asked: Option<(&str, &str)>,
    at: &OpContext<'_>,
) -> ToolReply {
    let limit = search.limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX);
    let search = Search {
        limit: Some(limit),
        ..search
    };
    let SearchReply {
        mut answer, as_of, ..
    } = search.run(at).map_err(unsearchable)?;
    if let Some(asked) = asked {
        recall::drop_question(&mut answer.results, asked);
    }
    let shown = pack(answer.results, ANSWER_MAX);
    let mut parts = recall::rendered(&shown, answer.span);
    parts.splice(0..0, as_of.iter().map(PastReply::in_words));
    let reason = answer.nothing.map(NothingFound::as_str);
    if shown.is_empty() {
        let reason = reason.unwrap_or("nothing matches");
        parts.push(format!("Nothing was found: {reason}."));
    } else if let Some(reason) = reason {
        parts.push(format!("No certain match: {reason}."));
    }
    if answer.degraded.is_some() {
        parts.push("Newer text may be missing: much has changed since indexing.".to_owned());
    }
    Ok(parts.join("\n"))
}

/// Why memory cannot be searched, as a sentence.
pub(super) fn unsearchable(error: impl std::fmt::Display) -> String {
    format!("Memory cannot be searched now: {error}.")
}
