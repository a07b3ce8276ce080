//! Extractors and helpers for the handlers of the page.
//!
//! Changes nothing.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Html;
use maud::Markup;
use memory::candidates::Access;
use serde::Deserialize;

use super::frame::{Frame, Tab, framed};
use crate::http::{BrowserSession, HttpError, HttpState};

/// The browser that sent a request.
#[derive(Debug, Clone)]
pub(super) struct Browser {
    /// The CSRF secret for its forms. Empty if a program sent the request with the token.
    pub(super) csrf: String,
}

impl<S: Sync> FromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let session = parts.extensions.get::<BrowserSession>();
        let csrf = session.map(|session| session.csrf.clone());
        Ok(Self {
            csrf: csrf.unwrap_or_default(),
        })
    }
}

/// A request for a page.
pub(super) struct Visit {
    state: Arc<HttpState>,
    browser: Browser,
}

/// The title and content of a page, and a message about the last action.
pub(super) struct FramedPage {
    title: String,
    content: Markup,
    done: Option<Markup>,
}

impl FramedPage {
    pub(super) fn new(title: impl Into<String>, content: Markup) -> Self {
        Self {
            title: title.into(),
            content,
            done: None,
        }
    }

    /// Adds a message about the last action.
    pub(super) fn after(self, done: Option<Markup>) -> Self {
        Self { done, ..self }
    }
}

impl FromRequestParts<Arc<HttpState>> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &Arc<HttpState>,
    ) -> Result<Self, Infallible> {
        Ok(Self {
            state: Arc::clone(state),
            browser: Browser::from_request_parts(parts, state).await?,
        })
    }
}

impl Visit {
    /// Renders the page on a thread for blocking work.
    pub(super) async fn show(
        self,
        tab: Tab,
        make: impl FnOnce(&HttpState, &Browser) -> Result<FramedPage, HttpError> + Send + 'static,
    ) -> Result<Html<String>, HttpError> {
        let Self { state, browser } = self;
        let shown = state.work(move |state| {
            let content = make(state, &browser)?;
            page(state, tab, &browser, content)
        });
        shown.await
    }
}

/// The fields of a form, in order; a name may occur several times.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct FormFields(Vec<(String, String)>);

impl FormFields {
    pub(super) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        let own = self.0.iter().filter(move |(own, _)| own == name);
        own.map(|(_, value)| value.as_str())
    }

    /// The first field with this name, or an error. The service's own forms always send it.
    pub(super) fn one<'f>(&'f self, name: &'f str) -> Result<&'f str, HttpError> {
        let missing = || HttpError::bad_request(format!("the form has no field {name}"));
        self.all(name).next().ok_or_else(missing)
    }
}

/// Renders a page in its frame.
pub(super) fn page(
    state: &HttpState,
    tab: Tab,
    browser: &Browser,
    shown: FramedPage,
) -> Result<Html<String>, HttpError> {
    let frame = Frame {
        tab: Some(tab),
        title: shown.title,
        csrf: browser.csrf.clone(),
        n_waiting: n_waiting(state)?,
        done: shown.done,
    };
    Ok(Html(framed(&frame, &shown.content).into_string()))
}

/// Number of waiting candidates.
pub(super) fn n_waiting(state: &HttpState) -> Result<usize, HttpError> {
    Ok(state.desk(Access::Read)?.state().pending.len())
}
