//! The course of a session: days, what happened on them, and how large its view was.
//!
//! Holds counts, events and titles, nothing else of what was said.

mod course;
mod moments;
mod read;
mod title;

pub use course::{
    MessageCounts, SessionPart, Timeline, TimelineDay, TimelineEvent, TimelineEventKind,
};
pub use moments::{ViewMoment, view_moments};
pub use read::{IsForgotten, TimelineRead, TranscriptTrouble, timeline};
pub use title::shortened_title;
