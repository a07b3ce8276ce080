//! Finds notes and candidates whose session no longer exists, and sessions that are copies of others.
//!
//! Changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use base::layout::session_of_path;
use memory::candidates::Evidence;
use memory::{PlannedCandidate, forgettable_candidates, note_paths, noted_sessions};

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use crate::prelude::*;

const SESSION_GONE: CheckRow = CheckRow {
    code: "sessionGone",
    checks: "The session of each note and of each candidate exists.",
    weight: FindingWeight::Note,
    fix: "keep it, or remove it with `openclaw memory forget FILE:LINE` or `openclaw dream reject ID`",
};

const SESSION_TWICE: CheckRow = CheckRow {
    code: "sessionTwice",
    checks: "Each session has its own id.",
    weight: FindingWeight::Warning,
    fix: "delete the copy with `openclaw session delete NAME --yes`",
};

pub(super) const KINDS: [CheckRow; 2] = [SESSION_GONE, SESSION_TWICE];

pub(super) fn sessions(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let store = context.sessions(home);
    let mut names: BTreeMap<String, Vec<SessionName>> = BTreeMap::new();
    for name in store.names()? {
        // `transcripts` reports a session that cannot be read.
        if let Ok(lineage) = store.lineage(&name) {
            let id = lineage.session.to_string();
            names.entry(id).or_default().push(name);
        }
    }
    let workspace = context.host.workspace(home);
    let mut findings = copies(&names);
    for path in note_paths(&workspace) {
        // Other checks report a note that cannot be read.
        let noted = noted_sessions(&workspace, &path).unwrap_or_default();
        let gone = noted.into_iter().filter(|(_, id)| !names.contains_key(id));
        findings.extend(gone.map(|(line, _)| {
            let place = format!("{path}:{line}");
            let hint = format!("keep it, or remove it with `openclaw memory forget {place}`");
            gone_at(format!("workspace/{place}"), hint)
        }));
    }
    let there: BTreeSet<&str> = names.values().flatten().map(SessionName::as_str).collect();
    let is_there = |own: &Evidence| session_of_path(&own.path).is_none_or(|it| there.contains(it));
    for (candidate, lines) in forgettable_candidates(&workspace)? {
        if !candidate.evidence.is_empty() && !candidate.evidence.iter().any(is_there) {
            let place = PlannedCandidate::place_of(lines);
            let hint = format!(
                "keep it, or remove it with `openclaw dream reject {}`",
                candidate.id
            );
            findings.push(gone_at(format!("workspace/{place}"), hint));
        }
    }
    Ok(findings)
}

fn gone_at(place: String, hint: String) -> DoctorFinding {
    let what = "the session that it was made from no longer exists";
    DoctorFinding::new(&SESSION_GONE, what)
        .with_hint(hint)
        .at(place)
}

/// The sessions that have the id of another, such as a copy of its file under another name.
fn copies(names: &BTreeMap<String, Vec<SessionName>>) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    for same in names.values() {
        if let Some((first, others)) = same.split_first() {
            findings.extend(others.iter().map(|copy| {
                let what = format!(
                    "it has the id of session {first}, so one of them is a copy and counts twice"
                );
                let hint = format!(
                    "delete the copy: `openclaw session delete {copy} --yes`, or the other: \
                     `openclaw session delete {first} --yes`"
                );
                let finding = DoctorFinding::new(&SESSION_TWICE, what).with_hint(hint);
                finding.at(format!("sessions/{copy}.jsonl"))
            }));
        }
    }
    findings
}
