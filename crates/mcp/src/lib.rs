//! The owner's tool servers: implements the port `ToolServers` with the Model Context Protocol.
//!
//! Starts only configured servers, reads no environment, and makes none of the agent's decisions.

mod settings;

mod listing;
mod reply;

mod connection;
mod servers;

pub use servers::{ServerProblem, Servers};
pub use settings::{Hidden, Reach, ServerSettings};
