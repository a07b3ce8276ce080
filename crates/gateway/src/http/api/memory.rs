//! `/api/memory`: search, read, note, forget.
//!
//! Forgets only by a plan that was requested before.

use std::sync::Arc;

use agent::Viewer;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base::{Day, LineRange, Origin, TokenCount, redact};
use memory::{
    AddOutcome, AddedUnder, FileLinesError, LogError, Note, OwnerLines, WorkspacePath,
    WorkspacePathError, add_note,
};
use search::{Degraded, Nearest, NothingFound, SearchOptions, SearchResult, Source, SpanCount};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::body::{JsonBody, UrlQuery};
use crate::http::error::{ErrorBody, HttpError};
use crate::http::openapi::{BodyRefusals, Refusals};
use crate::http::state::HttpState;

const LIMIT_DEFAULT: usize = 10;
const LIMIT_MAX: usize = 1_000;
const QUERY_CHARS_MAX: usize = 10_000;
const NOTE_BYTES_MAX: usize = 1024 * 1024;

/// The parameters of a search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// The question.
    query: String,
    /// Maximum number of passages, up to 1,000; 10 by default.
    limit: Option<usize>,
    /// Maximum number of tokens of all passages together.
    budget: Option<u64>,
    /// Both by default.
    #[param(inline)]
    source: Option<SearchedSource>,
    /// Only passages of days after this one.
    #[param(value_type = Option<String>, format = Date, example = "2026-03-02")]
    after: Option<Day>,
    /// Only passages of days before this one.
    #[param(value_type = Option<String>, format = Date, example = "2026-03-02")]
    before: Option<Day>,
}

/// Where to search.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchedSource {
    /// Notes.
    Memory,
    /// Conversations.
    Session,
}

/// The results of a search, best first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchReply {
    query: String,
    /// `hybrid` or `keyword`.
    mode: &'static str,
    /// Why results may be missing.
    degraded: Option<&'static str>,
    took_ms: u64,
    results: Vec<FoundPassage>,
    /// Why nothing was found.
    nothing: Option<&'static str>,
    /// The days that the question names, if more than one; their lines come first, in order.
    span: Option<SpanBody>,
}

/// Lines about the question on the days that it names.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SpanBody {
    from: String,
    to: String,
    /// Number of lines about the question.
    lines: usize,
    /// Number of days that have one.
    days: usize,
}

impl From<SpanCount> for SpanBody {
    fn from(span: SpanCount) -> Self {
        Self {
            from: span.days.first.to_string(),
            to: span.days.last.to_string(),
            lines: span.n_lines,
            days: span.n_days,
        }
    }
}

/// A passage that was found.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundPassage {
    /// `memory` or `session`.
    source: &'static str,
    /// Relative to the workspace, or for a session, to the home.
    path: String,
    start_line: usize,
    end_line: usize,
    text: String,
    score: f64,
    /// The origin of the text: `owner`, `agent`, `untrusted` or `system`.
    origin: &'static str,
    day: Option<String>,
    /// The day for which it plans something, if that day has passed.
    planned_for: Option<String>,
    /// The day on which a newer line of `MEMORY.md` took the place of what it says.
    replaced_on: Option<String>,
    /// The last day on which it was said or noted.
    last_confirmed: Option<String>,
}

impl From<&SearchResult> for FoundPassage {
    fn from(found: &SearchResult) -> Self {
        Self {
            source: found.source.as_str(),
            path: found.path.clone(),
            start_line: found.start_line,
            end_line: found.end_line,
            text: redact(&found.text).into_owned(),
            score: found.score,
            origin: found.origin.as_str(),
            day: found.day.map(|day| day.to_string()),
            planned_for: found.planned_for.map(|day| day.to_string()),
            replaced_on: found.replaced_on.map(|day| day.to_string()),
            last_confirmed: found.last_confirmed.map(|day| day.to_string()),
        }
    }
}

