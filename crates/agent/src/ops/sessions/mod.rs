//! Operations on sessions. They change nothing.

mod expand;
mod timeline;
mod window;

pub use expand::{ExpandFrom, ExpandReply, ExpandSession};
pub use timeline::{SessionTimeline, TimelineReply};
pub use window::{SessionWindow, WindowItem, WindowReply};
