//! The style sheet, scripts and icon of the page, embedded in the binary.
//!
//! Serves nothing from disk.

use axum::http::header;
use axum::response::IntoResponse;

/// Paths contain the version, so that a browser never uses an outdated file.
pub(super) const STYLE: &str = concat!("/page/", env!("CARGO_PKG_VERSION"), "/page.css");
pub(super) const SCRIPT: &str = concat!("/page/", env!("CARGO_PKG_VERSION"), "/page.js");
pub(super) const HTMX: &str = "/page/htmx-4.0.1.min.js";
pub(super) const ICON: &str = "/page/icon.svg";
pub(super) const MANIFEST: &str = "/page/manifest.json";

/// Only browsers may cache a file, for an hour; proxies may not.
const CACHE: &str = "private, max-age=3600";

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

pub(super) async fn style() -> impl IntoResponse {
    file(CSS, include_str!("../../assets/page.css"))
}

pub(super) async fn script() -> impl IntoResponse {
    file(JAVASCRIPT, include_str!("../../assets/page.js"))
}

pub(super) async fn htmx() -> impl IntoResponse {
    file(JAVASCRIPT, include_str!("../../assets/htmx-4.0.1.min.js"))
}

pub(super) async fn icon() -> impl IntoResponse {
    file("image/svg+xml", include_str!("../../assets/icon.svg"))
}

/// What a browser needs to install the page as an application.
pub(super) async fn manifest() -> impl IntoResponse {
    file(
        "application/manifest+json",
        include_str!("../../assets/manifest.json"),
    )
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, CACHE)],
        text,
    )
}
