//! What must leave the window: decisions as data, made from tokens and entries.
//!
//! Never writes, calls no model, and never imports memory.
//!
//! Before each request: [`show()`] the view, count with [`Shown::usage`], ask which of it [`leaves`], and
//! [`decide`]. Where that says [`Action::Now`], the strategy makes a [`plan`]:
//!
//! - a flush that is needed asks with [`flush_request`], reads with [`read_notes`] and judges with [`settle_notes`];
//! - the [rungs](Rung) that ask an engine freeze a [`SummaryBrief`], ask with [`summary_request`] and read
//!   with [`render_summary`]; a summary that is not [effective](SummaryPlan::is_effective) is thrown
//!   away and the [`Ladder`] goes on without that rung; [`Rung::Truncate`] is a [`truncation`];
//! - [`compaction_entry`] is what the transcript gets.

mod budget;
mod settings;
mod usage;

mod oversized;
mod pairing;
mod prune;
mod show;
mod shown;

mod cut;
mod rung;
mod trigger;

mod audit;
mod flush;
mod memories;
mod strategy;
mod summarise;
mod truncate;

mod markdown;
mod shorten;
mod transcript;

mod event;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod pipeline_tests;

pub use budget::{Budget, BudgetError, WindowSource, WindowWarning, check_window};
pub use settings::{Free, PrunedTools, Settings};
pub use usage::Scale;

pub use oversized::shorten_results;
pub use show::show;
pub use shown::{ShowNotes, Shown};

pub use cut::{cut, cut_point, is_safe_point, keep_recent};
pub use rung::{Breaker, Demand, Ladder, Rung};
pub use trigger::{
    Action, CompactionState, ContextUsage, FlushNeed, JobState, Leaves, decide, flush_need,
    is_effective,
};

pub use audit::{Audit, Cues};
pub use flush::{
    FlushMode, FlushNote, FlushNotes, FlushReplyError, FlushSection, Grounds, NoteRefusal,
    ProposedNote, RefusedNote, SMALL_WINDOW, Settled, flush_request, flush_retry_request,
    least_trusted, quoted_notes, read_notes, sentence_request, settle_notes,
};
pub use memories::{MEMORY_ROUNDS_MAX, SavedMemories, memories_request};
pub use shorten::middle;
pub use strategy::{
    Middle, Policy, Replace, Share, Strategy, Tiered, Waiting, compaction_entry, leaves, plan,
    plan_up_to, truncation,
};
pub use summarise::{
    Summary, SummaryBrief, SummaryParts, SummaryPlan, SummaryReplyError, fits_whole, merge_request,
    read_part, read_summary, render_summary, retry_request, spare_room, summary_evidence,
    summary_request, without_oversized,
};
pub use transcript::{AsOf, excerpts};
pub use truncate::{Truncation, truncate};

pub use event::{Dropped, Event, FlushOutcome, Pressure, Summarised};
