//! An operation that was said, on its way through the stages.
//!
//! Pure.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, MEMORY_SECTIONS, Origin};
use memory::candidates::{Evidence, FoundIn, same_words};
use memory::prepared_line;

use crate::conversations::TextReading;
use crate::doubt::{Doubt, KnownWords, SaidText, Sources, doubts};
use crate::gate::check_shape;
use crate::ground::{ClaimPlace, Grounded, grounded, holds_quote};
use crate::material::MaterialItem;
use crate::propose::{Operation, OperationKind, Proposer};
use crate::refusal::Refusal;
use crate::wording::{Wording, clauses_of};

/// A finding on its way through the stages.
pub(crate) struct FindingDraft {
    /// The proposed operation; its text is the finding as a line would contain it.
    pub(crate) operation: Operation,
    /// The words of its text, for comparisons.
    pub(crate) wording: Wording,
    pub(crate) grounded: Grounded,
    /// The day on which it was last said.
    pub(crate) day: Day,
    pub(crate) days: BTreeSet<Day>,
    /// Number of messages that say it.
    pub(crate) n_said: usize,
    pub(crate) found_in: FoundIn,
    pub(crate) is_orphan: bool,
    /// Whether the quote stands at the beginning of a message of the owner.
    pub(crate) opens_message: bool,
    /// The day and key of each note it cites.
    pub(crate) notes: BTreeSet<(Day, String)>,
    /// The session and the beginning of each message it cites.
    pub(crate) places: BTreeSet<(String, u64)>,
}

/// Checks shape and ground of an operation.
pub(crate) fn draft(
    operation: &Operation,
    by_label: &BTreeMap<&str, &MaterialItem>,
    reading: &TextReading,
) -> Result<FindingDraft, Refusal> {
    if operation.waiting.is_some() && matches!(operation.kind, OperationKind::Retire(_)) {
        return Err(Refusal::RetiresWaiting);
    }
    let finding = prepared_line(&operation.text);
    check_shape(&finding)?;
    let items: Vec<&MaterialItem> = operation
        .evidence
        .iter()
        .filter_map(|label| by_label.get(label.as_str()).copied())
        .collect();
    let mut grounded = grounded(operation, &items, reading)?;
    // A note may be less trusted than its sources, never more: it may be about text that the owner pasted.
    let of_items = items.iter().map(|item| item.origin).min();
    grounded.origin = grounded.origin.max(of_items.unwrap_or(Origin::Untrusted));
    let is_evidence = |path: &str, key: &str| {
        let mut evidence = grounded.evidence.iter();
        evidence.any(|own| own.path == path && own.key == key)
    };
    let carrying: Vec<&&MaterialItem> = items
        .iter()
        .filter(|item| {
            item.sources
                .iter()
                .any(|own| is_evidence(&own.path, &own.key))
        })
        .collect();
    let days: BTreeSet<Day> = grounded.evidence.iter().map(|own| own.day).collect();
    let is_in = |place: FoundIn| carrying.iter().any(|item| item.found_in == place);
    let places = [FoundIn::DailyLog, FoundIn::Note];
    let found_in = places.into_iter().find(|place| is_in(*place));
    let found_in = found_in.unwrap_or(FoundIn::SessionReplay);
    Ok(FindingDraft {
        wording: Wording::of(&finding),
        operation: Operation {
            section: section((operation, &finding), found_in, reading),
            text: finding,
            ..operation.clone()
        },
        day: days.last().copied().ok_or(Refusal::NoEvidence)?,
        days,
        n_said: grounded.evidence.len(),
        found_in,
        is_orphan: carrying.iter().all(|item| item.is_orphan),
        opens_message: carrying.iter().any(|item| {
            let mut said = item.sources.iter();
            said.any(|own| {
                own.origin == Origin::Owner && (reading.opens)(&own.text, &operation.quote)
            })
        }),
        notes: items.iter().filter_map(|item| item.note()).collect(),
        places: items.iter().filter_map(|item| item.place()).collect(),
        grounded,
    })
}

/// The theme of a finding. A page is about anything, so that what it says is about the owner only in the first person.
fn section(
    (operation, finding): (&Operation, &str),
    found_in: FoundIn,
    reading: &TextReading,
) -> String {
    let [_, _, owner, .., facts] = MEMORY_SECTIONS;
    let is_about_owner = operation.section == owner;
    if is_about_owner && found_in == FoundIn::Note && !(reading.is_first_person)(finding) {
        facts.to_owned()
    } else {
        operation.section.clone()
    }
}

