//! The error page.
//!
//! Says what failed and why; never shows the content of a file.

use std::error::Error;

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::html;
use session::ReadError;

use super::frame::{Frame, Tab, framed};
use super::words::safe;
use crate::http::{told, unread};

/// An error, shown as a page.
#[derive(Debug)]
pub(super) struct PageFailure {
    status: StatusCode,
    message: String,
}

impl PageFailure {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, message }
    }

    /// 404: the thing asked for does not exist.
    pub(super) fn not_found(error: &impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, error.to_string())
    }

    /// A session cannot be read.
    pub(super) fn unread(error: &ReadError) -> Self {
        let error = unread(error);
        Self::new(error.status, error.message)
    }

    /// 409: the request does not fit the current state.
    pub(super) fn conflict(error: &impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, error.to_string())
    }
}

impl<E: Error> From<E> for PageFailure {
    fn from(error: E) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, told(&error))
    }
}

impl IntoResponse for PageFailure {
    fn into_response(self) -> Response {
        let frame = Frame {
            tab: Tab::Dreams,
            title: "Error".to_owned(),
            csrf: String::new(),
            n_waiting: 0,
            done: None,
        };
        let content = html! {
            div class="head" { h1 { "That did not work" } }
            p class="note bad" role="alert" { (safe(&self.message)) }
            p { a href="/" { "Back to the candidates" } }
        };
        (self.status, Html(framed(&frame, &content).into_string())).into_response()
    }
}
