//! The audit of a span: the items that a summary should keep, and the index of the span.
//!
//! Reads redacted text only, so that no secret gets into an index or a summary. Audits only text that the owner typed
//! or the assistant answered: a model may leave out parts of a page, a mail or a tool's output, and the audit must
//! not ask for them again.

use base::{Message, Origin, TAKEN_OUT, own_words, redact};
use session::{Artifacts, ViewItem};

use super::artifacts::{Files, failed_calls};
use super::held::{holds, says};
use super::identifiers::{MessageText, Standing, Tallies, listed};
use crate::shorten;
use crate::summarise::{EXACT_SEPARATOR, SummaryPlan, added_identifiers, without_frame};

/// One identifier is audited for this many tokens of the summary...
const TOKENS_EACH: u64 = 40;

/// ...but at most this many in total.
const AUDITED_MAX: usize = 24;

/// The model is asked again if its summary lacks more than this share of the audited items, in hundredths.
const LACKING_PERCENT: usize = 10;

/// Maximum length of the last request, in characters.
const REQUEST_CHARS_MAX: usize = 240;

/// The items that a summary of a span should keep, and the index of the span.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Audit {
    /// Identifiers in the words of the owner and the assistant, most used first. A summary lists as many of them as
    /// fit...
    identifiers: Vec<String>,
    /// ...and its retention is measured by the first `n_audited`.
    n_audited: usize,
    /// Identifiers that a summary may list as well if there is room: those mentioned only once, or only in the
    /// earlier summary.
    others: Vec<String>,
    /// The owner's last request, on one line.
    last_request: Option<String>,
    artifacts: Artifacts,
}

impl Audit {
    /// Audits the span of a plan.
    pub fn of(plan: &SummaryPlan) -> Self {
        let said = plan.span.iter().filter_map(|item| {
            let message = item.message()?;
            Some((item, message, text_of(message), spoken(item, message)))
        });
        let said: Vec<_> = said.collect();
        let failed = failed_calls(said.iter().map(|(_, message, ..)| *message));
        let mut tallies = Tallies::default();
        let mut files = Files::default();
        let mut earlier = Vec::new();
        if let Some((item, summary)) = plan.previous() {
            earlier = Tallies::in_earlier(&without_frame(summary));
            let added = added_identifiers(summary).unwrap_or_default();
            tallies.carry(&listed(added, EXACT_SEPARATOR), &item.entry);
        }
        let of = said.len();
        for (at, (item, message, text, own)) in said.iter().enumerate() {
            let by = item.origin;
            let mentions = MessageText {
                text,
                own,
                by,
                at,
                of,
            };
            tallies.count(mentions, &item.entry);
            files.take(message, text, &item.entry, &failed);
        }
        let asked = said.iter().rev().find(|(_, message, _, own)| {
            matches!(message, Message::User { .. }) && own.contains(char::is_alphanumeric)
        });
        let found = tallies.ranked();
        let of = |standing: Standing| {
            let found = found.iter().filter(move |(_, own)| *own == standing);
            found.map(|(found, _)| found.text.clone())
        };
        Self {
            identifiers: of(Standing::Audited).collect(),
            others: earlier.into_iter().chain(of(Standing::Said)).collect(),
            n_audited: n_audited(plan),
            last_request: asked.map(|(.., own)| one_line(own)),
            artifacts: Artifacts {
                files: files.listed(),
                identifiers: found.into_iter().map(|(found, _)| found).collect(),
            },
        }
    }

    /// The files and identifiers of the span.
    pub fn artifacts(&self) -> &Artifacts {
        &self.artifacts
    }

    /// Share of the audited items that a text contains, in hundredths, rounded down; 100 if there are none.
    pub fn retention_percent(&self, text: &str) -> u64 {
        let n_audited = self.audited().len() + usize::from(self.last_request.is_some());
        let missing = self.audited().iter().filter(|it| !holds(text, it));
        let n_missing = missing.count() + usize::from(self.missing_request(text).is_some());
        let n_held = n_audited.saturating_sub(n_missing);
        u64::try_from(n_held * 100 / n_audited.max(1))
            .unwrap_or(100)
            .max(u64::from(n_audited == 0) * 100)
    }

    /// The identifiers that a text does not contain, most used first.
    pub(crate) fn missing_identifiers<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = &'a str> {
        self.identifiers
            .iter()
            .map(String::as_str)
            .filter(move |identifier| !holds(text, identifier))
    }

    /// The optional identifiers that a text does not contain.
    pub(crate) fn missing_others<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let others = self.others.iter().map(String::as_str);
        let is_new = |it: &&str| !self.identifiers.iter().any(|own| own == it);
        others.filter(move |it| is_new(it) && !holds(text, it))
    }

    /// The last request, if a text does not contain it.
    pub(crate) fn missing_request(&self, text: &str) -> Option<&str> {
        let request = self.last_request.as_deref()?;
        (!says(text, request)).then_some(request)
    }

    fn audited(&self) -> &[String] {
        let n_audited = self.n_audited.min(self.identifiers.len());
        self.identifiers.get(..n_audited).unwrap_or_default()
    }

    /// The items to ask the model for once more, given its finished summary. Empty unless the summary lacks more than
    /// a tenth of the audited identifiers. A missing request alone is no reason to ask, because a paraphrased request
    /// looks like a missing one.
    pub fn gaps(&self, summary: &str) -> Vec<String> {
        let audited = self.audited();
        let missing: Vec<&String> = audited.iter().filter(|it| !holds(summary, it)).collect();
        if missing.len() * 100 <= audited.len() * LACKING_PERCENT {
            return Vec::new();
        }
        let request = self.missing_request(summary).map(str::to_owned);
        let missing = missing.into_iter().cloned();
        request.into_iter().chain(missing).collect()
    }
}

fn n_audited(plan: &SummaryPlan) -> usize {
    let n_audited = usize::try_from(plan.output_max.0 / TOKENS_EACH);
    n_audited.unwrap_or(AUDITED_MAX).min(AUDITED_MAX)
}

/// The redacted text of a message, with the arguments of its calls.
fn text_of(message: &Message) -> String {
    let mut text = message.text();
    for call in message.tool_calls() {
        text.push('\n');
        text.push_str(&call.arguments);
    }
    redact(&text).into_owned()
}

/// The redacted text that the owner typed or the assistant answered; empty for other authors.
fn spoken(item: &ViewItem, message: &Message) -> String {
    let text = || redact(&message.text()).into_owned();
    match (message, item.origin) {
        (Message::User { .. }, Origin::Owner) => own_words(&text()),
        (Message::Assistant(_), Origin::Agent) => text(),
        (Message::User { .. } | Message::Assistant(_) | Message::ToolResult(_), _) => String::new(),
    }
}

fn one_line(own: &str) -> String {
    let text = own.replace(TAKEN_OUT, "[...]");
    shorten::capped(&shorten::single(&text), REQUEST_CHARS_MAX)
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
