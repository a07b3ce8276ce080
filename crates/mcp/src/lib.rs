//! The owner's tool servers: implements the port `ToolServers` with the Model Context Protocol.
//!
//! Starts only configured servers, reads no environment, and holds no policy of the agent.

mod settings;

mod listing;
mod reply;

mod connection;
mod servers;

pub use servers::{ServerProblem, Servers};
pub use settings::{Hidden, Reach, ServerSettings};
