//! What memory says about the owner, theme by theme, and what lies ahead.
//!
//! Reads only `MEMORY.md` with the values that it had before, `USER.md` and the daily logs; derives nothing but dates.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::dates::named_days;
use base::disk::DiskError;
use base::model::{ListedLine, Listing, ListingKind};
use base::{Day, LineRange, Locator, MEMORY_SECTIONS, Origin, redact};
use memory::candidates::same_words;
use memory::curated::{LineOwner, current_value, memory_lines};
use memory::{
    Audience, FileLinesError, TombstoneError, Workspace, WorkspaceError, load_tombstones, note_text,
};
use session::SessionName;

use crate::event::{Event, OnEvent};
use crate::knowledge::replaced::{ComparedPassage, ReplacedValues};
use crate::runtime::Runtime;

/// Length of the agenda that a question in a chat gets, in days.
const AHEAD_DAYS: u32 = 60;

/// Logs older than this many days are not read for the agenda: plans are rarely noted earlier.
const LOG_DAYS_MAX: i64 = 400;

/// One thing known about the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLine {
    /// The heading that it stands under, or the file if there is none.
    pub theme: String,
    /// Its text.
    pub text: String,
    /// Its place.
    pub place: Locator,
    /// The last day that supports it; `None` for what the owner wrote by hand.
    pub day: Option<Day>,
    /// Who answers for it.
    pub origin: Origin,
    /// The places of its evidence.
    pub evidence: Vec<Locator>,
}

/// Something planned for a day.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// Why memory could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AboutError {
    /// A file could not be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A note could not be read.
    #[error(transparent)]
    Lines(#[from] FileLinesError),
    /// The files of the workspace could not be read.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The tombstones could not be read.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
}

/// What `MEMORY.md` and `USER.md` say, by theme: the themes of dreams first, in their order.
pub fn known_about_owner(workspace: &Workspace) -> Result<Vec<KnownLine>, AboutError> {
    let mut known = curated(workspace)?;
    let files = workspace.prompt_files()?.into_iter();
    let own =
        files.filter(|file| file.audience == Audience::PrimarySession && !file.is_long_term());
    for file in own {
        let lines = file.text.lines().zip(1..);
        let told = lines.filter(|(line, _)| !line.starts_with('#') && !line.trim().is_empty());
        known.extend(told.map(|(line, number)| {
            KnownLine {
                theme: file.name.to_string(),
                text: line
                    .trim()
                    .trim_start_matches(['-', '*', '+'])
                    .trim()
                    .to_owned(),
                place: Locator::new(file.name.to_string(), LineRange::line(number)),
                day: None,
                origin: Origin::Owner,
                evidence: Vec::new(),
            }
        }));
    }
    let place = |theme: &str| {
        let mut themes = MEMORY_SECTIONS.iter();
        themes
            .position(|own| *own == theme)
            .unwrap_or(MEMORY_SECTIONS.len())
    };
    known.sort_by_key(|own| place(&own.theme));
    Ok(known)
}

fn curated(workspace: &Workspace) -> Result<Vec<KnownLine>, AboutError> {
    let path = workspace.memory_path();
    let text = match note_text(workspace, &path) {
        Ok(text) => text,
        Err(FileLinesError::NotFound(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let tombstones = load_tombstones(workspace)?;
    let lines = memory_lines(&text).into_iter();
    let lines = lines.filter(|line| !tombstones.hides_text(&line.text) && line.text != HIDDEN);
    Ok(lines
        .map(|line| {
            let (origin, evidence) = match &line.owner {
                LineOwner::Owner => (Origin::Owner, Vec::new()),
                LineOwner::Ours {
                    origin, evidence, ..
                } => {
                    let places = evidence.iter();
                    let places =
                        places.map(|own| Locator::new(own.path.clone(), LineRange::line(own.line)));
                    (*origin, places.collect())
                }
            };
            KnownLine {
                theme: line.section.clone().unwrap_or_else(|| path.to_string()),
                day: line.last_confirmed(),
                place: Locator::new(path.to_string(), LineRange::line(line.number)),
                text: line.text,
                origin,
                evidence,
            }
        })
        .collect())
}

/// Stands in place of a forgotten line.
const HIDDEN: &str = "[forgotten]";

/// What notes and `MEMORY.md` plan for the days from today on, by day; for one day the newest note first.
pub fn agenda(
    workspace: &Workspace,
    today: Day,
    n_days: u32,
) -> Result<Vec<AgendaItem>, AboutError> {
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
    for line in curated(workspace)? {
        take(&line.text, line.day, line.place);
    }
    let is_recent = |day: &Day| (today.date() - day.date()).num_days() <= LOG_DAYS_MAX;
    for day in workspace.log_days()?.into_iter().filter(is_recent) {
        let log = workspace.log_path(day).to_string();
        for note in workspace.log_items(day)? {
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
    items.sort_by_key(|own| (own.day, Reverse(own.noted_on)));
    let mut seen: BTreeSet<(Day, String)> = BTreeSet::new();
    items.retain(|own| seen.insert((own.day, same_words(&own.text))));
    Ok(items)
}

fn is_ahead(day: Day, today: Day, n_days: u32) -> bool {
    (0..i64::from(n_days)).contains(&(day.date() - today.date()).num_days())
}

/// The list from memory that answers the question, in a session that sees memory.
pub(crate) fn listing_of(
    runtime: &Runtime,
    name: &SessionName,
    question: &str,
    on_event: OnEvent<'_>,
) -> Option<Listing> {
    let home = &runtime.home;
    let sees_memory = runtime.is_primary(name) && runtime.memory.knowledge.is_some();
    let found = sees_memory.then(|| listing_for(&home.workspace, home.today(), question));
    found?.unwrap_or_else(|error| {
        on_event(Event::Warning(format!("memory cannot be listed: {error}")));
        None
    })
}

/// The list that answers a question about the owner or about what is coming up, for an engine that only quotes; `None`
/// for any other question.
fn listing_for(
    workspace: &Workspace,
    today: Day,
    question: &str,
) -> Result<Option<Listing>, AboutError> {
    let Some(kind) = extract::listing_asked(question, today) else {
        return Ok(None);
    };
    let lines = match kind {
        ListingKind::About => {
            let known = known_about_owner(workspace)?.into_iter();
            let line = |own: KnownLine| ListedLine {
                heading: Some(own.theme),
                text: redact(&own.text).into_owned(),
                place: own.place,
                day: own.day,
            };
            known.map(line).collect()
        }
        ListingKind::Ahead => {
            let ahead = agenda(workspace, today, AHEAD_DAYS)?.into_iter();
            let line = |own: AgendaItem| ListedLine {
                heading: Some(own.day.to_string()),
                text: redact(&own.text).into_owned(),
                place: own.place,
                day: own.noted_on,
            };
            ahead.map(line).collect()
        }
    };
    Ok(Some(Listing { kind, lines }))
}

#[cfg(test)]
#[path = "about_tests.rs"]
mod tests;
