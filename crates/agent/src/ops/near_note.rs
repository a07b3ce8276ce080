//! Finds a note that says nearly the same as a new one, and replaces a note that a program wrote.
//!
//! Never replaces words of the owner.

use std::collections::BTreeSet;

use base::{Locator, Origin};
use memory::{
    ForgetPlan, Keeper, OwnerLines, TombstoneId, Workspace, WorkspacePath, line_known_from,
};
use search::{Index, SearchOptions, notes_holding};

use super::error::OpError;
use super::operation::OpContext;
use crate::forgetting::ForgetLines;
use crate::knowledge::index::COMMON_WORDS;

/// Part of the telling words of two notes that both must have, in percent.
const SHARED_PERCENT_MIN: usize = 60;

/// Minimum number of telling words of a note that is compared.
const WORDS_MIN: usize = 3;

/// The place of a note that says nearly the same as `text`.
pub(super) fn near_note(text: &str, at: &OpContext<'_>) -> Option<Locator> {
    let own = COMMON_WORDS.telling_stems(text);
    if own.len() < WORDS_MIN {
        return None;
    }
    let is_near = |other: &BTreeSet<String>| {
        let n_shared = own.intersection(other).count();
        n_shared * 100 >= own.union(other).count() * SHARED_PERCENT_MIN
    };
    let knowledge = at.knowledge?;
    let recent = knowledge.recent();
    // A note that lacks more of the words is not near.
    let n_missing_max = own.len() - (own.len() * SHARED_PERCENT_MIN).div_ceil(100);
    if let Some(note) = recent.newest((&own, n_missing_max), &is_near)
        && stands_at(&note.place, &note.text, at)
    {
        return Some(note.place);
    }
    // A note is written even if nothing can be searched.
    if recent.is_full() {
        let as_far_as_it_goes = SearchOptions::default();
        let brought_up = knowledge.search("", &as_far_as_it_goes, &mut |_| {});
        brought_up.ok()?;
        recent.begin_anew();
    }
    let holding = |index: &Index| notes_holding(index, &own, n_missing_max);
    let mut found = knowledge.with_index(holding).ok()?.into_iter();
    let near = found.find(|(place, text)| {
        is_near(&COMMON_WORDS.telling_stems(text)) && stands_at(place, text, at)
    });
    near.map(|(place, _)| place)
}

/// Whether the viewer may see this text, and the text is still at this place: the index may be behind.
fn stands_at(place: &Locator, text: &str, at: &OpContext<'_>) -> bool {
    let Ok(path) = place.path.parse::<WorkspacePath>() else {
        return false;
    };
    let first = text.lines().next().unwrap_or_default();
    let found = line_known_from(&at.home.workspace, &path, place.start_line);
    found.is_ok_and(|found| {
        found.is_some_and(|(line, mut sessions)| {
            sessions.retain(|name| !at.viewer.sees_session(name));
            sessions.is_empty() && line.contains(first.trim())
        })
    })
}

/// The note at a place, as a plan that takes it out.
pub(super) enum OldNote {
    /// A program wrote it.
    OfProgram(Box<ForgetPlan>),
    /// The owner said it, or wrote it.
    OfOwner,
}

/// The note that a new one replaces.
///
/// # Errors
///
/// [`OpError`] if there is no text at the place, or none that the viewer may see.
pub(super) fn old_note(place: &str, at: &OpContext<'_>) -> Result<OldNote, OpError> {
    let invalid = |why: String| OpError::invalid("replaces", why);
    let found: Locator = place
        .parse()
        .map_err(|error: base::LocatorError| invalid(error.to_string()))?;
    at.check_visible(&found.path)?;
    if at.is_hidden(&found) {
        return Err(OpError::OtherRepository(place.to_owned()));
    }
    let lines = ForgetLines {
        lines: Some(found.lines()),
        path: found.path.clone(),
    };
    let plan = at.knowledge()?.plan_lines(&[lines])?;
    let is_of_program = !plan.lines.is_empty()
        && plan.entries.is_empty()
        && plan.candidates.is_empty()
        && plan.lines.iter().all(|own| own.keeper == Keeper::Program)
        && plan
            .lines
            .iter()
            .all(|own| is_noted_by_program(&own.place(), at));
    Ok(if is_of_program {
        OldNote::OfProgram(Box::new(plan))
    } else {
        OldNote::OfOwner
    })
}

/// Whether a place is a note of a daily log that a program wrote.
fn is_noted_by_program(place: &Locator, at: &OpContext<'_>) -> bool {
    let workspace: &Workspace = &at.home.workspace;
    let days = workspace.log_days().unwrap_or_default().into_iter();
    let mut days = days.filter(|day| workspace.log_path(*day).as_str() == place.path);
    let items = days.next().and_then(|day| workspace.log_items(day).ok());
    items.unwrap_or_default().iter().any(|own| {
        own.line == place.start_line && own.origin == Origin::Agent && own.evidence.is_empty()
    })
}

/// Takes out the old note; returns the id that restores it.
pub(super) fn take_out(plan: &ForgetPlan, at: &OpContext<'_>) -> Result<TombstoneId, OpError> {
    let done = at.knowledge()?.forget(plan, OwnerLines::Leave)?;
    Ok(done.report.id)
}
