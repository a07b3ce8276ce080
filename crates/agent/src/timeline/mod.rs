//! The course of a session as `session show` and the page draw it: days, events, tokens over time.
//!
//! Holds counts, events and titles, nothing else of what was said.

mod course;
mod moments;
mod read;
mod title;

pub use course::{
    MessageCounts, SessionPart, Timeline, TimelineDay, TimelineEvent, TimelineEventKind,
};
pub use moments::{ContextMoment, Frames, context_tokens};
pub use read::{TimelineRead, TranscriptTrouble, timeline};
pub use title::set_title;
