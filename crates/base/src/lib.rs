//! The types that every other crate shares, and the ports to the outside world.
//!
//! Makes no decisions, and is independent of vendors.

mod causes;
pub mod dates;
mod day;
mod fence;
mod hash;
mod home_parts;
mod id;
pub mod identifier;
mod invocation;
mod json_items;
pub mod layout;
mod locator;
mod locked;
mod message;
mod origin;
mod own_words;
mod parts;
mod script;
mod secrets;
mod sentence;
mod shortened;
mod source_error;
mod text;
mod timezone;
mod tokens;

mod clock;
pub mod disk;
mod embed;
mod estimate;
pub mod model;
mod reply_contract;
#[cfg(any(test, feature = "testing"))]
pub mod test_kit;
pub mod tool_server;

pub use causes::with_causes;
pub use clock::{Clock, FixedClock, SystemClock};
pub use day::{Day, ParseDayError, day, time_of_day};
pub use disk::Disk;
pub use embed::{
    EmbedError, EmbedRole, Embedder, EmbedderProfile, NEAR_COSINE_MIN, NEAR_MAX, WordVectors, dot,
};
pub use estimate::{estimate_message, estimate_text};
pub use fence::escaped;
pub use frostem as stem;
pub use hash::{content_hash, hex, short_hash};
pub use home_parts::{FolderKind, HomeParts, VAULT_MARKER, is_in, vault_around};
pub use id::{EntryId, SessionId, ToolCallId, scope_of, strictest_scope, without_scope};
pub use invocation::{Hint, Invocation, shell_quoted, shell_word};
pub use json_items::{JsonItems, json_items};
pub use layout::HomeLayout;
pub use locator::{LineRange, Locator, LocatorError};
pub use locked::locked;
pub use message::{
    Assistant, Block, Image, Message, StopReason, ToolCall, ToolOutcome, ToolResult,
};
pub use model::Model;
pub use origin::Origin;
pub use own_words::{TAKEN_OUT, own_lines, own_words};
pub use parts::{CLIENT_NAME, Markup, is_heading, markup_of, parted, sent_parts};
pub use reply_contract::{
    FLUSH_NOTES_MAX, FLUSH_SECTIONS, MEMORY_SECTIONS, NOTHING_TO_FLUSH, NOTHING_TO_KEEP,
    SUMMARY_SECTIONS,
};
#[doc(hidden)]
pub use schemars;
pub use script::{Script, is_unspaced, plain_letter};
pub use secrets::{REDACTED, redact, redact_lines};
pub use sentence::{only_asks, sentences, without_sentences};
pub use shortened::{shortened, shortened_before};
pub use source_error::SourceError;
pub use text::{QUESTION_MARKS, counted, head, n_words, numbered, tail, visible, words};
pub use timezone::Tz;
pub use tokens::{TokenCount, Usage};

/// A time in UTC. Only [`day()`] and [`time_of_day`] convert it to a date.
pub type Timestamp = chrono::DateTime<chrono::Utc>;
