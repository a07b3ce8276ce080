//! Expands a summary: quotes the messages that it replaced, verbatim, within a token budget.
//!
//! Writes nothing. The choice is pure: the same messages, budget and query give the same result. Cuts are marked.

use std::collections::BTreeMap;

use base::{
    Block, EntryId, Message, Origin, SessionId, Timestamp, TokenCount, counted, estimate_text,
    without_scope,
};
use compaction::middle;
use memory::FileError;
use schemars::JsonSchema;
use serde::Serialize;
use session::{
    CopiedFrom, EntrySelector, Lineage, ReadError, ReplacedBy, ResumeLimit, SessionName,
    SessionStore, View, ViewContent, ViewItem,
};

use crate::knowledge::session_source::is_copy;
use crate::ops::instant;
use crate::runtime::HomeAccess;

/// What to expand, and how much of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpandOptions {
    /// A compaction, by epoch or entry, or a message; `None` for the newest summary in view.
    pub by: Option<EntrySelector>,
    /// Token limit of the result.
    pub budget: TokenCount,
    /// Which messages come first if not all fit.
    pub order: ExpandOrder,
}

/// The messages behind a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Expansion {
    /// The session that holds them: the original if the requested one is a fork.
    pub session: SessionName,
    /// The compaction that replaced them; `None` if a message was requested.
    pub compaction: Option<ReplacedBy>,
    /// Number of messages, shown or not; an earlier summary counts as one.
    pub n_messages: usize,
    /// Number of messages that the order considers; for a query, those that contain one of its words.
    pub n_wanted: usize,
    /// Total size of the messages.
    pub tokens: TokenCount,
    /// Whether earlier messages were left out because of the read limit.
    pub is_cut: bool,
    /// The messages that fit and the gaps between them, in chronological order.
    pub pieces: Vec<Piece>,
}

/// Why nothing could be expanded.
#[derive(Debug, thiserror::Error)]
pub enum ExpandError {
    /// The session cannot be read or does not contain the requested entry.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is unknown what was forgotten.
    #[error(transparent)]
    File(#[from] FileError),
    /// The summary was copied from a session that no longer exists.
    #[error("the messages behind entry {entry} are in session {session}, which no longer exists")]
    OriginalGone {
        /// The session that was copied from.
        session: SessionId,
        /// The entry there.
        entry: EntryId,
    },
}

/// Limit of nested forks; more of them form a cycle.
const COPIES_MAX: usize = 32;

/// Expands a summary, without forgotten entries.
pub fn expand(
    home: &HomeAccess,
    name: &SessionName,
    options: &ExpandOptions,
    limit: ResumeLimit,
) -> Result<Expansion, ExpandError> {
    let sessions = &home.sessions;
    let mut session = name.clone();
    let mut replaced = sessions.replaced(name, options.by.as_ref(), limit)?;
    for _ in 0..COPIES_MAX {
        let compaction = replaced.compaction.as_ref();
        let Some(from) = compaction.and_then(|it| it.copied_from.clone()) else {
            break;
        };
        session = original(sessions, &from)?;
        let spot = EntrySelector::Entry(from.entry.to_string());
        replaced = sessions.replaced(&session, Some(&spot), limit)?;
    }
    let forgotten = home.forgotten_words::<ExpandError>(&session)?;
    let tombstones = forgotten.tombstones();
    // A fork's copy is forgotten along with its original.
    replaced.items.retain(|item| {
        let original = item.copied_from.as_ref();
        !tombstones.hides_entry(&item.entry)
            && !original.is_some_and(|from| is_copy(from, tombstones))
    });
    let view = View {
        items: replaced.items,
        is_cut: replaced.is_cut,
    };
    replaced.items = forgotten.view_without(&view).into_owned().items;
    let (pieces, n_wanted) = choose(&replaced.items, options.budget, &options.order);
    Ok(Expansion {
        session,
        n_messages: replaced.items.len(),
        n_wanted,
        tokens: replaced.items.iter().map(|item| item.tokens).sum(),
        is_cut: replaced.is_cut,
        compaction: replaced.compaction,
        pieces,
    })
}

fn original(sessions: &SessionStore, from: &CopiedFrom) -> Result<SessionName, ExpandError> {
    let found = session_of_id(sessions, &from.session)?;
    let found = found.ok_or_else(|| ExpandError::OriginalGone {
        session: from.session.clone(),
        entry: from.entry.clone(),
    });
    found.map(|(name, _)| name)
}

/// The session with this id, whatever repository either belongs to; `None` if there is none that can be read.
pub(crate) fn session_of_id(
    sessions: &SessionStore,
    id: &SessionId,
) -> Result<Option<(SessionName, Lineage)>, ReadError> {
    let wanted = without_scope(id.as_str());
    let mut known = sessions.names()?.into_iter().filter_map(|name| {
        let lineage = sessions.lineage(&name).ok()?;
        Some((name, lineage))
    });
    Ok(known.find(|(_, lineage)| without_scope(lineage.session.as_str()) == wanted))
}

/// Which messages come first if not all fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpandOrder {
    /// Alternately from the end and the start: how it ended and how it began.
    Ends,
    /// From the start.
    Start,
    /// From the end.
    End,
    /// Only messages that contain one of these words, best match first.
    Query(String),
}