/// Searches notes and conversations.
#[utoipa::path(
    get, path = "/api/memory/search", tag = "memory", params(SearchQuery),
    responses(
        (status = 200, description = "The passages, best first", body = SearchReply),
        (status = 400, description = "The query string is invalid", body = ErrorBody),
        Refusals,
    )
)]
pub(crate) async fn search(
    State(state): State<Arc<HttpState>>,
    UrlQuery(asked): UrlQuery<SearchQuery>,
) -> Result<Json<SearchReply>, HttpError> {
    let options = asked.options()?;
    let began = state.clock().monotonic();
    let question = asked.query.clone();
    let searched = state.work(move |state| {
        let knowledge = &state.knowledge;
        Ok(knowledge.search_as(&Viewer::Owner, &question, &options, &mut |_| {})?)
    });
    let answer = searched.await?;
    let took = state.clock().monotonic().saturating_sub(began);
    Ok(Json(SearchReply {
        query: asked.query,
        mode: answer.mode.as_str(),
        degraded: answer.degraded.map(Degraded::as_str),
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        results: answer.results.iter().map(FoundPassage::from).collect(),
        nothing: answer.nothing.map(NothingFound::as_str),
        span: answer.span.map(SpanBody::from),
    }))
}

impl SearchQuery {
    fn options(&self) -> Result<SearchOptions, HttpError> {
        if self.query.chars().count() > QUERY_CHARS_MAX {
            let message = format!("query: longer than {QUERY_CHARS_MAX} characters");
            return Err(HttpError::bad_request(message));
        }
        Ok(SearchOptions {
            limit: self.limit.unwrap_or(LIMIT_DEFAULT).min(LIMIT_MAX),
            budget: self.budget.map(TokenCount),
            after: self.after,
            before: self.before,
            source: self.source.map(|source| match source {
                SearchedSource::Memory => Source::Memory,
                SearchedSource::Session => Source::Session,
            }),
            nearest: Nearest::InOtherLanguage,
            ..SearchOptions::default()
        })
    }
}

/// Which lines to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct LinesQuery {
    /// Relative to the workspace, such as `MEMORY.md`.
    #[param(min_length = 1)]
    path: String,
    /// The first line, from 1.
    start_line: Option<usize>,
    /// The last line.
    end_line: Option<usize>,
}

/// Lines of a note.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoteLines {
    path: String,
    start_line: usize,
    end_line: usize,
    /// Number of lines of the file.
    lines: usize,
    /// The text without the program's comments, with secrets redacted.
    text: String,
}

/// Reads a note, or some of its lines.
#[utoipa::path(
    get, path = "/api/memory/lines", tag = "memory", params(LinesQuery),
    responses(
        (status = 200, description = "The lines", body = NoteLines),
        (status = 400, description = "The path is invalid", body = ErrorBody),
        (status = 404, description = "There is no such note", body = ErrorBody),
        Refusals,
    )
)]
pub(crate) async fn lines(
    State(state): State<Arc<HttpState>>,
    UrlQuery(asked): UrlQuery<LinesQuery>,
) -> Result<Json<NoteLines>, HttpError> {
    let path: WorkspacePath = asked
        .path
        .parse()
        .map_err(|error: WorkspacePathError| HttpError::bad_request(format!("path: {error}")))?;
    let range = LineRange::asked(asked.start_line, asked.end_line);
    let read = state.work(move |state| {
        let read = memory::file_lines(&state.runtime.home.workspace, &path, Some(range));
        read.map_err(|error| {
            let is_ours = matches!(
                error,
                FileLinesError::Disk(_) | FileLinesError::Tombstones(_)
            );
            if is_ours {
                error.into()
            } else {
                HttpError::missing(&error)
            }
        })
    });
    let found = read.await?;
    Ok(Json(NoteLines {
        path: asked.path,
        start_line: found.lines.start,
        end_line: found.lines.end,
        lines: found.n_lines,
        text: redact(&found.text).into_owned(),
    }))
}

/// A note to add.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewNote {
    /// The note in the owner's words.
    #[schema(min_length = 1)]
    text: String,
}

/// Where the note was written.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotedLine {
    path: String,
    /// Its line; null if the log already had the note.
    line: Option<usize>,
    text: String,
}

