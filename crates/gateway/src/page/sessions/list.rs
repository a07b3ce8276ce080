//! The list of conversations, with their titles. A session in which new conversations began is listed once for each of
//! them.
//!
//! Writes nothing.

use std::cmp::Reverse;

use agent::forgotten_entries;
use agent::ops::{Search, SearchSource};
use axum::response::Html;
use base::{Day, Tz, counted, day};
use maud::{Markup, html};
use search::SearchResult;
use serde::Deserialize;
use session::timeline::{SessionPart, list_parts};
use session::{ReadError, SessionName};

use crate::http::{HttpError, HttpState, UrlQuery};
use crate::page::frame::{Tab, empty, key};
use crate::page::place::address_of;
use crate::page::request::{FramedPage, Visit};
use crate::page::words::{day_in_words, encoded, safe, shortened};

/// Maximum number of conversations and of passages to list.
const LISTED_MAX: usize = 100;
const PASSAGES_MAX: usize = 10;

/// Longest passage to show.
const PASSAGE_CHARS_MAX: usize = 280;

/// The query: words of a title, or of what was said.
#[derive(Deserialize)]
pub(in crate::page) struct WantedList {
    #[serde(default)]
    q: String,
}

/// A conversation, or a session that cannot be read.
pub(super) struct Conversation {
    pub(super) name: SessionName,
    pub(super) title: String,
    /// What is known of it, or why it cannot be read.
    pub(super) part: Result<SessionPart, String>,
    /// Whether the session continued with a new conversation.
    pub(super) is_earlier: bool,
}

impl Conversation {
    /// Its address. An earlier conversation of a session is addressed by its first line.
    fn address(&self) -> String {
        let name = encoded(self.name.as_str());
        match &self.part {
            Ok(part) if self.is_earlier => format!("/sessions/{name}?line={}", part.first_line),
            _ => format!("/sessions/{name}"),
        }
    }
}

pub(super) struct ListView {
    pub(super) asked: String,
    pub(super) listed: Vec<Conversation>,
    pub(super) n_all: usize,
    pub(super) said: Vec<(SearchResult, Option<String>)>,
    pub(super) timezone: Tz,
    pub(super) today: Day,
}

/// Lists the conversations, newest first.
pub(in crate::page) async fn list(
    visit: Visit,
    UrlQuery(WantedList { q }): UrlQuery<WantedList>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Conversations, move |state, _| {
            let home = &state.runtime.home;
            let asked = q.trim().to_owned();
            let words = asked.to_lowercase();
            let all = conversations(state)?;
            let n_all = all.len();
            let found = all
                .into_iter()
                .filter(|own| own.title.to_lowercase().contains(&words));
            let view = ListView {
                listed: found.take(LISTED_MAX).collect(),
                n_all,
                said: said(state, &asked)?,
                asked,
                timezone: home.timezone,
                today: home.today(),
            };
            Ok(FramedPage::new("Conversations", shown(&view)))
        })
        .await
}

/// All conversations, newest first.
fn conversations(state: &HttpState) -> Result<Vec<Conversation>, HttpError> {
    let home = &state.runtime.home;
    let is_forgotten = forgotten_entries(&home.workspace);
    let mut listed = Vec::new();
    for name in home.sessions.names()? {
        match list_parts(&home.sessions, &name, &is_forgotten) {
            Ok(parts) => listed.extend(of_session(&name, parts)),
            Err(ReadError::NotBegun(_)) => {}
            Err(error) => listed.push(Conversation {
                title: name.to_string(),
                name,
                part: Err(error.to_string()),
                is_earlier: false,
            }),
        }
    }
    listed.sort_by_key(|own| {
        let at = own
            .part
            .as_ref()
            .ok()
            .and_then(|part| part.last_activity_at);
        Reverse(at)
    });
    Ok(listed)
}

