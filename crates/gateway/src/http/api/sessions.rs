//! `/api/sessions`: lists sessions, shows their windows and timelines, and expands summaries.
//!
//! Changes nothing.

use std::sync::Arc;

use agent::{
    ExpandError, ExpandOptions, ExpandOrder, Expansion, ForgottenWords, Piece, SessionCourse,
    expand, forgotten_entries, session_course,
};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base::{TokenCount, redact};
use memory::load_tombstones;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use session::timeline::{Timeline, ViewMoment, last_part};
use session::{EntrySelector, Epoch, ReadError, SessionName, ViewContent};

use crate::http::body::{UrlPath, UrlQuery};
use crate::http::error::HttpError;
use crate::http::state::HttpState;

const EXPAND_BUDGET: u64 = 4_000;
const EXPAND_BUDGET_MAX: u64 = 100_000;

/// The sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionList {
    sessions: Vec<SessionBody>,
}

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionBody {
    name: String,
    /// The title; null before the first message.
    title: Option<String>,
    /// Size of the transcript.
    bytes: u64,
    /// When the transcript last changed.
    changed_at: Option<String>,
}

/// Lists the sessions, by name.
pub(crate) async fn list(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<SessionList>, HttpError> {
    let listed = state.work(|state| {
        let sessions = &state.runtime.home.sessions;
        let is_forgotten = forgotten_entries(&state.runtime.home.workspace);
        let bodies = sessions.names()?.into_iter().map(|name| {
            let stat = sessions.stat(&name)?;
            // A session that cannot be read is still listed, without a title.
            let part = last_part(sessions, &name, &is_forgotten).ok().flatten();
            Ok(SessionBody {
                name: name.to_string(),
                title: part.and_then(|part| part.title),
                bytes: stat.as_ref().map_or(0, |stat| stat.len),
                changed_at: stat
                    .and_then(|stat| stat.modified_at)
                    .map(|at| at.to_rfc3339()),
            })
        });
        bodies.collect::<Result<Vec<_>, HttpError>>()
    });
    Ok(Json(SessionList {
        sessions: listed.await?,
    }))
}

/// A path that names a session.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SessionPath {
    /// The session.
    name: String,
}

impl SessionPath {
    pub(crate) fn name(&self) -> Result<SessionName, HttpError> {
        let name = self.name.parse::<SessionName>();
        name.map_err(|error| HttpError::of(StatusCode::BAD_REQUEST, &error))
    }
}

/// The window of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionView {
    name: String,
    /// Number of compactions.
    epoch: u64,
    /// Whether older items were left unread.
    is_cut: bool,
    items: Vec<ViewItemBody>,
}

/// A message or a summary.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ViewItemBody {
    entry: String,
    at: String,
    /// `user`, `assistant`, `toolResult` or `summary`.
    role: &'static str,
    text: String,
    tokens: u64,
}

/// Shows the window of a session.
pub(crate) async fn show(
    State(state): State<Arc<HttpState>>,
    UrlPath(path): UrlPath<SessionPath>,
) -> Result<Json<SessionView>, HttpError> {
    let name = path.name()?;
    let shown = state.work(move |state| {
        let runtime = &state.runtime;
        let read = runtime.home.sessions.read(&name, runtime.resume_limit());
        let read = read.map_err(unread)?;
        let tombstones = load_tombstones(&runtime.home.workspace)?;
        let forgotten = ForgottenWords::read(&runtime.home.sessions, &tombstones, &name);
        let view = forgotten
            .map_err(unread)?
            .view_without(&read.view)
            .into_owned();
        let items = view.items.iter().map(|item| {
            let (role, text) = match &item.content {
                ViewContent::Message(message) => (message.role(), message.text()),
                ViewContent::Summary(summary) => ("summary", summary.clone()),
            };
            ViewItemBody {
                entry: item.entry.to_string(),
                at: item.at.to_rfc3339(),
                role,
                text: redact(&text).into_owned(),
                tokens: item.tokens.0,
            }
        });
        Ok(SessionView {
            name: name.to_string(),
            epoch: read.state.compaction_count.0,
            is_cut: read.view.is_cut,
            items: items.collect(),
        })
    });
    Ok(Json(shown.await?))
}

/// The timeline of a session.
#[derive(Debug, Serialize)]
pub(crate) struct CourseBody {
    #[serde(flatten)]
    timeline: Timeline,
    moments: Vec<ViewMoment>,
}

