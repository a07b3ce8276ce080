//! The error page.
//!
//! Shows what failed and why, but never the content of a file.

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use maud::{Markup, html};

use super::frame::{Frame, framed};
use super::words::{as_sentence, safe};
use crate::http::HttpError;

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// Middleware that shows errors to browsers as a page instead of JSON.
pub(crate) async fn show_errors(request: Request, next: Next) -> Response {
    let accepted = request.headers().get(header::ACCEPT);
    let accepted = accepted.and_then(|accepted| accepted.to_str().ok());
    let is_browser = accepted.is_some_and(|accepted| accepted.contains("text/html"));
    let response = next.run(request).await;
    let (mut parts, body) = response.into_parts();
    match parts.extensions.remove::<HttpError>() {
        Some(error) if is_browser => {
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.headers.insert(header::CONTENT_TYPE, HTML);
            Response::from_parts(parts, Body::from(page(&error).into_string()))
        }
        Some(_) | None => Response::from_parts(parts, body),
    }
}

fn title(error: &HttpError) -> &'static str {
    if error.status == StatusCode::NOT_FOUND {
        "There is nothing here"
    } else {
        "That did not work"
    }
}

fn page(error: &HttpError) -> Markup {
    let frame = Frame {
        tab: None,
        title: title(error).to_owned(),
        csrf: String::new(),
        n_waiting: 0,
        done: None,
    };
    framed(&frame, &content(error))
}

/// What failed, and the ways back.
pub(super) fn content(error: &HttpError) -> Markup {
    html! {
        div class="head" { h1 { (title(error)) } }
        p class="note bad" role="alert" { (as_sentence(&safe(&error.sentence()))) }
        p { a href="/" { "Go to Home" } ", or search " a href="/memory" { "Memory" } " and " a href="/sessions" { "Conversations" } "." }
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::to_bytes;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;

    use super::*;

    async fn asked(accept: &str) -> (u16, String, String) {
        let failing = || async { HttpError::not_found("there is no <b>").hint("look around") };
        let routes = Router::new().route("/", get(failing));
        let service = TowerToHyperService::new(routes.layer(from_fn(show_errors)));
        let request = Request::get("/").header(header::ACCEPT, accept);
        let request = request.body(Body::empty()).unwrap();
        let (parts, body) = service.call(request).await.unwrap().into_parts();
        let kind = parts.headers[header::CONTENT_TYPE].to_str().unwrap();
        let bytes = to_bytes(body, 100_000).await.unwrap();
        let body = String::from_utf8(bytes.to_vec()).unwrap();
        (parts.status.as_u16(), kind.to_owned(), body)
    }

    #[tokio::test]
    async fn browser_gets_error_page_and_program_gets_json() {
        let (status, kind, body) = asked("text/html,application/xhtml+xml,*/*;q=0.8").await;
        assert_eq!((status, kind.as_str()), (404, "text/html; charset=utf-8"));
        assert!(
            body.contains("There is no &lt;b&gt;; look around.</p>"),
            "{body}"
        );
        let (status, kind, body) = asked("*/*").await;
        assert_eq!((status, kind.as_str()), (404, "application/json"));
        assert!(body.contains("there is no <b>"), "{body}");
    }
}
