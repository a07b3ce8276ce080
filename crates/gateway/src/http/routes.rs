//! Maps paths to handlers, and puts middleware in front of them.
//!
//! Handles only `/health`, unknown paths and wrong methods itself.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::routing::{get, post};

use super::error::HttpError;
use super::feed::{self, FEED};
use super::guard::{
    BodyRoom, authenticate, bound_body, check_page, check_sender, security_headers,
};
use super::limits::{BODY_BYTES_MAX, FORM_BYTES_MAX};
use super::openapi;
use super::paths::PATHS;
use super::sign_in::{self, SIGN_IN};
use super::state::HttpState;
use crate::mcp::McpService;
use crate::page;

/// The routes of one home.
pub(crate) fn router(state: &Arc<HttpState>, mcp: McpService) -> Router {
    let for_programs = PATHS.iter().fold(Router::new(), |router, route| {
        router.route(route.path, (route.handler)())
    });
    let guarded = for_programs
        .route("/sign-out", post(sign_in::sign_out))
        .merge(page::routes())
        .route("/api/openapi.json", get(openapi::document))
        .merge(mcp_routes(mcp))
        .with_state(Arc::clone(state))
        .fallback(nothing_there)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(check_page))
        // The default limit of axum is smaller than ours.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(
            BodyRoom::new(BODY_BYTES_MAX),
            bound_body,
        ))
        .layer(from_fn_with_state(Arc::clone(state), authenticate));
    let open = open_routes()
        .route(SIGN_IN, post(sign_in::sign_in))
        .route(FEED, get(feed::show))
        .with_state(Arc::clone(state))
        .layer(from_fn_with_state(
            BodyRoom::new(FORM_BYTES_MAX),
            bound_body,
        ));
    // A request passes the last layer first.
    guarded
        .merge(open)
        .layer(from_fn_with_state(Arc::clone(state), check_sender))
        .layer(from_fn(page::show_errors))
        .layer(from_fn(security_headers))
}

/// MCP. Answers the end of a session with 204: clients take the 202 of the library for a failure.
fn mcp_routes<S: Clone + Send + Sync + 'static>(mcp: McpService) -> Router<S> {
    let end = |request: Request, next: Next| async move {
        let is_end = request.method() == Method::DELETE;
        let mut response = next.run(request).await;
        if is_end && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        response
    };
    Router::new().route_service("/mcp", mcp).layer(from_fn(end))
}

/// Routes without authentication, the same for all homes.
pub(super) fn open_routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/health", get(health))
        .route(SIGN_IN, get(sign_in::form))
        .merge(page::asset_routes())
}

async fn health() -> &'static str {
    "ok\n"
}

async fn nothing_there(uri: Uri) -> HttpError {
    HttpError::not_found(format!("there is nothing at {}", uri.path()))
}

async fn wrong_method() -> HttpError {
    let message = "this path does not support this method";
    HttpError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}
