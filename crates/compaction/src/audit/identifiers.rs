//! Ranks the identifiers of a span by use: how often, by whom, and how recently.
//!
//! Decides which identifiers a summary must keep, not where it puts them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use base::identifier::{IdentifierKind, identifiers};
use base::{EntryId, Origin};
use session::ArtifactIdentifier;

use super::measure::measures;

/// Maximum numbers of identifiers in the index of a span, and of those that may be added to its summary.
const INDEX_MAX: usize = 400;
const ADDED_MAX: usize = 200;

/// Longer strings are data, not names.
const CHARS_MAX: usize = 160;

/// Maximum number of entries kept per identifier: the first one and the last ones.
const ENTRIES_MAX: usize = 4;

/// Maximum number of identifiers counted per tool output. More are a listing and not part of the conversation.
const OUTPUT_MAX: usize = 64;

/// A text of the span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessageText<'a> {
    /// The whole text; its identifiers go into the index.
    pub(super) text: &'a str,
    /// The words that its speaker typed or answered, without pasted text; their identifiers are audited as well.
    pub(super) own: &'a str,
    pub(super) by: Origin,
    /// Its index among the `of` messages of the span.
    pub(super) at: usize,
    pub(super) of: usize,
}

/// How much a summary needs an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The summary should contain it.
    Audited,
    /// The summary may contain it, if there is room: the assistant mentioned it, but only once, or after a page, a tool
    /// result or pasted text.
    Said,
    /// The summary does not need it: it occurs only in pasted text, pages or tool results, or it is one of many names
    /// in code.
    Shown,
}

/// Maximum number of bytes of pages, tool results and pasted text that are kept for comparison.
const FOREIGN_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The mentions counted so far.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    by_text: BTreeMap<String, Tally>,
    /// The letters and digits of all pages, tool results and messages with pasted text.
    foreign: String,
}

#[derive(Debug)]
struct Tally {
    kind: IdentifierKind,
    weight: u64,
    n_messages: usize,
    is_owners: bool,
    n_spoken: usize,
    /// Whether a page, a tool result or pasted text contains it.
    is_foreign: bool,
    is_carried: bool,
    first_seen: usize,
    entries: Vec<EntryId>,
}

impl Tallies {
    pub(super) fn count(&mut self, message: MessageText<'_>, entry: &EntryId) {
        let own = wanted(message.own);
        let is_shown = match message.by {
            Origin::Untrusted => true,
            Origin::Owner => message.own.trim() != message.text.trim(),
            Origin::Agent | Origin::System => false,
        };
        if is_shown && self.foreign.len() < FOREIGN_BYTES_MAX {
            self.foreign.push_str(&folded(message.text));
        }
        let limit = match message.by {
            Origin::Untrusted => OUTPUT_MAX,
            Origin::Owner | Origin::Agent | Origin::System => usize::MAX,
        };
        for (text, kind) in wanted(message.text).into_iter().take(limit) {
            let speaker = own.contains_key(text).then_some(message.by);
            let recency = 100 + 100 * message.at / message.of.max(1);
            self.tally(text, kind).count(speaker, recency, entry);
        }
    }

    fn tally(&mut self, text: &str, kind: IdentifierKind) -> &mut Tally {
        let first_seen = self.by_text.len();
        let tally = self.by_text.entry(text.to_owned());
        tally.or_insert_with(|| Tally::new(kind, first_seen))
    }

    /// Counts the identifiers that the audit added to an earlier summary; those at the front weigh more.
    pub(super) fn carry(&mut self, listed: &[String], entry: &EntryId) {
        let n_listed = listed.len();
        for (rank, text) in listed.iter().enumerate() {
            if text.chars().count() > CHARS_MAX {
                continue;
            }
            let found = identifiers(text);
            let kind = found.first().map_or(IdentifierKind::Name, |it| it.kind);
            let tally = self.tally(text, kind);
            let share = 100 - 80 * rank / n_listed.max(1);
            tally.weight += CARRIED_WEIGHT * u64::try_from(share).unwrap_or(0) / 100;
            tally.is_carried = true;
            tally.note(entry);
        }
    }

    /// The identifiers in an earlier summary, without those that the audit added. A new summary may leave them out.
    pub(super) fn in_earlier(summary: &str) -> Vec<String> {
        wanted(summary).into_keys().map(str::to_owned).collect()
    }

