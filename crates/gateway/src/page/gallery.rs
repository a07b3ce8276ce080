//! The gallery: every view in every state, for pictures and for tests of hostile text.
//!
//! Part of debug builds only. Shows examples, never the home.

use axum::response::Html;
use base::{Day, Timestamp, Tz};
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::Tab;
use super::request::{FramedPage, Visit};
use super::{chat, dreams, failure, home, memory, sessions};
use crate::http::{HttpError, UrlPath, UrlQuery};

/// A view in one state.
pub(super) struct Sample {
    name: &'static str,
    state: &'static str,
    content: Markup,
}

impl Sample {
    pub(super) fn new(name: &'static str, state: &'static str, content: Markup) -> Self {
        Self {
            name,
            state,
            content,
        }
    }
}

/// What the examples say, unless they are to say something else.
const PLAIN: &str = "I prefer short answers, with the **result** first.";

/// Markup that would act if any view passed it through.
const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>' autofocus onfocus='alert(3) \
                       [a](javascript:alert(4)) </textarea></title><i>";

/// The day of an example.
pub(super) fn sample_day(day: &str) -> Day {
    day.parse()
        .unwrap_or_else(|_| base::day(Timestamp::default(), Tz::UTC))
}

/// The time of an example.
pub(super) fn instant(at: &str) -> Timestamp {
    at.parse().unwrap_or_default()
}

/// Every view in every state.
fn samples(text: &str) -> Vec<Sample> {
    let error = HttpError::not_found(text).hint(text);
    let failed = Sample::new(
        "error",
        "a page that does not exist",
        failure::content(&error),
    );
    let all = [
        home::samples(text),
        chat::samples(text),
        sessions::samples(text),
        memory::samples(text),
        dreams::samples(text),
        vec![failed],
    ];
    all.into_iter().flatten().collect()
}

/// The query: whether the examples hold markup.
#[derive(Deserialize)]
pub(super) struct WantedText {
    #[serde(default)]
    hostile: bool,
}

impl WantedText {
    fn text(&self) -> &'static str {
        if self.hostile { HOSTILE } else { PLAIN }
    }
}

/// Lists the views.
pub(super) async fn list(visit: Visit) -> Result<Html<String>, HttpError> {
    let content = html! {
        div class="head" { h1 { "Gallery" } p { "Every view in every state, with examples in place of your memory." } }
        ul class="lines" {
            @for sample in samples(PLAIN) {
                li data-item tabindex="-1" {
                    a class="title" href={ "/gallery/" (sample.name) } { (sample.name) }
                    a class="small" href={ "/gallery/" (sample.name) "?hostile=true" } { "hostile" span class="visually-hidden" { " " (sample.name) } }
                    p class="small muted wide" { (sample.state) }
                }
            }
        }
    };
    visit
        .show(Tab::Settings, move |_, _| {
            Ok(FramedPage::new("Gallery", content))
        })
        .await
}

/// The path: which view.
#[derive(Deserialize)]
pub(super) struct WantedSample {
    name: String,
}

/// Shows a view in one state.
pub(super) async fn show(
    visit: Visit,
    UrlPath(WantedSample { name }): UrlPath<WantedSample>,
    UrlQuery(wanted): UrlQuery<WantedText>,
) -> Result<Html<String>, HttpError> {
    let mut all = samples(wanted.text()).into_iter();
    let found = all.find(|sample| sample.name == name);
    let found = found.ok_or_else(|| HttpError::not_found("the gallery has no such view"))?;
    visit
        .show(Tab::Settings, move |_, _| {
            Ok(FramedPage::new(found.state, found.content))
        })
        .await
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn hostile_text_does_not_change_markup_in_any_state() {
        // The text stands where the plain one does, so that only characters differ.
        let n_tags = |content: &Markup| content.0.matches(['<', '>']).count();
        let plain = "a".repeat(HOSTILE.len());
        for (own, other) in samples(HOSTILE).iter().zip(samples(&plain)) {
            let shown = &own.content.0;
            assert_eq!(
                n_tags(&own.content),
                n_tags(&other.content),
                "{}: {shown}",
                own.name
            );
            for markup in [
                "<script",
                "<img",
                "<i>",
                "\" autofocus",
                "href=\"javascript",
            ] {
                assert!(!shown.contains(markup), "{markup} in {}: {shown}", own.name);
            }
        }
    }

    #[test]
    fn sample_names_are_unique() {
        let all = samples(PLAIN);
        let names: BTreeSet<&str> = all.iter().map(|sample| sample.name).collect();
        assert_eq!(names.len(), all.len());
    }
}
