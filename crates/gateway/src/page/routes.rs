//! Maps paths of the page to handlers.
//!
//! Authentication happens before.

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::{assets, context, dreams, memory, news, sessions, status};
use crate::http::HttpState;

/// The paths of the page; all of them need authentication.
pub(crate) fn routes() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/", get(dreams::show))
        .route("/dreams/decide", post(dreams::decide))
        .route("/dreams/undo", post(dreams::undo))
        .route("/memory", get(memory::show))
        .route("/memory/known/{id}", get(memory::source))
        .route("/memory/remember", post(memory::remember))
        .route("/memory/correct", post(memory::correct))
        .route("/memory/strike", post(memory::strike))
        .route("/memory/unstrike", post(memory::restore_struck))
        .route("/memory/search", get(memory::search))
        .route("/memory/days", get(memory::days))
        .route("/memory/days/{day}", get(memory::day))
        .route("/memory/files", get(memory::files))
        .route("/memory/file", get(memory::edit))
        .route("/memory/save", post(memory::save))
        .route("/memory/restore", post(memory::restore))
        .route("/sessions", get(sessions::list))
        .route("/sessions/{name}", get(sessions::show))
        .route("/sessions/{name}/summary/{entry}", get(sessions::summary))
        .route("/context", get(context::show))
        .route("/status", get(status::show))
        .route("/page/news", get(news::news))
}

/// The assets, which the sign-in form needs before authentication.
pub(crate) fn asset_routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(assets::STYLE, get(assets::style))
        .route(assets::SCRIPT, get(assets::script))
        .route(assets::HTMX, get(assets::htmx))
        .route(assets::ICON, get(assets::icon))
}
