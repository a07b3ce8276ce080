//! The audit of a span: what a summary must hold, and the index of the span.
//!
//! Reads redacted text only, so that no secret reaches an index or a summary.

use base::{Message, redact};
use session::Artifacts;

use super::artifacts::{Files, failed_calls};
use super::claim::{AuditedClaim, Cues, claims};
use super::held::{Needs, TextWords, holds};
use super::identifiers::{IdentifierSource, Tallies, listed};
use crate::summarise::{EXACT_HEADING, EXACT_SEPARATOR, SummaryPlan, without_frame};

/// Ask the model again if its reply lacks more than this share, in hundredths, of the most used identifiers.
const LACKING_PERCENT: usize = 20;
const LOOKED_AT: usize = 24;

/// What a summary of a span must keep, and the index of the span.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Audit {
    /// What a summary must hold verbatim, most used first.
    identifiers: Vec<String>,
    claims: Vec<AuditedClaim>,
    artifacts: Artifacts,
}

impl Audit {
    /// Audits the span of a plan.
    pub fn of(plan: &SummaryPlan, cues: Cues) -> Self {
        let said = plan.span.iter().filter_map(|item| {
            let message = item.message()?;
            Some((item, message, text_of(message)))
        });
        let said: Vec<_> = said.collect();
        let failed = failed_calls(said.iter().map(|(_, message, _)| *message));
        let mut tallies = Tallies::default();
        let mut files = Files::default();
        if let Some((item, summary)) = plan.previous() {
            let listed = listed(summary, EXACT_HEADING, EXACT_SEPARATOR);
            tallies.carry(&listed, &item.entry);
            // The frame names entries and tools of ours.
            let said = without_frame(summary);
            tallies.count(&said, IdentifierSource::Summary, &item.entry);
        }
        let n_said = said.len();
        for (at, (item, message, text)) in said.iter().enumerate() {
            let source = IdentifierSource::Said {
                by: item.origin,
                at,
                of: n_said,
            };
            tallies.count(text, source, &item.entry);
            files.take(message, text, &item.entry, &failed);
        }
        let found = tallies.ranked();
        let audited = found.iter().filter(|(_, is_audited)| *is_audited);
        let identifiers = audited.map(|(found, _)| found.text.clone()).collect();
        let messages = said.iter();
        let messages = messages.map(|(item, message, text)| (&item.entry, *message, text.as_str()));
        Self {
            identifiers,
            claims: claims(messages, cues),
            artifacts: Artifacts {
                files: files.listed(),
                identifiers: found.into_iter().map(|(found, _)| found).collect(),
            },
        }
    }

    /// The index of the span.
    pub fn artifacts(&self) -> &Artifacts {
        &self.artifacts
    }

    /// Share of the audited items that a text holds, in hundredths, rounded down; 100 if there are none.
    pub fn retention_percent(&self, text: &str) -> u64 {
        let n_audited = self.identifiers.len() + self.claims.len();
        let n_missing = self.missing_identifiers(text).count() + self.missing_claims(text).len();
        let n_held = n_audited.saturating_sub(n_missing);
        u64::try_from(n_held * 100 / n_audited.max(1))
            .unwrap_or(100)
            .max(u64::from(n_audited == 0) * 100)
    }

    /// The identifiers that a text lacks, most used first.
    pub(crate) fn missing_identifiers<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = &'a str> {
        self.identifiers
            .iter()
            .map(String::as_str)
            .filter(move |identifier| !holds(text, identifier))
    }

    /// The claims that a text lacks, in order.
    pub(crate) fn missing_claims(&self, text: &str) -> Vec<&AuditedClaim> {
        let words = TextWords::of(text);
        let texts = || self.claims.iter().map(|claim| claim.text.as_str());
        let is_missing =
            |claim: &&AuditedClaim| !Needs::of(&claim.text, texts()).are_met(text, &words);
        self.claims.iter().filter(is_missing).collect()
    }

    /// What to ask the model for once more: missing claims and missing top identifiers. Empty if no claim and
    /// not too many of those identifiers are missing; the rest is added without asking.
    pub fn gaps(&self, reply: &str) -> Vec<String> {
        let most_used = self.identifiers.iter().take(LOOKED_AT);
        let missing: Vec<&String> = most_used
            .clone()
            .filter(|text| !holds(reply, text))
            .collect();
        let claims = self.missing_claims(reply);
        let lacks_many = missing.len() * 100 > most_used.len() * LACKING_PERCENT;
        if !lacks_many && claims.is_empty() {
            return Vec::new();
        }
        let texts = claims.iter().map(|claim| claim.text.clone());
        texts.chain(missing.into_iter().cloned()).collect()
    }
}

/// The redacted text of a message and the arguments of its calls.
fn text_of(message: &Message) -> String {
    let mut text = message.text();
    for call in message.tool_calls() {
        text.push('\n');
        text.push_str(&call.arguments);
    }
    redact(&text).into_owned()
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