/// Shows the timeline of a session: days, their events, and the size of its context over time.
pub(crate) async fn course(
    State(state): State<Arc<HttpState>>,
    UrlPath(path): UrlPath<SessionPath>,
) -> Result<Json<CourseBody>, HttpError> {
    let name = path.name()?;
    let told = state.work(move |state| {
        let course = course_of(state, &name)?;
        Ok(CourseBody {
            timeline: course.timeline,
            moments: course.moments,
        })
    });
    Ok(Json(told.await?))
}

/// Which messages to bring back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpandQuery {
    /// The epoch that the compaction ended; the newest summary by default.
    epoch: Option<u64>,
    /// The id of an entry, or a prefix of it.
    entry: Option<String>,
    /// Words to find in the messages.
    query: Option<String>,
    /// Maximum number of tokens, up to 100,000; 4,000 by default.
    budget: Option<u64>,
}

/// The messages that a summary replaces.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpansionBody {
    session: String,
    /// Number of messages that it replaces, shown or not.
    messages: usize,
    tokens: u64,
    pieces: Vec<PieceBody>,
}

/// A message, or a gap.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PieceBody {
    entry: Option<String>,
    at: Option<String>,
    /// Who speaks.
    speaker: Option<String>,
    text: Option<String>,
    /// Number of messages left out here, beginning with `entry`.
    left_out: Option<usize>,
}

/// Brings back the messages that a summary replaces.
pub(crate) async fn bring_back(
    State(state): State<Arc<HttpState>>,
    UrlPath(path): UrlPath<SessionPath>,
    UrlQuery(asked): UrlQuery<ExpandQuery>,
) -> Result<Json<ExpansionBody>, HttpError> {
    let name = path.name()?;
    let epoch = asked.epoch.map(|epoch| EntrySelector::EndOf(Epoch(epoch)));
    let options = ExpandOptions {
        by: asked.entry.map(EntrySelector::Entry).or(epoch),
        budget: TokenCount(asked.budget.unwrap_or(EXPAND_BUDGET).min(EXPAND_BUDGET_MAX)),
        order: asked.query.map_or(ExpandOrder::Ends, ExpandOrder::Query),
    };
    let expanded = state.work(move |state| expansion_of(state, &name, &options));
    let expanded = expanded.await?;
    Ok(Json(ExpansionBody {
        session: expanded.session.to_string(),
        messages: expanded.n_messages,
        tokens: expanded.tokens.0,
        pieces: expanded.pieces.into_iter().map(piece).collect(),
    }))
}

/// The course of a session.
pub(crate) fn course_of(state: &HttpState, name: &SessionName) -> Result<SessionCourse, HttpError> {
    let (home, settings) = (&state.runtime.home, &state.runtime.engine.settings);
    let files = (&home.sessions, &*home.workspace);
    session_course(files, name, (settings, home.timezone)).map_err(unread)
}

/// The messages that a summary replaces.
pub(crate) fn expansion_of(
    state: &HttpState,
    name: &SessionName,
    options: &ExpandOptions,
) -> Result<Expansion, HttpError> {
    let (home, limit) = (&state.runtime.home, state.runtime.resume_limit());
    let tombstones = load_tombstones(&home.workspace)?;
    let expansion = expand(&home.sessions, &tombstones, name, options, limit);
    expansion.map_err(|error| {
        if let ExpandError::Read(error) = error {
            unread(error)
        } else {
            HttpError::missing(&error)
        }
    })
}

/// Disk errors are 500; all others are 404.
fn unread(error: ReadError) -> HttpError {
    if matches!(error, ReadError::Disk(_)) {
        error.into()
    } else {
        HttpError::missing(&error)
    }
}

fn piece(piece: Piece) -> PieceBody {
    match piece {
        Piece::Said {
            entry,
            at,
            speaker,
            text,
            ..
        } => PieceBody {
            entry: Some(entry.to_string()),
            at: Some(at.to_rfc3339()),
            speaker: Some(speaker),
            text: Some(redact(&text).into_owned()),
            ..PieceBody::default()
        },
        Piece::Gap {
            first, n_messages, ..
        } => PieceBody {
            entry: Some(first.to_string()),
            left_out: Some(n_messages),
            ..PieceBody::default()
        },
    }
}