fn of_session(name: &SessionName, parts: Vec<SessionPart>) -> impl Iterator<Item = Conversation> {
    let n_parts = parts.len();
    let parts = (1..).zip(parts);
    // An empty one is shown only if nothing else was said in the session.
    let begun = parts.filter(move |(_, part)| part.messages > 0 || n_parts == 1);
    begun.map(move |(number, part)| Conversation {
        title: part.title.as_deref().map_or_else(|| name.to_string(), safe),
        name: name.clone(),
        part: Ok(part),
        is_earlier: number < n_parts,
    })
}

/// The title of the newest conversation of a session, or its name.
pub(super) fn title_of(state: &HttpState, name: &str) -> String {
    let home = &state.runtime.home;
    let is_forgotten = forgotten_entries(&home.workspace);
    let read = name.parse().ok();
    let read = read.and_then(|own| list_parts(&home.sessions, &own, &is_forgotten).ok());
    let title = read.and_then(|mut parts| parts.pop()?.title);
    title.map_or_else(|| name.to_owned(), |title| safe(&title))
}

/// The passages of conversations that answer the words, with their addresses.
fn said(state: &HttpState, asked: &str) -> Result<Vec<(SearchResult, Option<String>)>, HttpError> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let reply = state.run(Search {
        query: asked.to_owned(),
        limit: Some(PASSAGES_MAX),
        source: Some(SearchSource::Session),
        ..Search::default()
    })?;
    let workspace = &state.runtime.home.workspace;
    let results = reply.answer.results.into_iter().map(|result| {
        let address = address_of(&result.path, result.start_line, workspace);
        (result, address)
    });
    Ok(results.collect())
}

pub(super) fn shown(view: &ListView) -> Markup {
    html! {
        div class="head" {
            h1 { "Conversations" }
            p { "Every conversation is kept in full, even after its older part is summarised." }
            form class="search" role="search" method="get" action="/sessions" {
                label class="visually-hidden" for="question" { "Search conversations" }
                input id="question" type="search" name="q" value=(view.asked) placeholder="Search conversations"
                    data-key="/" autocomplete="off";
                button { "Search " (key("/")) }
            }
        }
        @if view.n_all == 0 {
            (empty("No conversation yet", &html! { "Begin one in " a href="/chat" { "Chat" } "." }))
        } @else if view.asked.is_empty() {
            ul class="lines" { @for own in &view.listed { (one(own, view)) } }
        } @else {
            (found(view))
        }
    }
}

fn found(view: &ListView) -> Markup {
    html! {
        @if view.listed.is_empty() && view.said.is_empty() {
            (empty("Nothing was found", &html! { "No title has these words, and nothing that was said is about them. " a href="/sessions" { "Show all conversations" } }))
        }
        @if !view.listed.is_empty() {
            section {
                h2 { (counted(view.listed.len() as u64, "title", "titles")) }
                ul class="lines" { @for own in &view.listed { (one(own, view)) } }
            }
        }
        @if !view.said.is_empty() {
            section {
                h2 { "What was said" }
                ul class="lines" {
                    @for (result, address) in &view.said {
                        li data-item tabindex="-1" {
                            p {
                                @let text = shortened(&safe(&result.text), PASSAGE_CHARS_MAX);
                                @if let Some(address) = address { a class="quiet" href=(address) { (text) } } @else { (text) }
                            }
                            @if let Some(day) = result.day { span class="small muted" { (day_in_words(day, view.today)) } }
                        }
                    }
                }
            }
        }
    }
}

/// A conversation in the list, or the reason why it cannot be read.
fn one(own: &Conversation, view: &ListView) -> Markup {
    html! {
        li data-item tabindex="-1" {
            a class="title" href=(own.address()) { (own.title) }
            @match &own.part {
                Ok(part) => {
                    @if let Some(at) = part.last_activity_at { span class="small muted" { (day_in_words(day(at, view.timezone), view.today)) } }
                    p class="small muted wide" {
                        @if own.title != own.name.as_str() { (own.name) ", " }
                        (counted(part.messages, "message", "messages"))
                    }
                }
                Err(reason) => { p class="small muted wide" { (reason) } }
            }
        }
    }
}
