//! Maps paths of the page to handlers.
//!
//! The caller authenticates requests first.

use std::sync::Arc;

use axum::Router;
use axum::response::Redirect;
use axum::routing::{get, post};

use super::{assets, chat, context, dreams, home, memory, news, sessions, status};
use crate::http::HttpState;

/// The paths of the page; all of them need authentication.
pub(crate) fn routes() -> Router<Arc<HttpState>> {
    let own = Router::new();
    #[cfg(debug_assertions)]
    let own = own
        .route("/gallery", get(super::gallery::list))
        .route("/gallery/{name}", get(super::gallery::show));
    own.route("/", get(home::show))
        .route("/agenda/add", post(home::add_reminder))
        .route("/agenda/undo", post(home::undo_reminder))
        .route("/chat", get(chat::show_primary))
        .route("/chat/{name}", get(chat::show))
        .route("/chat/{name}/say", post(chat::say))
        .route("/review", get(dreams::show))
        .route("/review/all", get(dreams::show_all))
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
        .route(
            "/conversations",
            get(|| async { Redirect::to("/sessions") }),
        )
        .route("/settings", get(|| async { Redirect::to("/status") }))
        .route("/sessions", get(sessions::list))
        .route("/sessions/{name}", get(sessions::read))
        .route("/sessions/{name}/course", get(sessions::show))
        .route("/sessions/{name}/window", get(sessions::window))
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
        .route(assets::MANIFEST, get(assets::manifest))
}
