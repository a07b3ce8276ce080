//! Dreams: when one is due, what it reads, what it proposes, and what passes its gates.
//!
//! Never imports session, and never writes a file: returns a plan that memory applies.

mod conversations;
mod settings;

mod trigger;

mod gather;
mod material;

mod propose;
mod request;
mod retry;

mod doubt;
mod figures;
mod ground;
mod literals;
mod quote;
mod reconcile;
mod said_again;
mod wording;

mod draft;
mod earned;
mod gate;
mod queue;
mod refusal;

mod plan;

mod report;

pub use conversations::TextReading;
pub use conversations::{Conversations, FoundMessage, SessionStat, SpokenMessage, hear};
pub use doubt::{Doubt, KnownWords, SaidText, Sources, doubts};
pub use earned::{EARNING_DAYS, Earned, TriedLine, TriedQuestion};
pub use gate::{PASS_LINES_MAX, reason_for};
pub use gather::{
    GatherError, NotedDays, Reach, gather_logs, gather_session, noted_days, still_standing,
    unread_from, unread_sessions,
};
pub use ground::{holds_quote, is_quote};
pub use literals::clock_times;
pub use material::{Material, MaterialItem, MaterialSource};
pub use plan::{Objection, PlanInput, objections, plan_promotions};
pub use propose::{
    ChangeReason, Operation, OperationKind, Proposals, Proposer, ReplyFrom, parse_proposals,
    without_reckoned_dates,
};
pub use quote::holds_words;
pub use reconcile::compared_lines;
pub use refusal::Refusal;
pub use report::{DreamReport, Left};
pub use request::{KnownMemory, consolidate_requests, retry_request, sentence_request};
pub use retry::corrected;
pub use said_again::said_again;
pub use settings::{DreamSettings, Promotion, Schedule, Trigger};
pub use trigger::{DueDream, Moment, Skip, SkipReason, due, next_due};
pub use wording::{clauses_of, keeps_word_order, near, says_nothing_else};
