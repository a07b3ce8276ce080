//! Finds the text that a redaction leaves in memory because messages outside of it support it.
//!
//! Never reads a file.

use std::collections::{BTreeSet, HashMap};

use base::{EntryId, Locator};
use search::CommonWords;

use super::model::{ForgetPlan, Keeper, Reason};
use super::named::holds_all_of;
use crate::tombstone::TextHash;

/// The messages outside of a redaction, and the words that it removes.
#[derive(Debug, Clone, Copy)]
pub struct OtherMessages<'a> {
    /// Their texts.
    pub said: &'a HashMap<EntryId, String>,
    /// The redacted words.
    pub words: &'a [String],
    /// Words to ignore when comparing texts.
    pub common: CommonWords,
}

impl ForgetPlan {
    /// The entries outside of the plan that its lines and candidates are based on.
    pub fn other_evidence(&self) -> BTreeSet<EntryId> {
        let of_lines = self.lines.iter().flat_map(|it| &it.evidence);
        let of_candidates = self.candidates.iter().flat_map(|it| &it.evidence);
        let planned: BTreeSet<&EntryId> = self.entries.iter().map(|it| &it.entry.id).collect();
        let all = of_lines.chain(of_candidates);
        all.filter(|id| !planned.contains(id)).cloned().collect()
    }

    /// Leaves out what other messages support, and lines with the same text: one message holds the redacted words of
    /// the text and, if the redaction takes some of the text's evidence, everything that the text says. The redacted
    /// part of its evidence is hidden, but not the lines that were made from it.
    #[must_use]
    pub fn sparing(mut self, others: OtherMessages<'_>) -> Self {
        let planned = self.entries.iter().map(|it| it.entry.id.clone());
        let planned: BTreeSet<EntryId> = planned.collect();
        let (mut hashes, mut parts) = (BTreeSet::new(), BTreeSet::new());
        let mut is_supported = |text: &str, evidence: &[EntryId]| {
            let (gone, left): (Vec<_>, Vec<_>) =
                evidence.iter().partition(|id| planned.contains(*id));
            let said = left.into_iter().filter_map(|id| others.said.get(id));
            let said = said.filter(|said| {
                others.holds_words_of(text, said)
                    && (gone.is_empty() || holds_all_of(text, said, others.common))
            });
            let said: Vec<&str> = said.map(String::as_str).collect();
            if said.is_empty() {
                return false;
            }
            hashes.extend(said.into_iter().chain([text]).filter_map(TextHash::of));
            parts.extend(gone.into_iter().cloned());
            true
        };
        let mut standing = Vec::new();
        let mut forget_unless = |stays: bool, place: Locator, text: &str| {
            if stays {
                standing.push((place, text.to_owned()));
            }
            !stays
        };
        self.lines.retain(|it| {
            let stays = it.keeper == Keeper::Program && is_supported(&it.text, &it.evidence);
            forget_unless(stays, it.place(), &it.text)
        });
        self.candidates.retain(|it| {
            let stays = is_supported(&it.finding, &it.evidence);
            forget_unless(stays, it.place(), &it.finding)
        });
        // Hidden neither by its text nor by its evidence.
        let is_hidden = |id: &EntryId| planned.contains(id) && !parts.contains(id);
        self.lines.retain(|it| {
            let stays = hashes.contains(&it.hash) && !it.evidence.iter().any(is_hidden);
            forget_unless(stays, it.place(), &it.text)
        });
        for entry in &mut self.entries {
            if parts.contains(&entry.entry.id) {
                entry.because = Reason::IsEvidence;
            }
        }
        Self {
            standing,
            spared_texts: hashes,
            ..self
        }
    }
}

impl OtherMessages<'_> {
    /// Whether a message holds the redacted words of a text.
    fn holds_words_of(&self, text: &str, said: &str) -> bool {
        let mut words = self
            .words
            .iter()
            .filter(|word| text.contains(word.as_str()));
        words.all(|word| said.contains(word.as_str()))
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
