//! What lies ahead: the days that long-term memory, notes and fresh messages name.
//!
//! Derives nothing but dates, and writes nothing.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::dates::{days_ahead, is_calendar_word, stretch_ahead};
use base::{
    Day, EntryId, LineRange, Locator, Origin, TokenCount, day, own_words, sentences, words,
};
use dreaming::{SpokenMessage, clock_times};
use extract::{asks_something, language_code, reminders_asked};
use memory::candidates::{Evidence, same_words};
use memory::curated::{CuratedLine, current_value};
use memory::promises::{earlier_promises, promises};
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

/// Maximum number of entries of a session that are searched for messages without a note: as many as a block of notes
/// covers.
const UNNOTED_ENTRIES_MAX: usize = 200;

/// How much of a session's end is read to find the entries that notes cover.
const TAIL: ResumeLimit = ResumeLimit {
    tokens: TokenCount(1),
};

/// Something planned for a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgendaItem {
    /// The day, or the first one of a stretch.
    pub day: Day,
    /// The last day of a week, weekend or month, on one of whose days it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
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

/// An item, and the words that show whether another item is about the same thing.
struct DraftItem {
    item: AgendaItem,
    /// The ids of the notes, lines and messages that it comes from.
    sources: BTreeSet<String>,
    /// Its distinctive words without dates and figures.
    subject: BTreeSet<String>,
    /// The times of day that it names.
    times: Vec<(u64, u64)>,
}

/// The plans in `MEMORY.md`, in notes, and in messages that no note covers yet, for today and later, by day; within a
/// day, the newest note comes first.
pub fn agenda(home: &HomeAccess, n_days: u32) -> Result<Vec<AgendaItem>, AboutError> {
    let (workspace, today) = (&*home.workspace, home.today());
    let tombstones = load_tombstones(workspace)?;
    let replaced = home.replaced();
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
        draft.take_message(&said, day, (&*replaced, &tombstones));
    }
    Ok(draft.each_once(promised(home)?))
}

/// The promises of the page, each with every day on which it stood there; those that were told, ticked off or dropped too:
/// each stands for the message and the notes that it was made from, which plan nothing besides.
fn promised(home: &HomeAccess) -> Result<Vec<DraftItem>, AboutError> {
    let now = (home.clock.now(), home.timezone);
    let list = promises(&home.workspace, now.0, now.1)?;
    let path = home.workspace.promises_path();
    let listed = list.promises.into_iter().map(|(own, open)| {
        let when = open.or(own.occasion.when());
        (own, when)
    });
    let earlier = earlier_promises(&home.workspace, now.0, now.1)?.into_iter();
    let earlier = earlier.map(|own| {
        let when = own.occasion.when();
        (own, when)
    });
    let all = listed
        .chain(earlier)
        .filter_map(|(own, when)| Some((own, when?)));
    let drafts = all.map(|(own, when)| DraftItem {
        sources: own.evidence.iter().map(EntryId::to_string).collect(),
        subject: subject(&own.text),
        times: Vec::new(),
        item: AgendaItem {
            day: when.day,
            until: None,
            place: Locator::new(path.to_string(), LineRange::line(own.line)),
            text: own.text,
            noted_on: None,
            origin: own.origin,
        },
    });
    Ok(drafts.collect())
}

impl AgendaDraft {
    /// The days ahead that a text names; else a week, weekend or month ahead, by its first day and its last.
    fn planned_days(&self, text: &str, noted_on: Option<Day>) -> Vec<(Day, Option<Day>)> {
        let Self { today, n_days, .. } = *self;
        let text = current_value(text);
        let days = days_ahead(text, noted_on.unwrap_or(today), language_code(text)).into_iter();
        // A note may carry the day on which it was said.
        let days = days.filter(|day| Some(*day) != noted_on);
        let days: Vec<Day> = days.collect();
        if days.is_empty() {
            let stretch = stretch_ahead(text, noted_on.unwrap_or(today));
            let stretch = stretch.filter(|own| own.last >= today);
            let first = stretch.map(|own| (own.first.max(today), Some(own.last)));
            return first
                .filter(|(first, _)| is_ahead(*first, today, n_days))
                .into_iter()
                .collect();
        }
        let ahead = days.into_iter().filter(|day| is_ahead(*day, today, n_days));
        ahead.map(|day| (day, None)).collect()
    }

    /// Adds the plans in the sentences of a message, except those that are forgotten or no longer hold.
    fn take_message(
        &mut self,
        said: &SpokenMessage,
        day: Day,
        (replaced, tombstones): (&ReplacedValues, &Tombstones),
    ) {
        let place = Locator::new(said.path.clone(), LineRange::line(said.line));
        let planned = reminders_asked(&said.text).map(|asked| asked.to_remember);
        let words = own_words(planned.as_deref().unwrap_or(&said.text));
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
        // A request for a reminder plans nothing, whether the reminder was made or asked back.
        if reminders_asked(current).is_some() {
            return;
        }
        let ahead = self.planned_days(text, noted_on).into_iter();
        self.items.extend(ahead.map(|(day, until)| DraftItem {
            item: AgendaItem {
                day,
                until,
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

    /// The items by day, the newest first within a day. Of the items that say the same, only the first is listed. An
    /// item that says the same as a promise is left out.
    fn each_once(mut self, promised: Vec<DraftItem>) -> Vec<AgendaItem> {
        self.items
            .sort_by_key(|own| (own.item.day, Reverse(own.item.noted_on)));
        let n_promised = promised.len();
        let mut kept = promised;
        for own in self.items {
            let mut of_day = kept.iter().filter(|it| it.item.day == own.item.day);
            if !of_day.any(|it| it.says_same(&own)) {
                kept.push(own);
            }
        }
        let planned = kept.into_iter().skip(n_promised);
        planned.map(|own| own.item).collect()
    }
}

impl DraftItem {
    /// Whether another item of the same day has the same words, or comes from the same source and is about the same
    /// thing at the same time of the day.
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

/// The distinctive words of a text, without figures and the words of the calendar.
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

/// The owner's messages that no note covers yet, because a flush may be hours away.
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
