//! Checks transcripts: damage, torn ends, and other format versions.
//!
//! Takes no lock and changes nothing.

use session::{FindingKind, Severity, VerifyReport, verify};

use super::finding::{DoctorFinding, FindingWeight, Mend};
use crate::prelude::*;

/// Finds problems in all transcripts.
pub(crate) fn look_at_transcripts(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    DoctorFinding::of_look(home, transcripts(context, home))
}

fn transcripts(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let store = context.sessions(home);
    let mut findings = Vec::new();
    for name in store.names()? {
        match look(&store, &name) {
            Ok(report) => findings.extend(of(&name, &report)),
            Err(error) => {
                let hint = format!("`openclaw session verify {name}`");
                let finding = DoctorFinding::of_failure("transcript", &error, &hint);
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
fn of(name: &SessionName, report: &VerifyReport) -> Vec<DoctorFinding> {
    let is_torn = |kind: &FindingKind| matches!(kind, FindingKind::TornTail(..));
    let torn = report.findings.iter().find(|it| is_torn(&it.kind));
    let mut findings = Vec::new();
    if let Some(torn) = torn {
        let finding =
            DoctorFinding::new(FindingWeight::Warning, "tornEnd", torn.kind.to_string(), "");
        let mend = Mend::CutTornEnd(name.clone());
        findings.push(finding.at(place(name)).mended_by(mend));
    }
    let others: Vec<_> = report
        .findings
        .iter()
        .filter(|it| it.kind.severity() != Severity::Note && !is_torn(&it.kind))
        .cloned()
        .collect();
    if let Some(first) = others.first() {
        let hint = next_of_transcript(name, &others).unwrap_or_default();
        let more = match others.len() {
            1 => String::new(),
            n_others => format!(", and {} more", n_others - 1),
        };
        let what = format!("{}{more}", first.kind);
        let finding = DoctorFinding::new(weight(&others), "transcript", what, hint);
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

/// What to type next for a transcript with these findings; `None` if nothing is wrong.
pub(crate) fn next_of_transcript(
    name: &SessionName,
    findings: &[session::VerifyFinding],
) -> Option<String> {
    let is_newer = |it: &session::VerifyFinding| matches!(it.kind, FindingKind::NewerVersion(..));
    Some(if findings.iter().any(is_newer) {
        "update openclaw; this version reads what it understands".to_owned()
    } else if findings.iter().any(matters) {
        format!(
            "`openclaw session fork {name} NEW` continues in an intact session with this one's view"
        )
    } else if findings
        .iter()
        .any(|it| it.kind.severity() != Severity::Note)
    {
        "nothing to do: the session can be read and continued as it is".to_owned()
    } else {
        return None;
    })
}
