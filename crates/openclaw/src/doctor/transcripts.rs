//! Transcripts: damage, torn ends, and forms that this version does not write.
//!
//! Takes no lock and changes nothing.

use std::sync::Arc;

use session::{FindingKind, SessionName, SessionStore, Severity, VerifyReport, verify};

use super::finding::{Finding, Mend, Weight};
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::home::Home;

/// What is wrong with the sessions, a few words each.
pub(crate) fn look_at_transcripts(context: &Context<'_, '_>, home: &Home) -> Vec<Finding> {
    Finding::of_look(home, transcripts(context, home))
}

fn transcripts(context: &Context<'_, '_>, home: &Home) -> Result<Vec<Finding>, CliError> {
    let store = assistant::sessions(context.host, home, Arc::clone(&context.host.clock));
    let mut findings = Vec::new();
    for name in store.names()? {
        match look(&store, &name) {
            Ok(report) => findings.extend(of(&name, &report)),
            Err(error) => findings.push(Finding {
                weight: Weight::Problem,
                code: "transcript",
                place: Some(place(&name)),
                message: error.one_line(),
                hint: error
                    .hints
                    .first()
                    .cloned()
                    .unwrap_or_else(|| format!("openclaw session verify {name}")),
                mend: None,
            }),
        }
    }
    Ok(findings)
}

fn look(store: &SessionStore, name: &SessionName) -> Result<VerifyReport, CliError> {
    Ok(verify(store.lines(name)?)?)
}

fn place(name: &SessionName) -> String {
    format!("sessions/{name}.jsonl")
}

/// The torn end by itself, for it can be mended, and one line for all else.
fn of(name: &SessionName, report: &VerifyReport) -> Vec<Finding> {
    let is_torn = |kind: &FindingKind| matches!(kind, FindingKind::TornTail { .. });
    let torn = report.findings.iter().find(|it| is_torn(&it.kind));
    let mut findings: Vec<Finding> = torn
        .map(|torn| Finding {
            weight: Weight::Warning,
            code: "tornEnd",
            place: Some(place(name)),
            message: torn.kind.to_string(),
            hint: "openclaw doctor --fix".to_owned(),
            mend: Some(Mend::CutTornEnd(name.clone())),
        })
        .into_iter()
        .collect();
    let others = report
        .findings
        .iter()
        .filter(|it| it.severity() != Severity::Note && !is_torn(&it.kind));
    let others: Vec<_> = others.collect();
    if let Some(first) = others.first() {
        let can_be_set_aside = others.iter().any(|it| it.kind.can_be_set_aside());
        let hint = if can_be_set_aside {
            format!("openclaw session repair {name}")
        } else {
            format!("openclaw session verify {name}")
        };
        let is_error = others.iter().any(|it| it.severity() == Severity::Error);
        let more = match others.len() {
            1 => String::new(),
            n_others => format!(", and {} more", n_others - 1),
        };
        findings.push(Finding {
            weight: if is_error {
                Weight::Problem
            } else {
                Weight::Warning
            },
            code: "transcript",
            place: Some(format!("{}:{}", place(name), first.line)),
            message: format!("{}{more}", first.kind),
            hint,
            mend: None,
        });
    }
    findings
}
