//! What memory says about the owner, theme by theme.
//!
//! Reads only `MEMORY.md` and `USER.md`.

use base::disk::DiskError;
use base::model::{ListedLine, Listing, ListingKind};
use base::{Day, LineRange, Locator, MEMORY_SECTIONS, Origin, SourceError, redact};
use memory::curated::{LineOwner, memory_lines};
use memory::{
    Audience, FileLinesError, TombstoneError, Workspace, WorkspaceError, load_tombstones, note_text,
};
use schemars::JsonSchema;
use serde::Serialize;
use session::{ReadError, SessionName};

use crate::agenda::{AgendaItem, agenda};
use crate::event::{Event, OnEvent};
use crate::runtime::{HomeAccess, Runtime};

/// Length of the agenda that a question in a chat gets, in days.
const AHEAD_DAYS: u32 = 60;

/// One thing known about the owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// The sessions could not be listed.
    #[error(transparent)]
    Sessions(#[from] ReadError),
    /// A conversation could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
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

pub(crate) fn curated(workspace: &Workspace) -> Result<Vec<KnownLine>, AboutError> {
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

/// The list from memory that answers the question, in a session that sees memory.
pub(crate) fn listing_of(
    runtime: &Runtime,
    name: &SessionName,
    question: &str,
    on_event: OnEvent<'_>,
) -> Option<Listing> {
    let home = &runtime.home;
    let sees_memory = runtime.is_primary(name) && runtime.memory.knowledge.is_some();
    let found = sees_memory.then(|| listing_for(home, question));
    found?.unwrap_or_else(|error| {
        on_event(Event::Warning(format!("memory cannot be listed: {error}")));
        None
    })
}

/// The list that answers a question about the owner or about what is coming up, for an engine that only quotes; `None`
/// for any other question.
fn listing_for(home: &HomeAccess, question: &str) -> Result<Option<Listing>, AboutError> {
    let Some(kind) = extract::listing_asked(question, home.today()) else {
        return Ok(None);
    };
    let lines = match kind {
        ListingKind::About => {
            let known = known_about_owner(&home.workspace)?.into_iter();
            let line = |own: KnownLine| ListedLine {
                heading: Some(own.theme),
                text: redact(&own.text).into_owned(),
                place: own.place,
                day: own.day,
            };
            known.map(line).collect()
        }
        ListingKind::Ahead => {
            let ahead = agenda(home, AHEAD_DAYS)?.into_iter();
            let line = |own: AgendaItem| ListedLine {
                heading: Some(own.day.to_string()),
                text: match own.origin {
                    Origin::Untrusted => format!("{} [{}]", redact(&own.text), own.origin),
                    Origin::Owner | Origin::Agent | Origin::System => {
                        redact(&own.text).into_owned()
                    }
                },
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
