//! What lies ahead: the days that long-term memory, notes and fresh messages name.
//!
//! Derives nothing but dates, and writes nothing.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::dates::{is_calendar_word, named_days};
use base::{
    Day, EntryId, LineRange, Locator, Origin, TokenCount, day, own_words, sentences, words,
};
use dreaming::{SpokenMessage, clock_times};
use extract::asks_something;
use memory::candidates::{Evidence, same_words};
use memory::curated::{CuratedLine, current_value};
use memory::{Tombstones, curated_lines, load_tombstones};
use schemars::JsonSchema;
use serde::Serialize;
use session::{Entry, ResumeLimit};

use crate::about::{AboutError, curated};
use crate::dream::SessionConversations;
use crate::knowledge::index::COMMON_WORDS;
use crate::knowledge::replaced::{ComparedPassage, ReplacedValues, TIME_UNKNOWN};
use crate::knowledge::scope::Repository;
use crate::runtime::HomeAccess;

/// Logs older than this many days are not read for the agenda: plans are rarely noted earlier.
const LOG_DAYS_MAX: i64 = 400;

/// Most entries of a session that are searched for messages without a note: as many as one block of notes covers.
const UNNOTED_ENTRIES_MAX: usize = 200;

/// How much of a session's end is read to find what notes cover.
const TAIL: ResumeLimit = ResumeLimit {
    tokens: TokenCount(1),
};

/// Something planned for a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgendaItem {
    /// The day.
    pub day: Day,
    /// What was noted.
    pub text: String,
    /// Its place.
    pub place: Locator,
    /// The day on which it was noted, if known.
    pub noted_on: Option<Day>,
    /// Who answers for it.
    pub origin: Origin,
}

/// The items so far.
struct AgendaDraft {
    today: Day,
    n_days: u32,
    items: Vec<DraftItem>,
}

/// An item, and what tells whether another one is about the same.
struct DraftItem {
    item: AgendaItem,
    /// The ids of what it is and of what it rests on.
    sources: BTreeSet<String>,
    /// Its telling words without dates and figures.
    subject: BTreeSet<String>,
    /// The times of day that it names.
    times: Vec<(u64, u64)>,
}

/// What `MEMORY.md`, notes, and messages that no note covers yet plan for the days from today on, by day; for one day the newest note first.
pub fn agenda(home: &HomeAccess, n_days: u32) -> Result<Vec<AgendaItem>, AboutError> {
    let (workspace, today) = (&*home.workspace, home.today());
    let tombstones = load_tombstones(workspace)?;
    let replaced = ReplacedValues::of(workspace, home.timezone);
    let mut draft = AgendaDraft {
        today,
        n_days,
        items: Vec::new(),
    };
    let records = curated_lines(workspace).unwrap_or_default();
    // A message behind a line or a note is listed with its line or note.
    let mut cited: BTreeSet<(String, usize)> = BTreeSet::new();
    let mut noted: BTreeSet<EntryId> = BTreeSet::new();
    for line in curated(workspace)? {
        let places = line.evidence.iter();
        cited.extend(places.map(|it| (it.path.clone(), it.start_line)));
        let record = records
            .iter()
            .find(|own| own.number == line.place.start_line);
        let evidence = record.map(CuratedLine::evidence).unwrap_or_default();
        let sources = evidence.iter().map(|own| own.key.clone()).collect();
        draft.take((&line.text, line.place), (line.day, line.origin), &sources);
    }
    let is_recent = |day: &Day| (today.date() - day.date()).num_days() <= LOG_DAYS_MAX;
    for day in workspace.log_days()?.into_iter().filter(is_recent) {
        let log = workspace.log_path(day).to_string();
        for note in workspace.log_items(day)? {
            noted.extend(note.evidence.iter().cloned());
            // Few notes plan something, and what no longer holds is asked of those alone.
            if draft.planned_days(&note.text, Some(day)).is_empty() {
                continue;
            }
            let place = Locator::new(log.clone(), LineRange::line(note.line));
            let is_replaced = replaced.replaced_on(&ComparedPassage {
                text: &note.text,
                day: Some(day),
                place: &place,
                entries: &note.evidence,
                is_after: TIME_UNKNOWN,
            });
            if is_replaced.is_none() && !tombstones.hides_note(&note.text, &note.evidence) {
                let own = note.id.clone();
                let own = own.unwrap_or_else(|| Evidence::key_by_hand(&note.text));
                let entries = note.evidence.iter().map(EntryId::to_string);
                let sources = entries.chain([own]).collect();
                draft.take((&note.text, place), (Some(day), note.origin), &sources);
            }
        }
    }
    let is_listed = |it: &SpokenMessage| {
        noted.contains(&it.entry) || cited.contains(&(it.path.clone(), it.line))
    };
    for said in unnoted(home)?.into_iter().filter(|it| !is_listed(it)) {
        let day = day(said.at, home.timezone);
        draft.take_message(&said, day, (&replaced, &tombstones));
    }
    Ok(draft.each_once())
}

