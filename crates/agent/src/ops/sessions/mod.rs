//! Operations on sessions. They change nothing.

mod expand;
mod messages;
mod timeline;
mod window;

pub use expand::{ExpandFrom, ExpandReply, ExpandSession};
pub use messages::{ReadItem, ReadSession, ReadSessionReply};
pub use timeline::{SessionTimeline, TimelineReply};
pub use window::{SessionWindow, WindowItem, WindowReply};
