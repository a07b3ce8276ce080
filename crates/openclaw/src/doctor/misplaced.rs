//! Finds sessions that were imported from a repository without its scope, so that every program sees them.
//!
//! Reads the transcripts that Claude Code and Codex keep, in their usual directories.

use std::collections::BTreeMap;

use agent::{Repository, is_scope_chosen, share_conversation};
use base::{scope_of, without_scope};
use import::ImportFormat;
use session::SessionNameError;

use super::finding::{AUTOMATIC, CheckRow, DoctorFinding, FindingWeight, Mend};
use crate::commands::session::import::{ConversationFiles, conversations_of, find};
use crate::commands::session::naming::names_of_transcript;
use crate::prelude::*;
use crate::repository;

/// Where the programs keep their transcripts, below the user's home directory, and how their sessions here begin.
const TRANSCRIPTS: [(&str, ImportFormat, &str); 2] = [
    (".claude/projects", ImportFormat::ClaudeCode, "claude-code-"),
    (".codex/sessions", ImportFormat::Codex, "codex-"),
];

/// Depth limit of the search for transcripts.
const DEPTH_MAX: usize = 8;

pub(super) const SCOPE: CheckRow = CheckRow {
    code: "scope",
    checks: "A session that was imported from a repository belongs to it.",
    weight: FindingWeight::Problem,
    fix: AUTOMATIC,
};

/// Sessions outside any repository, each with the one that it comes from.
pub(super) fn scopes(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let store = context.sessions(home);
    let names = store.names()?;
    let (inside, outside): (Vec<_>, Vec<_>) = names
        .into_iter()
        .partition(|name| scope_of(name.as_str()).is_some());
    let mut found = by_copy(&store, &inside, &outside)?;
    let by_header = |name: &SessionName| Some((name.clone(), Repository::holding(&store, name)?));
    found.extend(outside.iter().filter_map(by_header));
    for (place, format, prefix) in TRANSCRIPTS {
        let is_open =
            |name: &&SessionName| name.as_str().starts_with(prefix) && !found.contains_key(*name);
        let open: Vec<SessionName> = outside.iter().filter(is_open).cloned().collect();
        if !open.is_empty() {
            found.extend(by_transcript(context, (place, format), &open));
        }
    }
    without_chosen(&store, &mut found)?;
    with_forks(&store, &outside, &mut found);
    without_chosen(&store, &mut found)?;
    let findings = found.into_iter().map(|(name, here)| {
        let what = match Repository::holding(&store, &name) {
            Some(_) => "its transcript is of a repository, but its name is not",
            None => "it comes from a repository, but every program sees it: it was imported without the repository",
        };
        finding((&name, what), &here)
    });
    let findings: Result<_, SessionNameError> = findings.collect();
    findings.map_err(|error| CliError::internal(&error))
}

/// The sessions that copy an imported conversation which is in a repository too. The owner's own sessions may have the
/// names of others, so the names alone say nothing.
fn by_copy(
    store: &SessionStore,
    inside: &[SessionName],
    outside: &[SessionName],
) -> Result<BTreeMap<SessionName, Repository>> {
    let is_imported = |name: &&SessionName| {
        let mut prefixes = TRANSCRIPTS.iter().map(|(_, _, prefix)| prefix);
        prefixes.any(|prefix| name.as_str().starts_with(prefix))
    };
    let mut found = BTreeMap::new();
    for name in outside.iter().filter(is_imported) {
        let is_same = |it: &&SessionName| without_scope(it.as_str()) == name.as_str();
        for scoped in inside.iter().filter(is_same) {
            if share_conversation(store, name, scoped)? {
                let here = Repository::of_session(scoped.as_str());
                found.extend(here.map(|here| (name.clone(), here)));
            }
        }
    }
    Ok(found)
}

/// Leaves out the sessions that the owner put where they are.
fn without_chosen(
    store: &SessionStore,
    found: &mut BTreeMap<SessionName, Repository>,
) -> Result<()> {
    let mut chosen = Vec::new();
    for name in found.keys() {
        if is_scope_chosen(store, name)? {
            chosen.push(name.clone());
        }
    }
    found.retain(|name, _| !chosen.contains(name));
    Ok(())
}

/// The sessions whose transcripts are still there and began in a repository.
fn by_transcript(
    context: &Context,
    (place, format): (&str, ImportFormat),
    open: &[SessionName],
) -> Vec<(SessionName, Repository)> {
    let disk = &*context.host.disk;
    let Some(user_home) = &context.host.environment.user_home else {
        return Vec::new();
    };
    let mut files = ConversationFiles::default();
    // Without the directory, or without access to it, nothing is known.
    if find(disk, &user_home.join(place), DEPTH_MAX, &mut files).is_err() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for path in files.files {
        let names = names_of_transcript(format, &path);
        let Some(name) = open.iter().find(|name| names.contains(name)) else {
            continue;
        };
        let read = conversations_of(disk, &path, Some(format)).unwrap_or_default();
        for conversation in read.into_iter().flatten() {
            let source = (conversation.format, &conversation.source);
            let located = repository::of_conversation(source, None);
            if let (Some(here), None) = (located.repository, located.doubt) {
                found.push((name.clone(), here));
            }
        }
    }
    found
}

/// Adds the sessions that copied from one of those found.
fn with_forks(
    store: &SessionStore,
    outside: &[SessionName],
    found: &mut BTreeMap<SessionName, Repository>,
) {
    let lineages = outside
        .iter()
        .filter_map(|name| Some((name, store.lineage(name).ok()?)));
    let lineages: Vec<_> = lineages.collect();
    // A fork of a fork needs another round.
    loop {
        let is_new = |name: &SessionName| !found.contains_key(name);
        let forks = lineages.iter().filter(|(name, _)| is_new(name));
        let forks = forks.filter_map(|(name, lineage)| {
            let parent = lineage.parent.as_ref()?;
            let (original, _) = lineages.iter().find(|(_, it)| it.session == *parent)?;
            Some(((*name).clone(), found.get(*original)?.clone()))
        });
        let forks: Vec<(SessionName, Repository)> = forks.collect();
        if forks.is_empty() {
            return;
        }
        found.extend(forks);
    }
}

fn finding(
    (name, what): (&SessionName, &str),
    here: &Repository,
) -> Result<DoctorFinding, SessionNameError> {
    let wanted = here.session_name(name.as_str())?;
    Ok(DoctorFinding::new(&SCOPE, what)
        .at(format!("sessions/{name}.jsonl"))
        .mended_by(Mend::Relocate(name.clone(), wanted)))
}
