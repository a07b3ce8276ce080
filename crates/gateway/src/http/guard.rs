//! Middleware: checks requests before they reach a handler, and adds security headers to responses.
//!
//! Reads a body only to bound it and to find the CSRF secret of a form.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use base::locked;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::access::BrowserSession;
use super::error::HttpError;
use super::limits::{BODY_BYTES_MAX, Budgets, SENDING_MAX};
use super::sign_in::{SIGN_IN, cookie};
use super::state::{HttpState, TOKEN_PLACE};

/// Form field and script header that carry the CSRF secret.
const CSRF_FIELD: &[u8] = b"csrf=";
const CSRF_HEADER: &str = "x-csrf-token";

/// Paths for programs; on all others, a browser that is not signed in is redirected to the form.
const PROGRAM_PATHS: [&str; 4] = ["/v1", "/api", "/mcp", "/metrics"];

/// A page may load only our own files, and no other site may frame it.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const SAFETY_HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer`, browsers send forms with `Origin: null`, which `checked_sender` refuses.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Adds security headers to a response; headers that the handler set take precedence.
pub(crate) async fn security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in SAFETY_HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Runs [`checked_sender`] for the requests of one home.
pub(crate) async fn check_sender(
    State(state): State<Arc<HttpState>>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let asked = (&state.budgets, state.clock().monotonic());
    checked_sender(request.headers(), &state.hosts, asked)?;
    Ok(next.run(request).await)
}

/// Refuses foreign hosts (against DNS rebinding), foreign origins, and requests over the rate limit at `now`.
pub(crate) fn checked_sender(
    headers: &HeaderMap,
    names: &[String],
    (budgets, now): (&Budgets, Duration),
) -> Result<(), HttpError> {
    let host = one(headers, header::HOST).and_then(|host| host.parse::<Authority>().ok());
    let host = host.filter(|host| is_whole(host) && is_ours(host.host(), names));
    let Some(host) = host else {
        let message = "this host name is not allowed";
        return Err(HttpError::new(StatusCode::MISDIRECTED_REQUEST, message)
            .hint("use an address such as 127.0.0.1, or start the service with `--host NAME`"));
    };
    if headers.contains_key(header::ORIGIN) {
        let origin = one(headers, header::ORIGIN).unwrap_or_default();
        let (http, https) = (format!("http://{host}"), format!("https://{host}"));
        if origin != http && origin != https {
            let message = "cross-origin requests are not allowed";
            return Err(HttpError::new(StatusCode::FORBIDDEN, message));
        }
    }
    if locked(&budgets.requests).take(now) {
        Ok(())
    } else {
        let message = "too many requests at once";
        Err(HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(1))
    }
}

/// The value of a header that occurs exactly once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether an authority is a host and perhaps a port. The parser ends a host in brackets at its bracket, whatever
/// follows, as in `[::1].evil.example`.
fn is_whole(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host());
    let port = rest.map(|rest| rest.strip_prefix(':').unwrap_or(rest));
    port.is_some_and(|port| port.chars().all(|c| c.is_ascii_digit()))
}

/// Whether a host is an address, `localhost` or a configured name. Any other name could be DNS rebinding.
fn is_ours(host: &str, names: &[String]) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().is_ok()
        || host.eq_ignore_ascii_case("localhost")
        || names.iter().any(|name| name.eq_ignore_ascii_case(host))
}

/// Bodies of all requests at once, in bytes.
const BODIES_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bodies up to this size need no room.
const SMALL_BODY_BYTES_MAX: usize = 64 * 1024;

/// The room for the bodies of requests under way.
#[derive(Debug, Clone)]
pub(crate) struct BodyRoom {
    /// Limit of one body.
    bytes_max: usize,
    /// In KiB.
    left: Arc<Semaphore>,
}

impl BodyRoom {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            left: Arc::new(Semaphore::new(BODIES_BYTES_MAX / 1024)),
        }
    }

    /// Takes room for a body of the announced length, or of the longest one.
    fn take(&self, announced: Option<usize>) -> Result<Option<OwnedSemaphorePermit>, HttpError> {
        let n_bytes = announced.unwrap_or(self.bytes_max);
        if n_bytes <= SMALL_BODY_BYTES_MAX {
            return Ok(None);
        }
        let n_kib = u32::try_from(n_bytes.div_ceil(1024)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.left).try_acquire_many_owned(n_kib);
        room.map(Some).map_err(|_| {
            let message = "too many large requests at once";
            HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(2)
        })
    }
}

/// Reads the whole body, bounded in size and time.
pub(crate) async fn bound_body(
    State(room): State<BodyRoom>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let bytes_max = room.bytes_max;
    let (parts, body) = request.into_parts();
    let announced = one(&parts.headers, header::CONTENT_LENGTH).and_then(|it| it.parse().ok());
    if announced.is_some_and(|announced: usize| announced > bytes_max) {
        return Err(too_large(bytes_max));
    }
    let announced = announced.or_else(|| body.size_hint().exact()?.try_into().ok());
    let _room = room.take(announced)?;
    let sent = tokio::time::timeout(SENDING_MAX, to_bytes(body, bytes_max)).await;
    let slow = "timed out reading the request body";
    let sent = sent.map_err(|_| HttpError::new(StatusCode::REQUEST_TIMEOUT, slow))?;
    let bytes = sent.map_err(|_| too_large(bytes_max))?;
    Ok(next.run(Request::from_parts(parts, bytes.into())).await)
}

