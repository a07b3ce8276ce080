//! Agenda: promises, and what notes, `MEMORY.md` and messages without a note plan for the days ahead.
//!
//! Writes nothing, and derives nothing but dates.

use base::{Day, redact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use super::promises::{PromiseReply, PromiseStatus, listed};
use crate::agenda::{AgendaItem, agenda};

const DAYS_DEFAULT: u32 = 30;

/// A century.
pub const AGENDA_DAYS_MAX: u32 = 36_500;

/// Asks what lies ahead.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agenda {
    /// Number of days, from today on; 30 by default.
    #[schemars(range(min = 1, max = AGENDA_DAYS_MAX))]
    pub days: Option<u32>,
}

/// What lies ahead.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgendaReply {
    /// Today.
    #[schemars(with = "String")]
    pub from: Day,
    /// Number of days.
    pub days: u32,
    /// What is planned, by day; for one day the newest note first.
    pub items: Vec<AgendaItem>,
    /// The reminders by time: open promises of these days, and those that were told or ticked off; last those that come up
    /// with a subject.
    pub promises: Vec<PromiseReply>,
    /// Number of open reminders after these days.
    pub later: usize,
}

impl Operation for Agenda {
    type Reply = AgendaReply;

    fn run(self, at: &OpContext<'_>) -> Result<AgendaReply, OpError> {
        let (from, days) = (at.home.today(), self.days.unwrap_or(DAYS_DEFAULT));
        if !(1..=AGENDA_DAYS_MAX).contains(&days) {
            let why = format!("must be 1 to {AGENDA_DAYS_MAX}");
            return Err(OpError::invalid("days", why));
        }
        let items = agenda(at.home, days)?.into_iter();
        let items = items.filter(|item| !at.is_hidden(&item.place));
        let clean = |item: AgendaItem| AgendaItem {
            text: redact(&item.text).into_owned(),
            ..item
        };
        let is_near = |own: &PromiseReply| {
            let ahead = own.day.map(|day| (day.date() - from.date()).num_days());
            ahead.is_none_or(|n_days| n_days < i64::from(days))
        };
        let (promises, later) = listed(at)?.into_iter().partition::<Vec<_>, _>(is_near);
        let is_open = |own: &&PromiseReply| own.status == PromiseStatus::Open;
        Ok(AgendaReply {
            from,
            days,
            items: items.map(clean).collect(),
            promises,
            later: later.iter().filter(is_open).count(),
        })
    }
}
