//! What memory says about the owner, theme by theme.
//!
//! Reads `MEMORY.md`, `USER.md` and the pages that are read in place.

use base::disk::DiskError;
use base::{Day, LineRange, Locator, MEMORY_SECTIONS, Origin, SourceError, Tz};
use extract::is_name_label;
use memory::candidates::{EvidencePlaces, same_words};
use memory::curated::{LineOwner, memory_lines};
use memory::{Audience, FileError, FileLinesError, Workspace, load_tombstones, note_text};
use schemars::JsonSchema;
use serde::Serialize;
use session::ReadError;

use crate::about_pages::told_in_pages;

/// One thing known about the owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KnownLine {
    /// The heading above it, or the file if there is no heading.
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
pub enum AboutError {
    /// A file could not be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A note could not be read.
    #[error(transparent)]
    Lines(#[from] FileLinesError),
    /// A file of memory could not be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The sessions could not be listed.
    #[error(transparent)]
    Sessions(#[from] ReadError),
    /// A conversation could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// What `MEMORY.md`, `USER.md` and the owner's pages say, by theme: the themes of dreams first, in their order.
pub fn known_about_owner(
    workspace: &Workspace,
    timezone: Tz,
) -> Result<Vec<KnownLine>, AboutError> {
    let mut known = curated(workspace)?;
    let says_same =
        |own: &KnownLine, told: &KnownLine| same_words(&own.text) == same_words(&told.text);
    let told = told_in_pages(workspace, &load_tombstones(workspace)?, timezone);
    let is_new = |told: &KnownLine| !known.iter().any(|own| says_same(own, told));
    let told: Vec<KnownLine> = told.into_iter().filter(is_new).collect();
    known.extend(told);
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

/// The owner's name from a line outside any theme, such as `Name: Kim`, with the index of that line in the list.
pub fn owner_name(known: &[KnownLine]) -> Option<(usize, &str)> {
    known.iter().enumerate().find_map(|(place, line)| {
        let (label, name) = line.text.split_once([':', '\u{ff1a}'])?;
        let is_told = line.theme == line.place.path && is_name_label(label);
        let name = name.trim();
        (is_told && !name.is_empty()).then_some((place, name))
    })
}

pub(crate) fn curated(workspace: &Workspace) -> Result<Vec<KnownLine>, AboutError> {
    let path = workspace.memory_path();
    let text = match note_text(workspace, &path) {
        Ok(text) => text,
        Err(FileLinesError::NotFound(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let tombstones = load_tombstones(workspace)?;
    let places = EvidencePlaces::of(workspace);
    let lines = memory_lines(&text).into_iter();
    let lines = lines.filter(|line| !tombstones.hides_text(&line.text) && line.text != HIDDEN);
    Ok(lines
        .map(|line| {
            let (origin, evidence) = match &line.owner {
                LineOwner::Owner => (Origin::Owner, Vec::new()),
                LineOwner::Ours {
                    origin, evidence, ..
                } => {
                    let evidence = evidence.iter().map(|own| places.place(own));
                    (*origin, evidence.collect())
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

/// Replaces a forgotten line.
const HIDDEN: &str = "[forgotten]";

#[cfg(test)]
#[path = "about_tests.rs"]
mod tests;
