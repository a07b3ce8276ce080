//! Sign-in of browsers: a form sends the token once; from then on a session cookie replaces it.
//!
//! The token never appears in an address or a page. A link carries a code that works once, in its fragment, which
//! browsers do not send.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, Html, IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::body::FormBody;
use super::error::HttpError;
use super::state::HttpState;
use crate::page::entrance;

/// The path of the form.
pub(crate) const SIGN_IN: &str = "/sign-in";

const COOKIE: &str = "openclaw_session";

/// Fields of the form.
#[derive(Deserialize)]
pub(crate) struct SignIn {
    pub(crate) token: String,
}

pub(crate) async fn form() -> Html<String> {
    Html(entrance(SIGN_IN, None).into_string())
}

/// Checks the token, or the code of a link, and sets the session cookie.
pub(crate) async fn sign_in(
    State(state): State<Arc<HttpState>>,
    FormBody(sent): FormBody<SignIn>,
) -> Result<Response, HttpError> {
    let now = state.clock().monotonic();
    let shown = sent.token.trim();
    if !state.token.is(shown) && !state.browsers.use_code(shown, now) {
        return Ok(refused(&state.wrong_token()));
    }
    let secret = state.browsers.begin(now)?;
    let cookie = format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Strict");
    Ok((
        AppendHeaders([(header::SET_COOKIE, cookie)]),
        Redirect::to("/"),
    )
        .into_response())
}

/// The form again, with the reason; status and headers are those of the error.
pub(crate) fn refused(error: &HttpError) -> Response {
    let page = entrance(SIGN_IN, Some(&error.sentence())).into_string();
    let (status, headers) = error.head();
    (status, headers, Html(page)).into_response()
}

/// Signs out.
pub(crate) async fn sign_out(State(state): State<Arc<HttpState>>, headers: HeaderMap) -> Response {
    if let Some(secret) = cookie(&headers) {
        state.browsers.end(secret);
    }
    let gone = format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    (
        StatusCode::SEE_OTHER,
        AppendHeaders([
            (header::SET_COOKIE, gone),
            (header::LOCATION, SIGN_IN.to_owned()),
        ]),
    )
        .into_response()
}

/// The secret in the session cookie of a request.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let sent = headers.get_all(header::COOKIE).iter();
    let mut pairs = sent
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_sign_in_page_keeps_headers_of_its_error() {
        let unauthorized = HttpError::new(StatusCode::UNAUTHORIZED, "wrong token").after(7);
        let (as_page, as_json) = (refused(&unauthorized), unauthorized.into_response());
        assert_eq!(as_page.status(), as_json.status());
        for name in [header::WWW_AUTHENTICATE, header::RETRY_AFTER] {
            assert!(as_json.headers().contains_key(&name), "{name}");
            assert_eq!(as_page.headers().get(&name), as_json.headers().get(&name));
        }
    }
}
