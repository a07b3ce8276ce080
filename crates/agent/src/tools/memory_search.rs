//! The `memory_search` tool. Returns passages only in fences, so that none is learned again.

use base::TokenCount;
use search::{Nearest, NothingFound, SearchAnswer, SearchOptions, Source};
use serde::Deserialize;

use super::answer::{ToolReply, read};
use crate::knowledge::index::Knowledge;
use crate::knowledge::scope::Viewer;
use crate::knowledge::worth::pack;
use crate::turn::recall;

const ANSWER_MAX: TokenCount = TokenCount(2_000);

const LIMIT_DEFAULT: usize = 8;
const LIMIT_MAX: usize = 20;

#[derive(Deserialize)]
struct SearchArguments {
    question: String,
    limit: Option<usize>,
}

/// `asked` is the session's path and the message that waits for a reply, which answers nothing.
pub(super) fn searched(
    knowledge: &Knowledge,
    arguments: &str,
    (source, asked): (Option<Source>, Option<(&str, &str)>),
    viewer: &Viewer,
) -> ToolReply {
    let SearchArguments { question, limit } = read(arguments)?;
    let options = SearchOptions {
        limit: limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX),
        source,
        nearest: Nearest::InOtherLanguage,
        ..SearchOptions::default()
    };
    let mut answer = found(knowledge, &question, &options, viewer)?;
    if let Some(asked) = asked {
        recall::drop_question(&mut answer.results, asked);
    }
    let shown = pack(answer.results, ANSWER_MAX);
    let mut parts = recall::rendered(&shown, answer.span);
    let reason = answer.nothing.map(NothingFound::as_str);
    if parts.is_empty() {
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

/// Searches on behalf of a viewer.
pub(super) fn found(
    knowledge: &Knowledge,
    question: &str,
    options: &SearchOptions,
    viewer: &Viewer,
) -> Result<SearchAnswer, String> {
    let answer = knowledge.search_as(viewer, question, options, &mut |_| {});
    answer.map_err(|error| format!("Memory cannot be searched now: {error}."))
}
