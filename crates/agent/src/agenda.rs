//! What lies ahead: the days that long-term memory, notes and fresh messages name.
//!
//! Derives nothing but dates, and writes nothing.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::dates::named_days;
use base::{Day, EntryId, LineRange, Locator, Origin, TokenCount, day, own_words, sentences};
use dreaming::SpokenMessage;
use extract::asks_something;
use memory::candidates::same_words;
use memory::curated::current_value;
use memory::load_tombstones;
use schemars::JsonSchema;
use serde::Serialize;
use session::{Entry, ResumeLimit};

use crate::about::{AboutError, curated};
use crate::dream::SessionConversations;
use crate::knowledge::replaced::{ComparedPassage, ReplacedValues};
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
}

/// What `MEMORY.md`, notes, and messages that no note covers yet plan for the days from today on, by day; for one day the newest note first.
pub fn agenda(home: &HomeAccess, n_days: u32) -> Result<Vec<AgendaItem>, AboutError> {
    let (workspace, today) = (&*home.workspace, home.today());
    let tombstones = load_tombstones(workspace)?;
    let replaced = ReplacedValues::of(workspace);
    let mut items: Vec<AgendaItem> = Vec::new();
    let mut take = |text: &str, noted_on: Option<Day>, place: Locator| {
        let current = current_value(text);
        let days = named_days(current, noted_on.unwrap_or(today)).into_iter();
        // A note may carry the day on which it was said.
        let ahead = days.filter(|day| is_ahead(*day, today, n_days) && Some(*day) != noted_on);
        items.extend(ahead.map(|day| AgendaItem {
            day,
            text: current.to_owned(),
            place: place.clone(),
            noted_on,
        }));
    };
    // A message behind a line or a note is listed with its line or note.
    let mut cited: BTreeSet<(String, usize)> = BTreeSet::new();
    let mut noted: BTreeSet<EntryId> = BTreeSet::new();
    for line in curated(workspace)? {
        let places = line.evidence.iter();
        cited.extend(places.map(|it| (it.path.clone(), it.start_line)));
        take(&line.text, line.day, line.place);
    }
    let is_recent = |day: &Day| (today.date() - day.date()).num_days() <= LOG_DAYS_MAX;
    for day in workspace.log_days()?.into_iter().filter(is_recent) {
        let log = workspace.log_path(day).to_string();
        for note in workspace.log_items(day)? {
            noted.extend(note.evidence.iter().cloned());
            let place = Locator::new(log.clone(), LineRange::line(note.line));
            let is_replaced = replaced.replaced_on(&ComparedPassage {
                text: &note.text,
                day: Some(day),
                place: &place,
                entries: &note.evidence,
            });
            if is_replaced.is_none() && !tombstones.hides_note(&note.text, &note.evidence) {
                take(&note.text, Some(day), place);
            }
        }
    }
    let is_listed = |it: &SpokenMessage| {
        noted.contains(&it.entry) || cited.contains(&(it.path.clone(), it.line))
    };
    for said in unnoted(home)?.into_iter().filter(|it| !is_listed(it)) {
        let day = Some(day(said.at, home.timezone));
        let place = Locator::new(said.path, LineRange::line(said.line));
        let words = own_words(&said.text);
        for sentence in sentences(&words) {
            let passage = ComparedPassage {
                text: sentence,
                day,
                place: &place,
                entries: &[],
            };
            let is_plan = !asks_something(sentence) && !tombstones.hides_text(sentence);
            if is_plan && replaced.replaced_on(&passage).is_none() {
                take(sentence, day, place.clone());
            }
        }
    }
    items.sort_by_key(|own| (own.day, Reverse(own.noted_on)));
    let mut seen: BTreeSet<(Day, String)> = BTreeSet::new();
    items.retain(|own| seen.insert((own.day, same_words(&own.text))));
    Ok(items)
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