/// Adds a note of the owner to today's log.
#[utoipa::path(
    post, path = "/api/memory/notes", tag = "memory", request_body = NewNote,
    responses(
        (status = 200, description = "Where the note is", body = NotedLine),
        (status = 409, description = "This text was forgotten", body = ErrorBody),
        BodyRefusals,
    )
)]
pub(crate) async fn add(
    State(state): State<Arc<HttpState>>,
    JsonBody(new): JsonBody<NewNote>,
) -> Result<Json<NotedLine>, HttpError> {
    if new.text.len() > NOTE_BYTES_MAX {
        return Err(HttpError::bad_request(format!(
            "text: longer than {NOTE_BYTES_MAX} bytes"
        )));
    }
    let added = state.work(move |state| {
        let runtime = &state.runtime;
        let note = Note {
            text: new.text,
            evidence: Vec::new(),
            origin: Origin::Owner,
        };
        let (now, timezone) = (state.clock().now(), runtime.home.timezone);
        let added = add_note(
            &runtime.home.workspace,
            (&note, &AddedUnder::default()),
            now,
            timezone,
        );
        added.map_err(|error| {
            if matches!(error, LogError::NoteTooLong(..)) {
                return HttpError::bad_request(format!("text: {error}"));
            }
            error.into()
        })
    });
    let report = added.await?;
    let line = match report.outcome {
        AddOutcome::Added(line) => Some(line),
        AddOutcome::AlreadyThere => None,
        AddOutcome::Forgotten(id) => {
            return Err(HttpError::new(
                StatusCode::CONFLICT,
                "this was forgotten, and would not be found",
            )
            .hint(format!(
                "`openclaw memory forget --undo {id}` takes that back"
            )));
        }
        AddOutcome::Empty => return Err(HttpError::bad_request("text: must not be empty")),
    };
    Ok(Json(NotedLine {
        path: report.log.to_string(),
        line,
        text: report.text,
    }))
}

/// What to forget.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForgetQuestionBody {
    /// A description, as for a search.
    #[schema(min_length = 1)]
    what: String,
}

/// What would be forgotten.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ForgetPlanBody {
    /// The token that confirms the plan; null if nothing was found.
    token: Option<String>,
    /// The passages to forget, each with its place.
    plan: String,
}

/// Plans what would be forgotten; forgets nothing yet.
#[utoipa::path(
    post, path = "/api/memory/forget", tag = "memory", request_body = ForgetQuestionBody,
    responses(
        (status = 200, description = "The plan, and the token that confirms it", body = ForgetPlanBody),
        (status = 409, description = "It cannot be forgotten", body = ErrorBody),
        BodyRefusals,
    )
)]
pub(crate) async fn plan_forgetting(
    State(state): State<Arc<HttpState>>,
    JsonBody(asked): JsonBody<ForgetQuestionBody>,
) -> Result<Json<ForgetPlanBody>, HttpError> {
    if asked.what.trim().is_empty() {
        return Err(HttpError::bad_request("what: must not be empty"));
    }
    let planned = state.work(move |state| {
        let planned = state.door.plan_forgetting(&asked.what);
        planned.map_err(|reason| HttpError::new(StatusCode::CONFLICT, reason))
    });
    let offer = planned.await?.map(|offer| (offer.token, offer.plan));
    let (token, plan) = offer.unzip();
    Ok(Json(ForgetPlanBody {
        token,
        plan: plan.unwrap_or_default(),
    }))
}

/// The confirmation of a plan.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForgetConfirmation {
    /// The token of the plan.
    token: String,
}

/// A change that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DoneBody {
    /// The change in words.
    pub(crate) done: String,
}

/// Carries out a plan; lines that the owner wrote by hand stay in their file, hidden from search.
#[utoipa::path(
    post, path = "/api/memory/forget/confirm", tag = "memory", request_body = ForgetConfirmation,
    responses(
        (status = 200, description = "It is forgotten", body = DoneBody),
        (status = 409, description = "There is no such plan, or it cannot be carried out", body = ErrorBody),
        BodyRefusals,
    )
)]
pub(crate) async fn forget(
    State(state): State<Arc<HttpState>>,
    JsonBody(confirmed): JsonBody<ForgetConfirmation>,
) -> Result<Json<DoneBody>, HttpError> {
    let forgotten = state.work(move |state| {
        let done = state.door.forget(&confirmed.token, OwnerLines::Leave);
        done.map_err(|reason| HttpError::new(StatusCode::CONFLICT, reason))
    });
    Ok(Json(DoneBody {
        done: forgotten.await?,
    }))
}
