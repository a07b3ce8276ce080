//! Shared test tools: a temporary home, servers that follow a script, synthetic conversations.
//!
//! Never used by the program.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up has failed"
)]

mod arguments;
mod binary;
mod chat_server;
mod home;
pub mod mcp_client;
mod normalise;
mod run;
mod transcript;
mod words;

mod context_view;
mod conversation;
mod noted;
mod tool_server;

pub use arguments::Arguments;
pub use binary::binary;
pub use chat_server::{ChatServer, ReceivedRequest, ServerAnswer};
pub use context_view::context_view;
pub use conversation::{TimedMessage, conversation, to_jsonl};
pub use home::{TestHome, piped, send, signal};
pub use noted::{ShownLine, noted, shown_lines};
pub use run::ProgramRun;
pub use tool_server::{pid_file, tool_server};
pub use transcript::{LogBlock, Stored, Transcript, log_blocks};
pub use words::{each, fields, one_line};

pub use base::test_kit::Words;