fn too_large(bytes_max: usize) -> HttpError {
    let message = format!("the request body is incomplete or larger than {bytes_max} bytes");
    HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// Admits requests with the token and signed-in browsers; refuses all others before reading their body.
pub(crate) async fn authenticate(
    State(state): State<Arc<HttpState>>,
    mut request: Request,
    next: Next,
) -> Response {
    match admitted(&state, &request) {
        Ok(session) => {
            request.extensions_mut().extend(session);
            next.run(request).await
        }
        Err(response) => *response,
    }
}

/// Checks the credentials of a request; a signed-in browser adds its session to the extensions.
fn admitted(state: &HttpState, request: &Request) -> Result<Extensions, Box<Response>> {
    let mut known = Extensions::new();
    if request.headers().contains_key(header::AUTHORIZATION) {
        let token = bearer(request.headers());
        return if token.is_some_and(|token| state.token.is(token)) {
            Ok(known)
        } else {
            Err(Box::new(state.wrong_token().into_response()))
        };
    }
    let secret = cookie(request.headers());
    let now = state.clock().monotonic();
    match secret.and_then(|secret| state.browsers.find(secret, now)) {
        Some(session) => {
            known.insert(session);
            Ok(known)
        }
        None => Err(Box::new(turned_away(request, TOKEN_PLACE))),
    }
}

/// The bearer token of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let shown = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = shown.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The response to a request without valid credentials.
pub(crate) fn turned_away(request: &Request, place: &str) -> Response {
    let path = request.uri().path();
    let is_for_programs = PROGRAM_PATHS.iter().any(|own| path.starts_with(own));
    if request.method() == Method::GET && !is_for_programs {
        return Redirect::to(SIGN_IN).into_response();
    }
    HttpError::new(StatusCode::UNAUTHORIZED, "a bearer token is required")
        .hint(format!("send `Authorization: Bearer TOKEN`; {place}"))
        .into_response()
}

/// CSRF check: a browser sends its cookie by itself, so a change must also carry the secret of one of our pages.
pub(crate) async fn check_page(request: Request, next: Next) -> Result<Response, HttpError> {
    let is_reading = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let session = request.extensions().get::<BrowserSession>().cloned();
    let Some(session) = session.filter(|_| !is_reading) else {
        return Ok(next.run(request).await);
    };
    let (parts, body) = request.into_parts();
    let is_ours = parts.headers.contains_key(header::ORIGIN);
    match to_bytes(body, BODY_BYTES_MAX).await {
        Ok(bytes) if is_ours && shows_secret(&parts.headers, &bytes, &session) => {
            Ok(next.run(Request::from_parts(parts, bytes.into())).await)
        }
        _ => {
            let message = "this request did not come from a page of this service";
            let error = HttpError::new(StatusCode::FORBIDDEN, message);
            Err(error.hint("reload the page and try again"))
        }
    }
}

fn shows_secret(headers: &HeaderMap, body: &Bytes, session: &BrowserSession) -> bool {
    use subtle::ConstantTimeEq;

    let expected = session.csrf.as_bytes();
    let is_it = |shown: &[u8]| bool::from(shown.ct_eq(expected));
    if let Some(shown) = headers.get(CSRF_HEADER) {
        return is_it(shown.as_bytes());
    }
    // The secret is hex, which form encoding leaves unchanged.
    let mut fields = body.split(|byte| *byte == b'&');
    fields.any(|field| field.strip_prefix(CSRF_FIELD).is_some_and(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_followed_by_more_than_port_is_rejected() {
        for (text, expected) in [
            ("[::1]", true),
            ("[::1]:18789", true),
            ("127.0.0.1:80", true),
            ("[::1].evil.example", false),
            ("[::1].evil.example:80", false),
            ("evil@127.0.0.1", false),
        ] {
            let authority = text.parse::<Authority>();
            assert_eq!(authority.is_ok_and(|it| is_whole(&it)), expected, "{text}");
        }
    }

    #[test]
    fn body_room_is_shared_and_keeps_space_for_small_bodies() {
        let room = BodyRoom::new(BODY_BYTES_MAX);
        let large = Some(BODY_BYTES_MAX);
        let mut taken: Vec<_> = std::iter::from_fn(|| room.take(large).ok()).collect();
        assert_eq!(taken.len(), BODIES_BYTES_MAX / BODY_BYTES_MAX);
        assert!(room.take(None).is_err());
        assert!(room.take(Some(SMALL_BODY_BYTES_MAX)).is_ok());
        taken.pop();
        assert!(room.take(None).is_ok());
    }

    #[test]
    fn own_hosts_are_addresses_localhost_and_named_hosts() {
        let names = ["claw.lan".to_owned()];
        for ours in [
            "127.0.0.1",
            "[::1]",
            "localhost",
            "LocalHost",
            "192.168.1.9",
            "claw.lan",
        ] {
            assert!(is_ours(ours, &names), "{ours}");
        }
        for other in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "",
            "claw.lan.evil",
        ] {
            assert!(!is_ours(other, &names), "{other}");
        }
    }
}
