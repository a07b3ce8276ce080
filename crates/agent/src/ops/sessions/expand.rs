//! Brings back the messages that a summary replaced, as many as fit.
//!
//! Chooses none itself.

use base::{EntryId, Timestamp, TokenCount, redact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use session::{EntrySelector, Epoch, SessionName};

use crate::expand::{ExpandError, ExpandOptions, ExpandOrder, Piece, expand};
use crate::knowledge::session_source::SessionSource;
use crate::ops::operation::{optional_instant, parsed_name};
use crate::ops::{OpContext, OpError, Operation};
use crate::runtime::{PRIMARY_SESSION, resume_limit};

const BUDGET_DEFAULT: u64 = 4_000;
const BUDGET_MAX: u64 = 100_000;

/// Which messages to bring back.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpandSession {
    /// The session; `main` by default.
    #[serde(alias = "session")]
    #[schemars(regex(pattern = r"^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$"))]
    pub name: Option<String>,
    /// The id of a summary or a message, or a prefix of it; the newest summary by default.
    pub entry: Option<String>,
    /// The epoch that the summary ended, in place of its id.
    pub epoch: Option<u64>,
    /// Only messages that contain one of these words, best first.
    pub query: Option<String>,
    /// Where to begin if not all fit, without a query; at both ends by default.
    pub from: Option<ExpandFrom>,
    /// Maximum number of tokens, up to 100,000; 4,000 by default.
    pub budget: Option<u64>,
}

/// Where to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ExpandFrom {
    /// With the first message.
    Start,
    /// With the last one.
    End,
}

base::words! { ExpandFrom: Start = "start", End = "end" }

/// The messages that a summary replaced.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpandReply {
    /// The session that holds them: the original if the requested one is a fork.
    #[schemars(with = "String")]
    pub session: SessionName,
    /// The compaction that replaced them; null if a message was requested.
    pub entry: Option<EntryId>,
    /// The epoch that it ended.
    pub epoch: Option<u64>,
    /// When they left the window.
    #[serde(serialize_with = "optional_instant")]
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
    /// Number of messages, shown or not.
    pub messages: usize,
    /// Number of messages that the order considers; for a query, those that contain one of its words.
    #[serde(skip)]
    pub n_wanted: usize,
    /// Tokens of the messages.
    pub tokens: TokenCount,
    /// Whether earlier messages were left out because of the read limit.
    pub is_cut: bool,
    /// The messages that fit and the gaps between them, oldest first.
    pub items: Vec<Piece>,
}

impl Operation for ExpandSession {
    type Reply = ExpandReply;

    fn run(self, at: &OpContext<'_>) -> Result<ExpandReply, OpError> {
        let by = match (self.entry, self.epoch) {
            (Some(_), Some(_)) => {
                let why = "give an entry or an epoch, not both".to_owned();
                return Err(OpError::invalid("entry", why));
            }
            (Some(entry), None) => Some(EntrySelector::Entry(entry)),
            (None, epoch) => epoch.map(|epoch| EntrySelector::EndOf(Epoch(epoch))),
        };
        let name = parsed_name(self.name.as_deref().unwrap_or(PRIMARY_SESSION))?;
        at.check_visible(&SessionSource::path_of(&name))?;
        let options = ExpandOptions {
            by,
            budget: TokenCount(self.budget.unwrap_or(BUDGET_DEFAULT).min(BUDGET_MAX)),
            order: match (self.query, self.from) {
                (Some(query), _) => ExpandOrder::Query(query),
                (None, Some(ExpandFrom::Start)) => ExpandOrder::Start,
                (None, Some(ExpandFrom::End)) => ExpandOrder::End,
                (None, None) => ExpandOrder::Ends,
            },
        };
        let expansion = expand(at.home, &name, &options, resume_limit(at.window));
        let expansion = expansion.map_err(|error| match error {
            ExpandError::Read(error) => OpError::Read(error),
            ExpandError::File(error) => OpError::File(error),
            error @ ExpandError::OriginalGone { .. } => OpError::Expand(error),
        })?;
        let by = expansion.compaction;
        Ok(ExpandReply {
            session: expansion.session,
            entry: by.as_ref().map(|by| by.entry.clone()),
            epoch: by.as_ref().map(|by| by.epoch.0),
            at: by.map(|by| by.at),
            messages: expansion.n_messages,
            n_wanted: expansion.n_wanted,
            tokens: expansion.tokens,
            is_cut: expansion.is_cut,
            items: expansion.pieces.into_iter().map(clean).collect(),
        })
    }
}

/// A piece without its secrets.
fn clean(mut piece: Piece) -> Piece {
    if let Piece::Said { text, .. } = &mut piece {
        *text = redact(text).into_owned();
    }
    piece
}