/// A part of the replaced messages.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Piece {
    /// A message, or an earlier summary.
    #[serde(rename = "message")]
    Said {
        /// Its entry id.
        entry: EntryId,
        /// When it was said.
        #[serde(serialize_with = "instant")]
        #[schemars(with = "String")]
        at: Timestamp,
        /// Who said it.
        speaker: String,
        /// Its origin.
        origin: Origin,
        /// Its text; head and tail if it is too long.
        text: String,
        /// Size of the part not shown.
        #[serde(rename = "hiddenTokens")]
        hidden: TokenCount,
    },
    /// Messages that are not shown.
    Gap {
        /// The first message of the gap.
        first: EntryId,
        /// The last message of the gap.
        last: EntryId,
        /// Number of messages.
        #[serde(rename = "messages")]
        n_messages: usize,
        /// Size of the messages.
        tokens: TokenCount,
    },
}

/// Size of the lines around a message.
const FRAME: TokenCount = TokenCount(40);

/// Messages are not cut below this size.
const PIECE_MIN: TokenCount = TokenCount(60);

/// If not all messages fit, each gets at most the budget divided by this.
const SHARE_MAX: u64 = 2;

/// The messages that fit and the gaps between them, in chronological order; and how many the order considers.
fn choose(items: &[ViewItem], budget: TokenCount, order: &ExpandOrder) -> (Vec<Piece>, usize) {
    let texts: Vec<String> = items.iter().map(shown_text).collect();
    let sizes: Vec<TokenCount> = texts.iter().map(|text| estimate_text(text)).collect();
    let ranked = ranked(&texts, order);
    let n_wanted = ranked.len();
    let chosen = fitting(&sizes, budget, ranked);
    let mut pieces: Vec<Piece> = Vec::new();
    for (position, ((item, text), size)) in items.iter().zip(&texts).zip(&sizes).enumerate() {
        match chosen.get(&position) {
            Some(max) => pieces.push(said(item, text, *size, *max)),
            None => add_to_gap(&mut pieces, item, *size),
        }
    }
    (pieces, n_wanted)
}

/// The token limit of each chosen position.
fn fitting(
    sizes: &[TokenCount],
    budget: TokenCount,
    order: Vec<usize>,
) -> BTreeMap<usize, TokenCount> {
    let whole: TokenCount = sizes.iter().map(|size| *size + FRAME).sum();
    let share = if sizes.len() > 1 && whole > budget {
        TokenCount(budget.0 / SHARE_MAX).max(PIECE_MIN + FRAME)
    } else {
        budget
    };
    let mut left = budget;
    let mut chosen = BTreeMap::new();
    for position in order {
        let Some(size) = sizes.get(position) else {
            continue;
        };
        let wanted = (*size + FRAME).min(share);
        if wanted > left {
            if left >= PIECE_MIN + FRAME {
                chosen.insert(position, left.saturating_sub(FRAME));
            }
            break;
        }
        chosen.insert(position, wanted.saturating_sub(FRAME));
        left = left.saturating_sub(wanted);
    }
    chosen
}

