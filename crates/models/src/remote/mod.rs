//! Remote models: one adapter for all providers, on a client library.
//!
//! Reads no environment and writes no files; the caller passes in everything.

mod connection;
mod dialect;
mod key;

mod client;
mod form;
mod limits;
mod request;
mod set_up_error;

mod calls;
mod deadline;
mod reply;

mod failure;
mod overflow;
mod refusal;
mod said;

mod retry;

mod question;
mod relay;

mod listing;
mod local;
mod page;
mod pull;
mod webhook;
mod window;

mod model;

pub use client::{address, shown_address};
pub(crate) use client::{http_client, with_cryptography};
pub use connection::{Connection, Patience};
pub use dialect::Dialect;
pub(crate) use failure::{first_line, retry_after, root_cause};
pub(crate) use key::clean;
pub use key::{ApiKey, NoKey};
pub(crate) use limits::{BodyError, VECTORS_BYTES_MAX, body};
pub use listing::list_models;
pub use local::{LocalServer, local_servers};
pub use model::RemoteModel;
pub use pull::{PullError, PullProgress, pull_model};
pub(crate) use refusal::Refusal;
pub(crate) use retry::{waits, within_reason};
pub(crate) use said::said;
pub use set_up_error::SetUpError;
pub use webhook::post_json;
pub use window::{WindowReply, ask_window};
