//! Collects what the first page shows.
//!
//! Writes nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use agent::ops::{About, Agenda, AgendaReply, PromiseStatus};
use agent::review::ReviewOrder;
use agent::{KnownLine, owner_name};
use axum::response::Html;
use base::{day, time_of_day};
use memory::Workspace;
use memory::candidates::{Access, Status};
use memory::curated::{current_value, memory_lines};

use super::remind::Reminded;
use super::view::{
    DecideItem, HomeView, KnownSentence, NewItem, PlannedItem, SubjectItem, Theme, home,
};
use crate::http::{HttpError, HttpState, UrlQuery};
use crate::page::dreams::DoneQuery;
use crate::page::frame::Tab;
use crate::page::place::address_of;
use crate::page::request::{Browser, FramedPage, Visit};
use crate::page::words::safe;

/// How long a change counts as new.
const NEW: Duration = Duration::from_hours(7 * 24);

/// Maximum numbers of new lines, days ahead, planned items and decisions to show.
const NEW_MAX: usize = 5;
const AHEAD_DAYS: u32 = 30;
const AHEAD_MAX: usize = 6;
const DECIDE_MAX: usize = 5;

/// The file whose lines have ids.
const MEMORY_FILE: &str = "MEMORY.md";

/// Shows the first page.
pub(in crate::page) async fn show(
    visit: Visit,
    UrlQuery(asked): UrlQuery<DoneQuery>,
    UrlQuery(reminded): UrlQuery<Reminded>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Home, move |state, browser| {
            let view = look(state, browser)?;
            let done = asked.in_words(&browser.csrf, "/");
            let done = done.or_else(|| reminded.in_words(&browser.csrf));
            Ok(FramedPage::new("Home", home(&view)).after(done))
        })
        .await
}

fn look(state: &HttpState, browser: &Browser) -> Result<HomeView, HttpError> {
    let own = &state.runtime.home;
    let mut lines = state.run(About::default())?.lines;
    let name = owner_name(&lines).map(|(place, name)| (place, safe(name)));
    // The greeting tells it.
    let name = name.map(|(place, name)| {
        lines.remove(place);
        name
    });
    let ahead = state.run(Agenda {
        days: Some(AHEAD_DAYS),
    })?;
    let workspace = &own.workspace;
    let (ahead, with_subject) = coming(ahead, workspace);
    let now = own.clock.now();
    let desk = state.desk(Access::Read)?;
    let ids: BTreeMap<usize, String> = memory_lines(desk.memory())
        .into_iter()
        .filter_map(|line| Some((line.number, line.id()?.to_owned())))
        .collect();
    let history = desk.state().history.iter().rev();
    let fresh = history.filter(|it| {
        let is_new = it.decided_at.is_some_and(|at| at + NEW > now);
        // A line that was replaced or struck since is no news.
        let holds = ids.values().any(|id| *id == it.id.to_string());
        is_new && holds && matches!(it.status, Status::Accepted | Status::Promoted)
    });
    let fresh = fresh.take(NEW_MAX).map(|it| NewItem {
        text: safe(current_value(&it.finding)),
        day: it.decided_at.map(|at| day(at, own.timezone)),
    });
    let fresh = fresh.collect();
    let pending = &desk.state().pending;
    let order = ReviewOrder::of(pending);
    let waiting = order.ids.iter().filter_map(|id| desk.state().candidate(id));
    let waiting = waiting.take(DECIDE_MAX).map(|it| DecideItem {
        id: it.id.to_string(),
        finding: safe(&it.finding),
    });
    let is_empty = ahead.is_empty() && with_subject.is_empty();
    Ok(HomeView {
        csrf: browser.csrf.clone(),
        name,
        hour: hour(&time_of_day(now, own.timezone)),
        today: own.today(),
        n_waiting: pending.len(),
        waiting: waiting.collect(),
        themes: themes(lines, &ids),
        fresh,
        ahead,
        with_subject,
        is_new_home: is_empty
            && own.sessions.names()?.is_empty()
            && workspace.log_days()?.is_empty(),
        invocation: own.invocation.clone(),
    })
}

/// What is coming up by day, and the reminders that come up with a subject.
fn coming(ahead: AgendaReply, workspace: &Workspace) -> (Vec<PlannedItem>, Vec<SubjectItem>) {
    let promises = ahead.promises.into_iter();
    let promises = promises.filter(|own| own.status == PromiseStatus::Open);
    let (with_subject, promises): (Vec<_>, Vec<_>) = promises.partition(|own| own.day.is_none());
    let with_subject = with_subject.into_iter().map(|own| SubjectItem {
        subject: safe(own.about.as_deref().unwrap_or_default()),
        text: safe(&own.text),
        address: address_of(&own.path, own.line, workspace),
    });
    let promises = promises.into_iter().filter_map(|own| {
        Some(PlannedItem {
            day: own.day?,
            until: None,
            text: match own.time {
                Some(time) => format!("{time} {}", safe(&own.text)),
                None => safe(&own.text),
            },
            address: address_of(&own.path, own.line, workspace),
        })
    });
    let planned = ahead.items.into_iter().map(|item| PlannedItem {
        day: item.day,
        until: item.until,
        text: safe(&item.text),
        address: address_of(&item.place.path, item.place.start_line, workspace),
    });
    let mut ahead: Vec<PlannedItem> = promises.chain(planned).collect();
    ahead.sort_by_key(|item| item.day);
    ahead.truncate(AHEAD_MAX);
    (ahead, with_subject.take(AHEAD_MAX).collect())
}

/// The hour of a time of day such as `09:30`.
fn hour(time: &str) -> u32 {
    let hour = time.split(':').next().and_then(|hour| hour.parse().ok());
    hour.unwrap_or_default()
}

/// The lines by theme, in their order; the owner's own file belongs to what is known about the owner.
fn themes(lines: Vec<KnownLine>, ids: &BTreeMap<usize, String>) -> Vec<Theme> {
    let mut themes: Vec<Theme> = Vec::new();
    for line in lines {
        let sentence = KnownSentence {
            text: safe(current_value(&line.text)),
            id: ids
                .get(&line.place.start_line)
                .filter(|_| line.place.path == MEMORY_FILE)
                .cloned(),
            path: line.place.path.clone(),
            day: line.day,
        };
        match themes.iter_mut().find(|theme| theme.heading == line.theme) {
            Some(theme) => theme.sentences.push(sentence),
            None => themes.push(Theme {
                heading: line.theme,
                sentences: vec![sentence],
            }),
        }
    }
    themes
}