/// The positions in order of preference.
fn ranked(texts: &[String], order: &ExpandOrder) -> Vec<usize> {
    let n_texts = texts.len();
    match order {
        ExpandOrder::Start => (0..n_texts).collect(),
        ExpandOrder::End => (0..n_texts).rev().collect(),
        ExpandOrder::Ends => {
            let both = (0..n_texts).zip((0..n_texts).rev());
            let both = both.flat_map(|(first, last)| [last, first]);
            both.take(n_texts).collect()
        }
        ExpandOrder::Query(query) => by_words(texts, query),
    }
}

/// The texts that contain a word of the query, best first; rare words weigh more.
fn by_words(texts: &[String], query: &str) -> Vec<usize> {
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let query = query.to_lowercase();
    let words: Vec<&str> = base::words(&query).collect();
    let weight = |word: &&str| {
        let n_holding = lower.iter().filter(|text| text.contains(*word)).count();
        // Integers keep the order the same on every machine.
        let weight = (1 + lower.len() * 1_000).checked_div(n_holding);
        weight.unwrap_or(0)
    };
    let weights: Vec<(&str, usize)> = words.iter().map(|word| (*word, weight(word))).collect();
    let score = |text: &String| -> usize {
        let held = weights.iter().filter(|(word, _)| text.contains(word));
        held.map(|(_, weight)| weight).sum()
    };
    let mut scored: Vec<(usize, usize)> = lower.iter().map(score).enumerate().collect();
    scored.retain(|(_, score)| *score > 0);
    scored.sort_by_key(|(position, score)| (std::cmp::Reverse(*score), *position));
    scored.into_iter().map(|(position, _)| position).collect()
}

fn said(item: &ViewItem, text: &str, size: TokenCount, max: TokenCount) -> Piece {
    let shown = middle(text, max, |hidden| {
        format!(
            "[... {hidden} tokens of entry {} are not shown here ...]",
            item.entry
        )
    });
    Piece::Said {
        entry: item.entry.clone(),
        at: item.at,
        speaker: speaker(item),
        origin: item.origin,
        hidden: if shown == text {
            TokenCount::ZERO
        } else {
            size.saturating_sub(max)
        },
        text: shown,
    }
}

fn add_to_gap(pieces: &mut Vec<Piece>, item: &ViewItem, size: TokenCount) {
    if let Some(Piece::Gap {
        last,
        n_messages,
        tokens,
        ..
    }) = pieces.last_mut()
    {
        last.clone_from(&item.entry);
        *n_messages += 1;
        *tokens += size;
    } else {
        pieces.push(Piece::Gap {
            first: item.entry.clone(),
            last: item.entry.clone(),
            n_messages: 1,
            tokens: size,
        });
    }
}

fn shown_text(item: &ViewItem) -> String {
    match &item.content {
        ViewContent::Summary(summary) => summary.clone(),
        ViewContent::Message(message) => {
            let parts: Vec<String> = message.content().iter().filter_map(block).collect();
            parts.join("\n")
        }
    }
}

fn block(block: &Block) -> Option<String> {
    match block {
        Block::Text(text) => Some(text.clone()),
        Block::Thinking(_) => None,
        Block::Image(image) => Some(format!("[image {}: {}]", image.mime_type, image.reference)),
        Block::ToolCall(call) => Some(format!("[calls {} with {}]", call.name, call.arguments)),
        Block::Unknown { kind, n_bytes } => Some(format!(
            "[{kind}, {}]",
            counted(*n_bytes as u64, "byte", "bytes")
        )),
    }
}

fn speaker(item: &ViewItem) -> String {
    match &item.content {
        ViewContent::Summary(_) => "summary".to_owned(),
        ViewContent::Message(Message::User {
            name: Some(name), ..
        }) => format!("user {name}"),
        ViewContent::Message(Message::ToolResult(result)) => format!("tool {}", result.tool_name),
        ViewContent::Message(message @ (Message::User { .. } | Message::Assistant(_))) => {
            message.role().to_owned()
        }
    }
}

#[cfg(test)]
#[path = "expand_tests.rs"]
mod tests;
