//! The owner's tool servers behind the port `ToolServers`, by the Model Context Protocol.
//!
//! Starts nothing that it was not told to, reads no environment, and holds no policy of the agent.

mod settings;

mod listing;
mod reply;

mod connection;
mod servers;

pub use servers::{Problem, Servers};
pub use settings::{Hidden, Reach, ServerSettings};
