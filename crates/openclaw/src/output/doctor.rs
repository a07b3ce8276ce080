//! What is wrong with a home, for people and programs.
//!
//! Finds nothing itself.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

use super::human::{heading, printable};
use super::wrap::wrap;
use crate::doctor::{Finding, Weight};
use crate::environment::Stream;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DoctorReport {
    home: String,
    findings: Vec<FindingReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingReport {
    weight: &'static str,
    code: &'static str,
    place: Option<String>,
    message: String,
    hint: String,
    fixed: bool,
    #[serde(skip)]
    matters: bool,
}

impl DoctorReport {
    /// Nothing yet.
    pub(crate) fn new(home: &Path) -> Self {
        Self {
            home: home.display().to_string(),
            findings: Vec::new(),
        }
    }

    /// Something that is wrong.
    pub(crate) fn add(&mut self, finding: &Finding) {
        self.findings.push(of(finding));
    }

    /// Something that was wrong.
    pub(crate) fn add_mended(&mut self, finding: &Finding) {
        self.findings.push(FindingReport {
            fixed: true,
            ..of(finding)
        });
    }

    /// Whether nothing has to be looked at.
    pub(crate) fn is_well(&self) -> bool {
        !self.findings.iter().any(|it| it.matters && !it.fixed)
    }
}

fn of(finding: &Finding) -> FindingReport {
    FindingReport {
        weight: finding.weight.name(),
        code: finding.code,
        place: finding.place.clone(),
        message: finding.message.clone(),
        hint: finding.hint.clone(),
        fixed: false,
        matters: Weight::matters(finding.weight),
    }
}

/// What was found, for people.
pub(crate) fn render(report: &DoctorReport, stdout: Stream) -> String {
    if report.findings.is_empty() {
        return format!("{} is well\n", report.home);
    }
    let mut text = String::new();
    for it in &report.findings {
        let weight = if it.fixed { "mended" } else { it.weight };
        let place = it.place.as_deref().map(printable);
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        let message = printable(&it.message);
        // Writing to a String cannot fail, here and below.
        writeln!(text, "{}  {place}{message}", heading(weight)).unwrap_or_default();
        if !it.fixed && !it.hint.is_empty() {
            writeln!(text, "  next: {}", printable(&it.hint)).unwrap_or_default();
        }
    }
    wrap(&text, stdout.text_columns(), "    ")
}
