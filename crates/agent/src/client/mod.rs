//! Turns of programs that keep the conversation themselves and send all of it each time.
//!
//! Stores nothing twice: what is there already is found again, and only what follows it is appended.

mod align;
mod branch;
mod conversation;
mod session;
mod take_up;

pub use conversation::ClientConversation;
pub(crate) use conversation::ClientFrame;
pub use session::session_of;
pub(crate) use take_up::take_up;
