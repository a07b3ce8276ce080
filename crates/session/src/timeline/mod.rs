//! The timeline of a session: days, their events, and the size of the view over time.
//!
//! Holds counts, events and titles, no other content.

mod course;
mod moments;
mod read;
mod title;

pub use course::{
    MessageCounts, SessionPart, Timeline, TimelineDay, TimelineEvent, TimelineEventKind,
};
pub use moments::{ViewMoment, view_moments};
pub use read::{IsForgotten, TimelineRead, TranscriptTrouble, last_part, list_parts, timeline};
pub use title::shortened_title;
