//! A path for programs: what answers there, and how it is described.
//!
//! An operation needs only its path and a sentence: its types are its description.

use std::sync::Arc;

use agent::ops::{OpContext, OpError, OpErrorKind, Operation};
use agent::{Runtime, Viewer};
use axum::Json;
use axum::body::HttpBody;
use axum::extract::{FromRequest, Query, RawPathParams, RawQuery, Request, State};
use axum::http::{StatusCode, Uri};
use axum::routing::{MethodRouter, get, post};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::body::{JsonBody, refused};
use super::error::HttpError;
use super::state::HttpState;

pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

type Handler = fn() -> MethodRouter<Arc<HttpState>>;

/// How a request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Its parameters are in the path and the query string.
    Get,
    /// Its parameters are in the path and a JSON body.
    Post,
}

/// A path for programs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Route {
    pub(super) method: Method,
    pub(super) path: &'static str,
    /// The sentence that describes it.
    pub(super) summary: &'static str,
    pub(super) request: Option<SchemaOf>,
    pub(super) reply: Option<SchemaOf>,
    /// The media type of the reply.
    pub(super) media: &'static str,
    /// Whether a header may name the session.
    pub(super) names_session: bool,
    /// Errors that not every path has, by status.
    pub(super) errors: &'static [(u16, &'static str)],
    pub(super) handler: Handler,
}

/// 404 and 409 of operations.
const OPERATION_ERRORS: &[(u16, &str)] = &[
    (400, "A parameter is missing or invalid"),
    (404, "The requested item does not exist"),
    (409, "A conflict prevents it, which the owner can resolve"),
];

impl Route {
    const fn new(method: Method, path: &'static str, summary: &'static str) -> Self {
        Self {
            method,
            path,
            summary,
            request: None,
            reply: None,
            media: "application/json",
            names_session: false,
            errors: &[],
            handler: MethodRouter::new,
        }
    }

    /// An operation that changes nothing.
    pub(super) const fn read<R: Operation>(path: &'static str, summary: &'static str) -> Self {
        Self {
            errors: OPERATION_ERRORS,
            handler: || get(read::<R>),
            ..Self::new(Method::Get, path, summary)
                .request::<R>()
                .reply::<R::Reply>()
        }
    }

    /// An operation that changes something.
    pub(super) const fn act<R: Operation>(path: &'static str, summary: &'static str) -> Self {
        Self {
            errors: OPERATION_ERRORS,
            handler: || post(act::<R>),
            ..Self::new(Method::Post, path, summary)
                .request::<R>()
                .reply::<R::Reply>()
        }
    }

    /// A handler that is no operation of the agent.
    pub(super) const fn other(
        method: Method,
        path: &'static str,
        summary: &'static str,
        handler: Handler,
    ) -> Self {
        Self {
            handler,
            ..Self::new(method, path, summary)
        }
    }

    pub(super) const fn request<T: JsonSchema>(self) -> Self {
        Self {
            request: Some(T::json_schema),
            ..self
        }
    }

    pub(super) const fn reply<T: JsonSchema>(self) -> Self {
        Self {
            reply: Some(SchemaGenerator::subschema_for::<T>),
            ..self
        }
    }

    pub(super) const fn media(self, media: &'static str) -> Self {
        Self { media, ..self }
    }

    pub(super) const fn names_session(self) -> Self {
        Self {
            names_session: true,
            ..self
        }
    }

    pub(super) const fn errors(self, errors: &'static [(u16, &'static str)]) -> Self {
        Self { errors, ..self }
    }

    /// The names of the parameters in the path.
    pub(super) fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.path.split('/');
        parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}

async fn read<R: Operation>(
    State(state): State<Arc<HttpState>>,
    in_path: RawPathParams,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, HttpError> {
    // Read together: a parameter that is given in both is a duplicate.
    let encoded = |value| utf8_percent_encode(value, NON_ALPHANUMERIC);
    let in_path = in_path.iter();
    let mut all: Vec<String> = in_path
        .map(|(name, value)| format!("{name}={}", encoded(value)))
        .collect();
    all.extend(query.filter(|query| !query.is_empty()));
    let uri = Uri::builder().path_and_query(format!("/?{}", all.join("&")));
    let uri = uri
        .build()
        .map_err(|_| HttpError::bad_request("invalid query string"))?;
    let Query(request) =
        Query::<R>::try_from_uri(&uri).map_err(|error| refused("query string", error))?;
    answer(&state, request).await
}

async fn act<R: Operation>(
    State(state): State<Arc<HttpState>>,
    in_path: RawPathParams,
    request: Request,
) -> Result<Json<Value>, HttpError> {
    // A request without parameters needs no body.
    let mut body = if request.body().is_end_stream() {
        Map::new()
    } else {
        JsonBody::from_request(request, &state).await?.0
    };
    for (name, value) in &in_path {
        body.insert(name.to_owned(), value.into());
    }
    let request = serde_json::from_value::<R>(Value::Object(body));
    let request = request
        .map_err(|error| HttpError::bad_request(format!("invalid request body: {error}")))?;
    answer(&state, request).await
}

async fn answer<R: Operation>(
    state: &Arc<HttpState>,
    request: R,
) -> Result<Json<Value>, HttpError> {
    let work = state.work(move |state| Ok(serde_json::to_value(state.run(request)?)?));
    work.await.map(Json)
}

impl HttpState {
    /// What an operation of the owner uses.
    pub(crate) fn context(&self) -> OpContext<'_> {
        let Runtime { home, engine, .. } = &self.runtime;
        OpContext::new(home, &engine.settings, &*self.knowledge, &Viewer::Owner)
    }

    /// Carries out an operation of the owner.
    pub(crate) fn run<R: Operation>(&self, request: R) -> Result<R::Reply, HttpError> {
        let done = request.run(&self.context());
        done.map_err(|error| self.failed(&error))
    }

    /// The error response for an operation that failed, with its hint.
    pub(crate) fn failed(&self, error: &OpError) -> HttpError {
        let status = match error.kind() {
            OpErrorKind::Invalid => StatusCode::BAD_REQUEST,
            OpErrorKind::NotFound => StatusCode::NOT_FOUND,
            OpErrorKind::Conflict => StatusCode::CONFLICT,
            OpErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let failure = HttpError::of(status, error);
        let hint = error.hint();
        let hint = hint.map(|hint| hint.at(&self.runtime.home.invocation));
        hint.into_iter().fold(failure, HttpError::hint)
    }
}
