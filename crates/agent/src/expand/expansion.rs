//! Reads what stands behind a summary, in its session or in the one that it was copied from.
//!
//! Never changes a word of it; what is too long is cut where that is said.

use base::{EntryId, SessionId, TokenCount};
use memory::Tombstones;
use session::{
    CopiedFrom, ReadError, Replaced, ReplacedBy, ResumeLimit, SessionName, SessionStore, Spot,
};

use super::choose::{ExpandOrder, Piece, choose, n_wanted};
use crate::session_source::is_copy;

/// What is to be brought back, and how much of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpandOptions {
    /// The compaction, by its epoch or entry, or a message; without it the newest summary in view.
    pub by: Option<Spot>,
    /// The most tokens that are given.
    pub budget: TokenCount,
    /// Which messages come first where not all of them fit.
    pub order: ExpandOrder,
}

/// What stands behind a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Expansion {
    /// The session in which it was said: the original where the one asked for is a fork.
    pub session: SessionName,
    /// The compaction that replaced it; `None` where a message was asked for.
    pub compaction: Option<ReplacedBy>,
    /// How many messages there are, shown or not; an earlier summary counts as one.
    pub n_messages: usize,
    /// How many of them are wanted in the order that was asked for: for a query, those that hold a word of it.
    pub n_wanted: usize,
    /// How large they are.
    pub tokens: TokenCount,
    /// Whether more stood before them than is read at once.
    pub is_cut: bool,
    /// The messages that fit, in the order in which they were said, and the gaps between them.
    pub pieces: Vec<Piece>,
}

/// Nothing was brought back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// The session cannot be read, or does not hold what was asked for.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The summary was copied, and the session that holds what it stands for is gone.
    #[error(
        "what entry {entry} stands for was said in session {session}, which is not there any more"
    )]
    OriginalGone {
        /// The session that was copied from.
        session: SessionId,
        /// The entry there.
        entry: EntryId,
    },
}

/// A fork of a fork of a fork, and so on; more of them are a circle.
const COPIES_MAX: usize = 32;

/// Brings it back, without what was forgotten.
pub fn expand(
    (sessions, tombstones): (&SessionStore, &Tombstones),
    name: &SessionName,
    options: &ExpandOptions,
    limit: ResumeLimit,
) -> Result<Expansion, ExpandError> {
    let mut session = name.clone();
    let mut replaced = sessions.replaced(name, options.by.as_ref(), limit)?;
    for _ in 0..COPIES_MAX {
        let Some(from) = copied_from(&replaced) else {
            break;
        };
        session = original(sessions, &from)?;
        let spot = Spot::Entry(from.entry.to_string());
        replaced = sessions.replaced(&session, Some(&spot), limit)?;
    }
    // A copy in a fork goes with what it is a copy of.
    let copies = &replaced.copies;
    replaced.items.retain(|item| {
        let original = copies.get(&item.entry);
        !tombstones.hides_entry(&item.entry)
            && !original.is_some_and(|from| is_copy(from, tombstones))
    });
    let pieces = choose(&replaced.items, options.budget, &options.order);
    Ok(Expansion {
        session,
        n_messages: replaced.items.len(),
        n_wanted: n_wanted(&replaced.items, &options.order),
        tokens: replaced.items.iter().map(|item| item.tokens).sum(),
        is_cut: replaced.is_cut,
        compaction: replaced.compaction,
        pieces,
    })
}

fn copied_from(replaced: &Replaced) -> Option<CopiedFrom> {
    let compaction = replaced.compaction.as_ref()?;
    compaction.copied_from.clone()
}

fn original(sessions: &SessionStore, from: &CopiedFrom) -> Result<SessionName, ExpandError> {
    let is_it = |name: &SessionName| {
        let lineage = sessions.lineage(name);
        lineage.is_ok_and(|lineage| lineage.session == from.session)
    };
    let found = sessions.names()?.into_iter().find(is_it);
    found.ok_or_else(|| ExpandError::OriginalGone {
        session: from.session.clone(),
        entry: from.entry.clone(),
    })
}
