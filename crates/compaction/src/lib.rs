//! Decides which messages leave the window and builds the requests for notes and summaries, all as data.
//!
//! Never writes, never calls a model, and does not depend on `memory`.
//!
//! Before each request: [`show()`] the view, count its tokens with [`Shown::usage`], find out what [`leaves`], and
//! [`decide`]. On [`Action::Now`], the strategy makes a [`plan`]:
//!
//! - If a flush is needed, ask with [`flush_request`], parse with [`read_notes`] and check with [`settle_notes`].
//! - The [rungs](Rung) that ask a model or the offline engine freeze a [`SummaryBrief`], ask with
//!   [`summary_request`] and parse with [`render_summary`]. Discard a summary that is not
//!   [effective](SummaryPlan::is_effective) and go down the [`Ladder`]. [`Rung::Truncate`] is a [`truncation`].
//! - Append the [`compaction_entry`] to the transcript.

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
pub use settings::{Free, PrunedTools, WindowSettings};
pub use usage::Scale;

pub use oversized::shorten_results;
pub use show::show;
pub use shown::Shown;

pub use cut::{cut, cut_point, is_safe_point, keep_recent};
pub use rung::{Breaker, Demand, Ladder, Rung};
pub use trigger::{
    Action, CompactionState, ContextUsage, FlushNeed, JobState, Leaves, decide, flush_need,
    is_effective,
};

pub use audit::Audit;
pub use flush::{
    FlushMode, FlushNote, FlushNotes, FlushReplyError, FlushSection, Grounds, NoteRefusal,
    ProposedNote, RefusedNote, SMALL_WINDOW, flush_request, flush_retry_request, least_trusted,
    quoted_notes, read_notes, sentence_request, settle_notes,
};
pub use memories::{MEMORY_ROUNDS_MAX, SavedMemories, memories_request};
pub use shorten::middle;
pub use strategy::{
    Middle, Permille, Policy, Replace, Strategy, Tiered, Waiting, compaction_entry, leaves, plan,
    plan_up_to, truncation,
};
pub use summarise::{
    Summary, SummaryBrief, SummaryParts, SummaryPlan, SummaryReplyError, fits_whole, merge_request,
    read_part, read_summary, render_summary, retry_request, spare_room, summary_evidence,
    summary_request, without_oversized,
};
pub use transcript::{AsOf, excerpts};
pub use truncate::{Truncation, truncate};

pub use event::{Dropped, FlushOutcome, Pressure, Summarised, WindowEvent};
