//! Extractors for JSON bodies, forms, paths and query strings; their errors say what is wrong, and where.

use std::error::Error;

use axum::Form;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;

use super::error::HttpError;

/// The body of a request, parsed as JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let media = kind.split(';').next().unwrap_or_default().trim();
        if !media.eq_ignore_ascii_case("application/json") {
            let message = "the body must be JSON, with `Content-Type: application/json`";
            return Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|_| HttpError::bad_request("cannot read the request body"))?;
        read_object(&bytes).map(Self)
    }
}

/// Parses an object. Serde alone would also accept an array of its values in field order.
fn read_object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, HttpError> {
    let failed = |error| HttpError::bad_request(format!("invalid request body: {error}"));
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(failed("expected an object".to_owned()));
    }
    serde_json::from_slice(bytes).map_err(|error| failed(error.to_string()))
}

/// The query string of a request.
pub(crate) struct UrlQuery<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(read)| Self(read))
            .map_err(|error| refused("query string", error))
    }
}

/// The parameters in the path of a request.
pub(crate) struct UrlPath<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for UrlPath<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        let read = Path::<T>::from_request_parts(parts, state).await;
        read.map(|Path(read)| Self(read))
            .map_err(|error| refused("path", error))
    }
}

/// The fields of a form.
pub(crate) struct FormBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for FormBody<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        let read = Form::<T>::from_request(request, state).await;
        read.map(|Form(read)| Self(read))
            .map_err(|error| refused("form", error))
    }
}

/// An error of axum in our format.
pub(super) fn refused(what: &str, error: impl Error + IntoResponse) -> HttpError {
    let source = error.source().map(ToString::to_string);
    let why = source.unwrap_or_else(|| error.to_string());
    let why = why.replace("invalid digit found in string", "it is not a whole number");
    HttpError::new(
        error.into_response().status(),
        format!("invalid {what}: {why}"),
    )
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::read_object;

    #[derive(Deserialize)]
    struct Body {
        plan: String,
    }

    #[test]
    fn request_body_must_be_object() {
        let read = read_object::<Body>(br#" {"plan": "a"}"#).map(|body| body.plan);
        assert_eq!(read.ok().as_deref(), Some("a"));
        for other in [r#" ["a"]"#, "\"a\"", "null", ""] {
            let refused = read_object::<Body>(other.as_bytes()).map(|body| body.plan);
            let told = refused.unwrap_err().sentence();
            assert_eq!(told, "invalid request body: expected an object", "{other}");
        }
    }
}