    /// The identifiers: audited ones first, then by descending weight.
    pub(super) fn ranked(self) -> Vec<(ArtifactIdentifier, Standing)> {
        let Self { by_text, foreign } = self;
        let mut tallies: Vec<(String, Tally)> = by_text.into_iter().collect();
        for (text, tally) in &mut tallies {
            // A listing is counted only in part, and a page may spell it in another way.
            tally.is_foreign |= tally.n_spoken > 1 && foreign.contains(&folded(text));
        }
        tallies.sort_by_key(|(_, tally)| {
            (
                Reverse(tally.is_audited()),
                Reverse(tally.worth()),
                tally.first_seen,
            )
        });
        tallies.truncate(INDEX_MAX);
        let found = tallies
            .into_iter()
            .enumerate()
            .map(|(rank, (text, tally))| {
                let standing = if rank < ADDED_MAX && tally.is_audited() {
                    Standing::Audited
                } else if tally.n_spoken > 0 && tally.kind != IdentifierKind::Name {
                    Standing::Said
                } else {
                    Standing::Shown
                };
                let entries = tally.entries;
                (ArtifactIdentifier { text, entries }, standing)
            });
        found.collect()
    }
}

/// The letters and digits of a text, in lower case: the same for an address in HTML, in JSON and in running text.
fn folded(text: &str) -> String {
    let text = text.replace("&amp;", "").replace("\\u0026", "");
    let characters = text.chars().filter(|it| it.is_alphanumeric());
    characters.flat_map(char::to_lowercase).collect()
}

/// The identifiers and measures of a text.
fn wanted(text: &str) -> BTreeMap<&str, IdentifierKind> {
    let mut seen = BTreeMap::new();
    for found in identifiers(text) {
        if is_wanted(found.kind, found.text) {
            seen.entry(found.text).or_insert(found.kind);
        }
    }
    for measure in measures(text) {
        seen.entry(measure).or_insert(IdentifierKind::Number);
    }
    seen
}

/// Weight of one mention, by speaker. A mention in the newest message weighs about double.
const OWNER_WEIGHT: u64 = 600;
const AGENT_WEIGHT: u64 = 200;
const OTHER_WEIGHT: u64 = 100;
const CARRIED_WEIGHT: u64 = 600;

impl Tally {
    fn new(kind: IdentifierKind, first_seen: usize) -> Self {
        Self {
            kind,
            weight: 0,
            n_messages: 0,
            is_owners: false,
            n_spoken: 0,
            is_foreign: false,
            is_carried: false,
            first_seen,
            entries: Vec::new(),
        }
    }

    /// Counts a mention; `speaker` is `None` in pasted text.
    fn count(&mut self, speaker: Option<Origin>, recency_percent: usize, entry: &EntryId) {
        let weight = match speaker {
            Some(Origin::Owner) => OWNER_WEIGHT,
            Some(Origin::Agent) => AGENT_WEIGHT,
            Some(Origin::Untrusted | Origin::System) | None => OTHER_WEIGHT,
        };
        self.weight += weight * u64::try_from(recency_percent).unwrap_or(100) / 100;
        self.n_messages += 1;
        if matches!(speaker, Some(Origin::Owner | Origin::Agent)) {
            self.n_spoken += 1;
        }
        self.is_foreign |= matches!(speaker, Some(Origin::Untrusted) | None);
        self.is_owners |= speaker == Some(Origin::Owner);
        self.note(entry);
    }

    fn note(&mut self, entry: &EntryId) {
        if self.entries.last() == Some(entry) {
            return;
        }
        if self.entries.len() == ENTRIES_MAX {
            self.entries.remove(1);
        }
        self.entries.push(entry.clone());
    }

    fn is_audited(&self) -> bool {
        let is_repeated = self.n_messages > 1;
        if self.kind == IdentifierKind::Name {
            // A name that only the assistant repeats is not audited: code contains many names, and it can be read
            // again.
            return self.is_owners && is_repeated || self.is_carried;
        }
        // Mentions by the assistant alone may be warnings of what a page says.
        self.is_owners || self.n_spoken > 1 && !self.is_foreign || self.is_carried
    }

    fn worth(&self) -> u64 {
        if self.kind == IdentifierKind::Name {
            self.weight / 4
        } else if self.kind == IdentifierKind::Number {
            self.weight / 2
        } else {
            self.weight
        }
    }
}

/// Rejects overlong and redacted texts, and bare numbers, which mean nothing outside their sentence.
fn is_wanted(kind: IdentifierKind, text: &str) -> bool {
    let has_unit = || text.chars().any(char::is_alphabetic);
    text.chars().count() <= CHARS_MAX
        && !text.contains("[REDACTED")
        && (kind != IdentifierKind::Number || has_unit())
}

/// The items of a list, in order and without duplicates.
pub(super) fn listed(list: &str, separator: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let items = list.split(separator).map(str::trim);
    let items = items.filter(|item| !item.is_empty() && seen.insert((*item).to_owned()));
    items.map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "identifiers_tests.rs"]
mod tests;
