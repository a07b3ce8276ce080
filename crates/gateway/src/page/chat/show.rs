//! Collects what the chat page shows: a conversation, the notices for it, and the other conversations.
//!
//! Writes nothing.

use std::cmp::Reverse;
use std::sync::Arc;

use agent::ops::{ReadItem, ReadSession};
use agent::{PRIMARY_SESSION, forgotten_entries};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use session::SessionName;
use session::timeline::last_part;

use super::view::{ChatView, Notice, chat};
use crate::http::{HttpError, HttpState, UrlPath, UrlQuery};
use crate::page::frame::Tab;
use crate::page::request::{Browser, FramedPage, Visit, page};
use crate::page::sessions::{Talk, margin_of, talk};
use crate::page::words::{as_sentence, safe};

/// Number of messages to show; the page of the conversation shows all.
const MESSAGES: usize = 40;

/// Number of other conversations to list.
const OTHERS_MAX: usize = 10;

/// The path: which conversation.
#[derive(Deserialize)]
pub(in crate::page) struct WantedChat {
    pub(super) name: String,
}

/// The query: the model to answer with.
#[derive(Deserialize)]
pub(in crate::page) struct ChosenModel {
    model: Option<String>,
}

/// A message that was not answered, and why.
pub(super) struct FailedChat {
    /// What was typed; it stays in its field.
    pub(super) text: String,
    pub(super) error: HttpError,
}

/// Shows the conversation that sees all of memory.
pub(in crate::page) async fn show_primary(
    visit: Visit,
    chosen: UrlQuery<ChosenModel>,
) -> Result<Html<String>, HttpError> {
    let name = PRIMARY_SESSION.to_owned();
    show(visit, UrlPath(WantedChat { name }), chosen).await
}

/// Shows a conversation and, once, the notices of turns that no page could show when they came.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlPath(WantedChat { name }): UrlPath<WantedChat>,
    UrlQuery(chosen): UrlQuery<ChosenModel>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Chat, move |state, browser| {
            let name: SessionName = name.parse().map_err(|error| HttpError::missing(&error))?;
            let mut view = look(state, &browser.csrf, name)?;
            view.model = chosen.model;
            Ok(FramedPage::new(view.title.clone(), chat(&view)))
        })
        .await
}

/// Shows a conversation in which a message could not be answered; what was typed stays in its field.
pub(super) async fn show_failed(
    state: &Arc<HttpState>,
    browser: Browser,
    name: SessionName,
    failed: FailedChat,
) -> Result<Response, HttpError> {
    let (status, headers) = failed.error.head();
    let shown = state.work(move |state| {
        let mut view = look(state, &browser.csrf, name)?;
        let error = as_sentence(&safe(&failed.error.sentence()));
        view.notices.push(Notice::bad(error));
        view.typed = failed.text;
        let content = FramedPage::new(view.title.clone(), chat(&view));
        page(state, Tab::Chat, &browser, content)
    });
    Ok((status, headers, shown.await?).into_response())
}

fn look(state: &HttpState, csrf: &str, name: SessionName) -> Result<ChatView, HttpError> {
    let home = &state.runtime.home;
    let read = state.run(ReadSession {
        name: name.to_string(),
        limit: Some(MESSAGES),
        ..ReadSession::default()
    });
    let (mut items, mut has_earlier): (Vec<ReadItem>, bool) = match read {
        Ok(reply) => (reply.items, reply.has_earlier),
        // It begins with the first message.
        Err(error) if error.status == StatusCode::NOT_FOUND => (Vec::new(), false),
        Err(error) => return Err(error),
    };
    // What was said before a new conversation began is read on the page of conversations.
    if let Some(begun) = items.iter().rposition(|item| item.role == "new") {
        items.drain(..=begun);
        has_earlier = true;
    }
    let margin = margin_of(state, name.as_str(), &items)?;
    let shown = talk(&Talk {
        name: name.as_str(),
        items: &items,
        margin: &margin,
        workspace: &home.workspace,
        timezone: home.timezone,
        today: home.today(),
        marked: None,
        csrf: Some(csrf),
    });
    let others = others(state)?;
    let own = others.iter().find(|(own, _)| own == name.as_str());
    let models = &state.runtime.engine.models;
    Ok(ChatView {
        csrf: csrf.to_owned(),
        title: match own {
            // Before its first message it has no title.
            _ if items.is_empty() => "Chat".to_owned(),
            Some((_, title)) => title.clone(),
            None => name.to_string(),
        },
        talk: (!items.is_empty()).then_some(shown),
        has_earlier,
        others,
        models: models.names(),
        model: None,
        set_up: models.is_offline().then(|| home.invocation.command("init")),
        notices: state
            .untold
            .take(&name)
            .into_iter()
            .map(Notice::good)
            .collect(),
        typed: String::new(),
        name,
    })
}

/// The conversations that changed last, with their titles.
fn others(state: &HttpState) -> Result<Vec<(String, String)>, HttpError> {
    let home = &state.runtime.home;
    let sessions = &home.sessions;
    let is_forgotten = forgotten_entries(&home.workspace);
    let mut names = Vec::new();
    for name in sessions.names()? {
        let changed_at = sessions.stat(&name)?.and_then(|stat| stat.modified_at);
        names.push((changed_at, name));
    }
    names.sort_by_key(|(changed_at, _)| Reverse(*changed_at));
    let titled = names.into_iter().take(OTHERS_MAX).map(|(_, name)| {
        let part = last_part(sessions, &name, &is_forgotten).ok().flatten();
        let title = part.and_then(|part| part.title);
        let title = title.map_or_else(|| name.to_string(), |title| safe(&title));
        (name.to_string(), title)
    });
    Ok(titled.collect())
}
