//! Checks transcripts: damage, torn ends, and other format versions.
//!
//! Takes no lock and changes nothing.

use session::{FindingKind, Severity, VerifyReport, verify};

use super::finding::{CheckRow, DoctorFinding, FindingWeight, Mend};
use crate::prelude::*;

const TORN_END: CheckRow = CheckRow {
    code: "tornEnd",
    checks: "No transcript ends within a line.",
    weight: FindingWeight::Warning,
    fix: TORN_END_HINT,
};

const TRANSCRIPT: CheckRow = CheckRow {
    code: "transcript",
    checks: "Each transcript can be read and continued.",
    weight: FindingWeight::Problem,
    fix: "`openclaw session verify SESSION`",
};

pub(super) const KINDS: [CheckRow; 2] = [TORN_END, TRANSCRIPT];

/// Finds problems in all transcripts.
pub(super) fn sound(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let store = context.sessions(home);
    let mut findings = Vec::new();
    for name in store.names()? {
        match look(&store, &name) {
            Ok(report) => findings.extend(of(&store, &name, &report)),
            Err(error) => {
                let mut finding = DoctorFinding::of_failure(&TRANSCRIPT, &error);
                if error.hints.is_empty() {
                    finding.hint = format!("`openclaw session verify {name}`");
                }
                findings.push(finding.at(place(&name)));
            }
        }
    }
    Ok(findings)
}

fn look(store: &SessionStore, name: &SessionName) -> Result<VerifyReport> {
    Ok(verify(store.lines(name)?)?)
}

fn place(name: &SessionName) -> String {
    format!("sessions/{name}.jsonl")
}

/// One finding for a torn end, because `--fix` repairs it, and one for everything else.
fn of(store: &SessionStore, name: &SessionName, report: &VerifyReport) -> Vec<DoctorFinding> {
    let is_torn = |kind: &FindingKind| matches!(kind, FindingKind::TornTail(..));
    let torn = report.findings.iter().find(|it| is_torn(&it.kind));
    let mut findings = Vec::new();
    if let Some(torn) = torn {
        let what = torn.kind.to_string();
        let finding = DoctorFinding::new(&TORN_END, what).at(place(name));
        findings.push(finding.mended_by(Mend::CutTornEnd(name.clone())));
    }
    let others: Vec<_> = report
        .findings
        .iter()
        .filter(|it| it.kind.severity() != Severity::Note && !is_torn(&it.kind))
        .cloned()
        .collect();
    if let Some(first) = others.first() {
        let hint = next_of_transcript(store, name, &others).unwrap_or_default();
        let more = match others.len() {
            1 => String::new(),
            n_others => format!(", and {} more", n_others - 1),
        };
        let what = format!("{}{more}", first.kind);
        let finding = DoctorFinding::new(&TRANSCRIPT, what).with_hint(hint);
        let finding = finding.with_weight(weight(&others));
        findings.push(finding.at(format!("{}:{}", place(name), first.line)));
    }
    findings
}

/// A note, unless a finding limits reading or writing.
fn weight(findings: &[session::VerifyFinding]) -> FindingWeight {
    if findings
        .iter()
        .any(|it| it.kind.severity() == Severity::Error)
    {
        FindingWeight::Problem
    } else if findings.iter().any(matters) {
        FindingWeight::Warning
    } else {
        FindingWeight::Note
    }
}

/// Whether the finding limits reading or writing.
fn matters(finding: &session::VerifyFinding) -> bool {
    finding.kind.severity() == Severity::Error
        || matches!(finding.kind, FindingKind::OtherVersion(..))
}

const TORN_END_HINT: &str = "the next message repairs it; `openclaw doctor --fix` repairs it now";

/// What to type next for a transcript with these findings; `None` if nothing is wrong.
pub(crate) fn next_of_transcript(
    store: &SessionStore,
    name: &SessionName,
    findings: &[session::VerifyFinding],
) -> Option<String> {
    let holds = |is_it: fn(&FindingKind) -> bool| findings.iter().any(|it| is_it(&it.kind));
    Some(if holds(|it| matches!(it, FindingKind::NewerVersion(..))) {
        "update openclaw; this version reads what it understands".to_owned()
    } else if findings.iter().any(matters) {
        // An unreadable session has no known fork.
        match store.copied_by(name, None).unwrap_or_default().first() {
            Some(fork) => format!(
                "continue in its fork with `openclaw chat -s {fork}`, or fork it again: \
                 `openclaw session fork {name} NEW`"
            ),
            None => format!(
                "`openclaw session fork {name} NEW` continues in an intact session with this one's view"
            ),
        }
    } else if holds(|it| matches!(it, FindingKind::TornTail(..))) {
        TORN_END_HINT.to_owned()
    } else if holds(|it| matches!(it, FindingKind::NotBegun)) {
        "nothing to do: the first message starts it".to_owned()
    } else if holds(|it| it.severity() != Severity::Note) {
        "nothing to do: the session can be read and continued as it is".to_owned()
    } else {
        return None;
    })
}
