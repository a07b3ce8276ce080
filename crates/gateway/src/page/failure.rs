//! What the owner reads where something could not be done.
//!
//! Says what failed and why, and never what a file holds.

use std::error::Error;

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::html;

use super::frame::{Frame, Tab, framed};
use super::words::safe;

/// Something could not be shown or done.
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

    /// Something that is not there.
    pub(super) fn not_found(error: &impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, error.to_string())
    }

    /// Something that does not fit what is there now.
    pub(super) fn conflict(error: &impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, error.to_string())
    }
}

impl<E: Error> From<E> for PageFailure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(own) = cause {
            let text = own.to_string();
            if !message.contains(&text) {
                message = format!("{message}: {text}");
            }
            cause = own.source();
        }
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for PageFailure {
    fn into_response(self) -> Response {
        let frame = Frame {
            tab: Tab::Dreams,
            title: "Not done".to_owned(),
            csrf: String::new(),
            n_waiting: 0,
            done: None,
        };
        let content = html! {
            div class="head" { h1 { "That did not work" } }
            p class="note bad" role="alert" { (safe(&self.message)) }
            p { a href="/" { "Back to what waits" } }
        };
        (self.status, Html(framed(&frame, &content).into_string())).into_response()
    }
}