impl AgendaDraft {
    /// The days ahead that a text names.
    fn planned_days(&self, text: &str, noted_on: Option<Day>) -> Vec<Day> {
        let Self { today, n_days, .. } = *self;
        let days = named_days(current_value(text), noted_on.unwrap_or(today)).into_iter();
        // A note may carry the day on which it was said.
        days.filter(|day| is_ahead(*day, today, n_days) && Some(*day) != noted_on)
            .collect()
    }

    /// Adds what the sentences of a message plan, except what is forgotten or no longer holds.
    fn take_message(
        &mut self,
        said: &SpokenMessage,
        day: Day,
        (replaced, tombstones): (&ReplacedValues, &Tombstones),
    ) {
        let place = Locator::new(said.path.clone(), LineRange::line(said.line));
        let words = own_words(&said.text);
        let sources = BTreeSet::from([said.entry.to_string()]);
        for sentence in sentences(&words) {
            let passage = ComparedPassage {
                text: sentence,
                day: Some(day),
                place: &place,
                entries: &[],
                is_after: &|at| said.at > at,
            };
            let is_plan = !self.planned_days(sentence, Some(day)).is_empty()
                && !asks_something(sentence)
                && !tombstones.hides_text(sentence);
            if is_plan && replaced.replaced_on(&passage).is_none() {
                self.take(
                    (sentence, place.clone()),
                    (Some(day), said.origin),
                    &sources,
                );
            }
        }
    }

    /// Adds an item for each day ahead that a text names.
    fn take(
        &mut self,
        (text, place): (&str, Locator),
        (noted_on, origin): (Option<Day>, Origin),
        sources: &BTreeSet<String>,
    ) {
        let current = current_value(text);
        let ahead = self.planned_days(text, noted_on).into_iter();
        self.items.extend(ahead.map(|day| DraftItem {
            item: AgendaItem {
                day,
                text: current.to_owned(),
                place: place.clone(),
                noted_on,
                origin,
            },
            sources: sources.clone(),
            subject: subject(current),
            times: clock_times(current),
        }));
    }

    /// The items by day, for one day the newest first, and of those that say the same only the first.
    fn each_once(mut self) -> Vec<AgendaItem> {
        self.items
            .sort_by_key(|own| (own.item.day, Reverse(own.item.noted_on)));
        let mut kept: Vec<DraftItem> = Vec::new();
        for own in self.items {
            let mut of_day = kept.iter().filter(|it| it.item.day == own.item.day);
            if !of_day.any(|it| it.says_same(&own)) {
                kept.push(own);
            }
        }
        kept.into_iter().map(|own| own.item).collect()
    }
}

impl DraftItem {
    /// Whether another item of the same day has the same words, or comes from the same source and is about the same, at
    /// no other time of the day.
    fn says_same(&self, other: &Self) -> bool {
        if same_words(&self.item.text) == same_words(&other.item.text) {
            return true;
        }
        let n_shared = self.subject.intersection(&other.subject).count();
        let n_least = self.subject.len().min(other.subject.len());
        let is_about = n_shared > 0 && n_shared * 2 >= n_least;
        let is_other_time = !self.times.is_empty()
            && !other.times.is_empty()
            && !other.times.iter().any(|own| self.times.contains(own));
        !self.sources.is_disjoint(&other.sources) && is_about && !is_other_time
    }
}

/// The telling words of a text, without figures and the words of the calendar.
fn subject(text: &str) -> BTreeSet<String> {
    let is_dated = |word: &&str| {
        let lower = word.to_lowercase();
        is_calendar_word(&lower) || lower.starts_with(|c: char| c.is_ascii_digit())
    };
    let words: Vec<&str> = words(text).filter(|word| !is_dated(word)).collect();
    COMMON_WORDS.telling_stems(&words.join(" "))
}

fn is_ahead(day: Day, today: Day, n_days: u32) -> bool {
    (0..i64::from(n_days)).contains(&(day.date() - today.date()).num_days())
}

/// What the owner said in conversations and no note covers yet: a flush may be hours away.
fn unnoted(home: &HomeAccess) -> Result<Vec<SpokenMessage>, AboutError> {
    let sessions = &home.sessions;
    let conversations = SessionConversations::new(sessions.clone(), home.workspace.clone());
    let mut said = Vec::new();
    for name in sessions.names()? {
        if Repository::holding(sessions, &name).is_some() {
            continue;
        }
        // A session that cannot be read plans nothing; `session verify` says why.
        let Ok(read) = sessions.read(&name, TAIL) else {
            continue;
        };
        let covered = read.state.flushed_through;
        if covered.is_some() && covered == read.leaf {
            continue;
        }
        let mut ends = |entry: &Entry| covered.as_ref() == Some(&entry.id);
        let mut found = Vec::new();
        conversations.newest(&name, (UNNOTED_ENTRIES_MAX, &mut ends), &mut |message| {
            if covered.as_ref() == Some(&message.entry) {
                found.clear();
            } else {
                found.push(message);
            }
        })?;
        said.extend(
            found
                .into_iter()
                .filter(|it| it.is_person && it.origin == Origin::Owner),
        );
    }
    Ok(said)
}

#[cfg(test)]
#[path = "agenda_tests.rs"]
mod tests;
