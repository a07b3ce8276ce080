//! A candidate as every door shows it: its finding, its evidence and the change that it would make.
//!
//! Decides nothing.

use base::{Day, Origin, redact};
use memory::MemoryText;
use memory::candidates::{Candidate, CandidateId, Evidence, Status};
use schemars::JsonSchema;
use serde::Serialize;

use crate::review::{EvidenceSource, changed_lines};

/// A finding that may deserve to last.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CandidateReply {
    /// Its id.
    pub id: CandidateId,
    /// `pending`, `promoted`, `accepted` or `rejected`.
    pub status: &'static str,
    /// The text of the line.
    pub finding: String,
    /// The heading of `MEMORY.md` that it belongs under.
    pub section: String,
    /// The day on which it was last said.
    pub day: Day,
    /// `Daily Log`, `Note` for a note that is read in place, or `Session Replay`.
    pub found_in: &'static str,
    /// Its score, from 0 to 100.
    pub score: u32,
    /// Why it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Who answers for it.
    pub origin: Origin,
    /// What accepting it does, in words.
    pub suggested_action: String,
    /// The quotes that support it.
    pub evidence: Vec<EvidenceReply>,
    /// The parts of the score, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Vec<SignalReply>>,
    /// The lines of `MEMORY.md` that would go (`- `) and come (`+ `), if it waits and is shown alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Vec<String>>,
}

/// A quote that supports a finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceReply {
    /// Its file.
    pub path: String,
    /// The entry of the message, or a hash of the note.
    pub key: String,
    /// Its line.
    pub line: u64,
    /// Its day.
    pub day: Day,
    /// The quote.
    pub quote: String,
    /// The message or line with those around it, if the candidate is shown alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<EvidenceSource>,
    /// Whether the candidate is shown alone and the source cannot be found.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_gone: bool,
}

/// A part of a score.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SignalReply {
    /// What it measures.
    pub name: String,
    /// Its value, in hundredths.
    pub value: u32,
    /// Its weight in the score, in hundredths.
    pub weight: u32,
}

impl From<&Evidence> for EvidenceReply {
    fn from(own: &Evidence) -> Self {
        Self {
            path: own.path.clone(),
            key: own.key.clone(),
            line: own.line as u64,
            day: own.day,
            quote: redact(&own.quote).into_owned(),
            source: None,
            is_gone: false,
        }
    }
}

impl From<&Candidate> for CandidateReply {
    fn from(own: &Candidate) -> Self {
        Self {
            id: own.id.clone(),
            status: own.status.as_str(),
            finding: redact(&own.finding).into_owned(),
            section: own.section.clone(),
            day: own.day,
            found_in: own.found_in.as_str(),
            score: own.score,
            because: own.staged_because.clone(),
            origin: own.origin,
            suggested_action: redact(&own.action()).into_owned(),
            evidence: own.evidence.iter().map(EvidenceReply::from).collect(),
            signals: None,
            change: None,
        }
    }
}

impl CandidateReply {
    /// Whether it waits for the owner.
    pub fn is_waiting(&self) -> bool {
        self.status == Status::Pending.as_str()
    }

    /// Adds the source of each piece of evidence, in order; `None` if it is gone.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Option<&EvidenceSource>>) -> Self {
        for (own, source) in self.evidence.iter_mut().zip(sources) {
            own.is_gone = source.is_none();
            own.source = source.cloned();
        }
        self
    }

    /// Adds the parts of the score.
    #[must_use]
    pub fn with_signals(self, own: &Candidate) -> Self {
        let signals = own.signals.iter().map(|it| SignalReply {
            name: it.name.clone(),
            value: it.value,
            weight: it.weight,
        });
        Self {
            signals: Some(signals.collect()),
            ..self
        }
    }

    /// Adds what accepting it changes in `MEMORY.md`.
    #[must_use]
    pub fn with_change(self, before: &MemoryText, after: &MemoryText) -> Self {
        let lines = changed_lines(before, after).into_iter();
        let lines = lines.map(|(change, line)| format!("{} {line}", change.sign()));
        Self {
            change: Some(lines.collect()),
            ..self
        }
    }
}
