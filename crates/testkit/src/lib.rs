//! Shared test tools: a temporary home, servers that follow a script, synthetic conversations.
//!
//! Never part of the program.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up has failed"
)]

mod age_keys;
mod arguments;
mod binary;
mod chat_server;
mod duration;
mod home;
mod http_service;
pub mod mcp_client;
mod normalise;
mod odd_files;
mod run;
mod trace;
mod transcript;
mod words;

mod context_view;
mod conversation;
mod noted;
mod tool_server;

pub use age_keys::{OTHER_SECRET, SECRET};
pub use arguments::Arguments;
pub use binary::{binary, fleet_binary};
pub use chat_server::{ChatServer, ReceivedRequest, ServerAnswer};
pub use context_view::context_view;
pub use conversation::{TimedMessage, conversation, to_jsonl};
pub use home::{TestHome, piped, send, signal};
pub use http_service::{Answered, HttpService, answered};
pub use noted::{ShownLine, noted, shown_lines};
pub use odd_files::{files_below, home_with_odd_files};
pub use run::ProgramRun;
pub use tool_server::{pid_file, tool_server};
pub use trace::{record_trace, replay_trace};
pub use transcript::{LogBlock, LogNote, Stored, Transcript, log_blocks, log_blocks_in};
pub use words::{each, fields, one_line};

pub use base::test_kit::Words;
