//! What stands behind a summary, message by message.
//!
//! Renders what it is given; opens no transcript.

use agent::{Expansion, Piece};
use base::{EntryId, Timestamp, TokenCount, Tz};
use serde::Serialize;

use super::human::{heading, printable};
use super::session_list::{counted, minute};
use super::wire;
use super::wrap::{wrap, wrap_indented};
use crate::environment::Stream;

/// What stands behind a summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpandReport {
    /// The session in which it was said.
    pub(crate) session: String,
    /// The compaction that replaced it; null where a message was asked for.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) entry: Option<EntryId>,
    /// The epoch that it ended.
    pub(crate) epoch: Option<u64>,
    /// When.
    #[serde(serialize_with = "wire::some_timestamp")]
    pub(crate) at: Option<Timestamp>,
    /// Messages that stand there, shown or not.
    pub(crate) messages: usize,
    /// How many of them hold a word of the query; all where there is none.
    #[serde(skip)]
    pub(crate) wanted: usize,
    /// Tokens of all of them.
    #[serde(serialize_with = "wire::tokens")]
    pub(crate) tokens: TokenCount,
    /// Whether more stood before them than is read at once.
    pub(crate) is_cut: bool,
    /// What is shown, oldest first.
    pub(crate) items: Vec<ExpandedItem>,
}

/// A message, or a gap between messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum ExpandedItem {
    /// A message.
    Message {
        /// Its entry.
        #[serde(serialize_with = "wire::text")]
        entry: EntryId,
        /// When.
        #[serde(serialize_with = "wire::timestamp")]
        at: Timestamp,
        /// Who.
        speaker: String,
        /// Who is answerable for it.
        origin: String,
        /// What it says.
        text: String,
        /// Tokens of it that are not shown.
        #[serde(serialize_with = "wire::tokens")]
        hidden_tokens: TokenCount,
    },
    /// Messages that are not shown.
    Gap {
        /// How many.
        messages: usize,
        /// How large.
        #[serde(serialize_with = "wire::tokens")]
        tokens: TokenCount,
        /// The first.
        #[serde(serialize_with = "wire::text")]
        first: EntryId,
        /// The last.
        #[serde(serialize_with = "wire::text")]
        last: EntryId,
    },
}

impl ExpandReport {
    /// What was brought back.
    pub(crate) fn new(expansion: Expansion) -> Self {
        let compaction = expansion.compaction;
        Self {
            session: expansion.session.to_string(),
            epoch: compaction.as_ref().map(|by| by.epoch.0),
            at: compaction.as_ref().map(|by| by.at),
            entry: compaction.map(|by| by.entry),
            messages: expansion.n_messages,
            wanted: expansion.n_wanted,
            tokens: expansion.tokens,
            is_cut: expansion.is_cut,
            items: expansion.pieces.into_iter().map(item).collect(),
        }
    }
}

fn item(piece: Piece) -> ExpandedItem {
    match piece {
        Piece::Said {
            entry,
            at,
            speaker,
            origin,
            text,
            hidden,
        } => ExpandedItem::Message {
            entry,
            at,
            speaker,
            origin: origin.to_string(),
            text,
            hidden_tokens: hidden,
        },
        Piece::Gap {
            first,
            last,
            n_messages,
            tokens,
        } => ExpandedItem::Gap {
            messages: n_messages,
            tokens,
            first,
            last,
        },
    }
}

/// What was brought back, for people.
pub(crate) fn render(report: &ExpandReport, timezone: Tz, stdout: Stream) -> String {
    let columns = stdout.text_columns();
    let mut text = wrap(&title(report, timezone), columns, "  ");
    for item in &report.items {
        text.push('\n');
        match item {
            ExpandedItem::Message {
                entry,
                at,
                speaker,
                text: said,
                ..
            } => {
                let speaker = heading(&printable(speaker));
                let at = minute(*at, timezone);
                let title = format!("{speaker}  {at}  {}\n", printable(entry.as_str()));
                text.push_str(&wrap(&title, columns, "  "));
                let said: Vec<String> = said.lines().map(printable).collect();
                text.push_str(&wrap_indented(&said.join("\n"), columns, "  "));
            }
            ExpandedItem::Gap {
                messages,
                tokens,
                first,
                last,
            } => {
                let messages = counted(*messages as u64, "message", "messages");
                let (first, last) = (printable(first.as_str()), printable(last.as_str()));
                let gap = format!("... {messages}, {tokens} tokens: {first} to {last}\n");
                text.push_str(&wrap(&gap, columns, "    "));
            }
        }
    }
    text
}

fn title(report: &ExpandReport, timezone: Tz) -> String {
    let messages = counted(report.messages as u64, "message", "messages");
    let is_shown = |item: &&ExpandedItem| matches!(item, ExpandedItem::Message { .. });
    let n_shown = report.items.iter().filter(is_shown).count();
    let shown = if report.wanted == 0 && report.messages > 0 {
        ", and none holds a word of `--query`".to_owned()
    } else if n_shown == 0 && report.messages > 0 {
        ", and none fits into `--budget`".to_owned()
    } else if n_shown < report.messages {
        format!(", {n_shown} of them shown (`--budget`, `--query` and `--from` choose others)")
    } else {
        String::new()
    };
    let cut = if report.is_cut {
        "; more stood before them"
    } else {
        ""
    };
    let name = heading(&report.session);
    let tokens = report.tokens;
    match (report.epoch, report.at) {
        (Some(epoch), Some(at)) => {
            let at = minute(at, timezone);
            format!(
                "{name}  {messages}, {tokens} tokens, left the window at {at}, at the end of epoch {epoch}{shown}{cut}\n"
            )
        }
        _ => format!("{name}  {messages}, {tokens} tokens{shown}\n"),
    }
}
