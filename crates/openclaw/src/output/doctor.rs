//! What is wrong with a home, for people and programs.
//!
//! Finds nothing itself.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

use super::human::{heading, printable};
use super::session_list::grouped;
use super::wrap::wrap;
use crate::doctor::{Finding, Weight};
use crate::environment::Stream;

/// So many of a kind are shown to people, the first; programs are told all.
const SHOWN_OF_KIND_MAX: usize = 5;

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

impl FindingReport {
    /// The word before it.
    fn weight(&self) -> &'static str {
        if self.fixed { "mended" } else { self.weight }
    }
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
    for kind in kinds(report) {
        for it in kind.iter().take(SHOWN_OF_KIND_MAX) {
            line(&mut text, it);
        }
        let n_more = kind.len().saturating_sub(SHOWN_OF_KIND_MAX) as u64;
        if let Some(first) = kind.first().filter(|_| n_more > 0) {
            let (weight, n_more) = (heading(first.weight()), grouped(n_more));
            writeln!(text, "{weight}  and {n_more} more like these").unwrap_or_default();
            writeln!(text, "  next: openclaw doctor --json names all").unwrap_or_default();
        }
    }
    wrap(&text, stdout.text_columns(), "    ")
}

/// What was found, what is of one kind together; the kinds in the order of their first.
fn kinds(report: &DoctorReport) -> Vec<Vec<&FindingReport>> {
    let mut places = HashMap::new();
    let mut kinds: Vec<Vec<&FindingReport>> = Vec::new();
    for it in &report.findings {
        let place = *places.entry((it.weight(), it.code)).or_insert(kinds.len());
        match kinds.get_mut(place) {
            Some(kind) => kind.push(it),
            None => kinds.push(vec![it]),
        }
    }
    kinds
}

fn line(text: &mut String, it: &FindingReport) {
    let place = it.place.as_deref().map(printable);
    let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
    let (weight, message) = (heading(it.weight()), printable(&it.message));
    // Writing to a String cannot fail, here and above.
    writeln!(text, "{weight}  {place}{message}").unwrap_or_default();
    if !it.fixed && !it.hint.is_empty() {
        writeln!(text, "  next: {}", printable(&it.hint)).unwrap_or_default();
    }
}