impl FindingDraft {
    /// Whether two drafts say the same. Changes of a line must have the same wording, as the single word in which they
    /// differ may be the correction.
    pub(crate) fn says_same(&self, other: &Self) -> bool {
        let (own, others) = (&self.operation, &other.operation);
        if own.kind.line().is_some() && others.kind.line().is_some() {
            own.kind == others.kind && self.wording.is_alike(&other.wording)
        } else {
            self.wording.is_same(&other.wording)
        }
    }

    /// Whether an earlier proposal says the same.
    pub(crate) fn repeats(&self, wording: &Wording) -> bool {
        if self.operation.kind.line().is_some() || self.operation.waiting.is_some() {
            self.wording.is_alike(wording)
        } else {
            self.wording.is_same(wording)
        }
    }

    /// The doubts about it: parts that neither its messages nor the line that it would change support. A removal has
    /// none, because it does not write text.
    pub(crate) fn doubts(
        &self,
        (known, today): (&KnownWords, Day),
        reading: &TextReading,
    ) -> Vec<Doubt> {
        if matches!(self.operation.kind, OperationKind::Retire(_)) || self.is_in_owners_words() {
            return Vec::new();
        }
        let replaced = self.operation.kind.line().map(|line| line.text.clone());
        let replaced = replaced.map(|text| (text, self.day));
        let said: Vec<SaidText> = self.grounded.said.iter().cloned().chain(replaced).collect();
        let sources = Sources {
            said: &said,
            known,
            today,
        };
        doubts(
            &self.operation.text,
            &self.operation.quote,
            sources,
            reading,
        )
    }

    /// Whether the owner asked for this line in just these words.
    fn is_in_owners_words(&self) -> bool {
        let own = &self.operation;
        own.proposer == Proposer::Engine { is_asked: true }
            && same_words(&own.text) == same_words(&own.quote)
    }

    pub(crate) fn strengthen(&mut self, other: Self) {
        let is_new = |new: &Evidence| {
            let mut own = self.grounded.evidence.iter();
            !own.any(|own| own.path == new.path && own.key == new.key)
        };
        let others: Vec<_> = other
            .grounded
            .evidence
            .into_iter()
            .filter(|new| is_new(new))
            .collect();
        self.n_said += others.len();
        // Ignore evidence from a less trusted source.
        if other.grounded.origin <= self.grounded.origin {
            self.days.extend(other.days);
            self.day = self.day.max(other.day);
            self.grounded.evidence.extend(others);
        }
        self.notes.extend(other.notes);
        self.places.extend(other.places);
        let importance = &mut self.operation.importance;
        *importance = other.operation.importance.max(*importance);
    }

    /// Sort key for the time at which it was said: the day, then the line within a session.
    pub(crate) fn said_at(&self) -> (Day, usize) {
        let line = self.grounded.evidence.first().map(|own| own.line);
        (self.day, line.unwrap_or(0))
    }

    /// Whether the owner said it in the owner's own words.
    pub(crate) fn is_said_in_person(&self) -> bool {
        self.grounded.origin == Origin::Owner && self.grounded.stands_in != ClaimPlace::Shown
    }

    /// The clauses that contain the quote.
    pub(crate) fn said(&self) -> &str {
        let quote = &self.operation.quote;
        let mut texts = self.grounded.said.iter().map(|(text, _)| text);
        texts
            .find(|text| holds_quote(text, quote))
            .map_or(quote, |text| clauses_of(text, quote))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propose::{ReplyFrom, parse_proposals};
    use crate::request::KnownMemory;

    const READING: TextReading = TextReading {
        in_person: str::to_owned,
        paragraph_chars_max: 600,
        claimed: |_| Vec::new(),
        is_calendar_word: |_| false,
        denies: |_, _| false,
        capitalises_nouns: |_| false,
        common_words: |_| BTreeSet::new(),
        is_first_person: |_| false,
        opens: |_, _| true,
    };

    #[test]
    fn retiring_waiting_candidate_is_refused_with_reason_for_owner_and_model() {
        let reply = r#"{"operations":[{"op":"retire","line":"w1","text":"Adaeze has left","evidence":["e1"],
            "quote":"Adaeze has left us","reason":"ended"}]}"#;
        let waiting = ["Adaeze started in August".to_owned()];
        let shown = KnownMemory {
            waiting: &waiting,
            ..KnownMemory::default()
        };
        let found = parse_proposals(reply, ReplyFrom::Model, shown).operations;
        let refusal = draft(&found[0], &BTreeMap::new(), &READING).err().unwrap();
        assert_eq!(refusal, Refusal::RetiresWaiting);
        assert!(refusal.in_words().contains("waits for your review"));
        assert!(refusal.for_model().unwrap().contains("use update if"));
    }
}
